"""Numbers of scores without decisions: of tracking they are made when somebody asks, and stay with the others."""

import pytest
from click.testing import CliRunner
from inside import audit, recompute
from small_bundle import write_small_bundle

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.definitions.catalogue import computed, requested
from tdtsql.task import TASKS


@pytest.fixture
def store(tmp_path):
    with tdtsql.evaluate(write_small_bundle(tmp_path / "small")) as opened:
        yield opened


def runs_with(store, metric):
    return [
        row[0]
        for row in store.sql(
            f"select distinct run_id from report.score where metric = '{metric}' order by 1"
        ).fetchall()
    ]


def test_they_are_made_of_the_runs_that_are_asked_for_and_kept_with_the_others(store):
    before = store.sql("select count(*) from report.score where run_id = 'R0'").fetchall()[0][0]
    assert runs_with(store, "eer") == []

    [(value, n)] = store.score(run="R0", metric="eer", weighting="story").project("value, n").fetchall()

    # 42 targets and 918 non-targets of which most have no score: between the rates of the points beside it
    beside = store.sql(
        "select max(p_miss) filter (p_miss <= p_fa), min(p_miss) filter (p_miss > p_fa) from report.det_point "
        "where run_id = 'R0' and weighting = 'story' and subset = 'all'"
    ).fetchall()[0]
    assert beside[0] <= value <= beside[1] and n == 960
    assert runs_with(store, "eer") == runs_with(store, "cllr") == ["R0"]
    # of all stories, both weightings; latency of the first detection as means over topics, in each subset
    numbers = sum(
        len(relation.header.metrics) for relation in requested("tracking") if relation.family == "verification"
    )
    [(n_subset,)] = store.sql("select count(distinct subset) from report.score where run_id = 'R0'").fetchall()
    assert (
        store.sql("select count(*) from report.score where run_id = 'R0'").fetchall()[0][0]
        == before + 2 * numbers + 3 * n_subset
    )
    assert store.refresh() == 0 and runs_with(store, "auc") == ["R0"]
    assert store.score(metric="auc", weighting="story").aggregate("count(*)").fetchall() == [(3,)]  # asked of all
    assert runs_with(store, "eer") == ["R0", "R1", "R2"]


@pytest.mark.full
def test_they_can_be_computed_again_and_audited(store):
    store.score(run="R1", metric="auc")
    outcome = recompute(store.engine)
    text = tdtsql.signature(store, "R1", "auc", weighting="story")

    assert outcome.divergences == [] and outcome.n_computation == 3
    assert [result.invariant.name for result in audit(store.engine) if result.failed] == []
    assert tdtsql.verify(text, store)


@pytest.mark.full
def test_scores_that_are_no_log_likelihood_ratios_have_no_actual_cost(store):
    assert store.score(run="R0", metric="act_c_det").project("value, n").fetchall() == [(None, 0)] * 2
    assert store.score(run="R0", metric="min_cllr", weighting="story").project("n").fetchall() == [(960,)]


def test_a_task_that_is_not_asked_computes_none_of_them():
    for task in ("tracking", "new_event", "link", "filtering"):
        assert TASKS[task].on_request == (
            "verification",
            *(["first_detection"] if task == "tracking" else []),
        ) and not any("verification_" in name for name in computed(task))
        assert any("verification_eer" in name for name in computed(task, asked=True))
    assert TASKS["verification"].on_request == () and any(
        "verification_eer" in name for name in computed("verification")
    )


@pytest.mark.full
def test_what_a_store_that_cannot_be_written_to_lacks_is_listed(tmp_path, monkeypatch):
    path = tmp_path / "store.duckdb"
    with tdtsql.evaluate(write_small_bundle(tmp_path / "small"), db=path) as store:
        store.score(run="R0", metric="eer")
    # as where another process has the file open for reading
    monkeypatch.setattr("tdtsql.api.connect_current", lambda db, trace: tdtsql.connect(db, read_only=True))

    known, lacking, stored = (
        CliRunner().invoke(cli, ["score", "--db", str(path), *words, "--format", "csv"])
        for words in (["R0", "--metric", "eer"], ["--metric", "eer", "--metric", "p_miss"], ["--metric", "p_miss"])
    )

    assert known.exit_code == stored.exit_code == 0 and "eer" in known.stdout
    assert lacking.exit_code == 1 and "R0" in lacking.stdout
    assert [line.split(" in ")[0].strip() for line in lacking.stderr.splitlines()[1:]] == ["eer of R1", "eer of R2"]
