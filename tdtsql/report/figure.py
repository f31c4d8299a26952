"""DET curves as SVG or PDF, the same bytes for the same curves (extra `plot`).

Axes are normal deviates; ticks are probabilities in per cent. Nothing of the
machine gets into the file: no date, no random ids, text as paths.
"""

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tdtsql.errors import InvalidComparison, InvalidSetting
from tdtsql.report.charts import Curve, Point, det_ticks, deviate, reaches, straight

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: the colours of charts in the light theme (page.css), which colour-blind readers can distinguish, and line styles for
#: more runs
COLOURS = ("#0072b2", "#d55e00", "#008f68", "#b0568c", "#a97400", "#6a4fc8", "#4b4f58")
STYLES = ("-", "--", ":", "-.")
#: colour of marks that belong to no run
_NEUTRAL = "#4b4f58"

FORMATS = ("svg", "pdf")


def draw_det(curves: Sequence[Curve], *, title: str, form: str, looks: Mapping[str, int] | None = None) -> bytes:
    """Return a drawing of the curves as SVG or PDF.

    Raises:
        InvalidComparison: ``form`` is unknown, no run has a curve, or matplotlib
          is not installed.
    """
    if form not in FORMATS:
        raise InvalidSetting(f"invalid image format {form!r}, expected one of {', '.join(FORMATS)}.")
    with _fixed_style():
        figure = _figure(curves, title, looks or {})
        stream = io.BytesIO()
        metadata = (
            {"Date": None, "Creator": "tdtsql"}
            if form == "svg"
            else {"CreationDate": None, "ModDate": None, "Creator": "tdtsql", "Producer": "tdtsql"}
        )
        figure.savefig(stream, format=form, metadata=metadata)
    return stream.getvalue()


def det_figure(curves: Sequence[Curve], *, title: str, looks: Mapping[str, int] | None = None) -> "Figure":
    """Return a drawing of the curves as a figure of matplotlib.

    Raises:
        InvalidComparison: no run has a curve, or matplotlib is not installed.
    """
    with _fixed_style():
        return _figure(curves, title, looks or {})


def _new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure that a notebook shows without any setting of matplotlib."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            stream = io.BytesIO()
            self.savefig(stream, format="png", dpi=110)
            return stream.getvalue()

    return ShownFigure(figsize=(width, height), layout="constrained")


@contextmanager
def _fixed_style() -> Iterator[None]:
    """Make figures independent of the user's matplotlib settings."""
    try:
        import matplotlib
    except ImportError:
        raise InvalidComparison("drawings need matplotlib. Install it with `pip install tdtsql[plot]`.") from None
    fixed: dict[str, Any] = {
        "svg.hashsalt": "tdtsql",
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "pdf.compression": 6,
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "path.simplify": False,
        "axes.unicode_minus": True,
        "text.usetex": False,
    }
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(fixed)  # type: ignore[arg-type]
        yield


def _places(rates: Sequence[Point]) -> Iterator[tuple[float, ...]]:
    """Return the normal deviates of false alarms, and of misses."""
    return zip(*([min(max(deviate(rate), -6.0), 6.0) for rate in pair] for pair in rates), strict=True)


