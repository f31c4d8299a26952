"""Runs of scores alone: a profile's threshold decides for them (`decide_at`), and without one they have no hard
decisions. A threshold may be carried over: fitted on the run of the same name in a development condition.

By p_target 1/2 and costs of 1 the development scores

            targets 3 2 1      non-targets 2.5 0 -1

cost least from 1 on: no miss, one false alarm of three, 1/2 * 1/3 = 1/6 (from 2 on 1/3, from 3 on 1/3, from 0 on 1/3).
The evaluation

            targets 0.9 1      non-targets 1.5 0

has then a miss (0.9), and a false alarm (1.5): 1/2 * 1/2 + 1/2 * 1/2 = 1/2, normalised 1. Its own least cost, from 0.9
on, is 1/4, normalised 1/2.
"""

import math

import pytest

import tdtsql
from tdtsql.errors import InvalidInput

STORIES = "story_id,position\n" + "".join(f"S{number},{number}\n" for number in range(1, 7))
BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

[profile.at_one]
decide_at = 1

[profile.at_bayes]
decide_at = "bayes"
p_target = 0.95
c_miss = 1
c_fa = 10

[profile.even]
p_target = 0.5
c_miss = 1
c_fa = 1

[profile.carried]
base = "even"
decide_at = "condition:dev"

[[condition]]
id = "dev"
task = "verification"
key = "dev_key.csv"
profile = ["even"]

[[condition]]
id = "eval"
task = "verification"
key = "eval_key.csv"
profile = ["even", "carried"]

[[condition]]
id = "track"
task = "tracking"
profile = ["tdt2004", "at_one", "at_bayes"]

[[condition]]
id = "link"
task = "link"
key = "link.key"
profile = ["tdt2004", "at_one", "carried"]

[[condition]]
id = "new"
task = "new_event"
profile = ["tdt2004", "at_one", "carried"]

[[condition]]
id = "voice"
task = "verification"
key = "key.csv"
profile = ["tdt2004", "at_one"]

