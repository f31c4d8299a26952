"""Contents of a store by owner (a corpus, a condition, a run) and table, and of its profiles: hashes for the ledger.

All dependencies of a number, a name or an explanation belong to an owner or are a profile. A table without rows of an
owner is not listed, so that rows that appear in it later are detected.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers, sql_list, sql_literal
from tdtsql.errors import counted
from tdtsql.files.fingerprint import fingerprint
from tdtsql.definitions.catalogue import cached_definitions, filled_by, package_tables
from tdtsql.definitions.table import tables
from tdtsql.task import TASKS

#: tables with rows of one owner, by the column that identifies it
OWNED = {
    "corpus_no": """
        base.source_file base.story base.topic base.judgment
    """.split(),
    "condition_no": """
        base.subset base.block base.training_story base.segment base.segment_story base.test_segment
        base.subset_cell base.curve_request base.listed_pair base.labelled_story base.link_pair base.link_answer
        registry.condition_profile registry.excluded_topic base.event base.nugget base.known_update
        base.nugget_match base.first_emission base.condition_tau base.attribute base.true_value
        base.partition_item base.partition_gold_cluster base.partition_gold base.partition_document
        base.partition_window base.verification_segment base.verification_attribute base.verification_trial
        base.item_measure base.item base.item_attribute base.item_k base.item_of_measure base.item_baseline
        base.item_pass
    """.split(),
    "run_no": """
        registry.run_fact registry.withdrawal base.decision base.carried_threshold base.unlisted_document
        base.vertex base.vertex_edge base.vertex_list base.vertex_story base.vertex_travel base.travel_price
        base.expected_travel base.run_update base.run_event base.submitted_value base.value_distance
        base.partition_extra_item base.partition_extra_block base.partition_cluster base.partition_answer
        base.item_score base.run_attribute base.item_prompt
    """.split(),
}


def owned(column: str) -> tuple[str, ...]:
    """Return the tables that hold rows of one owner, those of task packages in use among them."""
    return (*OWNED[column], *(name for name, entry in package_tables().items() if column in entry["columns"]))


#: the table with one row for each owner
REGISTERED = {"corpus_no": "registry.corpus", "condition_no": "registry.condition", "run_no": "registry.run"}

#: recomputed whenever judgments are loaded: hashed apart from the rest of its row, so that the rest keeps its
#: recorded hash
PARTITION = "registry.condition.is_partition"

#: the parameters of a condition, apart from numbers and hashes of its row
SETTINGS = "registry.condition.settings"
_NO_SETTINGS = ("corpus_no", "base_condition_no", "content_sha256", "source_sha256", "is_partition")

#: subsets that were requested after their condition was loaded, apart from those loaded with it
PRODUCTS = "registry.condition.products"
_OF_SUBSETS = ("base.subset", "base.subset_cell", "base.curve_request")

#: rewritten after the owner was loaded: the labels with every change of the judgments, the paths with every change
#: of costs, first emissions with every run, carried thresholds with the runs they were fitted on, profiles whenever
#: a bundle selects others
LABELLED = ("base.labelled_story", PARTITION)
WALKS = ("base.vertex_story", "base.vertex_travel", "base.travel_price", "base.expected_travel")
CARRIED = ("base.carried_threshold",)
CHOSEN_PROFILES = ("registry.condition_profile",)
FACTS = ("registry.run_fact",)
#: written when a run is withdrawn or restored
WITHDRAWN = ("registry.withdrawal",)

#: to which commands add rows
ADDED_TO = (*CHOSEN_PROFILES, *FACTS, *WITHDRAWN)

_DERIVED = frozenset((*LABELLED, *WALKS, *CARRIED, PRODUCTS))


@cached_definitions
def following_runs() -> tuple[str, ...]:
    """Return the tables of conditions that follow from their runs, of all tasks in use."""
    return tuple(dict.fromkeys(table for task in TASKS.values() for table in filled_by(task.follows)))


def derived_tables() -> frozenset[str]:
    """Return the tables that follow from other rows: `audit.derived` computes them again."""
    return _DERIVED | {*following_runs()}


def rewritten() -> frozenset[str]:
    """Return all that a ``content`` entry of the ledger may be about: what commands rewrite after the load."""
    return derived_tables() | {*ADDED_TO}


#: what was read of a run, without anything derived from it or added by options
READ_OF_RUN = tuple(name for name in OWNED["run_no"] if name not in (*WALKS, *CARRIED, *FACTS, *WITHDRAWN))


def read_of(column: str) -> tuple[str, ...]:
    """Return the contents that content_sha256 of an owner covers."""
    if column == "run_no":
        return (*READ_OF_RUN, *(name for name in owned(column) if name in package_tables()))
    later = rewritten()
    settings = (SETTINGS,) if column == "condition_no" else ()
    return (*settings, *(name for name in owned(column) if name not in later))


#: kind of a subset that was asked for, and not loaded with its condition
PRODUCT = "product"

#: number of rows and hash of them, by table
Contents = dict[str, list]

#: tables that count where they have rows, so that the hashes of all else are those of earlier versions
_NEW = ("base.run_attribute", "base.item_prompt")
#: of a table without rows
NOTHING = [0, ""]

_OWNERS = """
    select 'corpus:' || corpus_id as owner, 'corpus_no' as kind, corpus_no as number from registry.corpus
    union all select 'condition:' || condition_id, 'condition_no', condition_no from registry.condition
    union all select 'run:' || condition.condition_id || '/' || run.run_id, 'run_no', run.run_no
    from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no"""


@cache
def staged() -> tuple[str, ...]:
    """Return the tables of rows as found in the files."""
    return tuple(name for name in tables() if name.startswith("staging."))


def owners(engine: Engine) -> dict[str, tuple[str, int]]:
    """Return owner -> (column that names it, number) of everything that is loaded."""
    return {owner: (kind, number) for owner, kind, number in engine.rows(f"{_OWNERS} order by all")}


def registered_hashes(engine: Engine) -> dict[str, tuple[str, str]]:
    """Return owner -> (its own name, content_sha256) as the registry has them."""
    return {
        owner: (name, sha256)
        for owner, name, sha256 in engine.rows("""
        select 'corpus:' || corpus_id, corpus_id, content_sha256 from registry.corpus
        union all select 'condition:' || condition_id, condition_id, content_sha256 from registry.condition
        union all select 'run:' || condition.condition_id || '/' || run.run_id, run.run_id, run.content_sha256
        from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no""")
    }


def owner_of(engine: Engine, column: str, number: int) -> str:
    """Return the owner of a number of this column: ``corpus:ID``, ``condition:ID``, ``run:CONDITION/ID``."""
    return engine.value(f"select owner from ({_OWNERS}) where kind = ? and number = ?", [column, number])


def place_of(engine: Engine, owner: str) -> tuple[str, int]:
    """Return (column that names it, number) of an owner that is loaded."""
    [place] = engine.rows(f"select kind, number from ({_OWNERS}) where owner = ?", [owner])
    return place


def owner_hash(column: str, name: str, contents: Contents) -> str:
    """Return content_sha256 of an owner: of its name and of the rows that were read for it, in any number of files or
    frames. Derived rows do not count.

    Args:
        column: the column that numbers such owners.
        name: its id.
    """
    counted = [name for name in read_of(column) if name not in _NEW or name in contents]
    return fingerprint(name, *(str(part) for table in counted for part in (table, *contents.get(table, NOTHING))))


def contents_of(
    engine: Engine,
    owner: str,
    place: tuple[str, int],
    only: Collection[str] | None = None,
    known: Contents | None = None,
) -> Contents:
    """Return the contents of the tables of an owner, without empty ones.

    Args:
        place: the column that identifies the owner, and its number.
        only: the tables to hash; None: all that can have rows of it.
        known: what these tables hold of what was read (`read_of`), where it was hashed just now.
    """
    from tdtsql.intake.content import content  # not above: who only reads a store needs no numpy

    column, number = place
    if column == "run_no":
        return contents_of_runs(engine, [number], only, None if known is None else {number: known})[number]
    tables_of = _tables_of(engine, column)
    chosen = [name for name in tables_of if only is None or name in only]
    where = {column: f"{column} = {number}", "owner": f"owner = {sql_literal(owner)}"}
    read = read_of(column)
    asked = {name: where[tables_of[name]] for name in chosen if known is None or name not in read}
    there = _filled(engine, asked)
    there += [name for name in known or () if name in chosen and name in read]
    found: Contents = {}
    for name in sorted(there):
        found[name] = (
            known[name]
            if known and name in known
            else list(
                content(
                    engine,
                    name,
                    {tables_of[name]: owner if tables_of[name] == "owner" else number},
                    leave_out=("is_partition",) if name == "registry.condition" else (),
                    where=f"not {_products(number)}" if name in _OF_SUBSETS else "true",
                )
            )
        )
    if column != "condition_no":
        return found
    # a setting of later versions counts where it is made, so that the hashes of all else stay
    has_subsets = engine.value(f"select count(subsets) from registry.condition where {where[column]}")
    of_row: dict[str, dict[str, Any]] = {
        PARTITION: {"columns": ["is_partition"]},
        SETTINGS: {"leave_out": _NO_SETTINGS if has_subsets else (*_NO_SETTINGS, "subsets")},
    }
    for name, which in of_row.items():
        if only is None or name in only:
            found[name] = list(content(engine, "registry.condition", {column: number}, **which))
    if (only is None or PRODUCTS in only) and engine.rows(
        "select 1 from base.subset where condition_no = ? and kind = ? limit 1", [number, PRODUCT]
    ):
        parts = [content(engine, name, {column: number}, where=_products(number)) for name in _OF_SUBSETS]
        found[PRODUCTS] = [parts[0].n_row, fingerprint(*(str(value) for part in parts for value in part))]
    return found


def contents_of_runs(
    engine: Engine,
    run_nos: Collection[int],
    only: Collection[str] | None = None,
    known: Mapping[int, Contents] | None = None,
) -> dict[int, Contents]:
    """Return run -> contents of its tables, without empty ones, with one query for each table.

    Args:
        only, known: as in `contents_of`.
    """
    from tdtsql.intake.content import contents  # not above: who only reads a store needs no numpy

    if not run_nos:
        return {}
    asked = {
        name: f"run_no in ({sql_list(run_nos)})"
        for name in _tables_of(engine, "run_no")
        if (only is None or name in only) and (known is None or name not in READ_OF_RUN)
    }
    rows: dict[int, Contents] = {run_no: {} for run_no in run_nos}
    for run_no, tables_of_run in (known or {}).items():
        rows[run_no] |= {name: rows_of for name, rows_of in tables_of_run.items() if only is None or name in only}
    for name in _filled(engine, asked):
        for run_no, of_table in contents(engine, name, "run_no", run_nos).items():
            rows[run_no][name] = list(of_table)
    return {run_no: dict(sorted(of_run.items())) for run_no, of_run in rows.items()}


def _filled(engine: Engine, asked: Mapping[str, str]) -> list[str]:
    """Return the tables that have rows for which their condition holds."""
    query = " union all ".join(f"(select '{name}' from {name} where {where} limit 1)" for name, where in asked.items())
    return engine.column(query) if query else []


def _products(condition_no: int) -> str:
    """Return the condition on rows of subsets that they are of products."""
    return (
        f"subset_no in (select subset_no from base.subset where condition_no = {int(condition_no)} "
        f"and kind = {sql_literal(PRODUCT)})"
    )


def _tables_of(engine: Engine, column: str) -> dict[str, str]:
    """Return the tables that can have rows of an owner, each with its column for that."""
    numbered = [*stored_tables(engine, owned(column)), REGISTERED[column]]
    return dict.fromkeys(numbered, column) | (dict.fromkeys(staged(), "owner") if column != "run_no" else {})


def stored_tables(engine: Engine, names: Sequence[str]) -> list[str]:
    """Return those of some tables that a store has: a store without a task package lacks the tables of it."""
    of_packages = [name for name in names if name in package_tables()]
    if not of_packages:
        return list(names)
    there = set(engine.column("select schema_name || '.' || table_name from duckdb_tables()"))
    return [name for name in names if name in there or name not in of_packages]


def profiles_of(engine: Engine) -> dict[str, str]:
    """Return the hash of each profile's row, by its id, of all in one query: every load of a bundle needs them."""
    names = ["profile_id", *(name for name in tables()["registry.profile"].columns if name != "profile_id")]
    said: dict[str, list[str]] = {}
    for profile_id, *values in engine.rows(f"select {sql_identifiers(names)} from registry.profile order by all"):
        said.setdefault(profile_id, []).append(repr(tuple(values)))
    for profile_id, *values in engine.rows(
        """select profile_id, name, value from registry.profile_value join registry.profile using (profile_no)
        order by all"""
    ):
        said[profile_id].append(repr(tuple(values)))
    return {profile_id: fingerprint(*names, *rows) for profile_id, rows in said.items()}


