"""The gains that the embedded engine counts are those of the view that defines them, bit for bit; and shapes that are
the worst for either.

what a story of a unit gets from the stories near it:   view  metric.bcubed_overlap_gain__v1
                                                        count tdtsql/scoring/overlap_gain.py
"""

import csv
import itertools
import random

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

from partition import POLICIES, Answer, brute_force, load
from tdtsql.engine.duckdb import Engine
from tdtsql.scoring import overlap_gain
from tdtsql.scoring.overlap_gain import GAIN, UNIT, WORK
from tdtsql.scoring.relations import Relations

ALL_POLICIES = list(itertools.product(POLICIES, POLICIES))
SCORE = "metric.bcubed_extended_score__v1"
METRICS = ("precision", "recall", "f1")
NAMES = {name: name for name in (GAIN, UNIT, WORK)}

of_four = examples(default=1, full=12, suppress_health_check=[HealthCheck.too_slow])
coverings = st.sets(
    st.tuples(st.sampled_from([f"S{number}" for number in range(14)]), st.sampled_from("abcdef")), max_size=45
)


def engine_of(con) -> Engine:
    engine = object.__new__(Engine)  # around a connection that is there
    engine.connection, engine.trace, engine.read_only = con, False, True  # views by this connection alone
    engine.unused_name = "{}_0".format
    return engine


def assert_counted_equals_defined(con) -> int:
    """Return how many rows were compared."""
    engine = engine_of(con)
    defined = engine.rows(f"select * from {GAIN} order by all")
    scope = Relations(engine)
    scope.names |= NAMES
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap_gain, "FEW", -1)
        patch.setattr(overlap_gain, "FEW_PER_TOPIC", 0)
        body = overlap_gain.overlap_gain(scope, GAIN)
    counted = engine.rows(f"select * from ({body}) order by all")

    assert counted == defined
    assert engine.rows(f"select column_name, column_type from (describe {body})") == engine.rows(
        f"select column_name, column_type from (describe {GAIN})"
    )
    return len(counted)


@of_four
@given(st.lists(st.tuples(coverings, coverings), min_size=4, max_size=4).filter(lambda pairs: pairs[0] != pairs[-1]))
def test_any_two_coverings_under_all_policies(pairs):
    """Four pairs, both ways round, in one store."""
    cases = {f"case {number}": Answer(*sides) for number, sides in enumerate([*pairs, (set(), set())])}
    cases |= {f"back {number}": Answer(*reversed(sides)) for number, sides in enumerate(pairs)}
    with load(cases, ALL_POLICIES, NAMES) as con:
        assert_counted_equals_defined(con)


def test_golden_cases_with_overlapping_topics(shared):
    cases = {}
    for folder in sorted((shared / "golden" / "bcubed").glob("overlap_*")):
        sides = []
        for name in ("ref", "sys"):
            with (folder / f"{name}.csv").open(newline="") as file:
                sides.append({(row["story"], f"{name} {row['topic']}") for row in csv.DictReader(file)})
        cases[folder.name] = Answer(*sides)
    with load(cases, ALL_POLICIES, NAMES) as con:
        assert assert_counted_equals_defined(con) > len(cases)


def several(n_story: int, n_topic: int, least: int, most: int, seed: int, name: str = "") -> set:
    """Stories in ``least`` to ``most`` of ``n_topic`` topics by chance."""
    chance = random.Random(seed)
    return {
        (f"S{story}", f"{name}{topic}")
        for story in range(n_story)
        for topic in chance.sample(range(n_topic), chance.randint(least, min(most, n_topic)))
    }


def everything(n_story: int, n_topic: int) -> set:
    return {(f"S{story}", str(topic)) for story in range(n_story) for topic in range(n_topic)}


def shapes(n: int) -> dict[str, Answer]:
    """The worst shapes with ``n`` stories."""
    return {
        "every story in every topic": Answer(everything(n, 10), everything(n, 10)),
        "all yes": Answer(several(n, 10, 0, 1, 1), everything(n, 10)),
        "no yes at all": Answer(several(n, 10, 0, 4, 2), set()),
        "one giant cluster": Answer({(f"S{story}", "1") for story in range(n)}, several(n, 10, 1, 7, 3)),
        "one giant cluster and one for each": Answer(
            {(f"S{story}", "all") for story in range(n)},
            {(f"S{story}", topic) for story in range(n) for topic in ("all", str(story))},
        ),
        "3 to 20 of 200 clusters": Answer(several(n, 200, 3, 20, 4), several(n, 200, 3, 20, 5)),
        "few true, many said": Answer(several(n, 50, 0, 1, 6), several(n, 50, 5, 30, 7)),
        "many true, few said": Answer(several(n, 50, 5, 30, 8), several(n, 50, 0, 1, 9)),
    }


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", shapes(1))
def test_small_ones_of_the_worst_shapes_equal_the_sentence_that_defines_them(name):
    case, policies = shapes(36)[name], [(policy, policy) for policy in POLICIES]
    with load({"case": case}, policies, [*NAMES, SCORE]) as con:
        assert_counted_equals_defined(con)
        rows = engine_of(con).rows(
            f"select profile_no, weighting, b3_ext_precision, b3_ext_recall, b3_ext_f1 from {SCORE}"
        )

    assert len(rows) == 8
    for profile_no, weighting, *found in rows:
        expected = brute_force(case, *policies[profile_no - 1])
        want = [expected[metric, weighting] for metric in METRICS]
        assert found == pytest.approx([None if value is None else float(value) for value in want], abs=1e-14)
