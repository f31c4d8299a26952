"""Charts of rows as SVG: marks on two axes, a heat map, a tree. Rows in, markup out.

Colours are variables of the style sheet (``page.css``), at least 3:1 against the paper in light and dark; a run has the
same colour and dashes everywhere.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from itertools import groupby
from statistics import NormalDist
from typing import Any

from markupsafe import Markup, escape

from tdtsql.errors import truncate
from tdtsql.show.table import fixed

Row = Mapping[str, Any]
Point = tuple[float, float]
#: colours and dashes of runs: two that follow each other differ in both, and 28 in one of them
N_COLOUR = 7
DASHES = ("", "7 3", "2 3", "8 3 2 3")
#: looks of series that are no runs: colour, dashes
_CLASSES = {
    "target": ("var(--ink)", ""),
    "non-target": ("var(--soft)", "4 2"),
    "by default": ("var(--soft)", "2 3"),
    "fitted threshold": ("var(--soft)", ""),
    "best threshold on the data": ("var(--soft)", "4 2"),
    "upper limit of the model": ("var(--soft)", "1 3"),
    "largest part": ("var(--ink)", ""),
    "split off": ("var(--warn)", ""),
    "together": ("var(--soft)", ""),
}
#: marks whose dashes are their own
_DASHED = {"hull": "1 3", "least": "6 3"}
#: marks of single points: what a legend says
POINTS = {"minimum": "minimum cost", "actual": "decisions"}
#: marks that lie behind the data: no axis is made for them
_BEHIND = ("cost", "hull", "band")
#: probabilities that get a tick on normal-deviate axes
TICKS = (1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
#: topics of a heat map above which they are not named
_MOST_NAMES = 60


@cache
def deviate(probability: float) -> float:
    """Return the normal deviate of a probability, -6 to 6."""
    return NormalDist().inv_cdf(min(max(probability, 1e-9), 1 - 1e-9))


def look(series: str, looks: Mapping[str, int], mark: str = "line") -> tuple[str, str]:
    """Return the colour and the dashes of a series: those of a run by its number, of a class by its name."""
    if series not in looks:
        return _CLASSES.get(series, ("var(--soft)", "1 4"))
    at = looks[series]
    return f"var(--c{at % N_COLOUR})", _DASHED.get(mark, DASHES[at % len(DASHES)])


@dataclass(frozen=True)
class Axis:
    """Values to pixels, with round ticks."""

    low: float
    high: float
    begin: float  #: pixels
    end: float
    ticks: tuple[float, ...]
    scale: Callable[[float], float] = float

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

    def apart(self, gap: float) -> list[float]:
        """Return the ticks that are at least ``gap`` pixels from each other."""
        kept: list[float] = []
        for value in self.ticks:
            if not kept or abs(self(value) - self(kept[-1])) >= gap:
                kept.append(value)
        return kept


def round_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Return multiples of 1, 2 or 5 times a power of ten from ``low`` to ``high``, ``most`` steps at most."""
    if not high - low > 1e-300:
        return (low,)
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    return tuple(at * step for at in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1))


def axis_of(
    values: Sequence[float], begin: float, end: float, *, scale: str = "linear", zero: bool = False, most: int = 6
) -> Axis:
    """Return an axis for values; ``zero``: it begins at 0 and ends at or above a round number."""
    if scale == "probit":
        inside = [value for value in values if 0.0 < value < 1.0] or [0.02, 0.4]
        low = max(tick for tick in TICKS if tick <= max(1e-4, min(0.02, *inside)))
        high = min(tick for tick in TICKS if tick >= min(0.95, max(0.4, *inside)))
        return Axis(low, high, begin, end, tuple(tick for tick in TICKS if low <= tick <= high), deviate)
    low, high = min(values, default=0.0), max(values, default=1.0)
    if zero:
        low, high = min(0.0, low), high if high > 0 else 1.0
    ticks = round_ticks(low, high, most)
    return Axis(low, max(high, ticks[-1]), begin, end, ticks)


