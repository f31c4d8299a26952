"""The SQL files look alike: what an author writes is short, plain and set as in docs/sql.md, and it stays so.

Read from the text alone. A general linter of SQL does not know packed column lists and headers.
"""

import re
from pathlib import Path
from statistics import median

import pytest

from tdtsql.metric.catalog import catalog, sql_root
from tdtsql.metric.lexer import OTHER, tokens

ROOT = sql_root()
#: every file with SQL of our own, tables too
FILES = sorted(ROOT.rglob("*.sql"))
#: view files: one SELECT below a header
VIEWS = {relation.path: relation for relation in catalog().values()}

#: characters of a line; of tables' files none, for a comment there is the contract of the one column on its line
WIDTH = 120
#: lines of a body that one can still hold in mind, and of a file with its header
BODY_LINES = 120
LONG_FILE = 200
#: how many files may be longer than that
MOST_LONG_FILES = 3
MEDIAN_LINES = 61
#: lines of all bodies together
ALL_BODY_LINES = 7250

KEYWORDS = frozenset(
    """
    all and anti any as asc between by case cast create cross desc distinct else end except exists false first following
    from full group having in inner
    intersect is join last lateral left like
    limit not null nulls offset on or order outer over partition preceding range right rows select semi table
    then true unbounded union using values view when where window with
    """.split()
)
_HEADER = re.compile(r"\s*/\*.*?\*/[ \t]*\n?", re.DOTALL)
_ENTRY = re.compile(r"    \S+ {2,}")
_SAME_NAME = re.compile(r"\b(?:\w+\.)+(\w+) as \1\b(?!\.)")
_SAME_SOURCE = re.compile(r"\b(?:from|join) (\w+) as \1\b")
_LEADING_COMMA = re.compile(r"\s*,")
_TAB_OR_TRAILING = re.compile(r"\t|[ \t]+$")


def _body(text: str) -> tuple[int, list[str]]:
    """Return (lines before the body, its lines) of a file."""
    header = _HEADER.match(text)
    above = text[: header.end()] if header else ""
    return above.count("\n"), text[len(above) :].splitlines()


def findings(text: str, *, is_table: bool = False) -> list[tuple[int, str]]:
    """Return (line, what is to be done) of everything in a file that is not set as the others are."""
    found = []
    lines = text.splitlines()
    if text and not text.endswith("\n"):
        found.append((len(lines), "end the file with a line feed"))
    in_metrics = False
    skip, body = _body(text)
    for number, line in enumerate(lines, start=1):
        if _TAB_OR_TRAILING.search(line):
            found.append((number, "no tabs, no blanks at the end of a line"))
        if number <= skip and re.match(r"\w[\w ]*:", line):
            in_metrics = line.startswith("metrics:")
        if len(line) > WIDTH and not is_table and not in_metrics:  # an entry of metrics is one line
            found.append((number, f"{len(line)} characters, at most {WIDTH}"))
    code = [_without_texts(line) for line in body]
    for number, line in enumerate(code, start=skip + 1):
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent % 4:
            found.append((number, f"an indent of {indent}, expected a multiple of 4"))
        if _SAME_NAME.search(line):
            found.append((number, f"an alias that says nothing: {_SAME_NAME.search(line)[0]}"))
        if _SAME_SOURCE.search(line):
            found.append((number, f"an alias that says nothing: {_SAME_SOURCE.search(line)[0]}"))
        if _LEADING_COMMA.match(line):
            found.append((number, "a comma ends the line before"))
    for number, (above, here, below) in enumerate(
        zip(["", *code], code, [*code[1:], ""], strict=False), start=skip + 1
    ):
        if not here.strip() and above.rstrip().endswith("("):
            found.append((number, "a blank line after ("))
        if not here.strip() and below.lstrip().startswith(")"):
            found.append((number, "a blank line before )"))
        if not here.strip() and not below.strip() and below != "":
            found.append((number, "two blank lines"))
    joined = re.sub(r"\$(?=[a-z])", "_", "\n".join(body))  # a parameter of the cookbook is a name
    if joined.strip():
        for token in tokens(joined):
            raw = joined[token.start : token.start + len(token.text)]
            if token.kind == OTHER and token.text in KEYWORDS and raw != token.text:
                found.append((skip + 1 + joined.count("\n", 0, token.start), f"{raw} in small letters"))
    return sorted(found)


def _without_texts(line: str) -> str:
    """Return a line without its comment and what stands in quotes."""
    return (
        re.sub(r"'[^']*'", "''", line).split("--", 1)[0]
        if not line.lstrip().startswith("--")
        else line[: len(line) - len(line.lstrip())] + "--"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_is_set_like_the_others(path):
    found = findings(path.read_text(encoding="utf-8"), is_table=path.parent.name == "schema")

    assert not found, "\n".join(f"{path.relative_to(ROOT.parent)}:{line}: {what}" for line, what in found)


def _lines(path: Path) -> int:
    """Return how many lines of the body of a file are not empty."""
    return sum(bool(line.strip()) for line in _body(path.read_text(encoding="utf-8"))[1])


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_body_fits_into_a_mind(path):
    assert _lines(path) <= BODY_LINES, (
        f"{path.relative_to(ROOT.parent)}: {_lines(path)} lines of SQL, at most {BODY_LINES}: give a step its own "
        f"view, or a formula its macro"
    )


def test_the_whole_stays_short():
    whole = {path: path.read_text(encoding="utf-8").count("\n") for path in VIEWS}
    long = [f"{path.name} ({lines})" for path, lines in whole.items() if lines > LONG_FILE]

    assert len(long) <= MOST_LONG_FILES, f"over {LONG_FILE} lines: {', '.join(long)}"
    assert median(whole.values()) < MEDIAN_LINES
    assert sum(map(_lines, VIEWS)) < ALL_BODY_LINES


@pytest.mark.parametrize(
    ("sql", "line", "what"),
    [
        ("select run_no\nfrom rate\n", None, None),
        ("/*\ntitle:    x\n*/\nselect run_no\nFROM rate\n", 5, "FROM in small letters"),
        ("select 'FROM' as word -- FROM\n", None, None),
        ("select\n  run_no\nfrom rate\n", 2, "an indent of 2, expected a multiple of 4"),
        ("select rate.run_no as run_no\nfrom rate\n", 1, "an alias that says nothing: rate.run_no as run_no"),
        ("select rate.run_no as number\nfrom rate\n", None, None),
        ("select run_no\nfrom rate as rate\n", 2, "an alias that says nothing: from rate as rate"),
        ("select run_no\nfrom metric.rate__v1 as rate\n", None, None),
        ("select\n    run_no\n    , block_no\nfrom rate\n", 3, "a comma ends the line before"),
        ("with rate as (\n\n    select 1 as one\n)\n", 2, "a blank line after ("),
        ("with rate as (\n    select 1 as one\n\n)\n", 3, "a blank line before )"),
        (f"select {'1' * 120}\n", 1, "127 characters, at most 120"),
        (f"/*\nedges:    {'x ' * 60}x\n*/\nselect 1\n", 2, "131 characters, at most 120"),
        (f"/*\nmetrics:\n    {'x ' * 60}x\n*/\nselect 1\n", None, None),
        ("select 1 \n", 1, "no tabs, no blanks at the end of a line"),
        ("select 1", 1, "end the file with a line feed"),
    ],
)
def test_what_is_found(sql, line, what):
    assert findings(sql) == ([(line, what)] if what else [])
