"""Tables that a module reads: they are in the TOML file of its name beside it."""

import tomllib
from pathlib import Path
from typing import Any


def toml_beside(module: str) -> dict[str, Any]:
    """Return the tables of a module; ``module``: its ``__file__``."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))
