"""The entries that would seal what is in a store now: what somebody appends, or writes again, who has changed rows."""

from tdtsql.engine.duckdb import Engine
from tdtsql.store.contents import contents_of
from tdtsql.store.recording import Entry, entry_hash, files_of


def load_entry(engine: Engine, owner: str) -> Entry:
    """Return the entry of a load of an owner as it is now."""
    [contents] = contents_of(engine, {owner: None}).values()
    return "load", owner, {**files_of(engine, [owner])[owner], "tables": contents}


def sealed_again(engine: Engine) -> str:
    """Give all entries of the ledger another date, every hash computed again; return the last one."""
    previous = "0" * 64
    for row in engine.rows("select entry_no, made_at, kind, subject, detail from ledger.entry order by entry_no"):
        entry = [row[0], "2020-01-01T00:00:00Z", *row[2:], previous]
        previous = entry_hash(entry)
        engine.execute(
            "update ledger.entry set made_at = ?, previous_sha256 = ?, sha256 = ? where entry_no = ?",
            [entry[1], entry[5], previous, row[0]],
        )
    return previous
