"""Charts as SVG, drawn on the server: the same text for the HTML report, the web UI and files.

Colours are variables of the style sheet, so that light, dark and print share one drawing. A separate file
(`tree`) has the values of the light theme in itself.
"""

import html
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import NormalDist

from markupsafe import Markup

from tdtsql.errors import truncate, counted
from tdtsql.report.tables import fixed as number

Content = str | int | float | None | Iterable["Content"]
Point = tuple[float, float]


def escaped(content: Content) -> Markup:
    """Return content as markup: texts escaped, several one after the other, None as nothing."""
    if isinstance(content, Markup):
        return content
    if content is None:
        return Markup("")
    if isinstance(content, str | int | float):
        return Markup(html.escape(str(content)))
    return Markup("".join(escaped(part) for part in content))


def tag(name: str, /, *content: Content, **attributes: str | float | bool | None) -> Markup:
    """Return an element. ``class_`` is class; an underscore in a name becomes a hyphen; attributes that are None or
    False are left out; a float is a position in pixels and has one decimal.
    """
    words = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        text = f"{value:.1f}" if isinstance(value, float) else str(value)
        words.append(key if value is True else f'{key}="{html.escape(text)}"')
    return Markup(f"<{' '.join(words)}>{''.join(escaped(part) for part in content)}</{name}>")


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = "var(--grid)", **attributes) -> Markup:
    return tag("line", attributes.pop("said", None), x1=x1, x2=x2, y1=y1, y2=y2, stroke=stroke, **attributes)


def label(x: float, y: float, *content: Content, anchor: str | None = None, **attributes) -> Markup:
    return tag("text", *content, x=x, y=y, text_anchor=anchor, **attributes)


def mark(name: str, x: float, y: float, fill: str, **attributes) -> Markup:
    """Return a disc with the tooltip ``name``."""
    return tag("circle", tag("title", name), cx=x, cy=y, r=attributes.pop("r", 4), fill=fill, **attributes)


