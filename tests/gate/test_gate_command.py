"""`tdtsql gate` as a user calls it: baselines of every kind, files written, exit codes."""

import json
import shutil
import zipfile
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner
from gate_case import write_gate_bundle

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidArchive, InvalidComparison, InvalidRule, MissingTopics, UnknownName

RULE = ("--fail-if", "c_det_norm > +0.02")


def call(*arguments, code=0):
    """Call the command line; returns what click's runner gives."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    if isinstance(result.exception, Exception) and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the stores old (run system), new (run system, too, and drop, noise and silent) and fewer (a
    topic less).
    """
    folder = tmp_path_factory.mktemp("gate")
    for name, more in (("old", {}), ("fewer", {"n_topic": 9})):
        tdtsql.evaluate(write_gate_bundle(folder / name, "old", **more), folder / f"{name}.duckdb").close()
    bundle = write_gate_bundle(folder / "new", "old")
    for name, answer, more in (("drop", "drop", {}), ("noise", "noise", {}), ("silent", "drop", {"silent": (4,)})):
        run = write_gate_bundle(folder / name, answer, **more).with_name("system.csv")
        with bundle.open("a") as lines:
            lines.write(f'[[run]]\nid = "{name}"\ncondition = "c1"\nfiles = ["{run}"]\n')
    with tdtsql.connect(shutil.copy(folder / "old.duckdb", folder / "new.duckdb")) as store:
        store.evaluate(bundle)
    return folder


def gate(folder, run, *arguments, code=0, baseline="old.duckdb", store="new"):
    """Ask the gate about a run of a store; returns (checks, stderr)."""
    out, db = folder / f"{run}.json.out", folder / f"{store}.duckdb"
    result = call("gate", run, folder / baseline, *arguments, "--json", out, "--db", db, code=code)
    return json.loads(out.read_text())["checks"], result.stderr


@pytest.mark.parametrize(
    ("run", "code", "verdict"), [("drop", 1, "fail"), ("noise", 0, "undecided"), ("system", 0, "pass")]
)
def test_only_what_is_worse_and_significant_ends_with_1(folder, run, code, verdict):
    [check], said = gate(folder, run, *RULE, code=code)

    assert check["verdict"] == verdict
    assert (check["p_adjusted"], check["difference"]) == {
        "drop": (2 / 1024, 0.25),
        "noise": (92 / 512, 0.25),
        "system": (1.0, 0.0),
    }[run]
    assert ("is not below 0.05" in said) is (run == "noise")


@pytest.mark.parametrize(
    ("rule", "limit"),
    [("c_det_norm>+5%", 0.025), (" DCF > +2.5 % ", 0.0125), ("c_det_norm > + 1e-3", 0.001), ("c_det_norm > +0", 0.0)],
)
def test_a_limit_is_a_difference_or_a_share_of_the_baselines_number(folder, rule, limit):
    [check], _ = gate(folder, "drop", "--fail-if", rule, code=1)

    assert (check["rule"], check["metric"]) == (rule.strip(), "c_det_norm")
    assert check["limit"] == pytest.approx(limit, abs=1e-15)


def test_a_missing_topic_is_said(folder):
    [check], said = gate(folder, "system", *RULE, store="fewer")

    assert (check["verdict"], check["n_topic"]) == ("undecided", 9)
    assert "the new run has no number on T9, which the baseline has" in said
    assert "other judgments" in said
    with pytest.raises(MissingTopics, match="no number on topic 'T9'"):
        gate(folder, "system", *RULE, "--missing", "error", store="fewer")


def test_topics_without_a_line_are_said(folder):
    _, said = gate(folder, "silent", *RULE, code=1)

    assert "the new run says nothing of 1 topic: its numbers there are those of no answer" in said


