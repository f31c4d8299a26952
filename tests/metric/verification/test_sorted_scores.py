"""What is computed from sorted arrays says what the views say: the same rows, to the last bit."""

import math

import numpy
import pytest
from tdtsql.scoring.scope import Scope

from scored_trials import write_trials
from tdtsql.store.opening import open_file
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.scoring.curve import sorted_scores
from tdtsql.scoring.curve.hull import HULL, POINT
from tdtsql.scoring.curve.sorted_scores import BLOCK, CELL, CROSSING, STATE

INF = math.inf


def trials_of(kind: str) -> list:
    """Return trials of two attributes; those of the targets count in all subsets of the non-targets."""
    generator = numpy.random.default_rng(3)
    scores = {
        "distinct": generator.normal(0, 2, 400),
        "ties": numpy.round(generator.normal(0, 2, 400)),
        "steps": numpy.arange(400) % 200.0,
        "infinities": numpy.where(
            generator.random(400) < 0.2, generator.choice([INF, -INF], 400), numpy.round(generator.normal(0, 1, 400), 1)
        ),
        "equal": numpy.zeros(400),
        "perfect": numpy.arange(400) - 80.0,
        "below the lowest": numpy.where(generator.random(400) < 0.5, -INF, -1e300),
        "the lowest": generator.choice([-INF, -1e300, -9e99, -8e99, 0.0, 9e99, INF], 400),
        "one target": generator.normal(0, 2, 400),
    }[kind]
    is_target = (
        scores > 50
        if kind == "perfect"
        else numpy.arange(400) == 7
        if kind == "one target"
        else generator.random(400) < 0.3
    )
    attacks = generator.integers(0, 2, 400)
    return [
        ("b", ("A", "B") if target else ("A",) if attack else ("B",), bool(target), float(score))
        for target, attack, score in zip(is_target, attacks, scores, strict=True)
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "kind",
    ["distinct", "ties", "steps", "infinities", "equal", "perfect", "below the lowest", "the lowest", "one target"],
)
@pytest.mark.parametrize("stop", [0.1, 0.0, 1.0, 0.37])
def test_the_same_rows(monkeypatch, kind, stop):
    engine = open_file(":memory:")
    write_trials(engine, trials_of(kind), {"bosaris": {}, "other": {"base": "bosaris", "p_fa_stop": stop}})
    monkeypatch.setattr(sorted_scores, "FEW", 0)
    scope = Scope(
        engine, [1], [1], [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    )
    try:
        for name in closure(catalog(), [CROSSING, STATE, HULL]):
            scope.build([name])
            if name in (CELL, BLOCK, STATE, CROSSING, HULL):
                engine.execute(f"create or replace temp table defined as {catalog()[name].reading(scope.names)}")
                there = scope.relation(name)
                assert engine.rows("describe select * from defined") == engine.rows(f"describe select * from {there}")
                assert engine.rows("select * from defined order by all") == engine.rows(
                    f"select * from {there} order by all"
                ), name
                assert engine.value(f"select count(*) from {there}") >= 6
        assert engine.value("select count(*) from duckdb_tables() where table_name like '%_sorted_%'") == 2
        assert scope.names[POINT].startswith("("), "no table of its own"
    finally:
        scope.close()
        engine.close()
