"""The saved queries of ``sql/query``: one per file; the header states purpose, parameters and columns.

``parameters`` has one entry per line, its parts separated by two or more blanks: name, type, default, text.
The default is ``needed``, ``none`` (NULL: no filter) or a value.
"""

import math
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import BrokenDefinition, InvalidQuery, UnknownName, check_known, unknown_name_error
from tdtsql.definitions.catalogue import cached_definitions, roots
from tdtsql.definitions.header import Column, names_of, read_columns, read_fields

FOLDER = "query"
FIELDS = (
    "title",
    "question",
    "about",
    "inputs",
    "needs",
    "parameters",
    "grain",
    "columns",
    "order",
    "edges",
    "see also",
)
REQUIRED = ("title", "question", "about", "inputs", "parameters", "grain", "columns", "order", "see also")

#: subjects of saved queries, in listing order
SUBJECTS = "topics runs curves trials stories clusters summaries trust".split()

#: type of a parameter -> type of its value in SQL; the first ones are names in the store
TYPES = {
    "run": "VARCHAR",
    "condition": "VARCHAR",
    "profile": "VARCHAR",
    "metric": "VARCHAR",
    "subset": "VARCHAR",
    "weighting": "VARCHAR",
    "topic": "VARCHAR",
    "story": "VARCHAR",
    "text": "VARCHAR",
    "count": "BIGINT",
    "number": "DOUBLE",
    "store": "VARCHAR",
}
#: parameters of this type are no values: the SQL reads the relations of another store as ``other.SCHEMA.NAME``
STORE = "store"
NEEDED, ANYTHING = "needed", "none"


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str  #: one of TYPES
    default: str | None  #: as written in the file; None: required
    text: str

    @property
    def is_needed(self) -> bool:
        return self.default is None

    @property
    def usage(self) -> str:
        """Return it as it is typed: ``--run RUN``, or with its default ``[--limit COUNT]``, ``[--p-fa 0.01]``."""
        option = f"--{self.name.replace('_', '-')}"
        if self.is_needed:
            return f"{option} {self.type.upper()}"
        return f"[{option} {self.type.upper() if self.default == ANYTHING else self.default}]"

    def value(self, given: Any) -> str | int | float | None:
        """Return the bound value for a user's value: a text, or a value of Python.

        Raises:
            InvalidQuery: it is not of the parameter's type.
        """
        if given is None:
            return None
        try:
            if isinstance(given, bool):
                raise ValueError
            if self.type == "count":
                number = int(given) if isinstance(given, str) or given == int(given) else None
                if number is None or not 0 <= number < 2**63:
                    raise ValueError
                return number
            if self.type == "number":
                if math.isnan(value := float(given)):
                    raise ValueError
                return value
            if not isinstance(given, str | Path):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            wanted = {"count": "a whole number, 0 or more", "number": "a number"}.get(self.type, "a text")
            raise InvalidQuery(f"{self.name} is {str(given)!r}, expected {wanted}: {self.text}.") from None
        return str(given)


@dataclass(frozen=True)
class SavedQuery:
    """One saved query: its contract and its SELECT, in which ``$name`` is a parameter."""

    name: str
    path: Path
    title: str
    question: str  #: in words
    about: str
    inputs: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    grain: tuple[str, ...]
    columns: tuple[Column, ...]
    fields: dict[str, str]
    body: str
    needs: tuple[str, ...] = ()  #: rows that are computed first: comparison

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def reads_another_store(self) -> bool:
        return any(parameter.type == STORE for parameter in self.parameters)

    @property
    def usage(self) -> str:
        """Return the parameters as they are typed, those without a default first: ``--run RUN [--limit 10]``."""
        ordered = sorted(self.parameters, key=lambda parameter: not parameter.is_needed)
        return " ".join(parameter.usage for parameter in ordered)

    def values(self, given: Mapping[str, object]) -> dict[str, str | int | float | None]:
        """Return a value for each parameter.

        Raises:
            UnknownName: the saved query has no such parameter.
            InvalidQuery: one that is needed is missing, or a value is not of its type.
        """
        names = [parameter.name for parameter in self.parameters]
        if "most" in given and "limit" in names:  # the old spelling, until the next release
            given = {"limit" if name == "most" else name: value for name, value in given.items()}
        for name in given:
            check_known(f"parameter of {self.name}", name, names)
        lacking = [
            parameter for parameter in self.parameters if parameter.is_needed and given.get(parameter.name) is None
        ]
        if lacking:
            what = " and ".join(f"{parameter.name} ({parameter.text})" for parameter in lacking)
            raise InvalidQuery(f"{self.name} needs {what}. Its parameters are {self.usage}.")
        defaults = {
            parameter.name: None if parameter.default == ANYTHING else parameter.default
            for parameter in self.parameters
        }
        wanted = {**defaults, **{name: value for name, value in given.items() if value is not None}}
        return {parameter.name: parameter.value(wanted[parameter.name]) for parameter in self.parameters}


