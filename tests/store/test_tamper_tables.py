"""Every table of a store: a row deleted, added, all deleted, each column changed. Nothing of it goes unnoticed.

One store has every task of the bundled example, with one run of each condition: changes to tables
that belong to owners are made to all these tables at once, and each must be named. Changes
to registry and ledger are made one at a time, to a small store of one of Bagga's examples; of the profiles
each has another column changed, and each must be named.
"""

import re
from pathlib import Path

import duckdb
import pytest

import tdtsql
from bundle_file import write_part
from tdtsql.store.definitions import edited_lock, made_with
from tdtsql.store.ledger import append, load_entry
from tdtsql.engine.quoting import sql_identifier
from tdtsql.definitions.table import tables
from tdtsql.store.sets import verify_ledger
from tdtsql.store.definitions import LOCKED, TRACED

pytestmark = pytest.mark.full

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"

#: what may be changed, with the reason
UNNOTICED = {
    (
        "registry.input_file",
        "change input_file_no",
    ): "a number that nothing refers to, as long as the files keep their order",
}

_OWNED = [name for name in tables() if name.startswith(("base.", "staging."))]
_LOCKED = (*LOCKED, *TRACED)
#: filled by task packages (tests/package)
_OF_PACKAGES = ("registry.package", "registry.profile_value")
_OTHERS = [name for name in tables() if name not in (*_OWNED, *_LOCKED, *_OF_PACKAGES)]


#: (run, item, epoch, score)
SAMPLES = [
    (run, item, epoch, (epoch + len(run + item)) % 2) for run in ("u", "v2") for item in "ab" for epoch in (1, 2)
]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    (folder / "example").symlink_to(EXAMPLE)
    head, *parts = re.split(r"(?m)^(?=\[\[(?:run|condition)\]\])", (EXAMPLE / "bundle.toml").read_text())
    seen, kept = set(), [head]
    for part in parts:
        where = re.search(r'(?m)^condition = "(.*?)"', part)
        if where is None or where[1] not in seen:
            kept.append(part)
        if where is not None:
            seen.add(where[1])
    text = re.sub(r'"([\w./*-]+/[\w./*-]+)"', r'"example/\1"', "".join(kept)).replace(
        'root = "corpus"', 'root = "example/corpus"'
    )
    (folder / "bundle.toml").write_text(text)
    # filtering with qrels alone: documents that only a run has
    (folder / "qrels.txt").write_text("T1 0 a 1\nT1 0 b 0\nT2 0 c 1\n")
    (folder / "run.txt").write_text("T1 Q0 a 1 3 r\nT1 Q0 x 2 2 r\nT2 Q0 y 1 1 r\n")
    (folder / "filtering.toml").write_text(
        '[corpus]\nid = "alone"\nqrels = "qrels.txt"\n[[condition]]\nid = "filtering"\ntask = "filtering"\n'
        '[[run]]\ncondition = "filtering"\nfiles = ["run.txt"]\nformat = "trec"\n'
    )
    # clusterings: items, clusters and blocks that one side lacks, clusters whose pairs are searched, and documents
    searched = "g,a,{}\ng,b,{}\ng,c,{}\ng,d,{}\n"
    (folder / "gold.csv").write_text("block_id,item_id,cluster_id\nd,a,1\nd,b,1\ne,a,2\n" + searched.format(*"1122"))
    (folder / "system.csv").write_text("block_id,item_id,cluster_id\nd,a,1\nd,x,2\nf,a,1\n" + searched.format(*"1212"))
    (folder / "gold.conll").write_text("#begin document (d); part 000\nd 0 0 w (1)\nd 0 1 w (1)\n#end document\n")
    (folder / "partition.toml").write_text(
        '[corpus]\nid = "clusters"\n'
        + "".join(
            f'[[condition]]\nid = "{name}"\ntask = "partition"\ngold = "{gold}"\ngold_format = "{form}"\n'
            f'[[run]]\nid = "s"\ncondition = "{name}"\nfiles = ["{system}"]\nformat = "{form}"\n'
            for name, gold, system, form in (
                ("tidy", "gold.csv", "system.csv", "tidy"),
                ("documents", "gold.conll", "gold.conll", "conll"),
            )
        )
    )
    # the same in windows of days
    (folder / "stories.csv").write_text(
        "story_id,position,published_at\na,1,1998-10-01 00:00:00\nb,2,1998-10-02 00:00:00\n"
    )
    (folder / "days.csv").write_text("item_id,cluster_id\na,1\nb,1\n")
    (folder / "windows.toml").write_text(
        '[corpus]\nid = "windows"\nstories = "stories.csv"\n[[condition]]\nid = "windows"\ntask = "partition"\ngold = '
        '"days.csv"\nwindow = "1 day"\n'
        '[[run]]\nid = "s"\ncondition = "windows"\nfiles = ["days.csv"]\n'
    )
    # scored trials with attributes
    (folder / "key.csv").write_text("trial_id,label,codec\na,target,C1\nb,nontarget,C1\nc,nontarget,C2\nd,target,C2\n")
    (folder / "scores.csv").write_text("trial_id,score\na,1\nb,0.5\nc,-1\nd,0\n")
    (folder / "verification.toml").write_text(
        '[corpus]\nid = "trials"\n[profile.carried]\ndecide_at = "condition:verification"\n'
        '[[condition]]\nid = "verification"\ntask = "verification"\nkey = "key.csv"\nprofile = ["tdt2004", "carried"]\n'
        '[[run]]\nid = "s"\ncondition = "verification"\nfiles = ["scores.csv"]\n'
    )
    # scores of items
    (folder / "items.csv").write_text("item_id,subject,passage,weight\na,x,p,1\nb,y,p,2\n")
    (folder / "samples.csv").write_text(
        "run_id,item_id,epoch,score\n"
        + "".join(f"{run},{item},{epoch},{score}\n" for run, item, epoch, score in SAMPLES)
    )
    (folder / "items.toml").write_text(
        '[corpus]\nid = "items"\n[[condition]]\nid = "items"\ntask = "items"\nitems = "items.csv"\nk = [1, 2]\n'
        'group = ["subject"]\ncluster = ["passage"]\nweight = "weight"\nbaseline = "u"\n'
        '[[run]]\ncondition = "items"\nfiles = ["samples.csv"]\n'
    )
    with tdtsql.evaluate(folder / "bundle.toml", folder / "store.duckdb") as store:
        store.evaluate(folder / "items.toml")
        store.evaluate(folder / "filtering.toml")
        store.evaluate(folder / "verification.toml")
        store.evaluate(folder / "partition.toml")
        store.evaluate(folder / "windows.toml")
        store.score_distributions()
        assert verify_ledger(store.engine) == []
        yield store


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    # one condition and its run: each change is looked for in all tables, which takes as long as there are owners
    bundle = write_part(EXAMPLE.parent / "bagga" / "bundle.toml", tmp_path_factory.mktemp("bagga"), ["small"])
    bundle.write_text(bundle.read_text().replace("[[run]]", 'exclude_topics = { u4 = "odd" }\n[[run]]', 1))
    with tdtsql.evaluate(bundle, tmp_path_factory.mktemp("small") / "store.duckdb") as store:
        [[path]] = store.engine.rows("select path from registry.input_file where owner = 'run:small/R5'")
        (meta := tmp_path_factory.mktemp("meta") / "r5.toml").write_text(
            'actor.name = "somebody"\nactor.team = "some"\n'
        )
        store.add_run("R5", condition="small", decisions=str(EXAMPLE.parent / "bagga" / path), meta=str(meta))
        store.engine.execute(
            "insert into registry.problem values ('run:small/R5', 'W1', 'R5.csv', 1, null, 'odd', 'x')"
        )
        append(store.engine, "load", *load_entry(store.engine, "run:small/R5"))
        store.withdraw_run("R5", reason="late")
        store.add_metric(EXAMPLE.parent / "own_metric" / "balanced_accuracy__v1.sql")
        store.refresh()
        store.score_distributions()
        assert verify_ledger(store.engine) == []
        yield store


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


