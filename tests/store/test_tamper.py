"""Changes of a store behind its back, and the check that names each: one table, and changes of every row and column.

Every change is made in the database by itself, looked for, and taken back. What each check protects against, and whom:
test_protection; the bytes of an archive: test_archive.
"""

import random
import re
import shutil
import struct
import tomllib
from pathlib import Path

import duckdb
import lanes
import pytest
from click.testing import CliRunner
from record import write_store

import tdtsql
from load_entry import load_entry
from bundle_file import write_part
from tdtsql.audit.invariants import audit
from tdtsql.cli.main import cli
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import sql_root
from tdtsql.definitions.table import tables
from tdtsql.engine.quoting import sql_identifier
from tdtsql.errors import BrokenDefinition, ChangedContent
from tdtsql.scoring.recompute import derived_again, recompute
from tdtsql.store.contents import contents_of, owners
from tdtsql.store.opening import LOCKED, TRACED, check_store, edited_lock, made_with
from tdtsql.store.ledger import verify_chain
from tdtsql.store.recording import append, head, result_fingerprints
from tdtsql.store.sets import verify_ledger
from tdtsql.store.stored_results import asked, invariants
from places import FIXTURES

BAGGA = FIXTURES / "bagga" / "bundle.toml"
RESULTS = ("ledger.result_score", "ledger.result_block", "ledger.result_det_point")
SEED = 20041201