# ---- marks on two axes: rows, what they are on the axes, and how that is drawn


@dataclass(frozen=True)
class Shape:
    """What one mark is, on the axes of its plot."""

    series: str
    mark: str
    kind: str  #: line, fill or point
    points: Sequence[Point]
    title: str = ""


@dataclass(frozen=True)
class Plot:
    """One drawing: its rows and its axes."""

    panel: str
    rows: Sequence[Row]  #: series, mark, x, y, until
    size: tuple[int, int]  #: width and height in pixels
    x: Axis
    y: Axis
    is_share: bool  #: axes are probabilities, in per cent
    names: Mapping[float, str]  #: value of y -> what its tick is called, where it is not the number

    @property
    def series(self) -> list[str]:
        """Series that a legend names, in order."""
        return list(dict.fromkeys(row["series"] for row in self.rows if row["mark"] not in ("cost", "vertical")))

    @property
    def points(self) -> list[str]:
        """Marks of single points that a legend explains."""
        return [] if self.names else sorted({row["mark"] for row in self.rows} & POINTS.keys())

    def ticks(self, axis: Axis, gap: float) -> list[tuple[float, str]]:
        """Return the values of ticks that are ``gap`` pixels apart, and their texts."""
        names, factor = self.names if axis is self.y else {}, 100 if self.is_share else 1
        return [(value, names.get(value, f"{factor * value:g}")) for value in axis.apart(gap)]

    def shapes(self) -> Iterator[Shape]:
        """Yield what is drawn, by series; points after the lines that they lie on."""
        groups: dict[str, dict[str, list[Row]]] = {}
        for row in self.rows:
            groups.setdefault(row["series"], {}).setdefault(row["mark"], []).append(row)
        for series, marks in groups.items():
            for mark in sorted(marks, key=POINTS.__contains__):
                yield from self._shapes(series, mark, marks[mark])

    def _shapes(self, series: str, mark: str, rows: Sequence[Row]) -> Iterator[Shape]:
        """Yield what the rows of one mark are."""
        if self.is_share and mark not in POINTS:
            # on normal-deviate axes 0 and 1 have no place: a curve ends where its data end
            rows = [row for row in rows if 0 < row["x"] < 1 and 0 < row["y"] < 1]
        spans = [(row["x"], row["y"], row["until"]) for row in rows]
        pairs, base = [(x, y) for x, y, _ in spans], self.y.low
        if mark == "band":
            yield Shape(series, mark, "fill", pairs + [(x, until) for x, _, until in reversed(spans)])
        elif mark == "area":  # the outline of bins
            outline = [(spans[0][0], base)]
            for x, y, until in spans:
                if not math.isclose(x, outline[-1][0], rel_tol=1e-9):
                    outline += [(outline[-1][0], base), (x, base)]
                outline += [(x, y), (until, y)]
            yield Shape(series, mark, "fill", [*outline, (outline[-1][0], base)], series)
        elif mark == "bar":
            for x, y, until in spans:
                if y:
                    corners = [(x, base), (x, y), (until, y), (until, base)]
                    yield Shape(series, mark, "fill", corners, f"{x:.4g} to {until:.4g}: {y:g}")
        elif mark == "vertical":
            for x, _ in pairs:
                yield Shape(series, mark, "line", [(x, base), (x, self.y.high)], f"{series} {fixed(x)}")
        elif mark == "interval":
            for x, y, until in spans:
                yield Shape(series, mark, "line", [(x, y), (until, y)], f"{series}: [{fixed(x)}, {fixed(until)}]")
        elif mark in ("line", "least", "prior", "hull", "cost"):  # one along the edges is in the legend, too
            before = series if mark == "line" else f"{series}{': ' if series else ''}{mark}"
            yield Shape(series, mark, "line", pairs, before)
            if mark != "cost" and not self.is_share and len(pairs) <= 30:
                for x, y in pairs:
                    yield Shape(series, mark, "point", [(x, y)], f"{series}: {fixed(y)} at {x:.4g}")
        else:  # minimum, actual, point
            for x, y in pairs:
                of = f"{self.names[y]}: {fixed(x)}" if y in self.names else f"{series}: {mark} ({x:.4g}, {y:.4g})"
                yield Shape(series, mark, "point", [(x, y)], of)