"""
FILES = {
    "stories.csv": STORIES,
    "topics.csv": "topic_id\nT1\n",
    "judgments.csv": "topic_id,story_id,label\nT1,S1,yes\nT1,S2,yes\nT1,S3,yes\n",
    "link.key": "# LINK_DETECTION\nS1 S2 TARGET b\nS1 S4 NONTARGET b\n",
    "key.csv": "trial_id,label\na,target\nb,nontarget\n",
    # by .95, 1 and 10 the Bayes threshold is -ln(19/10), -.64: yes to S1 S2 S3 and S4; by 1 to S1 and S4
    "track.csv": "topic_id,story_id,score\nT1,S1,2\nT1,S2,0.5\nT1,S3,-0.5\nT1,S4,1\nT1,S5,-0.7\nT1,S6,-3\n",
    "link.csv": "story_id_1,story_id_2,score\nS1,S2,1.5\nS1,S4,0.5\n",
    "new.csv": "story_id,score\n" + "".join(f"S{number},{number / 2}\n" for number in range(1, 7)),
    "voice.csv": "trial_id,score\na,0.5\nb,1\n",
    "dev_key.csv": "trial_id,label\na,target\nb,target\nc,target\nd,nontarget\ne,nontarget\nf,nontarget\n",
    "dev.csv": "trial_id,score\na,3\nb,2\nc,1\nd,2.5\ne,0\nf,-1\n",
    "eval_key.csv": "trial_id,label\na,target\nb,target\nc,nontarget\nd,nontarget\n",
    "eval.csv": "trial_id,score\na,0.9\nb,1\nc,1.5\nd,0\n",
}
HARD = ("n_hit", "n_miss", "n_false_alarm", "n_correct_rejection", "p_miss", "p_fa", "c_det", "c_det_norm")


def written(folder, **files):
    for name, text in {**FILES, **files}.items():
        (folder / name).write_text(text)
    path = folder / "bundle.toml"
    path.write_text(
        BUNDLE
        + "".join(
            f'[[run]]\nid = "s"\ncondition = "{name}"\nfiles = ["{name}.csv"]\nformat = "tidy"\n'
            for name in ("track", "link", "new", "voice", "dev", "eval")
        )
    )
    return path


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with tdtsql.evaluate(written(tmp_path_factory.mktemp("scores"))) as opened:
        yield opened


def number(store, condition, profile, metric, weighting="story"):
    [(value, n)] = store.sql(
        f"select value, n from report.score where condition_id = '{condition}' and profile_id = '{profile}' and "
        f"metric = '{metric}' "
        f"and weighting = '{weighting}' and subset = 'all'"
    ).fetchall()
    return value, n


@pytest.mark.sample(2)
@pytest.mark.parametrize("condition", ["track", "link", "new", "voice"])
def test_without_a_threshold_there_are_no_hard_decisions(store, condition):
    assert {metric: number(store, condition, "tdt2004", metric) for metric in HARD} == dict.fromkeys(HARD, (None, 0))
    assert number(store, condition, "tdt2004", "min_c_det_norm")[0] is not None
    filtering = store.sql(
        f"select distinct value, n from report.score where condition_id = '{condition}' and profile_id = 'tdt2004' "
        f"and weighting = 'story' "
        "and metric in ('precision', 'recall', 'f1', 't11u', 't11su', 'c_det_prel')"
    ).fetchall()
    assert filtering == ([] if condition == "voice" else [(None, 0)])


def test_a_number_is_the_lowest_score_that_is_a_yes(store):
    # S1 of three targets, S4 of three others
    assert (number(store, "track", "at_one", "n_hit"), number(store, "track", "at_one", "n_false_alarm")) == (
        (1.0, 6),
        (1.0, 6),
    )
    assert number(store, "track", "at_one", "p_miss") == (2 / 3, 3)
    assert (number(store, "link", "at_one", "p_miss")[0], number(store, "link", "at_one", "p_fa")[0]) == (0, 0)
    assert (number(store, "voice", "at_one", "p_miss")[0], number(store, "voice", "at_one", "p_fa")[0]) == (1, 1)
    # of the stories on the topic S2 and S3 reach 1, which are not its first
    assert (number(store, "new", "at_one", "p_miss")[0], number(store, "new", "at_one", "p_fa")[0]) == (1, 1)
    assert store.sql(
        "select sum(is_yes) from base.detection_trial__v1 join registry.run using (run_no) join registry.profile "
        "using (profile_no) "
        "join registry.condition using (condition_no) where condition_id = 'track' and profile_id = 'at_one'"
    ).fetchall() == [(2,)]


def test_the_bayes_threshold_is_that_of_the_costs(store):
    assert store.sql(
        "select decide_at, decide_threshold from registry.profile where profile_id in ('at_bayes', 'at_one') order by "
        "profile_id"
    ).fetchall() == [("bayes", -math.log(1.9)), ("threshold", 1.0)]
    assert (number(store, "track", "at_bayes", "n_hit")[0], number(store, "track", "at_bayes", "n_false_alarm")[0]) == (
        3,
        1,
    )


def test_the_actual_cost_of_a_threshold_carried_over(store):
    rows = store.sql("select profile_id, decided_by, fitted_on, threshold, reason from report.threshold "
                     "where condition_id = 'eval' order by all").fetchall()  # fmt: skip
    assert rows == [("carried", "condition", "dev", 1.0, None), ("even", None, None, None, "no_threshold")]
    actual = {
        "p_miss": (0.5, 2),
        "p_fa": (0.5, 2),
        "c_det": (0.5, 4),
        "c_det_norm": (1.0, 4),
        "min_c_det_norm": (0.5, 4),
    }
    assert {metric: number(store, "eval", "carried", metric) for metric in actual} == actual
    assert number(store, "eval", "even", "c_det_norm") == (None, 0)
    # pairs and first stories are decided by it, too: it is that of at_one
    for condition in ("link", "new"):
        for metric in ("n_hit", "n_false_alarm", "p_miss", "p_fa"):
            assert number(store, condition, "carried", metric) == number(store, condition, "at_one", metric), metric


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (
            'decide_at = "soon"',
            "E711 profile 'at_one': decide_at is 'soon', expected a number, \"bayes\" or \"condition:NAME\"",
        ),
        (
            'decide_at = "condition:"',
            "E711 profile 'at_one': decide_at is 'condition:', expected a number, \"bayes\" or \"condition:NAME\"",
        ),
        (
            'decide_at = "condition"',
            "E711 profile 'at_one': decide_at is 'condition', expected a number, \"bayes\" or \"condition:NAME\"",
        ),
        (
            'decide_condition = "dev"',
            "E711 profile 'at_one': decide_condition is part of decide_at. Write decide_at = \"condition:dev\".",
        ),
        (
            'decide_at = "condition:dev"\ndet_rule = "program"',
            'E711 profile \'at_one\': decide_at = "condition:dev" needs det_rule = "complete"',
        ),
        (
            'decide_at = "bayes"\np_target = 1',
            "E711 profile 'at_one': decide_at = \"bayes\" needs p_target between 0 and 1, and c_miss and c_fa above 0",
        ),
    ],
)
def test_a_threshold_that_cannot_be_is_refused(store, setting, said, tmp_path):
    path = written(tmp_path)
    path.write_text(path.read_text().replace("decide_at = 1\n", setting + "\n"))
    with pytest.raises(InvalidInput) as caught:
        store.evaluate(path)
    assert said in str(caught.value)


def test_an_empty_decision_among_others_is_refused(store, tmp_path):
    with pytest.raises(InvalidInput, match="track.csv:3:7: E305 decision is empty"):
        store.evaluate(written(tmp_path, **{"track.csv": "topic_id,story_id,decision,score\nT1,S1,yes,1\nT1,S2,,0\n"}))
