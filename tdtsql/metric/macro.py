"""Formulas that many views share, written out when the catalog is read.

A file of ``sql/macro`` is a header and one statement in DuckDB's own words:

    create macro ratio(numerator, denominator) as
        case when denominator > 0 then cast(numerator as double) / denominator end

A view calls it like a function. The engine and the store get the
view with the formula instead of the call. So nothing has to be installed, and no
macro can be replaced without changing the stored view. The tokens of a macro are part of the
identity of every definition that calls it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tdtsql.errors import BrokenDefinition
from tdtsql.metric.header import read_fields

FOLDER = "macro"
FIELDS = ("title", "formula", "source", "exact", "edges", "class", "see also")
REQUIRED = ("title", "formula", "source", "edges")
_STATEMENT = re.compile(r"create macro ([a-z]\w*)\(([^()]*)\) as\s+(.*)", re.DOTALL)
_PARAMETER = re.compile(r"([a-z]\w*)(?:\s*:=\s*(\S+))?")
_ATOM = re.compile(r"[\w.]+")
_SKIPPED = r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'"
_NAME = re.compile(rf"{_SKIPPED}|(?<![\w.])[a-z]\w*(?![\w(])")


@dataclass(frozen=True, slots=True)
class Macro:
    """One formula with parameters."""

    name: str
    path: Path
    fields: Mapping[str, str]  #: of the header
    parameters: tuple[tuple[str, str | None], ...]  #: name, default
    formula: str  #: its SQL as the file has it
    body: str  #: the same on one line, the macros it calls written out
    calls: tuple[str, ...]  #: macros it calls, directly or not

    @property
    def text(self) -> str:
        """What counts for its identity: parameters with defaults, and the formula."""
        given = ", ".join(name if default is None else f"{name} := {default}" for name, default in self.parameters)
        return f"{self.name}({given}) as {self.formula}"

    def written(self, arguments: list[str], where: str) -> str:
        """Return the formula with arguments in place of parameters, between parentheses where it could fall apart."""
        if (
            not len([name for name, default in self.parameters if default is None])
            <= len(arguments)
            <= len(self.parameters)
        ):
            expected = ", ".join(name for name, _ in self.parameters)
            raise BrokenDefinition(f"{where}: {self.name} takes ({expected}), not {len(arguments)} arguments.")
        given = dict(zip((name for name, _ in self.parameters), arguments, strict=False))
        values = {name: given.get(name, default or "") for name, default in self.parameters}
        pieces = _pieces(self.body, tuple(values))
        return _enclosed(
            "".join(_enclosed(values[piece]) if place % 2 else piece for place, piece in enumerate(pieces))
        )


def read_macros(root: Path) -> dict[str, Macro]:
    """Return every macro below ``root``/macro by name, each after those that it calls.

    Raises:
        BrokenDefinition: a bad header or statement, or macros that call each other in a circle.
    """
    raw: dict[str, tuple[Path, dict[str, str], tuple[tuple[str, str], ...], str]] = {}
    for path in sorted((root / FOLDER).glob("*.sql")):
        place = f"{root.name}/{FOLDER}/{path.name}"
        fields, statement = read_fields(path.read_text(encoding="utf-8"), place, FIELDS, REQUIRED)
        match = _STATEMENT.fullmatch(statement)
        parts = [_PARAMETER.fullmatch(part.strip()) for part in match[2].split(",")] if match else []
        if not match or not all(parts) or match[1] != path.stem:
            raise BrokenDefinition(
                f"{place}: expected `create macro {path.stem}(parameter, other := default) as formula` below the "
                f"header."
            )
        raw[path.stem] = (path, fields, tuple((part[1], part[2]) for part in parts if part), match[3].strip())
    macros: dict[str, Macro] = {}

    def add(name: str, above: tuple[str, ...]) -> Macro:
        if name in above:
            raise BrokenDefinition(f"macros call each other: {' -> '.join([*above, name])}. Break the circle.")
        if name not in macros:
            path, fields, parameters, formula = raw[name]
            called = {other: add(other, (*above, name)) for other in calls(formula, raw)}
            every = dict.fromkeys(known for other in called.values() for known in (*other.calls, other.name))
            body = " ".join(re.sub(r"--[^\n]*", " ", expand(formula, called, str(path))).split())
            macros[name] = Macro(name, path, fields, parameters, formula, body, tuple(every))
        return macros[name]

    for name in raw:
        add(name, ())
    return macros


def calls(sql: str, names: Mapping[str, object]) -> list[str]:
    """Return the names of the macros that a text calls, each once, in order."""
    if not any(f"{name}(" in sql for name in names):
        return []
    return list(dict.fromkeys(found[1] for found in _call_of(tuple(names)).finditer(sql) if found[1]))


def expand(sql: str, macros: Mapping[str, Macro], where: str) -> str:
    """Return a text with every call expanded; line numbers are preserved.

    Args:
        sql: a SELECT, or a formula.
        macros: by name.
        where: the file, for errors.

    Raises:
        BrokenDefinition: a call without its closing parenthesis, or with a wrong number of arguments.
    """
    if not macros or "(" not in sql:
        return sql
    call, made, position = _call_of(tuple(macros)), [], 0
    while match := call.search(sql, position):
        if not match[1]:
            made.append(sql[position : match.end()])
            position = match.end()
            continue
        arguments, end = _arguments(sql, match.end(), where)
        texts = [" ".join(re.sub(r"--[^\n]*", " ", expand(argument, macros, where)).split()) for argument in arguments]
        made += [
            sql[position : match.start()],
            macros[match[1]].written(texts, where),
            "\n" * sql.count("\n", match.start(), end),
        ]
        position = end
    return "".join([*made, sql[position:]])


@cache
def _call_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds the calls of these macros, and the text to be skipped between them."""
    return re.compile(rf"{_SKIPPED}|(?<![\w.])({'|'.join(names)})\(", re.DOTALL)


@cache
def _pieces(body: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a formula cut at the names of its parameters: text, name, text, ..., text."""
    pieces, position = [], 0
    for found in _NAME.finditer(body):
        if found[0] in names:
            pieces += [body[position : found.start()], found[0]]
            position = found.end()
    return (*pieces, body[position:])


_PIECE = re.compile(rf"{_SKIPPED}|[(),]", re.DOTALL)


def _arguments(sql: str, start: int, where: str) -> tuple[list[str], int]:
    """Return the arguments of a call whose parenthesis opened before ``start``, and where the call ends."""
    arguments: list[str] = []
    depth, begin = 0, start
    for piece in _PIECE.finditer(sql, start):
        if piece[0] == "(":
            depth += 1
        elif piece[0] == ")" and depth:
            depth -= 1
        elif piece[0] == ")":
            return [*arguments, sql[begin : piece.start()]], piece.end()
        elif piece[0] == "," and not depth:
            arguments.append(sql[begin : piece.start()])
            begin = piece.end()
    line = sql.count("\n", 0, start) + 1
    raise BrokenDefinition(f"{where}: line {line}: a call has no closing parenthesis.")


@cache
def _enclosed(text: str) -> str:
    """Return a text between parentheses, unless it is one name, number, string, call or CASE."""
    if _ATOM.fullmatch(text) or re.fullmatch(r"\d[\d.e+-]*|'(?:[^']|'')*'", text):
        return text
    opening = re.match(r"\w*\(", text)
    if opening and _arguments(text, opening.end(), text)[1] == len(text):
        return text
    if text.startswith("case ") and text.endswith(" end") and len(re.findall(r"\bcase\b", text)) == 1:
        return text
    return f"({text})"