def plots(rows: Iterable[Row], options: Mapping[str, str]) -> list[Plot]:
    """Return what is drawn, a plot for each panel, of rows of a query whose ``show`` line has these options.

    Options name the columns of x, y, until (the end of a bar or the upper end of a band), series, mark (a column or
    nothing: lines) and panel; scale is linear or probit, zero names the axes that begin at 0. Instead of x and y: row,
    value, low and high, for a line of each row with its interval.
    """
    panels: dict[str, list[Row]] = {}
    names: dict[float, str] = {}
    if "low" in options:
        rows, names = _intervals(rows, options)
        options = {**{name: name for name in ("x", "y", "until", "series", "mark")}, **options}
    columns = {part: options[part] for part in ("x", "y", "until", "series", "mark", "panel") if part in options}
    for row in rows:
        known: dict[str, Any] = {"series": "", "mark": "line", "until": None, "panel": ""}
        known |= {part: float(row[of]) if isinstance(row[of], Decimal) else row[of] for part, of in columns.items()}
        if known["x"] is not None and known["y"] is not None:
            panels.setdefault(str(known["panel"]), []).append(known | {"series": str(known["series"])})
    width, height = map(int, options.get("size", "760x600").split("x"))
    height = 24 * len(names) + 60 if names else height
    scale, zero, is_small = options.get("scale", "linear"), options.get("zero", ""), width <= 350
    left = min(250, 20 + 7 * max(map(len, names.values()))) if names else 40 if is_small else 62
    drawn = []
    for panel, of in panels.items():
        fore = [row for row in of if row["mark"] not in _BEHIND] or of
        across = [row[end] for row in fore for end in ("x", "until") if row[end] is not None]
        x = axis_of(across, left, width - 14, scale=scale, zero="x" in zero, most=4 if is_small else 6)
        y = axis_of([row["y"] for row in fore], height - 46, 12, scale=scale, zero="y" in zero, most=5)
        if names:
            y = Axis(0.5 - len(names), 0.5, height - 46, 4, tuple(names))
            if x.low <= 0 <= x.high:
                of = [{"series": "0", "mark": "vertical", "x": 0.0, "y": 0.0, "until": None}, *of]
        drawn.append(Plot(panel, of, (width, height), x, y, scale == "probit", names))
    return drawn


def _intervals(rows: Iterable[Row], options: Mapping[str, str]) -> tuple[list[Row], dict[float, str]]:
    """Return rows with intervals as marks, one below the other, and the names of their places."""
    known = [[row[options[part]] for part in ("row", "value", "low", "high")] for row in rows]
    made: list[Row] = []
    names: dict[float, str] = {}
    for name, value, low, high in known:
        if None not in (value, low, high):
            y = float(-len(names))
            names[y] = truncate(str(name), 32)
            place = {"series": str(name), "y": y}
            made += [place | {"mark": "interval", "x": low, "until": high}]
            made += [place | {"mark": "actual", "x": value, "until": None}]
    return made, names


def titles_of(options: Mapping[str, str]) -> list[str]:
    """Return the titles of the two axes."""
    usual = {"x": options.get("value", "")}
    return [options.get(f"{axis}_title", options.get(axis, usual.get(axis, ""))).replace("_", " ") for axis in "xy"]


