"""The fast path against the definition: base.detection_trial__v1 lists every trial, other views count them unlisted.

Compared in both directions: trials per block and segment, trials per block and
language or source, every scored decision, every target with its score. And the
definition by itself: every (topic, story) once, with one reason where it is not scored.
"""

import itertools
import random

import pytest
from hypothesis import HealthCheck, given, reject
from lanes import both, examples, number
from hypothesis import strategies as st

from tdtsql.errors import InvalidInput

import tdtsql
from bundle_file import write_bundle, write_tables
from tdt3eval_case import read_case, write_case

REASONS = {"not_news", "excluded_source_file", "training", "before_test", "other_condition", "brief", "judged_no"}
REASONS_OF_LISTED = {"mixed", "brief", "judged_no", "other", "linked_elsewhere"}
LANGUAGES, KINDS = ("ENGLISH", "MANDARIN"), ("NEWS", "MISCELLANEOUS")
TDT3EVAL = (
    "trk01_docno_3lang_ssd trk03_brief_no_multi trk04_missing_decisions trk05_topic_no_target "
    "trk06_recid_majority trk08_time_majority trk12_nt4 fsd01_basic fsd03_brief_default fsd05_multi_topic "
    "lnk01_basic lnk03_block_no_target lnk04_other_shuffled"
).split()

#: what is compared: name -> (the definition, the fast path), the same columns in both
PAIRS = {
    "trials per block and segment": (
        """select run_no, profile_no, block_no, segment_no, sum(is_target) as n_target,
            sum(1 - is_target) as n_nontarget
        from trial join place using (run_no, profile_no, block_no, trial_no)
        where is_scored = 1 and trial_no > 0 group by all""",
        """select run_no, profile_no, block_no, segment_no, n_target, n_nontarget
        from base.trial_count__v1 join registry.run using (condition_no) where n_target + n_nontarget > 0""",
    ),
    "trials per block": (
        """select run_no, profile_no, block_no, sum(is_target) as n_target, sum(1 - is_target) as n_nontarget,
            sum(is_target * is_yes) as n_hit, sum((1 - is_target) * is_yes) as n_false_alarm
        from trial where is_scored = 1 group by all""",
        """select run_no, profile_no, block_no, n_target, n_nontarget, n_hit, n_false_alarm
        from metric.detection_count__v1 where subset_no = 0 and n_trial > 0""",
    ),
    "trials per block and language or source": (
        """select run_no, profile_no, subset, block_no, sum(is_target) as n_target, sum(1 - is_target) as n_nontarget,
            sum(is_target * is_yes) as n_hit
        from trial join registry.run using (run_no) join registry.condition using (condition_no)
        join base.story on story.corpus_no = condition.corpus_no and story_no = trial_no
        join base.subset on subset.condition_no = run.condition_no
            and subset in ('language=' || language, 'source=' || story.source)
        where is_scored = 1 and task = 'tracking' group by all""",
        """select run_no, profile_no, subset, block_no, n_target, n_nontarget, n_hit
        from metric.detection_count__v1 join registry.run using (run_no) join registry.condition using (condition_no)
        join base.subset using (condition_no, subset_no)
        where subset.kind in ('language', 'source') and n_trial > 0 and task = 'tracking'""",
    ),
    "targets with their scores": (
        """select run_no, profile_no, block_no, trial_no, coalesce(score, -9e99) as score
        from trial join registry.profile using (profile_no)
        where is_scored = 1 and is_target = 1 and det_rule = 'program'""",
        """select run_no, profile_no, block_no, trial_no, score from metric.detection_target_score__v1
        where subset_no = 0""",
    ),
    "scored decisions": (
        """select run_no, profile_no, trial.block_no, trial_no, is_target, trial.is_yes, trial.score
        from trial join place using (run_no, profile_no, block_no, trial_no)
        join base.decision as decision using (run_no, trial_no)
        where is_scored = 1 and decision.block_no = decision_block_no""",
        "select run_no, profile_no, block_no, trial_no, is_target, is_yes, score from base.scored_decision__v1",
    ),
}
# where a trial counts, straight from the tables: the segment of the story, of the listed pair, or of the pair of
# stories
PLACE = """
    select run_no, profile_no, trial.block_no, trial.trial_no,
        case when task in ('new_event', 'link') then 0 else trial.block_no end as decision_block_no,
        coalesce(pair.segment_no, listed.segment_no, member.segment_no) as segment_no
    from trial join registry.run using (run_no) join registry.condition using (condition_no)
    left join base.link_pair as pair on task = 'link' and pair.condition_no = run.condition_no
        and pair.trial_no = trial.trial_no
    left join base.listed_pair as listed on listed.condition_no = run.condition_no and listed.block_no = trial.block_no
        and listed.trial_no = trial.trial_no
    left join base.segment_story as member on task <> 'link' and member.condition_no = run.condition_no
        and member.story_no = trial.trial_no"""


