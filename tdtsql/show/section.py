"""The saved queries of ``sql/query``, the sections of the report and of the web UI; each is a file.

The header states purpose, parameters and columns. ``parameters`` has one entry per line, its parts separated by two or
more blanks: name, type, default, text. The default is ``needed``, ``none`` (NULL: no filter) or a value.
``show`` says how the rows are drawn, ``pages`` where they are shown (`tdtsql.show.page`).
"""

import math
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import is_zipfile

import duckdb

from tdtsql.compare.settings import Method, read_rules
from tdtsql.definitions.catalogue import cached_definitions, roots
from tdtsql.definitions.header import Column, names_of, read_columns, read_fields
from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.engine.quoting import quoted_path, sql_literal
from tdtsql.errors import BrokenDefinition, InvalidQuery, UnknownName, check_known, listed, unknown_name_error
from tdtsql.scoring.curve.det_curve import with_curves
from tdtsql.scoring.subsets import make_product
from tdtsql.store import registry
from tdtsql.store.opening import open_file
from tdtsql.task import metric_id

FOLDER = "query"
FIELDS = (
    *("title", "question", "about", "inputs", "parameters", "grain", "columns", "order"),
    *("show", "pages", "needs", "edges", "see also"),
)
REQUIRED = ("title", "question", "about", "inputs", "parameters", "grain", "columns", "order", "see also")

#: subjects of saved queries, in listing order
SUBJECTS = "topics runs curves trials stories clusters summaries trust".split()

#: ways to show rows
KINDS = ("table", "pivot", "xy", "ribbons", "tree")
#: columns that they take, and words
DRAWN = "x y until low series mark panel value shade row column parent label".split()
OPTIONS = (*DRAWN, *"by scale size zero x_title y_title with layout hide note more".split())

#: type of a parameter -> type of its value in SQL; the first ones are names in the store
TYPES = {
    **dict.fromkeys(
        "run condition corpus profile metric subset weighting topic story attribute text".split(), "VARCHAR"
    ),
    "count": "BIGINT",
    "number": "DOUBLE",
    "names": "VARCHAR[]",
    "rules": "VARCHAR[]",
    "store": "VARCHAR",
}
#: parameters of this type are no values: the SQL reads the relations of another store as ``other.SCHEMA.NAME``
STORE = "store"
NEEDED, ANYTHING = "needed", "none"


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str  #: one of TYPES
    default: str | None  #: as written in the file; None: required
    text: str

    @property
    def is_needed(self) -> bool:
        return self.default is None

    @property
    def usage(self) -> str:
        """Return it as it is typed: ``--run RUN``, or with its default ``[--limit COUNT]``, ``[--p-fa 0.01]``."""
        option = f"--{self.name.replace('_', '-')}"
        if self.is_needed:
            return f"{option} {self.type.upper()}"
        return f"[{option} {self.type.upper() if self.default == ANYTHING else self.default}]"

    def value(self, given: Any) -> str | int | float | list[str] | None:
        """Return the bound value for a user's value: a text, or a value of Python.

        Raises:
            InvalidQuery: it is not of the parameter's type.
        """
        if given is None:
            return None
        is_number = self.type in ("count", "number")
        with suppress(TypeError, ValueError, OverflowError):
            if TYPES[self.type].endswith("[]"):
                return [given] if isinstance(given, str) else list(given)
            if not is_number and isinstance(given, str | Path):
                return str(given)
            if is_number and not isinstance(given, bool):
                number = int(given) if self.type == "count" else float(given)
                is_same = isinstance(given, str) or number == given
                if is_same and (self.type == "number" or 0 <= number < 2**63) and not math.isnan(number):
                    return number
        wanted = {"count": "a whole number, 0 or more", "number": "a number"}.get(self.type, "a text")
        raise InvalidQuery(f"{self.name} is {str(given)!r}, expected {wanted}: {self.text}.")


@dataclass(frozen=True)
class Show:
    """How the rows of a query are drawn: ``show: xy x=p_fa y=p_miss scale=probit``."""

    kind: str = "table"  #: one of KINDS
    options: dict[str, str] = field(default_factory=dict)  #: of the kind: columns and words, `_` for a blank

    @property
    def by(self) -> list[str]:
        """Columns whose values a reader chooses from; each choice is drawn by itself."""
        return self.names("by")

    def names(self, option: str) -> list[str]:
        """Return the columns that an option lists."""
        return [name for name in self.options.get(option, "").split(",") if name]


