"""The modules of the package as syntax trees, read once by all tests of a process that look through them."""

import ast
from functools import cache
from pathlib import Path


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
