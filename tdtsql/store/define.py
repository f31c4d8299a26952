"""Add definitions to a store: those of task packages, and user-defined metrics; `tdtsql.store.sets` compares them."""

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from tdtsql.definitions import lexer
from tdtsql.definitions.catalogue import (
    PREFIX,
    VERSION,
    Relation,
    build_order,
    catalog,
    compiled_entry,
    read_statement,
    reads_of,
)
from tdtsql.definitions.create import create_views_of, table_comments
from tdtsql.definitions.hashes import closure_hashes
from tdtsql.definitions.sets import IN_USE, Installed, is_installed, use, use_task
from tdtsql.definitions.table import tables
from tdtsql.definitions.verify import shipped_columns, stored_columns
from tdtsql.engine.duckdb import OWN_SCHEMA, Engine, check_file_name
from tdtsql.engine.quoting import sql_identifier
from tdtsql.engine.sandbox import one_question
from tdtsql.errors import (
    BrokenDefinition,
    InvalidInput,
    InvalidQuery,
    InvalidSetting,
    MissingPackage,
    NotAStore,
    OtherDefinitions,
    Problem,
    UnknownName,
    unknown_name_error,
)
from tdtsql.store.profiles import load_profiles
from tdtsql.store.recording import append
from tdtsql.store.sets import (
    SUBJECT,
    StoredSet,
    homes,
    own_relations,
    own_set,
    own_texts,
    package_set,
    recorded,
    set_entries,
)

if TYPE_CHECKING:
    from tdtsql.definitions.check import Check, OwnMetric

#: names that need no quotes, and files below the folder of a package's SQL
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_FILE = re.compile(r"[a-z]+(?:/[a-z0-9_]+)*\.sql")
#: rows of each input over which a definition is computed in several orders
SHUFFLED_ROWS = 100_000


def define_set(engine: Engine, one: StoredSet) -> None:
    """Create the views of a set, and write what the registry says of it, in place of what was there.

    Raises:
        BrokenDefinition: the views of a package do not bind.
    """
    names = engine.column("select relation from registry.definition where owner = ?", [one.owner])
    for name in dict.fromkeys((*(VERSION.sub("", name) for name in names), *reversed(names))):
        if _NAME.fullmatch(name):  # whatever an edited store says
            engine.execute(f"drop view if exists {name}")
    try:
        create_views_of(engine, one.relations)
        for entry in one.package.definitions.get("audit", {}).values() if one.package else ():
            engine.execute(f"explain {entry['sql']}")
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        who = f"{one.owner} {one.package.version}" if one.package else one.owner
        said = f"{who}: {str(error).splitlines()[0]}. Tell its authors; `tdtsql task check` shows it."
        raise BrokenDefinition(said) from None
    one.record(engine)


# ---- task packages


def use_recorded(engine: Engine) -> None:
    """Take the packages of a store in use: those that are installed as installed, others as the store recorded them. A
    newer installed version replaces what a store has, if it can be written to.
    """
    for package in recorded(engine):
        check_file_name(engine.path, package.schemas)
        use_task(package.task.name)
        here = IN_USE[package.task.name] if is_installed(package) else None
        if here and here.sha256 == package.sha256:
            continue
        check_safe(package)
        if here is None or here.is_older(package):
            use(package)
        elif not engine.read_only:
            with engine.transaction():
                add_package(engine, package.task.name)
            say_replaced(engine, package.name, package.version, package.sha256, here.version, here.sha256)


def say_replaced(engine: Engine, name: str, version: str, sha256: str, version_here: str, sha256_here: str) -> None:
    """Warn that the definitions of a store were replaced by those installed."""
    warnings.warn(
        f"{engine.path}: the definitions of {name} {version} ({sha256[:8]}) were replaced by those installed "
        f"({version_here}, {sha256_here[:8]}): numbers that they change are computed again.",
        OtherDefinitions,
        stacklevel=2,
    )


def check_safe(package: Installed) -> None:
    """Refuse definitions from a store or an archive that do more than define tables and read relations.

    Raises:
        BrokenDefinition: a view reads files or changes something, a table is created from a query.
    """

    def refuse(what: str) -> BrokenDefinition:
        return BrokenDefinition(f"{package.name}: {what}")

    parts = package.definitions
    views, tables = {**parts["relations"], **parts.get("derived", {})}, parts["tables"]
    selects = {name: entry["body"] for name, entry in views.items()}
    selects |= {f"audit.{name}": entry["sql"] for name, entry in parts.get("audit", {}).items()}
    for name in (*selects, *tables, *(f"x.{column}" for entry in tables.values() for column in entry["columns"])):
        if not _NAME.fullmatch(name):
            raise refuse(f"{name!r} is not the name of a view, table or column.")
    for name, entry in views.items():
        if not _FILE.fullmatch(entry["file"]):
            raise refuse(f"{entry['file']!r} is not a file of its definitions.")
        if entry.get("reads") != [list(read) for read in reads_of(entry["body"])]:
            raise refuse(f"view {name} does not read what is recorded of it.")
    with closing(Engine(":memory:")) as engine:
        for name, text in selects.items():
            try:
                one_question(engine.connection, text)
            except InvalidQuery as error:
                raise refuse(f"view {name} is not allowed: {error}") from None
    for name, entry in tables.items():
        words = {word.lower() for word in lexer.words(entry["statement"])}
        if not entry["statement"].startswith(f"create table {name} (") or words & {"select", "as", ";"}:
            raise refuse(f"table {name} is not defined by its columns alone.")


