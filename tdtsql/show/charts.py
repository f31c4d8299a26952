"""Charts of rows as SVG: marks on two axes, a heat map, a tree. Rows in, markup out.

Colours are variables of the style sheet (``page.css``), at least 3:1 against the paper in light and dark; a run has the
same colour and dashes everywhere.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import groupby
from statistics import NormalDist
from typing import Any

from markupsafe import Markup, escape

from tdtsql.errors import truncate
from tdtsql.show.table import fixed

Row = Mapping[str, Any]
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
#: marks that reach from x to ``until``
_WIDE = ("bar", "area", "interval")
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
    """Values to pixels, with round ticks; values outside its range are drawn at its ends."""

    low: float
    high: float
    begin: float  #: pixels
    end: float
    ticks: tuple[float, ...]
    scale: Callable[[float], float] = float

    def __call__(self, value: float) -> float:
        return self.unbounded(min(max(value, self.low), self.high))

    def unbounded(self, value: float) -> float:
        """Return the position of a value, beyond the ends too."""
        low, high = self.scale(self.low), self.scale(self.high)
        return self.begin + (self.end - self.begin) * (self.scale(value) - low) / ((high - low) or 1.0)

    def is_within(self, value: float) -> bool:
        return self.low <= value <= self.high

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


@dataclass(frozen=True)
class Shape:
    """What one mark is, on the axes of its plot."""

    series: str
    mark: str
    kind: str  #: line, fill or point
    points: list[tuple[float, float]]
    title: str


@dataclass(frozen=True)
class Plot:
    """One drawing: its rows and its axes."""

    rows: list[Row]  #: series, mark, x, y, until
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

    @property
    def description(self) -> str:
        """What a reader sees, for who does not see it."""
        factor, unit = (100, " %") if self.is_share else (1, "")
        ends = (f"{factor * axis.low:g} to {factor * axis.high:g}{unit}" for axis in (self.x, self.y))
        return f"{len(self.series) or 1} series; horizontal axis {next(ends)}, vertical axis {next(ends)}."

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
                rows = marks[mark]
                if self.is_share and mark not in POINTS:
                    # on normal-deviate axes 0 and 1 have no place: a curve ends where its data end
                    rows = [row for row in rows if 0 < row["x"] < 1 and 0 < row["y"] < 1]
                for kind, points, title in self._shapes(mark, rows):
                    before = series if mark == "line" else f"{series}{': ' if series else ''}{mark}"
                    yield Shape(series, mark, kind, points, title or before)

    def _shapes(self, mark: str, rows: Sequence[Row]) -> Iterator[tuple[str, list[tuple[float, float]], str]]:
        """Yield kind, points and title (empty: series and mark) of what a mark is."""
        pairs, base = [(row["x"], row["y"]) for row in rows], self.y.low
        if not rows:  # a curve along the edges is in the legend, too
            yield from [("line", [], "")] if mark == "line" else ()
        elif mark == "cost":
            pairs = [(x, y) for x, y in pairs if self.x.is_within(x) and self.y.is_within(y)]
            if len(pairs) > 2:
                yield "line", pairs, ""
        elif mark == "band":
            yield "fill", pairs + [(row["x"], row["until"]) for row in reversed(rows)], ""
        elif mark == "area":  # the outline of bins
            outline: list[tuple[float, float]] = []
            for row in rows:
                if not outline or not math.isclose(row["x"], outline[-1][0], rel_tol=1e-9):
                    outline += [(outline[-1][0], base)] if outline else []
                    outline.append((row["x"], base))
                outline += [(row["x"], row["y"]), (row["until"], row["y"])]
            yield "fill", [*outline, (outline[-1][0], base)], rows[0]["series"]
        elif mark == "bar":
            for x, y, until in ((row["x"], row["y"], row["until"]) for row in rows if row["y"]):
                yield "fill", [(x, base), (x, y), (until, y), (until, base)], f"{x:.4g} to {until:.4g}: {y:g}"
        elif mark == "vertical":
            for x, _ in pairs:
                yield "line", [(x, base), (x, self.y.high)], f"{rows[0]['series']} {fixed(x)}"
        elif mark == "interval":
            for row in rows:
                ends = f"[{fixed(row['x'])}, {fixed(row['until'])}]"
                yield "line", [(row["x"], row["y"]), (row["until"], row["y"])], f"{row['series']}: {ends}"
        elif mark in ("line", "least", "prior", "hull"):
            yield "line", pairs, ""
            if not self.is_share and len(pairs) <= 30:
                for x, y in pairs:
                    yield "point", [(x, y)], f"{rows[0]['series']}: {fixed(y)} at {x:.4g}"
        else:  # minimum, actual, point
            for x, y in pairs:
                name = self.names.get(y)
                yield (
                    "point",
                    [(x, y)],
                    f"{name}: {fixed(x)}" if name else f"{rows[0]['series']}: {mark} ({x:.4g}, {y:.4g})",
                )


def plots(rows: Iterable[Row], options: Mapping[str, str], foot: int = 46) -> dict[str, Plot]:
    """Return panel -> what is drawn in it, of rows of a query whose ``show`` line has these options.

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
        known = {"series": "", "mark": "line", "until": None, "panel": ""} | {
            part: float(row[name]) if isinstance(row[name], Decimal) else row[name] for part, name in columns.items()
        }
        if known["x"] is not None and known["y"] is not None:
            panels.setdefault(str(known["panel"]), []).append(known | {"series": str(known["series"])})
    width, height = size_of(options, len(names))
    scale, zero = options.get("scale", "linear"), options.get("zero", "")
    left = 62 if width > 350 else 40
    if names:
        left = min(250, 20 + 7 * max(map(len, names.values())))
    drawn = {}
    for panel, of in panels.items():
        fore = [row for row in of if row["mark"] not in _BEHIND] or of
        across = [row["x"] for row in fore]
        across += [row["until"] for row in fore if row["until"] is not None and row["mark"] in _WIDE]
        x = axis_of(across, left, width - 14, scale=scale, zero="x" in zero, most=6 if width > 350 else 4)
        y = axis_of([row["y"] for row in fore], height - foot, 12, scale=scale, zero="y" in zero, most=5)
        if names:
            y = Axis(0.5 - len(names), 0.5, height - foot, 4, tuple(names))
            if x.is_within(0):
                of = [{"series": "0", "mark": "vertical", "x": 0.0, "y": 0.0, "until": None}, *of]
        drawn[panel] = Plot(of, x, y, scale == "probit", names)
    return drawn