@dataclass(frozen=True)
class SavedQuery:
    """One saved query: its contract and its SELECT, in which ``$name`` is a parameter."""

    name: str
    path: Path
    title: str
    question: str  #: in words
    about: str
    inputs: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    grain: tuple[str, ...]
    columns: tuple[Column, ...]
    fields: dict[str, str]
    body: str
    show: Show = Show()
    pages: dict[str, int] = field(default_factory=dict)  #: page -> its position there

    @property
    def needs(self) -> tuple[str, ...]:
        """Rows that have to be computed before the query runs: comparison, interval, curve (of a subset)."""
        return names_of(self.fields.get("needs", ""))

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def reads_another_store(self) -> bool:
        return any(parameter.type == STORE for parameter in self.parameters)

    @property
    def usage(self) -> str:
        """Return the parameters as they are typed, those without a default first: ``--run RUN [--limit 10]``."""
        ordered = sorted(self.parameters, key=lambda parameter: not parameter.is_needed)
        return " ".join(parameter.usage for parameter in ordered)

    def values(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Return a value for each parameter.

        Raises:
            UnknownName: the saved query has no such parameter.
            InvalidQuery: one that is needed is missing, or a value is not of its type.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in given:
            check_known(f"parameter of {self.name}", name, names)
        given = {name: value for name, value in given.items() if value is not None}
        lacking = [parameter for parameter in self.parameters if parameter.is_needed and parameter.name not in given]
        if lacking:
            what = " and ".join(f"{parameter.name} ({parameter.text})" for parameter in lacking)
            raise InvalidQuery(f"{self.name} needs {what}. Its parameters are {self.usage}.")
        usual = {one.name: None if one.default == ANYTHING else one.default for one in self.parameters}
        return {one.name: one.value(given.get(one.name, usual[one.name])) for one in self.parameters}


def read_saved_query(path: Path) -> SavedQuery:
    """Read a saved query from its file.

    Raises:
        BrokenDefinition: no header, an unknown or missing field, a line that does not have its parts.
    """
    place = f"{FOLDER}/{path.name}"
    fields, body = read_fields(path.read_text(encoding="utf-8"), place, FIELDS, REQUIRED)
    if fields["about"] not in SUBJECTS:
        raise BrokenDefinition(f"{place}: about is {fields['about']!r}, expected one of {', '.join(SUBJECTS)}.")
    return SavedQuery(
        path.stem,
        path,
        " ".join(fields["title"].split()),
        " ".join(fields["question"].split()),
        fields["about"],
        names_of(fields["inputs"]),
        tuple(_parameters(fields["parameters"], place)),
        names_of(fields["grain"]),
        tuple(read_columns(fields["columns"], place)),
        fields,
        body,
        _show(fields.get("show", "table"), place),
        _pages(fields.get("pages", ""), place),
    )


def _show(text: str, place: str) -> Show:
    kind, *options = text.split()
    if kind not in KINDS:
        raise BrokenDefinition(f"{place}: show is {kind!r}, expected one of {', '.join(KINDS)}.")
    pairs = dict(option.partition("=")[::2] for option in options)
    if unknown := set(pairs) - set(OPTIONS):
        raise BrokenDefinition(f"{place}: show has {min(unknown)!r}, expected some of {', '.join(OPTIONS)}.")
    return Show(kind, pairs)


def _pages(text: str, place: str) -> dict[str, int]:
    words = text.split()
    if len(words) % 2 or not all(word.isdigit() for word in words[1::2]):
        raise BrokenDefinition(f"{place}: pages is {text!r}. Write: page number page number, as report 20.")
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def _parameters(text: str, place: str) -> list[Parameter]:
    parameters = []
    for line in filter(str.strip, text.splitlines()):
        parts = re.split(r"\s{2,}", line.strip(), maxsplit=3)
        if len(parts) != 4 or parts[1] not in TYPES:
            raise BrokenDefinition(
                f"{place}: parameter line {line.strip()!r}. Write: name  type  default  text; types are "
                f"{', '.join(TYPES)}."
            )
        parameters.append(Parameter(parts[0], parts[1], None if parts[2] == NEEDED else parts[2], parts[3]))
    return parameters


def page_of(engine: Engine, name: str, extra: Sequence[Path] = ()) -> list[SavedQuery]:
    """Return the sections of a page in order: those of tdtsql, of task packages where the store has what they read, and
    a user's own.

    Args:
        extra: folders with a user's own sections.

    Raises:
        BrokenDefinition: a file of these folders is not a saved query, or has the name of another one.
    """
    found = dict(questions())
    for folder in extra:
        if not folder.is_dir():
            raise BrokenDefinition(f"{folder}: no such folder of sections. Name a folder with .sql files.")
        for path in sorted(folder.glob("*.sql")):
            found[path.stem] = _of_package(path, found)
    chosen = [
        query
        for query in found.values()
        if name in query.pages and not (any(map(query.path.is_relative_to, roots()[1:])) and lacking(engine, query))
    ]
    return sorted(chosen, key=lambda query: (query.pages[name], query.name))


@cached_definitions
def questions() -> dict[str, SavedQuery]:
    """Return every saved query by name, those of task packages in use too: ordered by subject, then by name."""
    shipped, *others = roots()
    found = {path.stem: read_saved_query(path) for path in (shipped / FOLDER).glob("*.sql")}
    for path in [path for root in others for path in sorted((root / FOLDER).glob("*.sql"))]:
        try:
            found[path.stem] = _of_package(path, found)
        except BrokenDefinition as error:  # the other queries still run
            sys.stderr.write(f"{error} The query is left out.\n")
    return dict(sorted(found.items(), key=lambda one: (SUBJECTS.index(one[1].about), one[0])))


def _of_package(path: Path, known: Collection[str]) -> SavedQuery:
    question = read_saved_query(path)
    if question.name in known:
        raise BrokenDefinition(f"{path}: there is another saved query of this name. Rename it.")
    return question


def find(name: str) -> SavedQuery:
    """Return the saved query of that name.

    Raises:
        UnknownName: no such query; the message offers the nearest name.
    """
    known = questions()
    if name not in known:
        error = unknown_name_error("saved query", name, sorted(known))
        raise UnknownName(f"{error} `tdtsql ask` lists all {len(known)}.")
    return known[name]


# ---- running

#: schema of the second store in the SQL of a saved query
OTHER = "other"
#: numbers of replaced computations and dropped runs
PAST = "ledger.past_score"


def records(engine: Engine, name: str, given: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return the rows of a saved query, each as column -> value; see `ask`."""
    answer = ask(engine, find(name), given)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def ask(engine: Engine, question: SavedQuery, given: Mapping[str, object]) -> Relation:
    """Return the result of a saved query, as a relation.

    Raises:
        UnknownName: the saved query has no such parameter, or the store no such run, condition, ...
        InvalidQuery: a parameter is missing, or its value not of its type.
    """
    values = question.values(given)
    for parameter in question.parameters:
        word = values[parameter.name]
        if parameter.type == "metric" and isinstance(word, str):
            values[parameter.name] = metric_id(word)
        if parameter.type == "rules":
            rules = read_rules(engine, word)
            values[parameter.name] = [one["rule" if one["metric"] in one["rule"] else "line"] for one in rules]
        if parameter.type == "subset" and word and "curve" in question.needs:  # computed below
            values[parameter.name] = make_product(engine, word)
        else:
            _check_name(engine, parameter, values[parameter.name], question.inputs)
    [question] = computed(engine, [question], values)
    other = next((values.pop(parameter.name) for parameter in question.parameters if parameter.type == STORE), None)
    if other is None:
        try:
            return engine.relation(in_store(question.body), values)
        except duckdb.CatalogException:
            raise InvalidQuery(
                f"{question.name} reads {', '.join(lacking(engine, question))}, which the store does not have: it has "
                f"no condition of this task."
            ) from None
    table = engine.unused_name("answer")
    alias = f"{table}_{OTHER}"  # the store's own file may be called other.duckdb
    body = in_store(question.body, alias)
    with attached(engine, str(other), alias):
        # copy the rows: a relation would be read after the other store is closed
        engine.execute(f"create temp table {table} as {body}", values)
    return engine.relation(f"select * from {table}")


def lacking(engine: Engine, query: SavedQuery) -> list[str]:
    """Return the relations that a query reads and the store does not have."""
    known = engine.column(
        "select schema_name || '.' || table_name from duckdb_tables() union all "
        "select schema_name || '.' || view_name from duckdb_views()"
    )
    return sorted({*query.inputs}.difference(known))


def computed(
    engine: Engine,
    queries: Sequence[SavedQuery],
    values: Mapping[str, Any],
    *,
    method: Method | None = None,
    intervals: bool = True,
    largest: int = 0,
    is_compared: bool = False,
    **limits: Any,
) -> list[SavedQuery]:
    """Compute the stored rows that queries need and that are missing; return the queries that read them.

    Args:
        values: condition and profile of the leaderboards; None: all.
        method: of the comparisons; None: the default.
        intervals: False: not those of ranked numbers.
        largest: decisions of conditions with curves of all subsets; of others only the curves that ``values`` name.
        is_compared: True: rows of comparisons are stored.
        limits: most_trials of `compare_boards`.
    """
    where, made = (values.get("condition"), values.get("profile")), list[SavedQuery]()
    needs = {need for query in queries for need in query.needs} - {"curve"}
    if needs and not is_compared:
        from tdtsql.compare.words import compare_boards  # imported late: few queries need numpy

        compare_boards(engine, *where, method=method, intervals=intervals and "interval" in needs, **limits)
    for query in queries:
        body = query.body
        if "curve" in query.needs and (largest or values.get("subset")):
            of = {f"{name}s": listed(values.get(name)) for name in ("run", "subset")}
            body = with_curves(engine, body, condition=where[0], **of, largest=largest or None)
        if needs.intersection(query.needs):
            from tdtsql.compare.rows import with_stored

            body = with_stored(engine, body)
        made.append(replace(query, body=body))
    return made


def as_query(engine: Engine, question: SavedQuery, given: Mapping[str, object]) -> str:
    """Return the SQL of a saved query with literals for its parameters, for editing and running again.

    Raises:
        UnknownName, InvalidQuery: as ``ask``; InvalidQuery also where the query attaches another store.
    """
    if question.reads_another_store:
        raise InvalidQuery(f"{question.name} opens another file, which no query can.")
    values, types = question.values(given), {one.name: TYPES[one.type].lower() for one in question.parameters}
    for parameter in question.parameters:
        _check_name(engine, parameter, values[parameter.name], question.inputs)

    def literal(found: re.Match) -> str:
        value = values[found[1]]
        text = (
            "null"
            if value is None
            else f"[{', '.join(map(sql_literal, value))}]"
            if isinstance(value, list)
            else sql_literal(value)
            if isinstance(value, str) or value in (math.inf, -math.inf)
            else repr(value)
        )
        return f"cast({text} as {types[found[1]]})"

    return re.sub(r"\$(\w+)", literal, question.body).strip()


def _check_name(engine: Engine, parameter: Parameter, value: Any, inputs: Sequence[str]) -> None:
    """Raise UnknownName if a parameter has a value that the store does not have. Queries of past numbers know dropped
    runs too.
    """
    kind = parameter.name if parameter.type == "names" else parameter.type
    column = next((name for name in (kind, f"{kind}_id", kind[:-1], f"{kind[:-1]}_id") if name in registry.NAMES), None)
    for name in listed(value) if column and value else ():
        if not (kind == "run" and PAST in inputs and engine.rows(f"from {PAST} where run_id = ? limit 1", [name])):
            registry.check_name(engine, str(column), name)


def in_store(body: str, alias: str = "") -> str:
    """Return a query whose other store is attached under a name; empty: it is this store itself."""
    return re.sub(rf"\b{OTHER}\.(?=\w+\.\w)", f"{alias}." if alias else "", body)


@contextmanager
def attached(engine: Engine, path: str, alias: str) -> Iterator[None]:
    """Attach another store, or the contents of an archive, under a name."""
    if Path(path).exists() and Path(engine.path).exists() and Path(path).samefile(engine.path):
        raise InvalidQuery(f"{path} is this store itself. Name another one, or an archive.")
    with TemporaryDirectory(prefix="tdtsql-") as folder:
        if Path(path).suffix == ".zip" or Path(path).is_file() and is_zipfile(path):
            from tdtsql.audit import archive  # not above: it needs numpy

            path = archive.unpack(Path(path), Path(folder) / "archive.duckdb")
        else:
            open_file(path, read_only=True).close()  # explains what is wrong with it
        engine.execute(f"attach {quoted_path(path)} as {alias} (read_only)")
        try:
            yield
        finally:
            engine.execute(f"detach {alias}")