#: colours of runs (variables of the style sheet, in light and dark at least 3:1 against the paper) and dashes
N_COLOUR = 7
DASHES = (None, "7 3", "2 3", "8 3 2 3")
#: probabilities that get a tick on normal-deviate axes
TICKS = (1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
#: costs whose lines are drawn
_COSTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: pieces in which a side of a convex hull is drawn
_HULL_STEPS = 24


def looks_of(runs: Iterable[str]) -> dict[str, int]:
    """Return run -> number of its colour and dashes: the same everywhere for the runs of a store."""
    return {run: at for at, run in enumerate(sorted(set(runs)))}


def look(at: int) -> tuple[str, str | None]:
    """Return the colour and the dashes of a run."""
    return f"var(--c{at % N_COLOUR})", DASHES[at // N_COLOUR % len(DASHES)]


def swatch(at: int) -> Markup:
    """Return a piece of a run's line, for legends."""
    colour, dashes = look(at)
    piece = line(1, 6, 33, 6, colour, stroke_width=2.5, stroke_dasharray=dashes)
    return tag("svg", piece, viewBox="0 0 34 12", width=34, height=12, aria_hidden="true")


def legend(looks: Mapping[str, int]) -> Markup:
    entries = [tag("li", swatch(at), " ", run) for run, at in looks.items()]
    return tag("ul", entries, class_="key", aria_label="Runs")


def figure(width: int, height: int, label: str, *content: Content, **attributes: str | int) -> Markup:
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return tag("svg", *content, class_="chart", **size, role="img", aria_label=label, **attributes)


@cache
def deviate(probability: float) -> float:
    """Return the normal deviate of a probability, minus or plus infinity at 0 and 1."""
    if probability <= 0.0:
        return -math.inf
    return NormalDist().inv_cdf(probability) if probability < 1.0 else math.inf


def path_of(points: Iterable[Point]) -> str:
    return "".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(points))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from ``low`` to ``high``, ``most`` steps at most: multiples of 1, 2 or 5 times a power of
    ten.
    """
    if high - low < 1e-300:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    return [place * step for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


@dataclass(frozen=True, slots=True)
class Axes:
    """Positions of values in a drawing, in pixels; values outside the ranges are drawn at their ends."""

    width: int
    height: int
    x_range: Point
    y_range: Point
    left: int = 48
    right: int = 14
    top: int = 12
    foot: int = 40
    scale: Callable[[float], float] = float  #: of both axes

    def _share(self, value: float, ends: Point) -> float:
        low, high = map(self.scale, ends)
        return (min(max(self.scale(value), low), high) - low) / ((high - low) or 1.0)

    def x(self, value: float) -> float:
        return self.left + (self.width - self.left - self.right) * self._share(value, self.x_range)

    def y(self, value: float) -> float:
        return self.height - self.foot - (self.height - self.foot - self.top) * self._share(value, self.y_range)

    def path(self, points: Iterable[Point]) -> str:
        return path_of((self.x(x), self.y(y)) for x, y in points)

    def x_ticks(self, values: Iterable[float], *, factor: float = 1.0, grid: bool = False) -> list[Markup]:
        """Return the numbers below the drawing, with lines where ``grid`` is True."""
        bottom = self.height - self.foot
        return [
            escaped(
                [
                    line(self.x(value), self.top, self.x(value), bottom) if grid else None,
                    label(self.x(value), bottom + 16, f"{factor * value:g}", anchor="middle", class_="x-tick"),
                ]
            )
            for value in values
        ]

    def y_ticks(self, values: Iterable[float], *, factor: float = 1.0) -> list[Markup]:
        """Return the numbers left of the drawing, with lines."""
        return [
            line(self.left, self.y(value), self.width - self.right, self.y(value))
            + label(self.left - 7, self.y(value) + 4, f"{factor * value:g}", anchor="end", class_="y-tick")
            for value in values
        ]

    def x_title(self, text: str) -> Markup:
        return label((self.width + self.left) // 2, self.height - 6, text, class_="title middle")

    def y_title(self, text: str) -> Markup:
        place = f"translate(14 {(self.height - self.foot) // 2}) rotate(-90)"
        return tag("text", text, transform=place, class_="title middle")


@dataclass(frozen=True, slots=True)
class Curve:
    """A DET curve, strictest threshold first."""

    run: str
    p_fa: Sequence[float]
    p_miss: Sequence[float]
    threshold: Sequence[float | None] = ()
    p_miss_se: Sequence[float | None] = ()  #: standard errors over topics
    minimum: Point | None = None  #: (p_fa, p_miss) of the minimum cost
    actual: Point | None = None  #: (p_fa, p_miss) of the run's own decisions
    hull: Sequence[Point] = ()  #: (p_fa, p_miss) of the vertices of the convex hull


def reaches(curves: Sequence[Curve]) -> tuple[Point, Point]:
    """Return the ranges of false alarms and of misses that a drawing of curves has."""
    return (
        reach([p for curve in curves for p in curve.p_fa], (1e-4, 1e-3), (0.4, 0.9)),
        reach([p for curve in curves for p in curve.p_miss], (1e-3, 0.02), (0.9, 0.99)),
    )


def straight(vertices: Sequence[Point], n_step: int = _HULL_STEPS) -> list[Point]:
    """Return points along the straight lines between vertices: on axes of normal deviates these are bent."""
    return [
        (x + (to_x - x) * step / n_step, y + (to_y - y) * step / n_step)
        for (x, y), (to_x, to_y) in pairwise(vertices)
        for step in range(n_step + 1)
    ]


def det(
    curves: Sequence[Curve], looks: Mapping[str, int], *, cost: Mapping[str, float] | None = None, label: str = ""
) -> Markup:
    """Return DET curves on normal-deviate axes.

    Args:
        looks: run -> number of its colour.
        cost: p_target, c_miss, c_fa and band_z of the profile: lines of equal cost, and bands of so many standard
        errors.
    """
    x_range, y_range = reaches(curves)
    axes = Axes(760, 600, x_range, y_range, 56, 14, 10, 44, deviate)
    parts: list[Content] = [
        axes.x_ticks(_spread([p for p in TICKS if x_range[0] <= p <= x_range[1]], axes.x, 34), factor=100, grid=True),
        axes.y_ticks(_spread([p for p in TICKS if y_range[0] <= p <= y_range[1]], axes.y, 20), factor=100),
        axes.x_title("false-alarm probability, %"),
        axes.y_title("miss probability, %"),
    ]
    if cost:
        parts.append(tag("g", _cost_lines(cost, axes), class_="costs"))
    for curve in curves:
        colour, dashes = look(looks[curve.run])
        inside: list[Content] = []
        half = (cost or {}).get("band_z", 0.0)
        band = [(fa, miss, se) for fa, miss, se in zip(curve.p_fa, curve.p_miss, curve.p_miss_se, strict=False) if se]
        if band and half and len(curves) <= 4:  # many bands hide each other
            ends = [(fa, max(0.0, miss - half * se)) for fa, miss, se in band]
            ends += [(fa, min(1.0, miss + half * se)) for fa, miss, se in reversed(band)]
            inside.append(tag("path", d=axes.path(ends) + "Z", class_="band", fill=colour))
        inside.append(
            tag(
                "path",
                tag("title", curve.run),
                d=axes.path(zip(curve.p_fa, curve.p_miss, strict=True)),
                class_="curve",
                stroke=colour,
                stroke_dasharray=dashes,
                data_fa=_listed(curve.p_fa),
                data_miss=_listed(curve.p_miss),
                data_threshold=_listed(curve.threshold),
            )
        )
        if curve.hull:
            named, sides = tag("title", f"{curve.run}: convex hull"), axes.path(straight(curve.hull))
            inside.append(
                tag("path", named, d=sides, fill="none", stroke=colour, stroke_dasharray="1 3", class_="hull")
            )
        if curve.minimum:
            at = f"M{axes.x(curve.minimum[0]):.1f} {axes.y(curve.minimum[1]):.1f}m0 -6l5.2 9.4h-10.4z"
            named = tag("title", f"{curve.run}: minimum cost")
            inside.append(tag("path", named, d=at, class_="minimum", fill="var(--paper)", stroke=colour))
        if curve.actual:
            at = axes.x(curve.actual[0]), axes.y(curve.actual[1])
            inside.append(mark(f"{curve.run}: decisions", *at, colour, r=4.5, class_="actual", stroke=colour))
        parts.append(tag("g", inside, data_run=curve.run))
    return figure(760, 600, label or f"DET curves of {len(curves)} runs", parts, tabindex=0)


def _listed(values: Sequence[float | None]) -> str | None:
    return " ".join("" if value is None else f"{value:.4g}" for value in values) or None


def _cost_lines(cost: Mapping[str, float], axes: Axes) -> list[Markup]:
    """Return lines of equal normalised cost with their labels."""
    miss, alarm = cost["c_miss"] * cost["p_target"], cost["c_fa"] * (1 - cost["p_target"])
    norm, (low, high), lines = min(miss, alarm), map(deviate, axes.x_range), []
    for value in _COSTS:
        alarms = [NormalDist().cdf(low + (high - low) * step / 80) for step in range(81)]
        points = [(p, (value * norm - alarm * p) / miss) for p in alarms]
        points = [(p, other) for p, other in points if axes.y_range[0] < other < axes.y_range[1]]
        if len(points) > 2:
            lines.append(tag("path", d=axes.path(points), class_="iso"))
            at = axes.x(points[0][0]) + 4, axes.y(points[0][1]) - 3
            lines.append(label(*at, f"cost {value:g}", class_="iso-label"))
    return lines


def reach(values: Sequence[float], lowest: Point, highest: Point) -> Point:
    """Return the ticks that enclose the values; each end stays within the two limits given for it."""
    inside = [value for value in values if 0.0 < value < 1.0]
    least = max(lowest[0], min(lowest[1], min(inside, default=lowest[1])))
    most = min(highest[1], max(highest[0], max(inside, default=highest[0])))
    return max(p for p in TICKS if p <= least), min(p for p in TICKS if p >= most)


def _spread(values: Sequence[float], place, gap: float) -> list[float]:
    kept: list[float] = []
    for value in values:
        if not kept or abs(place(value) - place(kept[-1])) >= gap:
            kept.append(value)
    return kept


def histogram(
    label: str, low: float, high: float, target: Sequence[int], nontarget: Sequence[int], fit: Mapping | None = None
) -> Markup:
    """Return shares of targets (ink) and of non-targets (grey, dashed) in equal ranges of scores.

    Args:
        fit: the Gaussian and the exponential that fit them best, and thresholds that follow.
    """
    shares = [[count / (sum(counts) or 1) for count in counts] for counts in (nontarget, target)]
    axes = Axes(300, 130, (low, high), (0.0, max(max(share) for share in shares) or 1.0), 8, 8, 8, 20)
    kinds = (("nontarget", "var(--soft)", "4 2"), ("target", "var(--ink)", None))
    parts: list[Content] = []
    step = (high - low) / len(target)
    for (name, colour, dashes), share in zip(kinds, shares, strict=True):
        outline = [(low + (at + end) * step, value) for at, value in enumerate(share) for end in (0, 1)]
        look = {"fill": colour, "fill_opacity": "0.18", "stroke": colour, "stroke_width": 1.3}
        d = axes.path([(low, 0.0), *outline, (high, 0.0)]) + "Z"
        parts.append(tag("path", d=d, data_part=name, **look, stroke_dasharray=dashes))
    if fit:

        def normal(score: float) -> float:
            away = (score - fit["on_mean"]) / fit["on_sd"]
            return math.exp(-away * away / 2) / (fit["on_sd"] * math.sqrt(2 * math.pi)) * step

        def decay(score: float) -> float:
            above = score - fit["off_origin"]
            return 0.0 if above < 0 else fit["off_rate"] * math.exp(-fit["off_rate"] * above) * step

        scores = [low + (high - low) * at / 60 for at in range(61)]
        for (name, colour, _), density in zip(kinds, (decay, normal), strict=True):
            d = axes.path((score, density(score)) for score in scores)
            parts.append(tag("path", d=d, data_part=f"{name}-fit", fill="none", stroke=colour, stroke_width=0.8))
        for name, key, dashes in (
            ("fitted threshold", "fitted_threshold", None),
            ("best threshold on the data", "best_threshold", "4 2"),
            ("upper crossing", "upper_crossing", "1 3"),
        ):
            if (score := fit[key]) is not None and low <= score <= high:
                said, at = tag("title", f"{name} {number(score)}"), axes.x(score)
                more = {"said": said, "stroke_dasharray": dashes, "data_part": name}
                parts.append(line(at, 8, at, axes.y(0), "var(--soft)", **more))
    parts += [line(8, axes.y(0), 292, axes.y(0), "var(--rule)"), axes.x_ticks(ticks(low, high, 4))]
    return figure(300, 130, label, parts)


def bars(bins: Sequence[tuple[float, float, int]], title: str, unit: str) -> Markup:
    """Return a bar per range (lower, upper, count), as high as the count."""
    most = max(1, *(n for *_, n in bins))
    axes = Axes(420, 150, (bins[0][0], bins[-1][1]), (0, most), 30, 8, 14, 36)
    parts: list[Content] = [
        tag(
            "rect",
            tag("title", f"{title} {number(low)} to {number(high)}: {counted(n, unit)}"),
            x=axes.x(low),
            y=axes.y(n),
            width=axes.x(high) - axes.x(low) - 1,
            height=axes.y(0) - axes.y(n),
            fill="var(--soft)",
        )
        for low, high, n in bins
        if n
    ]
    parts += [line(30, axes.y(0), 412, axes.y(0), "var(--rule)"), axes.x_title(title)]
    parts += [axes.x_ticks(ticks(*axes.x_range)), label(24, 18, most, anchor="end"), label(24, 114, 0, anchor="end")]
    return figure(420, 150, f"Histogram of {title} over {counted(sum(n for *_, n in bins), unit)}", parts)


def heat(
    runs: Sequence[str], topics: Sequence[str], values: Mapping[str, Sequence[float | None]], metric: str, best: str
) -> Markup:
    """Return runs x topics as colours, the easiest topic and the best run first; light is good, grey undefined."""
    is_low = best != "highest"  # a metric without a better end is drawn as if low were good

    def mean(found: Iterable[float | None]) -> float:
        defined = [value for value in found if value is not None]
        return sum(defined) / len(defined) if defined else math.inf if is_low else -math.inf

    sign = 1 if is_low else -1
    columns = sorted(range(len(topics)), key=lambda at: (sign * mean(values[run][at] for run in runs), at))
    rows = sorted(runs, key=lambda run: (sign * mean(values[run]), run))
    defined = sorted(value for run in rows for value in values[run] if value is not None)
    least, most = (defined[0], defined[-1]) if defined else (0.0, 1.0)
    ceiling = min(most, max(defined[int(0.98 * (len(defined) - 1))], least + 1e-12)) if defined else 1.0
    left = min(170, 20 + 7 * max((len(run) for run in rows), default=0))
    width = 900
    wide, tall = min(28.0, (width - left - 8) / max(len(topics), 1)), 20
    labelled = len(topics) <= 60
    height = len(rows) * tall + (70 if labelled else 4)
    parts: list[Content] = []
    for row, run in enumerate(rows):
        parts.append(tag("text", truncate(run, 23), x=left - 6, y=row * tall + 14, text_anchor="end"))
        cells = []
        for column, at in enumerate(columns):
            value = values[run][at]
            share = 0.0 if value is None else min(1.0, (value - least) / ((ceiling - least) or 1.0))
            colour = "var(--missing)" if value is None else cividis(1 - share if is_low else share)
            cells.append(
                f'<rect x="{left + column * wide:.1f}" y="{row * tall}" width="{wide + 0.4:.1f}" '
                f'height="{tall - 1}" fill="{colour}" data-topic="{at}"/>'
            )
        parts.append(tag("g", Markup("".join(cells)), data_run=run))
    if labelled:
        for column, at in enumerate(columns):
            x = left + (column + 0.7) * wide
            place = f"translate({x:.1f} {len(rows) * tall + 8}) rotate(60)"
            parts.append(tag("text", truncate(topics[at], 9), transform=place))
    label = f"Heat map of {metric}: {len(rows)} runs by {len(topics)} topics. The table above has the same numbers."
    key = [
        tag("rect", x=60 + 4 * at, y=0, width=4.4, height=12, fill=cividis(1 - at / 63 if is_low else at / 63))
        for at in range(64)
    ]
    ends = [
        tag("text", number(least), x=56, y=11, text_anchor="end"),
        tag("text", f"{'≥ ' if ceiling < most else ''}{number(ceiling)}", x=322, y=11),
    ]
    return escaped(
        [figure(width, height, label, parts), tag("div", figure(400, 16, "Colour scale", key, ends), class_="scale")]
    )


@cache
def cividis(share: float) -> str:
    """Return a colour of the scale cividis, 0 dark to 1 light (Nunez, Anderton, Renslow, 2018; d3's polynomial)."""
    t = min(max(share, 0.0), 1.0)
    red = -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))))
    green = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))))
    blue = 81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))))
    return "#" + "".join(f"{min(255, max(0, round(part))):02x}" for part in (red, green, blue))


