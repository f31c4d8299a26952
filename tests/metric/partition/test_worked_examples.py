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
from fractions import Fraction
from math import log

import pytest

from clustering_case import block_numbers, left_by, numbers, of_covers, write_bundle, write_rows
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


def test_luo_two_gold_clusters_glued(store):
    found = numbers(store, run="luo_a")

    expected = {
        "b3_precision": Fraction(16, 21),
        "b3_recall": 1,
        "muc_precision": Fraction(9, 10),
        "muc_recall": 1,
        "ceaf_m_precision": Fraction(10, 12),
        "ceaf_m_recall": Fraction(10, 12),
        "ceaf_e_precision": Fraction(11, 12),
        "ceaf_e_recall": Fraction(11, 18),
        "lea_precision": Fraction(13, 18),
        "lea_recall": 1,
        "pair_precision": Fraction(21, 31),
        "pair_recall": 1,
        "rand": Fraction(56, 66),
        "ari": Fraction(49, 71),
        "purity": Fraction(10, 12),
        "inverse_purity": 1,
        "exact_precision": Fraction(1, 2),
        "exact_recall": Fraction(1, 3),
        "b3_cluster_precision": (1 + Fraction(4 + 25, 49)) / 2,
        "b3_cluster_recall": 1,
        "event_f1": (1 + Fraction(4, 9) + Fraction(10, 12)) / 3,
        "b3_ext_precision": Fraction(16, 21),
    }
    assert {name: found[name] for name in expected} == {
        name: pytest.approx(float(value), abs=1e-15) for name, value in expected.items()
    }
    assert found["conll_f1"] == pytest.approx(
        float(
            (
                2 * Fraction(9, 10) / Fraction(19, 10)
                + 2 * Fraction(16, 21) / Fraction(37, 21)
                + 2 * Fraction(11, 12) * Fraction(11, 18) / (Fraction(11, 12) + Fraction(11, 18))
            )
            / 3
        ),
        abs=1e-15,
    )
    assert [found[name] for name in ("n_gold_item", "n_gold_cluster", "n_system_cluster", "n_cell")] == [12, 3, 2, 3]


def test_luo_clusters_of_one(store):
    found = numbers(store, run="luo_d")

    assert (found["muc_precision"], found["muc_recall"], found["muc_f1"]) == (None, 0, None)
    assert (found["b3_precision"], found["b3_recall"], found["ceaf_m_recall"], found["pair_precision"]) == (
        1,
        0.25,
        0.25,
        None,
    )
    assert (
        found["ami_arithmetic"] == 0
        and found["ami_min"] is None
        and found["homogeneity"] == pytest.approx(1, abs=1e-15)
    )


def test_entropies_by_hand(store):
    """Four items, gold {a b} {c d}, answer {a b c} {d}: cells 2, 1, 1.

    H_g = ln 2;  H_s = -(3/4 ln 3/4 + 1/4 ln 1/4)
    MI  = 2/4 ln(4 * 2 / (2 * 3)) + 1/4 ln(4 * 1 / (2 * 3)) + 1/4 ln(4 * 1 / (2 * 1))
    E[MI]: an answer cluster of three takes 1 or 2 of a gold cluster of two, each of the two with chance 1/2 ... P(2) =
    C(2,2) C(2,1) / C(4,3) = 1/2
           of two with three: 1/2 (2/4 ln 8/6) + 1/2 (1/4 ln 4/6);  of two with one: 1/2 * 0 + 1/2 (1/4 ln 2);  both
           gold clusters: twice
    """
    found = numbers(store, run="entropies")

    mi = log(8 / 6) / 2 + log(4 / 6) / 4 + log(2) / 4
    h_g, h_s = log(2), -(0.75 * log(0.75) + 0.25 * log(0.25))
    chance = 2 * (0.5 * 0.5 * log(8 / 6) + 0.5 * 0.25 * log(4 / 6) + 0.5 * 0.25 * log(2))
    expected = {
        "mi": mi,
        "entropy_gold": h_g,
        "entropy_system": h_s,
        "homogeneity": mi / h_g,
        "completeness": mi / h_s,
        "v_measure": 2 * mi / (h_g + h_s),
        "nmi": 2 * mi / (h_g + h_s),
        "nmi_geometric": mi / (h_g * h_s) ** 0.5,
        "nmi_min": mi / h_s,
        "nmi_max": mi / h_g,
        "nmi_joint": mi / (h_g + h_s - mi),
        "expected_mi": chance,
        "ami": (mi - chance) / ((h_g + h_s) / 2 - chance),
        "ami_min": (mi - chance) / (h_s - chance),
        "ami_max": (mi - chance) / (h_g - chance),
    }
    assert {name: found[name] for name in expected} == {
        name: pytest.approx(value, abs=1e-14) for name, value in expected.items()
    }


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


