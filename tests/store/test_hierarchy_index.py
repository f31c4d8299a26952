"""The collection of a hierarchy: the index as the plan and as the program spell it, and NIST's list of stories."""

import re
import shutil
from pathlib import Path

import pytest

from tdtsql.store.evaluate import evaluate_into
from tdtsql.store.store import connect

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(EXAMPLE / "corpus", tmp_path / "corpus")
    shutil.copytree(EXAMPLE / "hierarchy", tmp_path / "hierarchy")
    return tmp_path


def collection(folder, index: str, **condition) -> tuple[int, float, int]:
    """Return N, min_cost and whether the condition is a required one."""
    (folder / "test.ndx").write_text(index)
    extra = "".join(f"{key} = {value}\n" for key, value in condition.items())
    (folder / "b.toml").write_text(
        '[corpus]\nid = "k"\nroot = "corpus"\ntopic_relevance = ["corpus/topics.rel"]\nexclude = "corpus/exclude.ssd"\n'
        f'[[condition]]\nid = "h"\ntask = "hierarchy"\nindex = ["test.ndx"]\n{extra}[[run]]\nid = "r"\ncondition = "h"\nfiles = ["hierarchy/sparrow.xml"]\n')
    with connect(":memory:") as store:
        evaluate_into(store, folder / "b.toml")
        [[n, required]] = store.sql("select (select count(*) from base.segment_story), is_required from registry.condition").fetchall()
        return n, store.sql("select value from report.score where metric = 'min_cost'").fetchall()[0][0], required


def test_the_spellings_and_the_story_list_give_one_collection(folder):
    plan = (folder / "hierarchy/mul.ndx").read_text()
    program = plan.replace("# hierarchical_detection docno", "# HIEARCHICAL_DETECTION DOCNO")
    assert program != plan
    rows = ["# STORY_LIST_INDEX DOCNO"]
    for line in plan.splitlines()[1:]:
        table = (folder / "corpus/tkn_bnd" / (Path(line).name + "_bnd")).read_text()
        rows.append(" ".join([line, *re.findall(r"docno=(\S+) doctype=NEWS", table)]))
    found = {collection(folder, text) for text in (plan, program, "\n".join(rows) + "\n")}
    assert len(found) == 1 and found.pop()[::2] == (124, 1)
