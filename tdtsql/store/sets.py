"""Sets of definitions in a store, in addition to those of tdtsql: of each task package, and the user-defined metrics.

A set is views with an owner, the rows of the registry that follow from them, and entries of the ledger that say what
was added. A store has the set of a package from the first condition of its task on: its numbers are shown and verified
where the package is not installed; only reading files and computing need it. `tdtsql.store.define` adds sets.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tdtsql.definitions.catalogue import (
    PREFIX,
    VERSION,
    Relation,
    build_order,
    compiled_entry,
    computed,
    newest_of,
    read_statement,
    tasks_of,
)
from tdtsql.definitions.create import alias_texts, stored_texts
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.sets import IN_USE, Installed, stored
from tdtsql.definitions.table import tables
from tdtsql.definitions.verify import altered_views, stored_columns
from tdtsql.engine.duckdb import OWN_SCHEMA, Engine
from tdtsql.engine.memory import rows_in_memory
from tdtsql.errors import BrokenDefinition, MissingPackage
from tdtsql.store.ledger import verify_chain
from tdtsql.task import task_columns

#: how subjects of the ledger begin that are packages
SUBJECT = "package:"
#: owner of the definitions of tdtsql, and of user-defined metrics; any other is a package
SHIPPED, OWN = "tdtsql", "own"

_TASK = "task in (select task from registry.package where package = $owner)"
#: tables that say what sets define -> which rows are those of an owner
RECORDS = {
    "registry.published": "relation in (select relation from registry.definition where owner = $owner)",
    "registry.definition": "owner = $owner",
    "registry.task": _TASK,
    "registry.task_definition": _TASK,
}


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A set of definitions."""

    owner: str
    relations: Mapping[str, Relation]  #: its views by name, in build order
    entries: Mapping[str, Mapping[str, Any]]  #: view -> its header as compiled, ``tokens`` and ``closure``
    tasks: Collection[str] = ()  #: that it defines
    package: Installed | None = None

    def subject(self, name: str) -> str:
        """Return the subject of the ledger under which one of its views was added."""
        return PREFIX + name.removeprefix(f"{OWN_SCHEMA}.") if self.owner == OWN else SUBJECT + self.owner

    def records(self) -> dict[str, list[tuple]]:
        """Return what the registry says of it: table -> rows."""
        relations, columns = json.dumps(self.entries), task_columns()
        of_tasks = zip(*(columns[name] for name in tables()["registry.task"].columns), strict=True)
        published = {"relations": relations, "is_own": self.owner == OWN}
        defined = {"relations": relations, "owner": self.owner}
        # not on the connection of a store, which may have macros of the names of functions
        return {
            "registry.published": rows_in_memory(read_statement("verify/published"), published),
            "registry.definition": rows_in_memory(read_statement("verify/defined"), defined),
            "registry.task": [row for row in of_tasks if row[0] in self.tasks],
            "registry.task_definition": [(task, task_hash(task)) for task in self.tasks],
        }

    def record(self, engine: Engine) -> None:
        """Write what the registry says of it, in place of what was there."""
        for table, where in RECORDS.items():
            engine.execute(f"delete from {table} where {where}", {"owner": self.owner})
        for table, rows in self.records().items():
            engine.insert_rows(table, tables()[table].columns, rows)


def homes(relations: Mapping[str, Relation]) -> dict[tuple[str, bool], set[str]]:
    """Return (metric, whether of blocks) -> the definitions that publish it, without version."""
    found: dict[tuple[str, bool], set[str]] = {}
    for alias, relation in newest_of(relations).items():
        for metric in relation.header.metrics:
            found.setdefault((metric.metric, "block_no" in relation.header.grain), set()).add(alias)
    return found


def task_hash(task: str) -> str:
    """Return one hash over all views that are computed for a task, by default or on request."""
    return digest(part for name in computed(task, asked=True) for part in (name, str(compiled_entry(name)["tokens"])))


# ---- the sets of a store


def recorded(engine: Engine) -> list[Installed]:
    """Return the packages whose definitions a store has, as it recorded them."""
    return [
        stored(*row) for row in engine.rows("select package, version, definitions from registry.package order by 1")
    ]


def package_set(package: Installed) -> StoredSet:
    """Return the set of a package."""
    return StoredSet(package.name, package.relations, package.definitions["relations"], [package.task.name], package)


def own_set(engine: Engine, but: Iterable[str] = ()) -> StoredSet:
    """Return the user-defined metrics of a store, without some subjects of the ledger."""
    from tdtsql.definitions.check import own_relation  # not above: who only reads a store checks no definition

    relations, entries = {}, {}
    for name, text, tokens, closure in engine.rows(
        "select name || '__v' || version, definition, sha256, closure_sha256 from registry.own_metric order by 1"
    ):
        if PREFIX + name not in but:
            relations[f"{OWN_SCHEMA}.{name}"] = own_relation(text, name)
            header = relations[f"{OWN_SCHEMA}.{name}"].header
            entries[f"{OWN_SCHEMA}.{name}"] = {**header.compiled, "tokens": tokens, "closure": closure}
    return StoredSet(OWN, {name: relations[name] for name in build_order(relations)}, entries)


