"""Every relation that ``sql/`` defines, in build order: at run time as compiled, at build time read from the files.

The path is the name: ``sql/metric/detection/rate__v1.sql`` is
``metric.detection_rate__v1``, ``sql/base/trial__v1.sql`` is ``base.trial__v1``.
"""

import json
import re
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tdtsql.errors import BrokenDefinition, UnknownName, meant
from tdtsql.definitions.header import FIELDS, REQUIRED_OF_DERIVED, Column, Header, Published, parse, read_fields
from tdtsql.definitions.lexer import OTHER, tokens
from tdtsql.task import TASKS
from tdtsql.definitions.macro import FOLDER, Macro, calls, expand, read_macros

#: what `tdtsql.build` writes
COMPILED = Path(__file__).resolve().parents[1] / "compiled"

#: the same of a task package, in its root
PACKAGE_FILE = "compiled.json"

VERSION = re.compile(r"__v(\d+)$")
#: how ids of user-defined metrics begin
PREFIX = "own:"
#: folder of ``sql`` whose files fill tables
DERIVED = "derived"
#: folder of ``sql`` whose files return the rows that break an invariant
AUDIT = "audit"
#: folders of ``sql`` whose files define nothing: no hash of definitions covers them
NO_DEFINITIONS = ("query", "archive", "explain", "compare", "scoring", "show", "verify")
#: folders of ``sql`` whose files are no views
NO_VIEWS = ("schema", "load", FOLDER, DERIVED, AUDIT, *NO_DEFINITIONS)


#: task packages in use, by distribution
_PACKAGES: dict[str, "DefinitionSet"] = {}
_CLEAR: list[Callable[[], None]] = []
_Function = TypeVar("_Function", bound=Callable[..., Any])


def cached_definitions(function: _Function) -> _Function:
    """Decorate a function of the definitions in use: its results are cached until a task package adds to them."""
    kept: Any = cache(function)
    _CLEAR.append(kept.cache_clear)
    return kept


def use_package(found: "DefinitionSet") -> None:
    """Add the definitions of a task package to those in use; nothing changes if they are in use already."""
    if _PACKAGES.get(found.name) != found:
        _PACKAGES[found.name] = found
        for clear in _CLEAR:
            clear()


def forget_packages() -> None:
    """Take the definitions of all task packages out of use."""
    _PACKAGES.clear()
    for clear in _CLEAR:
        clear()


class Read(NamedTuple):
    """Where a SELECT reads a relation."""

    start: int
    end: int
    relation: str
    alias: str  #: to be added to a relation that replaces it


@dataclass(frozen=True, slots=True)
class Relation:
    """One view: its name, its contract and its SELECT."""

    name: str  #: schema.name with version
    path: Path
    header: Header
    body: str  #: with macros written out, line by line as the file has it
    plain: str = ""  #: as the author wrote it
    macros: tuple[Macro, ...] = ()  #: macros that it calls, directly or not, by name; only in views read from files
    line: int = 1  #: of the file, where the SELECT begins
    compiled_reads: tuple[Read, ...] | None = None  #: `reads`, where they are known

    @property
    def schema(self) -> str:
        return self.name.split(".")[0]

    @property
    def place(self) -> str:
        """Its file as messages name it."""
        parts = self.path.parts
        return "/".join(parts[len(parts) - 1 - parts[::-1].index("sql") :]) if "sql" in parts else self.path.name

    @property
    def reads(self) -> tuple[Read, ...]:
        """Where its SELECT reads relations."""
        return reads_of(self.body) if self.compiled_reads is None else self.compiled_reads

    def reading(self, names: Mapping[str, str]) -> str:
        """Return its SELECT, which reads ``names[x]`` in place of each relation ``x``."""
        return reading(self.body, names, self.reads)

    @property
    def alias(self) -> str:
        """The name without its version."""
        return VERSION.sub("", self.name)

    @property
    def version(self) -> int:
        match = VERSION.search(self.name)
        return int(match[1]) if match else 1

    @property
    def family(self) -> str:
        """The folder below ``sql/metric``; the schema elsewhere."""
        return self.path.parent.name


