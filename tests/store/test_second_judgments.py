"""Adjudication: candidates in the plan's order, and every number before and after.

Topic t1 is s1 s2 s3 of ten stories; t2 is s4, its annotation incomplete.
    A says yes to s1 (hit, 0.9), s5 (0.95), s6 (0.1) for t1
    B says yes to s2 (hit, 0.5), s5 (0.4) for t1, s7 (0.8) for t2
s5 is judged no for t1; nobody examined s6 and s7.
    s5: both systems (a), surer than half of A's hits (e)
    s6: no by default (b)
    s7: no by default (b), topic incomplete (c)
"""

import pytest

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