def lines(series: Mapping[str, Sequence[Point]], looks: Mapping[str, int], *, x_title: str, y_title: str) -> Markup:
    """Return values over values, a line with points per run; axes begin at 0 and have round ticks."""
    points = [point for some in series.values() for point in some]
    ends = [max((point[at] for point in points), default=0.0) or 1.0 for at in (0, 1)]
    marks = ticks(0.0, ends[0]), ticks(0.0, ends[1], 5)
    axes = Axes(420, 270, (0.0, max(marks[0][-1], ends[0])), (0.0, max(marks[1][-1], ends[1])))
    parts: list[Content] = [axes.y_ticks(marks[1]), axes.x_ticks(marks[0]), axes.x_title(x_title)]
    for run, some in series.items():
        colour, dashes = look(looks[run])
        path = tag("path", d=axes.path(some), class_="curve", stroke=colour, stroke_dasharray=dashes)
        discs = [
            mark(f"{run}: {y_title} {number(value)} at {at:g}", axes.x(at), axes.y(value), colour, r=3)
            for at, value in some
        ]
        parts.append(tag("g", path, discs, data_run=run))
    return figure(420, 270, f"{y_title} of {len(series)} runs by {x_title}", parts)


def priors(
    rows: Mapping[str, Sequence[tuple[float, float | None, float, float]]], looks: Mapping[str, int], title: str
) -> Markup:
    """Return error rates over log odds of a target; rows of a run: log odds, actual, least, by default."""
    every = [row for of_run in rows.values() for row in of_run]
    most = min(0.5, 1.1 * max(max(row[2], row[1] or 0.0) for row in every)) or 0.5
    low, high = min(row[0] for row in every), max(row[0] for row in every)
    axes = Axes(620, 320, (low, high), (0.0, most), 48, 10, 8, 36)
    parts: list[Content] = [axes.y_ticks(ticks(0.0, most, 5)), axes.x_ticks(ticks(low, high))]
    parts.append(axes.x_title("log odds of a target"))

    def drawn(name: str, at: int, rows: Sequence[tuple], colour: str, dashes: str | None) -> Markup:
        # what is above the drawing is left out
        path = "".join(
            f"{'L' if place and rows[place - 1][at] <= most else 'M'}{axes.x(row[0]):.1f} {axes.y(row[at]):.1f}"
            for place, row in enumerate(rows)
            if row[at] <= most
        )
        style = {"fill": "none", "stroke": colour, "stroke_width": 1.8, "stroke_dasharray": dashes}
        return tag("path", tag("title", name), d=path, **style)

    parts.append(drawn("by default (no scores)", 3, next(iter(rows.values())), "var(--soft)", "2 3"))
    for run, of_run in rows.items():
        colour = look(looks[run])[0]
        parts.append(drawn(f"{run}, least", 2, of_run, colour, "6 3"))
        if actual := [row for row in of_run if row[1] is not None]:
            parts.append(drawn(run, 1, actual, colour, None))
    return figure(620, 320, f"{title}, up to {most:.3g}", parts)


