"""Any two small clusterings: every exact number is the fraction that the definitions give by sets and pairs."""

import math
import tempfile
from pathlib import Path

from hypothesis import given, strategies as st
from lanes import examples

from bundle_file import write_bundle
from golden_cases import keyed
from clustering_case import brute_force, left_by, numbers, of_covers, store_of, write_rows
import tdtsql

CLUSTERINGS = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("1234"), min_size=1)


def of_several(cases):
    """Return whether there are different cases: the first example would be equal ones, the simplest."""
    return cases[0] != cases[-1]


# many in one store: planning the views takes longer than all of them
@examples(default=1, full=17)
@given(
    st.lists(
        st.tuples(CLUSTERINGS, st.dictionaries(st.sampled_from("abcdefghi"), st.sampled_from("1234"), min_size=1)),
        min_size=24,
        max_size=24,
    ).filter(of_several)
)
def test_exact_numbers_are_the_fractions_of_the_definitions(cases):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold = [
            (f"d{number}", item, cluster) for number, (first, _) in enumerate(cases) for item, cluster in first.items()
        ]
        answer = [
            (f"d{number}", item, cluster)
            for number, (_, second) in enumerate(cases)
            for item, cluster in second.items()
        ]
        with store_of(folder, gold, answer) as store:
            found = {}
            for block, metric, value in store.sql("select block_id, metric, value from report.block_score").fetchall():
                found.setdefault(block, {})[metric] = value
    for number, (first, second) in enumerate(cases):
        for metric, value in brute_force(first, second).items():
            got = found[f"d{number}"][metric]
            assert (got is None) == (value is None), (metric, first, second, got, value)
            assert value is None or abs(got - value) < 2e-15, (metric, first, second, got, value)


MEMBERSHIPS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(["1", "2", "3", "-1"])), min_size=1, max_size=10, unique=True
)
SIDES = ("exclude", "drop", "singleton", "one_cluster")
POLICIES = {
    f"p{number}": policy
    for number, policy in enumerate(
        [{"missing_item": missing, "spurious_item": spurious} for missing in SIDES for spurious in SIDES]
        + [
            {"singleton_cluster": cluster, "missing_item": missing, "spurious_item": "singleton"}
            for cluster in ("drop", "drop_system_item")
            for missing in ("exclude", "drop")
        ]
        + [
            {
                "noise_cluster": noise,
                "repeated_item": repeated,
                "missing_item": "singleton",
                "singleton_cluster": cluster,
            }
            for noise in ("singleton", "missing")
            for repeated in ("keep", "first")
            for cluster in ("keep", "drop_system_item")
        ]
    )
}


@examples(default=1, full=20)
@given(st.lists(st.tuples(MEMBERSHIPS, MEMBERSHIPS), min_size=6, max_size=6).filter(of_several))
def test_policies_act_on_items_and_the_definitions_on_what_they_leave(cases):
    """Any clusters that share items or not, under every policy: the numbers of the two covers that are left."""
    with tempfile.TemporaryDirectory() as name:
        rows = [
            [(f"d{number}", item, cluster) for number, case in enumerate(cases) for item, cluster in case[side]]
            for side in (0, 1)
        ]
        with store_of(Path(name), *rows, POLICIES, noise_label="-1") as store:
            found = keyed(store, "profile_id, block_id, metric", "block_score")
    for number, (gold, system) in enumerate(cases):
        for profile, policy in POLICIES.items():
            for metric, value in of_covers(*left_by(gold, system, **policy)).items():
                got = found[profile, f"d{number}", metric]
                assert (got is None) == (value is None), (metric, gold, system, policy, got, value)
                assert value is None or abs(got - value) < 2e-15, (metric, gold, system, policy, got, value)


ITEMS = st.dictionaries(st.integers(0, 60).map(str), st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=2)


@examples(default=1, full=10)
@given(st.lists(ITEMS, min_size=2, max_size=2).filter(of_several))
def test_sides_exchanged_exchange_precision_and_recall_and_nothing_else(cases):
    with tempfile.TemporaryDirectory() as name:
        folder, names = Path(name), [f"{number}{place}" for number in range(len(cases)) for place in (0, 1)]
        for number, items in enumerate(cases):
            for place in (0, 1):
                write_rows(folder / f"{number}{place}.csv", [(item, pair[place]) for item, pair in items.items()])
        bundle = write_bundle(
            folder,
            corpus={"id": "k"},
            conditions=[{"id": f"c{name}", "task": "partition", "gold": f"{name}.csv"} for name in names],
            runs=[
                {"id": f"s{name}", "condition": f"c{name}", "files": [f"{name[:-1]}{1 - int(name[-1])}.csv"]}
                for name in names
            ],
        )
        with tdtsql.evaluate(bundle) as store:
            found = [[numbers(store, run=f"s{number}{place}") for place in (0, 1)] for number in range(len(cases))]
    for sides in found:
        check_exchanged(sides)


_PAIRS = ("purity", "inverse_purity"), ("homogeneity", "completeness"), ("entropy_gold", "entropy_system")
EXCHANGED = dict([*_PAIRS, *(pair[::-1] for pair in _PAIRS)])


def check_exchanged(sides):
    assert len(sides[0]) == len(sides[1]) > 20
    for metric, value in sides[0].items():
        other = EXCHANGED.get(metric, metric)
        other = other.replace("precision", "RECALL").replace("recall", "precision").replace("RECALL", "recall")
        other = other.replace("n_gold", "N_SYSTEM").replace("n_system", "n_gold").replace("N_SYSTEM", "n_system")
        if metric != "event_f1":
            assert (value is None) == (sides[1][other] is None), metric
            assert value is None or math.isclose(value, sides[1][other], rel_tol=1e-12, abs_tol=1e-14), metric
