"""Sections as HTML: the rows of a saved query, in parts, as its ``show`` line says. Report and web UI are lists of such
sections.

Columns mean the same in every query: ``condition_id`` and ``profile_id`` say where a row belongs, ``value`` is a number
that can be clicked for its SQL, ``is_best`` sets it in bold, ``low`` and ``high`` are its interval, ``signature`` is
shown with its SQL.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import BrokenDefinition
from tdtsql.show.table import HEADS, Table, alignment, fixed, is_count
from tdtsql.show import charts
from tdtsql.show.section import DRAWN, SavedQuery, Show
from tdtsql.store.sets import broken_metrics

#: column -> value
Row = dict[str, Any]
#: name of a part of a table -> what it is
Grid = dict[str, Any]
#: columns that say where a row belongs
PLACE = ("condition_id", "profile_id")
#: columns that are not shown as columns
_MARKS = (*PLACE, "is_best", "signature")
#: significant digits of numbers by topic; numbers of runs keep all 17
_DIGITS = 8
#: head of a column with two ends
_INTERVAL = "95 % interval"
#: heads of columns that are not their names
_HEADS = {"position": "rank", "groups": "group", "p_adjusted": "p corrected", "baseline_id": "against"}


@dataclass(frozen=True)
class Part:
    """What a section shows of one condition and profile, and of one choice."""

    place: tuple[str, ...]  #: condition and profile, as far as the query has them
    choice: tuple[str, ...]  #: values of the columns ``by`` of the section
    svg: Markup | None = None
    #: a table as the script of a page sorts and filters it: heads, rows, best (the columns in bold of each row),
    #: numbers (l or r a column), values (the columns whose numbers have SQL), facts (what is the same for all numbers,
    #: as the metric) and signatures of rows
    grid: Grid | None = None
    note: str = ""
    more: str = ""  #: how its numbers were computed
    labels: Mapping[str, str] = field(default_factory=dict)  #: metric -> its name in the field, where it is not its id


@dataclass(frozen=True)
class Context:
    """What all sections of a page have in common."""

    looks: dict[str, int]  #: run -> number of its colour
    broken: Collection[str]  #: metrics whose numbers are not shown
    topic: str  #: what the page calls a topic
    labels: Mapping[str, Mapping[str, str]]  #: condition of scored trials -> metric -> its name in the field

    def parts(
        self,
        engine: Engine,
        query: SavedQuery,
        given: Mapping[str, Any],
        *,
        limit: int | None = None,
        most: int | None = None,
    ) -> tuple[list[Part], int]:
        """Return the parts of a section, in the order of its rows, of which there are at most ``limit``; and how many.

        Args:
            most: rows of a table that are shown.

        Raises:
            BrokenDefinition: it is drawn from columns that it does not have.
        """
        answer = engine.query(query.body, query.values(given))
        columns = [name for name, *_ in answer.description or ()]
        rows = answer.fetchall() if limit is None else answer.fetchmany(limit)
        named = {*query.show.by, *(query.show.options.get(name, columns[0]) for name in DRAWN)}
        if lacking := sorted(named - {*columns}):
            raise BrokenDefinition(f"{query.path}: show names {', '.join(lacking)}, expected columns of its SELECT.")
        show, found = query.show, dict[tuple[str, ...], list[Row]]()
        places = [name for name in PLACE if name in columns]
        names = (*places, *show.by)
        records = [dict(zip(columns, values, strict=True)) for values in rows]
        records = [row for row in records if row.get("metric") not in self.broken]
        for row in records[:most] if show.kind == "table" else records:
            if is_count(str(row.get("metric"))) and isinstance(row.get("value"), float) and row["value"].is_integer():
                row["value"] = int(row["value"])
            found.setdefault(tuple(str(row[name]) for name in names), []).append(row)
        parts = []
        for key, of in found.items():
            place, choice = key[: len(places)], key[len(places) :]
            labels = self.labels.get(place[0], {}) if "condition_id" in places else {}
            if show.kind in charts.CHARTS:
                svg = charts.CHARTS[show.kind](of, show.options, self.looks)
                parts.append(Part(place, choice, svg, labels=labels))
                continue
            grid = (_pivot if show.kind == "pivot" else _table)(show, of, self.topic)
            grid["facts"] = dict(zip(names, key, strict=True)) | grid["facts"]
            note, more = (of[0].get(show.options.get(name, "")) or "" for name in ("note", "more"))
            parts.append(Part(place, choice, None, grid, note, more, labels))
        return parts, len(rows)


def context_of(engine: Engine, condition: object = None) -> Context:
    """Return the context of a page on a condition, or on all."""
    [(runs, of_trials, topic)] = engine.rows(read_statement("show/context"), {"condition": condition})
    names = {metric: name.partition(",")[0] for metric, name in HEADS.items()}  # without the unit of papers
    looks = {run: at for at, run in enumerate(runs or ())}
    return Context(looks, broken_metrics(engine), topic, dict.fromkeys(of_trials or (), names))


def head(name: str, topic: str = "topic") -> str:
    """Return a column as its head names it."""
    if name == "block_id":
        return topic
    return _HEADS.get(name, name.removesuffix("_id").replace("_", " "))


def _table(show: Show, rows: Sequence[Row], topic: str) -> Grid:
    """Return rows as they are, without columns that say nothing here; an interval is one column."""
    hidden = show.names("hide")
    left_out = {*_MARKS, *show.by, *hidden, *(show.options.get(name) for name in ("note", "more"))}
    kept = [
        name
        for at, name in enumerate(rows[0])
        if name not in left_out and (at < 3 or any(row[name] is not None for row in rows))
    ]
    if {"low", "high"} <= {*kept}:
        kept = [_INTERVAL if name == "low" else name for name in kept if name != "high"]
        rows = [row | {_INTERVAL: _interval(row["low"], row["high"])} for row in rows]
    made = [[row[name] for name in kept] for row in rows]
    sides = zip(kept, alignment(Table(kept, made)), strict=True)
    values = [at for at, name in enumerate(kept) if name == "value"]
    return {
        "heads": [head(name, topic) for name in kept],
        "rows": [[_finite(value) for value in row] for row in made],
        "best": [values if row.get("is_best") else [] for row in rows],
        "numbers": "".join("r" if name == _INTERVAL else side for name, side in sides),
        "values": values,
        # what is the same for all is known of each number
        "facts": {
            name: str(rows[0][name]) for name in hidden if name in rows[0] and len({row[name] for row in rows}) == 1
        },
        "signatures": [row["signature"] for row in rows if "signature" in row],
    }


def _interval(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"{fixed(low)} … {fixed(high)}"


def _pivot(show: Show, rows: Sequence[Row], topic: str) -> Grid:
    """Return a row per value of column ``row`` and a column per value of column ``column``; columns ``with`` belong to
    the row.
    """
    first, across, value = (show.options[name] for name in ("row", "column", "value"))
    lines: dict[str, dict[str, Row]] = {}
    for row in rows:
        lines.setdefault(str(row[first]), {})[str(row[across])] = row
    heads = list(dict.fromkeys(str(row[across]) for row in rows))
    beside = [name for name in show.names("with") if len(heads) > 1 or name not in ("mean", "spread")]
    names = [head(name, topic) for name in (first, *beside)] + heads
    n_before = 1 + len(beside)
    return {
        "heads": names,
        "rows": [
            [
                name,
                *(_short(next(iter(line.values()))[of]) for of in beside),
                *(_short(line[of][value]) if of in line else None for of in heads),
            ]
            for name, line in lines.items()
        ],
        "best": [
            [at for at, of in enumerate(heads, n_before) if line.get(of, {}).get("is_best")] for line in lines.values()
        ],
        "numbers": "l" + "r" * (len(names) - 1),
        "values": list(range(n_before, len(names))),
        "facts": {"row": first, "column": across},
        "signatures": [],
    }


def _short(value: Any) -> Any:
    return _finite(float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value)


def _finite(value: Any) -> Any:
    """Return a value as JSON has it: infinity as a text, NaN as None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def text_of(query: SavedQuery) -> str:
    """Return what a section says below its title: what it answers, and how to read it."""
    edges = " ".join(query.fields.get("edges", "").split()) if query.show.kind in charts.CHARTS else ""
    return f"{query.question} {edges}".strip()
