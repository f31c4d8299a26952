"""Count words and phrases that the documentation and the messages do not use, per 10,000 words and kind of text.

python tests/support/wording.py             one line per kind of text
python tests/support/wording.py messages    every hit of a kind, with its file and line
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tdtsql"

#: what is not written, as regular expressions; the standard words are: report, request, store, compute, depend on,
#: next to, users, duplicate, inspect, location, saved query, labels, significantly, bitwise identical, and so on
ABOLISHED = (
    r"told",
    r"(?:is|are|was|were|be|that) said",
    r"asked",
    r"unasked",
    r"ask the store",
    r"(?:somebody|someone|nobody|everybody|anybody|whoever)",
    r"hangs? on",
    r"beside",
    r"there twice",
    r"once more",
    r"(?:is|are|was|were) not there",
    r"(?:is|are) there",
    r"(?:kept|made|computed) when",
    r"kept",
    r"anew",
    r"made (?:of|from|again|by|up)",
    r"lies",
    r"stands",
    r"stand (?:in|for|behind|side)",
    r"(?:comes?|came) along",
    r"of (?:its|one's|their|your|our) own",
    r"all the same",
    r"as (?:it|they) stands?",
    r"to the letter",
    r"to the last bit",
    r"same bits",
    r"surely",
    r"surer",
    r"desk",
    r"(?:glued|torn)",
    r"flows? where",
    r"recipes?",
    r"(?:likeliest|weighs)",
    r"(?:goes|go|went) on",
    r"in turns",
    r"(?:one|a line|a row|a file|a part|once) (?:a run|a file|a topic|a line|each)",
    r"vouch\w*",
    r"seal\w*",
    r"(?:strangers|oddit\w+|odd|strange)",
    r"stretch\w*",
    r"(?:spoilt|mended)",
    r"(?:lends?|lent|brings?|brought)",
    r"(?:says?|said) (?:yes|no)\b",
    r"is no (?!longer|more)\w+",
    r"(?:is|are|was) none",
    r"looks? (?:at|through|into)",
    r"looked (?:at|through|into)",
    r"twins?",
    r"(?:price|prices)",
    r"truth",
    r"questions?",
    r"place",
    r"(?:is|are) (?:not )?taken",
    r"(?:is|are) gone",
    r"put beside",
    r"what (?:it|they) (?:is|are|was|were) (?:made|set)",
    r"who (?:found|keeps|reads|writes|says)",
    r"(?:besides|hardly ever|in the end)",
)
PATTERN = re.compile(rf"(?<![\w-])(?:{'|'.join(ABOLISHED)})(?![\w-])", re.IGNORECASE)

#: hits that are right: part of the file's path, regular expression on the text around the hit, reason
ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("", r"statement of truth|ground truth", "the standard noun of the field"),
    ("", r"in place of|takes? place", "standard English"),
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
    """Return the pages written by hand, one text per line."""
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
    """Return docstrings, comments, and strings that read as sentences, of the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
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
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) in docstrings:
                    kind = "docstrings"
                    if is_command:
                        kind = "help"
                elif len(_WORD.findall(node.value)) < 2 or _SQL.search(node.value):
                    continue
                else:
                    kind = "help" if is_command else "messages"
                for offset, line in enumerate(node.value.splitlines()):
                    yield Text(kind, name, node.lineno + offset, _code_free(line))
        for number, line in enumerate(source.splitlines(), 1):
            if found := re.search(r"(?:^|\s)#:? (.+)$", line):
                yield Text("comments", name, number, found[1])
    for path in sorted([*PACKAGE.rglob("*.html"), *PACKAGE.rglob("*.js")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield Text("messages", path.relative_to(ROOT).as_posix(), number, line)


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


def counts() -> dict[str, tuple[int, int]]:
    """Return, by kind of text, hits and words."""
    found: dict[str, tuple[int, int]] = {}
    for text in texts():
        n_hit, n_word = found.get(text.kind, (0, 0))
        found[text.kind] = n_hit + len(hits(text)), n_word + len(_WORD.findall(text.text))
    return found


if __name__ == "__main__":
    chosen = sys.argv[1:]
    if chosen:
        for text in texts():
            if text.kind == chosen[0] and any(part in text.path for part in chosen[1:] or [""]) and hits(text):
                print(f"{text.path}:{text.line}: [{', '.join(hits(text))}] {text.text.strip()}")
    else:
        for kind, (n_hit, n_word) in counts().items():
            print(f"{kind:<12}{n_hit:>6} of {n_word:>7} words  {10_000 * n_hit / n_word:6.1f} per 10,000")
