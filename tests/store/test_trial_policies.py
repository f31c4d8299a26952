"""Missing, extra and repeated trials and scores: each policy, what it counts, and what it says."""

import math
import re

import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from tdtsql.task import metric_id

pytestmark = pytest.mark.usefixtures("unscored")

KEY = "trial_id,label\na,target\nb,nontarget\nc,target\nd,nontarget\n"


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """Return what makes a store with a condition of a key and no run, and the warnings of that: each of them once."""
    stores = {}

    def made(key=KEY, **settings):
        asked = (key, *settings.items())
        if asked not in stores:
            path = tmp_path_factory.mktemp("key") / "key.csv"
            path.write_text(key, encoding="utf-8")
            store = stores[asked] = tdtsql.connect(":memory:")
            store.add_corpus("k")
            told[asked] = store.add_condition(
                "c", corpus="k", task="verification", key=str(path), profile=["voxsrc"], scores="score", **settings
            )
        for [run] in stores[asked].engine.rows("select run_id from registry.run"):
            stores[asked].drop_run(run)
        return stores[asked], told.get(asked)

    told = {}
    yield made
    for store in stores.values():
        store.close()


@pytest.fixture
def scores(tmp_path):
    def made(text, name="s.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return made


def stored(store):
    return store.sql(
        "select trial_id, score, is_yes from base.decision join base.verification_trial using (trial_no, segment_no) "
        "order by trial_no"
    ).fetchall()


def codes(problems):
    return [problem.code for problem in problems]


def refused(store, path, **options):
    with pytest.raises(InvalidInput) as caught:
        store.add_run("r", condition="c", scores=path, **options)
    return caught.value.problems


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "text",
    [
        "trial_id,score\na,2\nb,1\nc,3\n",
        "trial_id,score\na,2\nb,1\nc,3\nd,nan\n",
        "trial_id,score\na,2\nb,1\nc,3\nd,\n",
    ],
)
def test_a_missing_score_is_an_error_or_a_rejection(make, scores, text):
    store, _ = make()
    assert codes(refused(store, scores(text)))[0] in ("E950", "E308", "E305")
    told = store.add_run("r", condition="c", scores=scores(text), missing_scores="reject")
    assert codes(told) == ["W950"] and "n_missing_score = 1" in told[0].message and told[0].value == "1"
    assert stored(store) == [("a", 2, None), ("b", 1, None), ("c", 3, None), ("d", -math.inf, None)]
    kept = store.sql("select code, value from registry.problem where owner = 'run:c/r'").fetchall()
    assert kept == [("W950", "1")]


def test_a_missing_decision_is_no(make, scores):
    store, _ = make()
    text = "trial_id,score,decision\na,2,yes\nb,1,no\n"
    store.add_run("r", condition="c", scores=scores(text), missing_scores="reject")
    assert [row[2] for row in stored(store)] == [True, False, False, False]


def test_frames_have_the_same_policies(make):
    store, _ = make()
    frame = {"trial_id": ["a", "b", "c", "x", "a"], "score": [2.0, 1.0, float("nan"), 9.0, 8.0]}
    told = store.add_run(
        "r", condition="c", scores=frame, missing_scores="reject", unknown_trials="ignore", repeated_scores="first"
    )
    assert sorted(codes(told)) == ["W948", "W950", "W952"]
    assert [row[1] for row in stored(store)] == [2, 1, -math.inf, -math.inf]


def test_another_key_is_an_error_whatever_the_policies(make, scores):
    store, _ = make()
    path = scores("trial_id,score\nx,2\ny,1\n")
    assert codes(refused(store, path, missing_scores="reject", unknown_trials="ignore")) == ["E870"]


def test_a_score_given_twice(make, scores):
    store, _ = make()
    path = scores("trial_id,score\na,2\nb,1\nc,3\nd,0\na,7\n")
    [problem] = refused(store, path)
    assert problem.code == "E952" and problem.line == 6 and "repeated_scores" in str(problem)
    path = scores("trial_id,score\na,2\nb,1\nc,3\nd,0\na,7\nb,9\n")
    [told] = store.add_run("r", condition="c", scores=path, repeated_scores="first")
    assert told.code == "W952" and told.message.startswith("2 scores ") and (told.line, told.value) == (6, "a")
    assert [row[1] for row in stored(store)] == [2, 1, 3, 0]


