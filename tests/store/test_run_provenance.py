"""Provenance beside a run: by bundle and by `run add --meta`; kept, shown, vouched for, in archives; of no effect on
the run's hash and numbers.
"""

import re

import pytest
from gate_case import write_gate_bundle

import tdtsql
from tdtsql.definitions.catalogue import read_statement
from tdtsql.errors import InvalidInput, Problems
from tdtsql.load.run_metadata import read_run_metadata
from places import ROOT

pytestmark = pytest.mark.usefixtures("unscored")

META = '[actor]\nname = "somebody"\n[implementation.source]\ncommit = "9548e6"\n'


def with_meta(folder, text=META, name="system.toml"):
    """Write a bundle whose run has a file beside it; returns the bundle."""
    bundle = write_gate_bundle(folder, "old")
    (folder / name).write_text(text)
    bundle.write_text(bundle.read_text() + f'meta = "{name}"\n')
    return bundle


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("actor = [", "system.toml", "system.toml: E712 not a TOML file"),
        (META, "elsewhere.toml", "E710 meta: file not found"),
    ],
)
def test_a_broken_file_stores_nothing(tmp_path, text, name, said):
    bundle = with_meta(tmp_path, text)
    bundle.write_text(bundle.read_text().replace('"system.toml"', f'"{name}"'))
    with tdtsql.connect(":memory:") as store:
        with pytest.raises(InvalidInput) as caught:
            store.evaluate(bundle)
        assert said in str(caught.value)
        assert store.engine.value("select count(*) from registry.run") == 0
    with tdtsql.evaluate(write_gate_bundle(tmp_path / "good", "old")) as store:
        with pytest.raises(InvalidInput):
            store.add_run("mine", condition="c1", decisions=str(tmp_path / "system.csv"), meta=str(tmp_path / name))
        assert store.engine.value("select count(*) from registry.run") == 1


def test_what_is_missing_is_said_in_words(tmp_path):
    with tdtsql.evaluate(write_gate_bundle(tmp_path, "old")) as store:
        run_no = store.engine.value("select min(run_no) from registry.run")

        def lacking(names):
            store.engine.execute("delete from registry.run_fact")
            rows = [(run_no, number, name, "x", "x.toml", "") for number, name in enumerate(names)]
            store.engine.insert_rows("registry.run_fact", "run_no fact_no name value path sha256".split(), rows)
            found = store.engine.rows(read_statement("explain/missing_facts"), {"runs": [run_no]})
            return found[0][1].split(", ") if found else []

        every = lacking([])
        assert len(every) == 13 and every[0] == "the hardware" and every[-1] == "experimenter or reproducer"
        some = {"the repository of the code", "software libraries with versions"}
        names = ["implementation.source.repository", "platform.software.libraries.python.1"]
        assert lacking(names) == [words for words in every if words not in some]
        assert "the commit of the code" in lacking(["implementation.source.committed"])  # a name that only begins alike

        page = (ROOT / "docs" / "how-to" / "provenance.md").read_text(encoding="utf-8")
        problems = Problems("system.toml")
        facts = read_run_metadata(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[1].encode(), problems)
        assert problems.found == [] and lacking([name for name, *_ in facts]) == []


def test_a_warning_on_one_of_several_runs_in_a_file_names_the_run(tmp_path):
    """Which of the runs has no decision on a story was not said."""
    (tmp_path / "n.csv").write_text("run_id,story_id,decision,score\nA,s1,yes,1\nA,s2,no,0\nB,s1,yes,1\n")
    with tdtsql.connect(":memory:") as store:
        judgments = {"topic_id": ["t"], "story_id": ["s1"], "label": ["yes"]}
        stories = {"story_id": ["s1", "s2"], "position": [1, 2]}
        store.add_corpus("c", stories=stories, topics={"topic_id": ["t"]}, judgments=judgments)
        store.add_condition("n", corpus="c", task="new_event")
        [said] = map(str, store.add_run(condition="n", decisions=tmp_path / "n.csv"))
    assert re.search(r"n\.csv: W847 run 'B': 1 story of the test set has no decision\. It counts", said)
