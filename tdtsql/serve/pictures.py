"""Drawings as SVG, whose colours are those of the style; a table beside each says the same."""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from tdtsql.report.charts import hull_of, thin
from tdtsql.report.drawing import TICKS, deviate
from tdtsql.serve.markup import Content, Html, shown, tag

_COLOURS = tuple(f"var(--c{place})" for place in range(7))
_STYLES = (None, "7 3", "2 3", "8 3 2 3")
#: pieces in which a side of a convex hull is drawn
_HULL_STEPS = 24


def _svg(width: int, height: int, label: str, *content: Content) -> Html:
    return tag("svg", *content, class_="chart", viewBox=f"0 0 {width} {height}", role="img", aria_label=label)


def _look(number: int) -> tuple[str, str | None]:
    """Return the colour and the dashes of a series."""
    return _COLOURS[number % len(_COLOURS)], _STYLES[number // len(_COLOURS) % len(_STYLES)]


def _legend(names: Sequence[str], label: str) -> Html:
    def line(number: int) -> Html:
        colour, style = _look(number)
        return tag(
            "svg",
            tag("line", x1=0, x2=34, y1=6, y2=6, stroke=colour, stroke_width=2, stroke_dasharray=style),
            width=34,
            height=12,
            aria_hidden="true",
        )

    return tag(
        "ul",
        [tag("li", line(number), " ", name) for number, name in enumerate(names)],
        class_="legend",
        aria_label=label,
    )


def clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def timeline(lanes: Mapping[str, Sequence[tuple[int, str]]]) -> Html:
    """Return lanes of marks.

    Args:
        lanes: name -> (place, kind) of its marks; kinds are target, hit, miss and false-alarm.
    """
    places = [place for marks in lanes.values() for place, _ in marks]
    low, high = min(places), max(places)
    width, left, step = 900, 130, 22

    def x(place: int) -> float:
        return left + 10 + (width - left - 30) * ((place - low) / (high - low) if high > low else 0.5)

    parts: list[Content] = []
    for number, (name, marks) in enumerate(lanes.items()):
        y = 14 + number * step
        parts.append(tag("line", x1=left, x2=width - 8, y1=y, y2=y, stroke="var(--grid)"))
        parts.append(tag("text", tag("title", name), clipped(name, 20), x=left - 8, y=y + 4, text_anchor="end"))
        for place, kind in marks:
            at = f"{x(place):.1f}"
            said = tag("title", f"{name}: place {place:,}, {kind.replace('-', ' ')}")
            if kind == "false-alarm":
                parts.append(
                    tag(
                        "path",
                        said,
                        d=f"M{at} {y}m-4 -4l8 8m0 -8l-8 8",
                        stroke="var(--c1)",
                        stroke_width="1.6",
                        fill="none",
                    )
                )
            else:
                filled = {"target": "var(--ink)", "hit": "var(--c0)", "miss": "var(--paper)"}[kind]
                parts.append(
                    tag(
                        "circle",
                        said,
                        cx=at,
                        cy=y,
                        r=4,
                        fill=filled,
                        stroke="var(--ink)" if kind == "target" else "var(--c0)",
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
    return tag("div", _svg(width, height, f"Stories in order of time: {counts}", *parts), class_="wide-chart")


def scores(run: str, low: float, high: float, targets: Mapping[int, int], others: Mapping[int, int], bins: int) -> Html:
    """Return shares of targets and non-targets in equal ranges of scores from ``low`` to ``high``."""
    width, height, foot, top = 280, 120, 20, 8
    n_target, n_other = sum(targets.values()), sum(others.values())
    shares = [
        (targets.get(place, 0) / max(n_target, 1), others.get(place, 0) / max(n_other, 1)) for place in range(bins)
    ]
    scale = (height - foot - top) / max(max(pair) for pair in shares)
    step = width / bins
    bars = [
        tag(
            "rect",
            tag("title", f"{targets.get(place, 0):,} targets"),
            x=f"{place * step:.1f}",
            y=f"{height - foot - share * scale:.1f}",
            width=f"{step - 1:.1f}",
            height=f"{share * scale:.1f}",
            fill="var(--c1)",
            opacity="0.75",
        )
        for place, (share, _) in enumerate(shares)
        if share
    ]
    points = "".join(
        f"{'L' if place else 'M'}{place * step:.1f} {height - foot - share * scale:.1f}h{step:.1f}"
        for place, (_, share) in enumerate(shares)
    )
    return _svg(
        width,
        height,
        f"Scores of {run}: {n_target:,} targets and {n_other:,} non-targets from {shown(low)} to {shown(high)}",
        bars,
        tag("path", d=points, fill="none", stroke="var(--c0)", stroke_width="1.5"),
        tag("path", d=f"M0 {height - foot}H{width}", stroke="var(--rule)"),
        tag("text", shown(low), x=0, y=height - 5),
        tag("text", shown(high), x=width, y=height - 5, text_anchor="end"),
    )


def intervals(rows: Sequence[tuple[str, float, float | None, float | None]], what: str) -> Html:
    """Return differences with their intervals, one a line, around zero.

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
    for number, (name, value, begin, end) in enumerate(rows):
        y = 16 + number * step
        parts.append(tag("text", tag("title", name), clipped(name, 36), x=left - 10, y=y + 4, text_anchor="end"))
        if begin is not None and end is not None:
            parts.append(
                tag("line", x1=f"{x(begin):.1f}", x2=f"{x(end):.1f}", y1=y, y2=y, stroke="var(--c0)", stroke_width=2)
            )
        parts.append(
            tag("circle", tag("title", f"{name}: {shown(value)}"), cx=f"{x(value):.1f}", cy=y, r=4, fill="var(--c0)")
        )
    parts += [
        tag("text", shown(low + margin), x=f"{x(low + margin):.1f}", y=height - 4),
        tag("text", "0", x=f"{x(0):.1f}", y=height - 4, text_anchor="middle"),
        tag("text", shown(high - margin), x=f"{x(high - margin):.1f}", y=height - 4, text_anchor="end"),
    ]
    return tag(
        "div", _svg(width, height, f"{what}: {len(rows)} differences with intervals", *parts), class_="wide-chart"
    )


def det(
    curves: Mapping[str, Sequence[tuple[float, float]]],
    least: Mapping[str, tuple[float, float]],
    decided: Mapping[str, tuple[float, float]],
    with_hulls: Collection[str] = (),
) -> Html:
    """Return DET curves on normal-deviate axes.

    Args:
        curves: run -> (false-alarm probability, miss probability), strictest threshold first.
        least: run -> the point of least cost.
        decided: run -> the point of its own decisions, or of those at the Bayes threshold.
        with_hulls: runs whose convex hull is drawn too.
    """
    size, left, foot = 520, 52, 40
    inside = [value for points in curves.values() for point in points for value in point if 0.0 < value < 1.0]
    ticks = [
        tick for tick in TICKS if max(1e-5, min([*inside, 0.01]) / 2) <= tick <= min(0.99, max([*inside, 0.5]) * 1.5)
    ] or [0.01, 0.5]
    low, high = deviate(ticks[0]), deviate(ticks[-1])

    def place(value: float) -> float:
        return (min(max(deviate(value), low), high) - low) / ((high - low) or 1.0)

    def x(value: float) -> float:
        return left + (size - left - 10) * place(value)

    def y(value: float) -> float:
        return size - foot - (size - foot - 10) * place(value)

    parts: list[Content] = []
    for tick in ticks:
        across, up, percent = f"{x(tick):.1f}", y(tick), f"{100 * tick:g}"
        parts += [
            tag("line", x1=across, x2=across, y1=10, y2=size - foot, stroke="var(--grid)"),
            tag("line", x1=left, x2=size - 10, y1=f"{up:.1f}", y2=f"{up:.1f}", stroke="var(--grid)"),
            tag("text", percent, x=across, y=size - foot + 15, text_anchor="middle"),
            tag("text", percent, x=left - 6, y=f"{up + 4:.1f}", text_anchor="end"),
        ]
    parts += [
        tag("text", "false-alarm probability, %", x=(size + left) // 2, y=size - 6, text_anchor="middle"),
        tag("text", "miss probability, %", x=-(size - foot) // 2, y=13, text_anchor="middle", transform="rotate(-90)"),
    ]
    for number, (run, points) in enumerate(curves.items()):
        colour, style = _look(number)
        kept = [points[at] for at in thin([fa for fa, _ in points], [miss for _, miss in points])]
        parts.append(
            tag(
                "path",
                tag("title", run),
                d="".join(f"{'L' if at else 'M'}{x(fa):.1f} {y(miss):.1f}" for at, (fa, miss) in enumerate(kept)),
                fill="none",
                stroke=colour,
                stroke_width="1.8",
                stroke_dasharray=style,
            )
        )
        if run in with_hulls:  # its sides are straight in probabilities, and bent here
            corners = [points[at] for at in hull_of(points)]
            sides = [
                (fa + (to_fa - fa) * step / _HULL_STEPS, miss + (to_miss - miss) * step / _HULL_STEPS)
                for (fa, miss), (to_fa, to_miss) in pairwise(corners)
                for step in range(_HULL_STEPS + 1)
            ]
            parts.append(
                tag(
                    "path",
                    tag("title", f"{run}: convex hull"),
                    d="".join(f"{'L' if at else 'M'}{x(fa):.1f} {y(miss):.1f}" for at, (fa, miss) in enumerate(sides)),
                    fill="none",
                    stroke=colour,
                    stroke_width="1",
                    stroke_dasharray="1 3",
                )
            )
        if run in decided:
            parts.append(
                tag(
                    "circle",
                    tag("title", f"{run}: decided"),
                    cx=f"{x(decided[run][0]):.1f}",
                    cy=f"{y(decided[run][1]):.1f}",
                    r=4,
                    fill="var(--paper)",
                    stroke=colour,
                    stroke_width="1.4",
                )
            )
        if run in least:
            parts.append(
                tag(
                    "path",
                    tag("title", f"{run}: least cost"),
                    d=f"M{x(least[run][0]):.1f} {y(least[run][1]):.1f}m0 -5l4.5 8h-9z",
                    fill="var(--paper)",
                    stroke=colour,
                    stroke_width="1.4",
                )
            )
    return tag(
        "div",
        _legend(list(curves), "Runs"),
        _svg(size, size, f"DET curves of {len(curves)} runs", *parts),
        class_="square-chart",
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
