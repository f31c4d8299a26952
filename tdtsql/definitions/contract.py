"""The contract of a relation: columns with type, unit and range, and its grain.

Views declare it in their headers. Tables declare columns and types in their DDL; their grain is the primary key, or a
comment of tables without one, because rows are appended to them in bulk.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tdtsql.toml_file import toml_beside
from tdtsql.definitions.catalogue import Relation, catalog
from tdtsql.definitions.table import Table, tables

#: unit -> its smallest and its largest value, as other units have them in brackets
_RANGES = {**dict.fromkeys(("count", "blocks", "events", "words", "cost"), "[0,]"), "flag": "[0,1]"}
_BRACKETS = re.compile(r"\[\s*([-\d.e]*)\s*,\s*([-\d.e]*)\s*\]")

#: unit -> types that a column of it may have; keys may have any
_TYPES: dict[str, str] = toml_beside(__file__)


class Promise(NamedTuple):
    """One column of a relation."""

    relation: str
    column_no: int
    column: str
    types: tuple[str, ...]  #: types it may have; a table's column has one
    unit: str | None
    low: float | None
    high: float | None
    is_key: int


def range_of(unit: str) -> tuple[float | None, float | None]:
    """Return the smallest and the largest value that a unit allows; None: no limit."""
    brackets = _BRACKETS.search(_RANGES.get(unit, unit))
    low, high = (float(text) if text else None for text in brackets.groups()) if brackets else (None, None)
    return low, high


def types_of(unit: str) -> tuple[str, ...]:
    """Return the types that a column of this unit may have."""
    return tuple(_TYPES.get(unit.split(maxsplit=1)[0], "DOUBLE").split())


def grain_of(name: str) -> tuple[str, ...]:
    """Return the key columns of a view or a table; none of what is neither."""
    if name in catalog():
        return catalog()[name].header.grain
    return tables()[name].key if name in tables() else ()


def promises(relations: Mapping[str, Relation], tables: Mapping[str, Table]) -> Iterator[Promise]:
    """Yield what every table and view promises, column by column."""
    for table in tables.values():
        for place, column in enumerate(table.columns, start=1):
            kind = table.type_of(column).upper()
            yield Promise(table.name, place, column, (kind,), None, None, None, int(column in table.key))
    for relation in relations.values():
        for place, promised in enumerate(relation.header.columns, start=1):
            yield Promise(
                relation.name,
                place,
                promised.name,
                types_of(promised.unit),
                promised.unit,
                *range_of(promised.unit),
                int(promised.is_key),
            )
