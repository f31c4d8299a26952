"""What the documents name is where they say it is: files, functions, commands."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: `tdtsql/x/y.py:function` or `tdtsql/x/y.py:Class.method`
_FUNCTION = re.compile(r"`(tdtsql/[\w/]+\.py):([\w.]+)`")
#: files and folders of the checkout; those with a placeholder (TASK, *, __vN) are patterns
_PATH = re.compile(r"`((?:sql|tdtsql|tests|docs|fixtures)/[\w./-]+)(?::[\w.]+)?`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[\w-]*)?\)")

each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())

#: made when the documentation is built (docs/site/pages.py)
MADE = {
    f"docs/{path}"
    for path in (
        "contributing.md",
        "notebook/five_systems.md",
        "reference/tidy.md",
        "reference/formats.md",
        "reference/errors.md",
        "reference/metric-ids.md",
        "reference/metrics/index.md",
        "reference/profiles.md",
        "reference/tasks.md",
        "reference/tables.md",
        "reference/cookbook.md",
        "reference/commands.md",
        "reference/python.md",
    )
}


@cache
def _defined(path: Path) -> set[str]:
    """Return the functions and classes of a module, and methods as Class.method."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return found


@each_document
def test_functions_are_where_a_document_says(path):
    for module, name in _FUNCTION.findall(path.read_text(encoding="utf-8")):
        assert (ROOT / module).is_file(), f"{path.name}: {module} is not there"
        assert name in _defined(ROOT / module), (
            f"{path.name}: {module} has no {name}; the walk has changed, write it as it is now"
        )


@each_document
def test_files_that_a_document_names_are_there(path):
    for name in _PATH.findall(path.read_text(encoding="utf-8")):
        assert re.search(r"[A-Z]{2}", name.removesuffix("README.md")) or (ROOT / name).exists(), (
            f"{path.name}: {name} is not there"
        )


@each_document
def test_links_lead_somewhere(path):
    for target in _LINK.findall(path.read_text(encoding="utf-8")):
        place = (path.parent / target).resolve()
        assert place.exists() or place.relative_to(ROOT).as_posix() in MADE, f"{path.name}: {target} is not there"


def test_the_readme_leads_to_every_document():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    for path in DOCUMENTS[1:]:
        assert f"]({path.relative_to(ROOT).as_posix()})" in readme, f"README.md: a link to {path.relative_to(ROOT)}"


def test_the_contents_have_every_page():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = {
        f"docs/{name}.md"
        for block in re.findall(r"```{toctree}\n(.*?)```", index, re.DOTALL)
        for name in block.splitlines()
        if name and not name.startswith(":")
    }

    assert listed == MADE | {path.relative_to(ROOT).as_posix() for path in DOCUMENTS[2:]} - {"docs/index.md"}


def test_the_walks_name_functions():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

    assert len(set(_FUNCTION.findall(text))) > 30


def test_the_commands_of_a_contributor_are_the_same_everywhere():
    """The justfile, CONTRIBUTING.md and .ci/run say the same of lints and tests."""
    recipes = dict(
        re.findall(
            r"^([a-z-]+)[^\n:]*:\n((?:    .*\n)+)", (ROOT / "justfile").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace('"', "")

    assert list(recipes) == ["setup", "test", "full", "lint", "docs", "lock"]
    for name, body in recipes.items():
        assert f"`just {name}`" in contributing
        for line in body.splitlines():
            assert line.strip().lstrip("@") in contributing, f"CONTRIBUTING.md: {name} does not show {line.strip()}"
    for line in recipes["lint"].splitlines():
        assert line.split("/bin/", 1)[1] in script, f".ci/run does not run {line.strip()}"


def test_tools_of_a_contributor_are_dependencies():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    assert {re.split(r"[>\[]", entry)[0] for entry in extras["dev"]} >= {"ruff", "mypy", "pre-commit"}
