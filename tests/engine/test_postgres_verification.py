"""A second opinion on scored trials, made up and golden: every view of them, computed by PostgreSQL; the convex hull is
found here and goes there.

Starts a server of its own in a temporary folder; skipped, saying so, where PostgreSQL's programs are not installed.
"""

import math

import numpy
import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from inside import copy_store
from scored_trials import expected_of, read_case
from second_opinion import assert_same_views

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def local(server, tmp_path_factory):
    generator = numpy.random.default_rng(1)
    n = 300
    is_target = generator.random(n) < 0.3
    score = numpy.round(generator.normal(0, 2, n) + is_target, 1)
    score[:4] = [math.inf, -math.inf, math.inf, -math.inf]
    ids = [f"t{number}" for number in range(n)]
    path, database = tmp_path_factory.mktemp("verification") / "store.duckdb", server.database()
    with tdtsql.connect(path) as store:
        store.add_corpus("k")
        store.add_condition(
            "c",
            corpus="k",
            task="verification",
            scores="llr",
            profile=["bosaris", "asvspoof5", "medifor"],
            blocks=["sex"],
            key={
                "trial_id": ids,
                "label": numpy.where(is_target, "target", "nontarget").tolist(),
                "sex": generator.choice(["f", "m"], n).tolist(),
                "attack": numpy.where(is_target, "-", generator.choice(["A", "B"], n)).tolist(),
            },
        )
        store.add_run("s", condition="c", decisions={"trial_id": ids, "score": score.tolist()})
    with tdtsql.connect(path, read_only=True) as ours, tdtsql.connect(server.address(database)) as theirs:
        copy_store(ours.engine, theirs.engine)
    with tdtsql.connect(server.address(database)) as store:
        store.engine.sync(None)
        yield store.engine


def test_every_view(local):
    assert_same_views(local, "verification")


#: golden cases of more trials take minutes there; what they have besides is many trials
MOST_TRIALS = 3000


@pytest.fixture(scope="module")
def golden(server, shared, tmp_path_factory):
    """Every golden case of few trials as a condition, each query of NIST's program as one of its own, under all shipped
    profiles of scored trials.
    """
    path, database = tmp_path_factory.mktemp("golden") / "store.duckdb", server.database()
    with tdtsql.connect(path) as store:
        store.add_corpus("k")
        for folder in sorted(one for one in (shared / "golden" / "verification").iterdir() if one.is_dir()):
            rows = expected_of(folder)
            for scores in dict.fromkeys(row["scores"] for row in rows):
                case = read_case(folder, scores)
                for query in dict.fromkeys((trial.get("test"), trial.get("query_no")) for trial in case):
                    trials = [trial for trial in case if (trial.get("test"), trial.get("query_no")) == query]
                    if len(trials) > MOST_TRIALS:
                        continue
                    names = {
                        row["subset"].split("=")[0]
                        for row in rows
                        if "=" in row.get("subset", "") and "test" not in row
                    }
                    key = {
                        "trial_id": [f"t{number}" for number in range(len(trials))],
                        "label": ["target" if trial["is_target"] == "1" else "nontarget" for trial in trials],
                        **{name: [trial[name] for trial in trials] for name in sorted(names) if name in trials[0]},
                    }
                    condition = " ".join(str(part) for part in (folder.name, scores, *query) if part is not None)
                    store.add_condition(
                        condition,
                        corpus="k",
                        task="verification",
                        key=key,
                        scores="llr",
                        profile=["bosaris", "asvspoof5", "kaldi", "voxsrc", "medifor"],
                    )
                    store.add_run(
                        "s",
                        condition=condition,
                        scores={"trial_id": key["trial_id"], "score": [float(trial["score"]) for trial in trials]},
                    )
    with tdtsql.connect(path, read_only=True) as ours, tdtsql.connect(server.address(database)) as theirs:
        copy_store(ours.engine, theirs.engine)
    with tdtsql.connect(server.address(database)) as store:
        store.engine.sync(None)
        yield store.engine


def test_every_view_of_the_golden_cases(golden):
    assert golden.value("select count(*) from registry.condition") > 20
    assert_same_views(golden, "verification")


def test_runs_are_calibrated_and_subsets_have_the_same_intervals(server, tmp_path):
    """What is done with scored trials beyond their views, in a file and there: the same numbers, the same provenance, a
    clean audit.
    """
    key = {
        "trial_id": [f"t{number}" for number in range(120)],
        "label": ["target" if number % 3 == 0 else "nontarget" for number in range(120)],
        "attack": [None if number % 3 == 0 else f"A{number % 2}" for number in range(120)],
    }
    found = []
    for address in (str(tmp_path / "here.duckdb"), server.address(server.database())):
        generator = numpy.random.default_rng(2)
        with tdtsql.connect(address) as store:
            store.add_corpus("k")
            for condition in ("dev", "eval"):
                store.add_condition(
                    condition, corpus="k", task="verification", key=key, profile=["voxsrc"], scores="llr"
                )
                score = generator.normal(0, 2, 120) + [3 * (label == "target") for label in key["label"]]
                store.add_run("s", condition=condition, scores={"trial_id": key["trial_id"], "score": score.tolist()})
        # another session, to which no decision has come yet
        made = CliRunner().invoke(cli, ["run", "calibrate", "s", "--fit-on", "dev", "--to", "eval", "--db", address])
        table = CliRunner().invoke(
            cli,
            [
                "report",
                "subsets",
                "--condition",
                "eval",
                "--metric",
                "act_c_det_norm",
                "--resamples",
                "50",
                "--format",
                "csv",
                "--db",
                address,
            ],
        )
        known = CliRunner().invoke(cli, ["run", "show", "s-calibrated", "--format", "csv", "--db", address])
        clean = CliRunner().invoke(cli, ["audit", "--verbose", "--db", address])
        assert [ran.exit_code for ran in (made, table, known, clean)] == [0, 0, 0, 0], [
            ran.output[-800:] for ran in (made, table, known, clean)
        ]
        with tdtsql.connect(address, read_only=True) as store:
            kept = (
                store.score(condition="eval")
                .project("run_id, subset, metric, weighting, value")
                .order("all")
                .fetchall()
            )
        found.append(
            (
                made.output.replace(address, ""),
                table.stdout,
                [line for line in known.stdout.splitlines() if "calibration" in line],
                kept,
            )
        )
    (here, table_here, known_here, kept_here), (there, table_there, known_there, kept_there) = found
    assert here == there and "* score +" in here
    assert table_here == table_there and len(table_here.splitlines()) == 1 + 3 * 2
    assert known_here == known_there != []
    assert len(kept_here) == len(kept_there) > 50
    assert [row[:4] for row in kept_here] == [row[:4] for row in kept_there]
    assert all(
        one == other or other == pytest.approx(one, rel=1e-12)
        for (*_, one), (*_, other) in zip(kept_here, kept_there, strict=True)
    )