def check_not_older(engine: Engine, task: str) -> None:
    """Raise MissingPackage where a newer version of the package of a task wrote the store than the one that is used."""
    if (here := IN_USE.get(task)) is None:
        return
    for there in recorded(engine):
        if there.name == here.name and here.is_older(there):
            raise MissingPackage(
                f"the store was written with {there.name} {there.version}, and {here.version} is installed. Run "
                f"`pip install -U {there.name}`."
            )


def add_package(engine: Engine, task: str) -> None:
    """Give a store the tables and views of the package of a task, unless it has them. To be called in a transaction.

    Raises:
        NotAStore: a store that has other tables of this package.
    """
    package = IN_USE.get(task)
    if package is None or package.package is None:
        return
    check_file_name(engine.path, package.schemas)
    for there in [one for one in recorded(engine) if one.name == package.name]:
        if (there.sha256, there.version) == (package.sha256, package.version):
            return
        now = {name: table.columns for name, table in package.tables.items()}
        if odd := sorted(name for name, table in there.tables.items() if now.get(name) != table.columns):
            raise NotAStore(
                f"{package.name} {package.version} has other tables than the version that this store was filled with "
                f"({', '.join(odd)}). Evaluate the bundle into a new store."
            )
    create_package_tables(engine, package)
    row = (package.name, package.version, task, package.text, package.sha256)
    engine.execute("insert or replace into registry.package values (?, ?, ?, ?, ?)", row)
    define_set(engine, package_set(package))
    load_profiles(engine, {}, "")  # those of the package too
    _record(engine, [SUBJECT + package.name])


def create_package_tables(engine: Engine, package: Installed) -> None:
    """Create the tables of a package that a store does not have yet."""
    there = stored_columns(engine)
    statements = [f"create schema if not exists {schema}" for schema in package.schemas]
    for name, table in package.tables.items():
        statements += [] if name in there else [table.statement, *table_comments(table)]
    engine.execute_all(statements)


def _record(engine: Engine, subjects: Iterable[str]) -> None:
    """Record in the ledger what was defined."""
    entries = set_entries(engine)
    append(engine, *(("define", subject, entries[subject]) for subject in subjects))


# ---- user-defined metrics


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
            said = f"the metric cannot be read: {error.strerror if isinstance(error, OSError) else 'not UTF-8'}"
            problems.append(Problem("E710", str(path), None, None, said, advice="Name a file of UTF-8 text."))
    if problems:
        raise InvalidInput(problems)
    return found


def check_own(
    files: Sequence[tuple[str, str, str]], engine: Engine | None = None
) -> "tuple[list[OwnMetric], list[Problem]]":
    """Return the definitions of files, and all their defects; stores nothing.

    Args:
        files: (path as given, name of the relation, text).
        engine: the store that they are for; None: an empty one.
    """
    from tdtsql.definitions.check import Check  # not above: who only opens a store checks no definition

    known = own_relations(engine) if engine is not None else {}
    checks = [Check(text, path, name) for path, name, text in files]
    made = {metric.relation.name: (check, metric) for check in checks if (metric := check.metric)}
    relations = {name: metric.relation for name, (_, metric) in made.items()}
    try:
        order = build_order(relations)
    except BrokenDefinition as error:
        next(iter(made.values()))[0].problems.add("E982", str(error).partition(". ")[0], "Break the circle.", 1, 1)
        order = []
    with closing(Engine(":memory:")) as scratch:
        _create_inputs(scratch, known, relations, engine)
        all_homes = homes({**known, **relations})
        for check, metric in map(made.__getitem__, order):
            _check_homes(check, metric.relation, all_homes)
            check.bind(scratch)
            if engine is not None:
                _check_version(engine, check, metric)
                if not check.problems.errors and not relations.keys() & {*metric.relation.header.inputs}:
                    _check_numbers(engine, check, metric.relation)
    found = [metric for check, metric in map(made.__getitem__, order) if not check.problems.errors]
    return found, [problem for check in checks for problem in check.problems.found]


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


def _check_homes(check: "Check", relation: Relation, all_homes: Mapping[tuple[str, bool], set[str]]) -> None:
    """Report metrics that another definition publishes too, both of blocks or both of runs."""
    line = check.text[: check.text.index("\nmetrics:") + 1].count("\n") + 1
    for one in relation.header.metrics:
        for other in sorted(all_homes[one.metric, "block_no" in relation.header.grain] - {relation.alias}):
            said = f"{one.metric} is published by {other} too"
            check.problems.add("E986", said, "Rename it, or make one of them a metric of runs.", line, 1, one.column)


