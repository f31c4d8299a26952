"""Worked example for the metrics document (profile ts-seed), and one test for each of its promises.

Event F1 lasts from second 0 to 86400. Nuggets, with the words of their texts:

    n1  importance 3  time    0  "the dam broke"                      3   R = e^3/e^3 = 1
    n2  importance 1  time 3600  "two towns flooded"                  3   R = e^1/e^3 = e^-2
    n3  importance 0  time    0  "sirens sounded all night"           4   R = e^0/e^3 = e^-3
    mean length 10/3

The run sends

    x-0    at   100   no pool knows it                        V = 1
    d2-0   at  3600   "two towns flooded as the dam broke"    takes n1 and n2; 6 of 7 words: V = 1 + 1/(10/3) = 1.3
    d1-0   at 21600   "witnesses say the dam broke"           n1 is taken: V = 1 + 5/(10/3) = 2.5
    --------------------------------------------------------------------------------
    |S| = 3, sum V = 4.8, sum G = 1 + e^-2, W = 1 + e^-2 + e^-3
    L(n1) = 1 - 2/pi * atan(3600/21600), L(n2) = 1 - 2/pi * atan(0) = 1
"""

from math import atan, exp, pi

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

import tdtsql
from summarization_case import Case, summarize, summarize_all
from ts_case import bundle

NUGGETS = [
    ("F1", "n1", 0, 3, "the dam broke"),
    ("F1", "n2", 3600, 1, "two towns flooded"),
    ("F1", "n3", 0, 0, "sirens sounded all night"),
]
UPDATES = [
    ("F1", "d1-0", "witnesses say the dam broke"),
    ("F1", "d2-0", "two towns flooded as the dam broke"),
    ("F1", "d3-0", "the dam broke says the dam company"),
    ("F1", "d4-0", "nothing of interest"),
]
MATCHES = [
    ("F1", "d1-0", "n1", 14, 27),
    ("F1", "d2-0", "n2", 0, 17),
    ("F1", "d2-0", "n1", 21, 34),
    ("F1", "d3-0", "n1", 0, 13),
    ("F1", "d3-0", "n1", 19, 26),
]
RUN = [("r", "F1", "d1-0", 21600), ("r", "F1", "d2-0", 3600), ("r", "F1", "x-0", 100)]
EVENTS = [("F1", 0, 86400)]
GAIN = 1 + exp(-2)
TOTAL = 1 + exp(-2) + exp(-3)
LATENCY_GAIN = 1 - 2 / pi * atan(3600 / 21600) + exp(-2)


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as opened:
        yield opened


TIED = [("r", "F1", "d3-0", 50), ("r", "F1", "d1-0", 50)]
#: n2 is there twice
TWICE = [*NUGGETS, ("F1", "n2", 3600, 1, "two towns flooded")]
TWO_EVENTS = [*NUGGETS, ("F2", "m1", 0, 3, "a bridge fell")]
#: a run without an update of the second event
SILENT = {
    "run": [("r", "F1", "d1-0", 10), ("r", "F1", "d4-0", 20)],
    "nuggets": TWO_EVENTS,
    "matches": [*MATCHES, ("F2", "d1-0", "m1", 0, 13)],
    "updates": [*UPDATES, ("F2", "d1-0", "a bridge fell")],
    "tau": [15],
}
#: each nugget's own text, once: every word matches, every nugget is found
PERFECT = {
    "run": [("r", "F1", f"p{number}-0", nugget[2]) for number, nugget in enumerate(NUGGETS)],
    "nuggets": [(event, nugget, time, 1, text) for event, nugget, time, _, text in NUGGETS],
    "updates": [(event, f"p{number}-0", text) for number, (event, *_, text) in enumerate(NUGGETS)],
    "matches": [("F1", f"p{number}-0", nugget, 0, len(text)) for number, (_, nugget, _, _, text) in enumerate(NUGGETS)],
}
SIZES = (1e-300, 1e-30, 1e18, 1e300)