def current_inputs(engine: Engine) -> dict[int, str]:
    """Return run_no -> hash of the current inputs of its numbers: the run, its condition, its corpus, runs that
    it depends on.
    """
    rows = engine.rows(
        "select run.run_no, run.content_sha256, condition.content_sha256, condition.task, condition.condition_no, "
        "corpus.content_sha256 from registry.run as run "
        "join registry.condition as condition on condition.condition_no = run.condition_no "
        "join registry.corpus as corpus on corpus.corpus_no = condition.corpus_no order by run.run_no"
    )
    peers: dict[int, list[str]] = {}
    for condition_no, task in sorted({(row[4], row[3]) for row in rows}):
        if task in TASKS and not TASKS[task].is_scored_together:
            peers.update(_followed(engine, condition_no, task))
    for _, run, _, task, condition_no, _ in rows:
        # a latency fix computes its earliest times from all runs of the condition
        if task in TASKS and TASKS[task].is_scored_together:
            peers.setdefault(condition_no, []).append(run)
    asked: dict[int, list[str]] = {}  # on these too runs have numbers
    for condition_no, subset in engine.rows(
        "select condition_no, subset from base.subset where kind = ? order by all", [PRODUCT]
    ):
        asked.setdefault(condition_no, []).append(subset)
    own: dict[str, list[str]] = {}  # user-defined metrics, by task
    for tasks, sha256 in engine.rows("select tasks, closure_sha256 from registry.own_metric order by name, version"):
        for task in tasks.split():
            own.setdefault(task, []).append(sha256)
    carried: dict[int, list[str]] = {}
    for run_no, sha256 in engine.rows("select run_no, source_sha256 from ledger.carried_source order by all"):
        carried.setdefault(run_no, []).append(sha256)
    return {
        row[0]: fingerprint(
            row[1],
            row[2],
            row[5],
            *sorted(peers.get(row[4], [])),
            *asked.get(row[4], []),
            *carried.get(row[0], []),
            *own.get(row[3], []),
        )
        for row in rows
    }


