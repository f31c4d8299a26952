"""Charts as SVG, drawn on the server: the same text for the HTML report, the web UI and files.

Colours are variables of the style sheet, so that light, dark and print share one drawing. A separate file
(`standalone`) has the values of the light theme in itself.
"""

import html
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import NormalDist

from markupsafe import Markup

from tdtsql.errors import truncate
from tdtsql.report.tables import fixed as number

Content = str | int | float | None | Iterable["Content"]

#: elements that have no end
_EMPTY = {"input", "meta", "link", "br", "img"}


def escaped(content: Content) -> Markup:
    """Return content as markup: texts escaped, several one after the other, None as nothing."""
    if isinstance(content, Markup):
        return content
    if content is None:
        return Markup("")
    if isinstance(content, str | int | float):
        return Markup(html.escape(str(content)))
    return Markup("".join(escaped(part) for part in content))


def tag(name: str, /, *content: Content, **attributes: str | int | float | bool | None) -> Markup:
    """Return an element. ``class_`` is class; an underscore in a name becomes a hyphen; attributes that are None or
    False are left out.
    """
    words = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        words.append(key if value is True else f'{key}="{html.escape(str(value))}"')
    inside = "".join(escaped(part) for part in content)
    return Markup(f"<{' '.join(words)}>" + ("" if name in _EMPTY else f"{inside}</{name}>"))


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
    line = tag("line", x1=1, x2=33, y1=6, y2=6, stroke=colour, stroke_width=2.5, stroke_dasharray=dashes)
    return tag("svg", line, viewBox="0 0 34 12", width=34, height=12, aria_hidden="true")


def legend(looks: Mapping[str, int], label: str = "Runs") -> Markup:
    entries = [tag("li", swatch(at), " ", run) for run, at in looks.items()]
    return tag("ul", entries, class_="legend", aria_label=label)


def figure(width: float, height: float, label: str, *content: Content, **attributes: str | int) -> Markup:
    return tag(
        "svg",
        *content,
        class_="chart",
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
        aria_label=label,
        **attributes,
    )


@cache
def deviate(probability: float) -> float:
    """Return the normal deviate of a probability, minus or plus infinity at 0 and 1."""
    if probability <= 0.0:
        return -math.inf
    return NormalDist().inv_cdf(probability) if probability < 1.0 else math.inf


def path_of(points: Iterable[tuple[float, float]]) -> str:
    return "".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(points))


@dataclass(frozen=True, slots=True)
class Curve:
    """A DET curve, strictest threshold first."""

    run: str
    p_fa: Sequence[float]
    p_miss: Sequence[float]
    threshold: Sequence[float | None] = ()
    p_miss_se: Sequence[float | None] = ()  #: standard errors over topics
    minimum: tuple[float, float] | None = None  #: (p_fa, p_miss) of the least cost
    actual: tuple[float, float] | None = None  #: (p_fa, p_miss) of the run's own decisions
    hull: Sequence[tuple[float, float]] = ()  #: (p_fa, p_miss) of the vertices of the convex hull


