"""What ids of other people's files may do in each format: nothing to a terminal, to LaTeX, to markdown; and a
spreadsheet is told of.
"""

import csv
import io
import json
import os
import pty
import sys

import pytest

from tdtsql.cli import main
from tdtsql.cli.output import print_problems, print_tables, say
from tdtsql.errors import InvalidInput, Problem, escape_control
from tdtsql.show.table import Table, written

HOSTILE = [
    "\x1b[2Jgone",
    "\x1b]0;title\x07",
    "\x9b31mred",
    "a\rb",
    "a\nb",
    "a\x00b",
    "evil\u202egnp.exe",
    "zero\u200bwidth",
    "\u2066iso",
    "half\ud800",
    "tab\there",
]
FORMATS = ["table", "csv", "tsv", "json", "markdown", "latex"]


def printed(capsys, format_, value, name="id"):
    print_tables([Table([name, "n"], [[value, 1]])], format_)
    return capsys.readouterr().out


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("format_", ["table", "json", "markdown", "latex"])
def test_no_format_for_people_or_json_holds_what_a_terminal_obeys(capsys, format_, text):
    for out in (printed(capsys, format_, text), printed(capsys, format_, "x", name=text)):
        assert escape_control(out, keep="\n") == out
    if format_ == "json" and text != "half\ud800":
        assert json.loads(printed(capsys, "json", text)) == [{"id": text, "n": 1}]
    if format_ in ("table", "markdown"):
        assert len(printed(capsys, format_, text).splitlines()) == {"table": 2, "markdown": 3}[format_]


@pytest.mark.parametrize(("format_", "delimiter"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize("text", [text for text in HOSTILE if text != "half\ud800"], ids=ascii)
def test_csv_for_a_program_holds_ids_as_they_are(capsys, format_, delimiter, text):
    assert list(csv.reader(io.StringIO(printed(capsys, format_, text), newline=""), delimiter=delimiter))[1] == [
        text,
        "1",
    ]


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_hostile_reaches_a_terminal(format_):
    """A real terminal: rich draws the table, with its own escapes and none of the id's."""
    pid, terminal = pty.fork()
    if not pid:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - it stays open
        print_tables([Table(["id"], [[text] for text in [*HOSTILE[:8], "[red]x[/red]"]])], format_)
        sys.stdout.flush()
        os._exit(0)
    out = b""
    try:
        while piece := os.read(terminal, 4096):
            out += piece
    except OSError:  # the other end is closed
        pass
    os.waitpid(pid, 0)
    text = out.decode().replace("\r\n", "\n")

    assert (
        "[2J" in text
        and "\x1b[2J" not in text
        and "\x1b]0" not in text
        and "\x07" not in text
        and "\x9b" not in text
        and "\u202e" not in text
    )
    assert "[red]x" in text.replace("\\[", "[")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("r\\input /etc/hostname ", "r\\textbackslash{}input /etc/hostname "),
        ("a~b^c", "a\\textasciitilde{}b\\textasciicircum{}c"),
        ("100%", "100\\%"),
        ("a_b{c}$#&", "a\\_b\\{c\\}\\$\\#\\&"),
        ("\x1b", "\\textbackslash{}x1b"),
    ],
)
def test_latex_sets_an_id_as_it_is(capsys, text, escaped):
    assert f"\n    {escaped} & 1" in printed(capsys, "latex", text)
    assert escaped in written(Table(["run"], [[text]], "caption", "tab:x"), "latex")


def test_markdown_shows_an_id_as_it_is(capsys):
    for text, escaped in (
        ("a|b", "a\\|b"),
        ("<b>x", "\\<b>x"),
        ("[x](y)", "\\[x](y)"),
        ("`x`", "\\`x\\`"),
        ("a\\|b", "a\\\\\\|b"),
        ("c_det*", "c_det*"),
    ):
        assert f"| {escaped} | 1 |" in printed(capsys, "markdown", text)
        assert f"| {escaped} |" in written(Table(["run"], [[text]], "caption", "tab:x"), "markdown")


def test_cells_that_a_spreadsheet_calculates_are_told(capsys):
    print_tables(
        [Table(["id", "n"], [["=cmd|'/c calc'!A1", -1.5], ["+1", -2], ["-x", None], ["@y", 3], ["fine", 4]])], "csv"
    )
    told = capsys.readouterr()

    assert 'takes 4 of these cells for formulas, first "=cmd|' in told.err and "=cmd" in told.out
    print_tables([Table(["id", "n"], [["fine", -1.5]])], "csv")
    print_tables([Table(["id"], [["=1"]])], "json")
    assert capsys.readouterr().err == ""


def test_problems_and_sentences_write_out_what_a_terminal_obeys(capsys):
    problem = Problem("E306", "a\x1bb.csv", 1, 2, "story \x1b[2J is not there", "x\x1by")
    print_problems([problem])
    say("run \x1b[2J\nis in c", err=True)
    said = capsys.readouterr().err

    assert "\x1b" not in said and "a\\x1bb.csv:1:2: E306 story \\x1b[2J" in said and "run \\x1b[2J\nis in c" in said
    assert "\x1b" not in str(InvalidInput([problem]))


def test_csv_has_the_shortest_decimals_that_read_back_as_the_same_double():
    from tdtsql.show.table import csv as as_csv

    values = [0.2385, 0.1, 1 / 3, 2.0, 1e-320, 123456789.123]
    text = as_csv([values])

    assert text == "0.2385,0.1,0.3333333333333333,2,1e-320,123456789.123\n"
    assert [float(cell) for cell in text.split(",")] == values


def test_files_and_pipes_get_utf_8_whatever_the_locale(monkeypatch):
    written = io.BytesIO()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(written, encoding="latin-1"))

    main.open_missing_streams()
    print("ü–日\udcff", flush=True)

    assert written.getvalue() == "ü–日\\udcff\n".encode()


def test_json_has_each_name_once_and_values_as_the_engine_writes_them(capsys):
    print_tables([Table(["a", "a", "a_1", "b"], [[1, True, b"\xaaz\\", None]])], "json")
    assert json.loads(capsys.readouterr().out) == [{"a": 1, "a_1": True, "a_1_1": r"\xAAz\x5C", "b": None}]

    print_tables([Table(["a", "b"], [[True, b"\xaaz"]])], "csv")
    assert capsys.readouterr().out == "a,b\ntrue,\\xAAz\n"