def timeline(lanes: Mapping[str, Sequence[tuple[int, str]]]) -> Markup:
    """Return lanes of marks.

    Args:
        lanes: name -> (position, kind) of its marks; kinds are target, hit, miss and false-alarm.
    """
    places = [place for marks in lanes.values() for place, _ in marks]
    low, high = min(places), max(places)
    height = 30 + len(lanes) * 22
    axes = Axes(900, height, (low, high), (0, 1), 140, 20)
    parts: list[Content] = []
    for at_lane, (name, marks) in enumerate(lanes.items()):
        y = 14 + at_lane * 22
        parts.append(line(130, y, 892, y))
        parts.append(label(122, y + 4, tag("title", name), truncate(name, 20), anchor="end"))
        for place, kind in marks:
            at, said = axes.x(place), f"{name}: place {place:,}, {kind.replace('-', ' ')}"
            if kind == "false-alarm":
                cross = f"M{at:.1f} {y}m-4 -4l8 8m0 -8l-8 8"
                parts.append(
                    tag("path", tag("title", said), d=cross, stroke="var(--warn)", stroke_width=1.6, fill="none")
                )
            else:
                fill = {"target": "var(--soft)", "hit": "var(--ink)", "miss": "var(--paper)"}[kind]
                stroke = "var(--soft)" if kind == "target" else "var(--ink)"
                parts.append(mark(said, at, y, fill, stroke=stroke, stroke_width=1.4))
    parts += [label(140, height - 4, f"{low:,}"), label(880, height - 4, f"{high:,}", anchor="end")]
    n_target = sum(kind == "target" for marks in lanes.values() for _, kind in marks)
    said = f"Stories in order of time: {n_target} stories on topic, {len(lanes) - 1} runs"
    return tag("div", figure(900, height, said, parts), class_="wide-chart")


