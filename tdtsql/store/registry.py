"""The registry: numbers of corpora, conditions, profiles and runs, and their removal."""

from collections.abc import Sequence
from tdtsql.engine.duckdb import OWN_SCHEMA, SCHEMAS, Engine
from tdtsql.definitions.catalogue import package_entries
from tdtsql.engine.quoting import sql_list, sql_literal
from tdtsql.errors import Names, UnknownName, check_known, unknown_name_error
from tdtsql.definitions.create import table_comments
from tdtsql.definitions.table import tables
from tdtsql.store.contents import (
    CARRIED,
    CHOSEN_PROFILES,
    REGISTERED,
    current_inputs,
    following_runs,
    owned,
    owner_of,
    stored_tables,
)
from tdtsql.store.derived import forget_runs, refresh
from tdtsql.store.recording import append, forget_inputs, note, record
from tdtsql.task import TASKS, WEIGHTINGS


def delete_results(engine: Engine, where: str) -> list[int]:
    """Remove the results of the computations of which a condition holds, and the comparisons that rest on them; the
    numbers of subset ``all`` become past ones. Returns the computations.
    """
    numbers = engine.column(f"select computation_no from ledger.computation where {where} order by 1")
    if not numbers:
        return []
    listed = sql_list(numbers)
    engine.execute(
        f"""insert into ledger.past_score
        select computation_no, condition_id, run_id, profile_id, metric, weighting, value, n, score.version, null_reason
        from ledger.result_score as score join ledger.computation using (computation_no)
        join registry.run using (run_no) join registry.condition using (condition_no)
        join registry.profile using (profile_no)
        where subset_no = 0 and computation_no in ({listed}) order by all"""
    )
    for name in tables():
        if name.startswith("ledger.result_"):
            columns = [column for column in tables()[name].columns if column.endswith("computation_no")]
            engine.execute(f"delete from {name} where {' or '.join(f'{column} in ({listed})' for column in columns)}")
    return numbers


def forget_computations(engine: Engine, where: str) -> None:
    """Remove the computations of which a condition holds, with their results."""
    if numbers := delete_results(engine, where):
        engine.execute(f"delete from ledger.computation where computation_no in ({sql_list(numbers)})")


def next_number(engine: Engine, table: str, column: str) -> int:
    """Return one more than the highest number in use."""
    return (engine.value(f"select max({column}) from {table}") or 0) + 1


def drop(engine: Engine, column: str, number: int) -> None:
    """Remove a corpus with its conditions, a condition with its runs, or a run with its decisions and results, by the
    column that numbers it; what was done stays in the ledger.
    """
    owner, part = owner_of(engine, column, number), {"corpus_no": "condition_no", "condition_no": "run_no"}
    if column in part:
        name = part[column]
        for one in engine.column(f"select {name} from {REGISTERED[name]} where {column} = ? order by 1", [number]):
            drop(engine, name, one)
        from tdtsql.files.staging import unstage

        unstage(engine, owner)
    drop_owned(engine, column, number)
    if column == "run_no":
        forget_results(engine, number)
    forget_inputs(engine, [owner])
    engine.execute(f"delete from {REGISTERED[column]} where {column} = ?", [number])
    engine.noted.pop(owner, None)
    append(engine, ("drop", owner, {}))


def forget_results(engine: Engine, run_no: int) -> None:
    """Remove what was computed of a run."""
    forget_computations(engine, f"run_no = {int(run_no)}")
    engine.execute("delete from registry.current_input where run_no = ?", [run_no])


def _runs_called(engine: Engine, run_id: str, condition_id: str | None) -> list[tuple[int, int, str, str]]:
    """Return (run_no, condition_no, condition, task) of the runs called ``run_id``, in every condition or in one.

    Raises:
        UnknownName: no such run; the message lists the existing ones.
    """
    found = engine.rows(
        """select run_no, condition_no, condition_id, task from registry.run join registry.condition
        using (condition_no) where run_id = $run and condition_id = coalesce($condition, condition_id) order by all""",
        {"run": run_id, "condition": condition_id},
    )
    if not found:
        names = sorted(set(engine.column("select run_id from registry.run")))
        known = f"{', '.join(names[:10])}{' ...' if len(names) > 10 else ''}" if names else "no runs"
        raise UnknownName(f"run '{run_id}' is not in the store. The store has {known}.")
    return found


def run_numbers(engine: Engine, run_id: str, condition_id: str | None = None) -> list[int]:
    """Return the numbers of the runs called ``run_id``, in every condition or in one.

    Raises:
        UnknownName: no such run; the message lists the existing ones.
    """
    return [run_no for run_no, *_ in _runs_called(engine, run_id, condition_id)]


def one_run(engine: Engine, run_id: str, condition_id: str | None = None) -> tuple[int, int, str, str]:
    """Return (run_no, condition_no, condition, task) of a run.

    Raises:
        UnknownName: no such run, or several conditions have one of this name.
    """
    found = _runs_called(engine, run_id, condition_id)
    if len(found) > 1:
        where = ", ".join(condition for _, _, condition, _ in sorted(found, key=lambda row: row[1]))
        raise UnknownName(f"run '{run_id}' is in several conditions: {where}. Choose one with --condition.")
    return found[0]


