"""User-defined metrics in a store: added, dropped, and verified against the ledger before their numbers are used."""

import json
import re
from collections import Counter
from contextlib import closing
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, sql_literal
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.errors import (
    BrokenDefinition,
    InvalidInput,
    InvalidSetting,
    Problem,
    Problems,
    UnknownName,
    not_none,
    unknown_name_error,
)
from tdtsql.definitions.catalogue import VERSION, Relation, build_order, catalog, compiled_entry, newest_of
from tdtsql.definitions.table import tables
from tdtsql.definitions.hashes import closure_hashes, digest
from tdtsql.own.check import PREFIX, Check, OwnMetric, own_relation
from tdtsql.store.ledger import append, verify_chain
from tdtsql.store.contract import contract_types
from tdtsql.store.schema import alias_texts, altered_views, stored_columns

_COLUMNS = "name version tasks definition sha256 closure_sha256 path".split()


_STORED = f"select {', '.join(_COLUMNS)} from registry.own_metric order by name, version"


_PUBLISHED = "select * from registry.own_published order by all"


def own_entries(engine: Engine) -> list[tuple[str, dict]]:
    """Return subject and detail of the ledger's entry of each user-defined metric."""
    return [
        (
            f"{PREFIX}{name}__v{version}",
            {"sha256": digest([text, sha256]), "path": path, "tasks": tasks, "closure_sha256": closure},
        )
        for name, version, tasks, text, sha256, closure, path in engine.rows(_STORED)
    ]


def check_stored_own(engine: Engine) -> None:
    """Check the user-defined metrics that were copied from elsewhere, and create their views.

    Raises:
        InvalidInput: one of them would not be added.
        BrokenDefinition: registry.own_published was copied with other rows than they publish.
    """
    _, problems = check_own(own_files(engine))
    if problems:
        raise InvalidInput(problems)
    copied = engine.rows(_PUBLISHED)
    make_own_views(engine)
    if engine.rows(_PUBLISHED) != copied:
        raise BrokenDefinition(
            "registry.own_published does not say what the definitions in registry.own_metric publish"
        )


def own_relations(engine: Engine) -> dict[str, Relation]:
    """Return the user-defined metrics of a store whose text matches the ledger, by name, in the order of their
    dependencies."""
    if not engine.rows("select 1 from registry.own_metric limit 1"):
        return {}
    odd = {name for name, _ in broken_own(engine)}
    files = own_files(engine)
    return _ordered({f"{OWN_SCHEMA}.{name}": own_relation(text, name) for _, name, text in files if name not in odd})


def own_texts(engine: Engine) -> dict[str, str]:
    """Return the text of each user-defined metric, by name of its view."""
    return {f"{OWN_SCHEMA}.{called}": text for _, called, text in own_files(engine)}


def own_files(engine: Engine) -> list[tuple[str, str, str]]:
    """Return the user-defined metrics of a store as `check_own` takes files: path, name with version, text."""
    return engine.rows(
        "select path, name || '__v' || version, definition from registry.own_metric order by name, version"
    )


def _ordered(relations: dict[str, Relation]) -> dict[str, Relation]:
    return {name: relations[name] for name in build_order(relations)}


def newest_own(engine: Engine, task: str) -> dict[str, Relation]:
    """Return the newest version of each user-defined metric of a task, by name, with other metrics that it reads."""
    newest = newest_of(own_relations(engine)).values()
    return {r.name: r for r in newest if task in re.split(r"[,\s]+", r.header.fields["tasks"].strip())}