def under(**columns):
    """Return the arguments of a case under a profile of its own."""
    name = "_".join(map(str, columns.values())).replace("-", "_")
    return {"profiles": {name: {"base": "ts-seed", **columns}}, "profile": [name]}


#: evaluated as one bundle: what differs from NUGGETS, UPDATES, MATCHES and EVENTS
CASES = {
    "worked": {"run": RUN},
    "tied": {"run": TIED},
    "tied, order of the file": {"run": TIED, **under(tie_break="input")},
    "two spans": {"run": [("r", "F1", "d3-0", 50)]},
    "graded": {
        "run": [("r", "F1", "d1-0", 0)],
        "nuggets": [("F1", "n1", 0, 2, "the dam broke"), ("F1", "n2", 0, 1, "two towns flooded")],
    },
    "twice, last": {"run": RUN, "nuggets": TWICE, **under(repeated_nugget="last")},
    "twice, every_row": {"run": RUN, "nuggets": TWICE, **under(repeated_nugget="every_row")},
    "again": {"run": [("r", "F1", "d1-0", 0), ("r", "F1", "d1-0", 5)]},
    "one of two": {
        "run": [("r", "F1", "d1-0", 0)],
        "nuggets": TWO_EVENTS,
        "events": [*EVENTS, ("F2", 0, 86400)],
        "tau": [60],
    },
    "silent": {**SILENT, "profile": ["ts-seed", "ts2013", "ts2014", "ts2015"]},
    "nothing": {"run": [("r", "F1", "d4-0", 0)]},
    "no time": {
        "run": [("r", "F1", "z-0", 50)],
        "matches": [("F1", "z-0", "n1", 0, 13), ("F1", "d4-0", "n2", 0, 13)],
        "tau": [60],
        **under(base="ts2014", latency_fix="updates_only", undefined="null"),
    },
    "late": {"run": [("r", "F1", "d1-0", 7200)], "tau": [3600, 7200, 7201]},
    "no events": {"run": [("r", "F1", "d1-0", 0)], "events": ()},
    "perfect": {**PERFECT, **under(relevance="binary")},
} | {
    f"size {size}": {
        "run": [("r", "F1", "d4-0", 10, 0), ("r", "F1", "d1-0", 20, size)],
        "nuggets": NUGGETS[:1],
        "profile": ["ts2014", "ts2015"],
    }
    for size in SIZES
}


@pytest.fixture(scope="module")
def made(store, tmp_path_factory):
    return summarize_all(store, tmp_path_factory.mktemp("cases"), {name: case_of(**of) for name, of in CASES.items()})


def case_of(**differs):
    return {"nuggets": NUGGETS, "updates": UPDATES, "matches": MATCHES, "events": EVENTS} | differs


def test_worked_example(made):
    event = made["worked"].event("r", "F1")

    assert (event["n_update"], event["n_sampled_update"], event["n_match"]) == (3, 2, 2)
    assert event["eg"] == pytest.approx(GAIN / 3, rel=1e-14)
    assert event["eg_v"] == pytest.approx(GAIN / 4.8, rel=1e-14)
    assert event["elg"] == pytest.approx(LATENCY_GAIN / 4.8, rel=1e-14)
    assert event["comprehensiveness"] == pytest.approx(GAIN / TOTAL, rel=1e-14)
    assert event["latency_comprehensiveness"] == pytest.approx(LATENCY_GAIN / TOTAL, rel=1e-14)
    assert event["expected_verbosity"] == pytest.approx(4.8 / 3, rel=1e-14)
    assert event["expected_latency"] == pytest.approx((2 - 2 / pi * atan(3600 / 21600)) / 2, rel=1e-14)
    assert event["neg"] == pytest.approx(GAIN / 4.8 / (TOTAL / 3), rel=1e-14)
    assert event["f"] == pytest.approx(1 / (4.8 / GAIN + TOTAL / GAIN), rel=1e-14)
    assert event["c_integral"] == pytest.approx(LATENCY_GAIN / TOTAL * (86400 - 3600), rel=1e-14)
    assert event["c_integral_norm"] == pytest.approx(LATENCY_GAIN / TOTAL * (86400 - 3600) / 86400, rel=1e-14)
    assert event["eg_v_conf"] is None


