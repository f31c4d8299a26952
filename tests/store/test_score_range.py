"""Which confidences are taken: all from -9e99 (that of a trial without a decision, plan B.3) to 9e99.

One beyond is refused by name, not moved: moved it would tie with others, and one
below -9e99 would stand under the trials that the system said nothing of, which
are the last to be accepted. An infinite one stands at the end, with a warning.
"""

import pandas
import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from places import SMALL

pytestmark = pytest.mark.usefixtures("unscored")

OFFICIAL = """x no 1 81001 docno
tkn/20040302_0600_0700_AAA_ENG.tkn A3 NO {score}
tkn/20040302_0600_0700_AAA_ENG.tkn A4 NO 0.0
"""


@pytest.fixture(scope="module")
def store(copy_of):
    with tdtsql.connect(copy_of(SMALL)) as store:
        yield store


def as_official(score, folder):
    path = folder / "x.out"
    path.write_text(OFFICIAL.format(score=score))
    return {"decisions": path}


def as_csv(score, folder):
    path = folder / "x.csv"
    path.write_text(f"topic_id,story_id,decision,score\n81001,A3,no,{score}\n81001,A4,no,0.0\n")
    return {"decisions": path}


def as_frame(score, folder):
    return {
        "decisions": pandas.DataFrame(
            {"topic_id": ["81001"] * 2, "story_id": ["A3", "A4"], "decision": ["no"] * 2, "score": [float(score), 0.0]}
        )
    }


def kept(store, run_id):
    return [
        row[0]
        for row in store.sql(
            f"select decision.score from base.decision as decision join registry.run as run on run.run_no = "
            f"decision.run_no "
            f"where run.run_id = '{run_id}' order by decision.trial_no"
        ).fetchall()
    ]


ROUTES = pytest.mark.parametrize("route", [as_official, as_csv, as_frame])


#: score -> what is stored. Zero has no sign: it ties with 0, and which of the two a threshold shows would be chance
TAKEN = {
    **{score: str(float(score)) for score in ("-9e+99", "9e+99", "-8.999999999999999e+99", "5e-324")},
    **dict.fromkeys(("-0.0", "-0", "-0.000000", "-1e-400"), "0.0"),
    **dict.fromkeys(("-inf", "-1.7976931348623157e308"), "-9e+99"),
    **dict.fromkeys(("inf", "1e999"), "9e+99"),
}


@ROUTES
@pytest.mark.parametrize("score", TAKEN)
@pytest.mark.sample(8)
def test_a_score_within_is_taken_and_an_infinite_one_stands_at_the_end(score, route, store, tmp_path):
    store.add_run("taken", condition="c", **route(score, tmp_path))
    assert list(map(str, kept(store, "taken"))) == [TAKEN[score], "0.0"]
    said = store.engine.column(
        "select code from registry.problem where owner = 'run:c/taken' and message like '%infinite%'"
    )
    assert bool(said) == (abs(float(score)) > 9e99) and all(code.startswith("W") for code in said)


@ROUTES
@pytest.mark.parametrize("score", ["-9.000000000000001e99", "-1e100", "9.1e99", "1e200", "-1e308"])
def test_a_score_beyond_is_refused_with_its_line(score, route, store, tmp_path):
    with pytest.raises(InvalidInput) as refused:
        store.add_run("beyond", condition="c", **route(score, tmp_path))

    [problem] = [problem for problem in refused.value.problems if problem.is_error]
    assert problem.code == "E824" and problem.line in (1, 2) and problem.value == str(float(score))
    assert kept(store, "beyond") == []


@pytest.mark.sample(1)
@ROUTES
def test_at_the_lowest_score_a_trial_is_accepted_with_those_left_out(route, store, tmp_path):
    """What the system said of one trial and what it did not say of the others is one threshold, the last."""
    store.add_run("lowest", condition="c", **route("-9e99", tmp_path))
    points = store.det_curve("lowest", profile="tdt2004", all_points=True).fetchall()
    assert min(point[4] for point in points if point[4] is not None) == -9e99
