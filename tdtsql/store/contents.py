"""Contents of a store by owner (a corpus, a condition, a run) and table, and of its profiles: hashes for the ledger.

All dependencies of a number, a name or an explanation belong to an owner or are a profile. A table without rows of an
owner is not listed, so that rows that appear in it later are detected, and counts for no hash.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tdtsql.definitions.catalogue import cached_definitions, derived, package_entries, read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import counted
from tdtsql.files.fingerprint import fingerprint
from tdtsql.task import TASKS

#: the table with one row for each owner, by the column that numbers them
REGISTERED = {"corpus_no": "registry.corpus", "condition_no": "registry.condition", "run_no": "registry.run"}

#: names in the ledger of parts of the row of a condition: what is recomputed whenever judgments are loaded, and its
#: parameters apart from numbers and hashes
PARTITION, SETTINGS = "registry.condition.is_partition", "registry.condition.settings"
_NO_SETTINGS = ("corpus_no", "base_condition_no", "content_sha256", "source_sha256", "is_partition")

#: kind of the subsets that were requested after their condition was loaded, and the tables that they are in; their rows
#: have other names than those loaded with it
PRODUCT = "product"
_OF_SUBSETS = ("base.subset", "base.subset_cell", "base.curve_request")
PRODUCTS = tuple(f"{table}.{PRODUCT}" for table in _OF_SUBSETS)
_IS_PRODUCT = f"(condition_no, subset_no) in (select condition_no, subset_no from base.subset where kind = '{PRODUCT}')"

#: rewritten after the owner was loaded: the labels with every change of the judgments, the paths with every change
#: of costs, carried thresholds with the runs they were fitted on
LABELLED = ("base.labelled_story", PARTITION)
WALKS = ("base.vertex_story", "base.vertex_travel", "base.travel_price", "base.expected_travel")
CARRIED = ("base.carried_threshold",)
#: to which commands add rows: profiles whenever a bundle selects others, facts, when a run is withdrawn or restored
CHOSEN_PROFILES, FACTS, WITHDRAWN = ("registry.condition_profile",), ("registry.run_fact",), ("registry.withdrawal",)
ADDED_TO = (*CHOSEN_PROFILES, *FACTS, *WITHDRAWN)

#: number of rows and hash of them, by table; and of a table without rows
Contents = dict[str, list]
NOTHING = [0, ""]


class Place(NamedTuple):
    """Where an owner is in the registry."""

    column: str  #: that numbers such owners
    number: int
    name: str = ""  #: its id, without those of what it belongs to
    sha256: str = ""  #: content_sha256


_OWNERS = """
    select 'corpus:' || corpus_id as owner, 'corpus_no' as kind, corpus_no as number, corpus_id as name,
        content_sha256 as sha256
    from registry.corpus
    union all
    select 'condition:' || condition_id, 'condition_no', condition_no, condition_id, content_sha256
    from registry.condition
    union all
    select 'run:' || condition.condition_id || '/' || run.run_id, 'run_no', run.run_no, run.run_id, run.content_sha256
    from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no"""


@cached_definitions
def owned(column: str) -> tuple[str, ...]:
    """Return the tables that hold rows of one owner, those of task packages in use among them: by the column of the
    schema that identifies it.
    """
    kinds = {
        name: next((kind for kind in reversed(REGISTERED) if kind in table.columns), None)
        for name, table in tables().items()
        if not name.startswith("ledger.") and name not in (*REGISTERED.values(), "registry.current_input")
    }
    return tuple(name for name, kind in kinds.items() if kind == column)


@cached_definitions
def following_runs() -> tuple[str, ...]:
    """Return the tables of conditions that follow from their runs, of all tasks in use."""
    names = dict.fromkeys(name for task in TASKS.values() for name in task.follows)
    return tuple(derived()[f"derived.{name}"].header.fields["fills"] for name in names)


@cached_definitions
def derived_tables() -> frozenset[str]:
    """Return the tables that follow from other rows: `audit.derived` computes them again."""
    return frozenset((*PRODUCTS, *WALKS, *(relation.header.fields["fills"] for relation in derived().values())))


@cached_definitions
def rewritten() -> frozenset[str]:
    """Return all that a ``content`` entry of the ledger may be about: what commands rewrite after the load."""
    return derived_tables() | {*ADDED_TO}


def read_of(column: str) -> list[str]:
    """Return the contents that content_sha256 of an owner covers: what was read of it, without anything that derives
    from it or is added by options.
    """
    settings = [SETTINGS] if column == "condition_no" else []
    return settings + [name for name in owned(column) if name not in rewritten()]


@cached_definitions
def staged() -> tuple[str, ...]:
    """Return the tables of rows as found in the files."""
    return tuple(name for name in tables() if name.startswith("staging."))


def owners(engine: Engine) -> dict[str, Place]:
    """Return everything that is loaded."""
    return {owner: Place(*place) for owner, *place in engine.rows(f"{_OWNERS} order by all")}


def owner_of(engine: Engine, column: str, number: int) -> str:
    """Return the owner of a number of this column: ``corpus:ID``, ``condition:ID``, ``run:CONDITION/ID``."""
    return engine.value(f"select owner from ({_OWNERS}) where kind = ? and number = ?", [column, number])


def owner_hash(column: str, name: str, contents: Contents) -> str:
    """Return content_sha256 of an owner: of its name and of the rows that were read for it, in any number of files or
    frames. Derived rows do not count.

    Args:
        column: the column that numbers such owners.
        name: its id.
    """
    read = [table for table in read_of(column) if table in contents]
    return fingerprint(name, *(part for table in read for part in (table, *contents[table])))


class _Part(NamedTuple):
    """What one name in the ledger is of an owner: rows of a table, some of their columns."""

    name: str
    table: str
    column: str  #: that identifies the owner
    leave_out: tuple[str, ...] = ()  #: columns that do not count
    where: str = "true"


@cached_definitions
def _parts(column: str) -> tuple[_Part, ...]:
    """Return all that an owner of a kind can have."""
    row, is_condition = REGISTERED[column], column == "condition_no"
    parts = [
        *(
            _Part(name, name, column, (), f"not {_IS_PRODUCT}" if name in _OF_SUBSETS else "true")
            for name in owned(column)
        ),
        _Part(row, row, column, ("content_sha256", *(["is_partition"] if is_condition else []))),
    ]
    if column != "run_no":
        parts += [_Part(name, name, "owner") for name in staged()]
    if is_condition:
        others = tuple(name for name in tables()[row].columns if name != "is_partition")
        parts += [_Part(PARTITION, row, column, others), _Part(SETTINGS, row, column, _NO_SETTINGS)]
        parts += [
            _Part(name, table, column, (), _IS_PRODUCT) for name, table in zip(PRODUCTS, _OF_SUBSETS, strict=True)
        ]
    return tuple(parts)


def contents_of(
    engine: Engine,
    wanted: Mapping[str, Collection[str] | None],
    places: Mapping[str, Place] | None = None,
    known: Mapping[str, Contents] | None = None,
) -> dict[str, Contents]:
    """Return owner -> the contents of its tables, without empty ones, with one query for each table.

    Args:
        wanted: owner -> the names to hash; None: all that it can have.
        places: of these owners; by default as the registry has them.
        known: owner -> contents of what was read of it (`read_of`), where that was hashed just now.
    """
    from tdtsql.files.row_hash import contents  # not above: who only reads a store needs no numpy

    places, known = owners(engine) if places is None else places, known or {}
    asked: dict[_Part, dict[int | str, str]] = {}
    for owner, names in wanted.items():
        column, number, *_ = places[owner]
        hashed = read_of(column) if owner in known else ()
        for part in _parts(column):
            if part.name not in hashed and (names is None or part.name in names):
                asked.setdefault(part, {})[owner if part.column == "owner" else number] = owner
    found: dict[str, Contents] = {owner: dict(known.get(owner, {})) for owner in wanted}
    for part, n_row in _filled(engine, asked).items():
        for key, rows in contents(
            engine, part.table, part.column, asked[part], leave_out=part.leave_out, where=part.where, most=n_row
        ).items():
            found[asked[part][key]][part.name] = list(rows)
    return {owner: dict(sorted(of_owner.items())) for owner, of_owner in found.items()}


def _filled(engine: Engine, asked: Mapping[_Part, Collection[int | str]]) -> dict[_Part, int]:
    """Return the parts of which one of their owners has rows, with the number of these."""
    there = {*stored_tables(engine, [part.table for part in asked])}
    parts = [part for part in asked if part.table in there]
    query = " union all ".join(
        f"select {number}, count(*) from {part.table} where {part.column} in "
        f"({', '.join(sql_literal(key) if isinstance(key, str) else str(key) for key in asked[part])}) and {part.where}"
        for number, part in enumerate(parts)
    )
    return {parts[number]: n_row for number, n_row in engine.rows(query) if n_row} if query else {}


def stored_tables(engine: Engine, names: Sequence[str]) -> list[str]:
    """Return those of some tables that a store has: a store without a task package lacks the tables of it."""
    of_packages = [name for name in names if name in package_entries("tables")]
    if not of_packages:
        return list(names)
    there = set(engine.column("select schema_name || '.' || table_name from duckdb_tables()"))
    return [name for name in names if name in there or name not in of_packages]


def profiles_of(engine: Engine) -> dict[str, str]:
    """Return the hash of each profile, by its id."""
    return dict(engine.rows(read_statement("verify/profile")))


def current_inputs(engine: Engine) -> dict[int, str]:
    """Return run_no -> hash of the current inputs of its numbers."""
    return dict(engine.rows(read_statement("verify/current_input"), {"following": following_runs()}))


def orphans(engine: Engine) -> list[str]:
    """Return a message for each table with orphans: rows whose owner is not loaded. One query checks all tables of a
    kind of owner.
    """
    found = []
    for column, parent in {**REGISTERED, "owner": f"({_OWNERS})"}.items():
        names = staged() if column == "owner" else stored_tables(engine, owned(column))
        names = [*names, *(["registry.current_input"] if column == "run_no" else [])]
        rows = " union all ".join(f"select '{name}' as name, {column} from {name}" for name in names)
        orphaned = f"from ({rows}) anti join {parent} using ({column}) group by all order by all"
        for name, owner, n_row in engine.rows(f"select name, {column}, count(*) {orphaned}"):
            of = (
                f"{owner}, which is not loaded"
                if column == "owner"
                else f"{column} {owner}, which {parent} does not have"
            )
            found.append(f"{name}: {counted(n_row, 'row')} of {of}.")
    return found
