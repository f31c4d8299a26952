"""Definitions in a store beside those of tdtsql: task packages, and user-defined metrics.

A store has the definitions of a package from the first condition of its task on. So its numbers can be shown and
verified where the package is not installed; only reading files and computing need it. A user-defined metric is in a
store with its text. Both are the same thing to a store: relations with an owner, rows of the registry that follow from
them, and an entry of the ledger that says what was added.
"""

import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from tdtsql.definitions import lexer
from tdtsql.definitions.catalogue import (
    VERSION,
    Relation,
    build_order,
    catalog,
    compiled_entry,
    newest_of,
    reads_of,
)
from tdtsql.definitions.check import PREFIX, Check, OwnMetric, own_relation
from tdtsql.definitions.create import alias_texts, create_views_of, stored_texts, table_comments
from tdtsql.definitions.hashes import closure_hashes, digest
from tdtsql.definitions.catalogue import computed
from tdtsql.definitions.sets import IN_USE, Installed, stored, use, use_task
from tdtsql.definitions.table import Table, tables
from tdtsql.definitions.verify import altered_views, shipped_columns, stored_columns
from tdtsql.engine.duckdb import Engine, check_file_name
from tdtsql.engine.quoting import sql_identifier
from tdtsql.engine.user_query import OWN_SCHEMA, one_question
from tdtsql.errors import (
    BrokenDefinition,
    InvalidInput,
    InvalidQuery,
    InvalidSetting,
    MissingPackage,
    NotAStore,
    OtherDefinitions,
    Problem,
    Problems,
    UnknownName,
    not_none,
    unknown_name_error,
)
from tdtsql.store.ledger import definitions, verify_chain
from tdtsql.store.recording import append
from tdtsql.store.profiles import load_profiles
from tdtsql.task import task_columns

#: how subjects of the ledger begin that are packages
SUBJECT = "package:"
#: owner of the definitions of tdtsql, and of user-defined metrics; any other is a package
SHIPPED, OWN = "tdtsql", "own"

#: names that need no quotes, and files below the folder of a package's SQL
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_FILE = re.compile(r"[a-z]+(?:/[a-z0-9_]+)*\.sql")
_OWN_COLUMNS = "name version tasks definition sha256 closure_sha256 path".split()


# ---- what a store records of any set of definitions


def registry_rows(
    owner: str, relations: Mapping[str, Relation], entries: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, list]]:
    """Return what the registry says of views: table -> columns.

    Args:
        owner: ``tdtsql``, a task package, or ``own``: of these the newest version of each publishes, and a number of
            blocks also has its mean over them, unless another definition gives the number of the run.
        entries: view -> its hashes, ``tokens`` and ``closure``.
    """
    newest = {relation.name for relation in newest_of(relations).values()}
    of_runs = {metric for metric, is_of_blocks in _homes(relations) if not is_of_blocks}
    published = []
    for relation in relations.values():
        units = {column.name: column.unit for column in relation.header.columns}
        grains = ["block" if "block_no" in relation.header.grain else "score"]
        for metric in relation.header.metrics if owner != OWN or relation.name in newest else ():
            mean = ["score"] if owner == OWN and grains == ["block"] and metric.metric not in of_runs else []
            published += [
                {
                    "metric": metric.metric,
                    "relation": relation.name,
                    "grain": grain,
                    "version": f"v{relation.version}",
                    "best": metric.best,
                    "unit": units[metric.column],
                    "title": metric.title,
                    "column_name": metric.column,
                }
                for grain in (*grains, *mean)
            ]
    return {
        "registry.definition": {
            "relation": list(relations),
            "owner": [owner] * len(relations),
            "title": [relation.header.title for relation in relations.values()],
            "version": [relation.version for relation in relations.values()],
            "class": [relation.header.kind for relation in relations.values()],
            "token_sha256": [entries[name]["tokens"] for name in relations],
            "closure_sha256": [entries[name]["closure"] for name in relations],
        },
        "registry.published": {
            name: [row[name] for row in published]
            for name in ("metric", "relation", "grain", "version", "best", "unit", "title", "column_name")
        },
    }


