"""The ledger of an archive: its contents in a fixed order and without times, so that archives of one evaluation by
different people are identical.

A store's own ledger records a history: times of loads, dropped and reloaded data. It differs between people. An archive
has the entries that produce its contents from nothing: the definitions, the profiles, every load, every computation.
The store's own ledger is verified first, so that no entry covers data that were changed since.
"""

import json

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path
from tdtsql.errors import InvalidArchive
from tdtsql.metric.ddl import tables
from tdtsql.store.contents import owners, profiles_of
from tdtsql.own.stored import own_entries
from tdtsql.store.packages import package_entries
from tdtsql.store.ledger import (
    GENESIS,
    PROFILES,
    computation_entries,
    distribution_entry,
    entry_hash,
    load_entry,
    verify_chain,
)

#: written instead of the time of a store's ledger
NO_TIME = "-"

#: computations whose results are stored, numbered by run and profile without regard to earlier computations
NUMBERED = """(
    select computation_no as old_no, row_number() over (order by run_no, profile_no) as new_no
    from (select run_no, profile_no, max(computation_no) as computation_no from ledger.computation
    group by run_no, profile_no) as newest)"""


def check(engine: Engine) -> None:
    """Refuse to archive a store that disagrees with its ledger.

    Raises:
        InvalidArchive: names the first divergence.
    """
    broken = verify_chain(engine)
    if broken:
        raise InvalidArchive(
            f"{engine.path}: {broken[0]} It is not archived: restore the file, or evaluate its bundle into a new store."
        )


def query(table: str) -> str:
    """Return the query for the rows of a table as an archive has them: computations and input files are renumbered."""
    columns = list(tables()[table].columns)
    if table == "registry.input_file":
        return (
            f"select row_number() over (order by owner, input_file_no) as input_file_no, * exclude (input_file_no) "
            f"from {table} order by 1"
        )
    if "computation_no" not in columns:
        return f"select * from {table} order by all"
    others = ", ".join(f"kept.{name}" for name in columns if name != "computation_no")
    return (
        f"select numbered.new_no as computation_no, {others} from {table} as kept join {NUMBERED} as numbered on "
        f"numbered.old_no = kept.computation_no order by all"
    )


def entries(engine: Engine) -> list[tuple]:
    """Return the entries of an archive's ledger, columns as in ``ledger.COLUMNS``."""
    made = dict(engine.rows("select item, value from registry.made_with where item <> 'catalog'"))
    entries: list[tuple[str, str, dict]] = [
        ("define", "store", made),
        ("content", PROFILES, {"profiles": profiles_of(engine)}),
    ]
    entries += [("define", subject, detail) for subject, detail in own_entries(engine)]
    entries += [("define", subject, detail) for subject, detail in package_entries(engine)]
    places = owners(engine)
    order = ("corpus_no", "condition_no", "run_no")
    entries += [
        ("load", *load_entry(engine, owner, place))
        for owner, place in sorted(places.items(), key=lambda item: (order.index(item[1][0]), item[0]))
    ]
    numbers = dict(engine.rows(f"select old_no, new_no from {NUMBERED} order by new_no"))
    computed = computation_entries(engine, list(numbers))
    fitted = {
        row[0]
        for table in ("result_distribution", "result_common_threshold", "result_histogram")
        for row in engine.rows(f"select distinct computation_no from ledger.{table}")
    }
    for old, new in numbers.items():
        subject, detail = computed[old]
        entries.append(("compute", subject, detail | {"computation_no": new}))
        if old in fitted:
            subject, detail = distribution_entry(engine, old)
            entries.append(("distribute", subject, detail | {"computation_no": new}))
    rows: list[tuple] = []
    previous = GENESIS
    for number, (kind, subject, detail) in enumerate(entries, 1):
        row = (number, NO_TIME, kind, subject, json.dumps(detail, sort_keys=True, ensure_ascii=False), previous)
        previous = entry_hash(row)
        rows.append((*row, previous))
    return rows


def write(rows: list[tuple], path: str) -> None:
    """Write entries as the Parquet file of ``ledger.entry``."""
    table = tables()["ledger.entry"]
    engine = Engine(":memory:")
    try:
        engine.execute("create schema ledger")
        engine.execute(table.statement)
        engine.insert(table.name, {name: [row[place] for row in rows] for place, name in enumerate(table.columns)})
        engine.execute(
            f"copy (select * from {table.name} order by all) to {quoted_path(path)} (format parquet, compression zstd)"
        )
    finally:
        engine.close()
