"""Every refusal of a hierarchy through the whole way into a store, with its exact text.

``fixtures/malformed/hierarchy/manifest.toml`` says for every file what is
reported. The collection is s1 to s5; s6 is not news, s7 is in another language.
"""

import tomllib

import pytest
from each import of_each

from rows_of_files import read_hierarchy
from tdtsql.errors import InvalidInput, Problems
from tdtsql.load.bundle import evaluate_into
from tdtsql.api import connect
from places import MALFORMED

FOLDER = MALFORMED / "hierarchy"
FILES = tomllib.loads((FOLDER / "manifest.toml").read_text(encoding="utf-8"))["file"]
#: what is wrong is in the file alone, and seen without a store
OF_THE_FILE = [
    file for file in FILES if all(message.split()[1][:3] in ("E60", "E61") for message in file["messages"] or ["- -"])
]
ACCEPTED = [file for file in FILES if all(message.split()[1].startswith("W") for message in file["messages"])]
REFUSED = [file for file in FILES if file not in ACCEPTED and file not in OF_THE_FILE[2:]]
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
"""
RUN = '[[run]]\nid = "{name}"\ncondition = "h"\nfiles = ["{name}"]\n'


@pytest.fixture(scope="module", params=["accepted", "refused"])
def loaded(request, tmp_path_factory):
    """Return hierarchies that are loaded together, a run each, what is reported of all, and the runs in the store."""
    folder, files = tmp_path_factory.mktemp("h"), {"accepted": ACCEPTED, "refused": REFUSED}[request.param]
    (folder / "stories.csv").write_text("story_id,position,language,kind\n" + STORIES)
    (folder / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s5,yes\n")
    for file in files:
        (folder / file["name"]).symlink_to(FOLDER / file["name"])
    (folder / "bundle.toml").write_text(BUNDLE + "".join(RUN.format(**file) for file in files))
    with connect(":memory:") as store:
        try:
            problems = evaluate_into(store.engine, folder / "bundle.toml", score=False).warnings
        except InvalidInput as error:
            problems = error.problems
        stored = store.engine.column("select distinct run_id from base.vertex join registry.run using (run_no)")
    return files, [str(problem) for problem in problems], stored


def test_what_is_reported_and_whether_it_is_stored(loaded):
    files, messages, stored = loaded
    for file in files:
        mine = [message for message in messages if message.startswith(file["name"])]
        assert [message.replace(file["name"], "h.xml") for message in mine] == file["messages"]
    assert sorted(stored) == ([file["name"] for file in files] if files == ACCEPTED else [])


@of_each(OF_THE_FILE)
def test_what_is_reported_of_a_file_by_itself(file):
    problems = Problems("h.xml")
    read_hierarchy((FOLDER / file["name"]).read_bytes(), problems)
    assert [str(problem) for problem in problems.found] == file["messages"]


def test_every_file_is_listed():
    assert {path.name for path in FOLDER.glob("*.xml")} == {file["name"] for file in FILES}
