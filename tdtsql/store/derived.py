"""Tables and columns that follow from what was loaded, by ``sql/derived``: written again by one step."""

from collections.abc import Iterable, Mapping

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.definitions.catalogue import derived, load_file
from tdtsql.definitions.table import tables
from tdtsql.store.contents import LABELLED, owner_of
from tdtsql.store.recording import note, note_load
from tdtsql.task import TASKS

#: values of an attribute that become subsets: one with more names items, not groups of them
MOST_VALUES = 40


def rows_of(name: str, numbers: Iterable[int] | None = None, instead: Mapping[str, str] | None = None) -> str:
    """Return the SELECT of a derived table or column as the tables are now; of some owners, or of all.

    Args:
        instead: view that it reads -> relation with the rows to use.
    """
    relation = derived()[name]
    if numbers is None:
        return relation.body
    owner = relation.header.fields["owner"]
    chosen = f"{owner} in ({sql_list(numbers)})"
    narrowed = {
        table: f"(select * from {table} where {chosen})"
        for table in relation.header.inputs
        if table in tables() and owner in tables()[table].columns
    }
    narrowed |= instead or {}
    return f"select * from ({relation.reading(narrowed)}) where {chosen}"


def refresh(engine: Engine, name: str, numbers: Iterable[int], instead: Mapping[str, str] | None = None) -> None:
    """Refresh the rows that a definition fills for some owners: the rows of a table, or a column of their rows.

    Runs in the caller's transaction; who refreshes records the hash of the owner.
    """
    numbers = list(numbers)
    relation = derived()[name]
    owner, target = relation.header.fields["owner"], relation.header.fields["fills"]
    if target in tables():
        engine.execute(f"delete from {target} where {owner} in ({sql_list(numbers)})")
        engine.execute(f"insert into {target} by name {rows_of(name, numbers, instead)} order by all")
    else:
        table, column = target.rsplit(".", 1)
        short = table.split(".")[1]
        engine.execute(
            f"""update {table} set {column} = made.{column} from ({rows_of(name, numbers)}) as made
            where made.{owner} = {short}.{owner}"""
        )


def forget_runs(engine: Engine, task: str, condition_no: int) -> None:
    """Delete what a condition has from runs that it no longer has, or that no longer give it."""
    from tdtsql.files.checks import execute

    if load_file(f"{task}/forget").is_file() and execute(engine, f"{task}/forget", {"condition": condition_no}):
        place_items(engine, task, condition_no)
        note_load(engine, owner_of(engine, "condition_no", condition_no))


def place_items(engine: Engine, task: str, condition_no: int) -> None:
    """Make the groups, clusters and subsets of the items of a condition again."""
    from tdtsql.files.checks import execute

    execute(engine, f"{task}/subsets", {"condition": condition_no, "most_values": MOST_VALUES})


def build_labelled_story(engine: Engine, condition_nos: Iterable[int]) -> None:
    """Refresh the labels of the stories of these conditions."""
    numbers = [int(number) for number in condition_nos]
    refresh(engine, "derived.labelled_story", numbers)
    refresh(engine, "derived.condition_is_partition", numbers)
    for [owner] in engine.rows(
        f"""select 'condition:' || condition_id from registry.condition where condition_no in
        ({sql_list(numbers)}) order by condition_no"""
    ):
        note(engine, owner, LABELLED)


def compute_run_flags(engine: Engine, runs: Mapping[str, Iterable[int]]) -> None:
    """Refresh the flags of runs that derive from their decisions; those of other tasks, maybe millions, are not read.

    Args:
        runs: task -> numbers of its runs.
    """
    for name, is_of in (
        ("derived.run_has_decision", lambda task: task.is_detection),
        ("derived.run_is_partition", lambda task: task.may_be_partition),
    ):
        if numbers := [number for task, own in runs.items() if is_of(TASKS[task]) for number in own]:
            refresh(engine, name, numbers)