@dataclass(frozen=True)
class DefinitionSet:
    """What one owner defines: tdtsql, or a task package."""

    name: str  #: of the distribution
    root: Path  #: folder of its SQL
    definitions: Mapping[str, Any]  #: as compiled (`tdtsql.build`)

    @cached_property
    def relations(self) -> dict[str, Relation]:
        """Its views by name, in build order."""
        return _relations_of(self.definitions["relations"], self.root)

    @cached_property
    def derived(self) -> dict[str, Relation]:
        """Its definitions of tables and columns that follow from what was loaded, by name."""
        return _relations_of(self.definitions[DERIVED], self.root)


@cache
def sql_root() -> Path:
    """Return the folder ``sql``: inside the installed package, or next to it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    root = package / "sql" if is_installation() else package.parent / "sql"
    if not (root / "versions.lock").exists():
        raise BrokenDefinition(f"{root}: there are no SQL definitions with a versions.lock. Install tdtsql again.")
    return root


def load_file(name: str) -> Path:
    """Return the path of a file of ``sql/load`` by its path there without its ending; ``DISTRIBUTION:PATH`` is that of
    a task package in use.
    """
    owner, _, own = name.rpartition(":")
    return (_PACKAGES[owner].root if owner else sql_root()) / "load" / f"{own}.sql"


@cache
def read_statement(name: str) -> str:
    """Return the SQL of a file below ``sql`` that is run as it is, by its path without its ending."""
    _, statement = read_fields(
        (sql_root() / f"{name}.sql").read_text(encoding="utf-8"), f"{name}.sql", FIELDS, ("title",)
    )
    return statement


def is_definition(path: Path, root: Path) -> bool:
    """Return whether a file below ``sql`` is part of the definitions: views, tables, checks, profiles, the lock."""
    return path.suffix in (".sql", ".toml", ".lock") and path.relative_to(root).parts[0] not in NO_DEFINITIONS


def is_installation() -> bool:
    """Return whether the definitions are those of an installed package, not of a checkout."""
    return (Path(__file__).resolve().parent.parent / "sql").is_dir()


def roots() -> list[Path]:
    """Return the folders of definitions: of tdtsql, and of the task packages in use."""
    return [one.root for one in in_use()]


def is_package(root: Path) -> bool:
    """Return whether a root of definitions is that of a task package: it was compiled as such."""
    return (root / PACKAGE_FILE).is_file()


def read_catalog(root: Path) -> dict[str, Relation]:
    """Return every view below ``root`` by name, in build order. A task package calls the macros of tdtsql.

    Raises:
        BrokenDefinition: a bad header, an input that no file and no table
            defines, or views that need each other.
    """
    macros = read_macros(sql_root() if is_package(root) else root)
    relations: dict[str, Relation] = {}
    for path in sorted(root.glob("*/**/*.sql"), key=str):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[0] in NO_VIEWS:
            continue
        name, place = f"{parts[0]}.{'_'.join(parts[1:])}", "/".join(path.parts[-len(parts) :])
        text = path.read_text(encoding="utf-8")
        relations[name] = written(name, path, *parse(text, place), macros, place)
    return {name: relations[name] for name in build_order(relations)}


def written(
    name: str, path: Path, header: Header, plain: str, line: int, macros: Mapping[str, Macro], place: str
) -> Relation:
    """Return the relation of a file with the macros that its SELECT calls written out; ``place``: as errors call it."""
    used = sorted({every for macro in calls(plain, macros) for every in (macro, *macros[macro].calls)})
    body = expand(plain, macros, place)
    return Relation(name, path, header, body, plain, tuple(macros[macro] for macro in used), line)


def read_derived(root: Path) -> dict[str, Relation]:
    """Return the definitions below ``root``/derived by name, each after those whose tables it reads."""
    found = {}
    for path in sorted((root / DERIVED).glob("*.sql")):
        place = f"{root.name}/{DERIVED}/{path.name}"
        text = path.read_text(encoding="utf-8")
        header, body, line = parse(text, place, REQUIRED_OF_DERIVED)
        found[f"{DERIVED}.{path.stem}"] = Relation(f"{DERIVED}.{path.stem}", path, header, body, body, line=line)
    filled = {relation.header.fields["fills"]: name for name, relation in found.items()}
    graph = {name: [filled[read] for read in found[name].header.inputs if read in filled] for name in found}
    return {name: found[name] for name in TopologicalSorter(graph).static_order()}


@cache
def shipped() -> DefinitionSet:
    """Return the definitions of this installation."""
    return DefinitionSet("tdtsql", sql_root(), json.loads((COMPILED / "catalog.json").read_text(encoding="utf-8")))


def in_use() -> list[DefinitionSet]:
    """Return the definitions of tdtsql and of the task packages in use."""
    return [shipped(), *_PACKAGES.values()]


def installed_key() -> str:
    """Return one hash over the files of ``sql/`` that the definitions were compiled from, and the rows of the tasks."""
    return str(shipped().definitions["key"])


def compiled_entry(name: str) -> dict[str, Any]:
    """Return the compiled entry of a view or derived table in use."""
    parts = (one.definitions[part] for one in in_use() for part in ("relations", DERIVED))
    return dict(ChainMap(*parts)[name])


@cached_definitions
def catalog() -> dict[str, Relation]:
    """Return the views in use by name, in build order."""
    return {name: relation for one in in_use() for name, relation in one.relations.items()}


@cached_definitions
def derived() -> dict[str, Relation]:
    """Return the definitions in use of what follows from what was loaded, by name."""
    return {name: relation for one in in_use() for name, relation in one.derived.items()}


@cached_definitions
def package_entries(part: str) -> dict[str, dict[str, Any]]:
    """Return the compiled ``tables`` or ``profiles`` of task packages in use, by name."""
    return {name: entry for one in _PACKAGES.values() for name, entry in one.definitions[part].items()}


def _relations_of(entries: Mapping[str, Any], root: Path) -> dict[str, Relation]:
    """Return the relations of compiled entries, whose files are below ``root``, by name."""
    found = {}
    for name, entry in entries.items():
        header = Header(
            entry["title"],
            entry["fields"],
            tuple(entry["inputs"]),
            tuple(entry["grain"]),
            tuple(Column(*column) for column in entry["columns"]),
            tuple(Published(*metric) for metric in entry["metrics"]),
        )
        found[name] = Relation(
            name,
            root / entry["file"],
            header,
            entry["body"],
            entry.get("plain", entry["body"]),
            line=entry["line"],
            compiled_reads=tuple(Read(*read) for read in entry["reads"]),
        )
    return found


def build_order(relations: dict[str, Relation]) -> list[str]:
    """Return the names in build order: each after the relations that it reads (ties by name)."""
    graph = {
        name: sorted(i for i in relation.header.inputs if i in relations)
        for name, relation in sorted(relations.items())
    }
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise BrokenDefinition(f"views need each other: {' -> '.join(error.args[1])}. Break the circle.") from error


@cached_definitions
def newest() -> dict[str, Relation]:
    """Return the newest version of every view in use, by its name without version."""
    return newest_of(catalog())


def newest_of(relations: Mapping[str, Relation]) -> dict[str, Relation]:
    """Return the newest version of every view among these, by its name without version."""
    found: dict[str, Relation] = {}
    for relation in relations.values():
        if relation.version >= found.get(relation.alias, relation).version:
            found[relation.alias] = relation
    return found


def closure(relations: Mapping[str, Relation], names: Iterable[str]) -> list[str]:
    """Return ``names`` and all views they read, directly or not, in build order."""
    wanted: set[str] = set()
    queue = list(names)
    while queue:
        name = queue.pop()
        if name in relations and name not in wanted:
            wanted.add(name)
            queue.extend(relations[name].header.inputs)
    return [name for name in relations if name in wanted]


@cache
def reads_of(sql: str) -> tuple[Read, ...]:
    """Return where a SELECT reads relations: its words after FROM and JOIN, and no text that only looks like them."""
    words, found = tokens(sql), []
    for at, word in enumerate(words[:-3]):
        schema, point, name = words[at + 1 : at + 4]
        compares = at > 0 and words[at - 1].text == "distinct" and words[at - 2].text in ("is", "not")
        after = words[at + 4].text if at + 4 < len(words) else ""
        if word.kind == OTHER and word.text in ("from", "join") and point.text == "." and after != "." and not compares:
            alias = "" if after == "as" else f" as {name.text}"
            found.append(Read(schema.start, name.end, f"{schema.text}.{name.text}", alias))
    return tuple(found)


def reading(sql: str, names: Mapping[str, str], reads: Iterable[Read] | None = None) -> str:
    """Return a SELECT that reads ``names[x]`` in place of each relation ``x``, under the alias that it has there.

    Args:
        reads: where it reads relations, if that is known.
    """
    parts, position = [], 0
    for read in reads_of(sql) if reads is None else reads:
        if read.relation in names:
            parts += [sql[position : read.start], names[read.relation], read.alias]
            position = read.end
    return "".join([*parts, sql[position:]])


def find(relations: dict[str, Relation], name: str) -> Relation:
    """Return the relation called ``name``, or its newest version.

    Raises:
        UnknownName: no such relation; the message offers similar names.
    """
    known = (called for one in relations.values() for called in ((one.name, one), (one.alias, one)))
    if found := [one for called, one in known if name in (called, called.partition(".")[2])]:
        return max(found, key=lambda one: (one.name.endswith(name), one.version))
    raise UnknownName(f"relation '{name}' is unknown. `tdtsql metric list` shows all {len(relations)}.")


def views_named(name: str, own: Mapping[str, Relation] | None = None, measures: Collection[str] = ()) -> list[str]:
    """Return the views that publish metric ``name``, or the view of that name.

    Args:
        own: user-defined metrics, searched too.
        measures: the metrics of a store; one that no view names is published by those that publish any.

    Raises:
        UnknownName: neither a metric nor a view; the message offers the nearest.
    """
    relations = {**catalog(), **(own or {})}
    found = [
        view
        for view, relation in relations.items()
        if any(
            metric.metric == name or (metric.is_called(name) and not metric.is_any)
            for metric in relation.header.metrics
        )
    ]
    if not found and name in measures:
        found = [view for view, one in relations.items() if any(metric.is_any for metric in one.header.metrics)]
    if found:
        return found
    try:
        return [find(relations, name).name]
    except UnknownName:
        names = {metric.metric for relation in relations.values() for metric in relation.header.metrics} | {*relations}
        hint = f"{meant(name, sorted(names))} `tdtsql metric list` shows all.".lstrip()
        raise UnknownName(f"metric '{name}' is unknown. {hint}") from None


# ---- which views publish numbers, for which task

#: views of curve points and of names, stored in addition to the numbers
CURVES = ("metric.detection_det_curve__v1", "metric.detection_det_block_curve__v1")


def tasks_of(relation: Relation) -> list[str]:
    """Return the tasks whose numbers a relation publishes, by default or on request."""
    return relation.header.tasks or [
        task.name
        for task in TASKS.values()
        if relation.schema == "metric" and relation.family in task.families + task.on_request
    ]


@cached_definitions
def published(task: str, *, asked: bool = True) -> tuple[Relation, ...]:
    """Return the views whose numbers are stored for a task, in build order; without ``asked`` only those computed by
    default.

    Of several versions of a view the newest publishes. Older ones remain ordinary views,
    computed on demand: their numbers are not stored.
    """
    families = TASKS[task].families + (TASKS[task].on_request if asked else ())
    return tuple(
        relation
        for relation in catalog().values()
        if relation.schema == "metric"
        and relation.family in families
        and relation.header.metrics
        and relation is newest()[relation.alias]
    )


def requested(task: str) -> tuple[Relation, ...]:
    """Return the views whose numbers are stored for a task only on request."""
    return tuple(relation for relation in published(task) if relation.family in TASKS[task].on_request)


@cached_definitions
def computed(task: str, *, asked: bool = False) -> tuple[str, ...]:
    """Return every view that is computed for a task, in build order; with ``asked`` also those computed on request.
    Stored results, which an external view returns, are not read by the scorer: it computes them.
    """
    names = [relation.name for relation in published(task, asked=asked)]
    if TASKS[task].is_detection:
        names += CURVES
    return tuple(name for name in closure(catalog(), names) if not name.startswith("ledger."))