def _figure(curves: Sequence[Curve], title: str, looks: Mapping[str, int]) -> "Figure":
    """``looks``: run -> number of its colour; by position where it has none."""
    if not curves:
        raise InvalidComparison("no DET curve to plot. Score a run of a detection task first.")
    figure = _new_figure(5.6, 6.2)
    axes = figure.add_subplot()
    axes.set_box_aspect(1)
    said: dict[str, tuple[str, str]] = {}
    for index, curve in enumerate(curves):
        at = looks.get(curve.run, index)
        colour, style = COLOURS[at % len(COLOURS)], STYLES[at // len(COLOURS) % len(STYLES)]
        axes.plot(
            *_places(curve.points), color=colour, linestyle=style, linewidth=1.4, label=curve.run, gid=f"curve-{index}"
        )
        if curve.hull:
            axes.plot(
                *_places(straight(curve.hull, 40)), color=colour, linestyle=":", linewidth=1.0, gid=f"hull-{index}"
            )
        for point, marker, fill, what in (
            (curve.minimum, "^", "white", "minimum cost"),
            (curve.actual, "o", colour, "decisions"),
        ):
            if point is not None:
                said[what] = (marker, fill if fill == "white" else _NEUTRAL)
                axes.plot(*map(deviate, point), marker=marker, color=colour, markerfacecolor=fill, markersize=6)
    for axis, (low, high), name in zip(
        (axes.xaxis, axes.yaxis), reaches(curves), ("false-alarm probability, %", "miss probability, %"), strict=True
    ):
        gap = (24 if axis is axes.xaxis else 14) / 350 * (deviate(high) - deviate(low))  # of the points of a side
        ticks = det_ticks((low, high), deviate, gap)
        axis.set_ticks([deviate(p) for p in ticks], [f"{100 * p:g}" for p in ticks])
        (axes.set_xlim if axis is axes.xaxis else axes.set_ylim)(deviate(low), deviate(high))
        axis.set_label_text(name)
    axes.plot((-6, 6), (-6, 6), color=_NEUTRAL, linewidth=0.6, linestyle=(0, (6, 4)), gid="equal", label="equal rates")
    for what, (marker, fill) in said.items():
        axes.plot([], [], marker=marker, linestyle="", color=_NEUTRAL, markerfacecolor=fill, markersize=6, label=what)
    if any(curve.hull for curve in curves):
        axes.plot([], [], color=_NEUTRAL, linestyle=":", linewidth=1.0, label="convex hull")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_title(title)
    _legend(figure, axes)
    return figure


def bayes_figure(rows: Mapping[str, Sequence[tuple[float, float | None, float, float]]], *, title: str) -> "Figure":
    """Return a drawing of error rates over priors as a figure of matplotlib.

    Args:
        rows: by run, (log odds, actual, least, of deciding by the prior alone), the lowest prior first; actual may be
            None.

    Raises:
        InvalidComparison: no run has a curve, or matplotlib is not installed.
    """
    if not rows or not all(rows.values()):
        raise InvalidComparison("no Bayes-error plot: name runs of a detection task with targets and non-targets.")
    with _fixed_style():
        figure = _new_figure(6.0, 4.6)
        axes = figure.add_subplot()
        for index, (run, points) in enumerate(rows.items()):
            colour = COLOURS[index % len(COLOURS)]
            odds, actual, least, prior = zip(*points, strict=True)
            if index == 0:
                axes.plot(
                    odds, prior, color=_NEUTRAL, linestyle=":", linewidth=1.0, label="by the prior alone", gid="default"
                )
            axes.plot(
                odds, least, color=colour, linestyle="--", linewidth=1.2, label=f"{run}, least", gid=f"minimum-{index}"
            )
            if None not in actual:
                axes.plot(odds, actual, color=colour, linewidth=1.4, label=run, gid=f"actual-{index}")
        axes.set_xlim(min(odds), max(odds))
        axes.set_ylim(0, 0.5)
        axes.set_xticks([tick for tick in range(-20, 21, 2) if min(odds) <= tick <= max(odds)])
        axes.set_xlabel("log odds of a target")
        axes.set_ylabel("error rate")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_title(title)
        _legend(figure, axes)
        return figure


def histogram_figure(rows: Sequence[tuple[int, str | None, float, float, int]], *, title: str) -> "Figure":
    """Return a drawing of scores in bins as a figure of matplotlib: shares of each class, targets filled; of several
    values of an attribute a panel each.

    Args:
        rows: (1 for targets, value of an attribute or None, ends of the bin, trials), as the saved query
          score_histogram returns them; infinite scores are listed in the legend. A class without values is in every
          panel.

    Raises:
        InvalidComparison: the run has no score, or matplotlib is not installed.
    """
    series: dict[tuple[int, str | None], list[tuple[float, float, int]]] = {}
    for is_target, value, low, high, count in rows:
        series.setdefault((is_target, value), []).append((low, high, count))
    if not any(math.isfinite(low) for bins in series.values() for low, *_ in bins):
        raise InvalidComparison("no finite score to plot. Name a run of a condition with a key of trials.")
    values = sorted({value for _, value in series if value is not None})
    shared = [key for key in series if key[1] is None]
    panels = [[*shared, *(key for key in series if key[1] == value)] for value in values] or [shared]
    n_column = min(4, len(panels))
    n_row = -(-len(panels) // n_column)
    with _fixed_style():
        figure = _new_figure(6.0 if n_column == 1 else 2.4 * n_column, 4.2 if n_row == 1 else 1.9 * n_row)
        grid = figure.subplots(n_row, n_column, squeeze=False, sharex=True, sharey=True)
        for number, panel in enumerate(panels):
            axes = grid[number // n_column][number % n_column]
            for key in panel:
                _draw_bins(axes, key, series[key], COLOURS[0] if key[0] else COLOURS[1], with_label=len(panels) == 1)
            if len(panels) > 1:
                n_trial = sum(count for key in panel if key[1] is not None for *_, count in series[key])
                axes.set_title(f"{values[number]} ({n_trial:,})", fontsize=8)
        for empty in list(grid.flat)[len(panels) :]:
            empty.set_visible(False)
        for axes in grid[-1]:
            axes.set_xlabel("score")
        figure.supylabel("share of the trials", fontsize=9)
        figure.suptitle(title, fontsize=11)
        if len(panels) > 1:
            first = grid[0][0]
            for is_target in sorted({key[0] for key in series}, reverse=True):
                total = sum(count for key, bins in series.items() if key[0] == is_target for *_, count in bins)
                first.plot([], [], color=COLOURS[0 if is_target else 1], label=f"{_CLASS[is_target]} ({total:,})")
        _legend(figure, grid[0][0])
        return figure


_CLASS = {1: "target", 0: "non-target"}


def _draw_bins(
    axes: "Axes",
    key: tuple[int, str | None],
    bins: Sequence[tuple[float, float, int]],
    colour: str,
    *,
    with_label: bool,
) -> None:
    """Draw the shares of a class (of a value of an attribute) in bins."""
    is_target, value = key
    total = sum(count for *_, count in bins)
    lost = {
        "-": sum(count for low, _, count in bins if low == -math.inf),
        "": sum(count for low, _, count in bins if low == math.inf),
    }
    said = "".join(f", {count} at {sign}infinity" for sign, count in lost.items() if count)
    share = {low: count / total for low, _, count in bins if math.isfinite(low)}
    edges = sorted({end for low, high, _ in bins if math.isfinite(low) for end in (low, high)})
    shares = [share.get(low, 0.0) for low in edges[:-1]]  # bins without trials are left out
    label = f"{_CLASS[is_target]}{f', {value}' if value is not None else ''} ({total:,}{said})" if with_label else None
    if edges:
        axes.stairs(
            shares,
            edges,
            color=colour,
            fill=bool(is_target),
            alpha=0.5 if is_target else 1.0,
            linewidth=1.4,
            label=label,
            gid=f"scores-{'target' if is_target else 'nontarget'}{f'-{value}' if value is not None else ''}",
        )
    elif with_label:
        axes.plot([], [], color=colour, label=label)


def _legend(figure: "Figure", axes: "Axes") -> None:
    """Draw the legend below the axes, where it covers no data."""
    handles, labels = axes.get_legend_handles_labels()
    columns = max(1, min(len(labels), 4, 88 // max(map(len, labels), default=1)))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=8)
