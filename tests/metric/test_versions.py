"""A new version of a view: copied, planned, compared on stored runs; in a copy of the package, as a user would
have it.
"""

import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tdtsql.errors import WrongCall
from tdtsql.definitions.catalogue import read_catalog
from tdtsql.audit.definition_diff import changes, new_version
from tdtsql.compare.ranking import kendall_tau

ROOT = Path(__file__).resolve().parents[2]


def test_a_copy_says_what_it_is(sql):
    old = read_catalog(sql)["metric.small_cost__v1"]

    path = new_version(old)

    assert path.name == "cost__v2.sql"
    views = read_catalog(sql)
    assert views["metric.small_cost__v2"].header.fields["status"] == "differs from cost__v1: say in what, and why"
    assert views["metric.small_cost__v1"].header.fields["status"] == "superseded by cost__v2"
    assert views["metric.small_cost__v1"].body == views["metric.small_cost__v2"].body == old.body


def test_an_installation_is_a_wrong_call(sql, monkeypatch):
    """semantics/own_metrics.md, section 2.5: exit 2, nothing written."""
    monkeypatch.setattr("tdtsql.audit.definition_diff.is_installation", lambda: True)
    before = sorted(sql.rglob("*.sql"))

    with pytest.raises(WrongCall, match=r"is an installation .* With .* the copy becomes a user-defined"):
        new_version(read_catalog(sql)["metric.small_cost__v1"])
    assert sorted(sql.rglob("*.sql")) == before


def test_the_lines_that_differ_are_listed(sql, edit):
    path = new_version(read_catalog(sql)["metric.small_cost__v1"])
    edit(path, "profile.p_target * counted.weight", "profile.c_miss * counted.weight")
    views = read_catalog(sql)

    found = changes(views["metric.small_cost__v1"], views["metric.small_cost__v2"])

    [(removed, before), (added, after)] = found
    assert (removed, added) == ("removed", "added")
    assert after == before.replace("profile.p_target * counted.weight", "profile.c_miss * counted.weight") != before


@pytest.mark.parametrize(
    ("pairs", "tau"),
    [
        ([(1, 1), (2, 2), (3, 3)], 1.0),
        ([(1, 3), (2, 2), (3, 1)], -1.0),
        ([(1, 2), (2, 1), (3, 3)], 1 / 3),
        ([(1, 1)], None),
        ([(1, 1), (1, 2)], None),
    ],
)
def test_kendall(pairs, tau):
    assert kendall_tau(*np.array(pairs).T) == pytest.approx(math.nan if tau is None else tau, nan_ok=True)


