"""Columns of a program as arrays that the engine reads where they lie."""

from collections.abc import Mapping, Sequence

import numpy as np

from tdtsql.engine.quoting import sql_identifier, sql_literal

#: columns of equal length by name; a list may hold None, a number or a text is the value of every row
Columns = Mapping[str, Sequence | np.ndarray | int]


def incoming(columns: Columns) -> tuple[dict[str, np.ndarray], str]:
    """Return arrays to register, and the select list that gives the columns from them.

    A column with None is passed as text, so that it has one type (the insert casts numbers back).
    """
    arrays, selected = {}, []
    for name, values in columns.items():
        taken = own = sql_identifier(name)
        if isinstance(values, str | int):
            taken = sql_literal(values) if isinstance(values, str) else str(int(values))
        elif isinstance(values, np.ndarray) and values.dtype != object:
            arrays[name] = values
        elif None in values:
            arrays[name] = np.array([None if value is None else str(value) for value in values], dtype=object)
            taken = f"cast({own} as varchar)"
        else:  # texts as objects: in an array of texts each takes the room of the longest
            array = np.array(values, dtype=object if not len(values) or isinstance(values[0], str) else None)
            arrays[name] = array.astype(object) if array.dtype.kind in "US" else array
        selected.append(f"{taken} as {own}")
    return arrays, ", ".join(selected)
