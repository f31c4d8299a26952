"""Check the style of the SQL files: short, plain and laid out as docs/sql.md says.

    python .ci/sql_style.py

Reads the text alone. A general linter of SQL does not know packed column lists and headers. Prints a line
``path:line: what to do`` for each finding, and ends with 1 if there are any.
"""

import re
import sys
from pathlib import Path
from statistics import median

from tdtsql.definitions.catalogue import catalog, sql_root
from tdtsql.definitions.lexer import OTHER, tokens

#: characters of a line; of tables' files none, for a comment there is the contract of the one column on its line
WIDTH = 120
#: lines of a body that one can still hold in mind, and of a file with its header
BODY_LINES = 120
LONG_FILE = 200
#: how many files may be longer than that
MOST_LONG_FILES = 3
MEDIAN_LINES = 62
#: lines of all bodies together
ALL_BODY_LINES = 5300

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


def _lines(path: Path) -> int:
    """Return how many lines of the body of a file are not empty."""
    return sum(bool(line.strip()) for line in _body(path.read_text(encoding="utf-8"))[1])


def check(root: Path) -> list[str]:
    """Return every finding below the folder ``root``."""
    found = []
    for path in sorted(root.rglob("*.sql")):  # those that create tables too
        problems = findings(path.read_text(encoding="utf-8"), is_table=path.parent.name == "schema")
        found += [f"{path.relative_to(root.parent)}:{line}: {what}" for line, what in problems]
    views = [relation.path for relation in catalog().values()]
    found += [
        f"{path.relative_to(root.parent)}:1: {_lines(path)} lines of SQL, at most {BODY_LINES}: give a step a view of "
        "its own, or a formula its macro"
        for path in views
        if _lines(path) > BODY_LINES
    ]
    whole = {path: path.read_text(encoding="utf-8").count("\n") for path in views}
    long = [path.name for path, n_line in whole.items() if n_line > LONG_FILE]
    if len(long) > MOST_LONG_FILES:
        found.append(
            f"sql: {len(long)} files have over {LONG_FILE} lines, at most {MOST_LONG_FILES}: {', '.join(long)}"
        )
    if median(whole.values()) >= MEDIAN_LINES:
        found.append(f"sql: half of the view files have {median(whole.values())} lines or more, at most {MEDIAN_LINES}")
    if sum(map(_lines, views)) >= ALL_BODY_LINES:
        found.append(f"sql: {sum(map(_lines, views))} lines in all views, at most {ALL_BODY_LINES}")
    return found


if __name__ == "__main__":
    print(*(lines := check(sql_root())), sep="\n", end="\n" if lines else "")
    sys.exit(bool(lines))
