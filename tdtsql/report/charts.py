"""Where things are in charts: axes, ticks, ranges and orders. `templates/charts.svg` draws them, the same for the HTML
report, the web UI and files.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import NormalDist
from typing import Any

Point = tuple[float, float]


#: colours of runs (variables of the style sheet, in light and dark at least 3:1 against the paper) and dashes
N_COLOUR = 7
DASHES = (None, "7 3", "2 3", "8 3 2 3")
#: probabilities that get a tick on normal-deviate axes
TICKS = (1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
#: costs whose lines are drawn
_COSTS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: pieces in which a side of a convex hull is drawn
_HULL_STEPS = 24
#: length on axes of normal deviates from which a line has all of them
_BENT = 1.0


def looks_of(runs: Iterable[str]) -> dict[str, int]:
    """Return run -> number of its colour and dashes: the same everywhere for the runs of a store."""
    return {run: at for at, run in enumerate(sorted(set(runs)))}


def look(at: int) -> tuple[str, str | None]:
    """Return the colour and the dashes of a run."""
    return f"var(--c{at % N_COLOUR})", DASHES[at // N_COLOUR % len(DASHES)]


@cache
def deviate(probability: float) -> float:
    """Return the normal deviate of a probability, minus or plus infinity at 0 and 1."""
    if probability <= 0.0:
        return -math.inf
    return NormalDist().inv_cdf(probability) if probability < 1.0 else math.inf


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from ``low`` to ``high``, ``most`` steps at most: multiples of 1, 2 or 5 times a power of
    ten.
    """
    if high - low < 1e-300:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    return [place * step for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


@dataclass(frozen=True)
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

    @property
    def bottom(self) -> int:
        return self.height - self.foot

    def x(self, value: float) -> float:
        return self.left + (self.width - self.left - self.right) * self._share(value, self.x_range)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self._share(value, self.y_range)

    def path(self, points: Iterable[Point]) -> str:
        return "".join(f"{'L' if at else 'M'}{self.x(x):.1f} {self.y(y):.1f}" for at, (x, y) in enumerate(points))

    def below(self, rows: Sequence[Sequence], at: int) -> str:
        """Return the path of column ``at`` over the first one, without what is undefined or above the drawing."""
        found, is_on = "", False
        for row in rows:
            if row[at] is None or row[at] > self.y_range[1]:
                is_on = False
                continue
            found += f"{'L' if is_on else 'M'}{self.x(row[0]):.1f} {self.y(row[at]):.1f}"
            is_on = True
        return found


@dataclass(frozen=True)
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

    @property
    def points(self) -> list[Point]:
        return list(zip(self.p_fa, self.p_miss, strict=True))

    def band(self, half: float) -> list[Point]:
        """Return the outline of so many standard errors on both sides; nothing where there are none."""
        found = [(fa, miss, se) for (fa, miss), se in zip(self.points, self.p_miss_se, strict=False) if se and half]
        ends = [(fa, max(0.0, miss - half * se)) for fa, miss, se in found]
        return ends + [(fa, min(1.0, miss + half * se)) for fa, miss, se in reversed(found)]


def reaches(curves: Sequence[Curve]) -> tuple[Point, Point]:
    """Return the ranges of false alarms and of misses that a drawing of curves has."""
    return (
        reach([p for curve in curves for p in curve.p_fa], (1e-4, 1e-3), (0.4, 0.9)),
        reach([p for curve in curves for p in curve.p_miss], (1e-3, 0.02), (0.9, 0.99)),
    )


def det_ticks(ends: Point, place: Callable[[float], float], gap: float) -> list[float]:
    """Return the probabilities between two ends that get a tick, ``gap`` pixels from each other at least."""
    kept: list[float] = []
    for value in TICKS:
        if ends[0] <= value <= ends[1] and (not kept or abs(place(value) - place(kept[-1])) >= gap):
            kept.append(value)
    return kept


def straight(vertices: Sequence[Point], n_step: int = _HULL_STEPS) -> list[Point]:
    """Return points along the straight lines between vertices: on axes of normal deviates these are bent, but for
    short ones (``n_step`` points of a line of `_BENT` deviates or more).
    """
    points = [vertices[0]]
    for (x, y), (to_x, to_y) in pairwise(vertices):
        length = max(abs(deviate(to) - deviate(of)) for of, to in ((x, to_x), (y, to_y)) if of != to)
        n = math.ceil(n_step * min(1.0, length / _BENT))
        points += [(x + (to_x - x) * step / n, y + (to_y - y) * step / n) for step in range(1, n + 1)]
    return points


def listed(values: Sequence[float | None]) -> str | None:
    return " ".join("" if value is None else f"{value:.4g}" for value in values) or None


def cost_lines(cost: Mapping[str, float], axes: Axes) -> list[tuple[float, str, float, float]]:
    """Return lines of equal normalised cost: the cost, the path and where it begins."""
    miss, alarm = cost["c_miss"] * cost["p_target"], cost["c_fa"] * (1 - cost["p_target"])
    low, high = map(deviate, axes.x_range)
    alarms = [NormalDist().cdf(low + (high - low) * step / 80) for step in range(81)]
    lines = []
    for value in _COSTS:
        points = [(p, (value * min(miss, alarm) - alarm * p) / miss) for p in alarms]
        points = [(p, other) for p, other in points if axes.y_range[0] < other < axes.y_range[1]]
        if len(points) > 2:
            lines.append((value, axes.path(points), axes.x(points[0][0]), axes.y(points[0][1])))
    return lines


def reach(values: Sequence[float], lowest: Point, highest: Point) -> Point:
    """Return the ticks that enclose the values; each end stays within the two limits given for it."""
    inside = [value for value in values if 0.0 < value < 1.0]
    least = max(lowest[0], min(lowest[1], min(inside, default=lowest[1])))
    most = min(highest[1], max(highest[0], max(inside, default=highest[0])))
    return max(p for p in TICKS if p <= least), min(p for p in TICKS if p >= most)


def _shares(counts: Sequence[int]) -> list[float]:
    return [count / (sum(counts) or 1) for count in counts]


def histogram_axes(low: float, high: float, *counts: Sequence[int]) -> Axes:
    return Axes(300, 130, (low, high), (0.0, max(max(_shares(of)) for of in counts) or 1.0), 8, 8, 8, 20)


def outline_of(low: float, high: float, counts: Sequence[int]) -> list[Point]:
    """Return the outline of the shares of counts in equal ranges."""
    step = (high - low) / len(counts)
    tops = [(low + (at + end) * step, share) for at, share in enumerate(_shares(counts)) for end in (0, 1)]
    return [(low, 0.0), *tops, (high, 0.0)]


def densities(fit: Mapping[str, float], low: float, high: float, n_bin: int) -> tuple[list[Point], list[Point]]:
    """Return the exponential of the non-targets and the Gaussian of the targets that fit best, as shares of a bin."""
    step = (high - low) / n_bin
    scores = [low + (high - low) * at / 60 for at in range(61)]
    normal, rate, origin = NormalDist(fit["on_mean"], fit["on_sd"]), fit["off_rate"], fit["off_origin"]
    decay = [0.0 if score < origin else rate * math.exp(-rate * (score - origin)) * step for score in scores]
    return list(zip(scores, decay, strict=True)), [(score, normal.pdf(score) * step) for score in scores]


def from_zero(series: Mapping[str, Sequence[Point]]) -> tuple[Axes, list[float], list[float]]:
    """Return axes that begin at 0, and their ticks."""
    points = [point for some in series.values() for point in some]
    ends = [max((point[at] for point in points), default=0.0) or 1.0 for at in (0, 1)]
    marks = ticks(0.0, ends[0]), ticks(0.0, ends[1], 5)
    x_range, y_range = ((0.0, max(of[-1], end)) for of, end in zip(marks, ends, strict=True))
    return Axes(420, 270, x_range, y_range), *marks


@dataclass(frozen=True)
class HeatMap:
    """Runs x topics as colours; light is good."""

    metric: str
    columns: list[int]  #: positions of the topics, the easiest first
    rows: dict[str, list[tuple[int, str]]]  #: run, the best first -> position of the topic, colour
    labels: list[str]  #: of the topics; none of many
    least: float
    most: float  #: what is above has the same colour
    is_cut: bool  #: there are values above
    is_low: bool  #: low values are good

    @property
    def height(self) -> int:
        return len(self.rows) * 20 + (70 if self.labels else 4)

    @property
    def left(self) -> int:
        return min(170, 20 + 7 * max(map(len, self.rows), default=0))

    @property
    def wide(self) -> float:
        return min(28.0, (892 - self.left) / max(len(self.columns), 1))

    def colour(self, share: float) -> str:
        return cividis(1 - share if self.is_low else share)


def heat_map(
    runs: Sequence[str], topics: Sequence[str], values: Mapping[str, Sequence[float | None]], metric: str, best: str
) -> HeatMap:
    is_low = best != "highest"  # a metric without a better end is drawn as if low were good

    def mean(found: Iterable[float | None]) -> float:
        defined = [value for value in found if value is not None]
        return sum(defined) / len(defined) if defined else math.inf if is_low else -math.inf

    sign = 1 if is_low else -1
    columns = sorted(range(len(topics)), key=lambda at: (sign * mean(values[run][at] for run in runs), at))
    defined = sorted(value for run in runs for value in values[run] if value is not None) or [0.0, 1.0]
    least, most = defined[0], defined[-1]
    ceiling = min(most, max(defined[math.ceil(0.98 * (len(defined) - 1))], least + 1e-12))
    labels = [topics[at] for at in columns] if len(topics) <= 60 else []
    made = HeatMap(metric, columns, {}, labels, least, ceiling, ceiling < most, is_low)
    for run in sorted(runs, key=lambda run: (sign * mean(values[run]), run)):
        made.rows[run] = [
            (
                at,
                "var(--missing)"
                if (value := values[run][at]) is None
                else made.colour(min(1.0, (value - least) / ((ceiling - least) or 1.0))),
            )
            for at in columns
        ]
    return made


@cache
def cividis(share: float) -> str:
    """Return a colour of the scale cividis, 0 dark to 1 light (Nunez, Anderton, Renslow, 2018; d3's polynomial)."""
    t = min(max(share, 0.0), 1.0)
    red = -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))))
    green = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))))
    blue = 81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))))
    return "#" + "".join(f"{min(255, max(0, round(part))):02x}" for part in (red, green, blue))


