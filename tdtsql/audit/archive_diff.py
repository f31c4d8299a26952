"""Differences between two archives, and their causes.

Archives are compared by their contents: names, hashes, values. The cause of a different number is its run, its
condition (corpus, judgments, parameters), the profile, the definitions of its task, or the versions of the programs;
all causes are listed. Either archive may be public, and of any release whose archives have the same tables.

Both are loaded into one database in memory: each table has the rows of both, with a column ``side``, old or new.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from tdtsql.audit.container import check_rows, read
from tdtsql.audit.release import read_release
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import InvalidArchive
from tdtsql.definitions.table import tables
from tdtsql.task import TASKS

COLUMNS = ("what", "name", "change", "because")
NUMBER_COLUMNS = (
    "condition_id",
    "run_id",
    "profile_id",
    "subset",
    "weighting",
    "block_id",
    "metric",
    "old",
    "new",
    "because",
)

_VERSIONS = ("tdtsql", "duckdb", "python", "numpy", "libc", "machine", "system")

#: columns of a condition that are no parameters of it
_NO_SETTINGS = "condition_no, corpus_no, base_condition_no, content_sha256, source_sha256, is_partition"

#: tables that are compared in SQL, each with the columns that are read
_TABLES = {
    "registry.definition": "relation token_sha256 closure_sha256",
    "registry.task_definition": "task sha256",
    "registry.corpus": "corpus_no corpus_id content_sha256",
    "registry.condition": "condition_no condition_id task content_sha256 corpus_no base_condition_no",
    "registry.run": "run_no condition_no run_id content_sha256 n_row",
    "registry.withdrawal": "run_no reason",
    "registry.excluded_topic": "condition_no topic_id reason",
    "registry.input_file": "owner path sha256",
    "ledger.entry": "subject detail",
    "base.block": "condition_no block_id",
    "base.judgment": "corpus_no judgment_set topic_no story_no label",
    "base.topic": "corpus_no topic_no topic_id",
    "base.story": "corpus_no story_no story_id",
}

_CREATE = """
    create table number (side varchar, condition varchar, run varchar, profile varchar, subset varchar,
        weighting varchar, block varchar, metric varchar, value double);
    create table task_word (task varchar, word varchar, primary_metric varchar);
    create table other_profile (name varchar);
    create table other_version (name varchar)"""


#: names for numbers, and runs under the name that they have in the new archive: a run is renamed where the same rows
#: have another name in the same condition
_NAMED = """
    create table condition_hash as
    select side, condition_no, condition_id, task,
        sha256(concat('64:', corpus.content_sha256, '64:', condition.content_sha256)) as sha256 -- as in signatures
    from condition join corpus using (side, corpus_no);
    create table named_run as
    select run.side, condition_id, run_id, run.content_sha256 as sha256, n_row, reason, files.paths, files.hashes,
        loaded.rows_of, run_id as old_id
    from run join condition using (side, condition_no)
    -- under a second judgment set the runs are those of the condition itself
    left join (select side, condition_no as base_condition_no, condition_id as base_id from condition) as base
        using (side, base_condition_no)
    left join withdrawal using (side, run_no)
    left join (
        select side, owner, list(path order by path) as paths, list(sha256 order by sha256) as hashes
        from input_file group by all
    ) as files on files.side = run.side and files.owner = 'run:' || base_id || '/' || run_id
    left join (
        select side, subject, list(loaded.key || loaded.value order by loaded.key) as rows_of
        from entry, json_each(entry.detail, '$.tables') as loaded where starts_with(loaded.key, 'base.') group by all
    ) as loaded on loaded.side = run.side and loaded.subject = 'run:' || base_id || '/' || run_id;
    create table renamed as
    select condition_id, gone.run_id as old_id, twin.run_id as new_id, twin.sha256
    from (from named_run anti join (from named_run where side = 'new') as other using (condition_id, run_id)
        where side = 'old') as gone
    join (from named_run anti join (from named_run where side = 'old') as other using (condition_id, run_id)
        where side = 'new') as twin using (condition_id, rows_of)
    qualify count(*) over (partition by condition_id, gone.run_id) = 1
        and row_number() over (partition by condition_id, twin.run_id order by gone.run_id) = 1;
    update named_run set run_id = new_id, sha256 = renamed.sha256 from renamed -- the hash of a run covers its name
        where side = 'old' and named_run.condition_id = renamed.condition_id and named_run.run_id = renamed.old_id;
    update number set run = new_id from renamed
        where side = 'old' and condition = renamed.condition_id and number.run = renamed.old_id;
    create view both_runs as
    select coalesce(before.condition_id, now.condition_id) as condition_id,
        coalesce(before.run_id, now.run_id) as run_id, before, now
    from (from named_run where side = 'old') as before full join (from named_run where side = 'new') as now
        on now.condition_id = before.condition_id and now.run_id = before.run_id;
    create view both_numbers as
    select condition as condition_id, run as run_id, profile, subset, weighting, block, metric,
        max(value) filter (side = 'old') as before, max(value) filter (side = 'new') as now,
        count(distinct side) < 2 or before is distinct from now as is_other
    from number group by all;
    create view other_hash as
    select what, name, max(sha256) filter (side = 'old') as before, max(sha256) filter (side = 'new') as now,
        case when before is null then 'added' when now is null then 'removed'
            else format('changed ({} -> {})', before[:8], now[:8]) end as change
    from (
        select side, 'definition' as what, relation as name, token_sha256 as sha256 from definition
        union all select side, 'closure', relation, closure_sha256 from definition
        union all select side, 'task', task, sha256 from task_definition
        union all select side, 'corpus', corpus_id, content_sha256 from corpus
        union all select side, 'condition', condition_id, sha256 from condition_hash
    ) group by what, name having before is distinct from now;
    create view block_word as
    select condition_id, word, primary_metric from condition_hash join task_word using (task) where side = 'new';
    create view cause as
    select condition_id, run_id, profile, case
        when before.run_id is null then 'the run is not in the old archive'
        when now.run_id is null then 'the run is not in the new archive'
        else coalesce(
            nullif(concat_ws(', ', case when before.sha256 <> now.sha256 then 'run' end,
                case when condition_id in (select name from other_hash where what = 'condition')
                    then 'condition or judgments' end,
                case when profile in (select name from other_profile) then 'profile' end,
                case when task in (select name from other_hash where what = 'task') then 'definitions' end), ''),
            (select 'versions' from other_version where name in ('tdtsql', 'duckdb') limit 1),
            'other runs of the condition (' || others.listed || ')',
            'it was requested in one of them only') end as because
    from (select distinct condition as condition_id, run as run_id, profile from number) as asked
        join both_runs using (condition_id, run_id)
        left join (from condition_hash where side = 'new') as condition using (condition_id)
        left join (
            select condition_id, array_to_string(list(run_id order by run_id)[:3], ', ') as listed
            from both_runs where before.sha256 is distinct from now.sha256 group by condition_id
        ) as others using (condition_id)"""

#: views of both archives that read one which changed
_INDIRECT = """
    select 'definition', count(*) || ' views', 'read one that changed', (
        select coalesce(array_to_string(list(name order by name)[:3], ', '), '')
        from other_hash where what = 'definition')
    from other_hash where what = 'closure' and change like 'changed%'
        and name not in (select name from other_hash where what = 'definition') having count(*) > 0"""

_JUDGMENTS = """
    select 'judgments', corpus_id || case when judgment_set = 1 then '' else ', set ' || judgment_set end,
        format('{:,} added, {:,} removed, {:,} changed', count(*) filter (before is null),
            count(*) filter (now is null), count(*) filter (before <> now)),
        min_by(format('first {} {}: {} -> {}', topic_id, story_id, coalesce(before, 'none'), coalesce(now, 'none')),
            (topic_id, story_id))
    from (
        select corpus_id, judgment_set, coalesce(topic_id, cast(topic_no as varchar)) as topic_id,
            coalesce(story_id, cast(story_no as varchar)) as story_id, max(label) filter (side = 'old') as before,
            max(label) filter (side = 'new') as now
        from judgment join corpus using (side, corpus_no) left join topic using (side, corpus_no, topic_no)
            left join story using (side, corpus_no, story_no)
        group by all having before is distinct from now
    ) group by corpus_id, judgment_set order by corpus_id, judgment_set"""

#: topics, events, ... that a condition of both archives scores in one of them only, and topics that one of them leaves
#: out; as many as ten are named
_BLOCKS = """
    with named as (select side, condition_id, block_id from block join condition using (side, condition_no)),
    excluded as (
        select side, condition_id, topic_id, reason from excluded_topic join condition using (side, condition_no)
    ),
    moved as (
        select here.side, here.condition_id, block_id || coalesce(' (' || reason || ')', '') as shown, block_id
        from named as here
        left join excluded on excluded.condition_id = here.condition_id and topic_id = block_id
            and excluded.side <> here.side
        where not exists (from named as there where there.side <> here.side
            and there.condition_id = here.condition_id and there.block_id = here.block_id)
    )
    select condition_id, format('{}{} {}{} {}', word, case when count(*) = 1 then '' else 's' end,
        array_to_string(list(shown order by block_id)[:10], ', '),
        case when count(*) > 10 then format(' and {:,} more', count(*) - 10) else '' end,
        case side when 'old' then 'removed' else 'added' end) as change,
        case side when 'old' then 1 else 2 end as place, '' as topic_id
    from moved join block_word using (condition_id) group by condition_id, word, side
    union all
    select condition_id, format('{} {} {}', word, topic_id,
        coalesce('removed (' || max(reason) filter (side = 'new') || ')', 'counts again')), 3, topic_id
    from excluded join block_word using (condition_id)
    where (select count(distinct side) from named where named.condition_id = excluded.condition_id
        and block_id = topic_id) = 2
    group by condition_id, word, topic_id having count(*) = 1
    order by condition_id, place, topic_id"""

_RENAMED = "select 'run', condition_id || '/' || old_id, 'renamed to ' || new_id, '' from renamed order by all"

#: runs that came, went, were withdrawn or restored, or have other rows
_RUNS = """
    select 'run', condition_id || '/' || run_id, concat_ws('; ', case
        when before.run_id is null then format('added, {:,} numbers', (
            select count(*) from number where side = 'new' and condition = condition_id and run = run_id))
        when now.run_id is null then format('removed, with its {:,} numbers', (
            select count(*) from number where side = 'old' and condition = condition_id and run = run_id))
        when before.sha256 = now.sha256 then null
        when before.hashes = now.hashes then case when condition_id not in (
            select name from other_hash where what = 'condition') then 'the same files, other rows' end
        else format('{}, {:,} -> {:,} rows', case when old_files = new_files then old_files || ' changed'
            else format('file {} -> {}', old_files, new_files) end, before.n_row, now.n_row) end,
        case when before.run_id = now.run_id and before.reason is distinct from now.reason
            then coalesce('withdrawn: ' || now.reason, 'restored') end) as change, ''
    from (
        select *, coalesce(array_to_string(before.paths[:3], ', '), 'columns') as old_files,
            coalesce(array_to_string(now.paths[:3], ', '), 'columns') as new_files from both_runs)
    where change <> '' order by condition_id, run_id"""

#: a line for each run of both archives and profile with different numbers: their count, and the primary metric, or else
#: the one with the largest change
_NUMBERS = """
    select 'number', format('{}/{}, {}', condition_id, run_id, profile),
        format('{:,} of {:,} differ, of {} metrics{}', count(*) filter (is_other), count(*),
            count(distinct metric) filter (is_other), coalesce(max_by(
                format(': {} {:.6g} -> {:.6g} ({})', metric, numbers.before, numbers.now,
                    concat_ws(', ', subset, weighting, block)),
                (metric = primary_metric, subset = 'all', coalesce(weighting = 'topic', false),
                    abs(numbers.now - numbers.before), subset, coalesce(weighting, 'None'), coalesce(block, 'None'),
                    metric)
            ) filter (is_other and numbers.now - numbers.before is not null), '')), any_value(because)
    from both_numbers as numbers join both_runs using (condition_id, run_id)
        join cause using (condition_id, run_id, profile) join block_word using (condition_id)
    where both_runs.before.run_id = both_runs.now.run_id
    group by condition_id, run_id, profile having bool_or(is_other) order by condition_id, run_id, profile"""

_OTHER_NUMBERS = """
    select condition_id, run_id, profile, subset, weighting, block, metric, before, now, because
    from both_numbers join cause using (condition_id, run_id, profile) where is_other
    order by condition_id, run_id, profile, subset, coalesce(weighting, 'None'), coalesce(block, 'None'), metric"""


@dataclass(frozen=True, slots=True)
class _Side:
    """What is compared in Python of an archive."""

    tag: str
    versions: dict[str, str]
    profiles: dict[str, dict[str, object]]
    settings: dict[str, dict[str, object]]  #: condition -> its parameters
    has_judgments: bool


def differences(old: Path, new: Path) -> list[tuple[str, str, str, str]]:
    """Return (what, name, change, because) of everything that differs between two archives, the causes first.

    Raises:
        InvalidArchive: one of them is damaged, or has other tables.
    """
    with _compared(old, new) as (engine, one, other):
        found = [("release", other.tag, f"{one.tag or 'no tag'} -> {other.tag or 'no tag'}", "")]
        found = found if one.tag != other.tag else []
        found += [("version", *change, "") for change in _changes(one.versions, other.versions)]
        found += engine.rows("select what, name, change, '' from other_hash where what = 'definition' order by name")
        found += engine.rows(_INDIRECT)
        found += [("profile", name, change, "") for name, change in _profiles(one, other)]
        found += engine.rows("select what, name, change, '' from other_hash where what = 'corpus' order by name")
        if one.has_judgments and other.has_judgments:
            found += engine.rows(_JUDGMENTS)
        blocks = engine.rows(_BLOCKS)
        for name, change in engine.rows("select name, change from other_hash where what = 'condition' order by name"):
            settings = _changes(one.settings[name], other.settings[name]) if "->" in change else []
            changes = [": ".join(setting) for setting in settings] + [row[1] for row in blocks if row[0] == name]
            found.append(("condition", name, "; ".join(changes) or change, ""))
        return found + engine.rows(_RENAMED) + engine.rows(_RUNS) + engine.rows(_NUMBERS)


def different_numbers(old: Path, new: Path) -> list[tuple]:
    """Return every number that differs between two archives, columns as in NUMBER_COLUMNS. A number that only one
    archive has is None on the other side.
    """
    with _compared(old, new) as (engine, _, _):
        return engine.rows(_OTHER_NUMBERS)


@contextmanager
def _compared(old: Path, new: Path) -> Iterator[tuple[Engine, _Side, _Side]]:
    """Yield a database with the rows of two archives, and the rest of both."""
    with closing(Engine(":memory:")) as engine:
        for name, columns in _TABLES.items():
            typed = ", ".join(f"{column} {tables()[name].type_of(column)}" for column in columns.split())
            engine.execute(f"create table {name.split('.')[1]} (side varchar, {typed})")
        engine.execute(_CREATE)
        one, other = _loaded(engine, "old", old), _loaded(engine, "new", new)
        for task in TASKS.values():
            word = task.blocks if task.blocks in ("event", "topic") else "block"
            engine.execute("insert into task_word values (?, ?, ?)", [task.name, word, task.primary])
        engine.insert("other_profile", {"name": [name for name, _ in _profiles(one, other)]})
        engine.insert("other_version", {"name": [name for name, _ in _changes(one.versions, other.versions)]})
        engine.execute(_NAMED)
        yield engine, one, other


def _loaded(engine: Engine, side: str, path: Path) -> _Side:
    """Add the rows of an archive to the tables, and return the rest."""
    files = read(path)
    release = read_release(path, files)
    try:
        with TemporaryDirectory() as folder:

            def file(name: str) -> Path:
                part = Path(folder) / name.replace("/", ".")
                part.write_bytes(files[name])
                if part.suffix == ".parquet":
                    check_rows(engine, part)
                return part

            def named(table: str, key: str, leave_out: str) -> dict[str, dict[str, object]]:
                """Return key -> column -> value."""
                source = parquet_source(file(f"table/{table}.parquet"))
                found = engine.records(f"select * exclude ({leave_out}) from {source} order by all")
                return {row.pop(key): row for row in found}

            for name, columns in _TABLES.items():
                if f"table/{name}.parquet" in files:  # a public archive has not all of them
                    source, listed = parquet_source(file(f"table/{name}.parquet")), ", ".join(columns.split())
                    engine.execute(f"insert into {name.split('.')[1]} select '{side}', {listed} from {source}")
            environment = json.loads(files["environment.json"])
            for kind, more in (("score", "weighting"), ("block_score", "block_id as block")):
                engine.execute(f"""insert into number by name select '{side}' as side, condition_id as condition,
                    run_id as run, profile_id as profile, subset, metric, value, {more}
                    from {parquet_source(file(f"result/{kind}.parquet"))}""")
            return _Side(
                (release or {}).get("tag") or "",
                {name: environment.get(name) for name in _VERSIONS},
                named("registry.profile", "profile_id", "profile_no"),
                named("registry.condition", "condition_id", _NO_SETTINGS),
                "table/base.judgment.parquet" in files,
            )
    except (duckdb.Error, KeyError, TypeError, ValueError) as error:
        raise InvalidArchive(
            f"{path}: it cannot be compared: {first_line(error)}. Is it of another release? `tdtsql archive verify` "
            f"says which one packed it."
        ) from None


def _changes(one: Mapping[str, object], other: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return (name, ``old -> new``) for every value that differs."""
    return [
        (name, " -> ".join("none" if value is None else str(value) for value in (one.get(name), other.get(name))))
        for name in dict.fromkeys((*one, *other))
        if one.get(name) != other.get(name)
    ]


def _profiles(one: _Side, other: _Side) -> list[tuple[str, str]]:
    """Return (profile, change) of those that differ."""
    return [
        (
            name,
            "added"
            if name not in one.profiles
            else "removed"
            if name not in other.profiles
            else ", ".join(map(": ".join, changes)),
        )
        for name in sorted(one.profiles.keys() | other.profiles.keys())
        if (changes := _changes(one.profiles.get(name, {}), other.profiles.get(name, {})))
    ]
