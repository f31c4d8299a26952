"""Corpora and conditions into the store: stored once, replaced where their files or settings changed."""

from collections.abc import Callable
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs
from tdtsql.files.staging import forget
from tdtsql.load.report import Report
from tdtsql.store import registry


def store_owner(
    engine: Engine,
    report: Report,
    inputs: Inputs,
    owner: str,
    content: str,
    write: Callable[[int], object],
    look: Callable[[int], Any],
    number: int | None = None,
) -> tuple[int, tuple[Any, Any] | None]:
    """Store a corpus or a condition under its number, unless it is stored with this content; return the number, and
    what ``look`` shows before and after where it replaced one of its name.

    Args:
        owner: ``corpus:ID`` or ``condition:ID``.
        content: hash of its files and settings.
        write: stores its row and its rows, which are not there yet.
        look: returns what of it matters to others.
        number: that of a new one; by default the next.
    """
    kind, _, name = owner.partition(":")
    table, column = f"registry.{kind}", f"{kind}_no"
    found = engine.rows(f"select {column}, source_sha256 from {table} where {kind}_id = ?", [name])
    if found and found[0][1] == content:
        report.kept.append(owner)
        forget(engine, inputs)
        return found[0][0], None
    number = found[0][0] if found else number or registry.next_number(engine, table, column)
    before = look(number) if found else None
    if found:
        registry.drop_owned(engine, column, number)
        engine.execute(f"delete from {table} where {column} = ?", [number])
    write(number)
    report.record(engine, owner, inputs)
    return number, (before, look(number)) if found else None