def profiles_of_condition(engine: Engine, condition_no: int, profile: str | None = None) -> list[tuple[int, str]]:
    """Return (profile_no, profile) of the profiles of a condition, or of the one called ``profile``.

    Raises:
        UnknownName: the condition is not scored under it.
    """
    found = engine.rows(
        """select profile_no, profile_id from registry.condition_profile join registry.profile using (profile_no)
        where condition_no = $condition and profile_id = coalesce($profile, profile_id) order by 1""",
        {"condition": condition_no, "profile": profile},
    )
    if not found:
        name = owner_of(engine, "condition_no", condition_no).removeprefix("condition:")
        raise UnknownName(f"condition '{name}' is not scored under profile '{profile}'.")
    return found


def subset_numbers(engine: Engine, condition_no: int) -> dict[str, int]:
    """Return subset -> number of a condition."""
    return dict(
        engine.rows(
            "select subset, subset_no from base.subset where condition_no = ? order by subset_no", [condition_no]
        )
    )


def subset_number(engine: Engine, condition_no: int, subset: str) -> int:
    """Return the number of a subset of a condition.

    Raises:
        UnknownName: the condition does not have it.
    """
    number = subset_numbers(engine, condition_no).get(subset)
    if number is None:
        check_name(engine, "subset", subset)
        raise UnknownName(f"subset '{subset}' is not one of this condition's.")
    return number


def schema_rows(engine: Engine, name: str | None) -> tuple[list[str], list[tuple]]:
    """Return columns and rows: the relations of the store or of schema ``name``, or the columns of relation ``name``.

    Raises:
        UnknownName: no such schema or relation.
    """
    # most requested first: printed numbers, then their computation, then loaded data
    order = list(dict.fromkeys(("report", "metric", "registry", *SCHEMAS)))
    relations = """
        select schema_name, schema_name || '.' || table_name as relation, 'table' as kind, comment from duckdb_tables()
        where not internal
        union all
        select schema_name, schema_name || '.' || view_name, 'view', comment from duckdb_views() where not internal"""
    if name is None or name in order:
        # a view without its version is the newest: that one is listed once
        found = engine.relation(f"""
            with here as ({relations})
            select relation, kind, regexp_extract(comment, '^(.*?)([.] Source: .*)?$', 1) as comment from here
            where list_contains({order if name is None else [name]}, schema_name)
                and not (regexp_matches(relation, '__v[0-9]+$') and comment in (
                    select newest.comment from here as newest
                    where newest.relation = regexp_replace(here.relation, '__v[0-9]+$', '')))
            order by list_position({order}, schema_name), relation""")
    else:
        names = engine.column(f"select relation from ({relations}) order by relation")
        check_known("relation", name, names)
        found = engine.relation(f"""
            select column_name as "column", data_type as type, comment from duckdb_columns()
            where schema_name || '.' || table_name = {sql_literal(name)} order by column_index""")
    return found.columns, found.fetchall()


def users_relations(engine: Engine) -> list[tuple[str, str, str]]:
    """Return (table or view, schema, name) of the relations that users have created in a store: archives, copies and
    exports omit them.
    """
    of_packages = dict.fromkeys(name.split(".")[0] for name in package_entries("tables"))
    schemas = ", ".join(f"'{name}'" for name in (*SCHEMAS, *of_packages))
    return engine.rows(f"""
        select 'table', schema_name, table_name from duckdb_tables()
        where not internal and not temporary and not schema_name in ({schemas})
        union all select 'view', schema_name, view_name from duckdb_views()
        where not internal and not temporary and not schema_name in ({schemas})
        and not (schema_name = '{OWN_SCHEMA}' and view_name in (
            select unnest([name, name || '__v' || version]) from registry.own_metric))""")


#: what has a name in a store -> its names; ``runs`` are RUN or CONDITION/RUN
NAMES = {
    "run_id": "select run_id from registry.run",
    "profile_id": "select profile_id from registry.profile",
    "condition_id": "select condition_id from registry.condition",
    "corpus_id": "select corpus_id from registry.corpus",
    "subset": "select subset from base.subset union select 'all'",
    "metric": "select metric from registry.metric",
    "weighting": f"select unnest({list(WEIGHTINGS)})",
    "topic": "select block_id from base.block union select topic_id from base.topic",
    "story": "select story_id from base.story union select id_1 from base.link_pair union select id_2 from "
    "base.link_pair",
    "attribute": "select attribute from base.verification_attribute",
    "runs": "select run_id from registry.run union select condition_id || '/' || run_id from registry.run join "
    "registry.condition using (condition_no)",
}