def check_store(store):
    """Compare everything in a store; returns how many rows were compared."""
    store.engine.execute("create or replace temp table trial as select * from base.detection_trial__v1")
    store.engine.execute(f"create or replace temp table place as {PLACE}")
    n_compared = 0
    for name, (definition, fast) in PAIRS.items():
        for first, second in ((definition, fast), (fast, definition)):
            extra = store.engine.rows(f"select * from ({first}) except all select * from ({second})")
            where = "the definition" if first is definition else "the fast path"
            assert not extra, (name, f"in {where} only", len(extra), extra[:3])
        n_compared += store.engine.value(f"select count(*) from ({definition})")
    check_reasons(store)
    return n_compared


def check_reasons(store):
    [repeated] = store.engine.rows(
        "select count(*) - count(distinct (run_no, profile_no, block_no, trial_no)) from trial"
    )
    assert repeated == (0,)
    wrong = store.engine.rows("select * from trial where (is_scored = 1) <> (exclusion_reason is null)")
    assert not wrong, wrong[:3]
    reasons = store.engine.rows("""
        select distinct condition.task in ('tracking', 'filtering'), trial.exclusion_reason
        from trial join registry.run as run on run.run_no = trial.run_no
            join registry.condition as condition on condition.condition_no = run.condition_no
        where trial.is_scored = 0""")
    assert {reason for of_stories, reason in reasons if of_stories} <= REASONS
    assert {reason for of_stories, reason in reasons if not of_stories} <= REASONS_OF_LISTED
    missing = store.engine.rows("""
        select run.run_no, wanted.profile_no, block.block_no, story.story_no
        from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.condition_profile as wanted on wanted.condition_no = run.condition_no
        join base.block as block on block.condition_no = run.condition_no
        join base.story as story on story.corpus_no = condition.corpus_no
        where condition.task = 'tracking'
        except select run_no, profile_no, block_no, trial_no from trial""")
    assert not missing, ("stories that are neither scored nor explained", missing[:3])


@both
def test_official_cases(shared, tmp_path):
    """All in one store: planning the definition takes longer than a case."""
    names = TDT3EVAL[:: number(default=6, full=1)]
    with tdtsql.connect(":memory:") as store:
        for name in names:
            case = read_case(shared / "golden" / "tdt3eval" / name)
            load(store, write_case(case, tmp_path / name, corpus_id=name, condition_id=name, profile_id=name))
        assert check_store(store) > 10 * len(names)
        compared = store.engine.value("select count(distinct run_no) from trial where is_scored = 1")
        assert compared == len(names)


@pytest.fixture(scope="module")
def store():
    with tdtsql.connect(":memory:") as opened:
        yield opened