def _followed(engine: Engine, condition_no: int, task: str) -> dict[int, list[str]]:
    """Return condition_no -> hashes of what follows from its runs, where their numbers follow from it."""
    if not TASKS[task].follows:
        return {}
    from tdtsql.intake.content import content  # not above: who only reads a store needs no numpy

    return {
        condition_no: [
            content(engine, table, {"condition_no": condition_no}).sha256 for table in filled_by(TASKS[task].follows)
        ]
    }


def orphans(engine: Engine) -> list[str]:
    """Return a message for each table with orphans: rows whose owner is not loaded. One query checks all tables of a
    kind of owner.
    """
    found = []
    for column, parent in REGISTERED.items():
        names = (*stored_tables(engine, owned(column)), *(("registry.current_input",) if column == "run_no" else ()))
        rows = " union all ".join(f"select '{name}' as name, {column} as number from {name}" for name in names)
        found += [
            f"{name}: {counted(n_row, 'row')} of {column} {number}, which {parent} does not have."
            for name, number, n_row in engine.rows(
                f"select child.name, child.number, count(*) from ({rows}) as child anti join {parent} as parent on "
                f"parent.{column} = child.number group by all order by all"
            )
        ]
    rows = " union all ".join(f"select '{name}' as name, owner from {name}" for name in staged())
    found += [
        f"{name}: {counted(n_row, 'row')} of {owner}, which is not loaded."
        for name, owner, n_row in engine.rows(
            f"select name, owner, count(*) from ({rows}) where owner not in (select owner from ({_OWNERS})) group by "
            f"all order by all"
        )
    ]
    return found
