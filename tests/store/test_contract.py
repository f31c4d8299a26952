"""What a relation promises (columns, types, ranges, grain) is held against the store whenever it opens."""

import os

import duckdb
import pytest

import tdtsql
from tdtsql.errors import BrokenContract, NotAStore
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.contract import promises, range_of
from tdtsql.definitions.table import tables


def change(path, *statements):
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_every_column_of_every_relation_has_a_contract(bagga):
    with tdtsql.connect(bagga, read_only=True) as store:
        rows = store.sql(
            "select relation, column_name, data_type, unit, low, high, is_key from registry.contract"
        ).fetchall()
        kept = {row[:2]: row[2:] for row in rows}

    assert set(kept) == {(promise.relation, promise.column) for promise in promises(catalog(), tables())}
    assert kept["report.score", "value"] == ("DOUBLE", "double", None, None, 0)
    assert kept["metric.detection_rate__v1", "p_miss"] == ("DOUBLE", "ratio [0, 1]", 0, 1, 0)
    assert kept["metric.detection_count__v1", "n_target"][:4] == ("BIGINT", "count", 0, None)
    assert kept["ledger.result_score", "weighting"] == ("VARCHAR", None, None, None, 1)
    assert {name for (relation, name), row in kept.items() if relation == "report.score" and row[-1]} == set(
        catalog()["report.score"].header.grain
    )


@pytest.mark.parametrize(
    ("unit", "limits"),
    [
        ("ratio [0, 1]", (0, 1)),
        ("ratio [1, ]", (1, None)),
        ("ratio [0, 2]", (0, 2)),
        ("count", (0, None)),
        ("flag", (0, 1)),
        ("score", (None, None)),
        ("ratio", (None, None)),
    ],
)
def test_a_unit_says_the_range(unit, limits):
    assert range_of(unit) == limits


ROWS = {
    "update ledger.result_score set value = 1.25 where rowid = (select min(rowid) from ledger.result_score where "
    "metric = 'p_fa')": r"A stored score of a run is in the range of its contract, and 1 row does not "
    r"\(kept_score_in_range\): computation_no \d+, subset_no \d+, metric p_fa, "
    r"weighting \w+, value 1\.25, n \d+, version v1, null_reason NULL, low 0\.0, high 1\.0",
    "update ledger.result_score set value = 'nan' where rowid = (select min(rowid) from ledger.result_score where "
    "metric = 'utility')": r"range of its contract.*metric utility, .* value nan",
    "update ledger.result_block set value = -1 where rowid = (select min(rowid) from ledger.result_block where metric "
    "= 'n_target')": r"A stored score of a block .*kept_block_in_range.*metric n_target, value -1\.0,",
    "insert into ledger.result_score select * from ledger.result_score where metric = 'b3_f1' limit 1": r"Rows of "
    r"ledger\.result_score are unique: computation_no, subset_no, metric, weighting, version, and 1 row does "
    r"not \(kept_score_is_once\): .*metric b3_f1.* n_row 2",
    "insert into ledger.result_block select * from ledger.result_block where metric = 'p_miss' limit 1": (
        r"kept_block_is_once.*metric p_miss.* n_row 2"
    ),
    "insert into ledger.result_det_point select * from ledger.result_det_point limit 1": r"kept_det_point_is_once",
    "update ledger.result_det_point set p_miss = 1.5 where rowid = 0": r"kept_point_in_range",
    "update ledger.result_score set n = -1 where rowid = 0": r"kept_n_in_range",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("statement", ROWS)
def test_a_kept_row_that_breaks_its_contract_is_named(bagga_copy, statement, read_only):
    tdtsql.connect(bagga_copy, read_only=True).close()  # good so far
    change(bagga_copy, statement)

    for _ in range(2):
        with pytest.raises(BrokenContract, match=ROWS[statement]):
            tdtsql.connect(bagga_copy, read_only=read_only)
    with tdtsql.connect(bagga_copy, read_only=True, inspect=True) as store:
        assert store.sql("select count(*) from report.score").fetchall()[0][0] > 0


def test_a_damaged_file_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "s.duckdb"
    tdtsql.connect(path).close()
    whole = path.read_bytes()
    for change in (whole[: len(whole) // 2], whole[:5000] + bytes(100_000) + whole[105_000:], whole[:100]):
        path.write_bytes(change)
        with pytest.raises(NotAStore, match=r"s\.duckdb: "):
            tdtsql.connect(path)


def test_a_pipe_is_no_store(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAStore, match="not a regular file"):
        tdtsql.connect(tmp_path / "pipe")
