"""Every number and every comparison of ``golden/items``: 26 evaluations, 5,007 numbers, 180 values of comparisons
(skips where they are absent)."""

import json

import pytest

import tdtsql
from golden_cases import keyed
from tdtsql.load.bundle import evaluate_into
from tdtsql.errors import InvalidInput

CASES = (
    "win_rate lm_eval cluster_edges clusters epochs epochs_unequal every_eval_ever graded_pass inspect ir_measures "
    "large_and_small "
    "macro_groups macro_small_groups missing_items mixed_small one_item one_measure parquet trec_eval "
    "two_measures_subsets unscored weights"
).split()


def differs(got, want, name):
    if got is None or want is None:
        return got is not want
    tolerance = 1e-9 * abs(want) if name == "large_and_small" else 1e-12 * max(1.0, abs(want))
    return not abs(got - want) <= tolerance


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", CASES)
def test_every_number_and_comparison(shared, name):
    folder = shared / "golden" / "items" / name
    wanted = json.loads((folder / "expected.json").read_text())
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        products = {
            row["subset"]: store.score(subset=row["subset"]).limit(1).fetchall()
            for row in wanted["numbers"]
            if "," in row["subset"]
        }
        scores = {
            (*row[:3], ",".join(sorted(row[3].split(","))), *row[4:6]): row[6:]
            for row in store.sql(
                "select condition_id, profile_id, run_id, subset, metric, weighting, value, n from report.score"
            ).fetchall()
        }
        blocks = keyed(store, "condition_id, profile_id, run_id, block_id, metric", "block_score", "subset = 'all'")
        wrong = []
        for row in wanted["numbers"]:
            where = (row["condition"], row["profile"], row["run"])
            if "item" in row:
                value, n = blocks.get((*where, row["item"], row["metric"])), None
            else:
                subset = ",".join(sorted(row["subset"].split(",")))
                value, n = scores.get((*where, subset, row["metric"], row["weighting"]), (None, "no row"))
            if differs(value, row["value"], name) or (row.get("n") is not None and n != row["n"]):
                wrong.append((row, value, n))
        for entry in wanted.get("compare", ()):
            args = [arg.removeprefix("--") for arg in entry["args"] if arg != "--no-cluster"]
            chosen = dict(zip(args[::2], args[1::2], strict=True))
            if "--no-cluster" in entry["args"]:
                chosen["unit"] = "item"
            made = store.compare(
                *entry["runs"], metric=entry["metric"], condition=entry["condition"], profile=entry["profile"], **chosen
            ).relation
            [found] = [dict(zip(made.columns, row, strict=True)) for row in made.fetchall()]
            wrong += [
                (entry["runs"], entry["args"], key, found[key], value)
                for key, value in entry["expect"].items()
                if value is not None and abs(found[key] - value) > (1e-9 if key == "p" else 1e-12 * max(1, abs(value)))
            ]

    assert not wrong, (len(wrong), wrong[:10])
    assert products or name != "two_measures_subsets"


@pytest.mark.parametrize("name", ["error_attribute", "error_missing", "error_repeated", "error_values"])
def test_what_must_be_refused(shared, name):
    folder = shared / "golden" / "items" / name
    wanted = json.loads((folder / "expected.json").read_text())
    with tdtsql.connect(":memory:") as store:
        with pytest.raises(InvalidInput) as error:
            evaluate_into(store.engine, folder / "bundle.toml")

        assert [text for text in wanted["says"] if text not in str(error.value)] == []
        assert store.sql("select count(*) from registry.run").fetchall() == [(0,)]