def of_owner(owner: str) -> str:
    """Return the condition on rows of the registry that are of an owner's relations."""
    return f"relation in (select relation from registry.definition where owner = '{owner}')"


def _record(engine: Engine, owner: str, rows: Mapping[str, Mapping[str, list]]) -> None:
    """Write what the registry says of the relations of an owner, in place of what it said."""
    engine.execute(f"delete from registry.published where {of_owner(owner)}")
    engine.execute("delete from registry.definition where owner = ?", [owner])
    for table, columns in rows.items():
        engine.insert(table, columns)


def _edited_rows(engine: Engine, owner: str, rows: Mapping[str, Mapping[str, list]]) -> Iterator[tuple[str, str]]:
    """Yield (table, relation) of rows of the registry that are not those of an owner's relations."""
    for table, columns in rows.items():
        there = Counter(engine.rows(f"select {', '.join(columns)} from {table} where {of_owner(owner)}"))
        wanted = Counter(zip(*columns.values(), strict=True))
        at = list(columns).index("relation")
        yield from sorted({(table, row[at]) for row in [*(there - wanted), *(wanted - there)]})


def set_entries(engine: Engine) -> list[tuple[str, dict]]:
    """Return subject and detail of the ledger's entry of each package and user-defined metric."""
    packages = [(f"{SUBJECT}{found.name}", entry_of(found)) for found in recorded(engine)]
    return packages + [
        (
            f"{PREFIX}{name}__v{version}",
            {"sha256": digest([text, sha256]), "path": path, "tasks": tasks, "closure_sha256": closure},
        )
        for name, version, tasks, text, sha256, closure, path in engine.rows(
            f"select {', '.join(_OWN_COLUMNS)} from registry.own_metric order by name, version"
        )
    ]


def broken_sets(engine: Engine) -> list[tuple[str, str]]:
    """Return (subject of the ledger, difference) of packages and user-defined metrics that are not what the ledger says
    was added, or whose tables, views and rows of the registry are not their definitions.
    """
    said = {name: detail for name, detail in definitions(engine).items() if name.startswith((PREFIX, SUBJECT))}
    if not said and not engine.rows(
        f"""select 1 from registry.package union all select 1 from registry.own_metric
        union all select 1 from registry.definition where owner <> '{SHIPPED}' limit 1"""
    ):
        return []
    entries = dict(set_entries(engine))
    broken = []
    for subject, now in entries.items():
        then = {"sha256": None} | said.get(subject, {})
        if odd := [key for key, value in now.items() if then.get(key, value) != value]:
            name = subject.replace(PREFIX, f"{OWN_SCHEMA}.").removeprefix(SUBJECT)
            broken.append((subject, f"{name} is not what was added (ledger {odd[0]} {str(then[odd[0]])[:8]})"))
    for subject in said.keys() - entries.keys():
        table = "registry.package" if subject.startswith(SUBJECT) else "registry.own_metric"
        name = subject.replace(PREFIX, f"{OWN_SCHEMA}.").removeprefix(SUBJECT)
        broken.append((subject, f"{name} is missing from {table}"))
    changed = {subject for subject, _ in broken}
    for found in recorded(engine):
        broken += [(f"{SUBJECT}{found.name}", what) for what in _broken_package(engine, found)]
    own = {name: one for name, one in _own_stored(engine).items() if f"{PREFIX}{name[4:]}" not in changed}
    relations = _ordered({name: own_relation(one.text, name[4:]) for name, one in own.items()})
    rows = registry_rows(OWN, relations, {name: one.hashes for name, one in own.items()})
    broken += [
        (f"{PREFIX}{relation[4:]}", f"{table}: {relation} does not say what its definition publishes")
        for table, relation in _edited_rows(engine, OWN, rows)
        if f"{PREFIX}{relation[4:]}" not in changed
    ]
    texts = {**stored_texts(relations), **alias_texts(relations)}
    broken += [(f"{PREFIX}{name[4:]}", f"the view {name} {what}") for name, what in altered_views(engine, texts)]
    owners = {SHIPPED, OWN, *(found.name for found in recorded(engine))}
    for owner in engine.column("select distinct owner from registry.definition order by 1"):
        if owner not in owners:
            broken.append((f"{SUBJECT}{owner}", f"registry.definition has rows of {owner}, which is not in this store"))
    return broken