def test_which_update_took_which_nugget_and_when(made):
    rows = made["worked"].view(
        "summarization_taken_nugget__v1", "seen.nugget_no, seen.update_seq, seen.decision_time", "1"
    )

    assert rows == [(1, 2, 3600), (2, 2, 3600)]  # row 2 of the file


def test_of_updates_at_one_time_the_smaller_id_takes_the_nugget_whatever_the_order(made):
    tied = made["tied"]

    assert tied.view("summarization_taken_nugget__v1", "seen.nugget_no, seen.update_seq", "1") == [(1, 2)]


def test_the_programs_let_the_order_of_the_file_decide(made):
    tied = made["tied, order of the file"]

    assert tied.view("summarization_taken_nugget__v1", "seen.nugget_no, seen.update_seq", "1") == [(1, 1)]


def test_all_spans_of_an_update_and_nugget_cover_words(made):
    """d3-0 says "the dam" twice: words 0, 1, 2 and 4, 5 of 7. V = 1 + 2/(10/3) = 1.6."""
    assert made["two spans"].event("r", "F1")["expected_verbosity"] == pytest.approx(1.6)


def test_relevance_is_graded_against_the_highest_importance_of_the_event(made):
    event = made["graded"].event("r", "F1")

    assert event["eg"] == pytest.approx(1)
    assert event["comprehensiveness"] == pytest.approx(1 / (1 + exp(-1)))


@pytest.mark.parametrize(("rows", "total"), [("last", TOTAL), ("every_row", TOTAL + exp(-2))])
def test_a_nugget_in_two_rows_counts_in_the_total_as_often_as_the_profile_says(made, rows, total):
    """n2 is there twice: the programs add its relevance e^-2 to the total for every row."""
    event = made[f"twice, {rows}"].event("r", "F1")

    assert event["comprehensiveness"] == pytest.approx(GAIN / total, rel=1e-14)


def test_an_update_sent_again_gains_nothing_and_counts_again(made):
    event = made["again"].event("r", "F1")

    assert event["eg"] == pytest.approx(1 / 2)
    assert event["expected_verbosity"] == pytest.approx(((1 + 2 / (10 / 3)) + (1 + 5 / (10 / 3))) / 2)


def test_an_event_the_run_leaves_out_is_null_and_counts_zero_only_in_topic_all(made):
    both = made["one of two"]

    assert both.event("r", "F2")["eg"] is None
    assert both.event("r", "F2")["n_update"] == 0
    assert both.score("r")["eg"] == (pytest.approx(1), 1)
    assert both.score("r", "topic_all")["eg"] == (pytest.approx(1 / 2), 2)
    for weighting, n_event in (("topic", 1), ("topic_all", 2)):
        at_tau = both.score("r", weighting, "tau=60")
        assert at_tau["n_update_tau"] == (1 / n_event, n_event)
        assert len(at_tau) == 11 and {n for _, n in at_tau.values()} == {n_event}


@pytest.mark.parametrize("profile", ["ts-seed", "ts2013", "ts2014", "ts2015"])
def test_what_is_best_low_gains_nothing_by_silence(made, profile):
    """An event the run leaves out has no verbosity: 0 would be better than any update's, which is 1 at least."""
    silent = made["silent"]
    event, all_events, those_there = (
        silent.event("r", "F1", profile),
        silent.score("r", "topic_all", profile=profile),
        silent.score("r", profile=profile),
    )
    verbosity = pytest.approx(event["expected_verbosity"], rel=1e-12)

    assert event["expected_verbosity"] >= 1
    assert all_events["expected_verbosity"] == those_there["expected_verbosity"] == (verbosity, 1)
    # at tau topic_all has 0 for what is missing, and so by it nobody is best
    assert silent.store.sql(
        "select distinct best from registry.metric where metric = 'expected_verbosity_tau' and grain = 'score'"
    ).fetchall() == [("none",)]
    if profile != "ts-seed":
        assert all_events["expected_verbosity_conf"] == those_there["expected_verbosity_conf"]
        assert all_events["expected_verbosity_conf"][1] == 1
    assert all_events["n_update"] == (1, 2)  # and what is best high is 0 there


