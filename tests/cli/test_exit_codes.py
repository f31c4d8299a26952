"""Exit codes of the installed command: 0 done, 1 a problem of the data, 2 a wrong call, 130 stopped.

Each command is run once in a process of its own; further lines of the same command by the function that gives that
process its code.
"""

import io
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import click
import duckdb
import pytest
from click.testing import CliRunner

from inside import pack
from tdtsql.api import connect
from tdtsql.cli.main import _run, cli
from tdtsql.errors import TdtsqlError

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"
BROKEN = BUNDLE.parents[1] / "decision_twice" / "bundle.toml"
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


#: command line -> code; {store}, {changed}, {folder}, {bundle} stand for paths, and {new} for a file that is not there
CODES = [
    ("evaluate {bundle} --db {new}", 0),
    ("evaluate --check {bundle}", 0),
    ("evaluate {broken} --db {new}", 1),
    ("leaderboard --db {changed}", 1),  # what is published has the hashes of the ledger
    ("report make {folder}/changed.html --db {changed}", 1),
    ("evaluate nothing.toml", 2),
    ("example {new}", 0),
    ("example {folder}", 2),
    ("run add {folder}/mine.csv --id mine --condition c --db {copy}", 0),
    ("run add {folder}/bad.csv --id mine --condition c --db {copy}", 1),
    ("run add {folder}/mine.csv --id mine --condition nowhere --db {copy}", 2),
    ("run check {folder}/mine.csv --id mine --condition c --db {store}", 0),
    ("run check {folder}/bad.csv --id mine --condition c --db {store}", 1),
    ("run calibrate s --fit-on nowhere --to c --db {copy}", 2),
    ("run calibrate s --fit-on c --to c --allow-same --db {copy}", 1),
    ("stats subsets --db {store}", 1),
    ("stats subsets --db {new}", 1),
    ("run list --db {store}", 0),
    ("run list --db {new}", 1),
    ("run show s --db {store}", 0),
    ("run show nobody --db {store}", 2),
    ("run withdraw s --reason late --db {copy}", 0),
    ("run label s --team T --alias shown --db {copy}", 0),
    ("run label s --db {copy}", 2),
    ("run restore nobody --db {copy}", 2),
    ("run rename s s --db {copy}", 2),
    ("run drop s --db {copy}", 0),
    ("run drop nobody --db {copy}", 2),
    ("corpus add {bundle} --db {new}", 0),
    ("corpus add nothing.toml", 2),
    ("corpus list --db {store}", 0),
    ("corpus show small --db {store}", 0),
    ("corpus show nothing --db {store}", 2),
    ("corpus conditions --db {store}", 0),
    ("corpus conditions nothing --db {store}", 2),
    ("corpus cost small --db {store}", 0),
    ("corpus cost nothing --db {store}", 2),
    ("corpus drop small --db {copy}", 0),
    ("corpus drop nothing --db {copy}", 2),
    ("score --db {store}", 0),
    ("score nobody --db {store}", 2),
    ("score --db {new}", 1),
    ("compare s nobody --db {store}", 2),
    ("compare s --db {store}", 2),
    ("compare s s --level 2 --db {store}", 2),
    ("gate s nobody --fail-if 'c_det_norm > +0.02' --db {store}", 2),
    ("gate s {folder}/good.zip --fail-if 'f1 > +0.02' --db {store}", 2),
    ("gate s {folder}/good.zip --fail-if 'c_det_norm > +1e999' --db {store}", 2),
    ("gate s {folder}/good.zip --fail-if 'c_det_norm[language=KLINGON] > +0.02' --db {store}", 2),
    ("gate s {folder}/good.zip --fail-if 'c_det_norm > +0.02' --alpha 2 --db {store}", 2),
    ("gate s {folder}/good.zip --fail-if 'c_det_norm > +0.02' --db {store}", 0),
    ("report make {new}.html --db {store}", 0),
    ("report make {new}/x/y.html --db {store}", 1),
    ("leaderboard --db {store}", 0),
    ("condition list --db {store}", 0),
    ("profile list", 0),
    ("profile show trec_eval", 0),
    ("profile show trec_evl", 2),
    ("stats ranks s --db {store}", 2),
    ("plot det -o {new}.svg --condition c --db {store}", 0),
    ("plot det -o {new}.svg nobody --condition c --db {store}", 2),
    ("plot path s 81001 --condition c --db {store}", 2),
    ("plot hierarchy s 81001 -o {new}.svg --condition c --db {store}", 2),
    ("task list", 0),
    ("task new codes --to {new}", 0),
    ("task new tracking --to {new}", 2),
    ("task lock {folder}", 2),
    ("task check nowhere", 1),
    ("metric list", 0),
    ("metric show p_miss", 0),
    ("metric show p_mis", 2),
    ("metric lineage p_miss", 0),
    ("metric lineage p_mis", 2),
    ("metric new half --task tracking --to {folder}", 0),
    ("metric new half --task trackin", 2),
    ("metric check {own}", 0),
    ("metric check {broken}", 1),
    ("metric try {own} --db {store}", 0),
    ("metric add {own} --db {copy}", 0),
    ("metric add {broken} --db {copy}", 1),
    ("metric drop nothing --db {copy}", 2),
    ("metric impact --db {store}", 0),
    ("metric impact --db {new}", 1),
    ("metric diff p_miss v1 v99", 2),
    ("adjudicate --db {store}", 0),
    ("adjudicate --condition nowhere --db {store}", 2),
    ("ledger list --db {store}", 0),
    ("ledger head --db {store}", 0),
    ("ledger verify --db {store}", 0),
    ("ledger verify --db {changed}", 1),
    ("explain s c_det --db {store}", 0),
    ("explain s nothing --db {store}", 2),
    ("audit --db {store}", 0),
    ("check --db {store}", 0),
    ("check --head 12 --db {store}", 2),
    ("audit --db {new}", 1),
    ("archive pack {new}.zip --db {store}", 0),
    ("archive verify {folder}/good.zip", 0),
    ("archive verify {folder}/garbage.zip", 1),
    ("archive verify {folder}/good.zip --root 00", 1),
    ("archive diff {folder}/good.zip {folder}/good.zip", 0),
    ("archive diff {folder}/good.zip {folder}/garbage.zip", 1),
    ("metric cite c_det_norm", 0),
    ("metric cite nothing", 2),
    ("copy {new} --db {store}", 0),
    ("export {new} --db {store}", 0),
    ("export {new} --db {new}.duckdb", 1),
    ("sql query 'select 1' --db {store}", 0),
    ("sql query 'selec' --db {store}", 2),
    ("sql query '-- x' --db {store}", 2),
    ("sql query '' --db {store}", 2),
    ("sql query 'select 1' --db {new}", 1),
    ("sql schema --db {store}", 0),
    ("sql schema nothing --db {store}", 2),
    ("sql render p_miss --dialect spark", 0),
    ("sql render p_mis --dialect spark", 2),
    ("ask", 0),
    ("ask leaderboard --db {store}", 0),
    ("ask standin --db {store}", 2),
    ("ask leaderboard --runs 2 --db {store}", 2),
    ("ask leaderboard --profile tdt --db {store}", 2),
    ("ask worst_topics --db {store}", 2),
    ("ask leaderboard --db {new}", 1),
    ("nothing", 2),
    ("verify c_det:v1 --db {new}", 1),
    ("serve --db {new}", 1),
    ("serve --db :memory:", 1),
    ("serve --port 99999 --db {store}", 2),
]