def _broken_package(engine: Engine, found: Installed) -> Iterator[str]:
    relations = found.relations
    for view, what in altered_views(engine, {**stored_texts(relations), **alias_texts(relations)}):
        yield f"view {view} of {found.name} {what}"
    columns = stored_columns(engine)
    for table, made in found.tables.items():
        if list(columns.get(table, ())) != list(made.columns):
            yield f"table {table} is not the definition of {found.name}"
    rows = registry_rows(found.name, relations, found.definitions["relations"])
    for table in dict.fromkeys(table for table, _ in _edited_rows(engine, found.name, rows)):
        yield f"{table}: rows of {found.name} were edited"
    wanted = _task_row(found.task.name)
    del wanted["position"]  # depends on which packages are in use
    there = engine.rows(f"select {', '.join(wanted)} from registry.task where task = ?", [found.task.name])
    if [list(map(repr, row)) for row in there] != [list(map(repr, wanted.values()))]:
        yield f"registry.task: rows of {found.name} were edited"


def _task_row(task: str) -> dict[str, Any]:
    every = task_columns()
    return {name: values[every["task"].index(task)] for name, values in every.items()}


def task_hash(task: str) -> str:
    """Return one hash over all views that are computed for a task, by default or on request."""
    return digest(part for name in computed(task, asked=True) for part in (name, str(compiled_entry(name)["tokens"])))


# ---- task packages


def recorded(engine: Engine) -> list[Installed]:
    """Return the packages whose definitions a store has, as it recorded them; none of a store of older definitions."""
    try:
        rows = engine.rows("select package, version, definitions from registry.package order by 1")
    except (duckdb.CatalogException, NotAStore):
        return []
    return [stored(*row) for row in rows]


def package_objects(engine: Engine) -> set[str]:
    """Return the views (with and without version) and tables of the packages that a store recorded."""
    found = recorded(engine)
    views = {name for one in found for name in one.definitions["relations"]}
    return views | {VERSION.sub("", name) for name in views} | {name for one in found for name in one.tables}


def use_recorded(engine: Engine) -> None:
    """Take the packages of a store in use: those that are installed as installed, others as the store recorded them. A
    newer installed version replaces what a store has, if it can be written to.
    """
    for found in recorded(engine):
        _check_file(engine, found)
        use_task(found.task.name)
        if is_installed(found) and IN_USE[found.task.name].sha256 == found.sha256:
            continue
        check_safe(found)
        if not is_installed(found) or _is_older(IN_USE[found.task.name], found):
            use(found)
        elif not engine.read_only:
            with engine.transaction():
                add_package(engine, found.task.name)
            here = IN_USE[found.task.name]
            say_replaced(engine, found.name, found.version, found.sha256, here.version, here.sha256)


def say_replaced(engine: Engine, name: str, version: str, sha256: str, version_here: str, sha256_here: str) -> None:
    """Warn that the definitions of a store were replaced by those installed."""
    warnings.warn(
        f"{engine.path}: the definitions of {name} {version} ({sha256[:8]}) were replaced by those installed "
        f"({version_here}, {sha256_here[:8]}): numbers that they change are computed again.",
        OtherDefinitions,
        stacklevel=2,
    )


def _check_file(engine: Engine, found: Installed) -> None:
    """Raise NotAStore for a store in a file that is called like the schema of a package."""
    check_file_name(engine.path, sorted({name.split(".")[0] for name in found.tables}))


def is_installed(found: Installed) -> bool:
    """Return whether a package that a store or an archive recorded is installed here, in whatever version."""
    here = IN_USE.get(found.task.name)
    return here is not None and here.name == found.name and here.package is not None


def _is_older(here: Installed, found: Installed) -> bool:
    """Return whether an installed package is an older version than the one that wrote a store."""
    from packaging.version import InvalidVersion, Version

    try:
        return Version(here.version) < Version(found.version)
    except InvalidVersion:
        return here.version != found.version


