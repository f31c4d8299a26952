"""Charts of rows: marks on two axes, of numbers or of names, and a tree. Rows in, positions out, which the template
``charts.html`` writes as SVG, and `tdtsql.show.figure` draws with matplotlib.

Colours are variables of the style sheet (``page.css``), at least 3:1 against the paper in light and dark; a run has the
same colour and dashes everywhere.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from statistics import NormalDist
from typing import Any

from markupsafe import Markup

from tdtsql.toml_file import toml_beside
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.memory import rows_in_memory
from tdtsql.errors import truncate
from tdtsql.show.rendering import render
from tdtsql.show.table import fixed

Row = Mapping[str, Any]
Point = tuple[float, float]
#: colours and dashes of runs: two that follow each other differ in both, and 28 in one of them
N_COLOUR = 7
DASHES = ("", "7 3", "2 3", "8 3 2 3")
_TABLE = toml_beside(__file__)


@dataclass(frozen=True)
class Mark:
    """What the rows of a mark are drawn as."""

    kind: str  #: line, fill or point
    css: str  #: class in the style sheet
    title: str  #: what a reader sees who points at it
    is_joined: bool = False  #: its rows make one outline
    also: str = ""  #: mark that lies on it: dots on lines where they are few, the number in its interval
    is_behind: bool = False  #: no axis is made for it
    dashes: str | None = None  #: its own, in place of those of the run
    legend: str = ""  #: of a single point


MARKS = {name: Mark(**row) for name, row in _TABLE["mark"].items()}
#: marks of single points: what a legend says
POINTS = {name: mark.legend for name, mark in MARKS.items() if mark.legend}
#: probabilities that get a tick on normal-deviate axes
TICKS: Sequence[float] = _TABLE["ticks"]
#: for matplotlib: colours, styles of points and lines and opacity of surfaces by class, settings
COLOURS, STYLES, OPACITY, SETTINGS = (_TABLE[name] for name in ("colour", "style", "opacity", "setting"))
#: parts of a row that ``show`` lines name; the first ones are numbers
PARTS = ("x", "y", "until", "low", "series", "mark", "panel", "value", "shade")
#: pixels up to which a chart is one of many
SMALL = 350
#: steps of the colours of a heat map
N_SHADE = 32
#: pixels of a name on the vertical axis; a heat map has as wide cells at most, where there is room
_STEP, _WIDEST = 22, 28.0


@cache
def deviate(probability: float) -> float:
    """Return the normal deviate of a probability, -6 to 6."""
    return NormalDist().inv_cdf(min(max(probability, 1e-9), 1 - 1e-9))


def look(series: str, looks: Mapping[str, int], mark: str = "line") -> tuple[str, str]:
    """Return the colour and the dashes of a series: those of a run by its number, of a class by its name."""
    if series not in looks:
        colour, dashes = _TABLE["series"].get(series, ("soft", "1 4"))
        return colour, dashes
    at, dashes = looks[series], MARKS[mark].dashes
    return f"c{at % N_COLOUR}", DASHES[at % len(DASHES)] if dashes is None else dashes


@dataclass(frozen=True)
class Axis:
    """Values to pixels, with ticks."""

    low: float
    high: float
    begin: float  #: pixels
    end: float
    texts: Mapping[float, str]  #: value of a tick -> what it says
    scale: Callable[[float], float] = float
    is_named: bool = False  #: ticks are names, not numbers
    title: str = ""

    @cached_property
    def _scaled(self) -> tuple[float, float]:
        low = self.scale(self.low)
        return low, self.scale(self.high) - low or 1.0

    def __call__(self, value: float) -> float:
        """Return the position of a value, beyond the ends too."""
        low, length = self._scaled
        return self.begin + (self.end - self.begin) * (self.scale(value) - low) / length

    def within(self, value: float) -> float:
        """Return the value of the axis that is nearest."""
        return min(max(value, self.low), self.high)

    def has(self, value: float) -> bool:
        """Return True for a value between the ends."""
        return self.low <= value <= self.high

    def ticks(self, gap: float) -> dict[float, str]:
        """Return the ticks that are at least ``gap`` pixels from each other."""
        kept: list[float] = []
        for value in self.texts:
            if not kept or abs(self(value) - self(kept[-1])) >= gap:
                kept.append(value)
        return {value: self.texts[value] for value in kept}


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten from ``low`` to ``high``, ``most`` steps at most."""
    if not high - low > 1e-300:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    return [at * step for at in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def axis_of(
    values: Sequence[float], begin: float, end: float, *, scale: str = "linear", zero: bool = False, most: int = 6
) -> Axis:
    """Return an axis for values; ``zero``: it begins at 0 and ends at or above a round number."""
    if scale == "probit":
        inside = [value for value in values if 0.0 < value < 1.0] or [0.02, 0.4]
        low = max(tick for tick in TICKS if tick <= max(1e-4, min(0.02, *inside)))
        high = min(tick for tick in TICKS if tick >= min(0.95, max(0.4, *inside)))
        return Axis(low, high, begin, end, {tick: f"{100 * tick:g}" for tick in TICKS if low <= tick <= high}, deviate)
    low, high = min(values, default=0.0), max(values, default=1.0)
    if zero:
        low, high = min(0.0, low), high if high > 0 else 1.0
    ticks = round_ticks(low, high, most)
    return Axis(low, max(high, ticks[-1]), begin, end, {tick: f"{tick:g}" for tick in ticks})


def names_axis(names: Iterable[str], longest: int, begin: float, step: float) -> Axis:
    """Return an axis with a position for each name, 0, 1, 2 ..., so many pixels from each other."""
    texts = {float(at): truncate(name, longest) for at, name in enumerate(names)}
    return Axis(-0.5, len(texts) - 0.5, begin, begin + step * len(texts), texts, is_named=True)


@dataclass(frozen=True)
class Shape:
    """What one mark is, on the axes of its plot."""

    row: Row  #: of several the first
    points: Sequence[Point]
    kind: str  #: line, fill or point
    css: str  #: class in the style sheet
    look: tuple[str, str]  #: colour and dashes
    title: str  #: what a reader sees who points at it


@dataclass(frozen=True)
class Plot:
    """One drawing: its rows and its axes."""

    panel: str
    rows: Sequence[Row]  #: the parts of each; x and y of named axes as positions, and the name of the column
    size: tuple[int, int]  #: width and height in pixels
    x: Axis
    y: Axis
    looks: Mapping[str, int]  #: series -> number of its colour

    @property
    def is_share(self) -> bool:
        """Return True if the axes are probabilities, in per cent."""
        return self.x.scale is deviate

    @property
    def series(self) -> dict[str, tuple[str, str]]:
        """Series that a legend names, in order, with colour and dashes."""
        return {
            row["series"]: look(row["series"], self.looks)
            for row in self.rows
            if row["mark"] not in ("cost", "vertical", "zero")
        }

    @property
    def points(self) -> list[str]:
        """Marks of single points that a legend explains."""
        return sorted({row["mark"] for row in self.rows} & POINTS.keys())

    def shapes(self) -> dict[str, list[Shape]]:
        """Return series -> what is drawn of it, points after the lines that they lie on."""
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            also = "" if self.is_share else MARKS[row["mark"]].also
            for mark in filter(None, (row["mark"], also)):
                groups.setdefault((row["series"], mark), []).append({**row, "mark": mark})
        drawn: dict[str, list[Shape]] = {series: [] for series, _ in groups}
        for (series, mark), rows in sorted(groups.items(), key=lambda group: group[0][1] in POINTS):
            drawn[series] += self._shapes(mark, rows)
        return drawn

    def _shapes(self, name: str, rows: Sequence[Row]) -> Iterator[Shape]:
        """Yield what the rows of one mark are: joined, or each by itself."""
        first, mark = rows[0], MARKS[name]
        if self.is_share and name not in POINTS:
            # on normal-deviate axes 0 and 1 have no place: a curve ends where its data end
            rows = [row for row in rows if 0 < row["x"] < 1 and 0 < row["y"] < 1]
        if name == "cost":
            rows = [row for row in rows if self.x.has(row["x"]) and self.y.has(row["y"])]
        if name == "bar":
            rows = [row for row in rows if row["y"]]
        if name == "dot" and len(rows) > 30 or name == "cost" and len(rows) < 3:
            return
        for part in [rows] if mark.is_joined else [[row] for row in rows]:
            row = part[0] if part else first  # a legend names what is not on the axes, too
            numbers = {f"{column}_fixed": fixed(row.get(column)) for column in ("x", "y", "until", "low", "value")}
            css, title = mark.css.format(**row), mark.title.format(**row, **numbers)
            yield Shape(row, self._outline(name, part), mark.kind, css, look(row["series"], self.looks, name), title)

    def _outline(self, name: str, rows: Sequence[Row]) -> Sequence[Point]:
        """Return the points of a mark."""
        low, high, points = self.y.low, self.y.high, [(row["x"], row["y"]) for row in rows]
        for x, y in points[:1]:
            if name == "band":
                return points + [(row["x"], row["until"]) for row in reversed(rows)]
            if name in ("bar", "area"):  # bins, and nothing between them
                outline = [(x, low)]
                for row in rows:
                    if not math.isclose(row["x"], outline[-1][0], rel_tol=1e-9):
                        outline += [(outline[-1][0], low), (row["x"], low)]
                    outline += [(row["x"], row["y"]), (row["until"], row["y"])]
                return [*outline, (outline[-1][0], low)]
            if name == "cell":
                return [(x - 0.5, y + 0.48), (x - 0.5, y - 0.48), (x + 0.5, y - 0.48), (x + 0.5, y + 0.48)]
            if name == "interval":
                return [(rows[0]["low"], y), (rows[0]["until"], y)]
            if name in ("vertical", "zero"):
                return [(x, low), (x, high)]
        return points

    def path(self, shape: Shape) -> str:
        """Return a shape as a path of SVG, which may leave the axes; an interval has whiskers, a point is at the edges
        at most.
        """
        x, y, points = self.x, self.y, shape.points
        if shape.kind == "point":
            points = [(x.within(points[0][0]), y.within(points[0][1]))]
        path = "M" + "L".join(f"{x(at):.1f} {y(of):.1f}" for at, of in points)
        if shape.row["mark"] == "interval":
            path += "".join(f"M{x(at):.1f} {y(of) - 4:.1f}v8" for at, of in points)
        return f"{path}Z" if shape.kind == "fill" else path


def plots(rows: Iterable[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> list[Plot]:
    """Return what is drawn, a plot for each panel, of rows of a query whose ``show`` line has these options.

    Options name the columns of x, y, until (the end of a bar or the upper end of a band), low (the lower end of an
    interval), series, mark (a column or nothing: lines), value and shade (of cells: 0 bad to 1 good, None: undefined)
    and panel (a row without one is in every panel); scale is linear or probit, zero names the axes that begin at 0.
    Where x or y is a text, its axis has the names in their order.

    Args:
        looks: run -> number of its colour.
    """
    marks: list[Row] = []
    names: dict[str, dict[str, float]] = {"x": {}, "y": {}}
    for row in rows:
        known: dict[str, Any] = {part: row[options[part]] if part in options else None for part in PARTS}
        if known["x"] is None or known["y"] is None:
            continue
        known |= {"series": str(known["series"] or ""), "mark": known["mark"] or "line", "column": known["x"]}
        known["step"] = "" if known["shade"] is None else f" h{round((N_SHADE - 1) * known['shade'])}"
        for part in PARTS[:4]:
            value = known[part]
            if isinstance(value, str):
                value = names[part].setdefault(value, len(names[part]))
            known[part] = None if value is None else float(value)
        if math.isfinite(known["x"]):
            marks.append(known)
    panels = dict.fromkeys(row["panel"] for row in marks)
    if len(panels) > 1:
        panels.pop(None, None)
    width, height = map(int, options.get("size", "760x600").split("x"))
    scale, zero, is_small = options.get("scale", "linear"), options.get("zero", ""), width <= SMALL
    left = min(250, 20 + 7 * max(map(len, names["y"]))) if names["y"] else 40 if is_small else 62
    drawn = []
    for panel in panels:
        of = [row for row in marks if row["panel"] in (panel, None)]
        fore = [row for row in of if not MARKS[row["mark"]].is_behind] or of
        across = [row[end] for row in fore for end in ("x", "until", "low") if row[end] is not None]
        x = axis_of(across, left, width - 14, scale=scale, zero="x" in zero, most=4 if is_small else 6)
        y = axis_of([row["y"] for row in fore], height - 46, 12, scale=scale, zero="y" in zero, most=5)
        if names["y"]:
            y, height = names_axis(names["y"], 32, 4, _STEP), _STEP * len(names["y"]) + (74 if names["x"] else 50)
        if names["x"]:
            x = names_axis(names["x"], 9, left, min(_WIDEST, (width - 8 - left) / len(names["x"])))
        elif names["y"]:
            of = [{"series": "0", "mark": "zero", "x": 0.0, "y": 0.0, "until": None}] * x.has(0) + of
        x, y = (
            replace(
                axis, title="" if axis.is_named else options.get(f"{end}_title", options.get(end, "")).replace("_", " ")
            )
            for end, axis in (("x", x), ("y", y))
        )
        plot = Plot(str(panel or ""), of, (width, height), x, y, looks)
        if not plot.series.keys() & looks.keys():  # of no run: colours by their order
            own = {series: at for at, series in enumerate(plot.series) if series not in _TABLE["series"]}
            plot = replace(plot, looks={**looks, **own})
        drawn.append(plot)
    return drawn


def xy(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return charts of rows, one a panel (`plots`)."""
    is_named = options.get("panel") != options.get("series")
    return _drawn("xy", plots=plots(rows, options, looks), is_named=is_named, runs=looks)


def _drawn(drawing: str, **values: Any) -> Markup:
    return render("charts.html", drawing=drawing, small=SMALL, points=POINTS, n_shade=N_SHADE, values=values)


def tree(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return an indented tree of rows, children below their parent: columns ``row`` and ``parent`` (names), ``label``,
    ``note`` and ``shade`` (best, path, hit).
    """
    known = {name: [row[options[name]] for row in rows] for name in ("row", "parent")}
    placed = rows_in_memory(read_statement("show/tree"), known)
    return _drawn("tree", vertices=[(rows[at], *place) for at, *place in placed], options=options)


#: kind of drawing -> what makes it
CHARTS: dict[str, Callable[[Sequence[Row], Mapping[str, str], Mapping[str, int]], Markup]] = {
    "xy": xy,
    "ribbons": lambda rows, options, looks: _drawn("ribbons", rows=rows, options=options),
    "tree": tree,
}