def command_of(line):
    """Return the command of a line: its first words, as far as they name one."""
    found, words = cli, []
    for word in line.split():
        if not isinstance(found, click.Group):
            break
        words.append(word)
        found = found.get_command(click.Context(found), word)
    return tuple(words)


#: the first line of each command
FIRST = {command_of(line): line for line, _ in reversed(CODES)}


@pytest.mark.parametrize(("line", "code"), CODES, ids=[line for line, _ in CODES])
@pytest.mark.sample(3)
def test_a_command_ends_with_its_code(folder, tmp_path, monkeypatch, capsys, line, code):
    shutil.copy(folder / "good.duckdb", tmp_path / "copy.duckdb")
    names = {
        "bundle": BUNDLE,
        "broken": BROKEN,
        "own": ROOT / "fixtures" / "own_metric" / "balanced_accuracy__v1.sql",
        "store": folder / "good.duckdb",
        "changed": folder / "changed.duckdb",
        "folder": folder,
        "copy": tmp_path / "copy.duckdb",
        "new": tmp_path / "new",
    }
    words = [word.format(**names) for word in shlex.split(line)]
    if FIRST[command_of(line)] == line:
        done = tdtsql(*words, stdin=subprocess.DEVNULL)
        found, said = done.returncode, done.stderr
    else:
        monkeypatch.chdir(ROOT)
        monkeypatch.setattr(sys, "argv", ["tdtsql", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        found, said = _run(), capsys.readouterr().err

    assert found == code, said
    assert "Traceback" not in said
    assert code == 0 or said.strip()


@pytest.mark.full
def test_verify_says_no_with_its_code(folder):
    [signature] = (
        duckdb.connect(str(folder / "good.duckdb"), read_only=True)
        .execute(
            "select signature from report.score where metric = 'c_det' and subset = 'all' and weighting = 'topic' "
            "limit 1"
        )
        .fetchone()
    )

    assert tdtsql("verify", signature, "--db", folder / "good.duckdb").returncode == 0
    assert tdtsql("verify", signature.replace("|w:topic|", "|w:story|"), "--db", folder / "good.duckdb").returncode == 1


def test_the_table_of_codes_names_every_command():
    named = [line for line, _ in CODES] + ["verify "]

    def leaves(group, path=()):
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            yield from leaves(command, (*path, name)) if isinstance(command, click.Group) else [" ".join((*path, name))]

    assert not [
        command
        for command in leaves(cli)
        if command != "metric new-version"
        and not any(line.startswith(f"{command} ") or line == command for line in named)
    ]


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
        monkeypatch.setattr(sys, "argv", ["tdtsql", *words])
        assert _run() == 1 and "Nothing was stored." in capsys.readouterr().err

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
        and "Make room, and run the command again." in done.stderr
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
