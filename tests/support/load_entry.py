"""The entry that would seal what is in a store now: what somebody appends who has changed loaded rows."""

from tdtsql.engine.duckdb import Engine
from tdtsql.store.contents import contents_of
from tdtsql.store.recording import Entry, files_of


def load_entry(engine: Engine, owner: str) -> Entry:
    """Return the entry of a load of an owner as it is now."""
    [contents] = contents_of(engine, {owner: None}).values()
    return "load", owner, {**files_of(engine, [owner])[owner], "tables": contents}
