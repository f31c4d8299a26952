"""The empty store that ships with the package: ``tdtsql/compiled/empty.duckdb.xz``, and what its tables and views are.

A new store is a copy of it. Making it takes seconds: every view is bound, lineage and contracts are computed. It is
written with the compiled definitions (`tdtsql.build`), and a test checks that it is current.
"""

import hashlib
import json
import lzma
import struct
import tempfile
from contextlib import closing
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path
from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import catalog, installed_key, read_statement, shipped
from tdtsql.definitions.contract import promises
from tdtsql.definitions.table import tables
from tdtsql.definitions.lineage import lineage
from tdtsql.definitions.verify import stored_columns
from tdtsql.store.opening import LOCKED, TRACED, describe, lock_hash, write_catalog_hash
from tdtsql.definitions.empty import DESCRIPTION, STORE
from tdtsql.store.lineage import source_kinds
from tdtsql.store.profiles import load_profiles
from tdtsql.definitions.create import create_tables, create_views
from tdtsql.store.sets import SHIPPED, StoredSet
from tdtsql.task import TASKS
from tdtsql.version import __version__

#: bytes of the first block of a file of DuckDB
HEADER = 4096


def write_store() -> None:
    """Write the empty store and its description."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.duckdb"
        make_empty(path)
        STORE.write_bytes(lzma.compress(path.read_bytes(), preset=9))
        found = describe(path)
    found = {"duckdb": duckdb.__version__, "sha256": hashlib.sha256(STORE.read_bytes()).hexdigest(), **found}
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, indent=0)}" for key, value in found.items())
    DESCRIPTION.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def make_empty(path: Path) -> None:
    """Make an empty store in a new file: tables, views, definitions and profiles, no ledger."""
    first = str(path.with_name("first.duckdb"))
    with closing(Engine(first)) as engine, engine.transaction():
        create_tables(engine)
        create_views(engine)
        _write_definitions(engine)
        load_profiles(engine, {}, "")
        engine.execute("delete from ledger.entry")  # the ledger of a store begins when it is made
    Engine(str(path)).close()
    with closing(Engine(first)) as engine:  # DuckDB writes a view otherwise once it was stored
        write_catalog_hash(engine)
        # a file written step by step has unused blocks
        engine.execute(f"attach {quoted_path(path)} as compact; copy from database first to compact")
    path.write_bytes(_with_own_identifier(path.read_bytes()))


def _with_own_identifier(store: bytes) -> bytes:
    """Return a store whose identifier follows from the definitions: DuckDB draws it at random, and it is all in which
    two files of the same statements differ.

    The first block is its checksum (8 bytes) and what that is of (`src/storage/single_file_block_manager.cpp` and
    `src/common/checksum.cpp` of DuckDB 2.0): the identifier is bytes 124 to 139. A wrong checksum does not open.
    """
    header = bytearray(store[:HEADER])
    header[124:140] = bytes.fromhex(installed_key())[:16]
    checksum = 5381
    for (word,) in struct.iter_unpack("<Q", header[8:]):
        checksum ^= word * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    header[:8] = struct.pack("<Q", checksum)
    return bytes(header) + store[HEADER:]


def _write_definitions(engine: Engine) -> None:
    """Write what this installation defines: views, metrics, a fingerprint for each task, and what the store is made
    with.
    """
    StoredSet(SHIPPED, catalog(), shipped().definitions["relations"], TASKS).record(engine)
    _write_contracts(engine)
    _write_lineage(engine)
    made = {
        "definitions": installed_key(),
        "lock": lock_hash(engine, LOCKED),
        "lineage": lock_hash(engine, TRACED),
        "tdtsql": __version__,
        "duckdb": engine.version,
    }
    engine.insert_rows("registry.made_with", ("item", "value"), [*made.items()])


def _write_contracts(engine: Engine) -> None:
    """Write the contracts of this installation's relations, with the types that they have in this engine.

    Raises:
        BrokenDefinition: a column has a type that its unit does not allow.
    """
    made, rows = stored_columns(engine), []
    for one in promises(catalog(), tables()):
        kind = made[one.relation][one.column] if one.relation in catalog() else one.types[0]
        if kind not in one.types:
            raise BrokenDefinition(
                f"{one.relation}: column {one.column} is {kind}, and its unit {one.unit!r} allows "
                f"{' or '.join(one.types)}. Cast it, or correct the unit in the header."
            )
        rows.append((*one[:3], kind, *one[4:]))
    columns = "relation column_no column_name data_type unit low high is_key".split()
    engine.insert_rows("registry.contract", columns, rows)


def _write_lineage(engine: Engine) -> None:
    """Write the lineage of this installation's views: each step, and where every column of report comes from in the
    end.
    """
    steps = [
        step
        for relation in catalog().values()
        for step in lineage(relation, [column.name for column in relation.header.columns], to_files=True)
    ]
    columns = "relation column_name role from_relation from_column".split()
    engine.insert_rows("registry.lineage_step", columns, sorted({step[1:] for step in steps}))
    engine.execute(f"insert into registry.lineage_source {read_statement('verify/lineage_source')}")
    engine.insert_rows("registry.source_kind", ("from_relation", "kind"), source_kinds())


if __name__ == "__main__":
    write_store()
