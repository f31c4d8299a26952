"""Exit codes of the installed command, where the process is the point: streams, signals, limits, damaged files."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from record import ended
from tdtsql.audit.archive import pack
from tdtsql.api import connect
from tdtsql.cli.main import cli
from tdtsql.errors import TdtsqlError

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"
EXAMPLE = ROOT / "fixtures" / "example" / "bundle.toml"
INSTALLED = Path(sys.executable).with_name("tdtsql")


def tdtsql(*arguments, shell="", **kind):
    """Run the installed command; ``shell`` is appended to its line (a redirection)."""
    command = [str(INSTALLED) if INSTALLED.exists() else shutil.which("tdtsql"), *map(str, arguments)]
    if shell:
        command = ["bash", "-c", f'"$@" {shell}', "bash", *command]
    if "preexec_fn" in kind:  # a limit of the size of files would cut off compiled modules, which stay
        kind["env"] = {**os.environ, **kind.get("env", {}), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, **kind)


def asked(store, sql):
    """Return the rows that a query of a store gives, in the order in which it gives them."""
    with duckdb.connect(str(store), read_only=True) as connection:
        return connection.sql(sql).fetchall()


def verified(store):
    """Return the code with which `ledger verify` ends."""
    return CliRunner().invoke(cli, ["ledger", "verify", "--db", str(store)]).exit_code


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a good store, one whose kept numbers were changed, and an archive."""
    folder = tmp_path_factory.mktemp("codes")
    assert tdtsql("evaluate", BUNDLE, "--db", folder / "good.duckdb").returncode == 0
    shutil.copy(folder / "good.duckdb", folder / "changed.duckdb")
    with duckdb.connect(str(folder / "changed.duckdb")) as store:
        store.execute("update ledger.result_score set value = value + 1 where metric = 'c_det'")
        store.execute("update ledger.entry set detail = 'nothing' where entry_no = 2")
    with connect(folder / "good.duckdb") as good:
        pack(good.engine, folder / "good.zip")
    (folder / "garbage.zip").write_bytes(b"PK" + bytes(100))
    (folder / "mine.csv").write_text("topic_id,story_id,decision,score\n81001,B1,yes,2\n")
    (folder / "bad.csv").write_text("topic_id,story_id,decision,score\n81001,B1,perhaps,2\n")
    (folder / "mine.toml").write_text(BUNDLE.read_text())
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


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["report", "registry", "staging", "base", "metric", "ledger", "own", "Base"])
def test_a_store_that_is_called_like_a_schema_is_refused_and_not_made(tmp_path, name):
    done = tdtsql("evaluate", BUNDLE, "--db", tmp_path / f"{name}.duckdb")

    assert (
        done.returncode == 1
        and "cannot be called like one of its schemas" in done.stderr
        and list(tmp_path.iterdir()) == []
    )


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


@pytest.mark.full
def test_little_memory_a_full_disk_and_no_home_are_sentences(folder, tmp_path):
    good = folder / "good.duckdb"
    for arguments, shell, environment, code, says in (
        (
            ("sql", "query", "select x from range(3000000) a(x) order by sin(x) limit 3 offset 2900000", "--db", good),
            "",
            {"TDTSQL_MEMORY_LIMIT": "8MB"},
            2,
            "more memory",
        ),
        (("score", "--db", good), "", {"TDTSQL_MEMORY_LIMIT": "lots"}, 1, "Memory must have a number"),
        (("report", "make", tmp_path / "page.html", "--db", good), "", {}, 1, "File too large"),
        (("export", tmp_path / "out", "--db", good), "", {}, 1, "File too large"),
        (("evaluate", BUNDLE, "--db", tmp_path / "home.duckdb"), "", {"HOME": "~"}, 0, ""),
    ):
        limit = (
            {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))}
            if says == "File too large"
            else {}
        )
        done = tdtsql(*arguments, shell=shell, env={**os.environ, **environment}, **limit)

        assert done.returncode == code and says in done.stderr and "Traceback" not in done.stderr, (
            arguments,
            done.stderr,
        )