def test_everything_is_written_before_the_end(folder):
    files = {name: folder / f"written.{name}" for name in ("md", "json", "xml")}
    rules = (*RULE, "--fail-if", "c_det_norm > +50%")
    out = ("--markdown", files["md"], "--json", files["json"], "--junit", files["xml"])
    call("gate", "drop", folder / "old.duckdb", *rules, *out, "--db", folder / "new.duckdb", code=1)

    text = files["md"].read_text()
    assert text.startswith("### Evaluation gate: failed")
    rule = "c1 | tdt2004 | all | c_det_norm > +0.02"
    assert f"| **fail** | {rule} | 0.75 | 0.5 | +0.25 | 0.02 | 10 topics | 0.001953 |" in text
    suite = ElementTree.parse(files["xml"]).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "0")
    [failure] = suite.iter("failure")
    assert failure.get("message").startswith("0.75 against 0.5, +0.25 (allowed 0.02) over 10 topics, p 0.00195")
    whole = json.loads(files["json"].read_text())
    assert (whole["gate"], whole["n_test"], [check["verdict"] for check in whole["checks"]]) == (
        "failed",
        1,
        ["fail", "pass"],
    )
    assert whole["checks"][0]["baseline_signature"].startswith("c_det_norm:v1|w:topic|")


def test_a_baseline_in_the_store(folder, tmp_path):
    store, out = folder / "new.duckdb", tmp_path / "out.json"

    call("gate", "drop", "system", *RULE, "--json", out, "--db", store, code=1)
    [check] = json.loads(out.read_text())["checks"]

    assert (check["verdict"], check["run_id"], check["baseline_id"]) == ("fail", "drop", "system")
    with pytest.raises(InvalidComparison, match="cannot be compared with itself"):
        call("gate", "drop", "drop", *RULE, "--db", store)
    call("gate", "drop", folder / "old.duckdb", *RULE, "--db", store, code=1)  # its only run
    with pytest.raises(UnknownName, match="has no numbers of run 'nobody' under c1"):
        call("gate", "drop", folder / "old.duckdb", "--baseline-id", "nobody", *RULE, "--db", store)


@pytest.mark.full
def test_every_subset_and_named_ones(folder):
    """The drop is a story in English on five topics, and in Mandarin on five: p = 2 / 2^5 in each, twice that where
    both are asked.
    """
    every, _ = gate(folder, "drop", "--fail-if", "p_miss[*] > +0.02", code=1)
    named, said = gate(
        folder, "drop", "--fail-if", "p_miss > +0.02", "--subset", "language=ENGLISH", "--subset", "language=MANDARIN"
    )
    [one], _ = gate(folder, "drop", "--fail-if", "p_miss[language=ENGLISH] > +0.02")

    assert {check["subset"] for check in every} >= {"all", "language=ENGLISH", "language=MANDARIN"}
    assert [(check["subset"], check["p_adjusted"]) for check in named] == [
        ("language=ENGLISH", 0.125),
        ("language=MANDARIN", 0.125),
    ]
    assert (one["subset"], one["p_adjusted"]) == ("language=ENGLISH", 0.0625)
    assert "with 5 differing topics (holm over 2 tests) nothing could be" in said
    with pytest.raises(InvalidRule, match="matches nothing"):
        gate(folder, "drop", "--fail-if", "p_miss[language=KLINGON] > +0.02")


@pytest.mark.full
def test_conditions_of_the_baseline_that_are_not_there_are_said(folder, tmp_path):
    text = write_gate_bundle(tmp_path / "c2", "old", condition="c2").read_text()
    bundle, both = write_gate_bundle(tmp_path / "both", "old"), tmp_path / "both.duckdb"
    bundle.write_text(bundle.read_text() + "[[condition]]" + text.split("[[condition]]")[1])
    call("evaluate", bundle, "--db", both)
    shutil.copy(both, tmp_path / "same.duckdb")

    said = call("gate", "system", both, *RULE, "--db", folder / "old.duckdb").stderr
    assert "system is missing under c2" in said
    said = call("gate", "system", folder / "old.duckdb", *RULE, "--db", both).stderr
    assert "has no numbers under c2: not compared." in said
    words = ("gate", "system", tmp_path / "same.duckdb", *RULE, "--db", both)
    assert "2 checks" in call(*words).stderr and "1 check:" in call(*words, "--condition", "c2").stderr


def test_an_archive_that_was_changed_is_no_baseline(folder, tmp_path):
    call("archive", "pack", tmp_path / "old.zip", "--db", folder / "old.duckdb")
    data = bytearray((tmp_path / "old.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "old.zip") as archive:
        data[archive.getinfo("result/score.parquet").header_offset + 400] ^= 1
    (tmp_path / "changed.zip").write_bytes(data)

    with pytest.raises(InvalidArchive, match=r"result/score\.parquet"):
        gate(folder, "drop", *RULE, baseline=tmp_path / "changed.zip")
