"""Imports point down and never in a circle; folders stay small; some packages touch the database; one prints. Read from
the source, not by trust.
"""

import ast
from functools import cache
from pathlib import Path

from syntax import nodes

from each import of_each
from places import PACKAGE


#: from the bottom: a module imports from those before its own, and from its own
ORDER = (
    "errors output_file toml_file progress version tasks task hierarchy distribution engine definitions build files "
    "package store scoring compare audit load trials show gate api spark serve testing cli"
).split()
#: these compute and know nothing of each other
PURE = {"hierarchy", "distribution"}
DATABASE = {"engine", "definitions", "files", "store", "audit", "show", "load"}
#: a folder that nobody can hold in mind is split; these two have a module per kind of file, and per noun
MOST_MODULES = 17
MAY_BE_LARGE = {"load", "cli"}

MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = {
    ".".join(["tdtsql", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in MODULES
}


def _layer(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def _imports(path: Path) -> list[tuple[int, str]]:
    """Return (line, module or module.name) of every import of a file: those in functions and under TYPE_CHECKING
    too.
    """
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: import by full name"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def _module(name: str) -> str:
    """Return the module that an imported name is, or is of."""
    return name if name in NAMES else name.rpartition(".")[0]


@of_each(MODULES)
def test_imports_point_down(path):
    layer = _layer(path)
    if layer in ("__init__", "__main__"):  # the package's own front
        return
    assert layer in ORDER, f"tdtsql/{path.relative_to(PACKAGE)}: layers are {', '.join(ORDER)}"
    below = set(ORDER[: ORDER.index(layer)])
    allowed = (below - PURE if layer in PURE else below) | {layer}
    for line, name in _imports(path):
        parts = name.split(".")
        where = f"tdtsql/{path.relative_to(PACKAGE)}:{line}"
        if parts[0] == "tdtsql":
            assert len(parts) > 1 and parts[1] in allowed, f"{where}: {layer} may not import {name}"
        if parts[0] == "duckdb":
            assert layer in DATABASE, f"{where}: only {', '.join(sorted(DATABASE))} touch the database"


def test_no_import_leads_back_to_where_it_began():
    graph = {
        name: {_module(other) for _, other in _imports(path) if other.startswith("tdtsql.")} - {name}
        for name, path in NAMES.items()
    }
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"a circle of imports: {' -> '.join([*trail[trail.index(name) :], name])}"
        if name not in done:
            for other in sorted(graph.get(name, ())):
                walk(other, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        walk(name, ())
    assert done >= set(graph)


@of_each(sorted({path.parent for path in MODULES}))
def test_a_folder_stays_small(folder):
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    assert len(modules) <= MOST_MODULES or folder.name in MAY_BE_LARGE, (
        f"{folder.name}: {len(modules)} modules, at most {MOST_MODULES}: split it"
    )


@of_each(path for path in MODULES if _layer(path) != "cli")
def test_only_the_command_line_prints(path):
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            where = f"tdtsql/{path.relative_to(PACKAGE)}:{node.lineno}"
            traced = any(keyword.arg == "file" for keyword in node.keywords) and _layer(path) == "engine"
            assert traced, f"{where}: only tdtsql/cli prints (the engine's trace goes to stderr)"


def test_assert_never_guards_what_users_give():
    for path in MODULES:
        for node in nodes(path):
            assert not isinstance(node, ast.Assert), (
                f"tdtsql/{path.relative_to(PACKAGE)}:{node.lineno}: assert vanishes under python -O; raise an error "
                f"of tdtsql.errors"
            )
