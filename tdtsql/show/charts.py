"""Charts of rows as SVG: marks on two axes, a heat map, a tree. Rows in, markup out.

Colours are variables of the style sheet (``page.css``), at least 3:1 against the paper in light and dark; a run has the
same colour and dashes everywhere.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
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
class Plot:
    """One drawing: its rows and its axes."""

    rows: list[Row]  #: series, mark, x, y, until
    x: Axis
    y: Axis
    is_share: bool  #: axes are probabilities, in per cent
    zero_y: bool

    @property
    def series(self) -> list[str]:
        """Series that a legend names, in order."""
        return list(dict.fromkeys(row["series"] for row in self.rows if row["mark"] not in ("cost", "vertical")))

    def placed(self, mark: str, rows: Sequence[Row]) -> Sequence[Row]:
        """Return rows that have a place: on normal-deviate axes 0 and 1 have none, so a curve ends where its data end;
        a single point is at the edge.
        """
        if not self.is_share or mark in POINTS:
            return rows
        return [row for row in rows if 0 < row["x"] < 1 and 0 < row["y"] < 1]

    @property
    def points(self) -> list[str]:
        """Marks of single points that a legend explains."""
        return sorted({row["mark"] for row in self.rows} & POINTS.keys())

    @property
    def description(self) -> str:
        """What a reader sees, for who does not see it."""
        factor, unit = (100, " %") if self.is_share else (1, "")
        ends = (f"{factor * axis.low:g} to {factor * axis.high:g}{unit}" for axis in (self.x, self.y))
        return f"{len(self.series) or 1} series; horizontal axis {next(ends)}, vertical axis {next(ends)}."


def plots(rows: Iterable[Row], options: Mapping[str, str], size: tuple[int, int], foot: int = 46) -> dict[str, Plot]:
    """Return panel -> what is drawn in it, of rows of a query whose ``show`` line has these options.

    Options name the columns of x, y, until (the end of a bar or the upper end of a band), series, mark (a column or
    nothing: lines) and panel; scale is linear or probit, zero names the axes that begin at 0.
    """
    found: dict[str, list[Row]] = {}
    names = {part: options[part] for part in ("x", "y", "until", "series", "mark", "panel") if part in options}
    for row in rows:
        known = {"series": "", "mark": "line", "until": None, "panel": ""} | {
            part: float(row[name]) if isinstance(row[name], Decimal) else row[name] for part, name in names.items()
        }
        if known["x"] is not None and known["y"] is not None:
            found.setdefault(str(known["panel"]), []).append(known | {"series": str(known["series"])})
    width, height = size
    scale, zero = options.get("scale", "linear"), options.get("zero", "")
    left = 62 if width > 350 else 40
    drawn = {}
    for panel, of in found.items():
        fore = [row for row in of if row["mark"] not in _BEHIND] or of
        across = [row["x"] for row in fore]
        across += [row["until"] for row in fore if row["until"] is not None and row["mark"] in ("bar", "area")]
        x = axis_of(across, left, width - 14, scale=scale, zero="x" in zero, most=6 if width > 350 else 4)
        y = axis_of([row["y"] for row in fore], height - foot, 12, scale=scale, zero="y" in zero, most=5)
        drawn[panel] = Plot(of, x, y, scale == "probit", "y" in zero)
    return drawn


def xy(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return charts of rows, one a panel (`plots`); marks are line, least, prior, cost, hull, band, area, bar, point,
    vertical, minimum, actual; ``ribbon`` draws what two sides share.

    Args:
        looks: run -> number of its colour.
    """
    width, height = size = tuple(map(int, options.get("size", "760x600").split("x")))
    if any(row.get("mark") == "ribbon" for row in rows[:1]):
        return _ribbons(rows, options, (width, height))
    named = {name: options.get(f"{name}_title", options[name]).replace("_", " ") for name in ("x", "y")}
    figures = []
    for panel, plot in plots(rows, options, size).items():  # type: ignore[arg-type]
        own = dict(looks)
        if not set(plot.series) & set(looks):  # of no run: colours by their order
            own |= {series: at for at, series in enumerate(plot.series) if series not in _CLASSES}
        runs = [series for series in plot.series if series in own]
        label = f"{panel + ': ' if panel else ''}{named['y']} over {named['x']}"
        if runs:
            label += f" of {', '.join(runs[:12])}{' ...' if len(runs) > 12 else ''}"
        body = _axes(plot, named, width, height) + _marks(plot, own)
        drawing = _svg(width, height, label, plot.description, body, "chart fits" if width > 350 else "chart")
        is_named = runs and options.get("panel") != options.get("series")
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
    """Return a triangle for a minimum, otherwise a disc."""
    if mark == "minimum":
        return f'<path class="minimum" stroke="{colour}" d="M{x:.1f} {y:.1f}m0 -6l5.2 9.4h-10.4z">{title}</path>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}">{title}</circle>'


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