def broken_own(engine: Engine) -> list[tuple[str, str]]:
    """Return (name with version, difference) of definitions that differ from the ledger, and of views and published
    metrics that differ from their definitions.
    """
    said: dict[str, dict] = {}  # empty: it was dropped
    for subject, kind, detail in engine.rows(
        f"select subject, kind, detail from ledger.entry where subject like '{PREFIX}%' order by entry_no"
    ):
        said[subject.removeprefix(PREFIX)] = json.loads(detail) if kind == "define" else {}
    found, relations, closures = [], {}, {}
    stored = {subject.removeprefix(PREFIX): detail for subject, detail in own_entries(engine)}
    texts_of = {called: text for _, called, text in own_files(engine)}
    for called, now in stored.items():
        added = {"sha256": None} | said.get(called, {})
        if odd := [key for key, value in now.items() if added.get(key, value) != value]:
            found.append((called, f"own.{called} is not what was added (ledger {odd[0]} {str(added[odd[0]])[:8]})"))
        else:
            relations[f"{OWN_SCHEMA}.{called}"] = own_relation(texts_of[called], called)
            closures[f"{OWN_SCHEMA}.{called}"] = now["closure_sha256"]
    published, wanted = Counter(engine.rows(_PUBLISHED)), Counter(_published(relations, closures))
    odd_rows = {row[1] for row in [*(published - wanted), *(wanted - published)]}
    found += [
        (relation.partition(".")[2], f"registry.own_published: {relation} does not say what its definition publishes")
        for relation in sorted(odd_rows - {f"{OWN_SCHEMA}.{called}" for called, _ in found})
    ]
    texts = {name: relation.body for name, relation in relations.items()} | alias_texts(relations)
    found += [
        (name.partition(".")[2], f"the view {name} {what}")
        for name, what in (altered_views(engine, texts) if texts else ())
    ]
    found += [
        (name, f"own.{name} is missing from registry.own_metric")
        for name, detail in said.items()
        if detail and name not in stored
    ]
    return found


def broken_metrics(engine: Engine) -> dict[str, str]:
    """Return metric -> difference of those whose numbers are not shown: their definition is not what was added."""
    if not engine.rows("select 1 from registry.own_metric union all select 1 from registry.own_published limit 1"):
        return {}
    odd = dict(broken_own(engine))
    rows = engine.rows("select metric, relation from registry.own_published")
    homes = {(metric, name) for metric, view in rows for name in (view[4:], VERSION.sub("", view[4:]))}
    return {metric: odd[name] for metric, name in sorted(homes) if name in odd}


def check_intact(engine: Engine, metrics: Iterable[str]) -> None:
    """Raise BrokenDefinition for a user-defined metric whose definition is not what was added."""
    own = [metric for metric in metrics if metric.startswith(PREFIX)]
    broken = broken_metrics(engine) if own else {}
    for metric in own:
        if metric in broken:
            raise BrokenDefinition(
                f"{engine.path}: {metric} is not shown: {broken[metric]}. `tdtsql metric add` of its file restores it."
            )


def verify_ledger(engine: Engine, *, expected: str | None = None, only: Collection[str] | None = None) -> list[str]:
    """Return every divergence of a store from its ledger (`verify_chain`), also of user-defined metrics."""
    is_public = only is not None and "registry.own_metric" not in only
    own = [] if is_public else [f"{message}." for _, message in broken_own(engine)]
    return [*verify_chain(engine, expected=expected, only=only), *own]


def check_own(
    files: Sequence[tuple[str, str, str]], engine: Engine | None = None
) -> tuple[list[OwnMetric], list[Problem]]:
    """Return the definitions of files, and all their defects; stores nothing.

    Args:
        files: (path as given, name of the relation, text).
        engine: the store that they are for; None: an empty one.
    """
    known = own_relations(engine) if engine is not None else {}
    with closing(Engine(":memory:")) as scratch:
        checks = [Check(text, path, name) for path, name, text in files]
        made = {check.metric.relation.name: check for check in checks if check.metric is not None}
        try:
            order = _ordered({name: check.metric.relation for name, check in made.items() if check.metric})
        except BrokenDefinition as error:
            said = next(iter(made.values())).problems
            said.add("E982", str(error).partition(". ")[0], "Break the circle.", 1, 1)
            order = {}
        _create_inputs(scratch, known, order, engine)
        homes = _homes({**known, **order})
        for name in order:
            _check_homes(made[name], homes)
            made[name].bind(scratch)
            if engine is not None:
                _check_version(engine, made[name])
                _check_numbers(engine, made[name], order)
    found = [made[name].metric for name in order if not made[name].problems.errors]
    return [metric for metric in found if metric], [problem for check in checks for problem in check.problems.found]


