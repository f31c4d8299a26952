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
E254   a pair twice
E255   no pair at all

Source: TDT3eval v2.6 as read.
"""

from typing import NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader import field
from tdtsql.reader.text import fields_with_columns, numbered_lines

KINDS = ("TARGET", "NONTARGET", "OTHER")


class KeyPair(NamedTuple):
    """The answer to one pair, ids as written."""

    line: int
    id1: str
    id2: str
    kind: str  #: TARGET, NONTARGET or OTHER
    block: str


class LinkKey(NamedTuple):
    """The answers of one key file, in the order of the file."""

    rows: list[KeyPair]


def read_link_key(data: bytes, problems: Problems) -> LinkKey:
    """Return the answers of a key file."""
    rows: list[KeyPair] = []
    first_line: dict[tuple[str, str], int] = {}
    has_header = False
    for line, text in numbered_lines(data, problems):
        if not text.strip():
            continue
        if not has_header:
            has_header = True
            if _header(line, text, problems):
                continue
        content = text.partition("#")[0]
        words = content.split()
        if not words:
            continue
        if len(words) != 4:
            fields = fields_with_columns(content)
            column, value = fields[4] if len(fields) > 4 else fields[-1]
            problems.add(
                "E252",
                f"{counted(len(fields))}, expected two story ids, TARGET|NONTARGET|OTHER and block",
                line=line,
                column=column,
                value=value,
                advice="Correct the line.",
            )
            continue
        id1, id2, kind, block = words
        if kind.upper() not in KINDS:
            problems.add(
                "E253",
                "answer is not known, expected TARGET, NONTARGET or OTHER",
                line=line,
                column=fields_with_columns(content)[2][0],
                value=kind,
                advice="Correct the answer.",
            )
            continue
        earlier = first_line.setdefault((id1, id2), line)
        if earlier != line:
            problems.add(
                "E254",
                f"pair is already on line {earlier}, expected every pair once",
                line=line,
                column=fields_with_columns(content)[0][0],
                value=f"{id1} {id2}",
                advice="Remove one of the lines.",
            )
            continue
        rows.append(KeyPair(line, id1, id2, kind.upper(), block))
    if has_header and not rows and not problems.errors:
        problems.add(
            "E255", "the key holds no pair, expected at least one", line=1, column=1, advice="Complete the key file."
        )
    return LinkKey(rows)


def _header(line: int, text: str, problems: Problems) -> bool:
    """Check the first line; return whether it is done with."""
    stripped = text.strip()
    if not stripped.startswith("#"):
        problems.add(
            "E250",
            "no header, expected '# LINK_DETECTION'",
            line=line,
            column=1,
            value=stripped,
            advice="Begin the file with the header line.",
        )
        return stripped.split()[0].lower() in field.TASKS
    words = fields_with_columns(text.replace("#", " ", 1))
    if not words or words[0][1].lower() != "link_detection":
        problems.add(
            "W251",
            "header names another task, expected LINK_DETECTION",
            line=line,
            column=words[0][0] if words else 1,
            value=stripped,
            advice="The pairs are read.",
        )
    return True