def xy(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return charts of rows, one a panel (`plots`); marks are line, least, prior, cost, hull, band, area, bar, point,
    vertical, minimum, actual; ``ribbon`` draws what two sides share.

    Args:
        looks: run -> number of its colour.
    """
    if any(row.get("mark") == "ribbon" for row in rows[:1]):
        return _ribbons(rows, options)
    titles, figures = titles_of(options), []
    for plot in plots(rows, options):
        own = dict(looks)
        if not set(plot.series) & set(looks):  # of no run: colours by their order
            own |= {series: at for at, series in enumerate(plot.series) if series not in _CLASSES}
        runs = [series for series in plot.series if series in own]
        label = f"Intervals of {len(plot.names)} rows" if plot.names else f"{titles[1]} over {titles[0]}"
        label = f"{plot.panel}{': ' if plot.panel else ''}{label}{' of ' if runs else ''}{', '.join(runs[:12])}"
        factor, unit = (100, " %") if plot.is_share else (1, "")
        x, y = (f"axis {factor * axis.low:g} to {factor * axis.high:g}{unit}" for axis in (plot.x, plot.y))
        drawing = _svg(
            *plot.size,
            f"{label}{' ...' if len(runs) > 12 else ''}",
            f"{len(plot.series) or 1} series; horizontal {x}, vertical {y}.",
            _axes(plot, titles) + _marks(plot, own),
            "chart fits" if plot.size[0] > 350 else "chart",
        )
        is_named = runs and options.get("panel") != options.get("series") and not plot.names
        key = legend({run: own[run] for run in runs}, plot.points) if is_named else ""
        caption = Markup("<figcaption>{}</figcaption>").format(plot.panel) if plot.panel else ""
        subject = Markup(' data-run="{}"').format(plot.panel) if plot.panel in looks else ""
        figures.append(Markup("<figure{}>{}{}{}</figure>").format(subject, caption, key, drawing))
    one = " one" if len(figures) == 1 else ""
    return Markup('<div class="panels{}">{}</div>').format(one, Markup("").join(figures))


def legend(looks: Mapping[str, int], points: Sequence[str] = ()) -> Markup:
    """Return a list of series with their looks, which a page lets its readers switch off, and of marks of points."""
    swatch = '<svg viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">%s</svg>'
    named = [
        Markup('<li><label><input type="checkbox" checked data-run="{}"/>{} {}</label></li>').format(
            series, Markup(swatch % f'<path d="M1 6H33" stroke-width="2.5" {_stroke(series, looks)}/>'), series
        )
        for series in looks
    ]
    named += [Markup(f"<li>{swatch % _point(mark, 17, 6, 'var(--ink)')} {POINTS[mark]}</li>") for mark in points]
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(named))


def _stroke(series: str, looks: Mapping[str, int], mark: str = "line") -> str:
    colour, dashes = look(series, looks, mark)
    return f'stroke="{colour}"' + (f' stroke-dasharray="{dashes}"' if dashes else "")


def _point(mark: str, x: float, y: float, colour: str, title: str = "") -> str:
    """Return a triangle for a minimum, otherwise a disc; a small one on a line."""
    if mark == "minimum":
        return f'<path class="minimum" stroke="{colour}" d="M{x:.1f} {y:.1f}m0 -6l5.2 9.4h-10.4z">{title}</path>'
    radius = 4.5 if mark in ("actual", "point") else 3
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}">{title}</circle>'


def _svg(width: float, height: float, title: str, description: str, body: str, kind: str = "chart") -> Markup:
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{body}</svg>"
    )


def _text(x: float, y: float, text: object, anchor: str = "", kind: str = "") -> str:
    anchor = f' text-anchor="{anchor}"' if anchor else ""
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{anchor}{kind}>{escape(text)}</text>'


def _axes(plot: Plot, titles: Sequence[str]) -> str:
    x, y, (width, height) = plot.x, plot.y, plot.size
    major, out = x.apart(62), []
    for tick, text in plot.ticks(x, 34):
        if plot.is_share or plot.names:
            out.append(f'<path class="rule" d="M{x(tick):.1f} {y.end}V{y.begin}"/>')
        out.append(_text(x(tick), y.begin + 17, text, "middle", "x-tick" if tick in major else "x-tick minor"))
    for tick, text in plot.ticks(y, 20):
        if not plot.names:
            out.append(f'<path class="rule" d="M{x.begin} {y(tick):.1f}H{x.end}"/>')
        out.append(_text(x.begin - 7, y(tick) + 4, text, "end", "y-tick"))
    if plot.is_share:  # equal rates
        ends = [(end, end) for end in (max(x.low, y.low), min(x.high, y.high))]
        out.append(f'<path class="iso equal" d="{_path(plot, ends)}"/>')
    out.append(_text((x.begin + x.end) / 2, height - 7, titles[0], "middle", "title"))
    if width > 350 and titles[1]:
        out.append(
            f'<text transform="translate(14 {(y.begin + y.end) / 2:.0f}) rotate(-90)" class="title" '
            f'text-anchor="middle">{escape(titles[1])}</text>'
        )
    return "".join(out)


def _marks(plot: Plot, looks: Mapping[str, int]) -> str:
    """Return the shapes, grouped by series; lines without what is outside the axes."""
    out, x, y = [], plot.x, plot.y
    box = f"{x.begin:g} {y.end:g} {x.end - x.begin:g} {y.begin - y.end:g}"
    place = 'x="{}" y="{}" width="{}" height="{}"'.format(*box.split())
    for series, shapes in groupby(plot.shapes(), lambda shape: shape.series):
        drawn = {True: "", False: ""}
        for shape in shapes:
            drawn[shape.mark in POINTS] += _drawn(plot, shape, looks)
        lines = drawn[False]
        if plot.is_share and lines:
            lines = f'<svg {place} viewBox="{box}">{lines}</svg>'
        if lines or drawn[True]:
            run = f' data-run="{escape(series)}"' if series in looks else ""
            out.append(f"<g{run}>{lines}{drawn[True]}</g>")
    return "".join(out)


def _path(plot: Plot, points: Iterable[Point]) -> str:
    """Return points as a path, which may leave the axes."""
    places = [f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in points]
    return "M" + "L".join(places) if places else ""


def _drawn(plot: Plot, shape: Shape, looks: Mapping[str, int]) -> str:
    mark, points, (colour, _) = shape.mark, shape.points, look(shape.series, looks, shape.mark)
    if mark == "cost":
        points = [(x, y) for x, y in points if plot.x.within(x) == x and plot.y.within(y) == y]
    if len(points) < (3 if mark == "cost" else 1):
        return ""
    x, y = plot.x(plot.x.within(points[0][0])), plot.y(plot.y.within(points[0][1]))
    title = f"<title>{escape(shape.title)}</title>"
    if shape.kind == "point":
        return _point(mark, x, y, colour, title)
    path, stroke = _path(plot, points), _stroke(shape.series, looks, mark)
    if mark == "cost":
        return f'<path class="iso" d="{path}"/>{_text(x + 4, y - 3, shape.series, kind="iso-label")}'
    if mark == "vertical" and plot.names:
        return f'<path class="iso" d="{path}"/>'
    if mark == "bar":
        return f'<path class="bar" d="{path}Z">{title}</path>'
    if mark == "band":
        return f'<path class="band" fill="{colour}" d="{path}Z"/>'
    if mark == "area":
        return f'<path class="area" fill="{colour}" {stroke} d="{path}Z">{title}</path>'
    if mark == "interval":
        path += "".join(f"M{plot.x(end):.1f} {y - 4:.1f}v8" for end, _ in points)
        stroke = f'stroke="{colour}"'
    is_thin = mark in ("hull", "vertical") or plot.size[0] <= 350
    return f'<path class="{"hull" if is_thin else "curve"}" {stroke} d="{path}">{title}</path>'


# ---- what two sides share


def _ribbons(rows: Sequence[Row], options: Mapping[str, str]) -> Markup:
    """Return an alluvial diagram: a bar for each name of x (left) and y (right), and a ribbon for what two share, as
    thick as ``until`` says.
    """
    width, tall = map(int, options["size"].split("x"))
    cells = [[row[options[part]] for part in ("x", "y", "until", "series")] for row in rows]
    totals: list[Counter[str]] = [Counter(), Counter()]
    for gold, other, n, _ in cells:
        totals[0][gold] += n
        totals[1][other] += n
    scale = tall / (totals[0].total() or 1)
    left = {name: at for at, name in enumerate(totals[0])}

    def order(name: str) -> tuple[bool, float]:  # ribbons cross little
        return _is_rest(name), sum(left[of] * n for of, to, n, _ in cells if to == name) / totals[1][name]

    right = {name: at for at, name in enumerate(sorted(totals[1], key=order))}
    bars, bottom = "", 0.0
    begins: list[dict[tuple[str, ...], float]] = []  # where each ribbon begins at a side
    sides = ((left, 240, ("end", 232)), (right, width - 252, ("start", width - 232)))
    for side, (names, edge, (anchor, x)) in enumerate(sides):
        y, free = 4.0, {}
        for name in names:
            n, free[name] = totals[side][name], y
            colour = "var(--soft)" if _is_rest(name) else "var(--ink)"
            bars += (
                f'<g><title>{escape(name)}: {n:,}</title><rect x="{edge}" y="{y:.1f}" width="12" '
                f'height="{max(n * scale, 1):.1f}" fill="{colour}"/></g>'
            ) + _text(x, y + 11, f"{truncate(name, 26)} ({n:,})", anchor)
            y += max(17, n * scale + 4)
        bottom = max(bottom, y)
        cells.sort(key=lambda cell: (names[cell[side]], sides[1 - side][0][cell[1 - side]]))
        begins.append({})
        for *pair, n, _ in cells:
            begins[side][tuple(pair)] = free[pair[side]]
            free[pair[side]] += n * scale
    ribbons, middle, end = "", width // 2, width - 252
    for gold, other, n, series in cells:
        y0, y1 = (of[gold, other] for of in begins)
        ribbons += (
            f'<path d="M252 {y0:.1f}C{middle} {y0:.1f} {middle} {y1:.1f} {end} {y1:.1f}V{y1 + n * scale:.1f}'
            f'C{middle} {y1 + n * scale:.1f} {middle} {y0 + n * scale:.1f} 252 {y0 + n * scale:.1f}Z" '
            f'fill="{look(series, {})[0]}" fill-opacity="0.45"><title>{escape(gold)} to {escape(other)}: {n:,}</title>'
            "</path>"
        )
    label = f"{len(left)} gold clusters and {len(right)} clusters of a run"
    about = "A ribbon joins two that share items; it is as thick as their number."
    return Markup('<figure class="flow">{}</figure>').format(
        _svg(width, round(bottom + 8), label, about, ribbons + bars)
    )


def _is_rest(name: str) -> bool:
    return "other cluster" in name or "no cluster" in name


# ---- heat map


def heat(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return a heat map of rows, in their order: columns ``row``, ``column``, ``value`` and ``shade`` (0 bad to 1 good,
    None: undefined).
    """
    cells = [[row[options[part]] for part in ("row", "column", "value", "shade")] for row in rows]
    runs, topics = ({str(cell[side]): "" for cell in cells} for side in (0, 1))
    left = min(170, 20 + 7 * max(map(len, runs)))
    wide, tops = min(28.0, (892 - left) / len(topics)), {run: at * 20 for at, run in enumerate(runs)}
    places = {topic: at * wide + left for at, topic in enumerate(topics)}
    for name, column, value, shade in cells:
        said = "undefined" if value is None else fixed(value)
        runs[str(name)] += (
            f'<rect x="{places[str(column)]:.1f}" y="{tops[str(name)]}" width="{wide + 0.4:.1f}" height="19" '
            f'fill="{cividis(shade)}"><title>{escape(name)} on {escape(column)}: {said}</title></rect>'
        )
    body = "".join(
        f'{_text(left - 6, tops[run] + 14, truncate(run, 23), "end")}<g data-run="{escape(run)}">{line}</g>'
        for run, line in runs.items()
    )
    height = len(runs) * 20 + 4
    if len(topics) <= _MOST_NAMES:
        body += "".join(
            f'<text transform="translate({x + 0.7 * wide:.1f} {height + 4}) rotate(60)">'
            f"{escape(truncate(topic, 9))}</text>"
            for topic, x in places.items()
        )
        height += 66
    label = f"Heat map of {len(runs)} runs and {len(topics)} columns"
    scale = "".join(f'<rect x="{60 + 4 * at}" width="4.4" height="12" fill="{cividis(at / 63)}"/>' for at in range(64))
    scale += _text(56, 11, "worse", "end") + _text(322, 11, "better")
    return Markup('<figure class="scroll-x">{}</figure><div class="scale">{}</div>').format(
        _svg(900, height, label, "Light is better, grey is undefined.", body),
        _svg(400, 16, "Colour scale", "Dark is worse, light is better.", scale),
    )


@cache
def cividis(share: float | None) -> str:
    """Return a colour of the scale cividis, 0 dark to 1 light (Nunez, Anderton, Renslow, 2018; d3's polynomial); None:
    grey.
    """
    if share is None:
        return "var(--missing)"
    t = min(max(share, 0.0), 1.0)
    red = -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))))
    green = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))))
    blue = 81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))))
    return "#" + "".join(f"{min(255, max(0, round(part))):02x}" for part in (red, green, blue))


