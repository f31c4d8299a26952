"""A small ``sql`` folder of its own for every test that changes definitions."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def sql(tmp_path: Path) -> Path:
    """Return a folder with two tables, two views (cost reads count) and one profile."""
    return shutil.copytree(Path(__file__).parent / "small", tmp_path / "sql")


@pytest.fixture
def edit():
    """Return a function that replaces a text, which must be there, in a file."""

    def replace(path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return replace
