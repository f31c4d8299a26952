"""Every number of ``golden/partition``: 116 cases of other programs' clusterings, 9,214 numbers (skips where they are
absent).

All cases are conditions of one bundle, so that the views are computed for many at once.
"""

import json

import lanes
import pytest

import tdtsql
from clustering_case import write_bundle
from inside import evaluate_into
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
        scores = {
            row[:4]: row[4]
            for row in store.sql(
                "select condition_id, profile_id, metric, weighting, value from report.score where subset = 'all'"
            ).fetchall()
        }
        blocks = {
            row[:4]: row[4]
            for row in store.sql(
                "select condition_id, profile_id, metric, block_id, value from report.block_score"
            ).fetchall()
        }
    return expected, scores, blocks


@lanes.both
def test_every_number(found):
    expected, scores, blocks = found
    wrong, total = [], 0
    for case, rows in expected.items():
        for row in rows:
            total += 1
            key = (case, row["profile"], row["metric"])
            got = (
                blocks.get((*key, row["block"]), "no row")
                if "block" in row
                else scores.get((*key, row.get("weighting", "topic")), "no row")
            )
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
    wrong = []
    entries = json.loads((shared / "golden" / "partition" / "errors.json").read_text())
    for entry in entries:
        folder = tmp_path / entry["name"]
        folder.mkdir()
        form = entry.get("format", "csv")
        for side in ("gold", "system"):
            (folder / f"{side}.{form}").write_text(entry.get(side, entry["gold"]))
        bundle = write_bundle(
            folder,
            {"gold": f"gold.{form}", "profile": ["mine"]},
            [{"id": "s", "files": [f"system.{form}"]}],
            {"mine": policy(entry["policy"] or "any")},
        )
        with tdtsql.connect(":memory:") as store:
            try:
                got = "warning" if evaluate_into(store.engine, bundle, score=False).warnings else "ok"
            except InvalidInput as error:
                got = (
                    "error"
                    if all(
                        problem.line or problem.code in ("E923", "E925")
                        for problem in error.problems
                        if problem.is_error
                    )
                    else "error without a place"
                )
            stored = store.sql("select count(*) from registry.run").fetchall()[0][0]
        if (got, stored) != (entry["expect"], int(entry["expect"] != "error")):
            wrong.append((entry["name"], got, stored))

    assert not wrong and len(entries) == 11
