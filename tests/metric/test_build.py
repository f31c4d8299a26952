"""What was compiled is current: definitions, hashes and the empty store."""

import json
import subprocess
import sys

import pytest

from tdtsql.store import opening
from tdtsql.errors import BrokenDefinition
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import COMPILED, catalog, read_catalog, sql_root
from tdtsql.definitions.table import read_tables, tables
from tdtsql.definitions.empty import unpacked

WRITE = "run `python -m tdtsql.build.lock --write`"


def test_what_is_read_is_what_was_compiled():
    from_files = read_catalog(sql_root())

    assert list(catalog()) == list(from_files)
    for name, relation in catalog().items():
        other = from_files[name]
        assert (relation.body, relation.plain, relation.line) == (other.body, other.plain, other.line)
        assert relation.path == other.path
        for part in ("title", "inputs", "grain", "columns", "metrics", "kind", "is_large"):
            assert getattr(relation.header, part) == getattr(other.header, part), (name, part)
    assert tables() == read_tables(sql_root())


def test_the_description_is_that_of_the_empty_store():
    sha256, shipped = _shipped()

    assert shipped["sha256"] == sha256, WRITE
    with unpacked() as path:
        described = opening.describe(path)
    assert described == {name: shipped[name] for name in ("lock", "lineage", "objects")}


def _shipped():
    import hashlib

    described = json.loads((COMPILED / "empty.json").read_text(encoding="utf-8"))
    return hashlib.sha256((COMPILED / "empty.duckdb.xz").read_bytes()).hexdigest(), described


def test_an_edited_compiled_file_is_refused(tmp_path, monkeypatch):
    for file in COMPILED.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(lock, "COMPILED", tmp_path)
    lock.check()
    (tmp_path / "empty.json").write_text("{}")

    with pytest.raises(BrokenDefinition, match="tdtsql/compiled is not what was compiled from sql/"):
        lock.check()


def test_another_version_of_the_engine_compares_the_texts_that_it_writes(monkeypatch):
    described = opening.should()["objects"]
    opening.should.cache_clear()
    monkeypatch.setattr(opening, "DESCRIPTION", _of_another_version())
    try:
        assert opening.should()["objects"] == described
    finally:
        opening.should.cache_clear()


def _of_another_version():
    class Description:
        def read_text(self, encoding):
            return json.dumps({"duckdb": "2.0.99", "objects": {}})

    return Description()


def test_a_store_is_made_and_opened_without_the_parser_of_sql(tmp_path):
    code = (
        f"import sys, tdtsql; tdtsql.connect({str(tmp_path / 'a.duckdb')!r}).close(); print('sqlglot' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