def check_name(engine: Engine, column: str, value: str | None) -> None:
    """Raise UnknownName unless ``value`` is None or one of the existing values of ``column``, one of `NAMES`."""
    if value is None or engine.rows(f"select 1 from ({NAMES[column]}) as known(name) where name = ? limit 1", [value]):
        return
    names = sorted(set(engine.column(NAMES[column])))
    if column == "subset" and value.endswith("=-"):
        said = "`-` in a key of trials is a value only where both classes have it and others."
        raise UnknownName(f"subset '{value}' is unknown. {said}")
    if column == "subset" and engine.read_only and {*value.split(",")} <= {*names}:
        raise UnknownName(
            f"subset '{value}' was not requested before, and the store is read-only. Request it in a writable store."
        )
    raise unknown_name_error("run" if column == "runs" else column.removesuffix("_id"), value, names)


def check_names(engine: Engine, **columns: Names) -> None:
    """Raise UnknownName unless all names of each column exist; None, and no names, are fine."""
    for column, names in columns.items():
        for name in [names] if names is None or isinstance(names, str) else names:
            check_name(engine, column, name)


def choose_profiles(engine: Engine, owner: str, condition_no: int, profile_nos: Sequence[int]) -> None:
    """Set the profiles of the runs of a condition; writes rows and their hash only where they change."""
    profile_nos = [*dict.fromkeys(profile_nos)]
    before = engine.rows(
        "select profile_no from registry.condition_profile where condition_no = ? order by 1", [condition_no]
    )
    if before != [(number,) for number in sorted(profile_nos)]:
        if before:
            engine.execute("delete from registry.condition_profile where condition_no = ?", [condition_no])
            runs = f"run_no in (select run_no from registry.run where condition_no = {int(condition_no)})"
            forget_computations(engine, f"{runs} and profile_no not in ({sql_list(profile_nos)})")
        engine.insert(
            "registry.condition_profile", {"condition_no": [condition_no] * len(profile_nos), "profile_no": profile_nos}
        )
    note(engine, owner, CHOSEN_PROFILES)


def refresh_current_inputs(engine: Engine) -> None:
    """Record what the transaction noted, and the hash of the current inputs of every run's numbers."""
    record(engine)
    _drop_outdated_thresholds(engine)
    now = current_inputs(engine)
    before = dict(engine.rows("select run_no, sha256 from registry.current_input"))
    if now == before:
        return
    changed = [run_no for run_no, sha256 in now.items() if before.get(run_no) != sha256]
    following = [name for name, task in TASKS.items() if task.follows]
    for condition_no, task in engine.rows(
        """select condition_no, task from registry.condition where list_contains($tasks, task)
        and ($dropped or condition_no in (select condition_no from registry.run where list_contains($runs, run_no)))
        order by 1""",
        {"tasks": following, "runs": changed, "dropped": not before.keys() <= now.keys()},
    ):
        forget_runs(engine, task, condition_no)
        for name in TASKS[task].follows:
            refresh(engine, f"derived.{name}", [condition_no])
        note(engine, owner_of(engine, "condition_no", condition_no), following_runs())
    if engine.noted:
        record(engine)
        now = current_inputs(engine)
    if before:
        engine.execute("delete from registry.current_input")
    engine.insert_rows("registry.current_input", ("run_no", "sha256"), [*now.items()])
    if before:
        _drop_deleted_rows(engine)


def _drop_deleted_rows(engine: Engine) -> None:
    """Rewrite those tables of the registry that have half as many deleted rows as others, or more.

    The engine plans with the number of rows of a table, including deleted ones, and small tables retain these. Each
    lookup table of trials multiplies the estimate, until decisions of all topics are read to find those of one.
    """
    held = dict(
        engine.rows(
            "select 'registry.' || table_name, estimated_size from duckdb_tables() where schema_name = 'registry' and "
            "database_name = current_database()"
        )
    )
    there = engine.rows(
        " union all ".join(f"select '{name}', count(*) from {name}" for name in tables() if name in held)
    )
    for name, n_row in there:
        if held[name] > 1.5 * n_row:
            table = tables()[name]
            engine.execute(f"create or replace temp table written_anew as select * from {name}")
            engine.execute_all([f"drop table {name}", table.statement, *table_comments(table)])
            engine.execute(f"insert into {name} by name select * from written_anew")
            engine.execute("drop table written_anew")


def _drop_outdated_thresholds(engine: Engine) -> None:
    """Delete the thresholds that were fitted on deleted or changed inputs, so that no decision uses them; scoring
    fits them again.
    """
    if not engine.rows("select 1 from base.carried_threshold limit 1"):
        return
    outdated = engine.rows("""
        select kept.run_no, kept.profile_no, 'run:' || condition.condition_id || '/' || run.run_id
        from base.carried_threshold as kept
        join registry.run as run using (run_no)
        join registry.condition as condition using (condition_no)
        anti join ledger.carried_source as source
            on source.run_no = kept.run_no and source.profile_no = kept.profile_no
            and source.made_from = kept.made_from
        order by all""")
    for run_no, profile_no, owner in outdated:
        engine.execute("delete from base.carried_threshold where run_no = ? and profile_no = ?", [run_no, profile_no])
        note(engine, owner, CARRIED)
    record(engine)


def drop_owned(engine: Engine, column: str, number: int) -> None:
    for table in stored_tables(engine, owned(column)):
        engine.execute(f"delete from {table} where {column} = ?", [number])
