"""Relations that many small questions read are read once; score distributions of small runs are asked for together."""

import pytest

import tdtsql
from tdtsql.show.memoised_engine import MemoisedEngine

ONE = (
    "select value from report.score where run_id = ? and metric = 'n_target' and subset = 'all' and weighting = 'story'"
)


@pytest.fixture
def path(example_store):
    return example_store


def test_a_relation_is_read_at_the_first_question_and_left_behind_by_nobody(path):
    with tdtsql.connect(path, read_only=True) as store:
        engine = store.engine
        expected = engine.rows(ONE, ["osprey"])
        before = engine.rows("select count(*) from duckdb_tables() where temporary")
        with MemoisedEngine(engine, {"report.score": "select * from report.score where run_id = 'osprey'"}) as read:
            assert engine.rows("select count(*) from duckdb_tables() where temporary") == before
            assert (
                len(expected) > 0
                and read.rows(ONE, ["osprey"]) == expected
                and read.value(ONE, ["osprey"]) == expected[0][0]
            )
            assert read.rows(ONE, ["heron"]) == [], "only the rows that were asked for at first"
            assert read.query(ONE, ["osprey"]).fetchall() == expected
            assert read.rows("select count(*) from report.block_score") == engine.rows(
                "select count(*) from report.block_score"
            )
            assert read.version == engine.version, "what else an engine has"
        assert engine.rows("select count(*) from duckdb_tables() where temporary") == before
