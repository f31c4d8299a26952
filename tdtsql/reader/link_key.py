"""Link detection key files: the answers to story pairs.

    # LINK_DETECTION
    <story id 1> <story id 2> TARGET|NONTARGET|OTHER <block>

OTHER pairs are not scored. The block, a topic or a seed story, is the unit of
topic weighting. NIST's program takes any other word for NONTARGET; here that
is an error, because a misspelt TARGET would vanish.

Code   Meaning
E250   no header: the first line is not ``#`` and a task
W251   a header that names another task than LINK_DETECTION
E252   a line without four fields
E253   an answer other than TARGET, NONTARGET or OTHER
E254   a duplicate pair
E255   no pair at all

Source: TDT3eval v2.6 as read.
"""

from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.scan import Fields, Kind
from tdtsql.files.text import fields_with_columns, numbered_lines

KINDS = ("TARGET", "NONTARGET", "OTHER")


class KeyPair(NamedTuple):
    """The answer to one pair, ids as written."""

    line: int
    id1: str
    id2: str
    kind: str  #: TARGET, NONTARGET or OTHER
    block: str


def read_link_key(data: bytes, problems: Problems) -> list[KeyPair]:
    """Return the answers of a key file."""
    broken = Problems(problems.path)
    lines = [(line, text) for line, text in numbered_lines(data, broken) if text.strip()]
    if not lines:
        problems.found += broken.found
        return []
    is_header = _header(*lines[0], problems)
    columns, lines_of, _ = _PAIRS.read(lines[is_header:], problems)
    problems.found += broken.found
    if not lines_of and not problems.errors:
        problems.add("E255", "the key holds no pair, expected at least one", "Complete the key file.", 1, 1)
    return [KeyPair(*row) for row in zip(lines_of, *columns.values(), strict=True)]


_KIND = Kind(
    lambda text: text.upper() if text.upper() in KINDS else None,
    "E253",
    "answer is not known, expected TARGET, NONTARGET or OTHER",
    "",
    "Correct the answer.",
)
_PAIRS = Fields(
    ("id1", "id2", "kind", "block"),
    "E252",
    "two story ids, TARGET|NONTARGET|OTHER and block",
    {"kind": _KIND},
    ("id1", "id2"),
    ("E254", "pair is already on line {earlier}, expected every pair once"),
)


def _header(line: int, text: str, problems: Problems) -> bool:
    """Check the first line; return whether it is done with."""
    stripped = text.strip()
    if not stripped.startswith("#"):
        problems.add(
            "E250", "no header, expected '# LINK_DETECTION'", "Begin the file with the header line.", line, 1, stripped
        )
        return stripped.split()[0].lower() in field.TASKS
    words = fields_with_columns(text.replace("#", " ", 1))
    if not words or words[0][1].lower() != "link_detection":
        problems.add(
            "W251",
            "header names another task, expected LINK_DETECTION",
            "The pairs are read.",
            line,
            words[0][0] if words else 1,
            stripped,
        )
    return True