def size_of(options: Mapping[str, str], n_name: int = 0) -> tuple[int, int]:
    """Return width and height of a chart in pixels; that of intervals follows from their number."""
    width, height = map(int, options.get("size", "760x600").split("x"))
    return (width, 24 * n_name + 60) if n_name else (width, height)


def _intervals(rows: Iterable[Row], options: Mapping[str, str]) -> tuple[list[Row], dict[float, str]]:
    """Return rows with intervals as marks, one below the other, and the names of their places."""
    name, *ends = (options[part] for part in ("row", "value", "low", "high"))
    known = [row for row in rows if None not in (row[end] for end in ends)]
    made: list[Row] = []
    for at, row in enumerate(known):
        value, low, high = (row[end] for end in ends)
        place = {"series": str(row[name]), "y": float(-at)}
        made += [place | {"mark": "interval", "x": low, "until": high}]
        made += [place | {"mark": "actual", "x": value, "until": None}]
    return made, {float(-at): truncate(str(row[name]), 32) for at, row in enumerate(known)}


def xy(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return charts of rows, one a panel (`plots`); marks are line, least, prior, cost, hull, band, area, bar, point,
    vertical, minimum, actual; ``ribbon`` draws what two sides share.

    Args:
        looks: run -> number of its colour.
    """
    if any(row.get("mark") == "ribbon" for row in rows[:1]):
        return _ribbons(rows, options, size_of(options))
    titles = {name: options.get(f"{name}_title", options.get(name, "")).replace("_", " ") for name in ("x", "y")}
    titles["x"] = titles["x"] or options.get("value", "").replace("_", " ")
    figures = []
    for panel, plot in plots(rows, options).items():
        width, height = size_of(options, len(plot.names))
        own = dict(looks)
        if not set(plot.series) & set(looks):  # of no run: colours by their order
            own |= {series: at for at, series in enumerate(plot.series) if series not in _CLASSES}
        runs = [series for series in plot.series if series in own]
        label = f"Intervals of {len(plot.names)} rows" if plot.names else f"{titles['y']} over {titles['x']}"
        label = f"{panel + ': ' if panel else ''}{label}"
        if runs:
            label += f" of {', '.join(runs[:12])}{' ...' if len(runs) > 12 else ''}"
        body = _axes(plot, titles, width, height) + _marks(plot, own)
        drawing = _svg(width, height, label, plot.description, body, "chart fits" if width > 350 else "chart")
        is_named = runs and options.get("panel") != options.get("series") and not plot.names
        key = legend({run: own[run] for run in runs}, plot.points) if is_named else ""
        caption = Markup("<figcaption>{}</figcaption>").format(panel) if panel else ""
        subject = Markup(' data-run="{}"').format(panel) if panel in looks else ""
        figures.append(Markup("<figure{}>{}{}{}</figure>").format(subject, caption, key, drawing))
    return Markup('<div class="panels{}">{}</div>').format(
        " one" if len(figures) == 1 else "", Markup("").join(figures)
    )


def legend(looks: Mapping[str, int], points: Sequence[str] = ()) -> Markup:
    """Return a list of series with their looks, which a page lets its readers switch off, and of marks of points."""
    named = [
        Markup('<li><label><input type="checkbox" checked data-run="{}"/>{} {}</label></li>').format(
            series, _swatch(f'<path d="M1 6H33" stroke="{colour}" stroke-width="2.5"{_dashed(dashes)}/>'), series
        )
        for series, (colour, dashes) in ((series, look(series, looks)) for series in looks)
    ]
    named += [
        Markup("<li>{} {}</li>").format(_swatch(_point(mark, 17, 6, "var(--ink)")), POINTS[mark]) for mark in points
    ]
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(named))


def _swatch(body: str) -> Markup:
    return Markup(f'<svg viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">{body}</svg>')


def _point(mark: str, x: float, y: float, colour: str, title: str = "") -> str:
    """Return a triangle for a minimum, otherwise a disc; a small one on a line."""
    if mark == "minimum":
        return f'<path class="minimum" stroke="{colour}" d="M{x:.1f} {y:.1f}m0 -6l5.2 9.4h-10.4z">{title}</path>'
    radius = 4.5 if mark in ("actual", "point") else 3
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}">{title}</circle>'


def _dashed(dashes: str) -> str:
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def _svg(width: float, height: float, title: str, description: str, body: str, kind: str = "chart") -> Markup:
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{body}</svg>"
    )


def _text(x: float, y: float, text: object, anchor: str = "", kind: str = "", title: str = "") -> str:
    anchor = f' text-anchor="{anchor}"' if anchor else ""
    kind = f' class="{kind}"' if kind else ""
    title = f"<title>{escape(title)}</title>" if title else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{anchor}{kind}>{title}{escape(text)}</text>'


def _axes(plot: Plot, titles: Mapping[str, str], width: float, height: float) -> str:
    x, y = plot.x, plot.y
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
        ends = max(x.low, y.low), min(x.high, y.high)
        out.append(f'<path class="iso equal" d="{_path(plot, ((end, end) for end in ends))}"/>')
    out.append(_text((x.begin + x.end) / 2, height - 7, titles["x"], "middle", "title"))
    if width > 350 and titles["y"]:
        middle = (y.begin + y.end) / 2
        out.append(
            f'<text transform="translate(14 {middle:.0f}) rotate(-90)" class="title" text-anchor="middle">'
            f"{escape(titles['y'])}</text>"
        )
    return "".join(out)


def _marks(plot: Plot, looks: Mapping[str, int]) -> str:
    """Return the shapes, grouped by series; lines without what is outside the axes."""
    out = []
    for series, shapes in groupby(plot.shapes(), lambda shape: shape.series):
        run = f' data-run="{escape(series)}"' if series in looks else ""
        lines, points = "", ""
        for shape in shapes:
            if shape.mark in POINTS:
                points += _drawn(plot, shape, looks)
            else:
                lines += _drawn(plot, shape, looks)
        if plot.is_share and lines:
            x, y, wide, tall = plot.x.begin, plot.y.end, plot.x.end - plot.x.begin, plot.y.begin - plot.y.end
            place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{tall:g}"'
            lines = f'<svg {place} viewBox="{x:g} {y:g} {wide:g} {tall:g}">{lines}</svg>'
        out.append(f"<g{run}>{lines}{points}</g>")
    return "".join(out)


def _path(plot: Plot, points: Iterable[tuple[float, float]]) -> str:
    """Return points as a path, which may leave the axes."""
    return "".join(
        f"{'L' if at else 'M'}{plot.x.unbounded(x):.1f} {plot.y.unbounded(y):.1f}" for at, (x, y) in enumerate(points)
    )


def _drawn(plot: Plot, shape: Shape, looks: Mapping[str, int]) -> str:
    colour, dashes = look(shape.series, looks, shape.mark)
    stroke = f'stroke="{colour}"{_dashed(dashes)}'
    title, path = f"<title>{escape(shape.title)}</title>", _path(plot, shape.points)
    if not shape.points:
        return ""
    x, y = plot.x(shape.points[0][0]), plot.y(shape.points[0][1])
    if shape.kind == "point":
        return _point(shape.mark, x, y, colour, title)
    if shape.mark == "cost":
        return f'<path class="iso" d="{path}"/>{_text(x + 4, y - 3, shape.series, kind="iso-label")}'
    if shape.mark == "bar":
        return f'<path class="bar" d="{path}Z">{title}</path>'
    if shape.mark == "band":
        return f'<path class="band" fill="{colour}" d="{path}Z"/>'
    if shape.kind == "fill":
        return f'<path class="{shape.mark}" fill="{colour}" {stroke} d="{path}Z">{title}</path>'
    if plot.names and shape.mark == "vertical":
        return f'<path class="iso" d="{path}"/>'
    if shape.mark == "interval":
        path += f"M{x:.1f} {y - 4:.1f}v8M{plot.x(shape.points[1][0]):.1f} {y - 4:.1f}v8"
        stroke = f'stroke="{colour}"'
    is_thin = shape.mark in ("hull", "vertical") or plot.x.end <= 350
    return f'<path class="{"hull" if is_thin else "curve"}" {stroke} d="{path}">{title}</path>'


# ---- what two sides share


def _ribbons(rows: Sequence[Row], options: Mapping[str, str], size: tuple[int, int]) -> Markup:
    """Return an alluvial diagram: a bar for each name of x (left) and y (right), and a ribbon for what two share, as
    thick as ``until`` says.
    """
    width, tall = size
    names, bar, line = 240, 12, 17
    cells = [(row[options["x"]], row[options["y"]], row[options["until"]], row[options["series"]]) for row in rows]
    scale = tall / (sum(n for _, _, n, _ in cells) or 1)
    left, right = (list(dict.fromkeys(cell[side] for cell in cells)) for side in (0, 1))

    def centre(name: str) -> float:
        of = [(left.index(gold), n) for gold, other, n, _ in cells if other == name]
        return sum(at * n for at, n in of) / sum(n for _, n in of)

    together = ("other cluster", "no cluster")
    right.sort(key=lambda name: (any(word in name for word in together), centre(name)))  # ribbons cross little
    tops, sizes = ({}, {}), ({}, {})  # type: tuple[dict[str, float], ...], tuple[dict[str, int], ...]
    height = 0.0
    for side, order in enumerate((left, right)):
        y = 4.0
        for name in order:
            sizes[side][name] = sum(cell[2] for cell in cells if cell[side] == name)
            tops[side][name] = y
            y += max(line, sizes[side][name] * scale + 4)
        height = max(height, y)
    used, starts = ({}, {}), {}  # type: tuple[dict[str, float], ...], dict[tuple[str, str], float]
    for gold, other, n, _ in sorted(cells, key=lambda cell: (left.index(cell[0]), right.index(cell[1]))):
        starts[gold, other] = tops[0][gold] + used[0].get(gold, 0.0)
        used[0][gold] = used[0].get(gold, 0.0) + n * scale
    out, x0, x1, middle = [], names + bar, width - names - bar, width // 2
    for gold, other, n, series in sorted(cells, key=lambda cell: (right.index(cell[1]), left.index(cell[0]))):
        y0, y1, thick = starts[gold, other], tops[1][other] + used[1].get(other, 0.0), n * scale
        used[1][other] = used[1].get(other, 0.0) + thick
        out.append(
            f'<path d="M{x0} {y0:.1f}C{middle} {y0:.1f} {middle} {y1:.1f} {x1} {y1:.1f}V{y1 + thick:.1f}'
            f'C{middle} {y1 + thick:.1f} {middle} {y0 + thick:.1f} {x0} {y0 + thick:.1f}Z" '
            f'fill="{look(series, {})[0]}" fill-opacity="0.45"><title>{escape(gold)} to {escape(other)}: {n:,}</title>'
            "</path>"
        )
    for side, order in enumerate((left, right)):
        for name in order:
            y, n = tops[side][name], sizes[side][name]
            colour = "var(--soft)" if any(word in name for word in together) else "var(--ink)"
            out.append(
                f'<g><title>{escape(name)}: {n:,}</title><rect x="{x1 if side else names}" y="{y:.1f}" width="{bar}" '
                f'height="{max(n * scale, 1):.1f}" fill="{colour}"/></g>'
            )
            x, anchor = (x1 + bar + 8, "start") if side else (names - 8, "end")
            out.append(_text(x, y + 11, f"{truncate(name, 26)} ({n:,})", anchor))
    label = f"{len(left)} gold clusters and {len(right)} clusters of a run"
    about = "A ribbon joins two that share items; it is as thick as their number."
    return Markup('<figure class="flow">{}</figure>').format(_svg(width, round(height + 8), label, about, "".join(out)))


# ---- heat map


def heat(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return a heat map of rows, in their order: columns ``row``, ``column``, ``value`` and ``shade`` (0 bad to 1 good,
    None: undefined).
    """
    name, column, value, shade = (options[part] for part in ("row", "column", "value", "shade"))
    runs, topics = (list(dict.fromkeys(str(row[part]) for row in rows)) for part in (name, column))
    place = {topic: at for at, topic in enumerate(topics)}
    left = min(170, 20 + 7 * max(map(len, runs), default=0))
    wide = min(28.0, (892 - left) / max(len(topics), 1))
    cells: dict[str, list[str]] = {run: [] for run in runs}
    for row in rows:
        run, topic = str(row[name]), str(row[column])
        x, y = left + place[topic] * wide, runs.index(run) * 20
        said = "undefined" if row[value] is None else fixed(row[value])
        fill = "var(--missing)" if row[shade] is None else cividis(row[shade])
        cells[run].append(
            f'<rect x="{x:.1f}" y="{y}" width="{wide + 0.4:.1f}" height="19" '
            f'fill="{fill}"><title>{escape(run)} on {escape(topic)}: {said}</title></rect>'
        )
    out = [
        _text(left - 6, at * 20 + 14, truncate(run, 23), "end")
        + f'<g data-run="{escape(run)}">{"".join(cells[run])}</g>'
        for at, run in enumerate(runs)
    ]
    names = topics if len(topics) <= _MOST_NAMES else []
    out += [
        f'<text transform="translate({left + (at + 0.7) * wide:.1f} {len(runs) * 20 + 8}) rotate(60)">'
        f"{escape(truncate(topic, 9))}</text>"
        for at, topic in enumerate(names)
    ]
    label = f"Heat map of {len(runs)} runs and {len(topics)} columns"
    scale = "".join(f'<rect x="{60 + 4 * at}" width="4.4" height="12" fill="{cividis(at / 63)}"/>' for at in range(64))
    ends = _text(56, 11, "worse", "end") + _text(322, 11, "better")
    return Markup('<figure class="scroll-x">{}</figure><div class="scale">{}</div>').format(
        _svg(900, len(runs) * 20 + (70 if names else 4), label, "Light is better, grey is undefined.", "".join(out)),
        _svg(400, 16, "Colour scale", "Dark is worse, light is better.", scale + ends),
    )


@cache
def cividis(share: float) -> str:
    """Return a colour of the scale cividis, 0 dark to 1 light (Nunez, Anderton, Renslow, 2018; d3's polynomial)."""
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
    name, above = options["row"], options["parent"]
    known = {row[name] for row in rows}
    below: dict[Any, list[Row]] = {}
    for row in rows:
        below.setdefault(row[above] if row[above] in known else None, []).append(row)
    out, widest, n_line = [], 300, 0
    waiting = [(row, 0, None) for row in reversed(below.get(None, []))]  # type: list[tuple[Row, int, int | None]]
    while waiting:
        row, depth, top = waiting.pop()
        x, y = 16 + depth * 22, 20 + n_line * 22
        n_line += 1
        shade, label, note = (str(row.get(options.get(part, ""), "") or "") for part in ("shade", "label", "note"))
        widest = max(widest, x + 40 + 7 * (min(len(row[name]), 40) + len(label) + len(note)))
        if top is not None:
            thick = " path" if shade in ("best", "path") else ""
            out.append(f'<path class="edge{thick}" d="M{x - 22} {top + 6}V{y}H{x - 6}"/>')
        hit = " hit" if shade == "hit" or row.get("n_hit") else ""
        out.append(
            f'<circle class="vertex{hit}{" best" if shade == "best" else ""}" cx="{x}" cy="{y}" r="5"><title>'
            f"{escape(row[name])}: {escape(label)}</title></circle>"
            f'<text x="{x + 12}" y="{y + 4}" style="white-space:pre">'
            f'<tspan font-weight="bold">{escape(truncate(row[name], 40))}</tspan><tspan>  {escape(label)}</tspan>'
            f'<tspan class="note">  {escape(note)}</tspan></text>'
        )
        waiting += [(child, depth + 1, y) for child in reversed(below.get(row[name], []))]
    height = 20 + n_line * 22
    title, about = f"Tree of {n_line} vertices", "A row is a vertex, below and to the right of its parent."
    style = f"<style>{_TREE}</style>"
    return _svg(widest, height, title, about, style + "".join(out), 'tree" font-family="sans-serif" font-size="12')


#: kind of drawing -> what makes it
CHARTS: dict[str, Callable[[Sequence[Row], Mapping[str, str], Mapping[str, int]], Markup]] = {
    "xy": xy,
    "heat": heat,
    "ranges": xy,
    "tree": tree,
}
