"""Words and phrases that documentation, messages, docstrings, comments and headers of SQL do not use.

python tests/support/wording.py VISIBLE     every hit of a kind, with its file and line; CODE: docstrings and comments
"""

import ast
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple
from places import ROOT

PACKAGE = ROOT / "tdtsql"

#: what is not written, as regular expressions; the standard words are: report, request, store, compute, depend on,
#: next to, users, duplicate, inspect, location, saved query, labels, significantly, bitwise identical, and so on
ABOLISHED = re.split(
    r"\s*;\s*|\n",
    r"""told ; (?:is|are|was|were|be|that) said ; asked ; unasked ; ask the store
(?:somebody|someone|nobody|everybody|anybody|whoever) ; hangs? on ; beside ; there twice ; once more
(?:is|are|was|were) not there ; (?:is|are) there ; (?:kept|made|computed) when ; kept ; anew
made (?:of|from|again|by|up) ; lies ; stands ; stand (?:in|for|behind|side) ; (?:comes?|came) along
of (?:its|one's|their|your|our) own ; all the same ; as (?:it|they) stands? ; to the letter ; to the last bit
same bits ; surely ; surer ; desk ; (?:glued|torn) ; flows? where ; recipes? ; (?:likeliest|weighs)
(?:goes|go|went) on ; in turns ; (?:one|a line|a row|a file|a part|once) (?:a run|a file|a topic|a line|each)
vouch\w* ; seal\w* ; (?:strangers|oddit\w+|odd|strange) ; stretch\w* ; (?:spoilt|mended)
(?:lends?|lent|brings?|brought) ; (?:says?|said) (?:yes|no)\b ; is no (?!longer|more)\w+ ; (?:is|are|was) none
looks? (?:at|through|into) ; looked (?:at|through|into) ; twins? ; (?:price|prices) ; truth ; questions? ; place
(?:is|are) (?:not )?taken ; (?:is|are) gone ; put beside ; what (?:it|they) (?:is|are|was|were) (?:made|set)
who (?:found|keeps|reads|writes|says) ; (?:besides|hardly ever|in the end)""",
)
PATTERN = re.compile(rf"(?<![\w-])(?:{'|'.join(ABOLISHED)})(?![\w-])", re.IGNORECASE)

#: hits that are right: part of the file's path, regular expression on the text around the hit, reason
ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("tdtsql/", r"(?:as|from|table|join) kept\b|\bkept\.|(?:as|join|using|lag)\W* ?place\b|\.place\b", "names in SQL"),
    (
        "tdtsql/",
        r"\bplace\W* ?(?:in|=|<=|over|bigint)\b|\w, place\b|^\W*place\W*$|= place\b|<= place\b",
        "names in SQL",
    ),
    (
        "tdtsql/",
        r"brought$|(?:as|table) (?:brought|asked)|as asked|price (?:using|where)|_price\b.*price\.",
        "names in SQL",
    ),
    ("sql/query/", r"^question:", "the key of the header"),
    ("sql/", r"^\s*place  .*|order of place|\bplace has|\(place 0\)|price  .*|price =", "names of columns"),
    ("sql/", r"see also:.*", "names of views"),
    ("/templates/", r"question|prices|place|(?:is|are) (?:not )?none", "names in templates"),
    ("README.md", r"items \(questions", "an item of question answering"),
    ("", r"an odd number", "the mathematical term"),
    ("docs/how-to/items.md", r"an? question, a query", "an item of question answering"),
    ("", r"question marks?", "the character"),
    ("tdtsql/load/tasks/partition.py", r"where place = ?$", "a column"),
    ("sql/schema/9_contract.sql", r"kept \(the scorer put it there\)", "a value of the column"),
    ("", r"last place", "of a floating-point number"),
    ("", r"statement of truth|ground truth", "the standard noun of the field"),
    ("", r"in place\b|takes? place", "standard English"),
    ("", r"(?:is|are) (?-i:None)\b", "the value of Python"),
    ("", r"(?:question|place|asked): ", "the name of a parameter"),
    ("", r"(?:a|the|this|your|research) questions?\b(?=.*\?)", "a question that is printed"),
)
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
