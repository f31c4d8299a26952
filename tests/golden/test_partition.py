"""Every number of ``golden/partition``: 116 cases of other programs' clusterings, 9,214 numbers (skips where they are
absent).

All cases are conditions of one bundle, so that the views are computed for many at once.
"""

import json
from pathlib import Path

import lanes
import pytest

import tdtsql
from tdtsql.load.bundle import evaluate_into
from bundle_file import write_bundle
from golden_cases import keyed
from partition_case import bundle_of, policy
from tdtsql.errors import InvalidInput

#: numbers of all cases, and of those whose gold has at most 3,000 bytes, which are in the default lane
N_NUMBER, N_SMALL = 9214, 4367


@pytest.fixture(scope="module")
def found(shared, tmp_path_factory):
    """Return the expected numbers, and the rows of both relations that everybody queries."""
    path, expected = bundle_of(
        shared / "golden" / "partition",
        tmp_path_factory.mktemp("partition"),
        largest=lanes.number(default=3000, full=10**9),
    )
    with tdtsql.evaluate(path) as store:
        scores = keyed(store, "condition_id, profile_id, metric, weighting", where="subset = 'all'")
        blocks = keyed(store, "condition_id, profile_id, metric, block_id", "block_score")
    return expected, scores, blocks


@lanes.both
def test_every_number(found):
    expected, scores, blocks = found
    wrong, total = [], 0
    for case, rows in expected.items():
        for row in rows:
            total += 1
            rows_of, last = (blocks, row["block"]) if "block" in row else (scores, row.get("weighting", "topic"))
            got = rows_of.get((case, row["profile"], row["metric"], last), "no row")
            tolerance = 1e-11 if row["metric"].startswith(("ami", "expected_mi")) else 1e-12
            want = row["value"]
            if not (got is None and want is None) and (
                None in (got, want) or got == "no row" or abs(got - want) > tolerance * max(1, abs(want))
            ):
                wrong.append((case, row["metric"], row["policy"], row.get("weighting"), row.get("block"), got, want))

    assert not wrong, (len(wrong), wrong[:20])
    assert total == lanes.number(default=N_SMALL, full=N_NUMBER)


@pytest.mark.full
def test_what_the_scorers_printed(found):
    expected, scores, _ = found
    n_printed = 0
    for case, rows in expected.items():
        for row in rows:
            if "printed" in row and row["printed"] is not None and "block" not in row:
                n_printed += 1
                got = scores[case, row["profile"], row["metric"], row.get("weighting", "story")]
                assert (
                    abs(got - row["printed"]) <= (6e-5 if case.startswith("ba2019") else 6e-7)
                    or abs(100 * got - row["printed"]) <= 0.006
                ), (case, row, got)
    assert n_printed > 500


def test_every_bad_input_gets_the_reaction_that_a_user_expects(shared, tmp_path):
    """Of each of errors.json: refused and nothing stored, stored with a warning, or stored as if nothing were; where no
    answer is given it is the gold.
    """
    entries = json.loads((shared / "golden" / "partition" / "errors.json").read_text())
    refused, accepted = (
        bundle_of_entries(tmp_path / name, [entry for entry in entries if (entry["expect"] == "error") is is_error])
        for name, is_error in (("refused", True), ("accepted", False))
    )
    got = {entry["name"]: "ok" for entry in entries}
    with tdtsql.connect(":memory:") as store:
        with pytest.raises(InvalidInput) as error:
            evaluate_into(store.engine, refused, score=False)
        assert store.sql("select count(*) from registry.run").fetchall() == [(0,)]
        for problem in error.value.problems:
            if problem.is_error:
                assert problem.line or problem.code in ("E923", "E925"), problem
                got[entry_of(problem)] = "error"
        for problem in evaluate_into(store.engine, accepted, score=False).warnings:
            got[entry_of(problem)] = "warning"
        query = "select condition_id from registry.run join registry.condition using (condition_no)"
        stored = set(store.engine.column(query))

    assert got == {entry["name"]: entry["expect"] for entry in entries} and len(entries) == 11
    assert stored == {entry["name"] for entry in entries if entry["expect"] != "error"}


def bundle_of_entries(folder: Path, entries: list[dict]) -> Path:
    """Write the files of bad inputs below a folder, each as a condition of its name; return their bundle."""
    profiles, conditions, runs = {}, [], []
    for entry in entries:
        name, form = entry["name"], entry.get("format", "csv")
        (folder / name).mkdir(parents=True)
        for side in ("gold", "system"):
            (folder / name / f"{side}.{form}").write_text(entry.get(side, entry["gold"]))
        profiles[name] = {"base": "partition", **policy(entry["policy"] or "any")}
        conditions.append({"id": name, "task": "partition", "profile": [name], "gold": f"{name}/gold.{form}"})
        runs.append({"id": "s", "condition": name, "files": [f"{name}/system.{form}"]})
    return write_bundle(folder, corpus={"id": "k"}, profiles=profiles, conditions=conditions, runs=runs)


def entry_of(problem) -> str:
    """Return the entry whose file has a problem."""
    return Path(problem.path).parent.name
