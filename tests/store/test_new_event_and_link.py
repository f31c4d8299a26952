"""New event and link detection by hand: who is a target; refusals are in fixtures/malformed/bundle.

Stories s1 .. s9 in time; s1 s3 s5 s7 s9 English, s2 s4 s6 s8 Mandarin.

         s1   s2   s3   s4   s5   s6   s7   s8   s9
    A   brief yes  yes       yes
    B              yes  yes
    C                        brief      yes

First stories: of A s2 (s1 is only brief), of B s3, which is not the first of A: mixed; of C s7.
"""

import pytest

from tdtsql.errors import InvalidInput
from tdtsql.loading.bundle import evaluate_into
from tdtsql.api import connect


STORIES = "story_id,position,language\n" + "".join(
    f"s{i},{i},{'ENGLISH' if i % 2 else 'MANDARIN'}\n" for i in range(1, 10)
)
JUDGMENTS = (
    "topic_id,story_id,label\nA,s1,brief\nA,s2,yes\nA,s3,yes\nA,s5,yes\nB,s3,yes\nB,s4,yes\nC,s5,brief\nC,s7,yes\n"
)
RUN = "story_id,decision,score\n" + "".join(f"s{i},{'yes' if i in (2, 4) else 'no'},{i}\n" for i in range(1, 10))
INDEX = "# link_detection\n# source_file tkn/x.tkn\ns2 s3\ns3 s4\ns1 s5\ns3 s7\ns6 s8\n"
OUTPUT = "SYS 10\ns2 s3 yes 3\ns3 s4 no 2\ns1 s5 yes 1\ns3 s7 yes 0\ns6 s8 no -1\n"


@pytest.fixture(scope="module")
def store():
    with connect(":memory:") as opened:
        yield opened


def load(store, folder, condition, run, **files):
    """Evaluate one condition and run over the stories; return the messages."""
    for name, text in {
        "stories.csv": STORIES,
        "judgments.csv": JUDGMENTS,
        **{key.replace("_", "."): value for key, value in files.items()},
    }.items():
        (folder / name).write_text(text)
    (folder / "b.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n'
        f'[[condition]]\nid = "c"\nprofile = ["tdt2004", "tdt3eval"]\n{condition}\n[[run]]\nid = "r"\ncondition = '
        f'"c"\n{run}\n'
    )
    try:
        return [str(problem) for problem in evaluate_into(store.engine, folder / "b.toml", score=False).warnings]
    except InvalidInput as error:
        return [str(problem) for problem in error.problems]


def trials(store, view, profile="tdt2004"):
    """Return {(block, story or pair): target, non-target or the reason}."""
    rows = store.sql(f"""
        select block.block_id, trial.trial_no, case when trial.is_scored = 0 then trial.exclusion_reason
            when trial.is_target = 1 then 'target' else 'other' end
        from base.{view}__v1 as trial join base.block as block using (condition_no, block_no)
            join registry.profile as profile using (profile_no)
        where profile.profile_id = '{profile}'""").fetchall()
    return {row[:2]: row[2] for row in rows}


NEW_EVENT = 'task = "new_event"'
TIDY = 'files = ["run.csv"]\nformat = "tidy"'


def test_who_is_a_first_story_under_the_plan(store, tmp_path):
    assert load(store, tmp_path, NEW_EVENT, TIDY, run_csv=RUN) == []
    assert trials(store, "new_event_trial") == {
        ("A", 1): "brief",
        ("A", 2): "target",
        ("A", 3): "other",
        ("A", 5): "other",
        ("B", 3): "target",
        ("B", 4): "other",
        ("C", 5): "brief",
        ("C", 7): "target",
    }
    # yes to s2 and s4: hits A; misses B and C; false alarm on s4 of B; C has no non-target
    store.refresh()
    score = dict(
        store.sql(
            "select metric, value from report.score where condition_id = 'c' and run_id = 'r' and profile_id = "
            "'tdt2004' "
            "and subset = 'all' and weighting = 'topic'"
        ).fetchall()
    )
    assert score["p_miss"] == pytest.approx(2 / 3) and score["p_fa"] == pytest.approx(1 / 2)


def test_the_program_drops_a_story_that_is_new_for_one_topic_and_old_for_another(store, tmp_path):
    load(store, tmp_path, NEW_EVENT, TIDY, run_csv=RUN)
    assert trials(store, "new_event_trial", "tdt3eval") == {
        ("A", 1): "brief",
        ("A", 2): "target",
        ("A", 3): "mixed",
        ("A", 5): "other",
        ("B", 3): "mixed",
        ("B", 4): "other",
        ("C", 5): "brief",
        ("C", 7): "target",
    }