@pytest.fixture(scope="module")
def store(evaluated_once, tmp_path_factory):
    """Return a store of Bagga's examples, with runs, curves and fitted distributions."""
    with tdtsql.connect(shutil.copy(evaluated_once(BAGGA), tmp_path_factory.mktemp("tamper"))) as store:
        store.score_distributions()
        assert verify_chain(store.engine) == []
        yield store


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return a store of one condition and its run, with a row in every table of the registry that a load fills: to hold
    all of it against its ledger takes as long as there are owners.
    """
    folder = tmp_path_factory.mktemp("small")
    bundle = write_part(BAGGA, folder / "bagga", ["small"])
    bundle.write_text(bundle.read_text().replace("[[run]]", 'exclude_topics = { u4 = "odd" }\n[[run]]', 1))
    with tdtsql.evaluate(bundle, folder / "store.duckdb") as store:
        [path] = store.engine.column("select path from registry.input_file where owner = 'run:small/R5'")
        (folder / "r5.toml").write_text('actor.name = "somebody"\nactor.team = "some"\n')
        store.add_run("R5", condition="small", decisions=BAGGA.parent / path, meta=str(folder / "r5.toml"))
        store.add_run("R6", condition="small", decisions=BAGGA.parent / path)
        store.compare("R5", "R6")
        problem = "insert into registry.problem values ('run:small/R5', 'W1', 'R5.csv', 1, null, 'odd', 'x')"
        store.engine.execute(problem)
        append(store.engine, load_entry(store.engine, "run:small/R5"))
        store.withdraw_run("R5", reason="late")
        store.add_metric(FIXTURES / "own_metric" / "balanced_accuracy__v1.sql")
        store.refresh()
        store.score_distributions()
        assert verify_ledger(store.engine) == []
        yield store


def while_changed(engine, statements, look):
    """Return what ``look`` finds while the store is changed so; None where the engine itself refuses the change."""
    engine.execute("begin")
    engine.in_transaction = True  # other connections do not see the change
    try:
        for statement in statements:
            engine.execute(statement)
        return look(engine)
    except duckdb.ConstraintException:
        return None
    finally:
        engine.in_transaction = False
        engine.execute("rollback")


# ---- changes with the words of the check that names them

TABLE = tomllib.loads(Path(__file__).with_name("tampers.toml").read_text(encoding="utf-8"))
CHAIN, SIGNED, RESEALED, INVARIANTS = (TABLE[name] for name in ("chain", "signed", "resealed", "invariants"))


@pytest.mark.sample(4)
@pytest.mark.parametrize("statement", CHAIN)
def test_the_chain_of_the_ledger_names_it(store, statement):
    found = while_changed(store.engine, [statement], verify_chain)

    assert any(re.search(CHAIN[statement], line) for line in found), found


@pytest.mark.sample(3)
@pytest.mark.parametrize("statement", SIGNED)
def test_a_signature_does_not_verify_and_says_which_part(store, statement):
    signed = tdtsql.signature(store, "R5", "b3_f1", weighting="story")
    store.engine.verified_owners.clear()
    assert tdtsql.verify(signed, store)
    store.engine.verified_owners.clear()

    parts = while_changed(store.engine, [statement], lambda _: tdtsql.verify(signed, store).parts)

    store.engine.verified_owners.clear()
    assert {part.name for part in parts if not part.agrees} == set(SIGNED[statement])


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["content", "load"])
@pytest.mark.parametrize("statement", RESEALED)
def test_rows_that_an_appended_entry_vouches_for_are_told_with_the_head_of_before(store, statement, kind):
    owner, table = RESEALED[statement]
    _, before = head(store.engine)

    def look(engine):
        if kind == "content":
            now = contents_of(engine, {owner: [table]})[owner]
            append(engine, ("content", owner, {"tables": now or {table: [0, ""]}}))
        else:
            append(engine, load_entry(engine, owner))
        return "\n".join(verify_chain(engine, expected=before))

    assert re.search(
        rf"{owner}: .*{table}.* changed \(ledger\.entry \d+, after the head {before[:8]}\)|"
        rf"ledger\.entry \d+ \(content {owner}\) was added: no command rewrites {table}",
        while_changed(store.engine, [statement], look),
    )


@pytest.mark.parametrize(
    ("statement", "names", "said"),
    [
        ("update base.labelled_story set label = 'no' where label = 'yes'", ("base.labelled_story",), "labelled_story"),
        ("update registry.run set has_decision = 0", (), "registry.run.has_decision does not hold what follows"),
    ],
)
def test_derived_rows_are_computed_again(store, statement, names, said):
    """Commands rewrite them, so the ledger accepts an entry about them: only computing them again tells."""

    def look(engine):
        for owner, place in owners(engine).items() if names else ():
            if place[0] == "condition_no":
                append(engine, ("content", owner, {"tables": contents_of(engine, {owner: names})[owner]}))
        assert not names or verify_chain(engine) == []
        return derived_again(engine)

    assert derived_again(store.engine) == []
    assert said in while_changed(store.engine, [statement], look)[0]


def test_at_least_thirty_invariants_hold(own_example):
    results = audit(own_example.engine)

    assert len(results) == len(invariants()) + 1 > 30  # and the chain of the ledger
    assert [(result.name, result.first) for result in results if result.n_bad] == []
    assert len({result.name for result in results}) == len(results)


@pytest.mark.parametrize("name", INVARIANTS)
def test_a_wrong_row_breaks_its_invariant(own_example, name):
    table, change, where = INVARIANTS[name]
    number = own_example.engine.value(f"select min(rowid) from {table} where {where}")

    statement = f"update {table} set {change} where rowid = {number}"
    result = while_changed(own_example.engine, [statement], lambda engine: asked(engine, name, invariants()[name]))

    assert result.n_bad and result.first


# ---- any row, any column


def changed(table, column, kind):
    """Return the SET clause that gives a column another value, one that its CHECK allows."""
    words = tables()[table].columns.get(column, ())
    name = sql_identifier(column)
    if "in" in words:
        one, other, *_ = [word for word in words[words.index("in") + 2 :] if word not in ",)"]
        value = f"case when {name} = '{one}' then '{other}' else '{one}' end"
    elif kind == "VARCHAR":
        value = f"coalesce({name}, '') || 'x'"
    elif kind == "BOOLEAN":
        value = f"not coalesce({name}, false)"
    elif kind == "TIMESTAMP":
        value = f"coalesce({name}, timestamp '1998-10-01') + interval 1 second"
    else:
        value = f"coalesce({name}, 0) * 2 + 1"
    return f"{name} = {value}"


def changes_of(engine, table):
    """Return kind of change -> statement: of the rows of a table, and of each column of its last row."""
    kinds = dict(engine.rows(f"select column_name, column_type from (describe {table})"))
    first, second = list(kinds)[:2]

    def added(column, step):
        value = f"{column} || 'x'" if kinds[column] == "VARCHAR" else f"{column} + {step}"
        return f"insert into {table} select * replace ({value} as {column}) from {table} order by rowid limit 1"

    # nothing trusts the row 'catalog': tables and views are held against those of the installation
    last = "where item = 'lock'" if table == "registry.made_with" else f"where rowid = (select max(rowid) from {table})"
    found = {"delete": f"delete from {table} {last}", "empty": f"delete from {table}"}
    found |= {"add": added(second, 5000), "add of nobody": added(first, 1000)}
    if not tables()[table].key:
        found["twice"] = f"insert into {table} from {table} order by rowid limit 1"
    return found | {
        f"column {place}": f"update {table} set {changed(table, column, kind)} {last}"
        for place, (column, kind) in enumerate(kinds.items())
    }


OWNED = [name for name in tables() if name.startswith(("base.", "staging."))]
#: the others, without those that task packages fill
OTHERS = [
    name for name in tables() if name not in (*OWNED, *LOCKED, *TRACED, "registry.package", "registry.profile_value")
]
#: what may be changed: a number that nothing refers to, as long as the files keep their order; comparisons may go
UNNOTICED = {("registry.input_file", "column 0"), *(("ledger.result_comparison", on) for on in ("delete", "empty"))}


def missed_of_owners(engine) -> list[tuple[str, str]]:
    """Return (table, change) of tables with owners that goes unnoticed; one kind of change of all tables at once."""
    possible = {table: changes_of(engine, table) for table in OWNED if engine.value(f"select count(*) from {table}")}
    missed = []
    for kind in dict.fromkeys(kind for kinds in possible.values() for kind in kinds):
        hit = [table for table in possible if kind in possible[table]]
        found = while_changed(engine, [possible[table][kind] for table in hit], verify_ledger)
        named = "\n".join(found)
        missed += [(table, kind) for table in hit if not re.search(rf"{re.escape(table)}[ :]", named)]
    return missed


def test_a_change_of_any_table_with_owners_is_named(small):
    assert missed_of_owners(small.engine) == []


@pytest.mark.full
@pytest.mark.parametrize("name", ["example", "topics", "units"])
def test_so_is_one_of_the_tables_of_every_task(tmp_path, name):
    write_store(name, tmp_path)
    with tdtsql.connect(tmp_path / f"{name}.duckdb") as store:
        assert missed_of_owners(store.engine) == []


@pytest.mark.full
@pytest.mark.parametrize("table", OTHERS)
def test_a_change_of_registry_or_ledger_is_noticed(small, store, table):
    engine = (store if table in ("ledger.result_label", "ledger.result_pairing") else small).engine
    if not engine.value(f"select count(*) from {table}"):
        pytest.skip("no rows")
    missed = [
        kind
        for kind, statement in changes_of(engine, table).items()
        if (table, kind) not in UNNOTICED and while_changed(engine, [statement], verify_ledger) == []
    ]

    assert missed == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("table", [*LOCKED, *TRACED])
def test_a_change_of_the_lock_in_a_store_is_named(store, table):
    engine, thorough = store.engine, table in TRACED
    made = made_with(engine)
    for kind, statement in changes_of(engine, table).items():
        found = while_changed(engine, [statement], lambda engine: edited_lock(engine, made, thorough=thorough))
        assert found is None or any(table in line for line in found), kind

    def opened(engine):
        with pytest.raises(BrokenDefinition, match=f"{table}.*: rows were edited"):
            check_store(engine, thorough=thorough)

    while_changed(engine, [f"delete from {table} where rowid = 0"], opened)
    check_store(engine)


# ---- one byte


def flip(generator, value):
    """Return the value with one bit of one of its bytes another; None where that is no value."""
    if isinstance(value, str):
        place = generator.randrange(len(value) or 1)
        bit = 1 << generator.randrange(7)
        return value[:place] + chr((ord(value[place]) ^ bit) or 1) + value[place + 1 :] if value else None
    if isinstance(value, float):
        [bits] = struct.unpack("<q", struct.pack("<d", value))
        [other] = struct.unpack("<d", struct.pack("<Q", (bits ^ (1 << generator.randrange(64))) & (2**64 - 1)))
        return other if other == other else None
    return None if value is None else value ^ (1 << generator.randrange(20))


@lanes.both
@pytest.mark.sample(2)
@pytest.mark.parametrize("table", ["ledger.entry", *RESULTS])
def test_a_flipped_bit_of_the_ledger_and_of_kept_numbers_is_found(store, table):
    """The hash that the ledger has of a computation is no longer that of its numbers."""
    engine, generator = store.engine, random.Random(SEED)
    columns = list(tables()[table].columns)
    recorded = dict(engine.rows("select computation_no, (n_value, result_sha256) from ledger.computation"))
    rows = engine.rows(f"select rowid, {', '.join(columns)} from {table}")
    left = lanes.number(default=10 if table == "ledger.entry" else 30, full=250)
    while left:
        rowid, *row = generator.choice(rows)
        place = generator.randrange(len(columns))
        new = flip(generator, row[place])
        if new is None or new == row[place]:
            continue
        left -= 1
        number = None if table == "ledger.entry" else row[columns.index("computation_no")]

        def look(engine, number=number):
            return (
                verify_chain(engine)
                if number is None
                else result_fingerprints(engine, [number])[number] != recorded[number]
            )

        engine.execute("begin")
        try:
            engine.execute(f"update {table} set {columns[place]} = ? where rowid = ?", [new, rowid])
            assert look(engine), (columns[place], row[place], new)
        except duckdb.ConstraintException:
            pass  # another row's key: the engine itself refuses that
        finally:
            engine.execute("rollback")


@pytest.mark.sample(1)
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

    assert len(found) == 40 and all(" under " in str(item) and "is stored as" in str(item) for item in found)
    assert sorted((item.kept, item.again) for item in found) == sorted(
        (value * (1 + 2**-40), value) for _, value in chosen
    )


def test_the_lock_of_the_installation(tmp_path):
    """1,000 changes of the real file, in a copy: none is read as a lock."""
    path = Path(shutil.copy(sql_root() / lock.FILE, tmp_path / lock.FILE))
    good, generator = path.read_bytes(), random.Random(SEED)
    assert lock.read_lock(path)
    for _ in range(1000):
        place = generator.randrange(len(good))
        path.write_bytes(good[:place] + bytes([good[place] ^ (1 << generator.randrange(8))]) + good[place + 1 :])
        with pytest.raises(BrokenDefinition, match="the lock was edited"):
            lock.read_lock(path)


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("score", "score set value = 0.01"),
        ("score osprey --curve --condition trk-eng-1", "det_point set threshold = 1"),
        ("compare osprey sparrow --condition trk-eng-1 --profile tdt2004", "block set value = 0.01"),
        ("leaderboard", "score set value = 0.01"),
        ("report make {0}/page.html", "label set value = 1"),
        ("export {0}/tables", "block set value = 0.01"),
        ("gate osprey sparrow --condition trk-eng-1 --fail-if c_det_norm>+0.5", "block set value = 0.01"),
    ],
)
def test_nothing_is_published_of_changed_scores(example_store, tmp_path, command, change):
    """A number, a number of a topic, a threshold or a label that plain SQL changed."""
    changed = tmp_path / "changed.duckdb"
    shutil.copy(example_store, changed)
    with duckdb.connect(changed) as connection:
        connection.execute(f"update ledger.result_{change}")

    result = CliRunner().invoke(cli, [*command.format(tmp_path).split(), "--db", str(changed)])

    assert isinstance(result.exception, ChangedContent) and list(tmp_path.iterdir()) == [changed]