def own_relations(engine: Engine) -> Mapping[str, Relation]:
    """Return the user-defined metrics of a store that are what the ledger says, by name, in build order."""
    if not engine.rows("select 1 from registry.own_metric limit 1"):
        return {}
    return own_set(engine, {subject for subject, _ in broken_sets(engine)}).relations


def own_texts(engine: Engine) -> dict[str, str]:
    """Return the text of each user-defined metric, by name of its view."""
    return dict(engine.rows(f"select '{OWN_SCHEMA}.' || name || '__v' || version, definition from registry.own_metric"))


def newest_own(engine: Engine, task: str) -> dict[str, Relation]:
    """Return the newest version of each user-defined metric of a task, by name."""
    return {one.name: one for one in newest_of(own_relations(engine)).values() if task in tasks_of(one)}


def package_objects(engine: Engine) -> set[str]:
    """Return the views (with and without version) and tables of the packages that a store recorded."""
    names = {name for one in recorded(engine) for name in (*one.definitions["relations"], *one.definitions["tables"])}
    return names | {VERSION.sub("", name) for name in names}


# ---- whether they are what was added


def set_entries(engine: Engine) -> dict[str, dict]:
    """Return subject -> detail of the ledger's entry of each package and user-defined metric, as they are now."""
    return {subject: said for subject, said, _ in engine.rows(read_statement("verify/definition")) if said is not None}


def broken_sets(engine: Engine) -> list[tuple[str, str]]:
    """Return (subject of the ledger, difference) of packages and user-defined metrics that are not what the ledger says
    was added, or whose tables, views and rows of the registry are not their definitions.
    """
    if not engine.rows(
        """select 1 from registry.package union all select 1 from registry.own_metric
        union all select 1 from registry.definition where owner <> $shipped
        union all select 1 from ledger.entry where kind = 'define' and subject <> 'store' limit 1""",
        {"shipped": SHIPPED},
    ):
        return []  # quick: this is part of opening a store
    rows = engine.rows(read_statement("verify/definition"))
    broken = {subject: difference for subject, _, difference in rows if difference is not None}
    sets = [*map(package_set, recorded(engine)), own_set(engine, broken)]
    found = [(one.subject(name), what) for one in sets for name, what in _differences(engine, one)]
    return [*broken.items(), *((subject, what) for subject, what in found if subject not in broken)]


def _differences(engine: Engine, one: StoredSet) -> Iterator[tuple[str, str]]:
    """Yield (view or table, difference) of the views, tables and rows of the registry that are not those of a set."""
    is_own = one.owner == OWN
    of = "" if is_own else f" of {one.owner}"
    for view, what in altered_views(engine, {**stored_texts(one.relations), **alias_texts(one.relations)}):
        yield view, f"view {view}{of} {what}"
    columns = stored_columns(engine) if one.package else {}
    for name, made in one.package.tables.items() if one.package else ():
        if list(columns.get(name, ())) != list(made.columns):
            yield name, f"table {name} is not the definition{of}"
    records = one.records()
    records.pop("registry.task_definition", None)  # it follows from the views that are in use
    for table, rows in records.items():
        there = engine.rows(f"select * from {table} where {RECORDS[table]}", {"owner": one.owner})
        if table == "registry.task":  # its position depends on which packages are in use
            rows, there = ([(task, *rest) for task, _, *rest in some] for some in (rows, there))
        names = {row[table == "registry.published"] if is_own else one.owner for row in {*rows} ^ {*there}}
        yield from ((name, f"{table}: rows of {name} were edited") for name in sorted(names))


def broken_metrics(engine: Engine) -> dict[str, str]:
    """Return metric -> difference of those whose numbers are not shown: their definition is not what was added."""
    odd = {f"{OWN_SCHEMA}.{subject[4:]}": what for subject, what in broken_sets(engine) if subject.startswith(PREFIX)}
    query = f"select metric, relation from registry.published where {RECORDS['registry.published']} order by all"
    rows = engine.rows(query, {"owner": OWN}) if odd else []
    return {metric: odd[name] for metric, view in rows for name in (VERSION.sub("", view), view) if name in odd}


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
    return verify_chain(engine, expected=expected, only=only) + own


def broken_packages(engine: Engine) -> list[str]:
    """Return a message for each package whose definitions are not what the ledger says, or whose tables, views and rows
    are not its definitions.
    """
    return [f"{engine.path}: {what}." for subject, what in broken_sets(engine) if subject.startswith(SUBJECT)]


# ---- which tasks can be computed


def missing_package(task: str) -> str | None:
    """Return, of a task whose package is not installed, that its numbers are shown and not computed."""
    package = IN_USE.get(task)
    if package is None or package.package is not None:
        return None
    return (
        f"task '{task}' is of {package.name} {package.version}, which is not installed here: its stored numbers are "
        f"shown, not computed. Run `pip install {package.name}`."
    )


def check_computable(task: str) -> None:
    """Raise MissingPackage for a task whose package is not installed."""
    if message := missing_package(task):
        raise MissingPackage(message)


def missing_packages(engine: Engine, runs: Collection[str] = ()) -> list[str]:
    """Return a sentence for each task of some runs (all by default) whose package is not installed."""
    tasks = engine.column(
        """select distinct task from registry.run join registry.condition using (condition_no)
        where $every or list_contains($runs, run_id) order by 1""",
        {"runs": list(runs), "every": not runs},
    )
    return [message for task in tasks if (message := missing_package(task))]
