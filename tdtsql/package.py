"""Task packages: the public interface for tasks in other distributions.

A package is a distribution with the entry point ``tdtsql.tasks`` (name of the task = "module:PACKAGE"), and next to
that module a folder with its SQL: ``schema`` (its tables, in one separate schema), ``base``, ``metric`` and
``report`` (its views), ``profile``, ``load`` (what its files become), and the ``versions.lock`` and ``compiled.json``
that `tdtsql task lock` writes. Its files are **forms**: what the fields of a row are. Their rows become temporary
tables of checked values, which the SQL files of ``load`` read:

    block.sql          condition: a query of block_id, what the numbers of the task are averaged over
    attribute.sql      condition: a query of block_id, attribute, value; each value is a subset (may be left out)
    condition.sql      condition: statements that fill its tables; ``$condition`` is its number
    condition/E100.sql checks of a condition, one per file (`tdtsql.files.checks`)
    run.sql            run: statements that fill its tables; ``$run`` and ``$condition`` are its numbers
    run/W101.sql       checks of a run

They read ``KEY_row``, the rows of the files under a key of the condition, or ``run_row``, those of the run (file, line,
and the fields of the form), and ``block``: block_id, and block_no, which is NULL where the condition leaves a block
out. Further parameters are the keys of the condition, or of the run.

This module changes only with a note in CHANGELOG.md.
"""

from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import Problems
from tdtsql.files.kinds import ID, TEXT, Kind
from tdtsql.files.rows import BLANKS, Form
from tdtsql.tasks.declaration import RunFormat, Task, TaskPackage

__all__ = [
    "BLANKS",
    "ID",
    "INTEGER",
    "NUMBER",
    "TEXT",
    "Form",
    "Kind",
    "Problems",
    "RunFormat",
    "Task",
    "TaskPackage",
    "one_of",
]

_WRONG = "{name} is not valid, expected {expected}"
NUMBER = Kind("as_finite", "E308", _WRONG, "a finite number", type="double", is_number=True)
INTEGER = Kind("as_integer", "E308", _WRONG, "an integer", type="bigint", is_number=True)


def one_of(*words: str) -> Kind:
    """Return the kind of values that are one of some words (E321)."""
    listed = ", ".join(map(sql_literal, words))
    return Kind(f"case when trim(text) in ({listed}) then trim(text) end", "E321", _WRONG, ", ".join(words))
