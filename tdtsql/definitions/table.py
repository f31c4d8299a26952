"""The tables of ``sql/schema``: names, columns, types and comments, read from their DDL."""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tdtsql.definitions.catalogue import cached_definitions, shipped, package_entries
from tdtsql.definitions.lexer import OTHER, QUOTED, tokens

_STATEMENT = re.compile(r"^create table ([a-z][a-z0-9_]*\.\w+) \((.*?)^\);", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r" -- (.+)\n")
_COMMENT = re.compile(r'^    "?(\w+)"? .*? -- (.+)$', re.MULTILINE)
#: columns of which a table without a primary key has one row
_GRAIN = re.compile(r"^-- grain (\S+): ((?:.|\n--  )+)$", re.MULTILINE)
_PACKED = re.compile(r" using compression \w+")
_CONSTRAINTS = frozenset(("primary", "unique", "check", "foreign", "constraint"))


@dataclass(frozen=True, slots=True)
class Table:
    """One table: for each column its definition, as words."""

    name: str
    columns: dict[str, tuple[str, ...]]  #: name -> type and constraints, word by word
    key: tuple[str, ...] = ()  #: columns of the primary key, or of the grain
    title: str = ""  #: what one row is
    comments: dict[str, str] = field(default_factory=dict)  #: name -> its comment in the file
    statement: str = ""  #: the DDL as the file has it

    def allowed(self, column: str) -> tuple[str, ...]:
        """Return the texts that a column may have by its CHECK constraint; none without one."""
        words = self.columns[column]
        if "check" not in words:
            return ()
        start = words.index("in") + 2
        return words[start : words.index(")", start) : 2]

    def type_of(self, column: str) -> str:
        """Return the type as DDL writes it, without constraints: ``bigint``, ``decimal(38,0)``."""
        words = self.columns[column]
        if len(words) > 1 and words[1] == "(":
            return "".join(words[: words.index(")") + 1])
        return words[0]


def read_tables(root: Path) -> dict[str, Table]:
    """Return every table below ``root``/schema by name."""
    found: dict[str, Table] = {}
    for path in sorted((root / "schema").glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        grains = dict(_GRAIN.findall(text))
        for match in _STATEMENT.finditer(text):
            title, (columns, key) = _TITLE.match(match[2]), _columns(_PACKED.sub("", match[2]))
            table = Table(
                match[1],
                columns,
                key or tuple(re.findall(r"\w+", grains.get(match[1], ""))),
                title[1].strip() if title else "",
                statement=match[0].rstrip(";"),
            )
            for column, text in _COMMENT.findall(match[2]):
                allowed = "|".join(table.allowed(column)) if column in table.columns else ""
                table.comments[column] = f"{allowed}; {text}" if allowed else text
            found[match[1]] = table
    return found


@cache
def shipped_tables() -> dict[str, Table]:
    """Return the shipped tables of tdtsql."""
    return tables_of(shipped().definitions["tables"])


@cached_definitions
def tables() -> dict[str, Table]:
    """Return the tables of tdtsql and of the task packages in use."""
    return {**shipped_tables(), **tables_of(package_entries("tables"))}


def tables_of(entries: dict[str, Any]) -> dict[str, Table]:
    """Return the tables of compiled entries, by name."""
    found = {}
    for name, entry in entries.items():
        columns = {column: tuple(words) for column, words in entry["columns"].items()}
        found[name] = Table(**entry | {"columns": columns, "key": tuple(entry["key"])})
    return found


def _columns(body: str) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    columns: dict[str, tuple[str, ...]] = {}
    key: list[str] = []
    entry: list[str] = []
    depth = 0
    for token in [*tokens(body), None]:
        text = token.text if token is not None and token.kind == OTHER else ""
        depth += {"(": 1, ")": -1}.get(text, 0)
        if token is not None and not (text == "," and depth == 0):
            # quoted, "primary" is a column and not a constraint
            entry.append(f'"{token.text}"' if token.kind == QUOTED else token.text)
            continue
        if entry[:2] == ["primary", "key"]:
            key += [word for word in entry[2:] if word not in "(),"]
        elif entry and entry[0] not in _CONSTRAINTS:
            columns[entry[0].strip('"')] = tuple(entry[1:])
            key += entry[:1] if entry[2:4] == ["primary", "key"] else []
        entry = []
    return columns, tuple(key)