def test_items_of_one_side(store):
    found = [numbers(store, profile=name, run="one_side") for name in CASES["one_side"][2]]

    counts = ("n_gold_item", "n_system_item", "n_cell", "n_gold_cluster", "n_system_cluster")
    assert [tuple(row[name] for name in counts) for row in found] == list(POLICIES.values())


def test_noise_is_what_the_profile_says(store):
    """gold {a b} {c d}; answer {a b}, noise {c d}."""
    found = {name: numbers(store, profile=name, run="noise") for name in CASES["noise"][2]}

    assert {name: row["b3_recall"] for name, row in found.items()} == {"keep": 1, "singleton": 0.75, "missing": 0.5}
    assert {name: row["n_system_item"] for name, row in found.items()} == {"keep": 4, "singleton": 4, "missing": 2}


def test_clusters_of_one_item_taken_out(store):
    """gold {a b} {c}, answer {a b} {c}: drop leaves one cluster a side; in answer {a} {b c} the item a goes from
    both.
    """
    found = {name: numbers(store, profile=name, run="taken_out") for name in CASES["taken_out"][2]}

    assert [found["drop"][name] for name in ("n_gold_item", "n_system_item", "n_shared_item")] == [2, 2, 1]
    assert [found["drop_system_item"][name] for name in ("n_gold_item", "n_system_item", "n_shared_item")] == [2, 2, 2]


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


def test_profiles_of_a_condition_do_not_see_each_other_s_clusters(tmp_path):
    """gold {a b} {a b} {c} {d}, answers {a c} {b} {b} and {a} {a} {b}; with and without clusters of one.

    a and b share two clusters of the gold and none of the answer, which is nothing in the precision of a: c and itself,
    (0 + 1) / 2. Without clusters of one, nothing is left of the second answer: counts of 0.
    """
    gold = [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("c", 3), ("d", 4)]
    runs = {
        "apart": [("a", 1), ("c", 1), ("b", 2), ("b", 3)],
        "alone": [("a", 1), ("a", 2), ("b", 3)],
    }
    profiles = {"plain": {}, "dropped": {"singleton_cluster": "drop"}}
    write_rows(tmp_path / "gold.csv", gold)
    for name, rows in runs.items():
        write_rows(tmp_path / f"{name}.csv", rows)
    entries = [{"id": name, "files": [f"{name}.csv"]} for name in runs]
    condition = {"gold": "gold.csv", "profile": list(profiles)}
    with tdtsql.evaluate(write_bundle(tmp_path, condition, entries, profiles)) as store:
        for name, rows in runs.items():
            for profile, policies in profiles.items():
                expected = of_covers(*left_by(gold, rows, **policies))
                found = numbers(store, profile=profile, run=name)
                assert {metric: found[metric] for metric in expected} == {
                    metric: value if value is None else pytest.approx(float(value), abs=1e-15)
                    for metric, value in expected.items()
                }, (name, profile)
        assert numbers(store, profile="plain", run="apart")["b3_ext_precision"] == pytest.approx((0.5 + 0.5 + 1) / 3)
        assert numbers(store, profile="dropped", run="alone")["n_system_cluster"] == 0
        of_apart = "join registry.run using (run_no) join registry.profile using (profile_no) where run_id = 'apart'"
        assert store.engine.rows(
            f"select profile_id, n_distinct_item from metric.partition_block_total {of_apart} order by all"
        ) == [("dropped", 3), ("plain", 4)]
        assert store.engine.rows(
            f"select profile_id, is_system, max(n_own) from metric.partition_membership {of_apart} group by all "
            "order by all"
        ) == [("dropped", 0, 2), ("dropped", 1, 1), ("plain", 0, 2), ("plain", 1, 2)]