@examples(default=1, full=20, suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(st.integers(0, 2**32), st.integers(0, 2**32)).filter(lambda seeds: seeds[0] != seeds[1]))
def test_arbitrary_small_evaluations(store, tmp_path_factory, seeds):
    """Two evaluations in one store."""
    for place, seed in enumerate(seeds):
        folder = tmp_path_factory.mktemp("arbitrary")
        try:
            load(store, write_arbitrary(random.Random(seed), folder, f"arbitrary{place}"))
        except InvalidInput as refused:  # a run or a condition in which nothing counts is refused
            assert {problem.code for problem in refused.problems if problem.is_error} <= {"E870", "E871"}
            reject()
    check_store(store)


def load(store, bundle):
    from tdtsql.load.bundle import evaluate_into

    evaluate_into(store.engine, bundle, score=False)


def write_arbitrary(made, folder, name):
    """Write a bundle with two conditions and two runs each over a corpus of this name, with every reason for not
    scoring.
    """
    kinds = ["NEWS"] * 3 + ["MISCELLANEOUS"]
    stories = [
        (f"d{n:03d}", n, f"f{n // 4}", made.choice(["NYT", "XIN"]), made.choice(LANGUAGES), made.choice(kinds))
        for n in range(1, made.randint(8, 40))
    ]
    ids = [story[0] for story in stories]
    topics = [f"T{number}" for number in range(made.randint(1, 4))]
    judged = {
        (made.choice(topics), made.choice(ids)): made.choice(["yes", "yes", "brief", "no"])
        for _ in range(made.randint(0, 20))
    }
    training = {(made.choice(topics), made.choice(ids[: len(ids) // 2])) for _ in range(made.randint(0, 4))}
    listed = sorted({(made.choice(topics), made.choice(ids)) for _ in range(made.randint(1, 30))})
    corpus = write_tables(
        folder,
        stories=("story_id position source_file source language kind", stories),
        topics=("topic_id", [(topic,) for topic in topics]),
        judgments=("topic_id story_id label", [(*key, label) for key, label in judged.items()]),
    )
    write_tables(folder, training=("topic_id story_id", sorted(training)), trials=("topic_id story_id", listed))
    for run in ("a", "b"):
        said = [
            (topic, story, made.choice(["yes", "no"]), made.choice([0.1, 0.5, 0.9]))
            for topic in topics
            for story in ids
            if made.random() < 0.7
        ]
        write_tables(folder, **{run: ("topic_id story_id decision score", said)})
    implied = {"id": f"{name} implied", "task": "tracking", "profile": ["tdt2004", "tdt3eval", "f4de"]}
    if training:
        implied["training"] = "training.csv"
    if made.random() < 0.5:
        implied["languages"] = [made.choice(LANGUAGES)]
    return write_bundle(
        folder,
        corpus={"id": name} | corpus,
        conditions=[
            implied,
            {"id": f"{name} listed", "task": "tracking", "trials": "trials.csv", "profile": ["tdt2004", "f4de"]},
        ],
        runs=[
            {"id": run, "condition": f"{name} {condition}", "files": [f"{run}.csv"], "format": "tidy"}
            for run in ("a", "b")
            for condition in ("implied", "listed")
        ],
    )


#: keys that decide what is tested, as `write_combinations` uses them
CHOICES = {
    "tracking": {
        "trials": "trials.csv",
        "training": "training.csv",
        "languages": ["ENGLISH"],
        "topic_pattern": "T[01]",
        "on_topic": ["yes", "brief"],
    },
    "filtering": {"trials": "trials.csv", "languages": ["ENGLISH"], "periods": [7], "topic_pattern": "T[12]"},
}


@both
def test_counts_are_those_of_the_definition_for_all_combinations_of_keys(store, tmp_path):
    """A condition for each set of keys; stories of one source file are excluded, and some are no news."""
    conditions = [
        {"id": " ".join([task, *keys]), "task": task, **{key: choices[key] for key in keys}}
        for task, choices in CHOICES.items()
        for n_key in range(len(choices) + 1)
        for keys in itertools.combinations(choices, n_key)
    ][:: number(default=4, full=1)]
    for one in conditions:
        one["profile"] = ["tdt2004", "tdt3eval"] if one["task"] == "tracking" else ["trec11"]
    stories = [
        (f"d{n:02}", n, f"f{n // 3}", ("NYT", "XIN")[n // 3 % 2], LANGUAGES[n % 2], KINDS[n % 7 == 6])
        for n in range(1, 19)
    ]
    topics = ["T0", "T1", "T2"]
    pairs = [(topic, story[0]) for topic in topics for story in stories]
    labels = [(*pair, ("yes", "brief", "no")[n % 3]) for n, pair in enumerate(pairs) if n % 4 < 2]
    said = [(*pair, ("yes", "no")[n % 2], n % 5) for n, pair in enumerate(pairs) if n % 7]
    corpus = write_tables(
        tmp_path,
        stories=("story_id position source_file source language kind", stories),
        topics=("topic_id", [(topic,) for topic in topics]),
        judgments=("topic_id story_id label", labels),
    )
    write_tables(
        tmp_path,
        training=("topic_id story_id", [("T0", "d03"), ("T0", "d05"), ("T1", "d08")]),
        trials=("topic_id story_id", pairs[::2] + pairs[1::6]),
        run=("topic_id story_id decision score", said),
    )
    (tmp_path / "exclude.ssd").write_text(
        '<source_subset><set title="x" heading="x"><source_file filename="f5"></set></source_subset>\n'
    )
    corpus |= {"id": "keys", "exclude": "exclude.ssd"}
    runs = [{"id": "keys", "condition": one["id"], "files": ["run.csv"], "format": "tidy"} for one in conditions]
    load(store, write_bundle(tmp_path, corpus=corpus, conditions=conditions, runs=runs))

    assert check_store(store) > 40 * len(conditions)


def test_each_reason_is_named(store, tmp_path):
    """One story for each reason, in the order of the corpus; the topic is trained on d2.

    d1 before the training story   d2 training   d3 not news   d4 brief   d5 judged no   d6 in Mandarin   d7 target   d8
    plain
    """
    stories = [(f"d{n}", n, LANGUAGES[n == 6], KINDS[n == 3]) for n in range(1, 9)]
    judged = [("T", "d2", "yes"), ("T", "d4", "brief"), ("T", "d5", "no"), ("T", "d7", "yes")]
    corpus = {"id": "reasons"} | write_tables(
        tmp_path,
        stories=("story_id position language kind", stories),
        topics=("topic_id", [("T",)]),
        judgments=("topic_id story_id label", judged),
    )
    write_tables(
        tmp_path,
        training=("topic_id story_id", [("T", "d2")]),
        run=("topic_id story_id decision score", [("T", "d7", "yes", 0.5)]),
    )
    condition = {"id": "reasons", "task": "tracking", "training": "training.csv", "languages": ["english"]}
    condition["profile"] = ["tdt2004", "tdt3eval", "f4de"]
    runs = [{"id": "reasons", "condition": "reasons", "files": ["run.csv"], "format": "tidy"}]
    load(store, write_bundle(tmp_path, corpus=corpus, conditions=[condition], runs=runs))

    rows = store.sql("""
        select profile_id, trial_no, coalesce(exclusion_reason, 'scored'), is_target, is_yes, score
        from base.detection_trial__v1 join registry.profile using (profile_no) join registry.run using (run_no)
        where run.run_id = 'reasons' order by all""").fetchall()
    reasons = {profile: [row[2] for row in rows if row[0] == profile] for profile in ("tdt2004", "tdt3eval", "f4de")}
    assert reasons["tdt2004"] == "before_test training not_news brief scored other_condition scored scored".split()
    assert (
        reasons["tdt3eval"] == "before_test before_test not_news brief judged_no other_condition scored scored".split()
    )
    plan = {row[1]: row[3:] for row in rows if row[0] == "tdt2004"}
    assert plan[7] == (1, 1, 0.5) and plan[8] == (0, 0, -9e99) and plan[2][0] == 1
    assert [row[5] for row in rows if row[0] == "f4de" and row[1] == 8] == [None]