def check_safe(found: Installed) -> None:
    """Refuse definitions from a store or an archive that do more than define tables and read relations.

    Raises:
        BrokenDefinition: a view reads files or changes something, a table is made of a query.
    """
    tables = found.definitions["tables"]
    relations = {**found.definitions["relations"], **found.definitions.get("derived", {})}
    invariants = {f"audit.{name}": entry for name, entry in found.definitions.get("audit", {}).items()}
    words = [
        *relations,
        *invariants,
        *tables,
        *(f"x.{column}" for entry in tables.values() for column in entry["columns"]),
    ]
    if odd := [word for word in words if not _NAME.fullmatch(word)]:
        raise BrokenDefinition(f"{found.name}: {odd[0]!r} is not the name of a view, table or column.")
    if odd := [entry["file"] for entry in relations.values() if not _FILE.fullmatch(entry["file"])]:
        raise BrokenDefinition(f"{found.name}: {odd[0]!r} is not a file of its definitions.")
    with closing(Engine(":memory:")) as engine:
        for name, entry in (*relations.items(), *invariants.items()):
            text = entry.get("body") or entry["sql"]
            if "reads" in entry and entry["reads"] != [list(read) for read in reads_of(entry["body"])]:
                raise BrokenDefinition(f"{found.name}: view {name} does not read what is recorded of it.")
            try:
                one_question(engine.connection, text)
            except InvalidQuery as error:
                raise BrokenDefinition(f"{found.name}: view {name} is not allowed: {error}") from None
    for name, entry in tables.items():
        is_table = re.match(rf"create table {re.escape(name)} \(", entry["statement"])
        if not is_table or {"select", "as", ";"} & {word.lower() for word in lexer.words(entry["statement"])}:
            raise BrokenDefinition(f"{found.name}: table {name} is not defined by its columns alone.")


def check_computable(task: str) -> None:
    """Raise MissingPackage for a task whose package is not installed: its numbers are shown, not computed."""
    found = IN_USE.get(task)
    if found is not None and found.package is None:
        raise MissingPackage(
            f"task '{task}' is of {found.name} {found.version}, which is not installed here: its stored numbers are "
            f"shown, not computed. Run `pip install {found.name}`."
        )


def missing_packages(engine: Engine, runs: Sequence[str] = ()) -> list[str]:
    """Return a sentence for each task of some runs (all by default) whose package is not installed."""
    chosen = "" if not runs else "where list_contains(?, run_id)"
    tasks = engine.rows(
        f"select distinct task from registry.run join registry.condition using (condition_no) {chosen} order by 1",
        [list(runs)] if runs else None,
    )
    found = []
    for [task] in tasks:
        try:
            check_computable(task)
        except MissingPackage as error:
            found.append(str(error))
    return found


def is_computable(task: str) -> bool:
    """Return whether the numbers of a task can be computed here."""
    return task not in IN_USE or IN_USE[task].package is not None


def add_package(engine: Engine, task: str) -> None:
    """Give a store the tables and views of the package of a task, unless it has them. To be called in a transaction.

    Raises:
        InvalidSetting: a store in another engine.
        NotAStore: a store that has other tables of this package.
        MissingPackage: a store that a newer version of this package wrote.
    """
    found = IN_USE.get(task)
    if found is None or found.package is None:
        return
    there = engine.rows("select sha256, version, definitions from registry.package where package = ?", [found.name])
    if there and there[0][:2] == (found.sha256, found.version):
        return
    check_not_older(engine, task)
    _check_file(engine, found)
    if there:
        _check_tables(found, stored(found.name, there[0][1], there[0][2]).tables)
    create_package_tables(engine, found)
    engine.execute("delete from registry.package where package = ?", [found.name])
    engine.execute(
        "insert into registry.package by name select $1 as package, $2 as version, $3 as task, $4 as definitions, "
        "$5 as sha256",
        [found.name, found.version, task, found.text, found.sha256],
    )
    define_package(engine, found)
    load_profiles(engine, {}, "")  # those of the package too
    append(engine, ("define", f"{SUBJECT}{found.name}", entry_of(found)))


def check_not_older(engine: Engine, task: str) -> None:
    """Raise MissingPackage where a newer version of the package of a task wrote the store than the one that is used."""
    found = IN_USE.get(task)
    if found is None:
        return
    for row in engine.rows(
        "select package, version, definitions from registry.package where package = ?", [found.name]
    ):
        if _is_older(found, stored(*row)):
            raise MissingPackage(
                f"the store was written with {found.name} {row[1]}, and {found.version} is installed. Run "
                f"`pip install -U {found.name}`."
            )