def _create_inputs(
    scratch: Engine, known: Mapping[str, Relation], made: Mapping[str, Relation], engine: Engine | None
) -> None:
    """Create what definitions read in an empty database: tables without rows, and the metrics that a store has."""
    read = {name for relation in (*known.values(), *made.values()) for name in relation.header.inputs}
    types = stored_columns(engine) if engine is not None else contract_types()
    for schema in {name.partition(".")[0] for name in (*read, OWN_SCHEMA)}:
        scratch.execute(f"create schema if not exists {schema or OWN_SCHEMA}")
    for name in sorted(read & types.keys()):
        if not name.startswith(f"{OWN_SCHEMA}."):
            columns = ", ".join(f"{sql_identifier(column)} {kind}" for column, kind in types[name].items())
            scratch.execute(f"create table {name} ({columns})")
    scratch.execute("set enable_external_access = false")
    for relation in known.values():
        scratch.execute(f"create view {relation.name} as\n{relation.body}")


def _homes(relations: Mapping[str, Relation]) -> dict[tuple[str, bool], set[str]]:
    """Return (metric, whether of blocks) -> the definitions that publish it, without version."""
    homes: dict[tuple[str, bool], set[str]] = {}
    for alias, relation in newest_of(relations).items():
        for metric in relation.header.metrics:
            homes.setdefault((metric.metric, "block_no" in relation.header.grain), set()).add(alias)
    return homes


def _check_homes(check: Check, homes: Mapping[tuple[str, bool], set[str]]) -> None:
    """Report metrics that another definition publishes too, both of blocks or both of runs."""
    metric = not_none(check.metric)
    relation = metric.relation
    line = metric.text[: metric.text.index("\nmetrics:") + 1].count("\n") + 1
    for one in relation.header.metrics:
        for other in sorted(homes[one.metric, "block_no" in relation.header.grain] - {relation.alias}):
            said = f"{one.metric} is published by {other} too"
            check.problems.add("E986", said, "Rename it, or make one of them a metric of runs.", line, 1, one.column)


def _check_version(engine: Engine, check: Check) -> None:
    metric = not_none(check.metric)
    name, version = metric.name, metric.relation.version
    stored = {
        row[0]: row[1:]
        for row in engine.rows("select version, sha256, definition from registry.own_metric where name = ?", [name])
    }
    newest = max(stored, default=0)
    sha256, text = stored.get(version, (metric.sha256, ""))
    if sha256 != metric.sha256:
        lines = zip(text.splitlines(), metric.text.splitlines(), strict=False)
        line = next((number for number, (one, other) in enumerate(lines, 1) if one != other), 1)
        check.problems.add(
            "E988",
            f"{metric.relation.name} is in the store with another text (store {sha256[:8]}, file {metric.sha256[:8]})",
            f"Save the change as {name}__v{newest + 1}.sql, or drop {PREFIX}{name} first.",
            line,
            1,
        )
    elif version not in (*stored, newest + 1):
        said, advice = f"version {version} does not follow on {newest}", f"Call it {name}__v{newest + 1}.sql."
        check.problems.add("E988", said, advice, 1, 1, metric.relation.name)


#: rows of each input over which a definition is computed in two orders
SHUFFLED_ROWS = 100_000


