"""Task packages in a store: their tables and views, and what the store records of their definitions.

A store has the definitions of a package from the first condition of its task on. So its numbers can be shown and
verified where the package is not installed; only reading files and computing need it.
"""

import json
import re
import warnings
from collections.abc import Sequence
from contextlib import closing

import duckdb

from tdtsql.engine.duckdb import Engine, check_file_name
from tdtsql.engine.user_query import one_question
from tdtsql.errors import BrokenDefinition, InvalidQuery, MissingPackage, NotAStore, OtherDefinitions
from tdtsql.installed import IN_USE, Installed, stored, use, use_task
from tdtsql.definitions import lexer
from tdtsql.definitions.catalogue import VERSION, reads_of
from tdtsql.definitions.table import Table
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.statement import stored_texts
from tdtsql.store.ledger import append
from tdtsql.store.profiles import load_profiles
from tdtsql.store.schema import (
    alias_texts,
    altered_views,
    create_views_of,
    definition_rows,
    stored_columns,
    table_comments,
    task_hash,
)
from tdtsql.task import task_columns

SUBJECT = "package:"

#: names that need no quotes, and files below the folder of a package's SQL
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_FILE = re.compile(r"[a-z]+(?:/[a-z0-9_]+)*\.sql")


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
    append(engine, "define", f"{SUBJECT}{found.name}", entry_of(found))


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


def package_entries(engine: Engine) -> list[tuple[str, dict]]:
    """Return subject and detail of the ledger's entry of each package."""
    return [(f"{SUBJECT}{found.name}", entry_of(found)) for found in recorded(engine)]


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


def _drop_views(engine: Engine, package: str) -> None:
    names = engine.column("select relation from registry.package_view where package = ?", [package])
    for name in dict.fromkeys((*(VERSION.sub("", name) for name in names), *reversed(names))):
        if _NAME.fullmatch(name):  # whatever an edited store says
            engine.execute(f"drop view if exists {name}")
    for table in ("registry.package_view", "registry.definition", "registry.published"):
        engine.execute(f"delete from {table} where relation in (select unnest(?))", [names])


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
    for table in ("registry.task", "registry.task_definition"):
        engine.execute(f"delete from {table} where task = ?", [found.task.name])
    for table, columns in registry_rows(found).items():
        engine.insert(table, columns)


def registry_rows(found: Installed) -> dict[str, dict[str, list]]:
    """Return what the registry says of a package in use: table -> columns."""
    task, every = found.task.name, task_columns()
    return {
        "registry.package_view": {"relation": list(found.relations), "package": [found.name] * len(found.relations)},
        **definition_rows(found.relations, found.definitions["relations"]),
        "registry.task": {name: [values[every["task"].index(task)]] for name, values in every.items()},
        "registry.task_definition": {"task": [task], "sha256": [task_hash(task)]},
    }


def broken_packages(engine: Engine) -> list[str]:
    """Return a message for each package whose definitions are not what the ledger says, or whose tables and views are
    not its definitions.
    """
    said: dict[str, dict] = {}
    for subject, detail in engine.rows(
        "select subject, detail from ledger.entry where kind = 'define' and starts_with(subject, ?) order by entry_no",
        [SUBJECT],
    ):
        said[subject.removeprefix(SUBJECT)] = json.loads(detail)
    rows = engine.rows("select package, version, definitions, sha256 from registry.package order by 1")
    if not rows and not said and not engine.rows("select 1 from registry.package_view"):
        return []
    messages, named = [], set()
    columns = stored_columns(engine)
    for name, version, text, sha256 in rows:
        entry = said.pop(name, {})
        if (entry.get("version"), entry.get("sha256"), entry.get("text_sha256")) != (version, sha256, digest([text])):
            messages.append(f"{engine.path}: registry.package: {name} is not what the ledger says was added.")
        found = stored(name, version, text)
        relations = found.relations
        named |= {(relation, name) for relation in relations}
        for view, said_of in altered_views(engine, {**stored_texts(relations), **alias_texts(relations)}):
            messages.append(f"{engine.path}: view {view} of {name} {said_of}.")
        for table, made in found.tables.items():
            if list(columns.get(table, ())) != list(made.columns):
                messages.append(f"{engine.path}: table {table} is not the definition of {name}.")
        for table, wanted in registry_rows(found).items():
            wanted.pop("position", None)  # depends on which packages are in use
            key = "task" if "task" in wanted else "relation"
            rows_there = engine.rows(
                f"select {', '.join(wanted)} from {table} where list_contains(?, {key})",
                [[found.task.name] if key == "task" else list(relations)],
            )
            if table != "registry.task_definition" and sorted(map(repr, rows_there)) != sorted(
                map(repr, zip(*wanted.values(), strict=True))
            ):
                messages.append(f"{engine.path}: {table}: rows of {name} were edited.")
    if named != set(engine.rows("select relation, package from registry.package_view")):
        messages.append(f"{engine.path}: registry.package_view was edited.")
    messages += [f"{engine.path}: registry.package has no {name}, which the ledger says was added." for name in said]
    return messages