def create_package_tables(engine: Engine, found: Installed) -> None:
    """Create the tables of a package that a store does not have yet."""
    tables = found.tables
    statements = [f"create schema if not exists {schema}" for schema in {name.split(".")[0] for name in tables}]
    known = set(engine.column("select schema_name || '.' || table_name from duckdb_tables()"))
    for name, table in tables.items():
        if name not in known:
            statements += [table.statement, *table_comments(table)]
    if statements:
        engine.execute(";\n".join(statements))


def entry_of(found: Installed) -> dict[str, str]:
    """Return what the ledger says of a package."""
    return {"version": found.version, "sha256": found.sha256, "text_sha256": digest([found.text])}


def _check_tables(found: Installed, there: dict[str, Table]) -> None:
    now = found.tables
    odd = sorted(name for name in there.keys() & now.keys() if there[name].columns != now[name].columns)
    if odd or there.keys() - now.keys():
        raise NotAStore(
            f"{found.name} {found.version} has other tables than the version that this store was filled with "
            f"({', '.join(odd or sorted(there.keys() - now.keys()))}). Evaluate the bundle into a new store."
        )


def _drop_views(engine: Engine, owner: str) -> None:
    names = engine.column("select relation from registry.definition where owner = ?", [owner])
    for name in dict.fromkeys((*(VERSION.sub("", name) for name in names), *reversed(names))):
        if _NAME.fullmatch(name):  # whatever an edited store says
            engine.execute(f"drop view if exists {name}")


def define_packages(engine: Engine) -> None:
    """Create the views of all packages of a store again, after those of tdtsql were created."""
    for found in recorded(engine):
        define_package(engine, found)


def define_package(engine: Engine, found: Installed) -> None:
    """Create the views of a package in use, and write what the registry says of them and of its task."""
    _drop_views(engine, found.name)
    try:
        create_views_of(engine, found.relations)
        for entry in found.definitions.get("audit", {}).values():
            engine.execute(f"explain {entry['sql']}")
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        said = str(error).splitlines()[0]
        said = f"{found.name} {found.version}: {said}. Tell its authors; `tdtsql task check` shows it."
        raise BrokenDefinition(said) from None
    _record(engine, found.name, registry_rows(found.name, found.relations, found.definitions["relations"]))
    task = found.task.name
    for table in ("registry.task", "registry.task_definition"):
        engine.execute(f"delete from {table} where task = ?", [task])
    engine.insert("registry.task", {name: [value] for name, value in _task_row(task).items()})
    engine.insert("registry.task_definition", {"task": [task], "sha256": [task_hash(task)]})


# ---- user-defined metrics


@dataclass(frozen=True, slots=True)
class _Stored:
    """A user-defined metric as a store has it."""

    path: str
    text: str
    hashes: Mapping[str, str]  #: tokens and closure


def _own_stored(engine: Engine) -> dict[str, _Stored]:
    """Return the user-defined metrics of a store by the name of their view."""
    return {
        f"{OWN_SCHEMA}.{name}__v{version}": _Stored(path, text, {"tokens": sha256, "closure": closure})
        for name, version, _, text, sha256, closure, path in engine.rows(
            f"select {', '.join(_OWN_COLUMNS)} from registry.own_metric order by name, version"
        )
    }


def own_relations(engine: Engine) -> dict[str, Relation]:
    """Return the user-defined metrics of a store whose text matches the ledger, by name, in the order of their
    dependencies."""
    if not engine.rows("select 1 from registry.own_metric limit 1"):
        return {}
    odd = {subject for subject, _ in broken_sets(engine)}
    found = {name: one for name, one in _own_stored(engine).items() if f"{PREFIX}{name[4:]}" not in odd}
    return _ordered({name: own_relation(one.text, name[4:]) for name, one in found.items()})


def own_texts(engine: Engine) -> dict[str, str]:
    """Return the text of each user-defined metric, by name of its view."""
    return {name: one.text for name, one in _own_stored(engine).items()}


