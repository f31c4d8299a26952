"""The SQL shell: at a real pseudo-terminal (many lines, history, completion, Ctrl-C), and where its input is none."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.cli.shell import COMMANDS, completer, is_whole, typed


@pytest.fixture(scope="module")
def db(example_store):
    return example_store


class Terminal:
    """`tdtsql sql shell` in a process of its own, behind a pseudo-terminal of 100 columns."""

    def __init__(self, db, state):
        self.pid, self.file = pty.fork()
        if not self.pid:
            # another program at once: of a process with threads (engines, servers of other tests) a copy may wait for
            # ever for what a thread held
            os.execve(
                sys.executable,
                [sys.executable, "-m", "tdtsql", "sql", "shell", "--db", str(db)],
                {
                    **os.environ,
                    "TERM": "xterm",
                    "XDG_STATE_HOME": str(state),
                    "COLUMNS": "",
                    "LINES": "",
                },
            )
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.said = ""
        self.until("tdtsql>")

    def until(self, text: str, seconds: float = 60) -> str:
        """Return what has come since the last call, up to ``text``; colours and movements of the cursor taken out."""
        end = time.monotonic() + seconds
        while text not in self.said:
            ready, _, _ = select.select([self.file], [], [], max(0, end - time.monotonic()))
            assert ready, f"{text!r} did not come: {self.said[-500:]!r}"
            try:
                piece = os.read(self.file, 65536)
            except OSError:
                piece = b""
            assert piece, f"the shell has ended: {self.said[-500:]!r}"
            self.said += re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])", "", piece.decode()).replace("\r", "")
        before, _, self.said = self.said.partition(text)
        return before

    def type(self, text: str) -> None:
        os.write(self.file, text.encode())

    def ask(self, text: str, answer: str) -> None:
        self.type(text)
        self.until(answer)
        self.until("tdtsql>")

    def processor_seconds(self) -> float:
        return sum(map(int, Path(f"/proc/{self.pid}/stat").read_text().split()[13:15])) / os.sysconf("SC_CLK_TCK")

    def end(self, seconds: float = 60) -> int:
        """Press Ctrl-D until the shell has ended, for a key that comes while no prompt waits is lost; returns its exit
        code.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.type("\x04")
            heard = time.monotonic() + 1
            while time.monotonic() < heard:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    os.close(self.file)
                    return os.waitstatus_to_exitcode(status)
                if select.select([self.file], [], [], 0.05)[0]:
                    try:
                        os.read(self.file, 65536)  # who writes to a full terminal waits
                    except OSError:
                        pass  # it has gone
        raise AssertionError(f"the shell goes on after Ctrl-D: {self.said[-500:]!r}")