# ---- tree

#: style within the drawing, which is also written to a file
_TREE = (
    ".tree .edge{fill:none;stroke:#888}.tree .path{stroke:#b3430e;stroke-width:3}.tree .vertex{fill:#fff;stroke:#555}"
    ".tree .hit{fill:#6d9fd0}.tree .best{stroke:#b3430e;stroke-width:3}.tree text{fill:var(--ink,#222)}"
    ".tree .note{fill:var(--soft,#666)}"
)


def tree(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return an indented tree of rows, children below their parent: columns ``row`` and ``parent`` (names), ``label``,
    ``note`` and ``shade`` (best, path, hit).
    """
    parts = ("row", "parent", "label", "note", "shade")
    vertices = [
        [str(row.get(options.get(part, ""), "") or "") for part in parts] + [" hit" if row.get("n_hit") else ""]
        for row in rows
    ]
    known = {name for name, *_ in vertices}
    below: dict[str, list[list[str]]] = {}
    for vertex in reversed(vertices):
        below.setdefault(vertex[1] if vertex[1] in known else "", []).append(vertex)
    out, widest, y = [], 300, -2
    waiting = [(vertex, 16, 0) for vertex in below.get("", [])]
    while waiting:
        (name, above, label, note, shade, hit), x, top = waiting.pop()
        y += 22
        widest = max(widest, x + 40 + 7 * (min(len(name), 40) + len(label) + len(note)))
        if above in known:
            thick = " path" if shade in ("best", "path") else ""
            out.append(f'<path class="edge{thick}" d="M{x - 22} {top + 6}V{y}H{x - 6}"/>')
        kind = f"{hit or ' hit' * (shade == 'hit')}{' best' * (shade == 'best')}"
        out.append(
            f'<circle class="vertex{kind}" cx="{x}" cy="{y}" r="5"><title>{escape(name)}: {escape(label)}</title>'
            f'</circle><text x="{x + 12}" y="{y + 4}" style="white-space:pre">'
            f'<tspan font-weight="bold">{escape(truncate(name, 40))}</tspan><tspan>  {escape(label)}</tspan>'
            f'<tspan class="note">  {escape(note)}</tspan></text>'
        )
        waiting += [(child, x + 22, y) for child in below.get(name, [])]
    title, about = f"Tree of {len(rows)} vertices", "A row is a vertex, below and to the right of its parent."
    style = f"<style>{_TREE}</style>"
    return _svg(widest, y + 22, title, about, style + "".join(out), 'tree" font-family="sans-serif" font-size="12')


#: kind of drawing -> what makes it
CHARTS: dict[str, Callable[[Sequence[Row], Mapping[str, str], Mapping[str, int]], Markup]] = {
    "xy": xy,
    "heat": heat,
    "ranges": xy,
    "tree": tree,
}