def intervals(rows: Sequence[tuple[str, float, float | None, float | None]], what: str) -> Markup:
    """Return differences with their intervals, one per line, around zero.

    Args:
        rows: name, difference, ends of its interval.
        what: what the differences are of.
    """
    ends = [value for _, *values in rows for value in values if value is not None] + [0.0]
    margin = 0.05 * ((max(ends) - min(ends)) or 1.0)
    height = 34 + 24 * len(rows)
    axes = Axes(760, height, (min(ends) - margin, max(ends) + margin), (0, 1), 230, 12, 4, 20)
    parts: list[Content] = [
        line(axes.x(0), 4, axes.x(0), height - 20, "var(--soft)", stroke_dasharray="2 3"),
        axes.x_ticks(ticks(*axes.x_range)),
    ]
    for at_row, (name, value, begin, end) in enumerate(rows):
        y = 16 + at_row * 24
        parts.append(label(220, y + 4, tag("title", name), truncate(name, 36), anchor="end"))
        if begin is not None and end is not None:
            parts.append(line(axes.x(begin), y, axes.x(end), y, "var(--ink)", stroke_width=2))
        parts.append(mark(f"{name}: {number(value)}", axes.x(value), y, "var(--ink)"))
    said = f"{what}: {len(rows)} differences with intervals"
    return tag("div", figure(760, height, said, parts), class_="wide-chart")