AGAIN = KEY + "a,target\nb,nontarget\na,target\n"


def test_a_trial_listed_again_is_an_error_by_default(make):
    with pytest.raises(InvalidInput) as caught:
        make(AGAIN)
    assert codes(caught.value.problems) == ["E953"] * 3
    assert "repeated_trials" in str(caught.value.problems[0])


@pytest.mark.parametrize("policy", ["error", "first", "each"])
def test_two_labels_of_a_trial_are_an_error_under_every_policy(make, policy):
    with pytest.raises(InvalidInput) as caught:
        make(KEY + "a,nontarget\n", repeated_trials=policy)
    [problem] = caught.value.problems
    assert problem.code == "E953" and problem.line == 6 and "other label" in problem.message


def test_the_first_listing_counts(make, scores):
    store, [told] = make(AGAIN, repeated_trials="first")
    assert told.code == "W953" and told.message.startswith("3 lines repeat a trial") and told.line == 6
    store.add_run("r", condition="c", scores=scores("trial_id,score\na,2\nb,1\nc,3\nd,0\n"))
    assert [row[0] for row in stored(store)] == ["a", "b", "c", "d"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,2\nb,1\nc,3\nd,0\n", [2, 1, 3, 0, 2, 1, 2]),
        ("a,2\nb,1\nc,3\nd,0\na,5\na,6\nb,4\n", [2, 1, 3, 0, 5, 4, 6]),
    ],
)
def test_each_listing_is_a_trial(make, scores, text, expected):
    store, [told] = make(AGAIN, repeated_trials="each")
    assert told.code == "W953" and "separate trials" in told.message
    assert store.add_run("r", condition="c", scores=scores("trial_id,score\n" + text)) == []
    assert [row[1] for row in stored(store)] == expected


def test_as_often_as_the_key_or_once(make, scores):
    store, _ = make(AGAIN, repeated_trials="each")
    path = scores("trial_id,score\na,2\nb,1\nc,3\nd,0\na,5\n")
    [problem] = [problem for problem in refused(store, path) if problem.code == "E952"]
    assert problem.message == "2 scores of a trial that the key lists 3 times" and problem.line == 2
    told = store.add_run("r", condition="c", scores=path, repeated_scores="first")
    assert codes(told) == ["W952"]
    assert [row[1] for row in stored(store)] == [2, 1, 3, 0, 2, 1, 2]


def test_turned_scores_are_told_and_can_be_turned(make, scores):
    store, _ = make()
    path = scores("trial_id,score\na,-2\nb,1\nc,-3\nd,0\n")
    [told] = store.add_run("r", condition="c", scores=path)
    assert told.code == "W947" and "50 %" in told.message and "higher_is_target = false" in str(told)
    assert store.add_run("r", condition="c", scores=path, higher_is_target=False)[0].code == "W714"
    assert [row[1] for row in stored(store)] == [2, -1, 3, 0]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("targets", "nontargets", "is_told"),
    [
        ((1, 2), (1, 2), False),  # the EER is one half
        ((-math.inf, 1), (0, 0.2), False),
        ((0, 1), (2, 3), True),
        ((0, 1, 5), (2, 3, 0), True),
        ((0, 3, 5), (2, 3, 0), False),
        ((0,), (0,), False),
    ],
)
def test_an_equal_error_rate_above_one_half_is_told_and_no_other(make, targets, nontargets, is_told):
    labelled = [*(("target", score) for score in targets), *(("nontarget", score) for score in nontargets)]
    store, _ = make("trial_id,label\n" + "".join(f"t{n},{label}\n" for n, (label, _) in enumerate(labelled)))
    scores = {"trial_id": [f"t{n}" for n in range(len(labelled))], "score": [float(score) for _, score in labelled]}
    told = store.add_run("r", condition="c", scores=scores)
    assert ("W947" in codes(told)) == is_told


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("key", "said", "hint"),
    [
        (["u0", "u1"], ["u0.flac", "u1.flac"], 'the run id_suffix = ".flac"'),
        (["u0.wav", "u1.wav"], ["u0", "u1"], 'the condition id_suffix = ".wav"'),
        (
            ["u0.wav", "u1.wav"],
            ["u0.flac", "u1.flac"],
            'the run id_suffix = ".flac" and the condition id_suffix = ".wav"',
        ),
        (["u0", "u1"], ["eval/x/u0", "eval/x/u1"], "differ by a folder ('eval/x/u0')"),
        (["a/u0", "a/u1"], ["b/u0", "b/u1"], "differ by a folder"),
        (["U0", "U1"], ["u0", "u1"], "differ in capitals"),
        (["u0", "u1"], ["v0", "v1"], "Write the ids as the condition does"),
    ],
)
def test_a_wrong_key_is_explained(make, key, said, hint):
    store, _ = make(
        "trial_id,label\n"
        + "".join(f"{name},{label}\n" for name, label in zip(key, ("target", "nontarget"), strict=True))
    )
    [problem] = refused(store, {"trial_id": said, "score": [1.0, 0.0]})
    assert problem.code == "E870" and hint in str(problem)


