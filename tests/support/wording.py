"""Count words and phrases that the documentation and the messages do not use, per 10,000 words and kind of text.

python tests/support/wording.py             one line per kind of text
python tests/support/wording.py messages    every hit of a kind, with its file and line
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
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
    ("docs/how-to/audit.md", r"it is said to be of", "a row that tests/store/test_protection.py writes"),
    ("", r"an odd number", "the mathematical term"),
    ("docs/how-to/items.md", r"an? question, a query", "an item of question answering"),
    ("", r"question marks?", "the character"),
    ("tdtsql/loading/tasks/partition.py", r"where place = ?$", "a column"),
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


class Text(NamedTuple):
    """A piece of text with its kind and location."""

    kind: str
    path: str
    line: int
    text: str


def _prose(text: str) -> str:
    """Return Markdown without code, links' targets and comments."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)|<!--.*?-->", " ", text)


def _code_free(text: str) -> str:
    return re.sub(r"``[^`]*``|`[^`]*`", " ", text)


def markdown() -> Iterator[Text]:
    """Return the pages and notebooks written by hand, one text per line."""
    for path in sorted((ROOT / "docs").rglob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for line in cell["source"] if cell["cell_type"] == "markdown" else ():
                yield Text("pages", path.relative_to(ROOT).as_posix(), 0, _prose(line))
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = re.sub(
            r"^```.*?^```",
            lambda found: "\n" * found[0].count("\n"),
            path.read_text("utf-8"),
            flags=re.MULTILINE | re.DOTALL,
        )
        for number, line in enumerate(text.splitlines(), 1):
            yield Text("pages", path.relative_to(ROOT).as_posix(), number, _prose(line))


def strings() -> Iterator[Text]:
    """Return docstrings, comments, and strings that read as sentences, of the package; of tests/support, the former."""
    support = [path for path in (ROOT / "tests" / "support").glob("*.py") if path.name != Path(__file__).name]
    site = [ROOT / "docs" / "site" / "pages.py"]
    for path in [*sorted(PACKAGE.rglob("*.py")), *sorted(support), *site]:
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        name = path.relative_to(ROOT).as_posix()
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, documented) and ast.get_docstring(node) is not None
        }
        is_command = "/cli/" in name
        printed = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if is_command
            and isinstance(node, ast.FunctionDef)
            and isinstance(node.body[0], ast.Expr)
            and any("command" in ast.unparse(each) or "group" in ast.unparse(each) for each in node.decorator_list)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) in docstrings:
                    kind = "help" if id(node) in printed else "docstrings"
                elif path in support or len(_WORD.findall(node.value)) < 2 or _SQL.search(node.value):
                    continue
                else:
                    kind = "pages" if path in site else "help" if is_command else "messages"
                for offset, line in enumerate(node.value.splitlines()):
                    yield Text(kind, name, node.lineno + offset, _code_free(line))
        for number, line in enumerate(source.splitlines(), 1):
            if found := re.search(r"(?:^|\s)#:? (.+)$", line):
                yield Text("comments", name, number, found[1])
    for path in sorted([*PACKAGE.rglob("*.html"), *PACKAGE.rglob("*.js")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for literal in re.findall(r"\"([^\"]* [^\"]*)\"|`([^`]* [^`]*)`", line):
                yield Text("messages", path.relative_to(ROOT).as_posix(), number, " ".join(literal))


def definitions() -> Iterator[Text]:
    """Return headers and comments of SQL files, and the comments of profiles."""
    for path in sorted((ROOT / "sql").rglob("*.sql")):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text("utf-8")
        inside = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("/*"):
                inside = True
            comment = re.search(r"--\s*(.+)$", line)
            literal = re.search(r"comment on .* is '(.*)'", line)
            if inside or comment or literal or (line.lstrip().startswith("'") and "schema" in name):
                yield Text("sql", name, number, _code_free(line if inside or not comment else comment[1]))
            if "*/" in line:
                inside = False
    for path in sorted((ROOT / "sql").rglob("*.toml")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := re.search(r"# (.+)$|^source = (.+)$", line):
                yield Text("sql", path.relative_to(ROOT).as_posix(), number, found[1] or found[2])


def texts() -> Iterator[Text]:
    """Return every piece of text."""
    yield from markdown()
    yield from strings()
    yield from definitions()


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


def counts() -> dict[str, tuple[int, int]]:
    """Return, by kind of text, hits and words."""
    found: dict[str, tuple[int, int]] = {}
    for text in texts():
        n_hit, words = found.get(text.kind, (0, 0))
        found[text.kind] = n_hit + len(hits(text)), words + n_word(text)
    return found


if __name__ == "__main__":
    chosen = sys.argv[1:]
    if chosen:
        for text in texts():
            if text.kind == chosen[0] and any(part in text.path for part in chosen[1:] or [""]) and hits(text):
                print(f"{text.path}:{text.line}: [{', '.join(hits(text))}] {text.text.strip()}")
    else:
        for kind, (n_hit, words) in counts().items():
            print(f"{kind:<12}{n_hit:>6} of {words:>7} words  {10_000 * n_hit / words:6.1f} per 10,000")