def with_values(question: SavedQuery, values: Mapping[str, object]) -> str:
    """Return the SELECT of a saved query with literals for its parameters, as a user would type it.

    Args:
        values: result of ``SavedQuery.values``.
    """

    def literal(found: re.Match) -> str:
        parameter = types[found[1]]
        value = values[parameter.name]
        text = (
            "null"
            if value is None
            else sql_literal(value)
            if isinstance(value, str) or value in (math.inf, -math.inf)
            else repr(value)
        )
        return f"cast({text} as {TYPES[parameter.type].lower()})"

    types = {parameter.name: parameter for parameter in question.parameters}
    return re.sub(r"\$(\w+)", literal, question.body).strip()


def read_saved_query(path: Path) -> SavedQuery:
    """Read a saved query from its file.

    Raises:
        BrokenDefinition: no header, an unknown or missing field, a line that does not have its parts.
    """
    place = f"{FOLDER}/{path.name}"
    fields, body = read_fields(path.read_text(encoding="utf-8"), place, FIELDS, REQUIRED)
    if fields["about"] not in SUBJECTS:
        raise BrokenDefinition(f"{place}: about is {fields['about']!r}, expected one of {', '.join(SUBJECTS)}.")
    return SavedQuery(
        path.stem,
        path,
        " ".join(fields["title"].split()),
        " ".join(fields["question"].split()),
        fields["about"],
        names_of(fields["inputs"]),
        tuple(_parameters(fields["parameters"], place)),
        names_of(fields["grain"]),
        tuple(read_columns(fields["columns"], place)),
        fields,
        body,
        names_of(fields.get("needs", "")),
    )


def _parameters(text: str, place: str) -> list[Parameter]:
    parameters = []
    for line in filter(str.strip, text.splitlines()):
        parts = re.split(r"\s{2,}", line.strip(), maxsplit=3)
        if len(parts) != 4 or parts[1] not in TYPES:
            raise BrokenDefinition(
                f"{place}: parameter line {line.strip()!r}. Write: name  type  default  text; types are "
                f"{', '.join(TYPES)}."
            )
        parameters.append(Parameter(parts[0], parts[1], None if parts[2] == NEEDED else parts[2], parts[3]))
    return parameters


@cached_definitions
def questions() -> dict[str, SavedQuery]:
    """Return every saved query by name, those of task packages in use too: ordered by subject, then by name."""
    shipped, *others = roots()
    found = [read_saved_query(path) for path in (shipped / FOLDER).glob("*.sql")]
    for root in others:
        for path in sorted((root / FOLDER).glob("*.sql")):
            try:
                found.append(_of_package(path, {question.name for question in found}))
            except BrokenDefinition as error:  # the other queries still run
                sys.stderr.write(f"{error} The query is left out.\n")
    return {
        question.name: question
        for question in sorted(found, key=lambda question: (SUBJECTS.index(question.about), question.name))
    }


def _of_package(path: Path, known: Collection[str]) -> SavedQuery:
    question = read_saved_query(path)
    if question.name in known:
        raise BrokenDefinition(f"{path}: there is another saved query of this name. Rename it.")
    return question


def find(name: str) -> SavedQuery:
    """Return the saved query of that name.

    Raises:
        UnknownName: no such query; the message offers the nearest name.
    """
    known = questions()
    if name in known:
        return known[name]
    try:
        raise unknown_name_error("saved query", name, sorted(known))
    except UnknownName as error:
        raise UnknownName(f"{error} `tdtsql ask` lists all {len(known)}.") from None
