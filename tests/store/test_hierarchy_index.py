"""The collection of a hierarchy: the index as the plan and as the program spell it, and NIST's list of stories."""

import json
import shutil
from pathlib import Path

import pytest

from tdtsql.errors import InvalidInput
from tdtsql.loading.bundle import evaluate_into
from tdtsql.api import connect

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(EXAMPLE / "corpus", tmp_path / "corpus")
    shutil.copytree(EXAMPLE / "hierarchy", tmp_path / "hierarchy")
    return tmp_path


# The language conditions of table A1. Three stories of each language, so N is 3 or 9; the topic is e1 and m1.
#
#            a             5 a step (two children): 5 / (7 log_3 3) = 5/7 in one language, 5 / (7 log_3 9) = 5/14 in
# three
#          /   \
#    b {x1 x2}  c {x3}     in one language, x1 on the topic: 1 of 2 others in b: 4.9 / 2
#
# The answer e1 e2 | e3 over all nine stories: 1 of 2 targets missed, 1 of 7 others accepted: 1/2 + 4.9 / 7 = 1.2
STORIES = "story_id,position,source_file,language\n" + "".join(
    f"{name}{i},{3 * place + i},{language[:3]},{language}\n"
    for place, (name, language) in enumerate([("e", "ENGLISH"), ("m", "MANDARIN"), ("a", "ARABIC")])
    for i in (1, 2, 3)
)
THREE = '["ENGLISH", "MANDARIN", "ARABIC"]'


def scores_of(folder, languages: str, answer: str, *, by_index: bool):
    """Return what a run of two vertices gets: N, required or not, and its numbers; or the codes of the problems."""
    (folder / "stories.csv").write_text(STORIES)
    (folder / "judgments.csv").write_text("topic_id,story_id,label\nt,e1,yes\nt,m1,yes\n")
    (folder / "test.ndx").write_text(
        "# hierarchical_detection docno\n" + "".join(f"tkn/{name[:3]}.tkn\n" for name in json.loads(languages))
    )
    chosen = 'index = ["test.ndx"]' if by_index else f"languages = {languages}"
    stories = [f'<story docID="{answer}{i}"/>' for i in (1, 2, 3)]
    (folder / "h.xml").write_text(
        f'<htd system="s" rootVertex="a"><vertexSet><vertex name="a"/><vertex '
        f'name="b">{stories[0]}{stories[1]}</vertex><vertex name="c">{stories[2]}'
        '</vertex></vertexSet><edgeSet><edge srcVertex="a" destVertex="b"/><edge srcVertex="a" '
        'destVertex="c"/></edgeSet></htd>'
    )
    (folder / "b.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\njudgments = "judgments.csv"\n'
        f'[[condition]]\nid = "h"\ntask = "hierarchy"\n{chosen}\n[[run]]\nid = "r"\ncondition = "h"\nfiles = '
        f'["h.xml"]\n'
    )
    with connect(":memory:") as store:
        try:
            evaluate_into(store.engine, folder / "b.toml")
        except InvalidInput as error:
            return [problem.code for problem in error.problems]
        found = dict(store.sql("select metric, value from report.score where weighting = 'topic'").fetchall())
        [[n, required]] = store.sql(
            "select (select max(n_story) from base.hierarchy_topic__v1), is_required from registry.condition"
        ).fetchall()
        return n, required, found["c_det_norm"], found["c_travel_norm"], found["min_cost"]


@pytest.mark.full
@pytest.mark.parametrize("by_index", [True, False])
def test_the_language_condition_chooses_the_stories_and_so_every_cost(tmp_path, by_index):
    def ask(languages, answer):
        return scores_of(tmp_path, languages, answer, by_index=by_index)

    one = 0.66 * 2.45 + 0.34 * 5 / 7
    assert ask('["ENGLISH"]', "e") == (3, 1, *(pytest.approx(value, abs=1e-12) for value in (2.45, 5 / 7, one)))
    assert ask('["MANDARIN"]', "m") == (3, 0, *(pytest.approx(value, abs=1e-12) for value in (2.45, 5 / 7, one)))
    assert ask('["ARABIC"]', "a") == (3, 0, None, None, None)  # no story on the topic
    assert ask(THREE, "e") == (
        9,
        1,
        *(pytest.approx(value, abs=1e-12) for value in (1.2, 5 / 14, 0.66 * 1.2 + 0.34 * 5 / 14)),
    )
    assert ask('["MANDARIN"]', "e") == ["E870"]  # outside the collection, all of them
