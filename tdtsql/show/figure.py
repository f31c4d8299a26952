"""Charts of saved queries as figures of matplotlib (extra `plot`): the same rows as the SVG of a page.

Files have the same bytes for the same rows: no date, no random ids, text as paths.
"""

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, UnknownName
from tdtsql.output_file import write_whole
from tdtsql.scoring.curve.det_curve import det_curve
from tdtsql.show.charts import DASHES, N_COLOUR, POINTS, Axis, Plot, Row, plots, tree
from tdtsql.show.section import ask, find
from tdtsql.task import TASKS, usual_weighting, weighting_in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: the colours of charts in the light theme (page.css), which colour-blind readers can distinguish
COLOURS = ("#0072b2", "#d55e00", "#008f68", "#b0568c", "#a97400", "#6a4fc8", "#4b4f58")
#: line styles of `charts.DASHES`, and of marks that have their own
_STYLES = ("-", "--", ":", "-.")
_MARK_STYLES = {"hull": ":", "least": "--", "prior": ":"}
#: colour of what belongs to no run
_NEUTRAL = "#4b4f58"
#: marks of points -> marker
_MARKERS = {"minimum": "^", "actual": "o"}
FORMATS = ("svg", "pdf")


def figure_of(
    rows: Iterable[Row], options: Mapping[str, str], looks: Mapping[str, int], title: str, empty: str
) -> "Figure":
    """Return rows of a saved query as a figure, a panel each of `charts.plots`.

    Args:
        looks: series -> number of its colour; by their order where they have none.
        empty: the message where there is nothing to draw.

    Raises:
        InvalidComparison: there is nothing to draw, or matplotlib is not installed.
    """
    panels = plots(rows, options, (760, 600))
    if not panels:
        raise InvalidComparison(empty)
    with _fixed_style():
        n_column = min(4, len(panels))
        n_row = -(-len(panels) // n_column)
        is_probit = options.get("scale") == "probit"
        size = (5.6, 6.2) if is_probit else (6.0, 4.6) if len(panels) == 1 else (2.4 * n_column, 1.9 * n_row)
        figure = _new_figure(*size)
        grid = figure.subplots(n_row, n_column, squeeze=False, sharex=len(panels) > 1, sharey=len(panels) > 1)
        for axes, (panel, plot) in zip(grid.flat, panels.items(), strict=False):
            _draw(axes, plot, looks, is_probit)
            if len(panels) > 1:
                axes.set_title(panel, fontsize=8)
        for spare in list(grid.flat)[len(panels) :]:
            spare.set_visible(False)
        for name, part in (("x", figure.supxlabel), ("y", figure.supylabel)):
            part(options.get(f"{name}_title", options[name]).replace("_", " "), fontsize=9)
        figure.suptitle(title, fontsize=11)
        handles, labels = grid[0][0].get_legend_handles_labels()
        columns = max(1, min(len(labels), 4, 88 // max(map(len, labels), default=1)))
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=8)
        return figure


def file_of(figure: "Figure", form: str) -> bytes:
    """Return a figure as SVG or PDF.

    Raises:
        InvalidSetting: another form.
    """
    if form not in FORMATS:
        raise InvalidSetting(f"invalid image format {form!r}, expected one of {', '.join(FORMATS)}.")
    metadata: dict[str, Any] = {"Creator": "tdtsql"}
    metadata |= {"Date": None} if form == "svg" else {"CreationDate": None, "ModDate": None, "Producer": "tdtsql"}
    with _fixed_style():
        stream = io.BytesIO()
        figure.savefig(stream, format=form, metadata=metadata)
    return stream.getvalue()


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


def _draw(axes: "Axes", plot: Plot, looks: Mapping[str, int], is_probit: bool) -> None:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in plot.rows:
        groups.setdefault((row["series"], row["mark"]), []).append(row)
    own = {series: looks.get(series, at) for at, series in enumerate(plot.series)}
    said = set()
    drawn = sorted(groups.items(), key=lambda group: group[0][1] in POINTS)  # curves, equal rates, points on them
    n_curve = sum(mark not in POINTS for _, mark in groups)
    for number, ((series, mark), rows) in enumerate(drawn):
        if is_probit and number == n_curve:
            _draw_equal_rates(axes)
        at = own.get(series, N_COLOUR - 1)
        colour = _NEUTRAL if mark in ("prior", "vertical") else COLOURS[at % N_COLOUR]
        style = _MARK_STYLES.get(mark, _STYLES[at % len(DASHES)])
        x, y = (
            [axis.scale(row[name]) for row in plot.placed(mark, rows)] for name, axis in (("x", plot.x), ("y", plot.y))
        )
        label = series if mark in ("line", "prior") else f"{series}, least" if mark == "least" else None
        gid = f"{'curve' if mark == 'line' else mark}-{plot.series.index(series) if series in own else series}"
        if mark == "area":
            edges = [*(row["x"] for row in rows), rows[-1]["until"]]
            is_target = series.startswith("target")
            axes.stairs(y, edges, color=colour, fill=is_target, alpha=0.5 if is_target else 1.0, label=series, gid=gid)
        elif mark in POINTS:
            marker, what = _MARKERS[mark], POINTS[mark]
            fill = "white" if mark == "minimum" else colour
            axes.plot(x, y, marker, color=colour, markerfacecolor=fill, markersize=6)
            if what not in said:
                said.add(what)
                axes.plot([], [], marker, color=_NEUTRAL, markerfacecolor=fill, markersize=6, label=what)
        else:
            axes.plot(
                x, y, color=colour, linestyle=style, linewidth=1.0 if mark == "hull" else 1.4, label=label, gid=gid
            )
    if any(mark == "hull" for _, mark in groups):
        axes.plot([], [], color=_NEUTRAL, linestyle=":", linewidth=1.0, label="convex hull")
    if is_probit:
        axes.set_box_aspect(1)
        if n_curve == len(groups):
            _draw_equal_rates(axes)
    for axis, of in ((axes.xaxis, plot.x), (axes.yaxis, plot.y)):
        _ticks(axes, axis, of, is_probit)
    axes.grid(color="#dddddd", linewidth=0.6)


def _draw_equal_rates(axes: "Axes") -> None:
    line: dict[str, Any] = {"color": _NEUTRAL, "linewidth": 0.6, "linestyle": (0, (6, 4))}
    axes.plot((-6, 6), (-6, 6), **line, gid="equal", label="equal rates")


def _ticks(axes: "Axes", axis: Any, of: Axis, is_probit: bool) -> None:
    ticks = of.apart(34 if axis is axes.xaxis else 20)
    axis.set_ticks([of.scale(tick) for tick in ticks], [f"{100 * tick if is_probit else tick:g}" for tick in ticks])
    (axes.set_xlim if axis is axes.xaxis else axes.set_ylim)(of.scale(of.low), of.scale(of.high))


# ---- DET curves


@dataclass(frozen=True)
class DetPlot:
    """What is drawn of DET curves; condition and profile may be left out where only one has the curves."""

    condition: str | None = None
    profile: str | None = None
    weighting: str | None = None  #: None: that of the task
    subset: str | Sequence[str] = "all"  #: one curve for each
    by: str | None = None  #: an attribute, whose values are the subsets
    with_hull: bool = False
    with_points: bool = True  #: the minimum cost and the system's own decisions


def det_plot(engine: Engine, runs: Sequence[str], asked: DetPlot) -> "Figure":
    """Return DET curves as a figure.

    Raises:
        InvalidComparison: no such curve, or several conditions or profiles have one.
    """
    where, by, task = _place(engine, runs, asked)
    subsets = [asked.subset] if isinstance(asked.subset, str) else list(asked.subset)
    if asked.by is not None:
        if subsets != ["all"]:
            raise InvalidSetting(f"by {asked.by!r} and subset {subsets[0]!r} exclude each other. Name one of them.")
        subsets = _subsets_by(engine, where, asked.by)
    weighting = asked.weighting or usual_weighting(task)
    rows = _det_rows(engine, runs, asked, subsets, where, by, weighting)
    words = weighting_in_words(weighting, task)
    present = {row["run"] for row in rows}
    lacking = next((run for run in runs if run not in present), None)
    of = "" if subsets == ["all"] else f", {subsets[0]}" if len(subsets) == 1 else f", by {asked.by or 'subset'}"
    what = f"run {lacking!r} has no DET curve" if lacking else "no DET curve"
    empty = f"{what} under {where}, {by}, {words}{of or ', subset all'}. `tdtsql plot det` without names draws all."
    if lacking:
        raise InvalidComparison(empty)
    known = engine.column("select distinct run_id from registry.run order by 1")
    looks = {run: at for at, run in enumerate(known)} if len(subsets) == 1 else {}
    return figure_of(rows, find("det_curves").show.options, looks, f"{where}, {by}, {words}{of}", empty)


def _det_rows(
    engine: Engine, runs: Sequence[str], asked: DetPlot, subsets: list[str], where: str, by: str, weighting: str
) -> list[dict[str, Any]]:
    """Return rows of the saved query ``det_curves``; curves of subsets that are not stored are computed here."""
    given = {"condition": where, "profile": by}
    found = ask(engine, find("det_curves"), given)
    records = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    there = engine.column(
        "select run_id from registry.run join registry.condition using (condition_no) where condition_id = ? "
        "order by run_id",
        [where],
    )
    chosen = [run for run in there if not runs or run in runs]
    hidden = {"band", "cost", *(() if asked.with_hull else ("hull",)), *(() if asked.with_points else POINTS)}
    rows = [
        row | {"run": row["series"]}
        for row in records
        if row["weighting"] == weighting
        and row["subset"] in subsets
        and row["series"] in chosen
        and row["mark"] not in hidden
    ]
    stored = {(row["series"], row["subset"]) for row in rows}
    for run in chosen:
        lacking = [subset for subset in subsets if (run, subset) not in stored and subset != "all"]
        if lacking:  # all in one pass
            made = det_curve(engine, run, weighting=weighting, condition=where, profile=by, subset=lacking)
            points = made.filter("p_fa is not null and p_miss is not null").project("subset, p_fa, p_miss")
            rows += [
                {
                    "run": run,
                    "series": run,
                    "subset": subset,
                    "mark": "line",
                    "p_fa": p_fa,
                    "p_miss": p_miss,
                    "until": None,
                }
                for subset, p_fa, p_miss in points.fetchall()
            ]
    for row in rows if len(subsets) > 1 else ():
        row["series"] = row["subset"] if len(chosen) == 1 else f"{row['run']}, {row['subset']}"
    order = {run: at for at, run in enumerate(runs or chosen)}
    return sorted(rows, key=lambda row: (subsets.index(row["subset"]), order[row["run"]]))


def _place(engine: Engine, runs: Sequence[str], asked: DetPlot) -> tuple[str, str, str]:
    """Return the condition, profile and task whose curves are meant."""
    rows = engine.rows(
        "select condition_id, profile_id, task, list(run_id order by run_id) from registry.run "
        "join registry.condition using (condition_no) join registry.condition_profile using (condition_no) "
        "join registry.profile using (profile_no) where list_contains(?, task) group by all "
        "order by condition_id, min(profile_no)",
        [[name for name, task in TASKS.items() if "detection" in task.families]],
    )
    fitting = [
        (where, by, task)
        for where, by, task, there in rows
        if asked.condition in (None, where) and asked.profile in (None, by) and set(runs) <= set(there)
    ]
    if len({where for where, *_ in fitting}) > 1 or len(fitting) > 1 and asked.condition is None:
        raise InvalidComparison(
            f"{len(fitting)} sets of curves have these runs: "
            f"{', '.join(f'{where} under {by}' for where, by, _ in fitting[:8])}"
            f"{' ...' if len(fitting) > 8 else ''}. Name condition and profile."
        )
    if not fitting:
        missing = next((run for run in runs if not any(run in there for *_, there in rows)), None)
        what = f"run {missing!r} has no DET curve" if missing else "no DET curve"
        raise InvalidComparison(
            f"{what} under {asked.condition or 'any condition'}, {asked.profile or 'any profile'}. `tdtsql plot det` "
            "without names draws all."
        )
    return fitting[0]


def _subsets_by(engine: Engine, condition: str, attribute: str) -> list[str]:
    known: dict[str, list[str]] = dict(
        engine.rows(
            "select split_part(subset, '=', 1) as attribute, list(subset order by subset_no) from base.subset join "
            "registry.condition using (condition_no) where condition_id = ? and contains(subset, '=') and not "
            "contains(subset, ',') group by attribute order by attribute",
            [condition],
        )
    )
    if attribute not in known:
        raise InvalidComparison(
            f"condition {condition} has no subsets by {attribute!r}. Attributes: {', '.join(known) or 'none'}."
        )
    return known[attribute]


def write_det(engine: Engine, path: Path, runs: Sequence[str], asked: DetPlot) -> int:
    """Write DET curves as SVG or PDF, by the name of the file; returns its size in bytes."""
    return write_whole(path, file_of(det_plot(engine, runs, asked), path.suffix.lstrip(".").lower()))


# ---- other charts


def bayes_figure(rows: Mapping[str, Sequence[tuple[float, float | None, float, float]]], *, title: str) -> "Figure":
    """Return a drawing of error rates over priors.

    Args:
        rows: by run, (log odds, actual, least, of deciding by the prior alone), the lowest prior first.

    Raises:
        InvalidComparison: no run has a curve, or matplotlib is not installed.
    """
    marks = (("line", 1), ("least", 2))
    made: list[dict[str, Any]] = [
        {"series": run, "mark": mark, "log_odds": row[0], "error": row[at]}
        for run, points in rows.items()
        for mark, at in marks
        for row in points
    ]
    for points in list(rows.values())[:1]:
        made += [{"series": "by default", "mark": "prior", "log_odds": row[0], "error": row[3]} for row in points]
    empty = "no Bayes-error plot: name runs of a detection task with targets and non-targets."
    return figure_of(made if all(rows.values()) else [], find("error_over_priors").show.options, {}, title, empty)


def histogram_figure(rows: Sequence[tuple[int, str | None, float, float, int]], *, title: str) -> "Figure":
    """Return a drawing of scores in bins: shares of each class, targets filled; a panel for each value of an attribute.

    Args:
        rows: (1 for targets, value of an attribute or None, ends of the bin, trials), as the saved query
          score_histogram returns them. A class without values is in every panel.

    Raises:
        InvalidComparison: the run has no finite score, or matplotlib is not installed.
    """
    values: list[str | None] = [*sorted({value for _, value, *_ in rows if value is not None})] or [None]
    classes = {1: _class_of("target", rows, 1), 0: _class_of("non-target", rows, 0)}
    made: list[Row] = []
    for panel in values:
        n_own = sum(n for _, value, *_, n in rows if value == panel)
        shown = "" if panel is None else f"{panel} ({n_own:,})"
        for is_target, series in classes.items():
            bins = sorted(ends for target, value, *ends in rows if target == is_target and value in (panel, None))
            total, end = sum(n for *_, n in bins), None
            for low, high, n in bins:
                if not math.isfinite(low):
                    continue
                if end is not None and low > end:  # bins without trials are left out
                    made.append(_bin(series, shown, end, low, 0.0))
                made.append(_bin(series, shown, low, high, n / total))
                end = high
    empty = "no finite score to plot. Name a run of a condition with a key of trials."
    options = find("score_shapes").show.options
    return figure_of(made, options, {series: 1 - is_target for is_target, series in classes.items()}, title, empty)


def _class_of(name: str, rows: Sequence[tuple[int, str | None, float, float, int]], is_target: int) -> str:
    """Return a class with its number of trials, and of those whose score is infinite."""
    counts = [(low, n) for target, _, low, _, n in rows if target == is_target]
    lost = {sign: sum(n for low, n in counts if low == end) for sign, end in (("-", -math.inf), ("", math.inf))}
    said = "".join(f", {n} at {sign}infinity" for sign, n in lost.items() if n)
    return f"{name} ({sum(n for _, n in counts):,}{said})"


def _bin(series: str, panel: str, low: float, high: float, share: float) -> Row:
    return {"series": series, "mark": "area", "value": panel, "score": low, "until": high, "share": share}


def write_hierarchy(
    engine: Engine, path: Path, *, run: str, topic: str, condition: str, profile: str, limit: int
) -> int:
    """Write the hierarchy around the best vertex of a topic as SVG; returns its size in bytes.

    Raises:
        UnknownName: no such run, topic or profile, or the topic has no best vertex.
    """
    query = find("best_vertex_tree")
    given = {"run": run, "topic": topic, "condition": condition, "profile": profile, "limit": limit}
    found = ask(engine, query, given)
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    if not rows:
        raise without_best(topic, run)
    return write_whole(path, tree(rows, query.show.options, {}).encode())


def without_best(topic: str, run: str) -> UnknownName:
    return UnknownName(f"topic '{topic}' has no best vertex of run '{run}': no story of the collection is on it.")
