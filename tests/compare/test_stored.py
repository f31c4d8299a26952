"""Saved queries on stored comparisons answer for the leaderboard, whatever else was compared, tied or withdrawn."""

import pytest

import tdtsql

SCORES = {"best": lambda at: 1, "tied": lambda at: 1, "mid": lambda at: int(at % 3 > 0), "low": lambda at: at % 5 == 0}


@pytest.fixture
def store(tmp_path):
    rows = [f"i{at},{int(score(at))},{run},s{at % 6}" for at in range(60) for run, score in SCORES.items()]
    (tmp_path / "r.csv").write_text("\n".join(["item_id,score,run_id,subject", *rows]) + "\n")
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("q", corpus="k", task="items", attributes=["subject"], group=["subject"])
        store.add_run(condition="q", scores=tmp_path / "r.csv")
        store.refresh()
        yield store


def answers(store):
    """Return the runs that do not differ from the best, and the pairs that differ, with tests."""
    near = [row[5] for row in store.ask("not_distinguishable").fetchall()]
    pairs = store.ask("significant_differences").filter("is_significant = 1").project("run_id, baseline_id, test")
    return near, pairs.fetchall()


@pytest.mark.parametrize(
    "setting",
    [
        {"test": "bootstrap"},
        {"test": "t", "interval": "t", "unit": "subject"},
        {"test": "bootstrap", "weighting": "group"},
    ],
    ids=lambda setting: " ".join(setting.values()),
)
def test_rows_of_other_settings_change_no_answer(store, setting):
    store.compare(*SCORES, all_pairs=True, **setting)
    near, pairs = answers(store)

    assert near == ["best", "tied"]
    assert len(pairs) == 5 and {test for *_, test in pairs} == {"randomisation"}


def test_what_is_withdrawn_is_in_no_family(store):
    for run, near, n_pair in (("best", ["tied"], 3), ("tied", ["mid"], 1), ("low", ["mid"], 0), ("mid", [], 0)):
        store.withdraw_run(run, reason="x")
        assert (answers(store)[0], len(answers(store)[1])) == (near, n_pair)


def test_p_has_its_simulation_error_and_what_was_possible(store):
    row = store.compare("best", "low", test="bootstrap", resamples=999)
    [(p, error, smallest)] = row.project("p, mc_error, smallest_p").fetchall()
    assert error == pytest.approx((p * (1 - p) / 999) ** 0.5)
    assert smallest == 0.002


def test_intervals_of_one_weighting_do_not_hide_those_of_another(own_example):
    def low(weighting):
        chosen = own_example.score(condition="trk-eng-1", metric="p_miss", weighting=weighting)
        return chosen.pivot(interval=True).project("p_miss_low").fetchall()

    low("story")
    assert None not in [value for (value,) in low("topic")]
