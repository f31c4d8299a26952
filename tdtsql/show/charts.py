"""Charts of rows: marks on two axes, a heat map, a tree, ribbons between two sides. Rows in, positions out, which the
template ``charts.html`` writes as SVG, and `tdtsql.show.figure` draws with matplotlib.

Colours are variables of the style sheet (``page.css``), at least 3:1 against the paper in light and dark; a run has the
same colour and dashes everywhere.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from operator import itemgetter
from statistics import NormalDist
from typing import Any

from markupsafe import Markup

from tdtsql.errors import truncate
from tdtsql.show.rendering import render
from tdtsql.show.table import fixed

Row = Mapping[str, Any]
Point = tuple[float, float]
#: colours and dashes of runs: two that follow each other differ in both, and 28 in one of them
N_COLOUR = 7
DASHES = ("", "7 3", "2 3", "8 3 2 3")
#: looks of series that are no runs: colour, dashes
_CLASSES = {
    "target": ("ink", ""),
    "non-target": ("soft", "4 2"),
    "by default": ("soft", "2 3"),
    "fitted threshold": ("soft", ""),
    "best threshold on the data": ("soft", "4 2"),
    "upper limit of the model": ("soft", "1 3"),
    "largest part": ("ink", ""),
    "split off": ("warn", ""),
    "together": ("soft", ""),
}
#: marks whose dashes are their own
_DASHED = {"hull": "1 3", "least": "6 3", "interval": ""}
#: mark -> what is drawn (line, fill, point), how a style sheet and what a reader calls it
MARKS: dict[str, tuple[str, str, str]] = {
    name: (kind, css, title)
    for name, kind, css, title in (
        line.split(maxsplit=3)
        for line in """
            line      line  curve       {series}
            least     line  curve       {series}: least
            prior     line  curve       {series}: prior
            hull      line  hull        {series}: hull
            cost      line  iso         {series}
            zero      line  iso         {series}
            vertical  line  hull        {series} {x_fixed}
            interval  line  curve       {series}: [{x_fixed}, {until_fixed}]
            band      fill  band        {series}
            area      fill  area        {series}
            bar       fill  bar         {x:.4g} to {until:.4g}: {y:g}
            cell      fill  cell{shade} {series} on {column}: {value_fixed}
            minimum   point minimum  {series}: minimum ({x:.4g}, {y:.4g})
            actual    point disc     {series}: actual ({x:.4g}, {y:.4g})
            point     point disc     {series}: point ({x:.4g}, {y:.4g})
            value     point disc     {series}: {x_fixed}
            dot       point dot      {series}: {y_fixed} at {x:.4g}
        """.strip().splitlines()
    )
}
#: marks of single points: what a legend says
POINTS = {"minimum": "minimum cost", "actual": "decisions"}
#: marks that lie behind the data: no axis is made for them
_BEHIND = ("cost", "hull", "band")
#: marks whose rows make one outline; where they are few, those of the first four are dots too
_JOINED = ("line", "least", "prior", "hull", "cost", "band", "area")
#: parts of a row that ``show`` lines name
_PARTS = ("x", "y", "until", "series", "mark", "panel")
#: pixels up to which a chart is one of many
SMALL = 350
#: probabilities that get a tick on normal-deviate axes
TICKS = (1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
#: topics of a heat map above which they are not named, and steps of its colours
_MOST_NAMES, N_SHADE = 60, 32


@cache
def deviate(probability: float) -> float:
    """Return the normal deviate of a probability, -6 to 6."""
    return NormalDist().inv_cdf(min(max(probability, 1e-9), 1 - 1e-9))


def look(series: str, looks: Mapping[str, int], mark: str = "line") -> tuple[str, str]:
    """Return the colour and the dashes of a series: those of a run by its number, of a class by its name."""
    if series not in looks:
        return _CLASSES.get(series, ("soft", "1 4"))
    at = looks[series]
    return f"c{at % N_COLOUR}", _DASHED.get(mark, DASHES[at % len(DASHES)])


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


def names_axis(names: Iterable[object], longest: int, begin: float, step: float) -> Axis:
    """Return an axis with a position for each name, 0, 1, 2 ..., so many pixels from each other."""
    texts = {float(at): truncate(str(name), longest) for at, name in enumerate(names)}
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
    rows: Sequence[Row]  #: series, mark, x, y, until; of cells value, shade and the name of the column
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
        groups: dict[str, dict[str, list[Row]]] = {}
        for row in self.rows:
            groups.setdefault(row["series"], {}).setdefault(row["mark"], []).append(row)
            if row["mark"] in _JOINED[:4] and not self.is_share:
                groups[row["series"]].setdefault("dot", []).append({**row, "mark": "dot"})
        drawn: dict[str, list[Shape]] = {}
        for series, marks in groups.items():
            drawn[series] = [
                shape for mark in sorted(marks, key=POINTS.__contains__) for shape in self._shapes(mark, marks[mark])
            ]
        return drawn

    def _shapes(self, mark: str, rows: Sequence[Row]) -> Iterator[Shape]:
        """Yield what the rows of one mark are: joined, or each by itself."""
        first = rows[0]
        if self.is_share and mark not in POINTS:
            # on normal-deviate axes 0 and 1 have no place: a curve ends where its data end
            rows = [row for row in rows if 0 < row["x"] < 1 and 0 < row["y"] < 1]
        if mark == "cost":
            rows = [row for row in rows if self.x.has(row["x"]) and self.y.has(row["y"])]
        if mark == "bar":
            rows = [row for row in rows if row["y"]]
        if mark == "dot" and len(rows) > 30 or mark == "cost" and len(rows) < 3:
            return
        kind, css, title = MARKS[mark]
        for part in [rows] if mark in _JOINED else [[row] for row in rows]:
            row = part[0] if part else first  # a legend names what is not on the axes, too
            numbers = {f"{name}_fixed": fixed(row.get(name)) for name in ("x", "y", "until", "value")}
            yield Shape(
                row,
                self._outline(mark, [(one["x"], one["y"], one["until"]) for one in part]),
                kind,
                css.format(**row),
                look(row["series"], self.looks, mark),
                title.format(**row, **numbers),
            )

    def _outline(self, mark: str, spans: Sequence[tuple[float, float, float]]) -> list[Point]:
        """Return the points of a mark from x, y and until of its rows."""
        low, high, points = self.y.low, self.y.high, [(x, y) for x, y, _ in spans]
        if not spans:
            return points
        x, y, until = spans[0]
        if mark == "band":
            return points + [(x, until) for x, _, until in reversed(spans)]
        if mark in ("bar", "area"):  # bins, and nothing between them
            outline = [(x, low)]
            for x, y, until in spans:
                if not math.isclose(x, outline[-1][0], rel_tol=1e-9):
                    outline += [(outline[-1][0], low), (x, low)]
                outline += [(x, y), (until, y)]
            return [*outline, (until, low)]
        if mark == "cell":
            return [(x - 0.5, y + 0.48), (x - 0.5, y - 0.48), (x + 0.5, y - 0.48), (x + 0.5, y + 0.48)]
        return [(x, low), (x, high)] if mark in ("vertical", "zero") else points + [(until, y)] * (mark == "interval")

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

    Options name the columns of x, y, until (the end of a bar or the upper end of a band), series, mark (a column or
    nothing: lines) and panel (a row without one is in every panel); scale is linear or probit, zero names the axes that
    begin at 0. Instead of x and y: row, value, low and high, for a line of each row with its interval.

    Args:
        looks: run -> number of its colour.
    """
    marks: list[Row] = []
    names: list[str] = []
    if "low" in options:
        rows, names = _intervals(rows, options)
        options = {"x_title": options["value"], "y_title": "", **options, **{part: part for part in _PARTS[:5]}}
    for row in rows:
        known: dict[str, Any] = {part: row[options[part]] if part in options else None for part in _PARTS}
        known |= {part: float(known[part]) for part in _PARTS[:3] if known[part] is not None}
        known |= {"series": str(known["series"] or ""), "mark": known["mark"] or "line"}
        if None not in (known["x"], known["y"]) and math.isfinite(known["x"]):
            marks.append(known)
    panels = dict.fromkeys(row["panel"] for row in marks)
    if len(panels) > 1:
        panels.pop(None, None)
    width, height = map(int, options.get("size", "760x600").split("x"))
    scale, zero, is_small = options.get("scale", "linear"), options.get("zero", ""), width <= SMALL
    titles = [options.get(f"{end}_title", options.get(end, "")).replace("_", " ") for end in "xy"]
    left = min(250, 20 + 7 * max(map(len, names))) if names else 40 if is_small else 62
    drawn = []
    for panel in panels:
        of = [row for row in marks if row["panel"] in (panel, None)]
        fore = [row for row in of if row["mark"] not in _BEHIND] or of
        across = [row[end] for row in fore for end in ("x", "until") if row[end] is not None]
        x = axis_of(across, left, width - 14, scale=scale, zero="x" in zero, most=4 if is_small else 6)
        y = axis_of([row["y"] for row in fore], height - 46, 12, scale=scale, zero="y" in zero, most=5)
        if names:
            y, height = names_axis(names, 32, 4, 24), 50 + 24 * len(names)
            of = [{"series": "0", "mark": "zero", "x": 0.0, "y": 0.0, "until": None}] * x.has(0) + of
        x, y = replace(x, title=titles[0]), replace(y, title=titles[1])
        plot = Plot(str(panel or ""), of, (width, height), x, y, looks)
        if not plot.series.keys() & looks.keys():  # of no run: colours by their order
            own = {series: at for at, series in enumerate(plot.series) if series not in _CLASSES}
            plot = replace(plot, looks={**looks, **own})
        drawn.append(plot)
    return drawn


