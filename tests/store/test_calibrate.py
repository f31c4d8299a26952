"""Calibrated runs: fitted on one condition, applied to another, with all that they were made of in the store.

The development scores are 0 and 1: of 4 targets 1 and 3, of 6 non-targets 4 and 2, so llr = ln 6 * score + ln(3/8)
(tests/distribution/test_calibration.py).
"""

import math
import shutil

import pytest

import tdtsql
from tdtsql.store.ledger import verify_chain
from tdtsql.errors import InvalidCalibration

pytestmark = pytest.mark.usefixtures("unscored")

DEV = [("target", 0)] + [("target", 1)] * 3 + [("nontarget", 0)] * 4 + [("nontarget", 1)] * 2
EVAL = [("target", 2.0), ("target", 0.25), ("nontarget", 1.0), ("nontarget", -math.inf)]


def added(store, condition, trials, *, run="s", scores="score", corpus="k", order=None, **settings):
    names = [f"t{number}" for number in range(len(trials))]
    store.add_condition(
        condition,
        corpus=corpus,
        task="verification",
        profile="bosaris",
        scores=scores,
        key={"trial_id": names, "label": [label for label, _ in trials]},
        **settings,
    )
    rows = order or range(len(trials))
    if run is not None:
        store.add_run(
            run,
            condition=condition,
            scores={"trial_id": [names[row] for row in rows], "score": [float(trials[row][1]) for row in rows]},
        )


def made(address=":memory:"):
    store = tdtsql.connect(address)
    store.add_corpus("k")
    added(store, "dev", DEV)
    added(store, "eval", EVAL)
    added(store, "eval-llr", EVAL, run=None, scores="llr")
    store.refresh()
    return store


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("calibrate") / "store.duckdb"
    made(path).close()
    return path


@pytest.fixture
def store(file, tmp_path):
    with tdtsql.connect(shutil.copy(file, tmp_path)) as opened:
        yield opened


def kept(store, condition, run):
    return store.engine.rows(
        "select trial_no, score, is_yes from base.decision join registry.run using (run_no) join registry.condition "
        "using (condition_no) "
        "where condition_id = ? and run_id = ? order by trial_no",
        [condition, run],
    )


def test_scores_become_likelihood_ratios(store):
    found = store.calibrate("s", fit_on="dev", to="eval", into="eval-llr")

    assert (
        found.run,
        found.condition,
        found.fitted_on,
        found.prior,
        found.n_target,
        found.n_nontarget,
        found.notes,
    ) == ("s-calibrated", "eval-llr", "dev", 0.5, 4, 6, [])
    assert (found.scale, found.offset) == pytest.approx((math.log(6), math.log(3 / 8)), rel=1e-13)
    assert kept(store, "eval-llr", "s-calibrated") == [
        (number, found.scale * score + found.offset, None) for number, (_, score) in enumerate(EVAL, 1)
    ]
    # at the Bayes threshold of equal costs, 0: llr of 2, .25 and 1 are 2.6, -.53, .81
    assert store.score("s-calibrated", metric="act_p_miss", weighting="story").project("value").fetchall() == [(0.5,)]
    assert store.score("s-calibrated", metric="act_p_fa", weighting="story").project("value").fetchall() == [(0.5,)]


def test_it_is_the_least_cllr_of_any_scale_and_offset_on_its_own_trials(store):
    added(store, "dev-llr", DEV, run=None, scores="llr")
    store.calibrate("s", fit_on="dev", to="dev", into="dev-llr", prior=0.5, allow_same=True)

    # through both shares: as good as any monotone map
    [(cllr,)] = store.score("s-calibrated", metric="cllr", weighting="story").project("value").fetchall()
    [(least,)] = store.score("s-calibrated", metric="min_cllr", weighting="story").project("value").fetchall()
    assert cllr == pytest.approx(least, abs=1e-14)


def test_what_it_was_made_of_is_kept(store):
    found = store.calibrate("s", fit_on="dev", to="eval", name="better", prior=0.25)

    runs, condition = "registry.run join registry.condition using (condition_no)", "(condition_id, run.content_sha256)"
    hashes = dict(store.engine.column(f"select {condition} from {runs} where run_id = 's'"))
    of_run = "registry.run_fact join registry.run using (run_no) where run_id = 'better'"
    facts = dict(store.engine.column(f"select (name, value) from {of_run} order by fact_no"))
    assert facts == {
        "calibration.method": "affine, prior-weighted logistic regression",
        "calibration.fitted_on": "dev/s",
        "calibration.fitted_on_sha256": hashes["dev"],
        "calibration.scores_of": "eval/s",
        "calibration.scores_of_sha256": hashes["eval"],
        "calibration.scale": repr(found.scale),
        "calibration.offset": repr(found.offset),
        "calibration.prior": "0.25",
        "calibration.n_target": "4",
        "calibration.n_nontarget": "6",
        "calibration.software": f"tdtsql {tdtsql.__version__}",
    }
    assert store.engine.rows("select format, has_decision, n_row from registry.run where run_id = 'better'") == [
        ("calibrated", 0, 4)
    ]
    entries = "select kind from ledger.entry where subject = 'run:eval/better' order by entry_no"
    assert store.engine.column(entries) == ["load", "compute"]
    assert verify_chain(store.engine) == []
    store.engine.execute("update registry.run_fact set value = '2' where name = 'calibration.scale'")
    assert [message for message in verify_chain(store.engine) if "registry.run_fact" in message]


def test_where_no_scale_is_the_best_nothing_is_stored(store):
    added(store, "apart", [("target", 1), ("nontarget", 0)])
    before = store.engine.value("select count(*) from ledger.entry")
    with pytest.raises(InvalidCalibration, match="run:apart/s: no target is below a non-target"):
        store.calibrate("s", fit_on="apart", to="eval")
    assert store.engine.value("select count(*) from ledger.entry") == before


def test_a_replaced_run_is_reported_with_its_parameters(store):
    assert not any("replaced" in note for note in store.calibrate("s", fit_on="dev", to="eval").notes)
    [note] = [note for note in store.calibrate("s", fit_on="dev", to="eval", prior=0.1).notes if "replaced" in note]
    assert note == (
        "run s-calibrated of eval is replaced (was calibrated as 1.79176 * score + -0.980829, fitted on dev/s, 4 rows)"
    )