def det(
    curves: Sequence[Curve], looks: Mapping[str, int], *, cost: Mapping[str, float] | None = None, label: str = ""
) -> Markup:
    """Return DET curves on normal-deviate axes.

    Args:
        looks: run -> number of its colour.
        cost: p_target, c_miss, c_fa and band_z of the profile: lines of equal cost, and bands of so many standard
        errors.
    """
    width, height, left, right, top, foot = 760, 600, 56, 14, 10, 44
    (x0, x1), (y0, y1) = (
        reach([p for curve in curves for p in getattr(curve, name)], lowest, highest)
        for name, lowest, highest in (("p_fa", (1e-4, 1e-3), (0.4, 0.9)), ("p_miss", (1e-3, 0.02), (0.9, 0.99)))
    )

    def x(p: float) -> float:
        at = (min(max(deviate(p), deviate(x0)), deviate(x1)) - deviate(x0)) / (deviate(x1) - deviate(x0))
        return left + (width - left - right) * at

    def y(p: float) -> float:
        at = (min(max(deviate(p), deviate(y0)), deviate(y1)) - deviate(y0)) / (deviate(y1) - deviate(y0))
        return height - foot - (height - foot - top) * at

    parts: list[Content] = []
    for tick in _spread([p for p in TICKS if x0 <= p <= x1], x, 34):
        at = f"{x(tick):.1f}"
        parts += [
            tag("line", x1=at, x2=at, y1=top, y2=height - foot, stroke="var(--grid)"),
            tag("text", f"{100 * tick:g}", x=at, y=height - foot + 16, text_anchor="middle", class_="x-tick"),
        ]
    for tick in _spread([p for p in TICKS if y0 <= p <= y1], y, 20):
        at = f"{y(tick):.1f}"
        parts += [
            tag("line", y1=at, y2=at, x1=left, x2=width - right, stroke="var(--grid)"),
            tag("text", f"{100 * tick:g}", x=left - 7, y=f"{y(tick) + 4:.1f}", text_anchor="end", class_="y-tick"),
        ]
    parts += [
        tag("text", "false-alarm probability, %", x=(width + left) // 2, y=height - 6, class_="title middle"),
        tag(
            "text",
            "miss probability, %",
            transform=f"translate(14 {(height - foot) // 2}) rotate(-90)",
            class_="title middle",
        ),
    ]
    if cost:
        parts.append(tag("g", _cost_lines(cost, (x0, x1), (y0, y1), x, y), class_="costs"))
    for curve in curves:
        colour, dashes = look(looks[curve.run])
        inside: list[Content] = []
        half = (cost or {}).get("band_z", 0.0)
        band = [(fa, miss, se) for fa, miss, se in zip(curve.p_fa, curve.p_miss, curve.p_miss_se, strict=False) if se]
        if band and half and len(curves) <= 4:  # many bands hide each other
            ends = [(x(fa), y(max(0.0, miss - half * se))) for fa, miss, se in band]
            ends += [(x(fa), y(min(1.0, miss + half * se))) for fa, miss, se in reversed(band)]
            inside.append(tag("path", d=path_of(ends) + "Z", class_="band", fill=colour))
        inside.append(
            tag(
                "path",
                tag("title", curve.run),
                d=path_of(zip(map(x, curve.p_fa), map(y, curve.p_miss), strict=True)),
                class_="curve",
                stroke=colour,
                stroke_dasharray=dashes,
                data_fa=_listed(curve.p_fa),
                data_miss=_listed(curve.p_miss),
                data_threshold=_listed(curve.threshold),
            )
        )
        if curve.hull:  # its sides are straight in probabilities, and bent here
            sides = [
                (x(fa + (to_fa - fa) * step / _HULL_STEPS), y(miss + (to_miss - miss) * step / _HULL_STEPS))
                for (fa, miss), (to_fa, to_miss) in pairwise(curve.hull)
                for step in range(_HULL_STEPS + 1)
            ]
            named = tag("title", f"{curve.run}: convex hull")
            inside.append(
                tag("path", named, d=path_of(sides), fill="none", stroke=colour, stroke_dasharray="1 3", class_="hull")
            )
        if curve.minimum:
            at = f"M{x(curve.minimum[0]):.1f} {y(curve.minimum[1]):.1f}m0 -6l5.2 9.4h-10.4z"
            named = tag("title", f"{curve.run}: minimum cost")
            inside.append(tag("path", named, d=at, class_="minimum", fill="var(--paper)", stroke=colour))
        if curve.actual:
            cx, cy = f"{x(curve.actual[0]):.1f}", f"{y(curve.actual[1]):.1f}"
            named = tag("title", f"{curve.run}: decisions")
            inside.append(tag("circle", named, cx=cx, cy=cy, r=4.5, class_="actual", fill=colour, stroke=colour))
        parts.append(tag("g", inside, data_run=curve.run))
    return figure(width, height, label or f"DET curves of {len(curves)} runs", parts, tabindex=0)


def _listed(values: Sequence[float | None]) -> str | None:
    return " ".join("" if value is None else f"{value:.4g}" for value in values) or None


def _cost_lines(cost: Mapping[str, float], x_range, y_range, x, y) -> list[Markup]:
    """Return lines of equal normalised cost with their labels."""
    miss, alarm = cost["c_miss"] * cost["p_target"], cost["c_fa"] * (1 - cost["p_target"])
    norm, (low, high), lines = min(miss, alarm), map(deviate, x_range), []
    for value in _COSTS:
        points = []
        for step in range(81):
            p = NormalDist().cdf(low + (high - low) * step / 80)
            other = (value * norm - alarm * p) / miss
            if y_range[0] < other < y_range[1]:
                points.append((x(p), y(other)))
        if len(points) > 2:
            at = points[0]
            lines.append(tag("path", d=path_of(points), class_="iso"))
            lines.append(tag("text", f"cost {value:g}", x=f"{at[0] + 4:.1f}", y=f"{at[1] - 3:.1f}", class_="iso-label"))
    return lines


def reach(values: Sequence[float], lowest: tuple[float, float], highest: tuple[float, float]) -> tuple[float, float]:
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
    width, height, left, foot, top = 300, 130, 8, 20, 8
    shares = [[count / (sum(counts) or 1) for count in counts] for counts in (nontarget, target)]
    most, n_bin = max(max(share) for share in shares) or 1.0, len(target)

    def x(score: float) -> float:
        return left + (width - 2 * left) * (score - low) / ((high - low) or 1.0)

    def y(share: float) -> float:
        return height - foot - (height - foot - top) * min(share, most) / most

    parts: list[Content] = []
    step = (high - low) / n_bin
    for name, share, colour, dashes in (
        ("nontarget", shares[0], "var(--soft)", "4 2"),
        ("target", shares[1], "var(--ink)", None),
    ):
        line = [(x(low + (at + end) * step), y(value)) for at, value in enumerate(share) for end in (0, 1)]
        closed = f"M{x(low):.1f} {y(0):.1f}{path_of(line).replace('M', 'L', 1)}L{x(high):.1f} {y(0):.1f}Z"
        parts.append(
            tag(
                "path",
                d=closed,
                data_part=name,
                fill=colour,
                fill_opacity="0.18",
                stroke=colour,
                stroke_width="1.3",
                stroke_dasharray=dashes,
            )
        )
    if fit:

        def normal(score: float) -> float:
            away = (score - fit["on_mean"]) / fit["on_sd"]
            return math.exp(-away * away / 2) / (fit["on_sd"] * math.sqrt(2 * math.pi)) * step

        def decay(score: float) -> float:
            above = score - fit["off_origin"]
            return 0.0 if above < 0 else fit["off_rate"] * math.exp(-fit["off_rate"] * above) * step

        scores = [low + (high - low) * at / 60 for at in range(61)]
        for name, density, colour in (("nontarget-fit", decay, "var(--soft)"), ("target-fit", normal, "var(--ink)")):
            d = path_of((x(score), y(density(score))) for score in scores)
            parts.append(tag("path", d=d, data_part=name, fill="none", stroke=colour, stroke_width="0.8"))
        for name, key, dashes in (
            ("fitted threshold", "fitted_threshold", None),
            ("best threshold on the data", "best_threshold", "4 2"),
            ("upper crossing", "upper_crossing", "1 3"),
        ):
            if (score := fit[key]) is not None and low <= score <= high:
                at = f"{x(score):.1f}"
                named = tag("title", f"{name} {number(score)}")
                parts.append(
                    tag(
                        "line",
                        named,
                        x1=at,
                        x2=at,
                        y1=top,
                        y2=y(0),
                        stroke="var(--soft)",
                        stroke_dasharray=dashes,
                        data_part=name,
                    )
                )
    parts.append(tag("path", d=f"M{left} {y(0):g}H{width - left}", stroke="var(--rule)"))
    parts += [
        tag("text", f"{tick:g}", x=f"{x(tick):.1f}", y=height - 5, text_anchor="middle") for tick in ticks(low, high, 4)
    ]
    return figure(width, height, label, parts)


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
        [figure(width, height, label, parts), tag("div", figure(400, 16, "Colour scale", key, ends), class_="key")]
    )


