"""Invariants are files of sql/audit: one each, with a header that says what they read and when they are checked."""

import json
import re

import duckdb
import pytest
from each import of_each
from sqlglot import exp, parse_one

from tdtsql.errors import BrokenDefinition
from tdtsql.build.compile import compiled_invariants
from tdtsql.definitions.catalogue import AUDIT, COMPILED, catalog, derived, newest, sql_root
from tdtsql.definitions.table import tables
from tdtsql.definitions.header import names_of, read_fields
from tdtsql.task import WEIGHTINGS

FILES = sorted((sql_root() / AUDIT).glob("*.sql"))
KNOWN = ("title", "severity", "inputs", "checked", "edges")


def test_what_is_asked_is_what_the_files_say():
    assert json.loads((COMPILED / "audit.json").read_text(encoding="utf-8")) == compiled_invariants(sql_root())
    assert len(FILES) > 80


@of_each(FILES)
def test_inputs_are_what_the_select_reads(path):
    fields, body = read_fields(path.read_text(encoding="utf-8"), path.name, KNOWN, KNOWN[:3])
    read = {f"{table.db}.{table.name}" for table in parse_one(body, dialect="duckdb").find_all(exp.Table) if table.db}

    assert sorted(read) == sorted(names_of(fields["inputs"]))
    assert read <= {*tables(), *catalog(), *newest(), *derived(), "report.stale"}


@pytest.mark.parametrize("table", [name for name in tables() if name.startswith("ledger.result_")])
def test_each_table_of_results_has_an_invariant_of_its_grain(table):
    entry = compiled_invariants(sql_root())[f"kept_{table.removeprefix('ledger.result_')}_is_once"]

    assert entry["of_kept"] and f"from {table}" in " ".join(entry["sql"].split())
    assert f"select {', '.join(tables()[table].key)}, count(*)" in " ".join(entry["sql"].split())


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(1, 0, 1, "a"), (1, 0, 2, "a"), (2, 0, 1, "a"), (2, 1, 1, "a"), (2, 1, 1, "b")], []),
        ([(1, 0, 1, "a"), (1, 0, 1, "b"), (1, 0, 2, "a"), (1, 0, 2, "b")], []),  # many parts, and each row once
        ([(1, 0, 2, "a"), (1, 0, 1, "a")], []),
        ([(1, 0, 1, "a"), (1, 0, 2, "a"), (1, 0, 2, "a")], [(1, 0, 2, "a", 2)]),
        ([(1, 0, 1, "a"), (1, 0, 2, "a"), (2, 0, 1, "a"), (1, 0, 1, "a")], [(1, 0, 1, "a", 2)]),
        ([(1, 0, 1, "a"), (1, 0, 1, "b"), (1, 0, 1, "a")], [(1, 0, 1, "a", 2)]),
        ([(1, 0, 1, "a"), (1, 1, 1, "a"), (1, 0, 1, "a"), (1, 1, 1, "a")], [(1, 0, 1, "a", 2), (1, 1, 1, "a", 2)]),
        ([], []),
    ],
)
def test_a_block_that_is_stored_twice_is_found_wherever_its_rows_are(rows, said):
    with duckdb.connect() as connection:
        connection.execute(
            "create schema ledger; create table ledger.result_block "
            "(computation_no bigint, subset_no integer, block_no integer, metric varchar, version varchar)"
        )
        if rows:
            connection.executemany("insert into ledger.result_block values (?, ?, ?, ?, 'v1')", rows)
        found = connection.execute(compiled_invariants(sql_root())["kept_block_is_once"]["sql"]).fetchall()

    assert sorted((*row[:4], row[5]) for row in found) == said


def test_the_weightings_are_those_of_the_tasks():
    sql = compiled_invariants(sql_root())["weighting_is_known"]["sql"]

    assert set(re.findall(r"'(\w+)'", sql)) == set(WEIGHTINGS)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("title:    x\nseverity: bad\ninputs:   base.story", "severity is error or warning"),
        ("title:    x\nseverity: error\ninputs:   base.story\nchecked:  at night", "checked is after every load"),
        ("title:    x\ninputs:   base.story", "has no 'severity'"),
    ],
)
def test_a_header_that_says_something_else_is_refused(tmp_path, header, message):
    (tmp_path / AUDIT).mkdir()
    (tmp_path / AUDIT / "x.sql").write_text(f"/*\n{header}\n*/\nselect 1 as one from base.story\n")

    with pytest.raises(BrokenDefinition, match=message):
        compiled_invariants(tmp_path)
