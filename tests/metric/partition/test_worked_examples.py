"""Worked examples of the papers, with their arithmetic.

Luo (2005), figure 1 and table 1: twelve mentions, gold {1 2 3 4 5} {6 7} {8 9 A B C}.

    answer a   {1 2 3 4 5} {6 7 8 9 A B C}
               cells 5 | 2, 5: the second cluster of seven holds two gold clusters
    B-CUBED    P = (5 * 5/5 + 2 * 2/7 + 5 * 5/7) / 12 = (5 + 29/7) / 12 = 64/84 = 16/21      R = 1
    MUC        S - Z = 12 - 3 = 9;  P = 9 / (12 - 2) = 9/10;  R = 9 / (12 - 3) = 1
    CEAF_m     {1..5} with {1..5}, {8..C} with the seven: M = 10;  P = R = 10/12
    CEAF_e     2 * 5/10 + 2 * 5/12 = 11/6;  P = 11/6 / 2 = 11/12;  R = 11/6 / 3 = 11/18
    LEA        R = (5 + 2 + 5) / 12 = 1;  P = (5 + 7 * (1 + 10)/21) / 12 = (5 + 11/3) / 12 = 13/18
    pairs      gold 10 + 1 + 10 = 21, answer 10 + 21 = 31, both 21;  P = 21/31, R = 1
    Rand       of 66 pairs 10 are wrong: 56/66
    ARI        E = 21 * 31 / 66 = 651/66;  (21 - E) / (26 - E) = (1386 - 651) / (1716 - 651) = 735/1065 = 49/71
    purity     (5 + 5) / 12; inverse 1;  whole clusters: one of two, one of three

    answer d   twelve clusters of one: MUC 0/0 and 0/9, B-CUBED P 1 and R 3/12, CEAF_m 3/12
"""

import json

import pytest

from clustering_case import block_numbers, numbers, write_rows
import tdtsql
from tdtsql.audit.explain import explain

GOLD = [(item, cluster) for cluster, items in (("x", "12345"), ("y", "67"), ("z", "89ABC")) for item in items]


ONE_EACH = [(item, item) for item, _ in GOLD]
GLUED = [(item, "p" if item in "12345" else "q") for item, _ in GOLD]
PAIRS = [("a", 1), ("b", 1), ("c", 2), ("d", 2)]
POLICIES = {
    # gold {a b c} {d} {e}, answer {a b d} {f} {g}: c and e are missing, f and g spurious
    ("exclude", "exclude"): (5, 5, 2, 3, 3),
    ("drop", "exclude"): (3, 5, 2, 2, 3),
    ("exclude", "drop"): (5, 3, 2, 3, 1),
    ("drop", "drop"): (3, 3, 2, 2, 1),
    ("singleton", "exclude"): (5, 7, 4, 3, 5),
    ("exclude", "singleton"): (7, 5, 4, 5, 3),
    ("one_cluster", "one_cluster"): (7, 7, 6, 4, 4),
}
#: condition and run of one name -> gold, answer, profiles (default: partition), further keys of the condition
CASES = {
    "luo_a": (GOLD, GLUED),
    "luo_d": (GOLD, ONE_EACH),
    "entropies": (PAIRS, [("a", 1), ("b", 1), ("c", 1), ("d", 2)]),
    "blocks": (
        [("d1", "a", 1), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 1), ("d3", "a", 1)],
        [("d1", "a", 1), ("d1", "b", 2), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 1), ("d4", "a", 1)],
    ),
    "one_side": (
        [("a", 1), ("b", 1), ("c", 1), ("d", 2), ("e", 3)],
        [("a", 1), ("b", 1), ("d", 1), ("f", 2), ("g", 3)],
        {
            f"{missing}_{spurious}": {"missing_item": missing, "spurious_item": spurious}
            for missing, spurious in POLICIES
        },
    ),
    "noise": (
        PAIRS,
        [("a", 1), ("b", 1), ("c", -1), ("d", -1)],
        {name: {"noise_cluster": name} for name in ("keep", "singleton", "missing")},
        {"noise_label": "-1"},
    ),
    "taken_out": (
        [("a", 1), ("b", 1), ("c", 2)],
        [("a", 1), ("b", 2), ("c", 2)],
        {name: {"singleton_cluster": name} for name in ("drop", "drop_system_item")},
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
