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
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.header import read_fields
from tdtsql.definitions.lexer import OTHER, Token, tokens

FOLDER = "macro"
FIELDS = ("title", "formula", "source", "exact", "edges", "class", "see also")
REQUIRED = ("title", "formula", "source", "edges")
_STATEMENT = re.compile(r"create macro ([a-z]\w*)\(([^()]*)\) as\s+(.*)", re.DOTALL)
_PARAMETER = re.compile(r"([a-z]\w*)(?:\s*:=\s*(\S+))?")


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
    called = {name: calls(formula, raw) for name, (*_, formula) in raw.items()}
    macros: dict[str, Macro] = {}
    try:
        for name in TopologicalSorter(called).static_order():
            path, fields, parameters, formula = raw[name]
            every = dict.fromkeys(known for other in called[name] for known in (*macros[other].calls, other))
            body = _on_one_line(expand(formula, macros, str(path)))
            macros[name] = Macro(name, path, fields, parameters, formula, body, tuple(every))
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        raise BrokenDefinition(f"macros call each other: {circle}. Break the circle.") from None
    return macros


def calls(sql: str, names: Collection[str]) -> list[str]:
    """Return the names of the macros that a text calls, each once, in order."""
    if not any(f"{name}(" in sql for name in names):
        return []
    words = tokens(sql)
    return list(dict.fromkeys(words[at].text for at in range(len(words)) if _is_call(words, at, names)))


def expand(sql: str, macros: Mapping[str, Macro], where: str) -> str:
    """Return a text with every call written out; each line keeps its number.

    Args:
        sql: a SELECT, or a formula.
        macros: by name.
        where: the file, for errors.

    Raises:
        BrokenDefinition: a call without its closing parenthesis, or with other arguments than the macro takes.
    """
    if not calls(sql, macros):
        return sql
    words, made, position, at = tokens(sql), [], 0, 0
    while at < len(words):
        if not _is_call(words, at, macros):
            at += 1
            continue
        arguments, closing = _arguments(sql, words, at + 1, where)
        texts = [_on_one_line(expand(argument, macros, where)) for argument in arguments]
        made += [
            sql[position : words[at].start],
            macros[words[at].text].written(texts, where),
            "\n" * sql.count("\n", words[at].start, words[closing].end),
        ]
        position, at = words[closing].end, closing + 1
    return "".join([*made, sql[position:]])


def _is_call(words: list[Token], at: int, names: Collection[str]) -> bool:
    """Return whether a call of one of these macros begins at a word."""
    return (
        words[at].kind == OTHER
        and words[at].text in names
        and _opens_at(words, at + 1)
        and not (at and words[at - 1].text == ".")
    )


def _opens_at(words: list[Token], at: int) -> bool:
    """Return whether a word is the parenthesis of a call: it follows the name without a blank."""
    return (
        at < len(words) and words[at].text == "(" and words[at].kind == OTHER and words[at].start == words[at - 1].end
    )


def _on_one_line(sql: str) -> str:
    """Return a text without comments, with one blank where there was layout."""
    words = tokens(sql)
    return "".join(
        f"{' ' if at and word.start > words[at - 1].end else ''}{sql[word.start : word.end]}"
        for at, word in enumerate(words)
    )


@cache
def _pieces(body: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a formula cut at the names of its parameters: text, name, text, ..., text."""
    words, pieces, position = tokens(body), [], 0
    for at, word in enumerate(words):
        is_part = at and words[at - 1].text == "."
        if word.kind == OTHER and word.text in names and not is_part and not _opens_at(words, at + 1):
            pieces += [body[position : word.start], word.text]
            position = word.end
    return (*pieces, body[position:])


def _arguments(sql: str, words: list[Token], opening: int, where: str) -> tuple[list[str], int]:
    """Return the arguments of a call whose parenthesis is the word ``opening``, and the number of the closing one."""
    arguments: list[str] = []
    depth, begin = 0, words[opening].end
    for at in range(opening + 1, len(words)):
        sign = words[at].text if words[at].kind == OTHER else ""
        if sign == ")" and not depth:
            return [*arguments, sql[begin : words[at].start]], at
        if sign == "," and not depth:
            arguments.append(sql[begin : words[at].start])
            begin = words[at].end
        depth += (sign == "(") - (sign == ")")
    line = sql.count("\n", 0, words[opening].end) + 1
    raise BrokenDefinition(f"{where}: line {line}: a call has no closing parenthesis.")


@cache
def _enclosed(text: str) -> str:
    """Return a text between parentheses, unless it is one name, number, string, call or CASE."""
    words = tokens(text)
    if len(words) == 1 or (words and len(words) % 2 and all(word.text == "." for word in words[1::2])):
        return text
    opening = 0 if words and words[0].text == "(" else 1 if _opens_at(words, 1) else None
    if opening is not None and _arguments(text, words, opening, text)[1] == len(words) - 1:
        return text
    if words and words[0].text == "case" and words[-1].text == "end" and [w.text for w in words].count("case") == 1:
        return text
    return f"({text})"
