"""A new version of a view: copied, planned, compared on stored runs; in a copy of the package, as a user would have it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tdtsql.metric.catalog import read_catalog
from tdtsql.metric.semantic import changes, new_version
from tdtsql.store.effects import kendall

ROOT = Path(__file__).resolve().parents[2]


def test_a_copy_says_what_it_is(sql):
    old = read_catalog(sql)["metric.small_cost__v1"]

    path = new_version(old)

    assert path.name == "cost__v2.sql"
    views = read_catalog(sql)
    assert views["metric.small_cost__v2"].header.fields["status"] == "differs from cost__v1: say in what, and why"
    assert views["metric.small_cost__v1"].header.fields["status"] == "superseded by cost__v2"
    assert views["metric.small_cost__v1"].body == views["metric.small_cost__v2"].body == old.body


def test_the_change_is_told_in_the_sql_s_own_words(sql, edit):
    path = new_version(read_catalog(sql)["metric.small_cost__v1"])
    edit(path, "profile.p_target * counted.weight", "profile.c_miss * counted.weight")
    views = read_catalog(sql)

    found = changes(views["metric.small_cost__v1"], views["metric.small_cost__v2"])

    assert any("p_target" in text for _, text in found) and any("c_miss" in text for _, text in found)


@pytest.mark.parametrize(("pairs", "tau"), [
    ([(1, 1), (2, 2), (3, 3)], 1.0),
    ([(1, 3), (2, 2), (3, 1)], -1.0),
    ([(1, 2), (2, 1), (3, 3)], 1 / 3),
    ([(1, 1)], None),
    ([(1, 1), (1, 2)], None),
])
def test_kendall(pairs, tau):
    assert kendall(pairs) == (None if tau is None else pytest.approx(tau))


def test_from_copy_to_comparison(tmp_path):
    """The whole way: copy, edit, plan, lock, diff on stored runs; and an edit of the old version is refused."""
    shutil.copytree(ROOT / "tdtsql", tmp_path / "tdtsql", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "sql", tmp_path / "sql")
    shutil.copytree(ROOT / "fixtures" / "bagga", tmp_path / "bagga")

    def run(*arguments: str, code: int = 0) -> str:
        done = subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    run("tdtsql", "evaluate", "bagga/bundle.toml", "--db", "s.duckdb")
    assert "cost" not in run("tdtsql", "metric", "plan", "--db", "s.duckdb").splitlines()[0]
    run("tdtsql", "metric", "new-version", "metric.detection_rate")
    path = tmp_path / "sql/metric/detection/rate__v2.sql"
    path.write_text(path.read_text().replace("price.price_fa * rate.p_fa as c_det", "2 * price.price_fa * rate.p_fa as c_det"))

    planned = json.loads(run("tdtsql", "metric", "plan", "--db", "s.duckdb", "--format", "json").partition("]")[0] + "]")
    assert [(row["relation"], row["change"], row["n_run"]) for row in planned] == [("metric.detection_rate__v2", "new", 6)]
    run("tdtsql.metric.lock", "--write")
    told = run("tdtsql", "metric", "diff", "metric.detection_rate", "v1", "v2", "--db", "s.duckdb", "--format", "csv")
    shifts = {row.split(",")[0]: row.split(",") for row in told.splitlines() if ",block," in row}
    assert shifts["p_miss"][3] == "0" and shifts["c_det"][3] != "0" and float(shifts["c_det"][4]) > 0
    assert "2 - profile.p_target" in told or "added,2" in told

    old = tmp_path / "sql/metric/detection/rate__v1.sql"
    old.write_text(old.read_text().replace("counts.n_target > 0", "counts.n_target > 1", 1))
    refused = run("tdtsql", "run", "list", "--db", "s.duckdb", code=1)
    assert "metric.detection_rate__v1 is frozen and its SQL changed (lock " in refused
    planned = json.loads(run("tdtsql", "metric", "plan", "--db", "s.duckdb", "--format", "json").partition("]")[0] + "]")
    direct = [row["relation"] for row in planned if row["change"] == "direct"]
    indirect = {row["relation"]: row["because"] for row in planned if row["change"] == "indirect"}
    assert direct == ["metric.detection_rate__v1"]
    assert indirect["metric.detection_topic_weighted__v1"] == "metric.detection_rate__v1"


def test_two_profiles_differ_in_named_columns():
    import tdtsql
    from tdtsql.store.effects import profile_changes

    with tdtsql.connect(":memory:") as store:
        assert ("judged_no", "scored -> excluded") in profile_changes(store.engine, "tdt2004", "tdt3eval")
        assert profile_changes(store.engine, "tdt2004", "tdt2004") == []
