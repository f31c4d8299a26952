"""What the documents name is where they say it is: files, functions, commands."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

from each import of_each
from places import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: `tdtsql/x/y.py:function` or `tdtsql/x/y.py:Class.method`
_FUNCTION = re.compile(r"`(tdtsql/[\w/]+\.py):([\w.]+)`")
#: files and folders of the checkout; those with a placeholder (TASK, *, __vN) are patterns
_PATH = re.compile(r"`((?:sql|tdtsql|tests|docs|fixtures)/[\w./-]+)(?::[\w.]+)?`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[\w-]*)?\)")

each_document = of_each(DOCUMENTS)


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
        assert (ROOT / module).is_file(), f"{path.name}: {module} does not exist"
        assert name in _defined(ROOT / module), f"{path.name}: {module} has no {name}; update the page"


@each_document
def test_files_that_a_document_names_are_there(path):
    for name in _PATH.findall(path.read_text(encoding="utf-8")):
        assert re.search(r"[A-Z]{2}", name.removesuffix("README.md")) or (ROOT / name).exists(), (
            f"{path.name}: {name} does not exist"
        )


@each_document
def test_links_lead_somewhere(path):
    for target in _LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name}: {target} does not exist"


@each_document
def test_anchors_of_generated_pages_exist(path):
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")

    for name in re.findall(r"index\.md(#reference-[\w-]+)\)", path.read_text(encoding="utf-8")):
        assert f'<a id="{name[1:]}"></a>' in index, f"{path.name}: {name} is not in docs/index.md"


def test_the_index_links_every_page_once():
    index = ROOT / "docs" / "index.md"
    linked = [(index.parent / target).resolve() for target in _LINK.findall(index.read_text(encoding="utf-8"))]
    pages = {path for path in DOCUMENTS[1:] if path != index}

    assert pages <= set(linked) and (ROOT / "CHANGELOG.md") in linked
    beyond_start = [path for path in linked if path.name != "tutorial.md"]  # the introduction links it, too
    assert len(beyond_start) == len(set(beyond_start))
    assert "](docs/index.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_architecture_names_functions():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

    assert len(set(_FUNCTION.findall(text))) > 25


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