def types(engine, table):
    return dict(engine.rows(f"select column_name, column_type from (describe {table})"))


def tampered(engine, statements):
    """Return what is found while the store is changed so; None where the engine itself refuses the change."""
    engine.execute("begin")
    try:
        for statement in statements:
            engine.execute(statement)
        return verify_ledger(engine)
    except duckdb.ConstraintException:
        return None
    finally:
        engine.execute("rollback")


def row_changes(engine, table):
    """Return kind of change -> statement."""
    kinds = types(engine, table)
    first, second = list(kinds)[:2]

    def added(column, step):
        value = f"{column} || 'x'" if kinds[column] == "VARCHAR" else f"{column} + {step}"
        return f"insert into {table} select * replace ({value} as {column}) from {table} order by rowid limit 1"

    return {
        "delete a row": f"delete from {table} where rowid = (select max(rowid) from {table})",
        "add a row of nobody": added(first, 1000),
        "add a row": added(second, 5000),
        "empty": f"delete from {table}",
    } | (
        {} if tables()[table].key else {"add the same row": f"insert into {table} from {table} order by rowid limit 1"}
    )


@pytest.fixture(scope="module")
def filled(store):
    return [name for name in _OWNED if store.engine.value(f"select count(*) from {name}")]


def test_nearly_every_table_has_rows(store, filled):
    assert sorted(set(_OWNED) - set(filled)) == ["base.listed_pair", "staging.tidy_judgment"]


