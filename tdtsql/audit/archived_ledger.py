"""The ledger of an archive: its contents in a fixed order and without times, so that archives of one evaluation by
different people are identical.

A store's own ledger records a history: times of loads, dropped and reloaded data. It differs between people. An archive
has the entries that produce its contents from nothing: the definitions, the profiles, every load, every computation.
The store's own ledger is verified first, so that no entry covers data that were changed since.
"""

import json
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path, sql_identifier
from tdtsql.errors import InvalidArchive
from tdtsql.definitions.table import tables
from tdtsql.store.contents import owners, profiles_of
from tdtsql.store.sets import set_entries, verify_ledger
from tdtsql.store.ledger import (
    GENESIS,
    PROFILES,
    computation_entries,
    distribution_entries,
    entry_hash,
    load_entry,
)

#: written instead of the time of a store's ledger
NO_TIME = "-"

#: numbers that a store's history decides, each with a query: (old_no, new_no), counted by name. Older computations and
#: their results are not archived
_NUMBERED = {
    "run_no": "select run_no as old_no, row_number() over (order by condition_id, run_id) as new_no from registry.run "
    "join registry.condition using (condition_no)",
    "input_file_no": "select input_file_no as old_no, row_number() over (order by owner, input_file_no) as new_no from "
    "registry.input_file",
    "computation_no": "select max(computation_no) as old_no, row_number() over (order by condition_id, run_id, "
    "profile_no) as new_no from ledger.computation join registry.run using (run_no) join registry.condition using "
    "(condition_no) group by condition_id, run_id, profile_no",
}


def check(engine: Engine) -> None:
    """Refuse to archive a store that disagrees with its ledger.

    Raises:
        InvalidArchive: names the first divergence.
    """
    broken = verify_ledger(engine)
    if broken:
        raise InvalidArchive(
            f"{engine.path}: {broken[0]} It is not archived: restore the file, or evaluate its bundle into a new store."
        )


def query(table: str, where: str = "true") -> str:
    """Return the query for the rows (``stored``) of a table as an archive has them: runs, input files and computations
    are numbered by name.
    """
    columns = tables()[table].columns
    numbered = [name for name in columns if name in _NUMBERED]
    chosen = ", ".join(
        f"cast({name}.new_no as {words[0]}) as {name}" if name in numbered else f"stored.{sql_identifier(name)}"
        for name, words in columns.items()
    )
    joins = "".join(f" join ({_NUMBERED[name]}) as {name} on {name}.old_no = stored.{name}" for name in numbered)
    return f"select {chosen} from {table} as stored{joins} where {where} order by all"


def entries(engine: Engine) -> list[tuple]:
    """Return the entries of an archive's ledger, columns as in ``ledger.COLUMNS``."""
    made = dict(engine.rows("select item, value from registry.made_with where item <> 'catalog'"))
    entries: list[tuple[str, str, dict]] = [
        ("define", "store", made),
        ("content", PROFILES, {"profiles": profiles_of(engine)}),
    ]
    entries += [("define", subject, detail) for subject, detail in set_entries(engine)]
    places = owners(engine)
    order = ("corpus_no", "condition_no", "run_no")
    entries += [
        ("load", *load_entry(engine, owner, place))
        for owner, place in sorted(places.items(), key=lambda item: (order.index(item[1][0]), item[0]))
    ]
    numbers = dict(engine.rows(f"{_NUMBERED['computation_no']} order by new_no"))
    computed, fitted = computation_entries(engine, numbers), distribution_entries(engine, numbers)
    for old, new in numbers.items():
        subject, detail = computed[old]
        entries.append(("compute", subject, detail | {"computation_no": new}))
        subject, detail = fitted[old]
        if detail["n_row"]:
            entries.append(("distribute", subject, detail | {"computation_no": new}))
    rows: list[tuple] = []
    previous = GENESIS
    for number, (kind, subject, detail) in enumerate(entries, 1):
        row = (number, NO_TIME, kind, subject, json.dumps(detail, sort_keys=True, ensure_ascii=False), previous)
        previous = entry_hash(row)
        rows.append((*row, previous))
    return rows


def entry_file(engine: Engine) -> bytes:
    """Return the Parquet file of ``ledger.entry``."""
    table = tables()["ledger.entry"]
    with closing(Engine(":memory:")) as memory, TemporaryDirectory() as folder:
        part = Path(folder) / "part.parquet"
        memory.execute("create schema ledger")
        memory.execute(table.statement)
        memory.insert_rows(table.name, list(table.columns), entries(engine))
        memory.execute(
            f"copy (select * from {table.name} order by all) to {quoted_path(part)} (format parquet, compression zstd)"
        )
        return part.read_bytes()