@dataclass(frozen=True, slots=True)
class Box:
    """One vertex of a hierarchy."""

    name: str
    n_story: int  #: stories in it and below
    n_hit: int  #: of these, on the topic
    cost: float | None  #: for the topic; None where it was not computed
    is_best: bool
    n_child: int  #: children it has, drawn or not


#: height of a line of a tree, and indentation of a level, in pixels
_LINE, _INDENT = 22, 22


def tree(boxes: Sequence[Box], edges: Iterable[tuple[str, str]], *, title: str, path: Iterable[tuple] = ()) -> str:
    """Return a hierarchy as an indented tree in a standalone SVG: a line per vertex, children below their parent.

    A vertex with several parents is drawn below one of them, that of the path where it is on it, and names the others.

    Args:
        boxes: B vertices, one of them above all others.
        edges: pairs (parent, child) of names of boxes.
        title: what is drawn, in words; read out by screen readers.
        path: edges of the cheapest path to the best vertex, drawn thick.
    """
    pairs, thick = sorted(set(edges)), set(path)
    parents: dict[str, list[str]] = defaultdict(list)
    for parent, child in pairs:
        parents[child].append(parent)
    below: dict[str | None, list[Box]] = defaultdict(list)
    chosen = {}
    for box in boxes:
        of = parents[box.name]
        chosen[box.name] = next((parent for parent in of if (parent, box.name) in thick), of[0] if of else None)
        below[chosen[box.name]].append(box)
    drawn = {box.name: sum(parent == box.name for parent, _ in pairs) for box in boxes}
    lines: list[Markup] = []
    widest, place = 0, 0
    waiting: list[tuple[Box, int, int | None]] = [(box, 0, None) for box in reversed(below[None])]
    while waiting:
        box, depth, top = waiting.pop()
        x, y = 16 + depth * _INDENT, 20 + place * _LINE
        place += 1
        others = [parent for parent in parents[box.name] if parent != chosen[box.name]]
        hidden = box.n_child - drawn[box.name]
        said = f"{box.n_hit} of {box.n_story}" + ("" if box.cost is None else f", cost {box.cost:.4f}")
        notes = [f"+{hidden} more"] if hidden > 0 else []
        notes += [f"also below {', '.join(others)}"] if others else []
        widest = max(widest, x + 26 + 7 * (len(truncate(box.name, 40)) + len(said) + sum(map(len, notes)) + 8))
        if top is not None:
            is_thick = (chosen[box.name], box.name) in thick
            lines.append(
                tag("path", class_="edge path" if is_thick else "edge", d=f"M{x - _INDENT} {top + 6}V{y}H{x - 6}")
            )
        kind = "vertex" + (" hit" if box.n_hit else "") + (" best" if box.is_best else "")
        lines.append(
            tag(
                "g",
                tag("title", f"{box.name}: {box.n_story} stories, {box.n_hit} on the topic{said[said.find(',') :]}"),
                tag("circle", class_=kind, cx=x, cy=y, r=5),
                tag(
                    "text",
                    tag("tspan", truncate(box.name, 40), font_weight="bold"),
                    tag("tspan", f"  {said}"),
                    [tag("tspan", f"  {note}", class_="note") for note in notes],
                    x=x + 12,
                    y=y + 4,
                    style="white-space:pre",
                ),
            )
        )
        waiting += [(child, depth + 1, y) for child in reversed(below[box.name])]
    height = 20 + place * _LINE
    return str(
        tag(
            "svg",
            tag("title", title),
            tag("style", _TREE_STYLE),
            *lines,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {widest} {height}",
            width=widest,
            height=height,
            class_="topic-hierarchy",
            role="img",
            aria_label=title,
            font_family="sans-serif",
            font_size=12,
        )
    )