@dataclass(frozen=True)
class Box:
    """One vertex of a hierarchy."""

    name: str
    n_story: int  #: stories in it and below
    n_hit: int  #: of these, on the topic
    cost: float | None  #: for the topic; None where it was not computed
    is_best: bool
    n_child: int  #: children it has, drawn or not


def tree_of(boxes: Sequence[Box], edges: Iterable[tuple[str, str]], path: Iterable[tuple] = ()) -> dict[str, Any]:
    """Return the lines of a hierarchy as an indented tree: one per vertex, children below their parent.

    A vertex with several parents is drawn below one of them, that of the path where it is on it, and names the others.

    Args:
        boxes: B vertices, one of them above all others.
        edges: pairs (parent, child) of names of boxes.
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
    lines: list[dict[str, Any]] = []
    widest = 0
    waiting: list[tuple[Box, int, int | None]] = [(box, 0, None) for box in reversed(below[None])]
    while waiting:
        box, depth, top = waiting.pop()
        x, y = 16 + depth * 22, 20 + len(lines) * 22
        others = [parent for parent in parents[box.name] if parent != chosen[box.name]]
        hidden = box.n_child - sum(parent == box.name for parent, _ in pairs)
        cost = "" if box.cost is None else f", cost {box.cost:.4f}"
        said = f"{box.n_hit} of {box.n_story}{cost}"
        notes = [f"+{hidden} more"] if hidden > 0 else []
        notes += [f"also below {', '.join(others)}"] if others else []
        widest = max(widest, x + 26 + 7 * (min(len(box.name), 40) + len(said) + sum(map(len, notes)) + 8))
        is_thick = (chosen[box.name], box.name) in thick
        lines.append(
            {"box": box, "x": x, "y": y, "top": top, "is_thick": is_thick, "said": said, "cost": cost, "notes": notes}
        )
        waiting += [(child, depth + 1, y) for child in reversed(below[box.name])]
    return {"lines": lines, "width": widest, "height": 20 + len(lines) * 22}


def nested(vertices: Sequence[tuple[str, str | None, int, str | None]]) -> list[tuple]:
    """Return vertices (name, parent, stories, topics it is best for), each with those below it, from the top."""
    below: dict[str | None, list[tuple]] = defaultdict(list)
    for vertex in vertices:
        below[vertex[1]].append(vertex)

    def level(parent: str | None) -> list[tuple]:
        return [(vertex, level(vertex[0])) for vertex in below.get(parent, ())]

    return level(None)