def test_swapped_sides_are_found(make):
    store, _ = make("enroll_id,test_id,label\ne,t,target\ne,u,nontarget\n")
    [problem] = refused(store, {"enroll_id": ["t", "u"], "test_id": ["e", "e"], "score": [1.0, 0.0]})
    assert "swapped" in str(problem)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"missing_scores": "drop"}, "error, reject"),
        ({"missing": "reject"}, "There are"),
        ({"higher_is_target": 0}, "true or false"),
    ],
)
def test_odd_options_are_refused(make, scores, options, said):
    store, _ = make()
    problems = refused(store, scores("trial_id,score\na,2\nb,1\nc,3\nd,0\n"), **options)
    assert re.search(said, str(problems[0]))


def test_a_condition_without_a_profile_is_refused_with_the_profiles():
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        key = {"trial_id": ["a", "b"], "label": ["target", "nontarget"]}
        with pytest.raises(InvalidInput, match="condition 'c' names no profile.*Profiles: asvspoof5, bosaris, kaldi"):
            store.add_condition("c", corpus="k", task="verification", key=key)


def test_words_of_the_field_are_names_of_metrics():
    words = {"EER": "eer", "minDCF": "min_c_det_norm", "min DCF": "min_c_det_norm", "ACTDCF": "act_c_det_norm"}
    assert {word: metric_id(word) for word in words} == words


def test_options_are_of_scored_trials_alone():
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("p", corpus="k", task="partition", gold={"item_id": ["a"], "cluster_id": ["1"]})
        with pytest.raises(InvalidInput, match="'missing_scores'.*It is for task verification"):
            store.add_run("r", condition="p", scores={"item_id": ["a"], "cluster_id": ["1"]}, missing_scores="reject")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("scores", "policies", "found"),
    [
        ([1.0, 2.0, float("nan"), 3.0, 4.0], {}, [("E305", 3), ("E951", 5), ("E952", 4)]),
        (["1", "x", "1", "3", "4"], {"unknown_trials": "ignore"}, [("E308", 2)]),
        ([0.1, 0.2, 1.5, 0.3, 0.4], {"repeated_scores": "first"}, [("E955", 3), ("E951", 5)]),
    ],
)
def test_trials_are_checked_beside_values_that_are_not_valid(scores, policies, found):
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        key = {"trial_id": list("abcd"), "label": ["target", "nontarget", "target", "nontarget"]}
        kind = "probability" if scores[0] == 0.1 else "llr"
        store.add_condition("c", corpus="k", task="verification", key=key, profile=["voxsrc"], scores=kind)
        with pytest.raises(InvalidInput) as error:
            store.add_run("r", condition="c", scores={"trial_id": list("abcbe"), "score": scores}, **policies)
        errors = [(problem.code, problem.line) for problem in error.value.problems if problem.is_error]
        assert errors == found, "the trials without a score are not known while rows cannot be read"