@pytest.mark.full
def test_a_store_that_a_client_reads_is_printed_where_nothing_is_missing(folder, tmp_path):
    """The client holds the file so that nobody can write; numbers that are there can be read beside it."""
    shutil.copy(folder / "good.duckdb", tmp_path / "store.duckdb")
    shutil.copy(folder / "good.duckdb", tmp_path / "stale.duckdb")
    with duckdb.connect(str(tmp_path / "stale.duckdb")) as store:
        store.execute("delete from registry.current_input")
    client = (
        "import duckdb, sys, time; stores = [duckdb.connect(path, read_only=True) for path in sys.argv[1:]]; "
        "print('open', flush=True); time.sleep(600)"
    )
    reader = subprocess.Popen(
        [sys.executable, "-c", client, str(tmp_path / "store.duckdb"), str(tmp_path / "stale.duckdb")],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert reader.stdout.readline() == "open\n"
        for command in (
            ("leaderboard", "--no-groups"),
            ("score",),
            ("report", "make", tmp_path / "page.html"),
            ("adjudicate",),
        ):
            done = tdtsql(*command, "--db", tmp_path / "store.duckdb")
            assert done.returncode == 0, done.stderr
        stale = tdtsql("score", "--db", tmp_path / "stale.duckdb")
        written = tdtsql("run", "drop", "r", "--db", tmp_path / "store.duckdb")
    finally:
        reader.kill()
        reader.communicate()

    assert (
        stale.returncode == 1
        and f"process {reader.pid} has the store open" in stale.stderr
        and "1 of its runs have no numbers that are up to date" in stale.stderr
    )
    assert written.returncode == 1 and f"process {reader.pid} has the store open" in written.stderr


@pytest.mark.full
@pytest.mark.parametrize(("room", "n_run"), [(4096, 1), (1_000_000, 22)])
def test_a_disk_that_is_full_while_an_evaluation_is_stored_is_a_sentence(folder, tmp_path, room, n_run):
    """With little room the load is not there; with more it is, and numbers are missing that `score` makes."""
    store = tmp_path / "store.duckdb"
    shutil.copy(folder / "good.duckdb", store)
    before = asked(store, "select value, signature from report.score order by all")

    done = tdtsql(
        "evaluate", EXAMPLE, "--db", store, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    )

    assert (
        done.returncode == 1
        and "The store has what was finished before (`tdtsql run list`). Make room, and run the command again."
        in done.stderr
        and "Traceback" not in done.stderr
    )
    assert asked(store, "select count(*) from registry.run") == [(n_run,)]
    assert [
        row for row in asked(store, "select value, signature from report.score order by all") if row in before
    ] == before
    assert verified(store) == 0
    assert tdtsql("evaluate", EXAMPLE, "--db", store).returncode == 0
    assert asked(
        store, "select count(*) from registry.current_input as had anti join ledger.current_computation using (run_no)"
    ) == [(0,)]


@pytest.mark.full
def test_damaged_bytes_of_a_store_are_said(folder, tmp_path):
    data = bytearray((folder / "good.duckdb").read_bytes())
    for place in range(4096, len(data), 5000):
        data[place] ^= 0xFF
    (tmp_path / "damaged.duckdb").write_bytes(data)
    (tmp_path / "half.duckdb").write_bytes(data[: len(data) // 2])
    (tmp_path / "empty.duckdb").write_bytes(b"")

    for name in ("damaged", "half", "empty"):
        done = tdtsql("score", "--db", tmp_path / f"{name}.duckdb")
        assert done.returncode == 1 and done.stderr.startswith(str(tmp_path / name)) and "Traceback" not in done.stderr


def test_archive_verify_says_what_garbage_is(folder, tmp_path):
    def changed(name, change):
        with zipfile.ZipFile(folder / "good.zip") as old, zipfile.ZipFile(tmp_path / name, "w") as new:
            for member in old.namelist():
                content = change(member, old.read(member))
                if content is not None:
                    new.writestr(member, content)
        return tmp_path / name

    with zipfile.ZipFile(folder / "good.zip") as good:
        [*_, parquet] = sorted(member for member in good.namelist() if member.endswith(".parquet"))
        texts = [member for member in good.namelist() if member.endswith(".json")]
    tries = [
        changed("empty_parquet.zip", lambda name, data: b"" if name == parquet else data),
        changed("no_tables.zip", lambda name, data: None if name.endswith(".parquet") else data),
    ]
    for text in texts:
        stem = Path(text).stem
        tries += [
            changed(f"no_{stem}.zip", lambda name, data, text=text: None if name == text else data),
            changed(f"list_{stem}.zip", lambda name, data, text=text: b"[]" if name == text else data),
            changed(f"deep_{stem}.zip", lambda name, data, text=text: b"[" * 100_000 if name == text else data),
            changed(f"null_{stem}.zip", lambda name, data, text=text: b"null" if name == text else data),
        ]

        def part(name, data, text=text):
            if name != text:
                return data
            return json.dumps(dict.fromkeys(json.loads(data))).encode() if data[:1] == b"{" else data[:-9]

        tries.append(changed(f"part_{stem}.zip", part))
    (tmp_path / "empty.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    (tmp_path / "cut.zip").write_bytes((folder / "good.zip").read_bytes()[:5000])
    for archive in [*tries, tmp_path / "empty.zip", tmp_path / "cut.zip"]:
        result = CliRunner().invoke(cli, ["archive", "verify", str(archive)])
        assert isinstance(result.exception, TdtsqlError), (archive.name, result.exception)