def test_an_update_that_takes_nothing_leaves_latency_undefined_not_zero(made):
    nothing = made["nothing"]

    assert nothing.event("r", "F1")["expected_latency"] is None
    assert nothing.event("r", "F1")["h"] == 0
    assert nothing.score("r")["expected_latency"] == (None, 0)


def test_a_nugget_whose_time_nobody_knows_gives_gain_and_no_latency(made):
    """Under updates_only a nugget has the time of the first pooled update that says it; z-0 is in no pool."""
    case = made["no time"]
    event, at_tau = case.event("r", "F1"), case.event("r", "F1", subset="tau=60")

    assert (event["n_match"], at_tau["n_update_tau"]) == (1, 1)
    assert event["comprehensiveness"] == at_tau["comprehensiveness_tau"] > 0
    for metric in ("elg", "nelg", "latency_comprehensiveness", "expected_latency", "h"):
        assert event[metric] is None and at_tau[f"{metric}_tau"] is None, metric
    assert case.score("r")["latency_comprehensiveness"] == (0, 1)


def test_before_the_first_update_meg_is_zero_and_eg_undefined(made):
    late = made["late"]

    assert late.event("r", "F1", subset="tau=7200")["eg_tau"] is None  # strictly before tau
    assert late.event("r", "F1", subset="tau=7200")["comprehensiveness_tau"] == 0
    assert late.score("r", "topic", "tau=3600")["eg_tau"] == (None, 0)
    assert late.score("r", "topic_all", "tau=3600")["eg_tau"] == (0, 1)
    assert late.score("r", "topic_all", "tau=7201")["eg_tau"] == (1, 1)


def test_without_events_there_is_no_integral(made):
    assert made["no events"].event("r", "F1")["c_integral"] is None


def test_a_perfect_system_scores_one_with_binary_relevance_and_no_discount(made):
    event = made["perfect"].event("r", "F1")

    for metric in (*"eg eg_v neg elg comprehensiveness latency_comprehensiveness expected_verbosity h".split(),):
        assert event[metric] == 1, metric
    assert event["f"] == 1 / 2


def _is_judged(sent):
    """Return whether an update is among the judged ones: a run without any is refused (E870)."""
    return any(update != "x-0" for update, _ in sent)


@examples(default=2, full=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sent=st.lists(
        st.tuples(st.sampled_from(["d1-0", "d2-0", "d3-0", "d4-0", "x-0"]), st.integers(0, 90000)),
        min_size=1,
        max_size=8,
    ).filter(_is_judged),
    taus=st.lists(st.integers(0, 100000), min_size=1, max_size=4, unique=True),
)
def test_properties(store, tmp_path, sent, taus):
    """Junk never raises EG_V; C_tau never falls; what is taken before tau does not depend on what comes after;
    the integral is that of the steps."""
    runs = [("all", "F1", update, time) for update, time in sent]
    runs += [("junk", "F1", update, time) for update, time in [*sent, ("d4-0", 40000), ("y-0", 7)]]
    cuts = {tau: [(update, time) for update, time in sent if time < tau] for tau in taus}
    runs += [
        (f"cut{tau}", "F1", update, time) for tau, part in cuts.items() if _is_judged(part) for update, time in part
    ]
    made = summarize(store, tmp_path, **case_of(run=runs, tau=sorted(taus)))
    whole = made.event("all", "F1")

    assert made.event("junk", "F1")["eg_v"] <= whole["eg_v"]
    steps = made.view(
        "summarization_curve__v1",
        "seen.step_time, seen.latency_comprehensiveness, seen.comprehensiveness, run.run_id",
        "run.run_id, seen.step_no",
    )
    steps = [step[:3] for step in steps if step[3] == "all"]
    ends = [*[max(step[0], 0) for step in steps[1:]], 86400]
    for place, metric in ((1, "c_integral"), (2, "comprehensiveness_integral")):
        assert [step[place] for step in steps] == sorted(step[place] for step in steps)
        area = sum(
            step[place] * max(0, min(end, 86400) - min(step[0], 86400)) for step, end in zip(steps, ends, strict=False)
        )
        assert whole[metric] == pytest.approx(area, rel=1e-12)
    before = -1.0
    for tau in sorted(taus):
        at_tau = made.event("all", "F1", subset=f"tau={tau}")
        assert at_tau["comprehensiveness_tau"] >= before
        before = at_tau["comprehensiveness_tau"]
        cut = made.event(f"cut{tau}", "F1") if _is_judged(cuts[tau]) else None
        for metric in ("eg", "elg", "comprehensiveness", "h") if cut else ():
            assert at_tau[f"{metric}_tau"] == pytest.approx(cut[metric], rel=1e-12), metric


