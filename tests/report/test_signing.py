"""Every table that a command prints has signatures in every format, and each can be made again from its signature."""

import csv
import io
import json
import shutil
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidSignature

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
BUNDLE = FIXTURES / "example" / "bundle.toml"


@pytest.fixture(scope="module")
def db(example_store, tmp_path_factory):
    return Path(shutil.copy(example_store, tmp_path_factory.mktemp("signing")))


def run(db, *arguments, code=0):
    done = CliRunner().invoke(cli, [*arguments, "--db", str(db)])
    assert done.exit_code == code, done.output
    return done


TRACKING = ("--condition", "trk-eng-1", "--profile", "tdt2004")
COMMANDS = {
    "score": ("score", "osprey", *TRACKING, "--metric", "c_det_norm", "--subset", "all", "--weighting", "topic"),
    "curve": ("score", "osprey", *TRACKING, "--curve"),
    "curve of a subset, all points": (
        "score",
        "osprey",
        *TRACKING,
        "--curve",
        "--all-points",
        "--subset",
        "language=ENGLISH",
    ),
    "compare": ("compare", "osprey", "kestrel", "sparrow", *TRACKING),
    "distributions": ("score", "osprey", *TRACKING, "--distributions"),
    "topics": ("compare", "osprey", "kestrel", *TRACKING, "--per-topic"),
    "ranks": ("stats", "ranks", "osprey", "kestrel", "sparrow", *TRACKING, "--resamples", "500"),
    "reproduce": ("stats", "reproduce", "osprey", "kestrel", *TRACKING),
    "score of topics": ("score", "osprey", *TRACKING, "--per-topic", "--metric", "p_miss", "--subset", "all"),
    "reproduce over a baseline": ("stats", "reproduce", "osprey", "kestrel", "sparrow", "sparrow", *TRACKING),
    "det": ("stats", "det", "osprey", "kestrel", *TRACKING, "--resamples", "200"),
    "leaderboard": ("leaderboard", *TRACKING),
    "matrix": ("leaderboard", *TRACKING, "--per-topic"),
    "adjudicate": ("adjudicate", *TRACKING, "--limit", "3"),
    "corpus": ("corpus", "cost", "example"),
    "ratios of topics": ("corpus", "cost", "example", "--topics"),
    "histogram": ("corpus", "cost", "example", "--histogram"),
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.sample(1)
def test_every_format_has_the_signature_and_it_verifies(db, name):
    rows = json.loads(run(db, *COMMANDS[name], "--format", "json").output)
    signatures = [row["signature"] for row in rows]
    assert all(signatures)

    text = run(db, *COMMANDS[name], "--format", "csv").output
    assert [row["signature"] for row in csv.DictReader(io.StringIO(text))] == signatures
    assert signatures[0] in run(db, *COMMANDS[name], "--signature").output
    assert (
        signatures[0] in run(db, *COMMANDS[name], "--signature", "--format", "markdown").output.replace("\\|", "|")
        or name == "leaderboard"
    )
    latex = run(db, *COMMANDS[name], "--signature", "--format", "latex").output
    assert "sql:" in latex or "data:" in latex

    for signature in dict.fromkeys((signatures[0], signatures[-1])):
        done = run(db, "verify", signature)
        assert "NO" not in done.stdout.split() and "as signed" in done.stderr


def test_ranks_without_names_are_of_all_runs(db):
    def ranks(*names):
        rows = json.loads(run(db, "stats", "ranks", *names, *TRACKING, "--resamples", "50", "--format", "json").output)
        return [{name: value for name, value in row.items() if name != "signature"} for row in rows]

    assert ranks() == ranks("kestrel", "osprey", "sparrow")


@pytest.mark.full
def test_the_numbers_of_evaluate_are_signed(example_store, tmp_path):
    shutil.copy(example_store, tmp_path / "s.duckdb")  # what is there is kept, and printed all the same
    done = CliRunner().invoke(cli, ["evaluate", str(BUNDLE), "--signature", "--db", str(tmp_path / "s.duckdb")])
    found = [line.split()[-1] for line in done.stdout.splitlines() if "|w:topic|" in line]
    assert len(found) == len(set(found)) > 100
    metrics = {signature.split(":")[0]: signature for signature in found}
    for metric in ("c_det_norm", "min_cost", "h"):
        run(tmp_path / "s.duckdb", "verify", metrics[metric])


@pytest.mark.full
def test_a_leaderboard_without_groups_is_signed_as_a_whole(db):
    caption = run(db, "leaderboard", *TRACKING, "--no-groups", "--signature", "--format", "markdown").output
    signature = caption[caption.index("table:leaderboard|") :].strip().rstrip("`")
    run(db, "verify", signature)


@pytest.mark.parametrize("part", ["sql", "judgments", "run", "data"])
@pytest.mark.parametrize("name", ["curve", "topics", "matrix", "distributions"])
@pytest.mark.sample(1)
def test_a_part_that_differs_is_named(db, name, part):
    [row, *_] = json.loads(run(db, *COMMANDS[name], "--format", "json").output)
    with tdtsql.connect(db, read_only=True) as store:
        start = row["signature"].index(f"|{part}:") + len(part) + 2
        changed = (
            row["signature"][:start] + ("0" if row["signature"][start] != "0" else "1") + row["signature"][start + 1 :]
        )
        assert [found.name for found in tdtsql.verify(changed, store).parts if not found.agrees] == [part]


def test_a_changed_number_is_seen_in_the_tables_made_from_it(db, tmp_path):
    path = Path(shutil.copy(db, tmp_path / "changed.duckdb"))
    [row, *_] = json.loads(run(db, *COMMANDS["matrix"], "--format", "json").output)
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "update ledger.result_block set value = value * (1 + 1e-15) where metric = 'c_det_norm' and subset_no = 0 "
            "and value between 0.1 and 0.9"
        )
    with tdtsql.connect(path, read_only=True) as store:
        differ = [found.name for found in tdtsql.verify(row["signature"], store).parts if not found.agrees]
    assert differ == ["data", "computed again", "stored scores"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("table:nothing|data:1", "the signature is of table 'nothing', which is not one of curve,"),
        ("table:curve|run_id:osprey|data:1", "the signature has no condition_id, all_points, profile_id,"),
    ],
)
def test_what_cannot_be_verified_says_why(db, text, message):
    with tdtsql.connect(db, read_only=True) as store, pytest.raises(InvalidSignature, match=message):
        tdtsql.verify(text, store)


def test_an_explained_number_of_a_topic_has_its_signature(db):
    text = run(db, "explain", "osprey", "p_miss", "70001", "--condition", "trk-eng-1").output
    [signature] = [line.strip() for line in text.splitlines() if line.strip().startswith("p_miss:v1|w:block")]
    run(db, "verify", signature)
