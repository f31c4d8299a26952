"""Numbers of scored trials in every subset, runs beside each other, with intervals by trial and by clusters of
trials.
"""

import numpy as np
import pytest

import tdtsql
from loads import unscored_loads
from tdtsql.compare.trials import Measure, Trials, draw_trials

N_SPEAKER, EACH = 12, 20


def trials():
    """Return the key and two systems: 12 speakers of 20 trials, a third of them targets; a speaker's scores lie
    together.
    """
    random = np.random.default_rng(11)
    speaker = np.repeat(np.arange(N_SPEAKER), EACH)
    is_target = np.arange(N_SPEAKER * EACH) % 3 == 0
    voice = random.normal(0, 1.5, N_SPEAKER)[speaker]
    attack = np.where(is_target, None, np.where(np.arange(len(speaker)) % 2 == 0, "A1", "A2"))
    key = {
        "trial_id": [f"t{number:03}" for number in range(len(speaker))],
        "label": ["target" if one else "nontarget" for one in is_target],
        "speaker": [f"s{number:02}" for number in speaker],
        "attack": attack.tolist(),
    }
    systems = {
        name: (voice * (name == "clustered") + random.normal(0, 1, len(speaker)) + gain * is_target).round(3).tolist()
        for name, gain in (("clustered", 2), ("plain", 1))
    }
    return key, systems


def made(address=":memory:", profile=("voxsrc", "asvspoof5", "kaldi"), scores="llr"):
    key, systems = trials()
    store = tdtsql.connect(address)
    store.add_corpus("k")
    store.add_condition(
        "la", corpus="k", task="verification", key=key, profile=list(profile), scores=scores, blocks=["speaker"]
    )
    with unscored_loads():
        for name, scored in systems.items():
            store.add_run(name, condition="la", scores={"trial_id": key["trial_id"], "score": scored})
    return store


@pytest.fixture(scope="module")
def store():
    with made() as opened:
        yield opened


def rows(table):
    return {
        (row[0], row[1]): row[2:]
        for row in table.project("subset, run_id, value, low, high, n_target, n_nontarget, reason").fetchall()
    }


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "metric",
    ["eer", "auc", "min_c_det", "min_c_det_norm", "act_c_det", "act_c_det_norm", "act_p_miss", "act_p_fa", "cllr"],
)
@pytest.mark.parametrize("profile", ["voxsrc", "asvspoof5"])
def test_each_number_is_made_of_draws(store, metric, profile):
    # the table itself refuses a number that its trials do not give
    assert all(
        low <= high and reason is None
        for _, low, high, _, _, reason in rows(
            store.subset_table(metric=metric, profile=profile, resamples=40)
        ).values()
    )


def test_the_ends_are_percentiles_of_the_draws(store):
    key, systems = trials()
    is_target = np.array([label == "target" for label in key["label"]])
    speaker = np.repeat(np.arange(N_SPEAKER), EACH)
    for unit, sides in (("trial", ()), ("speaker", (speaker,)), ("block", (speaker,))):
        sample = Trials(is_target, np.array([systems["plain"]]), None, sides)
        measure = Measure("act_p_fa", threshold=np.log(19))  # the Bayes threshold of voxsrc
        shares = draw_trials(sample, measure, n_draw=200, seed=20040)[:, 0]
        [(low, high)] = (
            store.subset_table(
                "plain", by="attack", profile="voxsrc", metric="act_p_fa", unit=unit, resamples=200, level=0.9
            )
            .filter("subset = 'all'")
            .project("low, high")
            .fetchall()
        )
        assert (low, high) == pytest.approx(tuple(np.quantile(shares, [0.05, 0.95])), abs=1e-12)


def test_a_subset_has_its_own_trials_drawn(store):
    # an attack restricts non-targets alone: the targets, and so their rate's draws, are those of all trials
    found = {
        key[0]: row[1:3] for key, row in rows(store.subset_table("plain", metric="act_p_miss", by="attack")).items()
    }
    assert found["all"] == found["attack=A1"] == found["attack=A2"]


def test_clusters_give_wider_intervals_where_trials_hang_together(store):
    found = {unit: rows(store.subset_table(metric="act_p_fa", unit=unit)) for unit in ("trial", "speaker")}
    width = {
        unit: {run: found[unit]["all", run][2] - found[unit]["all", run][1] for run in ("clustered", "plain")}
        for unit in found
    }

    # the scores of a speaker lie together in one system; in the other they do not
    assert width["speaker"]["clustered"] > 2 * width["trial"]["clustered"]
    assert width["speaker"]["plain"] < 1.5 * width["trial"]["plain"]


def test_trials_without_a_value_are_clusters_by_themselves(store):
    # no target has an attack: targets are drawn by trial, the two attacks as clusters
    assert store.subset_table("plain", by="attack", unit="attack", resamples=40).project(
        "n_unit"
    ).distinct().fetchall() == [(2,)]


def test_a_run_has_the_same_interval_whichever_stand_beside_it(store):
    alone, both = rows(store.subset_table("plain", by="attack", resamples=50)), rows(store.subset_table(resamples=50))
    assert alone == {key: both[key] for key in alone}


def test_every_definition_of_the_equal_error_rate_is_resampled(store):
    for value, low, high, _, _, reason in rows(store.subset_table(profile="kaldi", by="attack", resamples=40)).values():
        assert low <= value <= high and reason is None
