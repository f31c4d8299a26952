"""Every refusal of a hierarchy through the whole way into a store, with its exact text.

``fixtures/malformed/hierarchy/manifest.toml`` says for every file what is
reported. The collection is s1 to s5; s6 is not news, s7 is in another language.
"""

import tomllib
from pathlib import Path

import pytest

from rows_of_files import read_hierarchy
from tdtsql.errors import InvalidInput, Problems
from tdtsql.loading.bundle import evaluate_into
from tdtsql.api import connect

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "malformed" / "hierarchy"
FILES = tomllib.loads((FOLDER / "manifest.toml").read_text(encoding="utf-8"))["file"]
#: what is wrong is in the file alone, and seen without a store
OF_THE_FILE = [
    file for file in FILES if all(message.split()[1][:3] in ("E60", "E61") for message in file["messages"] or ["- -"])
]
STORIES = "".join(
    f"s{i},{i},{'MANDARIN' if i == 7 else 'ENGLISH'},{'MISCELLANEOUS' if i == 6 else 'NEWS'}\n" for i in range(1, 8)
)
BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
judgments = "judgments.csv"
[[condition]]
id = "h"
task = "hierarchy"
languages = ["ENGLISH"]
[[run]]
id = "RUN"
condition = "h"
files = ["h.xml"]
"""


@pytest.fixture(scope="module")
def store():
    with connect(":memory:") as opened:
        yield opened


def load(store, folder: Path, xml: bytes, run_id: str) -> tuple[list[str], bool]:
    """Return what is reported on a hierarchy, and whether it is in the store."""
    (folder / "stories.csv").write_text("story_id,position,language,kind\n" + STORIES)
    (folder / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s5,yes\n")
    (folder / "h.xml").write_bytes(xml)
    (folder / "bundle.toml").write_text(BUNDLE.replace("RUN", run_id))
    try:
        problems = evaluate_into(store.engine, folder / "bundle.toml", score=False).warnings
    except InvalidInput as error:
        problems = error.problems
    stored = store.sql(
        f"select * from base.vertex where run_no in (select run_no from registry.run where run_id = '{run_id}')"
    ).fetchall()
    return [str(problem) for problem in problems], bool(stored)


@pytest.mark.parametrize("file", OF_THE_FILE, ids=lambda file: file["name"])
def test_what_is_reported_of_a_file_by_itself(file):
    problems = Problems("h.xml")
    read_hierarchy((FOLDER / file["name"]).read_bytes(), problems)
    assert [str(problem) for problem in problems.found] == file["messages"]


@pytest.mark.sample(8)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file["name"])
def test_what_is_reported_and_whether_it_is_stored(file, store, tmp_path):
    messages, is_stored = load(store, tmp_path, (FOLDER / file["name"]).read_bytes(), file["name"])
    assert messages == file["messages"]
    assert is_stored == all(message.split()[1].startswith("W") for message in messages)


def test_every_file_is_listed():
    assert {path.name for path in FOLDER.glob("*.xml")} == {file["name"] for file in FILES}