def _check_version(engine: Engine, check: "Check", metric: "OwnMetric") -> None:
    """Report a metric that the store has with another text, and a version that does not follow on those there."""
    relation = metric.relation
    said = {"name": metric.name, "version": relation.version, "relation": relation.name}
    said |= {"sha256": metric.sha256, "text": metric.text}
    for message, advice, line, value in engine.rows(read_statement("verify/own_version"), said):
        check.problems.add("E988", message, advice, line, 1, value)


def _check_numbers(engine: Engine, check: "Check", relation: Relation) -> None:
    """Report a grain that is not unique for the runs of a store, and numbers that change with the order of rows."""
    keys = ", ".join(relation.header.grain)
    try:
        rows = engine.rows(f"select {keys} from (\n{relation.body}\n) group by all having count(*) > 1 limit 1")
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
    header, made = relation.header, []
    values = [column.name for column in header.columns if not column.is_key]
    differs = ", ".join(f"bool_or(one.{name} is distinct from other.{name})" for name in values)

    def taken(source: str, order: str) -> str:
        """Return a table of the rows of a relation in an order."""
        made.append(engine.make_temporary(engine.unused_name("ordered"), f"select * from {source} {order}"))
        return made[-1]

    try:
        first = {read: taken(read, f"limit {SHUFFLED_ROWS}") for read in header.inputs}
        for order in ("rowid desc", "md5(cast(rowid as varchar))"):  # backwards, and shuffled in a fixed way
            other = {read: taken(source, f"order by {order}") for read, source in first.items()}
            [row] = engine.rows(
                f"""select {differs} from ({relation.reading(first)}) as one
                full join ({relation.reading(other)}) as other using ({", ".join(header.grain)})"""
            )
            if any(row):
                return values[row.index(True)]
        return None
    finally:
        for name in made:
            engine.execute(f"drop table {name}")


def add_own(engine: Engine, files: Sequence[tuple[str, str, str]]) -> list[str]:
    """Store metrics, all or none; returns the ids that are new or changed. To be called in a transaction.

    Raises:
        InvalidInput: one of them has a defect.
    """
    found, problems = check_own(files, engine)
    if problems:
        raise InvalidInput(problems)
    there = own_texts(engine)
    known = {**catalog(), **own_relations(engine), **{metric.relation.name: metric.relation for metric in found}}
    closures = closure_hashes(known, tables(), own={name: compiled_entry(name)["tokens"] for name in catalog()})
    changed = {metric.relation.name: metric for metric in found if there.get(metric.relation.name) != metric.text}
    for view, metric in changed.items():
        names = metric.name, metric.relation.version, " ".join(metric.relation.header.tasks)
        row = (*names, metric.text, metric.sha256, closures[view], metric.path)
        engine.execute("insert or replace into registry.own_metric values (?, ?, ?, ?, ?, ?, ?)", row)
    if changed:
        _record(engine, [PREFIX + view.removeprefix(f"{OWN_SCHEMA}.") for view in changed])
        define_set(engine, own_set(engine))
    return [PREFIX + metric.name for metric in changed.values()]


def check_stored_own(engine: Engine) -> None:
    """Check the user-defined metrics that were copied from elsewhere, and create their views; `broken_sets` compares
    the rows of the registry that were copied with them.

    Raises:
        InvalidInput: one of them would not be added.
    """
    stored = "select path, name || '__v' || version, definition from registry.own_metric order by name, version"
    _, problems = check_own(engine.rows(stored))
    if problems:
        raise InvalidInput(problems)
    create_views_of(engine, own_set(engine).relations)


def drop_own(engine: Engine, metric: str) -> None:
    """Remove a metric with all its versions and numbers. To be called in a transaction.

    Raises:
        UnknownName: no such metric.
        InvalidSetting: another one reads it.
    """
    name = metric.removeprefix(PREFIX)
    names = sorted(set(engine.column("select name from registry.own_metric")))
    if not names:
        raise UnknownName(f"metric '{metric}' is unknown: the store has no user-defined metric.")
    if name not in names:
        raise unknown_name_error("metric", metric, [PREFIX + one for one in names])
    view = f"{OWN_SCHEMA}.{name}"
    readers = {
        one.alias
        for one in own_relations(engine).values()
        if one.alias != view and view in {VERSION.sub("", read) for read in one.header.inputs}
    }
    if readers:
        raise InvalidSetting(f"{PREFIX}{name} is read by {', '.join(sorted(readers))}. Drop it first.")
    versions = engine.column("delete from registry.own_metric where name = ? returning version", [name])
    append(engine, *(("drop", f"{PREFIX}{name}__v{version}", {}) for version in sorted(versions)))
    define_set(engine, own_set(engine))
