"""The words of a SQL text, without comments and layout.

Written here instead of using a parser's lexer, because the identity of every
published number depends on it for years: parsers join and rename keywords between
versions. A test compares it with sqlglot's tokenizer.

Parameters (``?``, ``$name``) are words. Constructs that a lexer this small could read differently from an engine
(dollar quotes, escape strings, characters outside ASCII except in strings
and comments) are rejected, never guessed at.
"""

import re
from typing import NamedTuple

from tdtsql.errors import BrokenDefinition

_WORDS = re.compile(
    r"(?P<skip>[ \t\r\n]+|--[^\r\n]*|/\*.*?\*/)"
    r"|(?P<string>'(?:[^']|'')*')(?!')"
    r'|(?P<name>"(?:[^"]|"")*")(?!")'
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))"
    r"|(?P<word>\$?[A-Za-z_]\w*)(?!['\"\w$])"
    r"|(?P<sign><=|>=|<>|!=|\|\||::|//|\*\*|/(?!\*)|[-+*%<>=(),.;\[\]{}:?])",
    re.DOTALL | re.ASCII,
)

#: coarse class of a token in fingerprints: 'a', "a" and a differ
STRING, QUOTED, OTHER = "s", "q", "o"


class Token(NamedTuple):
    """One word: its class, its text (folded to lower case unless quoted), where it starts and ends."""

    kind: str
    text: str
    start: int
    end: int


def tokens(sql: str) -> list[Token]:
    """Return the words of ``sql`` in order.

    Raises:
        BrokenDefinition: a character or a quoting that SQL files do not use here.
    """
    found: list[Token] = []
    position = 0
    while position < len(sql):
        match = _WORDS.match(sql, position)
        if not match:
            line = sql.count("\n", 0, position) + 1
            raise BrokenDefinition(
                f"line {line}: {sql[position : position + 20]!r} cannot be read. Use plain SQL in ASCII, strings in "
                f"single quotes."
            )
        text = match[0]
        if match.lastgroup == "string":
            found.append(Token(STRING, text[1:-1].replace("''", "'"), position, match.end()))
        elif match.lastgroup == "name":
            found.append(Token(QUOTED, text[1:-1].replace('""', '"'), position, match.end()))
        elif match.lastgroup != "skip":
            found.append(Token(OTHER, text.lower(), position, match.end()))
        position = match.end()
    return found


def words(sql: str) -> set[str]:
    """Return the unquoted words and numbers of ``sql``."""
    return {token.text for token in tokens(sql) if token.kind == OTHER}