_TREE_STYLE = Markup(
    ".topic-hierarchy .edge{fill:none;stroke:#888}.topic-hierarchy .path{stroke:#b3430e;stroke-width:3}"
    ".topic-hierarchy .vertex{fill:#fff;stroke:#555}.topic-hierarchy .hit{fill:#6d9fd0}"
    ".topic-hierarchy .best{stroke:#b3430e;stroke-width:3}.topic-hierarchy text{fill:#222}"
    ".topic-hierarchy .note{fill:#666}"
)


def outline(vertices: Sequence[tuple[str, str | None, int, str | None]], label: str) -> Markup:
    """Return the topmost vertices of a hierarchy as an indented list: (name, parent, stories, topics it is best
    for).
    """
    below: dict[str | None, list[tuple]] = defaultdict(list)
    for vertex in vertices:
        below[vertex[1]].append(vertex)

    def level(parent: str | None) -> Markup | None:
        found = below.get(parent)
        if not found:
            return None
        return tag(
            "ul",
            [
                tag(
                    "li",
                    name,
                    tag("span", f" {n_story:,} {'story' if n_story == 1 else 'stories'}", class_="soft"),
                    tag("b", f" best for {best}", class_="hit") if best else None,
                    level(name),
                )
                for name, _, n_story, best in found
            ],
        )

    return tag("div", level(None), class_="outline", role="group", aria_label=label)