def _axes(plot: Plot, named: Mapping[str, str], width: float, height: float) -> str:
    x, y, factor = plot.x, plot.y, 100 if plot.is_share else 1
    major, out = x.apart(62), []
    for tick in x.apart(34):
        kind = "x-tick" if tick in major else "x-tick minor"
        if plot.is_share:
            out.append(f'<path class="rule" d="M{x(tick):.1f} {y.end}V{y.begin}"/>')
        out.append(_text(x(tick), y.begin + 17, f"{factor * tick:g}", "middle", kind))
    for tick in y.apart(20):
        out.append(f'<path class="rule" d="M{x.begin} {y(tick):.1f}H{x.end}"/>')
        out.append(_text(x.begin - 7, y(tick) + 4, f"{factor * tick:g}", "end", "y-tick"))
    if plot.is_share:  # equal rates
        ends = max(x.low, y.low), min(x.high, y.high)
        out.append(f'<path class="iso equal" d="{_path(plot, ((end, end) for end in ends))}"/>')
    out.append(_text((x.begin + x.end) / 2, height - 7, named["x"], "middle", "title"))
    if width > 350:
        middle = (y.begin + y.end) / 2
        out.append(
            f'<text transform="translate(14 {middle:.0f}) rotate(-90)" class="title" text-anchor="middle">'
            f"{escape(named['y'])}</text>"
        )
    return "".join(out)


