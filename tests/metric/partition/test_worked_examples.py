"""Worked examples of blocks, of items in several clusters, and of what other programs print."""

import json

import pytest

from clustering_case import block_numbers, numbers, write_rows
import tdtsql
from tdtsql.audit.explain import explain

#: condition and run of one name -> gold, answer, profiles (default: partition), further keys of the condition
CASES = {
    "blocks": (
        [("d1", "a", 1), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 1), ("d3", "a", 1)],
        [("d1", "a", 1), ("d1", "b", 2), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 1), ("d4", "a", 1)],
    ),
    "printed": (
        [("a", 1), ("b", 2)],
        [("a", 1), ("b", 2)],
        {"ours": {}, "theirs": {"degenerate": "reference_program"}},
    ),
    #: items in several clusters: gold {a b} {b c}, answer {a b c}
    "several": ([("a", 1), ("b", 1), ("b", 2), ("c", 2)], [("a", 1), ("b", 1), ("c", 1)]),
    "twice": ([("a", 1), ("b", 1), ("a", 2), ("b", 2), ("c", 2)], [("a", 1), ("b", 1), ("c", 2)]),
    "only_run": (
        [("p", "a", 1), ("p", "b", 1)],
        [("p", "a", 1), ("p", "b", 1), ("q", "z", 1), ("q", "y", 1)],
    ),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return a store of all cases, evaluated once."""
    folder = tmp_path_factory.mktemp("cases")

    def lines(**table):
        return [f"{key} = {json.dumps(value)}" for key, value in table.items()]

    text = ["[corpus]", 'id = "k"']
    for name, (gold, answer, *more) in CASES.items():
        profiles, keys = [*more, {}, {}][:2]
        write_rows(folder / f"{name}.gold.csv", gold)
        write_rows(folder / f"{name}.csv", answer)
        for profile, columns in profiles.items():
            text += [f"[profile.{profile}]", *lines(base="partition", **columns)]
        under = list(profiles) or ["partition"]
        text += ["[[condition]]", *lines(id=name, task="partition", gold=f"{name}.gold.csv", profile=under, **keys)]
        text += ["[[run]]", *lines(id=name, condition=name, files=[f"{name}.csv"])]
    (folder / "bundle.toml").write_text("\n".join(text) + "\n")
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        yield store


def test_blocks_pool_and_average(store):
    """d1: gold {a b}, answer {a} {b}: pair recall 0/1;  d2: gold {a b c}, answer the same: 3/3. Pooled 3/4, mean 1/2.
    d3 has one gold item and no answer, d4 one item of the answer and no gold: missing and spurious."""
    pooled, mean = numbers(store, run="blocks"), numbers(store, "topic", run="blocks")
    blocks = block_numbers(store, "blocks")
    counted = dict(
        store.sql(
            "select metric, n from report.score where run_id = 'blocks' and weighting = 'topic' and metric in "
            "('pair_recall', 'b3_recall', 'ari')"
        ).fetchall()
    )

    assert (pooled["pair_recall"], mean["pair_recall"], pooled["pair_precision"]) == (0.75, 0.5, 1)
    assert (pooled["b3_recall"], mean["b3_recall"]) == (
        pytest.approx((2 * 0.5 + 3) / 6),
        pytest.approx((0.5 + 1 + 0) / 3),
    )
    assert pooled["b3_precision"] == pytest.approx(5 / 6)  # d4 has none of the gold
    assert (pooled["ari"], pooled["rand"]) == (None, None)  # items on one side only
    assert (mean["ari"], blocks["d1", "ari"], blocks["d2", "ari"]) == (0, 0, None)
    assert counted == {"pair_recall": 2, "b3_recall": 3, "ari": 1}
    assert (blocks["d4", "b3_precision"], blocks["d4", "b3_recall"], blocks["d3", "b3_recall"]) == (0, None, 0)


def test_what_other_programs_print(store):
    """Clusters of one item on both sides: no link, no chance."""
    ours, theirs = (numbers(store, profile=name, run="printed") for name in ("ours", "theirs"))

    names = ("muc_f1", "pair_f1", "ari", "ami", "conll_f1", "rand")
    assert [ours[name] for name in names] == [None, None, None, None, None, 1]
    assert [theirs[name] for name in names] == [0, 0, 1, 1, pytest.approx(2 / 3), 1]


def test_items_in_several_clusters(store):
    """The pair a c is of the answer alone; two of three pairs are right."""
    found = numbers(store, run="several")
    reasons = dict(
        store.sql(
            "select 'b3', null_reason from metric.partition_overlap_score__v1 join registry.run using (run_no) where "
            "weighting = 'story' and run_id = 'several'"
        ).fetchall()
    )

    assert (found["pair_precision"], found["pair_recall"]) == (pytest.approx(2 / 3), 1)
    assert (found["b3_f1"], found["muc_f1"], found["ari"], found["mi"]) == (None, None, None, None)
    assert found["purity"] == pytest.approx(2 / 3) and reasons == {"b3": "several clusters"}
    # precision of a: b 1/1, c 0/1, itself 1/1; of b: a, c and itself (2 shared gold clusters, one of the answer); of c
    # as a
    assert (found["b3_ext_precision"], found["b3_ext_recall"]) == (
        pytest.approx((2 / 3 + 1 + 2 / 3) / 3),
        pytest.approx((1 + (1 + 1 + 0.5) / 3 + 1) / 3),
    )


def test_a_pair_that_shares_two_clusters_counts_once(store):
    """gold {a b} {a b c}, answer {a b} {c}: the pair a b is in two gold clusters; of three gold pairs the answer has it
    alone.
    """
    found = numbers(store, run="twice")

    assert (found["pair_precision"], found["pair_recall"]) == (1, pytest.approx(1 / 3))


def test_a_block_that_only_the_run_has_is_listed_with_its_numbers(store):
    """Block q: two items of the run in one cluster, none of the gold: precision 0 of 2 items, which enters the mean."""
    blocks = block_numbers(store, "only_run")
    mean = numbers(store, weighting="topic", run="only_run")["b3_precision"]
    explained = explain(store.engine, "only_run", "b3_precision", "q")

    assert (blocks["p", "b3_precision"], blocks["q", "b3_precision"], blocks["q", "b3_recall"]) == (1, 0, None)
    assert mean == 0.5 and explained.numbers[0][1] == 0


def test_saved_queries_of_clusters_count_items_in_several_clusters(store):
    """Three items, of two gold clusters."""
    [row] = store.ask("merged_clusters", run="several").project("cluster_id, n_part, n_largest, n_no_gold").fetchall()

    assert row == ("1", 2, 2, 0)
