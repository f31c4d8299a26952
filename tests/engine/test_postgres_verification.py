"""A second opinion on scored trials: every view of them, computed by PostgreSQL; the convex hull is found here and goes there.

Starts a server of its own in a temporary folder; skipped, saying so, where PostgreSQL's programs are not installed.
"""

import math

import numpy
import pytest

import tdtsql
from inside import copy_store
from second_opinion import assert_same_views

pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def local(server, tmp_path_factory):
    generator = numpy.random.default_rng(1)
    n = 300
    is_target = generator.random(n) < 0.3
    score = numpy.round(generator.normal(0, 2, n) + is_target, 1)
    score[:4] = [math.inf, -math.inf, math.inf, -math.inf]
    ids = [f"t{number}" for number in range(n)]
    path, database = tmp_path_factory.mktemp("verification") / "store.duckdb", server.database()
    with tdtsql.connect(path) as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="verification", scores="llr", profile=["bosaris", "asvspoof5", "medifor"], blocks=["sex"],
                            key={"trial_id": ids, "label": numpy.where(is_target, "target", "nontarget").tolist(),
                                 "sex": generator.choice(["f", "m"], n).tolist(), "attack": numpy.where(is_target, "-", generator.choice(["A", "B"], n)).tolist()})
        store.add_run("s", condition="c", decisions={"trial_id": ids, "score": score.tolist()})
    with tdtsql.connect(path, read_only=True) as ours, tdtsql.connect(server.address(database)) as theirs:
        copy_store(ours.engine, theirs.engine)
    with tdtsql.connect(server.address(database)) as store:
        store.engine.bring_decisions()
        yield store.engine


def test_every_view(local):
    assert_same_views(local, "verification")
