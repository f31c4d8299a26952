"""Sections as HTML: the rows of a saved query, in parts, as its ``show`` line says. Report and web UI are lists of such
sections.

Columns mean the same in every query: ``condition_id`` and ``profile_id`` say where a row belongs, ``value`` is a number
that can be clicked for its SQL, ``is_best`` sets it in bold, ``low`` and ``high`` are its interval, ``signature`` is
shown with its SQL.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import escape_control, truncate
from tdtsql.show.table import UNDEFINED, Table, alignment, escape_markdown, fixed
from tdtsql.show import charts
from tdtsql.show.section import SavedQuery, Show
from tdtsql.store.sets import broken_metrics
from tdtsql.task import topic_word

#: columns that say where a row belongs
PLACE = ("condition_id", "profile_id")
#: columns that are not shown as columns
_MARKS = (*PLACE, "is_best", "signature")
#: significant digits of numbers by topic; numbers of runs keep all 17
_DIGITS = 8
#: heads of columns that are not their names
_HEADS = {"position": "rank", "groups": "group", "p_adjusted": "p corrected", "baseline_id": "against"}


@dataclass(frozen=True)
class Grid:
    """A table as data: what the script of a page sorts and filters."""

    heads: list[str]
    rows: list[list[Any]]
    best: list[list[int]]  #: of each row, the columns in bold
    numbers: str  #: l or r a column
    values: list[int]  #: columns whose numbers have SQL
    facts: dict[str, str] = field(default_factory=dict)  #: what is the same for all numbers, as the metric
    signatures: list[str] = field(default_factory=list)  #: of each row

    def data(self) -> dict[str, Any]:
        """Return it for the script of a page; a signature as numbers of its parts, which many have in common."""
        found = {name: getattr(self, name) for name in ("heads", "rows", "best", "numbers", "values", "facts")}
        if self.signatures:
            parts: dict[str, int] = {}
            split = [[parts.setdefault(part, len(parts)) for part in text.split("|")] for text in self.signatures]
            found["signatures"] = {"parts": list(parts), "columns": list(zip_longest(*split, fillvalue=-1))}
        return found


@dataclass(frozen=True)
class Part:
    """What a section shows of one condition and profile, and of one choice."""

    place: tuple[str, ...]  #: condition and profile, as far as the query has them
    choice: tuple[str, ...]  #: values of the columns ``by`` of the section
    note: str = ""
    more: str = ""  #: how its numbers were computed
    svg: Markup | None = None
    grid: Grid | None = None


@dataclass(frozen=True)
class Context:
    """What all sections of a page have in common."""

    looks: dict[str, int]  #: run -> number of its colour
    broken: Collection[str]  #: metrics whose numbers are not shown
    topic: str  #: what the page calls a topic

    def parts(
        self, query: SavedQuery, columns: Sequence[str], rows: Sequence[tuple], most: int | None = None
    ) -> list[Part]:
        """Return the parts of a section; of a table at most so many rows."""
        if self.broken and "metric" in columns:
            rows = [row for row in rows if row[columns.index("metric")] not in self.broken]
        if query.show.kind == "table":
            rows = rows[:most]
        return parts_of(query.show, columns, rows, self.looks, self.topic)


def context_of(engine: Engine, condition: object = None) -> Context:
    """Return the context of a page on a condition, or on all."""
    runs = engine.column("select distinct run_id from registry.run order by 1")
    tasks = engine.column(
        "select distinct task from registry.condition where condition_id = coalesce(?, condition_id)", [condition]
    )
    words = {topic_word(task) for task in tasks}
    topic = words.pop() if len(words) == 1 else "topic"
    return Context({run: at for at, run in enumerate(runs)}, broken_metrics(engine), topic)


def head(name: str, topic: str = "topic") -> str:
    """Return a column as its head names it."""
    if name == "block_id":
        return topic
    return _HEADS.get(name, name.removesuffix("_id").replace("_", " "))


def parts_of(
    show: Show, columns: Sequence[str], rows: Sequence[tuple], looks: Mapping[str, int], topic: str = "topic"
) -> list[Part]:
    """Return the parts of a section, in the order of its rows.

    Args:
        looks: run -> number of its colour.
        topic: what the page calls a topic.
    """
    places = [name for name in PLACE if name in columns]
    keys = [columns.index(name) for name in (*places, *show.by)]
    found: dict[tuple[str, ...], list[tuple]] = {}
    for row in rows:
        found.setdefault(tuple([str(row[at]) for at in keys]), []).append(row)
    parts = []
    for key, of in found.items():
        place, choice = key[: len(places)], key[len(places) :]
        facts = dict(zip((*places, *show.by), key, strict=True))
        note, more, svg, grid = "", "", None, None
        if show.kind in charts.CHARTS:
            records = [dict(zip(columns, row, strict=True)) for row in of]
            svg = charts.CHARTS[show.kind](records, show.options, looks)
        elif show.kind == "pivot":
            grid = _pivot(show, columns, of, facts, topic)
        else:
            note, more = (_sentence(show.options.get(name), columns, of[0]) for name in ("note", "more"))
            grid = _table(show, columns, of, facts, topic)
        parts.append(Part(place, choice, note, more, svg, grid))
    return parts


def _sentence(name: str | None, columns: Sequence[str], row: tuple) -> str:
    """Return a column that says the same of all rows of a part."""
    return "" if name is None else str(row[columns.index(name)] or "")


def _table(show: Show, columns: Sequence[str], rows: Sequence[tuple], facts: dict[str, str], topic: str) -> Grid:
    """Return rows as they are, without columns that say nothing here; an interval is one column."""
    left_out = {
        *_MARKS,
        *show.by,
        *show.options.get("hide", "").split(","),
        show.options.get("note"),
        show.options.get("more"),
    }
    kept = [
        at
        for at, name in enumerate(columns)
        if name not in left_out and (at < 3 or any(row[at] is not None for row in rows))
    ]
    low, high = (columns.index(name) if name in columns else -1 for name in ("low", "high"))
    has_ends = low in kept and high in kept
    kept = [at for at in kept if not (has_ends and at == high)]
    for name in show.options.get("hide", "").split(","):  # what is the same for all is known of each number
        if name in columns and len({row[columns.index(name)] for row in rows}) == 1:
            facts = {**facts, name: str(rows[0][columns.index(name)])}
    heads = ["95 % interval" if has_ends and at == low else head(columns[at], topic) for at in kept]
    made = [[_interval(row[low], row[high]) if has_ends and at == low else row[at] for at in kept] for row in rows]
    align = "".join(
        "r" if has_ends and at == low else side
        for at, side in zip(kept, alignment(Table([columns[at] for at in kept], [tuple(r) for r in made])), strict=True)
    )
    values = [at for at, of in enumerate(kept) if columns[of] == "value"]
    best = columns.index("is_best") if "is_best" in columns else None
    bold = [values if best is not None and row[best] else [] for row in rows]
    signature = columns.index("signature") if "signature" in columns else None
    signatures = [row[signature] for row in rows] if signature is not None else []
    return Grid(heads, made, bold, align, values, facts, signatures)


def _interval(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"{fixed(low)} … {fixed(high)}"


def _pivot(show: Show, columns: Sequence[str], rows: Sequence[tuple], facts: dict[str, str], topic: str) -> Grid:
    """Return a row per value of column ``row`` and a column per value of column ``column``; columns ``with`` belong to
    the row.
    """
    at = {name: columns.index(show.options[name]) for name in ("row", "column", "value")}
    beside = [columns.index(name) for name in show.options.get("with", "").split(",") if name]
    best = columns.index("is_best") if "is_best" in columns else None
    heads = list(dict.fromkeys(str(row[at["column"]]) for row in rows))
    if len(heads) == 1:
        beside = [number for number in beside if columns[number] not in ("mean", "spread")]
    place = {name: 1 + len(beside) + number for number, name in enumerate(heads)}
    lines: dict[str, list[Any]] = {}
    bold: dict[str, list[int]] = {}
    for row in rows:
        name, column = str(row[at["row"]]), str(row[at["column"]])
        if name not in lines:
            lines[name] = [name, *(_short(row[number]) for number in beside), *[None] * len(heads)]
            bold[name] = []
        lines[name][place[column]] = _short(row[at["value"]])
        if best is not None and row[best]:
            bold[name].append(place[column])
    names = [head(show.options["row"], topic), *(head(columns[number], topic) for number in beside), *heads]
    facts = {**facts, "row": show.options["row"], "column": show.options["column"]}
    return Grid(names, [*lines.values()], [*bold.values()], "l" + "r" * (len(names) - 1), [*place.values()], facts)


def _short(value: Any) -> Any:
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


# ---- templates


def shown(value: object) -> str:
    """Return a value as a person reads it: a double in four decimals, a dash for NULL; a text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return fixed(value)
    return UNDEFINED if value is None else f"{value:,}" if type(value) is int else str(value)


@cache
def environment() -> Environment:
    """Return the templates of report, web UI and gate: every text is escaped unless it was made as markup."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(f"tdtsql.{name}") for name in ("show", "serve")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "shown": shown,
        "number": fixed,
        "truncated": truncate,
        "markdown": escape_markdown,
        "escape_control": escape_control,
    }
    return made


def render(template: str, /, **values: object) -> Markup:
    """Return a template with these values."""
    return Markup(environment().get_template(template).render(values).lstrip())


def asset(name: str) -> str:
    """Return a style sheet or script that is put into a page."""
    text = files("tdtsql.show").joinpath("assets", name).read_text(encoding="utf-8")
    if "</script" in text.lower() or "</style" in text.lower():
        raise ValueError(f"{name} would end the element it is put in")
    return text


def text_of(query: SavedQuery) -> str:
    """Return what a section says below its title: what it answers, and how to read it."""
    edges = " ".join(query.fields.get("edges", "").split()) if query.show.kind in charts.CHARTS else ""
    return f"{query.question} {edges}".strip()
