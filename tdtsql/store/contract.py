"""The contracts of a store's relations: written with its definitions, compared with the actual columns.

DuckDB binds a view at every query: the types that the catalog shows for a view are
recorded when it was created. So each view is bound again, against empty
tables instead of the views it reads: that takes a third of a second for all of them,
and is done once for each state of a store's definitions and engine.
"""

from contextlib import closing
from functools import cache

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import shipped_catalog
from tdtsql.definitions.contract import promises
from tdtsql.definitions.table import shipped_tables
from tdtsql.store.empty import unpacked
from tdtsql.store.schema import stored_columns, types_of

TABLE = "registry.contract"
_TYPES = f"select relation, column_name, data_type from {TABLE} order by relation, column_no"
CONTRACT_COLUMNS = "relation column_no column_name data_type unit low high is_key".split()


def broken_columns(engine: Engine) -> list[str]:
    """Return where the columns of the store are not those of its contracts, in the catalog's words."""
    return _compare(engine, stored_columns(engine), "is")


@cache
def contract_types() -> dict[str, dict[str, str]]:
    """Return relation -> column -> type of the tables and views of this installation."""
    with unpacked() as path, closing(Engine(str(path), read_only=True)) as empty:
        return types_of(empty, _TYPES)


def edited_contracts(engine: Engine) -> list[str]:
    """Return the differences between the store's contracts and those of this installation."""
    kept = {
        (row[0], row[1]): row[2:]
        for row in engine.rows(f"select relation, column_name, column_no, unit, low, high, is_key from {TABLE}")
    }
    should = {
        (promise.relation, promise.column): (
            promise.column_no,
            promise.unit,
            promise.low,
            promise.high,
            int(promise.is_key),
        )
        for promise in promises(shipped_catalog(), shipped_tables())
    }
    return [
        f"{engine.path}: the contract of {relation}, column {column}, was edited. Restore the file, or evaluate its "
        f"bundle into a new store."
        for relation, column in sorted(kept.keys() | should.keys())
        if kept.get((relation, column)) != should.get((relation, column))
    ]


def broken_bindings(engine: Engine) -> list[str]:
    """Bind every view of this installation over the store's tables, and return where the columns are not those of its
    contracts.
    """
    bound, messages = bind(engine)
    return messages + _compare(engine, bound, "binds as", only=set(bound))


def bind(engine: Engine) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return the columns of every view with types, freshly bound, and a message for each view that does not bind."""
    kept = types_of(engine, _TYPES)
    names: dict[str, str] = {}
    messages = []
    for number, relation in enumerate(shipped_catalog().values()):
        stand_in = f"bound_view_{number}"
        try:
            engine.execute(f"create or replace temp table {stand_in} as\n{relation.reading(names)}\nlimit 0")
        except Exception as error:  # whatever the engine calls it: the view does not bind
            messages.append(
                f"{engine.path}: view {relation.name} cannot be bound any more: "
                f"{str(error).splitlines()[0].rstrip('.')}. "
                "Restore the file, or evaluate its bundle into a new store."
            )
            # makes the views that read it bind too
            columns = [f"{column} {kind}" for column, kind in kept.get(relation.name, {"nothing": "integer"}).items()]
            engine.execute(f"create or replace temp table {stand_in} ({', '.join(columns)})")
        names[relation.name] = f"temp.main.{stand_in}"
    bound = {name: {row[0]: row[1] for row in engine.rows(f"describe {stand_in}")} for name, stand_in in names.items()}
    for stand_in in names.values():
        engine.execute(f"drop table {stand_in}")
    return bound, messages


def _compare(engine: Engine, there: dict[str, dict[str, str]], verb: str, only: set[str] | None = None) -> list[str]:
    kept = types_of(engine, _TYPES)
    messages = []
    for relation in sorted(kept if only is None else kept.keys() & only):
        ours, theirs = kept[relation], there.get(relation, {})
        if ours == theirs or relation == TABLE:
            continue
        for column in [*ours, *(name for name in theirs if name not in ours)]:
            if column not in theirs:
                said = "is missing"
            elif column not in ours:
                said = "was added"
            elif ours[column] != theirs[column]:
                said = f"{verb} {theirs[column]}, and its contract says {ours[column]}"
            else:
                continue
            messages.append(
                f"{engine.path}: {relation}: column {column} {said}. Restore the file, or evaluate its bundle into a "
                f"new store."
            )
    return messages
