"""The expected mutual information: the view, scikit-learn, and every permutation of a small case."""

import numpy
import pytest
from sklearn.metrics import adjusted_mutual_info_score

from clustering_case import numbers, store_of


def clusterings(seed, n):
    rng = numpy.random.default_rng(seed)
    gold = numpy.floor(rng.pareto(1.0, n) * 3).astype(int) % 40
    return gold, numpy.where(rng.random(n) < 0.3, rng.permutation(gold), gold)


def rows(labels):
    return [(f"i{number}", label) for number, label in enumerate(labels)]


@pytest.mark.sample(1)
def test_the_view_gives_what_scikit_learn_gives(tmp_path):
    gold, answer = clusterings(1, 700)
    with store_of(tmp_path, rows(gold), rows(answer)) as store:
        found = numbers(store)

    for kind in ("arithmetic", "geometric", "min", "max"):
        assert found[f"ami_{kind}"] == pytest.approx(
            adjusted_mutual_info_score(gold, answer, average_method=kind), abs=1e-11
        )


def test_the_work_is_counted(tmp_path):
    gold, answer = clusterings(2, 400)
    with store_of(tmp_path, rows(gold), rows(answer)) as store:
        made = numbers(store)
        work = store.sql("select n_term, is_made from metric.partition_expected_work__v1").fetchall()

    assert made["ami"] is not None and work[0][0] > 400 and work[0][1] == 1