def _check_numbers(engine: Engine, check: Check, others: Mapping[str, Relation]) -> None:
    """Report a grain that is not unique for the runs of a store, and numbers that change with the order of rows."""
    relation = not_none(check.metric).relation
    if check.problems.errors or any(read in others for read in relation.header.inputs):
        return  # only those in the store
    keys = ", ".join(relation.header.grain)
    try:
        rows = engine.rows(
            f"select {keys} from (\n{relation.body}\n) as made group by {keys} having count(*) > 1 limit 1"
        )
        if rows:
            said = f"there are several rows of one {keys}"
            check.add("E989", said, "Group by the grain.", value=", ".join(map(str, rows[0])))
        elif odd := _depends_on_order(engine, relation):
            said = f"{odd} depends on the order of rows: over the same rows in another order it is another number"
            advice = "End each order in the keys, and add up whole numbers: exact_sum(x), whole_sum(x)."
            check.add("E985", said, advice, value=odd)
    except duckdb.Error as error:
        check.add("E987", str(error).splitlines()[0], "Correct it.")


def _depends_on_order(engine: Engine, relation: Relation) -> str | None:
    """Return a column that has other values when the rows of the inputs come in another order; None if none has."""
    values = [column.name for column in relation.header.columns if not column.is_key]
    differs = ", ".join(f"bool_or(one.{name} is distinct from other.{name})" for name in values)
    first = {
        read: engine.make_temporary(f"ordered_{number}", f"select * from {read} limit {SHUFFLED_ROWS}")
        for number, read in enumerate(relation.header.inputs)
    }
    made = [*first.values()]
    try:
        for order in ("rowid desc", "md5(cast(rowid as varchar))"):  # backwards, and shuffled in a fixed way
            second = {
                read: engine.make_temporary(f"again_{number}", f"select * from {name} order by {order}")
                for number, (read, name) in enumerate(first.items())
            }
            made += second.values()
            [row] = engine.rows(
                f"select {differs} from ({relation.reading(first)}) as one full join ({relation.reading(second)}) as "
                f"other using ({', '.join(relation.header.grain)})"
            )
            if odd := [name for name, is_odd in zip(values, row, strict=True) if is_odd]:
                return odd[0]
        return None
    finally:
        for name in dict.fromkeys(made):
            engine.execute(f"drop table {name}")


def read_files(paths: Sequence[str | Path]) -> list[tuple[str, str, str]]:
    """Return (path, name, text) of files.

    Raises:
        InvalidInput: one cannot be read.
    """
    found, problems = [], []
    for path in paths:
        try:
            found.append((str(path), Path(path).name.removesuffix(".sql"), Path(path).read_text(encoding="utf-8-sig")))
        except (OSError, UnicodeDecodeError) as error:
            said = Problems(str(path))
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            said.add("E710", f"the metric cannot be read: {reason}", "Name a file of UTF-8 text.")
            problems += said.found
    if problems:
        raise InvalidInput(problems)
    return found


def add_own(engine: Engine, files: Sequence[tuple[str, str, str]]) -> list[str]:
    """Store metrics, all or none; returns the ids that are new or changed. To be called in a transaction.

    Raises:
        InvalidInput: one of them has a defect.
    """
    found, problems = check_own(files, engine)
    if problems:
        raise InvalidInput(problems)
    known = {**catalog(), **own_relations(engine), **{metric.relation.name: metric.relation for metric in found}}
    tokens = {name: compiled_entry(name)["tokens"] for name in catalog()}
    closures = closure_hashes(known, tables(), own=tokens)
    made = []
    for metric in found:
        name, version = metric.name, metric.relation.version
        row = engine.rows("select definition from registry.own_metric where name = ? and version = ?", [name, version])
        if row == [(metric.text,)]:
            continue
        _store(engine, metric, closures[metric.relation.name])
        made.append(f"{PREFIX}{name}")
    if made:
        make_own_views(engine)
    return made


def _store(engine: Engine, metric: OwnMetric, closure: str) -> None:
    relation = metric.relation
    engine.execute("delete from registry.own_metric where name = ? and version = ?", [metric.name, relation.version])
    tasks = " ".join(metric.tasks)
    row = (metric.name, relation.version, tasks, metric.text, metric.sha256, closure, metric.path)
    engine.insert_rows("registry.own_metric", _COLUMNS, [row])
    [(subject, detail)] = [
        entry for entry in own_entries(engine) if entry[0] == f"{PREFIX}{metric.name}__v{relation.version}"
    ]
    append(engine, "define", subject, detail)