@cache
def cividis(share: float) -> str:
    """Return a colour of the scale cividis, 0 dark to 1 light (Nunez, Anderton, Renslow, 2018; d3's polynomial)."""
    t = min(max(share, 0.0), 1.0)
    red = -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))))
    green = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))))
    blue = 81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))))
    return "#" + "".join(f"{min(255, max(0, round(part))):02x}" for part in (red, green, blue))


def lines(
    series: Mapping[str, Sequence[tuple[float, float]]], looks: Mapping[str, int], *, x_title: str, y_title: str
) -> Markup:
    """Return values over values, a line with points per run; axes begin at 0 and have round ticks."""
    width, height, left, right, top, foot = 420, 270, 48, 14, 12, 40
    points = [point for some in series.values() for point in some]
    x_ticks = ticks(0.0, max((at for at, _ in points), default=0.0) or 1.0)
    y_ticks = ticks(0.0, max((value for _, value in points), default=0.0) or 1.0, 5)
    x_most, y_most = (
        max(marks[-1], max((p[at] for p in points), default=1.0)) or 1.0 for at, marks in enumerate((x_ticks, y_ticks))
    )

    def x(at: float) -> float:
        return left + (width - left - right) * at / x_most

    def y(value: float) -> float:
        return height - foot - (height - foot - top) * value / y_most

    parts: list[Content] = []
    for tick in y_ticks:
        at = f"{y(tick):.1f}"
        parts += [
            tag("line", x1=left, x2=width - right, y1=at, y2=at, stroke="var(--grid)"),
            tag("text", f"{tick:g}", x=left - 6, y=f"{y(tick) + 4:.1f}", text_anchor="end"),
        ]
    parts += [
        tag("text", f"{tick:g}", x=f"{x(tick):.1f}", y=height - foot + 16, text_anchor="middle") for tick in x_ticks
    ]
    parts.append(tag("text", x_title, x=(left + width) // 2, y=height - 6, class_="title middle"))
    for run, some in series.items():
        colour, dashes = look(looks[run])
        path = tag(
            "path",
            d=path_of((x(at), y(value)) for at, value in some),
            class_="curve",
            stroke=colour,
            stroke_dasharray=dashes,
        )
        marks = [
            tag(
                "circle",
                tag("title", f"{run}: {y_title} {number(value)} at {at:g}"),
                cx=f"{x(at):.1f}",
                cy=f"{y(value):.1f}",
                r=3,
                fill=colour,
            )
            for at, value in some
        ]
        parts.append(tag("g", path, marks, data_run=run))
    return figure(width, height, f"{y_title} of {len(series)} runs by {x_title}", parts)


def timeline(lanes: Mapping[str, Sequence[tuple[int, str]]]) -> Markup:
    """Return lanes of marks.

    Args:
        lanes: name -> (position, kind) of its marks; kinds are target, hit, miss and false-alarm.
    """
    places = [place for marks in lanes.values() for place, _ in marks]
    low, high = min(places), max(places)
    width, left, step = 900, 130, 22

    def x(place: int) -> float:
        return left + 10 + (width - left - 30) * ((place - low) / (high - low) if high > low else 0.5)

    parts: list[Content] = []
    for at_lane, (name, marks) in enumerate(lanes.items()):
        y = 14 + at_lane * step
        parts.append(tag("line", x1=left, x2=width - 8, y1=y, y2=y, stroke="var(--grid)"))
        parts.append(tag("text", tag("title", name), truncate(name, 20), x=left - 8, y=y + 4, text_anchor="end"))
        for place, kind in marks:
            at = f"{x(place):.1f}"
            said = tag("title", f"{name}: place {place:,}, {kind.replace('-', ' ')}")
            if kind == "false-alarm":
                parts.append(
                    tag(
                        "path",
                        said,
                        d=f"M{at} {y}m-4 -4l8 8m0 -8l-8 8",
                        stroke="var(--warn)",
                        stroke_width="1.6",
                        fill="none",
                    )
                )
            else:
                filled = {"target": "var(--soft)", "hit": "var(--ink)", "miss": "var(--paper)"}[kind]
                parts.append(
                    tag(
                        "circle",
                        said,
                        cx=at,
                        cy=y,
                        r=4,
                        fill=filled,
                        stroke="var(--soft)" if kind == "target" else "var(--ink)",
                        stroke_width="1.4",
                    )
                )
    height = 14 + len(lanes) * step + 16
    parts.append(tag("text", f"{low:,}", x=left + 10, y=height - 4))
    parts.append(tag("text", f"{high:,}", x=width - 20, y=height - 4, text_anchor="end"))
    counts = (
        f"{sum(kind == 'target' for marks in lanes.values() for _, kind in marks)} stories on topic, {len(lanes) - 1} "
        f"runs"
    )
    return tag("div", figure(width, height, f"Stories in order of time: {counts}", *parts), class_="wide-chart")


def intervals(rows: Sequence[tuple[str, float, float | None, float | None]], what: str) -> Markup:
    """Return differences with their intervals, one per line, around zero.

    Args:
        rows: name, difference, ends of its interval.
        what: what the differences are of.
    """
    ends = [value for _, *values in rows for value in values if value is not None] + [0.0]
    low, high = min(ends), max(ends)
    margin = 0.05 * ((high - low) or 1.0)
    low, high = low - margin, high + margin
    width, left, step = 760, 230, 24

    def x(value: float) -> float:
        return left + (width - left - 12) * (value - low) / (high - low)

    height = 12 + step * len(rows) + 22
    parts: list[Content] = [
        tag(
            "line",
            x1=f"{x(0):.1f}",
            x2=f"{x(0):.1f}",
            y1=4,
            y2=height - 20,
            stroke="var(--soft)",
            stroke_dasharray="2 3",
        )
    ]
    for at_row, (name, value, begin, end) in enumerate(rows):
        y = 16 + at_row * step
        parts.append(tag("text", tag("title", name), truncate(name, 36), x=left - 10, y=y + 4, text_anchor="end"))
        if begin is not None and end is not None:
            parts.append(
                tag("line", x1=f"{x(begin):.1f}", x2=f"{x(end):.1f}", y1=y, y2=y, stroke="var(--ink)", stroke_width=2)
            )
        parts.append(
            tag("circle", tag("title", f"{name}: {number(value)}"), cx=f"{x(value):.1f}", cy=y, r=4, fill="var(--ink)")
        )
    parts += [
        tag("text", f"{tick:g}", x=f"{x(tick):.1f}", y=height - 4, text_anchor="middle") for tick in ticks(low, high)
    ]
    return tag(
        "div", figure(width, height, f"{what}: {len(rows)} differences with intervals", *parts), class_="wide-chart"
    )


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
