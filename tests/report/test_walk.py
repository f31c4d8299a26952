"""`tdtsql plot path`: the cheapest walk to a topic's best vertex.

       a            6 stories; a step from a costs 2 * 2 + 1 = 5, from b the same, from c 3.
      / \\           v has two parents, both at 5: by b it would lie at 10, by c it lies at 8.
     b   c {5 6}
    / \\ /
{3 4} x  v {1 2}
"""

import json

import pytest
from click.testing import CliRunner

from tdtsql.cli.main import cli
from tdtsql.api import evaluate

BUNDLE = (
    '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n[[condition]]\nid = "h"\ntask = '
    '"hierarchy"\n'
    '[[run]]\nid = "r"\ncondition = "h"\nfiles = ["h.xml"]\n'
)
VERTEX = {"a": (), "b": (), "c": (5, 6), "v": (1, 2), "x": (3, 4)}


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("walk")
    (tmp_path / "stories.csv").write_text("story_id,position\n" + "".join(f"s{i},{i}\n" for i in range(1, 7)))
    (tmp_path / "judgments.csv").write_text("topic_id,story_id,label\nt,s1,yes\nt,s2,yes\nu,s9,yes\n")
    vertices = "".join(
        f'<vertex name="{name}">' + "".join(f'<story docID="s{i}"/>' for i in listed) + "</vertex>"
        for name, listed in VERTEX.items()
    )
    edges = "".join(f'<edge srcVertex="{a}" destVertex="{b}"/>' for a, b in ("ab", "ac", "bv", "cv", "bx"))
    (tmp_path / "h.xml").write_text(
        f'<htd system="s" rootVertex="a"><vertexSet>{vertices}</vertexSet><edgeSet>{edges}</edgeSet></htd>'
    )
    (tmp_path / "b.toml").write_text(BUNDLE)
    evaluate(tmp_path / "b.toml", tmp_path / "x.duckdb").close()
    return str(tmp_path / "x.duckdb")


def test_the_walk_goes_through_the_cheaper_parent(db):
    result = CliRunner().invoke(cli, ["plot", "path", "r", "t", "--condition", "h", "--db", db, "--format", "json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert [
        (row["step"], row["vertex_id"], row["n_child"], row["travel"], row["n_parent"], row["n_story"], row["n_hit"])
        for row in rows
    ] == [(0, "a", 2, 0, 0, 6, 2), (1, "c", 1, 5, 1, 4, 2), (2, "v", 0, 8, 2, 2, 2)]
    # v holds the topic and nothing else: 0.34 * 8 / (7 log_3 6)
    assert rows[2]["cost"] == pytest.approx(0.34 * 8 / (7 * 1.6309297535714573), abs=1e-12)


@pytest.mark.parametrize(
    ("topic", "words"),
    [("u", "topic 'u' has no best vertex"), ("z", "topic 'z' is unknown")],
)
@pytest.mark.sample(1)
def test_a_topic_without_a_walk_is_said(db, topic, words):
    result = CliRunner().invoke(cli, ["plot", "path", "r", topic, "--condition", "h", "--db", db])
    assert result.exit_code != 0 and words in result.output + str(result.exception)
