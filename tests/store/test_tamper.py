"""1,000 random changes of one byte each, to a store's lock and to the rows of its ledger: all are detected.

(For the bytes of an archive see test_archive.) The store is a real one, with runs, curves and
fitted distributions; every change is made in the database by itself, looked for, and taken back.
"""

import random
import shutil
import struct
from pathlib import Path

import duckdb
import lanes
import pytest

import tdtsql
from bundle_file import write_part
from tdtsql.errors import BrokenDefinition
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import sql_root
from tdtsql.definitions.table import tables
from tdtsql.scoring.recompute import recompute
from tdtsql.store.definitions import LOCKED, TRACED, check_store, edited_lock, made_with
from tdtsql.store.ledger import DISTRIBUTIONS, result_fingerprint, verify_chain

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RESULTS = ("ledger.result_score", "ledger.result_block", "ledger.result_det_point")
SEED = 20041201


@pytest.fixture(scope="module")
def store(evaluated_once, tmp_path_factory):
    path = shutil.copy(evaluated_once(FIXTURES / "bagga" / "bundle.toml"), tmp_path_factory.mktemp("tamper"))
    with tdtsql.connect(path) as store:
        store.score_distributions()
        assert verify_chain(store.engine) == []
        yield store


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the store of two of the three conditions, with a run each: to hold all of it against its ledger takes as
    long as there are runs.
    """
    bundle = write_part(FIXTURES / "bagga" / "bundle.toml", tmp_path_factory.mktemp("bagga"), ["small", "single"])
    with tdtsql.evaluate(bundle, tmp_path_factory.mktemp("small") / "store.duckdb") as store:
        store.score_distributions()
        assert verify_chain(store.engine) == []
        yield store


def flip(generator, value):
    """Return the value with one bit of one of its bytes another."""
    if isinstance(value, str):
        if not value:
            return None
        place = generator.randrange(len(value))
        return value[:place] + chr((ord(value[place]) ^ (1 << generator.randrange(7))) or 1) + value[place + 1 :]
    if isinstance(value, float):
        [bits] = struct.unpack("<q", struct.pack("<d", value))
        [changed] = struct.unpack("<d", struct.pack("<Q", (bits ^ (1 << generator.randrange(64))) & (2**64 - 1)))
        return changed if changed == changed else None
    return value ^ (1 << generator.randrange(20))


def changes(generator, engine, table, n_change):
    """Yield (column, old, new, row) for changes of single bytes, each while it is in the database."""
    columns = list(tables()[table].columns)
    rows = engine.rows(f"select rowid, {', '.join(columns)} from {table}")
    done = 0
    while done < n_change and rows:
        rowid, *row = generator.choice(rows)
        place = generator.randrange(len(columns))
        new = None if row[place] is None else flip(generator, row[place])
        if new is None or new == row[place]:
            continue
        engine.execute("begin")
        try:
            try:
                engine.execute(f"update {table} set {columns[place]} = ? where rowid = ?", [new, rowid])
            except duckdb.ConstraintException:
                continue  # another row's key: the engine itself refuses that
            yield columns[place], row[place], new, dict(zip(columns, row, strict=True))
        finally:
            engine.execute("rollback")
        done += 1


@pytest.mark.sample(3)
@lanes.both
@pytest.mark.parametrize(
    ("table", "n_change"),
    [
        ("ledger.entry", lanes.number(default=12, full=250)),
        ("ledger.computation", lanes.number(default=6, full=100)),
        *((table, lanes.number(default=2, full=30)) for table in DISTRIBUTIONS),
    ],
)
def test_entries_and_what_they_vouch_for(small, table, n_change):
    missed = [
        (column, old, new)
        for column, old, new, _ in changes(random.Random(SEED), small.engine, table, n_change)
        if not verify_chain(small.engine)
    ]

    assert missed == []
    assert verify_chain(small.engine) == []  # all were taken back


@pytest.mark.sample(2)
@lanes.both
@pytest.mark.parametrize(
    ("table", "n_change"),
    [
        ("ledger.result_score", lanes.number(default=40, full=250)),
        ("ledger.result_block", lanes.number(default=30, full=200)),
        ("ledger.result_det_point", lanes.number(default=20, full=110)),
    ],
)
def test_kept_numbers(store, table, n_change):
    """The hash that the ledger has of a computation is no longer that of its numbers."""
    missed = []
    recorded = {
        row[0]: row[1:]
        for row in store.engine.rows("select computation_no, n_value, result_sha256 from ledger.computation")
    }
    for column, old, new, row in changes(random.Random(SEED), store.engine, table, n_change):
        if result_fingerprint(store.engine, row["computation_no"]) == recorded[row["computation_no"]]:
            missed.append((column, old, new))

    assert missed == []


@pytest.mark.full
@pytest.mark.parametrize("table", RESULTS)
def test_every_changed_number_is_named_when_all_are_computed_again(store, table):
    """Forty numbers changed at once: each has a divergence of its own, and nothing else has."""
    engine = store.engine
    column = "p_fa" if table.endswith("point") else "value"
    rows = engine.rows(f"select rowid, {column} from {table} where {column} > 0 order by rowid")
    chosen = random.Random(SEED).sample(rows, 40)
    with engine.transaction(keep=False):
        for rowid, value in chosen:
            engine.execute(f"update {table} set {column} = ? where rowid = ?", [value * (1 + 2**-40), rowid])
        found = recompute(engine).divergences

    assert len(found) == 40
    assert sorted((item.kept, item.again) for item in found) == sorted(
        (value * (1 + 2**-40), value) for _, value in chosen
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("table", [*LOCKED, *TRACED])
def test_the_lock_in_a_store(store, table):
    engine, thorough, missed = store.engine, table in TRACED, []
    made = made_with(engine)
    for column, old, new, _ in changes(random.Random(SEED), engine, table, 8 if thorough else 40):
        if not any(table in message for message in edited_lock(engine, made, thorough=thorough)):
            missed.append((column, old, new))
    assert missed == []
    # what a store that is opened says of it
    for _ in changes(random.Random(SEED), engine, table, 1):
        with pytest.raises(BrokenDefinition, match=f"{table}.*: rows were edited"):
            check_store(engine, thorough=thorough)
    check_store(engine)


def test_the_lock_of_the_installation(tmp_path):
    """1,000 changes of the real file, in a copy: none is read as a lock."""
    path = Path(shutil.copy(sql_root() / lock.FILE, tmp_path / lock.FILE))
    good, generator, missed = path.read_bytes(), random.Random(SEED), []
    assert lock.read_lock(path)
    for _ in range(1000):
        place = generator.randrange(len(good))
        path.write_bytes(good[:place] + bytes([good[place] ^ (1 << generator.randrange(8))]) + good[place + 1 :])
        try:
            lock.read_lock(path)
            missed.append(place)
        except BrokenDefinition as error:
            assert "the lock was edited" in str(error)
    assert missed == []