def test_an_update_of_the_duplicates_file_has_the_text_of_its_row_and_its_own_matches(store, tmp_path):
    """As in the program of 2015: only where that row is itself a duplicate, its original's matches are used.

    x repeats p, y repeats q, which is a duplicate of p, and v repeats z, but has a match of its own.
    """
    files = {
        "nuggets.tsv": "query nugget time importance length text\nTS15.1\tn\t0\t3\t9\tthe dam\n",
        "updates.tsv": "query update document sentence length duplicate text\n"
        "TS15.1\tp-0\tp\t0\t9\tNULL\tthe dam broke\nTS15.1\tq-0\tq\t0\t9\tp-0\tit broke\n"
        "TS15.1\tz-0\tz\t0\t9\tNULL\ta\n",
        "matches.tsv": "query update nugget start end\nTS15.1\tp-0\tn\t0\t7\nTS15.1\tv-0\tn\t0\t7\n",
        "duplicates.tsv": "x-0\tp-0\ny-0\tq-0\nv-0\tz-0\n",
        "run.ssv": "".join(f"1 t {run} {run} 0 10 1\n1 t {run} z 0 11 1\n" for run in "xyvw"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    given = {key: tmp_path / f"{key}.tsv" for key in ("nuggets", "updates", "matches", "duplicates")}
    store.evaluate(bundle(tmp_path, given, [tmp_path / "run.ssv"], {"ts2015": {}}, name="duplicates"))
    seen = {run: Case(store, "duplicates").event(f"t-{run}", "TS15.1") for run in "xyvw"}

    assert {run: event["comprehensiveness"] for run, event in seen.items()} == {"x": 0, "y": 1, "v": 1, "w": 0}
    assert {run: event["n_sampled_update"] for run, event in seen.items()} == {"x": 2, "y": 2, "v": 2, "w": 1}
    # x: 3 words of "the dam broke"; y: the same less one word, for a span at the beginning counts one too few
    lengths = {run: event["expected_verbosity"] for run, event in seen.items()}
    assert lengths == {"x": (2.5 + 1.5) / 2, "y": (2 + 1.5) / 2, "v": (1.5 + 1.5) / 2, "w": (1.5 + 1.5) / 2}


@pytest.mark.parametrize("size", SIZES)
def test_weights_that_are_no_confidences_do_not_depend_on_the_size_of_confidences(made, size):
    """Weights by position are 1 and 1/2, those between the least and the greatest confidence 0 and 1."""
    event = made[f"size {size}"]
    verbosity = [1 + 3 / 3, 1 + (5 - 3) / 3]

    assert event.event("r", "F1", "ts2014")["expected_verbosity_conf"] == pytest.approx(
        (verbosity[0] + verbosity[1] / 2) / 2 / 1.5, rel=1e-11
    )
    assert event.event("r", "F1", "ts2015")["expected_verbosity_conf"] == pytest.approx(verbosity[1] / 2, rel=1e-11)
