"""Words and phrases that documentation, messages, docstrings, comments and headers of SQL do not use.

python tests/support/wording.py VISIBLE     every hit of a kind, with its file and line; CODE: docstrings and comments
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from places import PACKAGE, ROOT

#: what is not written, as regular expressions; the standard words are: report, request, store, compute, depend on,
#: next to, users, duplicate, inspect, location, saved query, labels, significantly, bitwise identical, and so on
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ABOLISHED = re.split(r"\s*;\s*|\n", _TABLE["abolished"].strip())
PATTERN = re.compile(rf"(?<![\w-])(?:{'|'.join(ABOLISHED)})(?![\w-])", re.IGNORECASE)
ALLOWED: list[list[str]] = _TABLE["allowed"]
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_SQL = re.compile(
    r"\b(?:select|insert into|delete from|create (?:or|table|temp|view)|update \w+ set|group by|order by)\b"
)
VISIBLE, CODE = "VISIBLE", "CODE"


class Text(NamedTuple):
    """A line of text with its kind and location."""

    kind: str
    path: str
    line: int
    text: str


def of_markdown(text: str) -> Iterator[tuple[str, int, str]]:
    """Return the lines of a page, without code, targets of links and comments."""
    text = re.sub(r"^```.*?^```", lambda found: "\n" * found[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("    "):
            yield VISIBLE, number, re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->", " ", line)


def of_python(text: str) -> Iterator[tuple[str, int, str]]:
    """Return docstrings and comments of a module, and its strings that read as sentences."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(text)
    with_docstrings = [node for node in ast.walk(tree) if isinstance(node, documented) and ast.get_docstring(node)]
    docstrings = {id(node.body[0].value) for node in with_docstrings}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_code = id(node) in docstrings
            if is_code or len(_WORD.findall(node.value)) > 1 and not _SQL.search(node.value):
                for offset, line in enumerate(node.value.splitlines()):
                    words = re.sub(r"``[^`]*``|`[^`]*`", " ", line)
                    yield CODE if is_code else VISIBLE, node.lineno + offset, words
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.search(r"(?:^|\s)#:? (.+)$", line):
            yield CODE, number, found[1]


def of_sql(text: str) -> Iterator[tuple[str, int, str]]:
    """Return the header and the comments of a definition."""
    header = text[: text.find("*/")].count("\n") if text.startswith("/*") else 0
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(r"--\s*(.+)$", line)
        if number <= header or comment:
            words = line if number <= header else comment[1]
            yield VISIBLE, number, re.sub(r"``[^`]*``|`[^`]*`", " ", words)


def texts() -> Iterator[Text]:
    """Return every line of text."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for paths, read in (
        (pages, of_markdown),
        (sorted(PACKAGE.rglob("*.py")), of_python),
        (sorted((ROOT / "sql").rglob("*.sql")), of_sql),
    ):
        for path in paths:
            for found in read(path.read_text("utf-8")):
                yield Text(found[0], path.relative_to(ROOT).as_posix(), *found[1:])


def hits(text: Text) -> list[str]:
    """Return the abolished words of a piece of text that no entry of the allow-list covers."""
    allowed = [
        found.span()
        for part, pattern, _ in ALLOWED
        if part in text.path
        for found in re.finditer(pattern, text.text, re.IGNORECASE)
    ]
    return [
        found[0]
        for found in PATTERN.finditer(text.text)
        if not any(start <= found.start() and found.end() <= end for start, end in allowed)
    ]


#: American spelling of words that the documentation uses; names of tracks and identifiers keep theirs
AMERICAN = re.compile(
    r"(?<![\w`.-])(?:(?:normal|optim|material|organ|recogn|visual|random|serial|initial|minim|maxim|categor|general)iz"
    r"(?:e|ed|es|er|ers|ing|ation|ations)|colors?|behaviors?|neighbors?|favors?|centers?|analyz(?:e|ed|es|ing)|gray)"
    r"(?![\w-])",
    re.IGNORECASE,
)


def n_word(text: Text) -> int:
    """Return the number of words of a piece of text."""
    return len(_WORD.findall(text.text))


if __name__ == "__main__":
    for text in texts():
        if text.kind == sys.argv[1] and hits(text):
            print(f"{text.path}:{text.line}: [{', '.join(hits(text))}] {text.text.strip()}")
