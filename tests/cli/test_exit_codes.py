"""Exit codes of the installed command, where the process is the point: streams, signals, limits, damaged files."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from record import ended
from tdtsql.cli.main import cli
from places import ROOT

BUNDLE = ROOT / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"
INSTALLED = Path(sys.executable).with_name("tdtsql")


def tdtsql(*arguments, shell="", **kind):
    """Run the installed command; ``shell`` is appended to its line (a redirection)."""
    command = [str(INSTALLED) if INSTALLED.exists() else shutil.which("tdtsql"), *map(str, arguments)]
    if shell:
        command = ["bash", "-c", f'"$@" {shell}', "bash", *command]
    if "preexec_fn" in kind:  # a limit of the size of files would cut off compiled modules, which stay
        kind["env"] = {**os.environ, **kind.get("env", {}), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, **kind)


def verified(store):
    """Return the code with which `ledger verify` ends."""
    return CliRunner().invoke(cli, ["ledger", "verify", "--db", str(store)]).exit_code


@pytest.fixture(scope="module")
def folder(evaluated_once, tmp_path_factory):
    """A folder with a good store."""
    folder = tmp_path_factory.mktemp("codes")
    shutil.copy(evaluated_once(BUNDLE), folder / "good.duckdb")
    return folder


# ---- what happens to the output


def test_a_reader_that_has_enough_is_no_error(folder):
    done = tdtsql("score", "--db", folder / "good.duckdb", "--format", "csv", shell="| head -1; exit ${PIPESTATUS[0]}")

    assert done.returncode == 0 and done.stderr == "" and len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "closed"),
    [
        (("score",), ">&-"),
        (("score",), "<&- >&- 2>&-"),
        (("run", "list", "--format", "csv"), ">&-"),
        (("metric", "list"), "<&- 2>&-"),
    ],
)
@pytest.mark.full
def test_a_closed_stream_is_no_traceback_and_no_harm(folder, tmp_path, command, closed):
    db = tmp_path / "store.duckdb"
    shutil.copy(folder / "good.duckdb", db)

    done = tdtsql(*command, *(() if command[0] == "metric" else ("--db", db)), shell=closed)

    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert verified(db) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_output_that_cannot_be_written_is_said(folder):
    done = tdtsql("run", "list", "--db", folder / "good.duckdb", shell="> /dev/full")

    assert done.returncode == 1 and "No space left" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.full
def test_ctrl_c_inside_a_query_stops_with_130(folder):
    # a process of the background may have been told to ignore SIGINT
    running = subprocess.Popen(
        [
            str(INSTALLED),
            "sql",
            "query",
            "select count(*) from range(1000000) a(x), range(1000000) b(y) where sin(x) * y < 0",
            "--db",
            str(folder / "good.duckdb"),
            "--trace",
        ],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    try:
        for line in running.stderr:  # --trace says when the query begins
            if "range(1000000)" in line:
                break
        time.sleep(0.5)
        os.kill(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=30)
    finally:
        running.kill()

    assert running.returncode == 130 and said.strip().endswith("Stopped.") and "Traceback" not in said


# ---- what the machine does not give, and what is no store


@pytest.mark.parametrize("name", ["report", "registry", "staging", "base", "metric", "ledger", "own", "Base"])
def test_a_store_that_is_called_like_a_schema_is_refused_and_not_made(tmp_path, name):
    done = ended("evaluate", BUNDLE, "--db", tmp_path / f"{name}.duckdb")

    assert done.returncode == 1 and "cannot be called like one of its schemas" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["evaluate", "corpus add"])
def test_a_load_that_is_refused_makes_no_store_and_leaves_one_that_is_there(
    folder, tmp_path, monkeypatch, capsys, command
):
    (tmp_path / "stories.csv").write_text("story_id,position\ns1,first\n")
    (tmp_path / "bundle.toml").write_text('[corpus]\nid = "c"\nstories = "stories.csv"\n')
    shutil.copy(folder / "good.duckdb", tmp_path / "store.duckdb")
    for name in ("new", "store"):
        words = [*command.split(), str(tmp_path / "bundle.toml"), "--db", str(tmp_path / f"{name}.duckdb")]
        done = ended(*words)
        assert done.returncode == 1 and "Nothing was stored." in done.stderr

    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle.toml", "store.duckdb", "stories.csv"]
