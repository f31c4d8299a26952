"""Provenance beside a run: by bundle and by `run add --meta`; kept, shown, vouched for, in archives; of no effect on
the run's hash and numbers.
"""

import json
import re

import pytest
from click.testing import CliRunner
from gate_case import write_gate_bundle

import tdtsql
from inside import archive_read, archive_verify, pack, verify_chain
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidInput
from tdtsql.store.provenance import NEEDED, missing

pytestmark = pytest.mark.usefixtures("unscored")

FACTS = (
    "select run_id, name, value, path from registry.run_fact join registry.run using (run_no) order by run_no, fact_no"
)
META = '[actor]\nname = "somebody"\n[implementation.source]\ncommit = "9548e6"\n'


def with_meta(folder, text=META, name="system.toml"):
    """Write a bundle whose run has a file beside it; returns the bundle."""
    bundle = write_gate_bundle(folder, "old")
    (folder / name).write_text(text)
    bundle.write_text(bundle.read_text() + f'meta = "{name}"\n')
    return bundle


@pytest.mark.full
def test_a_bundle_names_the_file(tmp_path):
    with tdtsql.evaluate(with_meta(tmp_path)) as store:
        assert store.sql(FACTS).fetchall() == [
            ("system", "actor.name", "somebody", "system.toml"),
            ("system", "implementation.source.commit", "9548e6", "system.toml"),
        ]
        assert verify_chain(store.engine) == []
        with tdtsql.evaluate(write_gate_bundle(tmp_path / "without", "old")) as plain:
            hashes = "select content_sha256 from registry.run"
            assert store.sql(hashes).fetchall() == plain.sql(hashes).fetchall()
            assert store.score().fetchall() == plain.score().fetchall()


@pytest.mark.full
def test_facts_follow_their_file_though_the_run_is_the_same(tmp_path):
    bundle = with_meta(tmp_path)
    with tdtsql.evaluate(bundle) as store:
        (tmp_path / "system.toml").write_text('actor.name = "somebody else"\n')
        report = store.evaluate(bundle)
        assert "run:c1/system" in report.kept
        assert store.sql(FACTS).fetchall() == [("system", "actor.name", "somebody else", "system.toml")]
        n_entry = store.engine.value("select count(*) from ledger.entry")
        store.evaluate(bundle)
        assert store.engine.value("select count(*) from ledger.entry") == n_entry  # nothing changed, nothing is said
        bundle.write_text(bundle.read_text().replace('meta = "system.toml"\n', ""))
        store.evaluate(bundle)
        assert store.sql(FACTS).fetchall() == []
        assert verify_chain(store.engine) == []


@pytest.mark.full
def test_run_add_takes_yaml_and_says_what_is_odd(tmp_path):
    bundle = write_gate_bundle(tmp_path, "old")
    db = ("--db", str(tmp_path / "store.duckdb"))
    CliRunner().invoke(cli, ["evaluate", str(bundle), *db])
    (tmp_path / "mine.yml").write_text("ir_metadata.start\ntag: theirs\nactor:\n  team: us\nir_metadata.end\n")

    result = CliRunner().invoke(
        cli,
        [
            "run",
            "add",
            str(tmp_path / "system.csv"),
            "--id",
            "mine",
            "--condition",
            "c1",
            "--meta",
            str(tmp_path / "mine.yml"),
            *db,
        ],
    )
    shown = CliRunner().invoke(cli, ["run", "show", "mine", "--format", "json", *db])

    assert result.exit_code == 0, result.output
    assert (
        f"{tmp_path / 'mine.yml'}:2: W713 the tag is not the name of the run, which is 'mine' ('theirs')"
        in result.stderr
    )
    facts = [row for row in json.loads(shown.stdout) if row["part"] == "fact"]
    assert [(fact["name"], fact["value"]) for fact in facts] == [("tag", "theirs"), ("actor.team", "us")]
    narrow = CliRunner(env={"COLUMNS": "60"}).invoke(cli, ["run", "show", "mine", *db]).stdout
    assert "theirs" in narrow and "No room in 60 columns for value" not in narrow
    assert "c1/mine: missing provenance: the hardware, the operating system," in shown.stderr
    assert "who made it" not in shown.stderr and "experimenter or reproducer" in shown.stderr
    dropped = CliRunner().invoke(cli, ["run", "drop", "mine", *db])
    assert dropped.exit_code == 0
    with tdtsql.connect(tmp_path / "store.duckdb", read_only=True) as store:
        assert store.sql("select * from registry.run_fact").fetchall() == []
        assert verify_chain(store.engine) == []


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


@pytest.mark.full
def test_facts_are_in_archives_and_changed_ones_are_named(tmp_path):
    with tdtsql.evaluate(with_meta(tmp_path), tmp_path / "store.duckdb") as store:
        store.refresh()
        pack(store.engine, tmp_path / "public.zip", public=True)

    assert "table/registry.run_fact.parquet" in archive_read(tmp_path / "public.zip")
    assert archive_verify(tmp_path / "public.zip").reach
    assert (
        "c1/system: 40 rows in format tidy from 1 file, 2 facts on how it was made; run "
        in archive_read(tmp_path / "public.zip")["RELEASE.md"].decode()
    )
    with tdtsql.connect(tmp_path / "store.duckdb") as store:
        store.engine.execute("update registry.run_fact set value = 'nobody' where name = 'actor.name'")
        assert any(
            "run:c1/system: registry.run_fact does not hold what was loaded" in message
            for message in verify_chain(store.engine)
        )


@pytest.mark.full
def test_the_copy_under_second_judgments_has_the_same_facts(tmp_path):
    bundle = with_meta(tmp_path)
    (tmp_path / "second.csv").write_text((tmp_path / "judgments.csv").read_text())
    bundle.write_text(
        bundle.read_text().replace(
            'judgments = "judgments.csv"\n', 'judgments = "judgments.csv"\njudgments_2 = "second.csv"\n'
        )
    )
    with tdtsql.evaluate(bundle) as store:
        assert len(store.sql(FACTS).fetchall()) == 4
        (tmp_path / "system.toml").write_text('actor.name = "another"\n')
        store.evaluate(bundle)
        assert [row[2] for row in store.sql(FACTS).fetchall()] == ["another", "another"]
        assert verify_chain(store.engine) == []


def test_what_is_missing_is_said_in_words():
    everything = [names[0] for _, names in NEEDED]

    assert missing(everything) == []
    assert missing([]) == [words for words, _ in NEEDED]
    assert missing(["implementation.source.repository", "platform.software.libraries.python.1"]) == [
        words for words, _ in NEEDED if words not in ("the repository of the code", "software libraries with versions")
    ]
    assert "the commit of the code" in missing(["implementation.source.committed"])  # a name that only begins alike


def test_the_file_of_the_page_lacks_nothing():
    import re
    from pathlib import Path

    from tdtsql.errors import Problems
    from tdtsql.reader.run_metadata import read_run_metadata

    page = (Path(__file__).parents[2] / "docs" / "how-to" / "provenance.md").read_text(encoding="utf-8")
    text = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[1]
    problems = Problems("system.toml")
    facts = read_run_metadata(text.encode(), problems)

    assert problems.found == []
    assert missing([name for name, _, _ in facts]) == []


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
