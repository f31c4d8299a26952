"""Columns of a program as arrays that the engine reads where they lie."""

from collections.abc import Mapping, Sequence

import numpy as np

from tdtsql.engine.quoting import sql_identifier, sql_literal

#: columns of equal length by name; a list may hold None, a number or a text is the value of every row
Columns = Mapping[str, Sequence | np.ndarray | int]


def incoming(columns: Columns) -> tuple[dict[str, np.ndarray], str]:
    """Return arrays to register, and the select list that gives the columns from them.

    A column with None is passed as text, so that it has one type (the insert casts
    numbers back), with a flag; a column of nothing else is not passed.
    """
    arrays, selected = {}, []
    for name, values in columns.items():
        own, there = sql_identifier(name), f"{name}_is_there"
        if isinstance(values, str | int):
            selected.append(f"{sql_literal(values) if isinstance(values, str) else int(values)} as {own}")
        elif isinstance(values, np.ndarray) and values.dtype != object or None not in values:
            arrays[name] = _array(values)
            selected.append(own)
        elif arrays and all(value is None for value in values):  # an array before it says how many rows there are
            selected.append(f"cast(null as varchar) as {own}")
        else:
            arrays[name] = np.array(["" if value is None else str(value) for value in values], dtype=object)
            arrays[there] = np.array([value is not None for value in values])
            selected.append(f"case when {sql_identifier(there)} then {own} end as {own}")
    return arrays, ", ".join(selected)


def _array(values: Sequence | np.ndarray) -> np.ndarray:
    if isinstance(values, np.ndarray):
        return values
    if values and isinstance(values[0], str):
        # as objects: otherwise every text takes the room of the longest
        return np.array(values, dtype=object)
    array = np.array(values) if values else np.array([], dtype=object)
    return array.astype(object) if array.dtype.kind in "US" else array
