"""Tables in a terminal of 80, 100 and 160 columns: nothing is broken inside a number or a name, what has no room is
named.
"""

import fcntl
import os
import pty
import re
import shlex
import struct
import sys
import termios
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from tdtsql.show.table import GAP, Table, layout, text
from tdtsql.cli.main import main


COMMANDS = [
    "evaluate {bundle}",
    "score",
    "score --long",
    "score osprey --metric c_det_norm --interval",
    "score --per-topic --metric c_det_norm",
    "score osprey --curve --condition trk-eng-1",
    "score osprey --distributions",
    "compare osprey sparrow --condition trk-eng-1 --profile tdt2004",
    "stats ranks osprey sparrow kestrel --condition trk-eng-1 --profile tdt2004",
    "compare osprey sparrow --condition trk-eng-1 --profile tdt2004 --per-topic",
    "leaderboard",
    "leaderboard --per-topic --condition trk-eng-1",
    "corpus list",
    "corpus show example",
    "corpus conditions",
    "corpus cost example",
    "run list",
    "run show osprey",
    "metric list",
    "metric lineage c_det_norm",
    "audit",
    "ledger list",
    "ledger verify",
    "sql schema",
    "sql schema report.score",
    "sql query 'select * from report.score'",
    "ask",
    "ask worst_topics --run osprey",
    "ask missed_nuggets",
    "condition list",
    "explain osprey c_det_norm --condition trk-eng-1 --profile tdt2004",
    "adjudicate",
]


@pytest.fixture(scope="module")
def example_bundle():
    return Path(__file__).parents[2] / "fixtures" / "example" / "bundle.toml"


@pytest.fixture(scope="module")
def db(example_copy):
    return example_copy


def drawn(arguments: list[str], width: int) -> tuple[str, int]:
    """Return what a command prints to a terminal of that width, without its colours, and its exit code."""
    pid, terminal = pty.fork()
    if not pid:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
        os.environ.pop("COLUMNS", None)
        os.environ.pop("LINES", None)
        os.environ["TERM"] = "xterm"
        sys.stdin, sys.stdout, sys.stderr = (
            open(0, closefd=False),  # noqa: SIM115
            open(1, "w", closefd=False),  # noqa: SIM115
            open(2, "w", closefd=False),  # noqa: SIM115
        )
        sys.argv = ["tdtsql", *arguments]
        code = 70
        try:
            code = main() or 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    out = b""
    try:
        while piece := os.read(terminal, 65536):
            out += piece
    except OSError:  # the other end is closed
        pass
    _, status = os.waitpid(pid, 0)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.decode()).replace("\r\n", "\n")
    return text, os.waitstatus_to_exitcode(status)


@pytest.mark.sample(2)
@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_line_fits(db, example_bundle, command, width):
    arguments = [part.format(bundle=example_bundle) for part in shlex.split(command)]
    text, code = drawn(
        [*arguments, *(["--db", str(db)] if arguments[0] != "metric" or "lineage" in arguments else [])], width
    )

    assert code == 0, text
    wide = [line for line in text.replace("\r", "\n").split("\n") if cell_len(line.rstrip()) > width]
    # a word that is longer than the terminal (a signature in a sentence, a path) can only stick out
    assert not [line for line in wide if max(map(cell_len, line.split())) <= width], wide[:3]
    assert not wide or command.startswith(("explain", "evaluate")), wide[:3]


def test_a_column_is_left_out_from_the_last_and_the_kept_ones_stay():
    # 10 + 2 + 10 + 2 + 10 + 2 + 10 = 46; without the last 34, without the last two 22
    columns = ["a" * 10, "b" * 10, "c" * 10, "d" * 10]
    rows = [["1", "2", "3", "4"], ["5", "6", "7", "8"]]

    assert layout(columns, rows, 46).left_out == []
    assert layout(columns, rows, 45).left_out == [3]
    assert layout(columns, rows, 30).left_out == [2, 3]
    assert layout(columns, rows, 30, keep=columns[3:]).left_out == [1, 2]


def test_one_value_for_all_rows_is_said_once_before_anything_is_left_out():
    columns, rows = ["run", "profile", "value"], [["osprey", "tdt2004", "0.5"], ["sparrow", "tdt2004", "0.25"]]

    assert layout(columns, rows, 23).constant == []  # 7 + 2 + 7 + 2 + 5
    narrow = layout(columns, rows, 22)
    assert narrow.constant == [1] and narrow.left_out == [] and narrow.widths == {0: 7, 2: 5}


def test_kept_columns_that_do_not_fit_become_headings():
    columns, rows = ["run", "subset", "value"], [["osprey", "language=ENGLISH", "0.5"], ["sparrow", "all", "0.25"]]
    narrow = layout(columns, rows, 24, keep=columns)  # 7 + 2 + 16 + 2 + 5 are too many, 16 + 2 + 5 are not

    assert narrow.heading == [0] and narrow.widths == {1: 16, 2: 5} and narrow.left_out == []


def test_a_number_is_never_parted_from_its_interval():
    cells = ("some_run", "another_run", "0.5899 [0.5207, 0.6327]", "+0.3022 [+0.2213, +0.3689]", "< 0.0002")
    table = Table(("run", "against", "value", "difference", "p"), [cells])

    lines, notes = text(table, 64, keep=("run", "against", "difference", "p"))  # all but the value have 60 characters

    assert lines.splitlines()[1] == "some_run  another_run  +0.3022 [+0.2213, +0.3689]  < 0.0002"
    assert notes == ["No room in 64 columns for value: --format csv has all."]


def test_a_sentence_is_broken_between_words_only():
    columns, rows = ["code", "message"], [["E1", "a sentence with incomprehensibilities in it"], ["E2", "short"]]
    narrow = layout(columns, rows, 30)

    assert narrow.left_out == [] and narrow.widths == {0: 4, 1: 24}
    assert layout(columns, rows, 20).left_out == [1]  # its longest word has 21 letters


words = st.text("ab cd", min_size=0, max_size=40)


@given(
    st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(words, min_size=n, max_size=n), min_size=1, max_size=5)),
    st.integers(20, 120),
)
def test_no_word_is_broken_and_every_column_is_accounted_for(texts, width):
    columns = [f"c{place}" for place in range(len(texts[0]))]
    found = layout(columns, texts, width)

    assert sorted([*found.widths, *found.constant, *found.left_out, *found.heading]) == list(range(len(columns)))
    for place, given_width in found.widths.items():
        assert given_width >= max(cell_len(word) for row in texts for word in row[place].split(" "))
    if len(found.widths) > 1:
        assert sum(found.widths.values()) + GAP * (len(found.widths) - 1) <= width