def test_brief_stories_can_count_as_on_topic(store, tmp_path):
    load(store, tmp_path, NEW_EVENT + '\non_topic = ["yes", "brief"]', TIDY, run_csv=RUN)
    found = trials(store, "new_event_trial")
    assert (found["A", 1], found["A", 2], found["C", 5], found["C", 7]) == ("target", "other", "target", "other")


def test_a_language_moves_the_first_story(store, tmp_path):
    load(store, tmp_path, NEW_EVENT + '\nlanguages = ["ENGLISH"]', TIDY, run_csv=RUN)
    found = trials(store, "new_event_trial")
    assert found["A", 3] == "target" and ("A", 2) not in found


def test_missing_and_unknown_stories_are_warnings(store, tmp_path):
    messages = load(store, tmp_path, NEW_EVENT, TIDY, run_csv="story_id,decision,score\ns1,no,1\ns99,yes,2\n")
    assert messages == [
        "run.csv:3: W823 a decision on a docno that the corpus does not have ('s99'). It has no effect.",
        "run.csv: W847 8 stories of the test set have no decision. They count as no with the score -9e99.",
    ]


LINK = 'task = "link"\nindex = ["link.ndx"]'
TDT = 'files = ["sys.out"]\nformat = "tdt"'


def test_links_from_judgments(store, tmp_path):
    assert load(store, tmp_path, LINK, TDT, link_ndx=INDEX, sys_out=OUTPUT) == []
    assert trials(store, "link_trial") == {
        ("A", 1): "target",  # s2 s3: both on A
        ("B", 1): "linked_elsewhere",  # s3 is on B too
        ("B", 2): "target",
        ("A", 2): "linked_elsewhere",  # s3 s4: both on B
        ("A", 3): "brief",  # s1 is brief for A, s5 on it
        ("A", 4): "other",
        ("B", 4): "other",
        ("C", 4): "other",  # s3 on A and B, s7 on C
    }  # s6 s8: on no topic
    store.refresh()
    rows = dict(
        store.sql(
            "select subset, value from report.score where condition_id = 'c' and profile_id = 'tdt2004' and metric = "
            "'n_target' and weighting = 'story'"
        ).fetchall()
    )
    assert rows == {
        "all": 2,
        "crossing=cross": 2,
        "crossing=same": 0,
        "language=ENGLISH": 0,
        "language=ENGLISH:MANDARIN": 2,
        "language=MANDARIN": 0,
    }


def test_links_from_a_key(store, tmp_path):
    key = "# LINK_DETECTION\ns2 s3 TARGET A\ns3 s4 OTHER A\ns1 s5 NONTARGET A\ns3 s7 NONTARGET C\ns6 s8 TARGET C\n"
    assert load(store, tmp_path, LINK + '\nkey = "lnk.key"', TDT, link_ndx=INDEX, lnk_key=key, sys_out=OUTPUT) == []
    assert trials(store, "link_trial") == {
        ("A", 1): "target",
        ("A", 2): "other",
        ("A", 3): "other",
        ("C", 4): "other",
        ("C", 5): "target",
    }
    assert dict(
        store.sql("select trial_no, exclusion_reason from base.link_trial__v1 where is_scored = 0").fetchall()
    ) == {2: "other"}


def test_a_pair_that_two_keys_answer_counts_in_the_blocks_of_both(store, tmp_path):
    (tmp_path / "two.key").write_text("# LINK_DETECTION\ns3 s4 NONTARGET A\ns2 s3 TARGET B\n")
    messages = load(
        store,
        tmp_path,
        'task = "link"\nkey = "*.key"',
        TDT,
        lnk_key="# LINK_DETECTION\ns2 s3 TARGET A\n",
        sys_out="SYS 10\ns2 s3 yes 3\ns3 s4 no 2\n",
    )
    assert messages == []
    assert trials(store, "link_trial") == {("A", 1): "target", ("A", 2): "other", ("B", 1): "target"}


def test_a_tidy_run_of_links_may_be_in_two_files(store, tmp_path):
    """Each file had to decide on all pairs, so that a run in two files was refused (E856)."""
    header = "story_id_1,story_id_2,decision,score\n"
    said = load(
        store,
        tmp_path,
        'task = "link"\ntrials = "pairs.csv"',
        'files = ["one.csv", "two.csv"]\nformat = "tidy"',
        pairs_csv="story_id_1,story_id_2\ns1,s2\ns1,s3\ns2,s3\n",
        one_csv=header + "s1,s2,yes,1\n",
        two_csv=header + "s1,s3,no,0\ns2,s3,no,0.5\n",
    )

    assert said == []
    assert store.sql("select count(*) from base.decision").fetchall() == [(3,)]