@pytest.mark.full
def test_from_copy_to_comparison(tmp_path):
    """The whole way: copy, edit, plan, lock, diff on stored runs; and an edit of the old version is refused."""
    shutil.copytree(ROOT / "tdtsql", tmp_path / "tdtsql", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "sql", tmp_path / "sql")
    shutil.copytree(ROOT / "fixtures" / "bagga", tmp_path / "bagga")

    def run(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    run("tdtsql", "evaluate", "bagga/bundle.toml", "--db", "s.duckdb")
    assert "cost" not in run("tdtsql", "metric", "impact", "--db", "s.duckdb").splitlines()[0]
    run("tdtsql", "metric", "new-version", "metric.detection_rate")
    path = tmp_path / "sql/metric/detection/rate__v2.sql"
    path.write_text(
        path.read_text().replace(
            "detection_cost(p_miss, p_fa, weight_miss, weight_fa) as c_det",
            "detection_cost(p_miss, p_fa, weight_miss, 2 * weight_fa) as c_det",
        )
    )

    def ask(query: str) -> list[dict]:
        said = run("tdtsql", "sql", "query", query, "--db", "s.duckdb", "--format", "json")
        return json.loads(said[: said.rindex("]") + 1])  # a warning that the definitions are others follows

    run("tdtsql.build.lock", "--write")  # a file that the lock does not list is no definition
    planned = json.loads(
        run("tdtsql", "metric", "impact", "--db", "s.duckdb", "--format", "json").partition("]")[0] + "]"
    )
    assert [(row["relation"], row["change"], row["n_run"]) for row in planned] == [
        ("metric.detection_rate__v2", "new", 6)
    ]
    before = {
        (row["run_id"], row["condition_id"], row["block_id"]): row
        for row in ask(
            "select run_id, condition_id, block_id, max(case when metric = 'p_miss' then value end) as p_miss, "
            "max(case when metric = 'p_fa' then value end) as p_fa, "
            "max(case when metric = 'c_det' then value end) as c_det from report.block_score where subset = 'all' "
            "group by all"
        )
    }
    told = run("tdtsql", "metric", "diff", "metric.detection_rate", "v1", "v2", "--db", "s.duckdb", "--format", "csv")
    shifts = {row["metric"]: row for row in csv.DictReader(told.splitlines()) if row["weighting"] == "block"}
    assert "definition,added,(2 * weight_fa)" in told
    # by hand: c_det grows by 0.1 (1 - 0.02) p_fa, wherever there is a cost and a false alarm (these bundles have the
    # subset all and no other)
    grown = {
        key: 0.1 * (1 - 0.02) * row["p_fa"]
        for key, row in before.items()
        if row["c_det"] is not None and row["p_fa"] > 0
    }
    assert [shifts["p_miss"][name] for name in ("n_value", "n_changed", "largest_change")] == [
        str(len(before)),
        "0",
        "",
    ] and shifts["p_fa"]["n_changed"] == "0"
    assert int(shifts["c_det"]["n_changed"]) == len(grown) > 3 and shifts["c_det"]["n_value"] == str(len(before))
    assert float(shifts["c_det"]["largest_change"]) == pytest.approx(max(grown.values()), rel=1e-12)
    assert shifts["c_det"]["of_run"] in {
        run_id for (run_id, _, _), growth in grown.items() if growth == max(grown.values())
    }
    # and Kendall's tau of the runs by their mean cost, before and after
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for key, row in before.items():
        if row["c_det"] is not None:
            pairs.setdefault(key[:2], []).append((row["c_det"], row["c_det"] + grown.get(key, 0.0)))
    means = [tuple(sum(side) / len(side) for side in zip(*values, strict=True)) for values in pairs.values()]
    by_hand = [
        (a[0] > b[0]) - (a[0] < b[0]) == (a[1] > b[1]) - (a[1] < b[1])
        for a, b in combinations(means, 2)
        if abs(a[0] - b[0]) > 1e-15
    ]
    assert float(shifts["c_det"]["kendall_tau"]) < 1 and not all(by_hand)

    # the numbers of now are those of the new version, each once; the old version still computes its own
    run("tdtsql", "score", "--db", "s.duckdb")
    kept = {
        (row["run_id"], row["condition_id"], row["block_id"]): row
        for row in ask(
            "select run_id, condition_id, block_id, value, version from report.block_score where metric = 'c_det' and "
            "subset = 'all'"
        )
    }
    assert {row["version"] for row in kept.values()} == {"v2"} and kept.keys() == before.keys()
    assert all(
        kept[key]["value"] == pytest.approx(before[key]["c_det"] + growth, rel=1e-12) for key, growth in grown.items()
    )
    old = ask(
        "select run.run_id, condition.condition_id, block.block_id, rate.c_det from metric.detection_rate__v1 as rate "
        "join registry.run as run on run.run_no = rate.run_no "
        "join registry.condition as condition on condition.condition_no = run.condition_no join base.block as block "
        "on block.condition_no = run.condition_no "
        "and block.block_no = rate.block_no where rate.subset_no = 0"
    )
    assert {(row["run_id"], row["condition_id"], row["block_id"]): row["c_det"] for row in old} == {
        key: row["c_det"] for key, row in before.items()
    }
    assert "0 violated" in run("tdtsql", "audit", "--db", "s.duckdb")

    old = tmp_path / "sql/metric/detection/rate__v1.sql"
    old.write_text(old.read_text().replace("n_target > 0", "n_target > 1", 1))
    refused = run("tdtsql", "run", "list", "--db", "s.duckdb", code=1)
    assert re.search(
        r"metric\.detection_rate__v1 (is frozen|was released in [\d.]+) and its SQL changed \(lock ", refused
    )
    run("tdtsql.build.lock", "--write")
    planned = json.loads(
        run("tdtsql", "metric", "impact", "--db", "s.duckdb", "--format", "json").partition("]")[0] + "]"
    )
    direct = [row["relation"] for row in planned if row["change"] == "direct"]
    indirect = {row["relation"]: row["because"] for row in planned if row["change"] == "indirect"}
    assert direct == ["metric.detection_rate__v1"]
    assert indirect["metric.detection_topic_weighted__v1"] == "metric.detection_rate__v1"


@pytest.mark.full
def test_a_released_definition_stays_what_it_was(tmp_path):
    """The way of a release, in a copy: frozen, edited, refused by the lock (as in CI) and by every store."""
    shutil.copytree(ROOT / "tdtsql", tmp_path / "tdtsql", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "sql", tmp_path / "sql")

    def run(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def edited(path: str, before: str, after: str):
        file = tmp_path / "sql" / path
        good = file.read_text()
        assert before in good
        file.write_text(good.replace(before, after, 1))
        return lambda: file.write_text(good)

    run("tdtsql.build.lock", "--release", "0.1.0")
    frozen = (tmp_path / "sql/versions.lock").read_bytes()
    assert b" unreleased " not in frozen.replace(b"schema unreleased", b"")
    hashes = r"\(lock [0-9a-f]{8}, (file|now) [0-9a-f]{8}\)"

    # comments and layout do not count
    restore = edited("metric/detection/rate__v1.sql", "\nselect\n", "\n-- another remark\nselect\n")
    assert run("tdtsql.build.lock") == "" and "run_id" in run("tdtsql", "run", "list", "--db", ":memory:")
    restore()

    cases = [
        # a view: itself, and all that read it
        (
            ("metric/detection/rate__v1.sql", "n_target > 0", "n_target > 1"),
            [
                rf"metric\.detection_rate__v1 was released in 0\.1\.0 and its SQL changed {hashes}",
                rf"metric\.detection_topic_weighted__v1 .* something it reads changed: metric\.detection_rate__v1 "
                rf"{hashes}",
            ],
        ),
        # a column of the profile: the views that use it
        (
            ("schema/2_profile.sql", "f_beta double", "f_beta float"),
            [rf"metric\.filtering_effectiveness__v1 .* a column of .*registry\.profile.* {hashes}"],
        ),
        # the values of a shipped profile
        (
            ("profile/tdt2004.toml", "p_target = 0.02", "p_target = 0.002"),
            [rf"profile\.tdt2004 was released in 0\.1\.0 and its values changed {hashes}"],
        ),
    ]
    for edit, messages in cases:
        restore = edited(*edit)
        for said in (
            run("tdtsql.build.lock", code=1),
            run("tdtsql.build.lock", "--write", code=1),
            run("tdtsql", "run", "list", "--db", ":memory:", code=1),
        ):
            for message in messages:
                assert re.search(message, said), said
        restore()
        run("tdtsql.build.lock", "--write")
        assert (tmp_path / "sql/versions.lock").read_bytes() == frozen
    assert run("tdtsql.build.lock") == ""


def test_two_profiles_differ_in_named_columns():
    import tdtsql
    from tdtsql.audit.effects import profile_changes

    with tdtsql.connect(":memory:") as store:
        assert ("judged_no", "scored -> excluded") in profile_changes(store.engine, "tdt2004", "tdt3eval")
        assert profile_changes(store.engine, "tdt2004", "tdt2004") == []
