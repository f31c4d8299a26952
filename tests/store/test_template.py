"""Empty stores in the cache folder, and what a start does not wait for."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import tdtsql
from inside import LIMIT, description, template


def test_of_too_many_empty_stores_the_newer_half_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "tdtsql"
    folder.mkdir()
    for number in range(LIMIT):
        old = folder / f"empty-{number:016d}.duckdb"
        old.touch()
        os.utime(old, (1000 + number, 1000 + number))

    made = template(lambda path: Path(path).write_bytes(b"empty"), lambda path: {"said": "of it"})

    newest = [f"empty-{number:016d}.duckdb" for number in range(LIMIT // 2 + 1, LIMIT)]
    assert made.read_bytes() == b"empty"
    assert sorted(path.name for path in folder.glob("empty-*.duckdb")) == sorted([made.name, *newest])


@pytest.fixture
def cached(tmp_path, monkeypatch):
    """Return the file of an empty store in a cache folder of its own, and how often it was made."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = []

    def fill(path):
        made.append(path)
        Path(path).write_bytes(b"empty")

    assert template(fill, lambda path: {"said": "of it"}).read_bytes() == b"empty"
    assert template(fill, lambda path: {"said": "of it"}).read_bytes() == b"empty" and len(made) == 1
    return template(fill, lambda path: {"said": "of it"}), lambda: (
        template(fill, lambda path: {"said": "of it"}),
        len(made),
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"emptY"),
        lambda path: path.chmod(0o666),
        lambda path: path.unlink(),
        lambda path: path.with_suffix(".json").unlink(),
        lambda path: path.with_suffix(".json").write_text("junk"),
        lambda path: path.with_suffix(".json").chmod(0o646),
        lambda path: (path.rename(path.with_name("elsewhere")), path.symlink_to(path.with_name("elsewhere"))),
    ],
)
def test_an_empty_store_that_is_not_what_was_made_is_made_again(cached, change):
    path, again = cached
    change(path)
    found, n_made = again()

    assert (found, found.read_bytes(), n_made) == (path, b"empty", 2)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(path.with_suffix(".json").stat().st_mode) == 0o600


def test_a_cache_folder_that_others_write_to_becomes_ones_own(cached):
    path, again = cached
    path.parent.chmod(0o777)

    assert again() == (path, 2)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_cache_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    (tmp_path / "theirs").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "tdtsql").symlink_to(tmp_path / "theirs")

    assert template(lambda path: Path(path).write_bytes(b"empty"), lambda path: {}) is None
    assert description(lambda path: Path(path).write_bytes(b"empty"), lambda path: {"a": 1})["a"] == 1
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.full
def test_a_new_store_does_not_follow_an_emptied_cache(tmp_path, monkeypatch):
    """An empty, cut or foreign file in the cache blocked every new store, or filled it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tdtsql.connect(tmp_path / "first.duckdb").close()
    [cached] = (tmp_path / "cache" / "tdtsql").glob("empty-*.duckdb")
    for data in (b"", cached.read_bytes()[:5000]):
        cached.write_bytes(data)
        other = tmp_path / f"{len(data)}.duckdb"
        tdtsql.connect(other).close()
        assert tdtsql.connect(other, read_only=True).engine.value("select count(*) from registry.run") == 0


def test_a_store_opens_without_the_parser_of_sql():
    code = "import sys, tdtsql.api; print('sqlglot' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