def _intervals(rows: Iterable[Row], options: Mapping[str, str]) -> tuple[list[Row], list[str]]:
    """Return rows with intervals as marks, one below the other, and the names of their places."""
    known = [[row[options[part]] for part in ("row", "value", "low", "high")] for row in rows]
    known = [one for one in known if None not in one[1:]]
    return [
        {"series": str(name), "y": at, "mark": mark, "x": x, "until": until}
        for at, (name, value, low, high) in enumerate(known)
        for mark, x, until in (("interval", low, high), ("value", value, None))
    ], [str(name) for name, *_ in known]


def xy(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return charts of rows, one a panel (`plots`); the mark ``ribbon`` draws what two sides share."""
    if any(row.get("mark") == "ribbon" for row in rows[:1]):
        return _ribbons(rows, options)
    is_named = options.get("panel") != options.get("series") and "low" not in options
    return _drawn("xy", plots=plots(rows, options, looks), is_named=is_named, runs=looks)


def heat(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return a heat map of rows, in their order: columns ``row``, ``column``, ``value`` and ``shade`` (0 bad to 1 good,
    None: undefined).
    """
    runs, topics = (
        {name: at for at, name in enumerate(dict.fromkeys(str(row[options[side]]) for row in rows))}
        for side in ("row", "column")
    )
    left = min(170, 20 + 7 * max(map(len, runs)))
    x = names_axis(topics, 9, left, min(28.0, (892 - left) / len(topics)))
    if len(topics) > _MOST_NAMES:
        x = replace(x, texts={})
    y = names_axis(runs, 23, 0, 20)
    cells: list[Row] = []
    for row in rows:
        run, topic, value, shade = (row[options[part]] for part in ("row", "column", "value", "shade"))
        step = "" if shade is None else f" h{round((N_SHADE - 1) * shade)}"
        known = {"series": str(run), "x": topics[str(topic)], "y": runs[str(run)], "until": None}
        cells.append(known | {"mark": "cell", "column": topic, "value": value, "shade": step})
    plot = Plot("", cells, (900, int(y.end) + (70 if x.texts else 4)), x, y, runs)
    return _drawn("heat", plot=plot, n_topic=len(topics), shades=range(N_SHADE))


def _drawn(drawing: str, **values: Any) -> Markup:
    return render("charts.html", drawing=drawing, small=SMALL, points=POINTS, values=values)


def _ribbons(rows: Sequence[Row], options: Mapping[str, str]) -> Markup:
    """Return an alluvial diagram: a bar for each name of x (left) and y (right), and a ribbon for what two share, as
    thick as ``until`` says.
    """
    width, tall = map(int, options["size"].split("x"))
    cells = [tuple(row[options[part]] for part in ("x", "y", "until", "series")) for row in rows]
    sides = [sorted(dict.fromkeys(cell[side] for cell in cells), key=_is_rest) for side in (0, 1)]
    scale = tall / (sum(n for _, _, n, _ in cells) or 1)
    bars, bottom = [], 0.0
    begins: list[dict[tuple, float]] = [{}, {}]  # where each ribbon begins at a side
    for side, begin in enumerate(begins):
        y = 4.0
        cells.sort(key=lambda cell: [sides[at].index(cell[at]) for at in (side, 1 - side)])  # ribbons cross little
        for name, of in groupby(cells, itemgetter(side)):
            top, n = y, 0
            for cell in of:
                begin[cell] = y
                y += cell[2] * scale
                n += cell[2]
            bars.append((side, name, n, top, "soft" if _is_rest(name) else "ink"))
            y = max(top + 17, y + 4)
        bottom = max(bottom, y)
    ribbons = [(*cell[:3], look(cell[3], {})[0], *(of[cell] for of in begins)) for cell in cells]
    return _drawn("ribbons", size=(width, round(bottom) + 8), sides=sides, bars=bars, ribbons=ribbons, scale=scale)


def _is_rest(name: str) -> bool:
    return "other cluster" in name or "no cluster" in name


def tree(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return an indented tree of rows, children below their parent: columns ``row`` and ``parent`` (names), ``label``,
    ``note`` and ``shade`` (best, path, hit).
    """
    name, above = options["row"], options["parent"]
    known, placed = {row[name] for row in rows}, list[tuple[Row, int, int, int]]()
    below: dict[Any, list[Row]] = defaultdict(list)
    for row in reversed(rows):
        below[row[above] if row[above] in known else None].append(row)
    waiting = [(row, 16, 0) for row in below[None]]
    while waiting:
        row, x, top = waiting.pop()
        placed.append((row, x, y := 20 + 22 * len(placed), top))
        waiting += [(child, x + 22, y) for child in below[row[name]]]
    return _drawn("tree", vertices=placed, options=options)


#: kind of drawing -> what makes it
CHARTS: dict[str, Callable[[Sequence[Row], Mapping[str, str], Mapping[str, int]], Markup]] = {
    "xy": xy,
    "heat": heat,
    "ranges": xy,
    "tree": tree,
}
