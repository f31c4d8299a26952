"""The difference of two runs' miss rates is that of the curves which the store keeps.

Three topics, the third without targets: a false alarm there counts in p_fa where the
profile takes false alarms of all topics (tdt2004), and does not under f4de.
"""

import random

import pytest

import tdtsql
from tdtsql.compare.paired import Method
from tdtsql.report.comparing import DET_RATES, choose, det_difference

QUICK = Method(n_resample=20)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("det")
    chance = random.Random(5)
    stories = [f"s{n:03}" for n in range(400)]
    targets = {"t1": set(stories[:60]), "t2": set(stories[50:75]), "t3": set()}
    (folder / "stories.csv").write_text(
        "story_id,position\n" + "".join(f"{s},{n + 1}\n" for n, s in enumerate(stories))
    )
    (folder / "topics.csv").write_text("topic_id\nt1\nt2\nt3\n")
    (folder / "judgments.csv").write_text(
        "topic_id,story_id,label\n" + "".join(f"{t},{s},yes\n" for t, found in targets.items() for s in sorted(found))
    )
    text = (
        '[corpus]\nid = "k"\nstories = "stories.csv"\ntopics = "topics.csv"\njudgments = "judgments.csv"\n'
        '[[condition]]\nid = "c"\ntask = "tracking"\nprofile = ["tdt2004", "f4de"]\n'
    )
    for run, shift in (("a", 1.8), ("b", 1.2)):
        lines = ["topic_id,story_id,decision,score"]
        for topic, found in targets.items():
            for story in stories:
                if chance.random() < 0.9:  # what is left out is a no
                    score = round(chance.gauss(shift if story in found else 0.0, 1.0), 2)
                    lines.append(f"{topic},{story},{'yes' if score > 2 else 'no'},{score}")
        (folder / f"{run}.csv").write_text("\n".join(lines) + "\n")
        text += f'[[run]]\nid = "{run}"\ncondition = "c"\nfiles = ["{run}.csv"]\n'
    (folder / "bundle.toml").write_text(text)
    with tdtsql.evaluate(folder / "bundle.toml") as store:
        yield store


@pytest.mark.full
@pytest.mark.parametrize("weighting", ["topic", "story"])
@pytest.mark.parametrize("profile", ["tdt2004", "f4de"])
def test_values_are_those_of_the_kept_curves(store, profile, weighting):
    band = det_difference(
        store.engine, choose(store.engine, ["a", "b"], profile=profile), "b", "a", weighting=weighting, method=QUICK
    )

    curves = {
        run: store.sql(
            f"select p_fa, p_miss from report.det_point where run_id = '{run}' and profile_id = '{profile}' and "
            f"weighting = '{weighting}'"
        ).fetchall()
        for run in "ab"
    }
    for x, value in zip(DET_RATES, band.value, strict=True):
        lowest = {run: min(miss for alarm, miss in points if alarm <= x + 1e-12) for run, points in curves.items()}
        assert value == pytest.approx(lowest["b"] - lowest["a"], abs=1e-14)
    assert band.n_threshold == band.n_threshold_drawn
    assert (band.value > 0).any()
