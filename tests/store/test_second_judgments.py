"""Adjudication: candidates in the plan's order, and every number before and after.

Topic t1 is s1 s2 s3 of ten stories; t2 is s4, its annotation incomplete.
    A says yes to s1 (hit, 0.9), s5 (0.95), s6 (0.1) for t1
    B says yes to s2 (hit, 0.5), s5 (0.4) for t1, s7 (0.8) for t2
s5 is judged no for t1; nobody examined s6 and s7.
    s5: both systems (a), surer than half of A's hits (e)
    s6: no by default (b)
    s7: no by default (b), topic incomplete (c)
"""

import json

import pytest
from click.testing import CliRunner

from tdtsql.cli.main import cli
from loads import unscored_loads
from tdtsql.api import evaluate

FILES = {
    "stories.csv": "story_id,position\n" + "".join(f"s{i},{i}\n" for i in range(1, 11)),
    "topics.csv": "topic_id,is_complete\nt1,yes\nt2,no\n",
    "judgments.csv": "topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\nt1,s3,yes\nt1,s5,no\nt2,s4,yes\n",
    "second.csv": "topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\nt1,s3,yes\nt1,s5,yes\nt2,s4,yes\n",
    "run.csv": "run_id,topic_id,story_id,decision,score\nA,t1,s1,yes,0.9\nA,t1,s5,yes,0.95\nA,t1,s6,yes,0.1\n"
    "B,t1,s2,yes,0.5\nB,t1,s5,yes,0.4\nB,t2,s7,yes,0.8\n",
    "h.xml": '<htd system="s" rootVertex="a"><vertexSet><vertex name="a"/><vertex name="b"><story docID="s1"/><story '
    'docID="s2"/><story docID="s3"/>'
    '</vertex><vertex name="c"><story docID="s4"/><story docID="s5"/></vertex></vertexSet><edgeSet><edge '
    'srcVertex="a" destVertex="b"/>'
    '<edge srcVertex="a" destVertex="c"/></edgeSet></htd>',
    "bundle.toml": """
[corpus]
id = "k"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"
#judgments_2 = "second.csv"
[[condition]]
id = "c"
task = "tracking"
[[condition]]
id = "h"
task = "hierarchy"
[[run]]
condition = "c"
files = ["run.csv"]
[[run]]
id = "H"
condition = "h"
files = ["h.xml"]
""",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def load_second(folder):
    (folder / "bundle.toml").write_text(FILES["bundle.toml"].replace("#judgments_2", "judgments_2"))
    return evaluate(folder / "bundle.toml", folder / "x.duckdb")


def test_candidates_come_with_their_reasons_the_likeliest_first(folder):
    with unscored_loads(), evaluate(folder / "bundle.toml") as store:
        rows = store.sql("select block_id, story_id, reasons from report.adjudication order by place").fetchall()
    assert rows == [
        ("t1", "s5", "(a) all systems; (e) high confidence"),
        ("t2", "s7", "(b) no by default; (c) topic incomplete"),
        ("t1", "s6", "(b) no by default"),
    ]


def test_scores_before_and_after(folder):
    with load_second(folder) as store:
        effect = {
            row[:2]: row[2:]
            for row in store.sql(
                "select run_id, metric, before, after, n_before, n_after from report.judgment_effect where subset = "
                "'all' and weighting = 'story'"
            ).fetchall()
        }
        # t1 has 3 targets, then 4: A finds 1 of 3, then 2 of 4; with t2 1 of 4, then 2 of 5
        assert effect["A", "p_miss"] == (pytest.approx(3 / 4), pytest.approx(3 / 5), 4, 5)
        assert effect["A", "n_false_alarm"][:2] == (2, 1)
        costs = store.sql(
            "select before, after from report.judgment_effect where run_id = 'H' and metric = 'min_cost'"
        ).fetchall()
        # before: b is t1 exactly, c is t2 with s5 as one false alarm of nine; after, s5 is a miss of t1: 1 of 4
        travel = 5 / (7 * 2.095903274289385)  # log_3(10)
        assert costs == [
            (
                pytest.approx((0.66 * 4.9 / 9) / 2 + 0.34 * travel),
                pytest.approx(0.66 * (1 / 4 + 4.9 / 9) / 2 + 0.34 * travel),
            )
        ]


#: five systems on m (annotated in English only, incomplete) and p (all languages); z1 is Mandarin, nobody looked at it
WIDE = {
    "stories.csv": "story_id,position,language\n"
    + "".join(f"e{i},{i},ENGLISH\n" for i in range(1, 7))
    + "z1,7,MANDARIN\nz2,8,MANDARIN\n",
    "topics.csv": "topic_id,languages,is_complete\nm,ENGLISH,no\np,ENGLISH MANDARIN ARABIC,yes\n",
    "judgments.csv": "topic_id,story_id,label\nm,e1,yes\nm,e2,yes\nm,e3,no\np,e4,yes\np,e5,no\np,e6,no\np,z2,no\n",
    # z1: all five, A surest of it; e3: three of five; e5: two; e6: one, surer than its hit; z2 on m: one
    "run.csv": "run_id,topic_id,story_id,decision,score\n"
    + "".join(f"{run},m,z1,yes,{9 if run == 'A' else 1}\n{run},m,e1,yes,5\n" for run in "ABCDE")
    + "".join(f"{run},m,e3,yes,2\n" for run in "ABC")
    + "D,p,e5,yes,1\nE,p,e5,yes,1\nA,p,e6,yes,7\nA,p,e4,yes,3\nB,m,z2,yes,0\n",
    "bundle.toml": '[corpus]\nid = "k"\nstories = "stories.csv"\ntopics = "topics.csv"\njudgments = "judgments.csv"\n'
    '[[condition]]\nid = "c"\ntask = "tracking"\n[[run]]\ncondition = "c"\nfiles = ["run.csv"]\n',
}


@pytest.fixture
def wide(tmp_path):
    for name, text in WIDE.items():
        (tmp_path / name).write_text(text)
    with unscored_loads():
        evaluate(tmp_path / "bundle.toml", tmp_path / "x.duckdb").close()
    return str(tmp_path / "x.duckdb")


def candidates(db, *options, form="json"):
    result = CliRunner().invoke(cli, ["adjudicate", "--condition", "c", "--db", db, "--format", form, *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_criterion_of_the_plan_has_its_words_and_its_place(wide):
    rows = json.loads(candidates(wide))
    assert [
        (row["place"], row["block_id"], row["story_id"], row["n_reason"], row["n_run_yes"], row["reasons"])
        for row in rows
    ] == [
        (
            1,
            "m",
            "z1",
            5,
            5,
            "(a) all systems; (b) no by default; (c) topic incomplete; (d) other language than the topic; (e) high "
            "confidence",
        ),
        (2, "m", "z2", 3, 1, "(b) no by default; (c) topic incomplete; (d) other language than the topic"),
        (3, "m", "e3", 2, 3, "(a) most systems, 3 of 5; (c) topic incomplete"),
        (4, "p", "e6", 1, 1, "(e) high confidence"),
        (5, "p", "e5", 0, 2, ""),
    ]
    # B scores e3 2, z1 1 and z2 0: of all systems it alone has z2, third of its false alarms on m
    assert {(row["block_id"], row["story_id"]): row["best_rank"] for row in rows} == {
        ("m", "z1"): 1, ("m", "z2"): 3, ("m", "e3"): 1, ("p", "e6"): 1, ("p", "e5"): 1,
    }  # fmt: skip
