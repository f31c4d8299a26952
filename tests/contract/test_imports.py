"""Imports point down; two packages touch the database; one prints. Read from the source, not by trust."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "tdtsql"

#: package -> what of tdtsql it may import besides itself
MAY_IMPORT = {
    "errors": set(),
    "reader": {"errors"},
    "hierarchy": {"errors"},
    "compare": {"errors"},
    "distribution": {"errors"},
    "metric": {"errors"},
    "engine": {"errors"},
    "intake": {"errors", "reader", "metric", "engine"},
    "store": {"errors", "reader", "hierarchy", "metric", "engine", "distribution", "intake", "scoring", "audit", "loading", "remote"},
    "remote": {"errors", "metric", "engine", "intake", "store", "scoring", "audit", "loading"},
    "loading": {"errors", "reader", "metric", "engine", "intake", "store", "scoring", "audit"},
    "audit": {"errors", "reader", "metric", "engine", "intake", "store", "scoring"},
    "scoring": {"errors", "reader", "hierarchy", "metric", "engine", "distribution", "intake", "store"},
    "report": {"errors", "metric", "store", "scoring", "audit", "loading", "remote", "compare", "distribution", "engine"},
    "cli": {"errors", "reader", "hierarchy", "compare", "distribution", "metric", "engine", "intake", "store", "scoring", "audit", "loading", "remote", "report"},
}
DATABASE = {"engine", "intake", "store", "scoring", "audit", "loading", "remote"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def _layer(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def _imports(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: import by full name"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path):
    layer = _layer(path)
    if layer not in MAY_IMPORT:
        # the package's own front: __init__, __main__, api
        return
    for line, name in _imports(path):
        parts = name.split(".")
        if parts[0] == "tdtsql" and len(parts) > 1 and parts[1] != "__version__":
            assert parts[1] in MAY_IMPORT[layer] | {layer}, f"tdtsql/{path.relative_to(PACKAGE)}:{line}: {layer} may not import tdtsql.{parts[1]}"
        if parts[0] == "duckdb":
            assert layer in DATABASE, f"tdtsql/{path.relative_to(PACKAGE)}:{line}: only engine and store touch the database"


@pytest.mark.parametrize("path", [path for path in MODULES if _layer(path) != "cli"], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_line_prints(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            where = f"tdtsql/{path.relative_to(PACKAGE)}:{node.lineno}"
            traced = any(keyword.arg == "file" for keyword in node.keywords) and _layer(path) == "engine"
            assert traced, f"{where}: only tdtsql/cli prints (the engine's trace goes to stderr)"


def test_assert_never_guards_what_users_give():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Assert), f"tdtsql/{path.relative_to(PACKAGE)}:{node.lineno}: assert vanishes under python -O; raise an error of tdtsql.errors"