def _marks(plot: Plot, looks: Mapping[str, int]) -> str:
    """Return the marks, grouped by series."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in plot.rows:
        groups.setdefault(row["series"], {}).setdefault(row["mark"], []).append(row)
    out = []
    for series, marks in groups.items():
        run = f' data-run="{escape(series)}"' if series in looks else ""
        drawn = {mark: _mark(plot, mark, series, rows, looks) for mark, rows in marks.items()}
        points = "".join(drawn.pop(mark) for mark in POINTS if mark in drawn)
        lines = "".join(drawn.values())
        out.append(f"<g{run}>{_clipped(plot, lines) if plot.is_share and lines else lines}{points}</g>")
    return "".join(out)


def _path(plot: Plot, points: Iterable[tuple[float, float]]) -> str:
    """Return points as a path, which may leave the axes (`_clipped`)."""
    return "".join(
        f"{'L' if at else 'M'}{plot.x.unbounded(x):.1f} {plot.y.unbounded(y):.1f}" for at, (x, y) in enumerate(points)
    )


def _clipped(plot: Plot, body: str) -> str:
    """Return drawings without what is outside the axes."""
    x, y = plot.x.begin, plot.y.end
    box = f"{x:g} {y:g} {plot.x.end - x:g} {plot.y.begin - y:g}"
    place = 'x="{}" y="{}" width="{}" height="{}"'.format(*box.split())
    return f'<svg {place} viewBox="{box}">{body}</svg>'


def _mark(plot: Plot, mark: str, series: str, rows: Sequence[Row], looks: Mapping[str, int]) -> str:
    colour, dashes = look(series, looks, mark)
    title = f"<title>{escape(series)}{'' if mark == 'line' else f': {mark}'}</title>"
    rows = plot.placed(mark, rows)
    if not rows:
        return ""
    pairs = [(row["x"], row["y"]) for row in rows]
    stroke = f'stroke="{colour}"{_dashed(dashes)}'
    if mark == "cost":
        kept = [(x, y) for x, y in pairs if plot.y.is_within(y) and plot.x.is_within(x)]
        if len(kept) < 3:
            return ""
        name = _text(plot.x(kept[0][0]) + 4, plot.y(kept[0][1]) - 3, series, kind="iso-label")
        return f'<path class="iso" d="{_path(plot, kept)}"/>{name}'
    if mark in ("line", "least", "prior", "hull"):
        kind = "curve" if len(plot.series) and mark != "hull" and plot.x.end > 350 else "hull"
        dots = (
            "" if plot.is_share or len(pairs) > 30 else "".join(_dot(plot, series, x, y, colour, 3) for x, y in pairs)
        )
        return f'<path class="{kind}" {stroke} d="{_path(plot, pairs)}">{title}</path>{dots}'
    if mark == "band":
        back = [(row["x"], row["until"]) for row in reversed(rows)]
        return f'<path class="band" fill="{colour}" d="{_path(plot, pairs + back)}Z"/>'
    if mark == "area":  # the outline of bins
        outline, base = [(pairs[0][0], plot.y.low)], plot.y.low
        for at, row in enumerate(rows):
            if at and row["x"] > rows[at - 1]["until"] * (1 + 1e-9 * (1 if rows[at - 1]["until"] > 0 else -1)):
                outline += [(rows[at - 1]["until"], base), (row["x"], base)]
            outline += [(row["x"], row["y"]), (row["until"], row["y"])]
        outline.append((rows[-1]["until"], base))
        return f'<path class="area" fill="{colour}" {stroke} d="{_path(plot, outline)}Z">{title}</path>'
    if mark == "vertical":
        return "".join(
            f'<path class="hull" {stroke} d="M{plot.x(value):.1f} {plot.y.begin}V{plot.y.end}"><title>{escape(series)} '
            f"{fixed(value)}</title></path>"
            for value, _ in pairs
        )
    out = []
    for row in rows:
        x, y = plot.x(row["x"]), plot.y(row["y"])
        said = f"<title>{escape(series)}{': ' if series else ''}{mark} ({row['x']:.4g}, {row['y']:.4g})</title>"
        if mark == "bar":
            if row["y"]:
                wide, tall = plot.x(row["until"]) - x - 1, plot.y.begin - y
                said = f"<title>{row['x']:.4g} to {row['until']:.4g}: {row['y']:g}</title>"
                out.append(
                    f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}">{said}</rect>'
                )
        else:  # minimum, actual, point
            out.append(_point(mark, x, y, colour, said))
    return "".join(out)


def _dot(plot: Plot, series: str, x: float, y: float, colour: str, radius: float) -> str:
    return (
        f'<circle cx="{plot.x(x):.1f}" cy="{plot.y(y):.1f}" r="{radius:g}" fill="{colour}"><title>{escape(series)}: '
        f"{fixed(y)} at {x:.4g}</title></circle>"
    )


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


# ---- intervals


def ranges(rows: Sequence[Row], options: Mapping[str, str], looks: Mapping[str, int]) -> Markup:
    """Return a line for each row: its name (``row``), a dot at ``value``, a bar from ``low`` to ``high``; a rule at 0,
    where the axis has it.
    """
    name, value, low, high = (options[part] for part in ("row", "value", "low", "high"))
    drawn = [row for row in rows if None not in (row[value], row[low], row[high])]
    left = min(250, 20 + 7 * max((len(str(row[name])) for row in drawn), default=0))
    bottom = 14 + 24 * len(drawn)
    x = axis_of([row[part] for row in drawn for part in (low, value, high)], left, 746)
    out = [f'<path class="rule" d="M{x(tick):.1f} 4V{bottom}"/>' for tick in x.ticks]
    out += [_text(x(tick), bottom + 16, f"{tick:g}", "middle") for tick in x.ticks]
    if x.is_within(0):
        out.append(f'<path class="iso" d="M{x(0):.1f} 4V{bottom}"/>')
    for at, row in enumerate(drawn):
        series, y = str(row[name]), 20 + 24 * at
        colour = look(series, looks)[0]
        said = f"<title>{escape(series)}: {fixed(row[value])} [{fixed(row[low])}, {fixed(row[high])}]</title>"
        out.append(
            f'<g data-run="{escape(series)}">{_text(left - 8, y + 4, truncate(series, 32), "end")}<path class="curve" '
            f'stroke="{colour}" d="M{x(row[low]):.1f} {y}H{x(row[high]):.1f}M{x(row[low]):.1f} {y - 4}v8'
            f'M{x(row[high]):.1f} {y - 4}v8">{said}</path>{_point("actual", x(row[value]), y, colour, said)}</g>'
        )
    out.append(
        _text((x.begin + x.end) / 2, bottom + 36, options.get("x_title", value).replace("_", " "), "middle", "title")
    )
    about = "A dot is the number of a row, its bar the interval."
    body = _svg(760, bottom + 44, f"Intervals of {len(drawn)} rows", about, "".join(out), "chart fits")
    return Markup("<figure>{}</figure>").format(body) if drawn else Markup("")


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
    "ranges": ranges,
    "tree": tree,
}
