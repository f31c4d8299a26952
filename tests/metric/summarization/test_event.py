"""What holds of any run of temporal summarization; worked examples: tests/cases/loaded/summarization_numbers.case."""

import pytest
from hypothesis import HealthCheck, given
from lanes import examples
from hypothesis import strategies as st

import tdtsql
from summarization_case import Case, summarize
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
EVENTS = [("F1", 0, 86400)]
CASE = {"nuggets": NUGGETS, "updates": UPDATES, "matches": MATCHES, "events": EVENTS}


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as opened:
        yield opened


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
    made = summarize(store, tmp_path, **CASE, run=runs, tau=sorted(taus))
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
