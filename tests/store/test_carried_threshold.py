"""Thresholds carried over: fitted on the run of the same name in a development condition (`decide_at =
"condition:dev"`).

By p_target 1/2 and costs of 1 the development scores

            targets 3 2 1      non-targets 2.5 0 -1

cost least from 1 on: no miss, one false alarm of three, 1/2 * 1/3 = 1/6 (from 2 on 1/3, from 3 on 1/3, from 0 on 1/3).
The evaluation

            targets 0.9 1      non-targets 1.5 0

has then a miss (0.9), and a false alarm (1.5): 1/2 * 1/2 + 1/2 * 1/2 = 1/2, normalised 1. Its own least cost, from 0.9
on, is 1/4, normalised 1/2.
"""

import re

import pytest

import tdtsql

BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

[profile.even]
p_target = 0.5
c_miss = 1
c_fa = 1

[profile.carried]
base = "even"
decide_at = "condition:dev"

[profile.of_topics]
base = "even"
decide_at = "condition:track-dev"

[[condition]]
id = "dev"
task = "verification"
key = "dev.csv"
profile = ["even"]

[[condition]]
id = "eval"
task = "verification"
key = "eval.csv"
profile = ["even", "carried"]

[[condition]]
id = "link"
task = "link"
key = "link.key"
profile = ["carried"]

[[condition]]
id = "new"
task = "new_event"
profile = ["carried"]

"""
DEV = {
    "a": ("target", 3),
    "b": ("target", 2),
    "c": ("target", 1),
    "d": ("nontarget", 2.5),
    "e": ("nontarget", 0),
    "f": ("nontarget", -1),
}
EVAL = {"a": ("target", 0.9), "b": ("target", 1), "c": ("nontarget", 1.5), "d": ("nontarget", 0)}
TOPICS = "topic_id,story_id,score\n"
FILES = {
    "stories.csv": "story_id,position\n" + "".join(f"S{number},{number}\n" for number in range(1, 7)),
    "topics.csv": "topic_id\nT1\nT2\n",
    "judgments.csv": "topic_id,story_id,label\nT1,S1,yes\nT1,S2,yes\nT2,S3,yes\n",
    "link.key": "# LINK_DETECTION\nS1 S2 TARGET b\nS1 S4 NONTARGET b\n",
    "link.s": "story_id_1,story_id_2,score\nS1,S2,1\nS1,S4,0.5\n",
    "new.s": "story_id,score\n" + "".join(f"S{number},{number / 2}\n" for number in range(1, 7)),
    # T1 has two targets at 4 and 2 and a false alarm of four at 3, T2 a target at 1 and four false alarms of five at
    # 1.5. Half of (miss + false alarm):
    #     from 2 on, over topics (1/2 + 1/8)/2 = 5/16, over all trials (1/3 + 1/9)/2 = 2/9
    #     from 1 on, over topics (0 + 21/40)/2 = 21/80, over all trials (0 + 5/9)/2 = 5/18: the least is another
    "track-dev.s": TOPICS
    + "T1,S1,4\nT1,S2,2\nT1,S3,3\nT2,S3,1\n"
    + "".join(f"T2,S{number},1.5\n" for number in (1, 2, 4, 5)),
    "track.s": TOPICS + "T1,S1,1\nT1,S2,0.9\nT1,S3,7\nT2,S3,0.5\n",
}


def key(trials):
    return "trial_id,label\n" + "".join(f"{trial},{label}\n" for trial, (label, _) in trials.items())


def scores(trials):
    return {"trial_id": list(trials), "score": [float(score) for _, score in trials.values()]}


def csv(columns):
    return (
        ",".join(columns)
        + "\n"
        + "".join(",".join(map(str, row)) + "\n" for row in zip(*columns.values(), strict=True))
    )


def written(folder, bundle=BUNDLE, **files):
    runs = re.findall(r'(?m)^id = "(.*)"\ntask', bundle)
    for name, text in {
        **FILES,
        "dev.csv": key(DEV),
        "eval.csv": key(EVAL),
        "dev.s": csv(scores(DEV)),
        "eval.s": csv(scores(EVAL)),
        **files,
    }.items():
        (folder / name).write_text(text)
    (folder / "bundle.toml").write_text(
        bundle
        + "".join(f'[[run]]\nid = "s"\ncondition = "{name}"\nfiles = ["{name}.s"]\nformat = "tidy"\n' for name in runs)
    )
    return folder / "bundle.toml"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with tdtsql.evaluate(written(tmp_path_factory.mktemp("carried"))) as opened:
        yield opened


def number(store, condition, profile, metric, weighting="story"):
    found = store.engine.rows(
        f"select value, n from report.score where condition_id = '{condition}' and profile_id = '{profile}' and "
        f"metric = '{metric}' "
        f"and weighting = '{weighting}' and subset = 'all'"
    )
    return found[0] if found else "not current"


def threshold(store, condition, profile):
    [row] = store.sql(
        f"select decided_by, fitted_on, threshold, reason from report.threshold where condition_id = '{condition}' "
        f"and profile_id = '{profile}'"
    ).fetchall()
    return row


def test_the_actual_cost_of_a_threshold_carried_over(store):
    assert threshold(store, "eval", "carried") == ("condition", "dev", 1.0, None)
    assert [number(store, "eval", "carried", metric) for metric in ("p_miss", "p_fa", "c_det", "c_det_norm")] == [
        (0.5, 2),
        (0.5, 2),
        (0.5, 4),
        (1.0, 4),
    ]
    assert number(store, "eval", "carried", "min_c_det_norm") == (0.5, 4)
    # the same run under a profile that decides nothing
    assert number(store, "eval", "even", "c_det_norm") == (None, 0)
    assert threshold(store, "eval", "even") == (None, None, None, "no_threshold")


def test_pairs_and_first_stories_are_decided_by_it_too(store):
    assert (number(store, "link", "carried", "n_hit")[0], number(store, "link", "carried", "n_false_alarm")[0]) == (
        1,
        0,
    )
    # of T1 the first story has 0.5, the second 1
    assert store.sql(
        "select sum(is_yes) from base.detection_trial__v1 join registry.run using (run_no) join registry.condition "
        "using (condition_no) "
        "where condition_id = 'new' and block_id = 'T1'"
    ).fetchall() == [(1,)]
    assert number(store, "new", "carried", "p_miss", "topic")[0] == 0.5