def _ordered(relations: dict[str, Relation]) -> dict[str, Relation]:
    return {name: relations[name] for name in build_order(relations)}


def newest_own(engine: Engine, task: str) -> dict[str, Relation]:
    """Return the newest version of each user-defined metric of a task, by name, with other metrics that it reads."""
    newest = newest_of(own_relations(engine)).values()
    return {r.name: r for r in newest if task in re.split(r"[,\s]+", r.header.fields["tasks"].strip())}


def broken_metrics(engine: Engine) -> dict[str, str]:
    """Return metric -> difference of those whose numbers are not shown: their definition is not what was added."""
    odd = {f"{OWN_SCHEMA}.{subject[4:]}": what for subject, what in broken_sets(engine) if subject.startswith(PREFIX)}
    rows = engine.rows(f"select metric, relation from registry.published where {of_owner(OWN)}") if odd else []
    homes = {(metric, name) for metric, view in rows for name in (view, VERSION.sub("", view))}
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
    own = [f"{what}." for subject, what in broken_sets(engine) if subject.startswith(PREFIX)]
    return [*verify_chain(engine, expected=expected, only=only), *own]


def broken_packages(engine: Engine) -> list[str]:
    """Return a message for each package whose definitions are not what the ledger says, or whose tables, views and rows
    are not its definitions.
    """
    return [f"{engine.path}: {what}." for subject, what in broken_sets(engine) if subject.startswith(SUBJECT)]


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
    types = stored_columns(engine) if engine is not None else shipped_columns()
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
    stored = own_texts(engine)
    known = {**catalog(), **own_relations(engine), **{metric.relation.name: metric.relation for metric in found}}
    closures = closure_hashes(known, tables(), own={name: compiled_entry(name)["tokens"] for name in catalog()})
    made = []
    for metric in found:
        name, version = metric.relation.name, metric.relation.version
        if stored.get(name) == metric.text:
            continue
        engine.execute("delete from registry.own_metric where name = ? and version = ?", [metric.name, version])
        row = (metric.name, version, " ".join(metric.tasks), metric.text, metric.sha256, closures[name], metric.path)
        engine.insert_rows("registry.own_metric", _OWN_COLUMNS, [row])
        subject = f"{PREFIX}{metric.name}__v{version}"
        append(engine, ("define", subject, dict(set_entries(engine))[subject]))
        made.append(f"{PREFIX}{metric.name}")
    if made:
        define_own(engine)
    return made


def define_own(engine: Engine) -> None:
    """Create the views of the metrics in registry.own_metric, and write what the registry says of them."""
    stored = _own_stored(engine)
    relations = _ordered({name: own_relation(one.text, name[4:]) for name, one in stored.items()})
    engine.execute(f"drop schema if exists {OWN_SCHEMA} cascade")
    create_views_of(engine, relations)
    _record(engine, OWN, registry_rows(OWN, relations, {name: one.hashes for name, one in stored.items()}))


def check_stored_own(engine: Engine) -> None:
    """Check the user-defined metrics that were copied from elsewhere, and create their views.

    Raises:
        InvalidInput: one of them would not be added.
        BrokenDefinition: the registry was copied with other rows than they publish.
    """
    _, problems = check_own([(one.path, name[4:], one.text) for name, one in _own_stored(engine).items()])
    if problems:
        raise InvalidInput(problems)
    rows = f"select * from registry.published where {of_owner(OWN)} order by all"
    copied = engine.rows(rows)
    define_own(engine)
    if engine.rows(rows) != copied:
        raise BrokenDefinition("registry.published does not say what the definitions in registry.own_metric publish")


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
        append(engine, ("drop", f"{PREFIX}{name}__v{version}", {}))
    engine.execute("delete from registry.own_metric where name = ?", [name])
    is_of_it = f"starts_with(relation, '{OWN_SCHEMA}.{name}__v')"
    for table in ("score", "block"):  # another definition may publish the same id
        engine.execute(
            f"""delete from ledger.result_{table} where metric in (
                select metric from registry.published where {of_owner(OWN)}
                group by metric having bool_and({is_of_it}))"""
        )
    define_own(engine)