@pytest.mark.parametrize("kind", ["delete a row", "add the same row", "add a row of nobody", "add a row", "empty"])
def test_rows_of_tables_with_owners(store, filled, kind):
    possible = [table for table in filled if kind in row_changes(store.engine, table)]
    found = tampered(store.engine, [row_changes(store.engine, table)[kind] for table in possible])

    assert [table for table in possible if not any(f"{table} " in line or f"{table}:" in line for line in found)] == []


@pytest.mark.parametrize("place", range(20))
def test_values_of_tables_with_owners(store, filled, place):
    """The value in column number ``place`` of the last row of every table that has so many."""
    statements, hit = [], []
    for table in filled:
        kinds = types(store.engine, table)
        if place < len(kinds):
            column = list(kinds)[place]
            statements.append(
                f"update {table} set {changed(table, column, kinds[column])} where rowid = (select "
                f"max(rowid) from {table})"
            )
            hit.append(table)

    found = tampered(store.engine, statements)

    assert [table for table in hit if not any(f"{table} " in line or f"{table}:" in line for line in found)] == []


def test_no_table_has_more_columns_than_are_tried(store, filled):
    assert {table: len(types(store.engine, table)) for table in filled if len(types(store.engine, table)) > 20} == {}


@pytest.mark.parametrize("table", _OTHERS)
def test_rows_and_values_of_registry_and_ledger(small, store, table):
    engine = (store if table in ("ledger.result_label", "ledger.result_pairing") else small).engine
    assert engine.value(f"select count(*) from {table}")
    chosen = "item <> 'catalog'" if table == "registry.made_with" else "true"
    changes = row_changes(engine, table)
    if (
        table == "registry.made_with"
    ):  # nothing trusts the row 'catalog': tables and views are held against those of the installation
        changes["delete a row"] = f"delete from {table} where item = 'lock'"
    for column, kind in types(engine, table).items():
        if table == "registry.profile":
            continue  # below
        changes[f"change {column}"] = (
            f"update {table} set {changed(table, column, kind)} where rowid = (select max(rowid) from "
            f"{table} where {chosen})"
        )
    missed = [
        what
        for what, statement in changes.items()
        if (table, what) not in UNNOTICED and tampered(engine, [statement]) == []
    ]

    assert missed == []


PROFILE = "registry.profile"


def test_every_column_of_a_profile(small):
    """Each profile has another of its columns changed, and each is named; until all columns had their turn."""
    engine = small.engine
    profiles = [name for (name,) in engine.rows("select profile_id from registry.profile order by 1")]
    kinds = types(engine, "registry.profile")
    columns = [(column, kind) for column, kind in kinds.items() if column not in ("profile_no", "profile_id")]
    missed = []
    for first in range(0, len(columns), len(profiles)):
        hit = list(zip(profiles, columns[first : first + len(profiles)], strict=False))
        found = tampered(
            engine,
            [
                f"update {PROFILE} set {changed(PROFILE, column, kind)} where profile_id = '{profile}'"
                for profile, (column, kind) in hit
            ],
        )
        missed += [
            column
            for profile, (column, _) in hit
            if not any(f"registry.profile: {profile} has other values" in line for line in found or ())
        ]

    assert missed == []
    for column in ("profile_no", "profile_id"):  # None: the engine refused
        assert (
            tampered(
                engine,
                [f"update {PROFILE} set {changed(PROFILE, column, kinds[column])} where profile_id = '{profiles[-1]}'"],
            )
            != []
        )


@pytest.mark.parametrize("table", _LOCKED)
def test_rows_of_the_lock(small, table):
    engine = small.engine
    missed = []
    for what, statement in row_changes(engine, table).items():
        engine.execute("begin")
        try:
            engine.execute(statement)
            if not edited_lock(engine, made_with(engine), thorough=True):
                missed.append(what)
        except duckdb.ConstraintException:
            pass
        finally:
            engine.execute("rollback")

    assert missed == []


@pytest.mark.parametrize(
    "statement",
    [
        "update base.subset set subset = case subset when 'language=ENGLISH' then 'language=MANDARIN' when "
        "'language=MANDARIN' then 'language=ENGLISH' else subset end",
        "update base.block set block_id = case block_no when 1 then (select block_id from base.block as b where "
        "b.block_no = 2 and b.condition_no = block.condition_no) "
        "when 2 then (select block_id from base.block as b where b.block_no = 1 and b.condition_no = "
        "block.condition_no) else block_id end where condition_no = 1",
        "update base.decision set is_yes = not is_yes where run_no = 1 and trial_no % 2 = 0",
        "update registry.profile set c_miss = 0.1 where profile_id = 'tdt2004'",
        "update registry.run set run_id = 'other' where run_no = 1",
        "update registry.condition set on_topic = 'yes brief' where condition_no = 1",
    ],
)
def test_names_and_labels_that_change_hands(store, statement):
    assert tampered(store.engine, [statement])
