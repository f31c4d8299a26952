"""What is wrong with the names of a table's columns.

E302   a column that the table does not have
E303   a duplicate column
"""

import difflib
from collections.abc import Callable, Collection, Sequence

from tdtsql.errors import Problems, truncate

#: maximum columns that are reported one by one
MOST_COLUMNS = 20

#: (line, column) of a column's name in the header, by the column's number; None if the table is not text
HeaderPlace = Callable[[int], tuple[int | None, int | None]]


def check_header(
    names: Sequence[str],
    known: Collection[str],
    problems: Problems,
    place: HeaderPlace,
    *,
    holder: str,
    advice: str = "Remove it, or rename it.",
    are_others_allowed: bool = False,
    likeness: float = 0.6,
) -> set[str]:
    """Report columns that are not ``known``, unless others are allowed, and duplicate columns; return the missing
    columns that typing mistakes stand for.

    ``holder`` is the beginning of a sentence: "a partition has". ``advice`` says what to do with an unknown column,
    unless its name looks like a typing mistake: a likeness (0 to 1, that of difflib) to a known name of at least
    ``likeness``.
    """
    present, allowed = set(names), set(known)
    missing = [name for name in known if name not in present]
    seen: set[str] = set()
    mistyped: set[str] = set()
    n_odd = 0
    for number, name in enumerate(names):
        if name not in allowed and are_others_allowed:
            continue
        is_twice = name in seen
        seen.add(name)
        if name in allowed and not is_twice:
            continue
        n_odd += 1
        if n_odd > MOST_COLUMNS:
            continue
        line, column = place(number)
        if is_twice:
            problems.add(
                "E303",
                "column occurs twice, expected every name once",
                "Remove one of the two columns.",
                line,
                column,
                name,
            )
        else:
            meant = nearest_name(name, missing, likeness)
            mistyped |= {meant} if meant else set()
            problems.add(
                "E302",
                f"{holder} no such column, expected {', '.join(known)}",
                f"Did you mean {meant}?" if meant else advice,
                line,
                column,
                name,
            )
    if n_odd > MOST_COLUMNS:
        problems.add(
            "E302",
            f"{n_odd - MOST_COLUMNS} more columns that are not known, or occur twice",
            "Is this the right file?",
            place(0)[0],
        )
    return mistyped


def nearest_name(name: str, known: Collection[str], likeness: float = 0.6) -> str | None:
    """Return the known name that a name may be a typing mistake for."""
    near = difflib.get_close_matches(truncate(name.lower()), {one.lower() for one in known}, 1, likeness)
    return next((one for one in known if near and one.lower() == near[0]), None)
