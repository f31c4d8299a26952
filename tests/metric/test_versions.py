"""A new version of a view: copied, planned, compared on stored runs; in a copy of the package, as a user would
have it.
"""

import math
import os
import re
import shutil
import subprocess
import sys
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
