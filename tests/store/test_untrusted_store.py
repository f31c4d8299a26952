"""Stores of strangers: what their views may do, and what is left of an output file that cannot be finished."""

import ast
import errno
import re
import resource
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import tdtsql
from server_client import client_of
from tdtsql.cli.evaluate import store_to_fill
from tdtsql.cli.main import cli
from tdtsql.errors import CannotWrite, InvalidQuery, NotAStore, OtherDefinitions
from tdtsql.output_file import folder_beside, write_whole, written_beside
from tdtsql.serve.server import Server

PACKAGE = Path(tdtsql.__file__).parent


@pytest.fixture
def path(bagga_copy, tmp_path):
    (tmp_path / "secret.txt").write_text("TOPSECRET")
    return bagga_copy


def run(*arguments) -> tuple[int, str]:
    """Return the exit code of a command and all that it says, its error included."""
    done = CliRunner().invoke(cli, [str(part) for part in arguments])
    return done.exit_code, f"{done.output}{done.exception or ''}"


#: views that a user may have added: name -> its text, FILE being a file of the machine
OWN = {
    "mine.leak": "create view mine.leak (a, b) as select content, 1 from read_text('FILE')",
    '"my own"."x (y"': 'create view "my own"."x (y" as select * from mine.leak',
    "main.leak": "create view main.leak as select (select content from read_blob('FILE')) as a",
    "mine.csv": "create view mine.csv as select * from 'FILE.csv'",
}


def test_a_view_of_the_users_own_never_reads_files(path):
    (path.parent / "secret.txt.csv").write_text("a\nTOPSECRET\n")
    with duckdb.connect(str(path)) as connection:
        connection.execute('create schema mine; create schema "my own"')
        for text in OWN.values():
            connection.execute(text.replace("FILE", str(path.parent / "secret.txt")))
        connection.execute("create view mine.good as select run_id from report.score")

    with tdtsql.connect(path) as store:
        assert store.sql("select count(*) from mine.good").fetchall() == [(378,)]
        for name in OWN:
            for query in ("select * from {}", "with a as (from {}) select * from a", "summarize {}"):
                with pytest.raises(InvalidQuery):
                    store.sql(query.format(name)).fetchall()


def made_elsewhere(path: Path) -> None:
    """Let a store say that other definitions made it, with a view that reads a file."""
    secret = path.parent / "secret.txt"
    with duckdb.connect(str(path)) as connection:
        names = [row[0] for row in connection.execute("describe report.leaderboard").fetchall()]
        read = f"(select content from read_text('{secret}')) as run_id"
        [(text,)] = connection.execute("select sql from duckdb_views() where view_name = 'leaderboard'").fetchall()
        body = text.split(" AS ", 1)[1].rstrip(";")
        columns = ", ".join(read if name == "run_id" else name for name in names)
        connection.execute(f"create or replace view report.leaderboard as select {columns} from ({body})")
        connection.execute("update registry.made_with set value = repeat('f', 64) where item = 'definitions'")
        connection.execute("delete from registry.made_with where item = 'catalog'")


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore::tdtsql.errors.OtherDefinitions")
@pytest.mark.parametrize("command", [("archive", "pack"), ("export",), ("copy",)])
def test_a_store_of_other_definitions_is_not_passed_on(path, command):
    made_elsewhere(path)

    code, said = run(*command, path.parent / "out", "--db", path)

    assert code == 1 and "made with other definitions than those installed" in said
    assert {file.name for file in path.parent.iterdir()} == {"store.duckdb", "secret.txt"}


def test_views_of_other_definitions_have_no_files(path):
    made_elsewhere(path)

    with pytest.warns(OtherDefinitions):
        store = tdtsql.connect(path, read_only=True, inspect=True)
    with store:
        assert store.relation("select count(*) from report.score").fetchall()
        with pytest.raises(duckdb.PermissionException):
            store.relation("select * from report.leaderboard").fetchall()


def test_a_view_in_place_of_what_a_store_says_of_itself_is_refused_unread(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("alter table registry.made_with rename to other")
        connection.execute("create view registry.made_with as select content as item from read_text('/nowhere')")

    with pytest.raises(NotAStore, match="registry.made_with is not a table"):
        tdtsql.connect(path)


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "command", [("report", "make", "a.html"), ("archive", "pack", "a.zip"), ("audit", "--junit", "a.xml")]
)
def test_a_full_disk_leaves_the_file_that_was_there(path, command, monkeypatch):
    out = path.parent / command[-1]
    out.write_text("before")
    write = Path.write_bytes
    monkeypatch.setattr(
        Path, "write_bytes", lambda self, data: full() if self.name.startswith(out.name) else write(self, data)
    )

    code, said = run(*command[:-1], out, "--db", path)

    monkeypatch.undo()
    assert code == 1 and f"{out.name}: cannot be written: No space left" in said
    assert out.read_text() == "before" and not list(path.parent.glob(".*"))