@pytest.fixture
def terminal(db, tmp_path):
    opened = Terminal(db, tmp_path)
    yield opened
    try:
        os.kill(opened.pid, 9)
        os.waitpid(opened.pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


@pytest.mark.full
def test_a_query_of_many_lines_ends_with_a_semicolon(terminal):
    terminal.type("select run_id,\r")
    terminal.until("...>")
    terminal.type("n from report.score where metric = 'p_miss'\r")
    terminal.until("...>")
    terminal.ask("and condition_id = 'values;' or 1 = 2;\r", "run_id  n")
    terminal.ask("select 41 + 1 as answer;\r", "42")
    assert terminal.end() == 0


@pytest.mark.full
def test_a_wrong_query_is_told_and_the_shell_goes_on(terminal):
    terminal.ask("delete from base.story;\r", "query rejected: DELETE is not supported")
    terminal.ask("select value from report.scor;\r", "Table with name scor does not exist")
    terminal.ask("select 6 * 7 as answer;\r", "42")


@pytest.mark.full
def test_commands(terminal):
    for name in COMMANDS:
        assert name in ".help .tables .schema .ask .format .quit"
    terminal.ask(".help\r", ".schema [SCHEMA|RELATION]")
    terminal.ask(".schema report\r", "report.leaderboard")
    terminal.ask(".tables leaderboard\r", "report.leaderboard")
    terminal.ask(".schema report.leaderboard\r", "position")
    terminal.ask(".schema report.leaderbord\r", "Did you mean report.leaderboard?")
    terminal.ask(".format csv\r", "Rows are printed as csv.")
    terminal.ask("select 1 as one, 'a,b' as two;\r", '1,"a,b"')
    terminal.ask(".ask across_conditions run=osprey profile=tdt3eval\r", "new-eng-10,tdt3eval,new_event")
    terminal.ask(".ask across_conditions rum=osprey\r", "Did you mean run?")
    terminal.ask(".tabels\r", "Did you mean .tables?")
    terminal.type(".quit\r")
    _, status = os.waitpid(terminal.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.full
def test_tab_completes(terminal):
    terminal.type("select count(*) as n from report.win_t\t")
    terminal.until("ie_loss")
    terminal.ask(";\r", "n")
    terminal.type(".ask missed_nug\t")
    terminal.until("gets")
    terminal.ask(" run=north-osprey profile=ts-seed\r", "nugget_text")


@pytest.mark.full
def test_history_is_there_the_next_time(db, tmp_path):
    first = Terminal(db, tmp_path)
    first.ask("select 'the first time' as said;\r", "said")
    assert first.end() == 0
    file = tmp_path / "tdtsql" / "shell_history"
    assert "the first time" in file.read_text() and file.stat().st_mode & 0o077 == 0
    second = Terminal(db, tmp_path)
    second.type("\x1b[A")  # the arrow up
    second.until("select 'the first time' as said;")
    second.ask("\r", "the first time")
    assert second.end() == 0


@pytest.mark.full
def test_ctrl_c_at_the_prompt_drops_what_was_typed_and_nothing_else(terminal):
    for _ in range(10):  # in one piece with other keys: it is in its place among them, wherever the shell is
        terminal.type("select 1 +\r")
        terminal.until("...>")
        terminal.type("select 'given up\x03")
        terminal.until("tdtsql>")
        terminal.ask("select 6 * 7 as answer;\r", "42")
    terminal.type("\x1b[A\x1b[A")  # the two arrows up: what was ended by Enter is in the history, the rest is not
    terminal.until("1 +")  # readline writes what differs


@pytest.mark.full
def test_ctrl_c_stops_the_query_and_not_the_shell(terminal):
    terminal.ask("select 1 as one;\r", "one")
    terminal.type("select count(*) from range(1000000) a(x), range(1000000) b(y) where sin(x) * y < 0;\r")
    began = terminal.processor_seconds()
    while terminal.processor_seconds() < began + 1:  # then the engine is at work
        time.sleep(0.1)
    terminal.type("\x03")
    terminal.until("Stopped.")
    terminal.until("tdtsql>")
    terminal.ask("select 6 * 7 as answer;\r", "42")


def test_lines_are_joined_until_a_query_ends(db, monkeypatch):
    keys = iter(
        ["select 1", "+ 2;", "", ".help", "given up", KeyboardInterrupt, "select", "'\x03", "select 3;", EOFError]
    )
    prompts = []

    def typed_line(prompt):
        prompts.append(prompt.strip())
        key = next(keys)
        if isinstance(key, str):
            return key
        raise key

    monkeypatch.setitem(sys.modules, "readline", None)
    monkeypatch.setattr("builtins.input", typed_line)
    with tdtsql.connect(db, read_only=True) as store:
        assert [*typed(store)] == ["select 1\n+ 2;", "", ".help", "select 3;"]
    first, more = "tdtsql>", "...>"
    assert prompts == [first, more, first, first, first, more, first, more, first, first]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("select 1;", True),
        ("select 1", False),
        ("select 1; ", True),
        ("select 1;\n", True),
        ("", True),
        (" \n", True),
        (".help", True),
        ("select ';", False),
        ("select ';'", False),
        ("select ';';", True),
        ("select 1 -- ;", False),
        ("select 1 -- x\n;", True),
        ("select 1; -- done", True),
        ("select 1 /* ; ", False),
        ("select 1 /* ; */", False),
        ('select 1 as ";"', False),
        ("select 'it''s;'", False),
        ("select 'a' || 'b';", True),
    ],
)
def test_where_a_query_ends(text, whole):
    assert is_whole(text) is whole


def completed(store, text: str) -> list[str]:
    return completer(store)(text)


def test_what_is_completed(db):
    with tdtsql.connect(db, read_only=True) as store:
        assert completed(store, "select * from report.sc") == [
            "report.score",
            "report.score_distribution",
            "report.score_histogram",
        ]
        assert "metric.detection_rate" in completed(store, "select * from metric.detection_r") and not [
            name for name in completed(store, "from metric.") if "__v" in name
        ]
        assert "leaderboard" not in completed(store, "from lead") and completed(store, "from lead") == [
            "report.leaderboard"
        ]
        assert completed(store, "from report.leaderboard where posi") == ["position"]
        assert completed(store, "where metric = 'c_det_p") == ["c_det_prel", "c_det_prel_norm"]
        assert completed(store, "where run_id = 'ospr") == ["osprey"]
        assert completed(store, ".ask worst") == ["worst_topics", "worst_subsets"]
        assert completed(store, ".ask worst_topics ") == ["run=", "condition=", "profile=", "metric=", "limit="]
        assert completed(store, ".format csv ") == [] and completed(store, ".ask nothing ") == []
        assert completed(store, ".form") == [".format"] and completed(store, ".format j") == ["json"]
        assert completed(store, ".schema registry.task_") == ["registry.task_definition"]


def test_without_a_terminal_each_line_is_a_query_or_a_command(db):
    lines = (
        ".format csv\nselect 1 as one\n.ask across_conditions run=osprey profile=tdt3eval\n.ask drift "
        "other=x\n.format yaml\n.ask worst_topics osprey\n.schema\n.ask 'x\n.quit\nselect 2\n"
    )
    result = CliRunner().invoke(cli, ["sql", "shell", "--db", str(db)], input=lines)

    assert result.exit_code == 0
    assert "report.leaderboard,view," in result.stdout  # .schema without a name lists all
    assert "one\n1\n" in result.stdout and "new-eng-10,tdt3eval" in result.stdout and "select 2" not in result.stdout
    for said in (
        "drift opens a file, and the shell opens none",
        "format 'yaml' is unknown",
        "osprey is not a parameter with a value",
        "a quote is not closed",
    ):
        assert said in result.stderr
