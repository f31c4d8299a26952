"""User-defined metrics of a store in PostgreSQL: portable ones have DuckDB's numbers, others are refused."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import tdtsql
from inside import copy_store, pack
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidInput
from tdtsql.own.stored import verify_ledger

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[2]
GOOD = ROOT / "fixtures" / "own_metric" / "balanced_accuracy__v1.sql"
METRIC = "own:balanced_accuracy"

#: reads the other one, of a run
OVERALL = """/*
title:    Largest balanced accuracy of a run's topics
formula:  max over topics
source:   Our own
tasks:    tracking
inputs:   own.balanced_accuracy__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no       key          run
    profile_no   key          scoring profile
    subset_no    key          subset
    weighting    key          topic
    best_of_all  ratio [0,1]  NULL where no topic has one
    n_topic      count        topics
metrics:
    best_of_all  n=n_topic  best=highest  Best topic
edges:    None.
class:    exact
*/
select run_no, profile_no, subset_no, 'topic' as weighting, max(balanced_accuracy) as best_of_all, count(*) as n_topic
from own.balanced_accuracy__v1
group by run_no, profile_no, subset_no
"""

_NUMBERS = (
    "select run_id, profile_id, subset, metric, weighting, value, n, version, signature from report.score "
    "where metric like 'own:%' order by 1, 2, 3, 4, 5, 6, 7, 8"
)


@pytest.fixture
def database(server, example):
    """Return the address of a copy of the bundled example."""
    return server.address(server.database(example[1]))


def ran(words: list, status: int = 0) -> str:
    found = CliRunner().invoke(cli, [*map(str, words)])
    assert found.exit_code == status, found.output
    return f"{found.stdout}{found.stderr}{found.exception if status else ''}"


def test_the_numbers_are_those_of_a_file(database, example, tmp_path):
    overall = tmp_path / "best_of_all__v1.sql"
    overall.write_text(OVERALL)
    path = tmp_path / "file.duckdb"
    path.write_bytes(example[0].read_bytes())

    for db in (database, path):
        assert "Added own:balanced_accuracy, own:best_of_all" in ran(["metric", "add", GOOD, overall, "--db", db])
    with tdtsql.connect(path) as ours, tdtsql.connect(database) as theirs:
        for store in (ours, theirs):
            store.refresh()
        want, found = (store.sql(_NUMBERS.replace(", signature", "")).fetchall() for store in (ours, theirs))
        assert want == found and {row[3] for row in found} == {METRIC, "own:best_of_all"} and len(found) > 20
        assert verify_ledger(theirs.engine) == []
        query = "select run_no, block_no, balanced_accuracy from own.balanced_accuracy order by 1, 2, 3"
        assert theirs.sql(query).fetchall() == ours.sql(query).fetchall() != []
        pack(theirs.engine, tmp_path / "a.zip")
        with tdtsql.connect(":memory:") as copy:  # and back
            copy_store(theirs.engine, copy.engine)
            assert copy.sql(_NUMBERS.replace(", signature", "")).fetchall() == found
    place = ["--condition", "trk-eng-1", "--profile", "tdt2004"]
    for words in (
        ["score", "-m", METRIC, "--long", "-f", "csv"],
        ["compare", "osprey", "kestrel", "--metric", METRIC, *place, "-f", "csv"],
        ["explain", "osprey", METRIC, *place],
        ["metric", "try", GOOD, "-f", "csv"],
        ["metric", "lineage", METRIC, "-f", "csv"],
    ):
        one, other = (ran([*words, "--db", db]) for db in (path, database))
        assert "balanced_accuracy" in one
        assert _plain(one) == _plain(other), words

    assert "own:balanced_accuracy is read by own.best_of_all" in ran(["metric", "drop", METRIC, "--db", database], 1)
    ran(["metric", "drop", "own:best_of_all", "--db", database])
    ran(["metric", "drop", METRIC, "--db", database])
    with tdtsql.connect(database) as store:
        store.refresh()
        assert store.sql("select count(*) from report.score where metric like 'own:%'").fetchall() == [(0,)]
        assert verify_ledger(store.engine) == []


def _plain(text: str) -> list[str]:
    """Return lines without signatures, engines and times."""
    return [line.split("|")[0].rsplit(",", 1)[0] for line in text.splitlines() if " CPU time" not in line]


def test_what_is_not_portable_is_refused_with_its_place(database, tmp_path):
    other = tmp_path / "balanced_accuracy__v1.sql"
    other.write_text(GOOD.read_text().replace("ratio(n_hit,", "ratio(greatest(n_hit, 0),"))

    for command in ("check", "add"):
        said = ran(["metric", command, other, "--db", database], 1)
        assert f"{other}:22:1: E990 function greatest is computed by DuckDB alone" in said
        assert "Write case when a >= b then a else b end." in said
    with tdtsql.connect(database) as store:
        assert store.sql("select count(*) from registry.own_metric").fetchall() == [(0,)]


def test_a_store_with_a_metric_is_copied_to_the_server(server, example, tmp_path):
    path = tmp_path / "file.duckdb"
    path.write_bytes(example[0].read_bytes())
    with tdtsql.connect(path) as source:
        source.add_metric(GOOD)
        source.refresh()
        address = server.address(server.database())
        with tdtsql.connect(address, create=True) as target:
            copy_store(source.engine, target.engine)
            assert target.sql(_NUMBERS).fetchall() == source.sql(_NUMBERS).fetchall() != []
        only_here = GOOD.read_text().replace("n_trial\nfrom", "greatest(n_trial, 0) as n_trial\nfrom")
        source.add_metric(only_here.replace("balanced_accuracy", "other"), name="other__v1")
        with (
            tdtsql.connect(server.address(server.database()), create=True) as target,
            pytest.raises(InvalidInput, match="E990"),
        ):
            copy_store(source.engine, target.engine)


def test_an_altered_view_or_text_is_named_and_the_rest_goes_on(server, database):
    name = database.rpartition("/")[2]
    with tdtsql.connect(database) as store:
        store.add_metric(GOOD)
        store.refresh()
    for change, said in (
        ("drop view own.balanced_accuracy cascade", "the view own.balanced_accuracy does not exist"),
        (
            "create or replace view own.balanced_accuracy as select run_no, profile_no, subset_no, block_no, "
            "balanced_accuracy * 2 as balanced_accuracy, n_trial from own.balanced_accuracy__v1",
            "the view own.balanced_accuracy is not its definition",
        ),
        (
            "update registry.own_metric set definition = replace(definition, '/ 2 as', '/ 3 as'); "
            "update registry.revision set revision = revision + 1 where relation = 'registry.own_metric'",
            "own.balanced_accuracy__v1 is not what was added",
        ),
    ):
        copy = server.database(name)
        server.psql(change, copy)
        with tdtsql.connect(server.address(copy)) as store:
            assert any(said in line for line in verify_ledger(store.engine)), change
            assert store.score(metric="p_miss").fetchall()
        assert said in ran(["ledger", "verify", "--db", server.address(copy)], 1)