def make_own_views(engine: Engine) -> None:
    """Create the views of the metrics in registry.own_metric, and their rows in registry.metric."""
    engine.execute(f"delete from registry.own_published where starts_with(relation, '{OWN_SCHEMA}.')")
    relations = {f"{OWN_SCHEMA}.{name}": own_relation(text, name) for _, name, text in own_files(engine)}
    create_own_views(engine, relations)
    closures = {
        f"{OWN_SCHEMA}.{name}__v{version}": sha256
        for name, version, sha256 in engine.rows("select name, version, closure_sha256 from registry.own_metric")
    }
    for row in _published(relations, closures):
        engine.execute("insert into registry.own_published values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def create_own_views(engine: Engine, relations: dict[str, Relation]) -> None:
    """Create the views of user-defined metrics, by name, in place of those that a store has."""
    engine.execute(f"drop schema if exists {OWN_SCHEMA} cascade")
    if not relations:
        return
    engine.execute(f"create schema {OWN_SCHEMA}")
    for relation in _ordered(relations).values():
        engine.execute(f"create view {relation.name} as\n{relation.body}")
        title = f"{relation.header.title}. Source: {' '.join(relation.header.fields['source'].split())}"
        engine.execute(f"comment on view {relation.name} is {sql_literal(title)}")
    for alias, select in alias_texts(relations).items():
        engine.execute(f"create view {alias} as {select}")


def _published(relations: Mapping[str, Relation], closures: Mapping[str, str]) -> list[tuple]:
    """Return the rows of registry.own_published: the metrics of the newest version of each definition."""
    rows = []
    of_runs = {metric for metric, is_of_blocks in _homes(relations) if not is_of_blocks}
    for relation in newest_of(relations).values():
        units = {column.name: column.unit for column in relation.header.columns}
        for metric in relation.header.metrics:
            if "block_no" not in relation.header.grain:
                grains = ["score"]
            else:  # its mean over blocks too, unless another definition gives the number of a run
                grains = ["block", *(["score"] if metric.metric not in of_runs else [])]
            for grain in grains:
                rows.append((
                    metric.metric, relation.name, grain, f"v{relation.version}", metric.best, units[metric.column],
                    metric.title, metric.column, closures[relation.name],
                ))  # fmt: skip
    return rows


def drop_own(engine: Engine, metric: str) -> None:
    """Remove a metric with all its versions and numbers. To be called in a transaction.

    Raises:
        UnknownName: no such metric.
        InvalidSetting: another one reads it.
    """
    name = metric.removeprefix(PREFIX)
    names = sorted(set(engine.column("select name from registry.own_metric")))
    if name not in names:
        raise (
            unknown_name_error("metric", metric, [f"{PREFIX}{one}" for one in names])
            if names
            else UnknownName(f"metric '{metric}' is unknown: the store has no user-defined metric.")
        )
    readers = [
        relation.alias
        for relation in own_relations(engine).values()
        if any(read.startswith(f"{OWN_SCHEMA}.{name}__v") for read in relation.header.inputs)
        and relation.alias != f"{OWN_SCHEMA}.{name}"
    ]
    if readers:
        raise InvalidSetting(f"{PREFIX}{name} is read by {', '.join(sorted(set(readers)))}. Drop it first.")
    for [version] in engine.rows("select version from registry.own_metric where name = ? order by 1", [name]):
        append(engine, "drop", f"{PREFIX}{name}__v{version}", {})
    engine.execute("delete from registry.own_metric where name = ?", [name])
    is_of_it = f"starts_with(relation, '{OWN_SCHEMA}.{name}__v')"
    for table in ("score", "block"):  # another definition may publish the same id
        engine.execute(
            f"""delete from ledger.result_{table} where metric in (
                select metric from registry.own_published group by metric having bool_and({is_of_it}))"""
        )
    make_own_views(engine)