@pytest.mark.full
def test_what_killed_processes_left_is_removed_by_the_next_and_what_others_write_is_not(tmp_path):
    for name in (".a[1].txt.x1.partial", ".a1.txt.x2.partial"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("x")
    with written_beside(tmp_path / "a[1].txt") as first:
        write_whole(tmp_path / "a[1].txt", b"second")
        assert first.parent.is_dir()
        first.write_text("first")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a1.txt.x2.partial", "a[1].txt"]
    assert (tmp_path / "a[1].txt").read_text() == "first"

    name = "s" * 240 + ".duckdb"  # of 255 bytes that a name has at most
    tdtsql.connect(tmp_path / name, create=True).close()
    assert {path.name for path in tmp_path.iterdir()} == {".a1.txt.x2.partial", "a[1].txt", name}


def test_a_file_system_without_locks_is_written_to(tmp_path, monkeypatch):
    def unsupported(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("tdtsql.output_file.fcntl.flock", unsupported)
    (tmp_path / ".a.txt.x.partial").mkdir()
    write_whole(tmp_path / "a.txt", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.txt.x.partial", "a.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left on device")])
def test_a_copy_that_does_not_end_leaves_nothing(path, monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr("tdtsql.store.copy.copy_store", fails)
    code, _ = run("copy", path.parent / "to.duckdb", "--db", path)

    assert code != 0
    assert {file.name for file in path.parent.iterdir()} == {"store.duckdb", "secret.txt"}


def test_a_copy_that_does_not_fit_leaves_nothing(path):
    with tdtsql.connect(path.parent / "to.duckdb", create=True) as made:
        room = Path(made.path).stat().st_size
    (path.parent / "to.duckdb").unlink()

    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))  # an empty store fits
    try:
        code, said = run("copy", path.parent / "to.duckdb", "--db", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))

    assert code == 1 and "cannot be written: File too large" in said, said
    assert {file.name for file in path.parent.iterdir()} == {"store.duckdb", "secret.txt"}


def test_the_cause_is_raised_where_nothing_can_be_rolled_back(path):
    """Ctrl-C at the end of a transaction can close the connection before the transaction ends."""
    with tdtsql.connect(path) as store, pytest.raises(KeyError, match="cause"), store.engine.transaction():
        store.engine.connection.close()
        raise KeyError("cause")


def test_a_new_store_whose_load_fails_leaves_no_log(tmp_path):
    path = tmp_path / "store.duckdb"
    with pytest.raises(OSError, match="No space"), store_to_fill(str(path), trace=False) as store:
        close = store.close
        store.close = lambda: (close(), Path(f"{path}.wal").write_bytes(b"x"))
        full()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", [("archive", "pack"), ("report", "make"), ("audit", "--junit")])
def test_no_output_replaces_a_store(path, command):
    """`archive pack results.duckdb --db results.duckdb` wrote the archive in place of the store."""
    before = path.read_bytes()

    code, said = run(*command, path, "--db", path)

    assert code != 0 and "DuckDB database" in said
    assert path.read_bytes() == before


def test_files_and_folders_take_their_place_at_the_end(tmp_path):
    place = tmp_path / "a.txt"
    with written_beside(place) as unfinished:
        unfinished.write_text("x")
        assert not place.exists() and unfinished.parent.parent == tmp_path
    assert place.read_text() == "x" and place.stat().st_mode & 0o044
    with pytest.raises(ValueError, match="stop"), folder_beside(tmp_path / "folder") as unfinished:
        (unfinished / "part").write_text("x")
        raise ValueError("stop")
    with pytest.raises(CannotWrite, match="previous file is unchanged"), written_beside(place):
        full()
    link = tmp_path / "link"
    link.symlink_to(place)
    write_whole(link, b"through")
    assert link.is_symlink() and place.read_text() == "through"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "link"}


#: modules that write files which are not a user's: temporary ones, the lock of a checkout
WRITERS = set(
    "output_file lock compile definition_diff empty empty_store spill archive container "
    "archive_diff main from_python testing".split()  # the last two: a folder that is removed, a new package
)


def test_one_module_writes_the_files_of_users():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(r"\b(open|write_text|write_bytes)\b", text) else ():
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            modes = [
                arg.value for arg in (*node.args, *(k.value for k in node.keywords)) if isinstance(arg, ast.Constant)
            ]
            writes = name == "open" and any(
                isinstance(mode, str) and mode[:1] in ("w", "a", "x") and len(mode) < 4 for mode in modes
            )
            if writes or name in ("write_text", "write_bytes"):
                found.add(path.stem)
    assert found <= WRITERS, "write the files of users with tdtsql.output_file"


def test_a_store_of_other_definitions_is_reported_wherever_its_numbers_are_shown(path):
    made_elsewhere(path)

    with pytest.warns(
        OtherDefinitions, match="written with other definitions .* its views and numbers are not verified"
    ):
        tdtsql.connect(path, read_only=True).close()
    with pytest.warns(OtherDefinitions):
        code, said = run("ledger", "verify", "--quick", "--db", path)
    assert code == 1 and said.startswith(str(path)) and "written with other definitions" in said
    with pytest.warns(OtherDefinitions):
        server = Server(str(path))
    assert "written with other definitions" in client_of(server).get("/ledger").text
    server.close()
