"""Charts of saved queries as figures of matplotlib (extra `plot`): the shapes that a page draws as SVG.

Files have the same bytes for the same rows: no date, no random ids, text as paths.
"""

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting, Names, UnknownName, listed
from tdtsql.output_file import write_whole
from tdtsql.scoring.curve.det_curve import det_curve
from tdtsql.show.charts import DASHES, N_COLOUR, POINTS, Plot, Row, plots, tree
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
_NEUTRAL = COLOURS[-1]
#: marks of points -> marker
_MARKERS = {"minimum": "^", "actual": "o", "point": "o"}
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
    panels = plots(rows, {**options, "size": "760x600"})
    if not panels:
        raise InvalidComparison(empty)
    with _fixed_style():
        n_column = min(4, len(panels))
        n_row = -(-len(panels) // n_column)
        is_share = options.get("scale") == "probit"
        size = (5.6, 6.2) if is_share else (6.0, 4.6) if len(panels) == 1 else (2.4 * n_column, 1.9 * n_row)
        figure = _new_figure(*size)
        grid = figure.subplots(n_row, n_column, squeeze=False, sharex=len(panels) > 1, sharey=len(panels) > 1)
        for axes, (panel, plot) in zip(grid.flat, panels.items(), strict=False):
            _draw(axes, plot, looks)
            if len(panels) > 1:
                axes.set_title(panel, fontsize=8)
        for spare in list(grid.flat)[len(panels) :]:
            spare.set_visible(False)
        titles = [options.get(f"{name}_title", options.get(name, "")).replace("_", " ") for name in "xy"]
        for axes in grid[-1]:
            axes.set_xlabel(titles[0])
        for axes in grid[:, 0]:
            axes.set_ylabel(titles[1])
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


def _draw(axes: "Axes", plot: Plot, looks: Mapping[str, int]) -> None:
    own = {series: looks.get(series, at) for at, series in enumerate(plot.series)}
    for shape in plot.shapes():
        at = own.get(shape.series, N_COLOUR - 1)
        colour = _NEUTRAL if shape.mark in ("prior", "vertical", "cost") else COLOURS[at % N_COLOUR]
        x, y = [plot.x.scale(at) for at, _ in shape.points], [plot.y.scale(at) for _, at in shape.points]
        name = list(own).index(shape.series) if shape.series in own else shape.series
        gid = f"{'curve' if shape.mark == 'line' else shape.mark}-{name}"
        if shape.kind == "fill":
            is_solid = shape.mark != "area" or shape.series.startswith("target")
            label = shape.series if shape.mark == "area" else None
            axes.fill(x, y, fill=is_solid, color=colour, alpha=0.5 if is_solid else 1.0, label=label, gid=gid)
        elif shape.kind == "point":
            face = "white" if shape.mark == "minimum" else colour
            size = 6 if shape.mark in _MARKERS else 3
            axes.plot(x, y, _MARKERS.get(shape.mark, "o"), color=colour, markerfacecolor=face, markersize=size)
        else:
            style = _MARK_STYLES.get(shape.mark, _STYLES[at % len(DASHES)])
            label = {"least": f"{shape.series}, least", "line": shape.series, "prior": shape.series}.get(shape.mark)
            axes.plot(
                x,
                y,
                color=colour,
                linestyle=style,
                linewidth=1.0 if shape.mark == "hull" else 1.4,
                label=label,
                gid=gid,
            )
    line: dict[str, Any] = {"color": _NEUTRAL, "linewidth": 0.6}
    if plot.is_share:
        axes.plot((-6, 6), (-6, 6), linestyle=(0, (6, 4)), **line, gid="equal", label="equal rates")
        axes.set_box_aspect(1)
    for mark in plot.points:
        face = "white" if mark == "minimum" else _NEUTRAL
        axes.plot([], [], _MARKERS[mark], color=_NEUTRAL, markerfacecolor=face, markersize=6, label=POINTS[mark])
    if any(row["mark"] == "hull" for row in plot.rows):
        axes.plot([], [], linestyle=":", **line, label="convex hull")
    for axis, limits, of, gap in ((axes.xaxis, axes.set_xlim, plot.x, 34), (axes.yaxis, axes.set_ylim, plot.y, 20)):
        ticks = plot.ticks(of, gap)
        axis.set_ticks([of.scale(tick) for tick, _ in ticks], [text for _, text in ticks])
        limits(of.scale(of.low), of.scale(of.high))
    axes.grid(color="#dddddd", linewidth=0.6)


# ---- DET curves


def det_plot(
    engine: Engine,
    runs: Sequence[str],
    *,
    condition: str | None = None,
    profile: str | None = None,
    weighting: str | None = None,
    subset: Names = None,
    by: str | None = None,
    hull: bool = False,
    points: bool = True,
) -> "Figure":
    """Return DET curves as a figure.

    Args:
        condition, profile: may be left out where only one has the curves.
        weighting: None: that of the task.
        subset: one curve for each; none: all.
        by: an attribute, whose values are the subsets.
        hull: the convex hulls too.
        points: the minimum cost and the system's own decisions.

    Raises:
        InvalidComparison: no such curve, or several conditions or profiles have one.
    """
    condition, profile, task = _place(engine, runs, condition, profile)
    subsets = listed(subset) or ["all"]
    if by is not None:
        if subsets != ["all"]:
            raise InvalidSetting(f"by {by!r} and subset {subsets[0]!r} exclude each other. Name one of them.")
        subsets = _subsets_by(engine, condition, by)
    weighting = weighting or usual_weighting(task)
    of = "" if subsets == ["all"] else f", {subsets[0]}" if len(subsets) == 1 else f", by {by or 'subset'}"
    title = f"{condition}, {profile}, {weighting_in_words(weighting, task)}"
    marks = {"line", *(["hull"] if hull else []), *(POINTS if points else ())}
    rows = [row for row in _det_rows(engine, runs, condition, profile, weighting, subsets) if row["mark"] in marks]
    lacking = next((run for run in runs if run not in {row["run"] for row in rows}), None)
    what = f"run {lacking!r} has no DET curve" if lacking else "no DET curve"
    empty = f"{what} under {title}{of or ', subset all'}. `tdtsql plot det` without names draws all."
    if lacking:
        raise InvalidComparison(empty)
    known = engine.column("select distinct run_id from registry.run order by 1")
    looks = {run: at for at, run in enumerate(known)} if len(subsets) == 1 else {}
    return figure_of(rows, find("det_curves").show.options, looks, title + of, empty)


def _det_rows(
    engine: Engine, runs: Sequence[str], condition: str, profile: str, weighting: str, subsets: list[str]
) -> list[dict[str, Any]]:
    """Return rows of the saved query ``det_curves``; curves of subsets that are not stored are computed here."""
    chosen = engine.column(
        "select run_id from registry.run join registry.condition using (condition_no) where condition_id = $condition "
        "and (len($runs) = 0 or list_contains($runs, run_id)) order by list_position($runs, run_id), run_id",
        {"condition": condition, "runs": list(runs)},
    )
    given = {"condition": condition, "profile": profile, "weighting": weighting}
    stored = ask(engine, find("det_curves"), given).project("subset, series as run, mark, p_fa, p_miss, until")
    found = [row for row in stored.fetchall() if row[0] in subsets and row[1] in chosen]
    for run in chosen:
        there = {"all", *(subset for subset, of, *_ in found if of == run)}
        if lacking := [subset for subset in subsets if subset not in there]:  # all in one pass
            made = det_curve(engine, run, weighting=weighting, condition=condition, profile=profile, subset=lacking)
            curve = made.filter("p_fa is not null and p_miss is not null")
            found += curve.project("subset, run_id as run, 'line' as mark, p_fa, p_miss, null as until").fetchall()
    rows = [dict(zip(stored.columns, row, strict=True)) for row in found]
    for row in rows:
        of_run = row["subset"] if len(chosen) == 1 else f"{row['run']}, {row['subset']}"
        row["series"] = row["run"] if len(subsets) == 1 else of_run
    return sorted(rows, key=lambda row: (subsets.index(row["subset"]), chosen.index(row["run"])))


def _place(engine: Engine, runs: Sequence[str], condition: str | None, profile: str | None) -> tuple[str, str, str]:
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
        if condition in (None, where) and profile in (None, by) and set(runs) <= set(there)
    ]
    if len({where for where, *_ in fitting}) > 1 or len(fitting) > 1 and condition is None:
        raise InvalidComparison(
            f"{len(fitting)} sets of curves have these runs: "
            f"{', '.join(f'{where} under {by}' for where, by, _ in fitting[:8])}"
            f"{' ...' if len(fitting) > 8 else ''}. Name condition and profile."
        )
    if not fitting:
        missing = next((run for run in runs if not any(run in there for *_, there in rows)), None)
        what = f"run {missing!r} has no DET curve" if missing else "no DET curve"
        raise InvalidComparison(
            f"{what} under {condition or 'any condition'}, {profile or 'any profile'}. `tdtsql plot det` without names "
            "draws all."
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


# ---- other charts


def bayes_figure(rows: Mapping[str, Sequence[tuple[float, float | None, float, float]]], *, title: str) -> "Figure":
    """Return a drawing of error rates over priors.

    Args:
        rows: by run, (log odds, actual, least, of deciding by the prior alone), the lowest prior first.

    Raises:
        InvalidComparison: no run has a curve, or matplotlib is not installed.
    """
    marks = [(run, mark, at) for run in rows for at, mark in enumerate(("line", "least"), 1)]
    marks += [("by default", "prior", 3)]
    made = [
        {"series": series, "mark": mark, "log_odds": row[0], "error": row[at]}
        for series, mark, at in marks
        for row in rows.get(series, next(iter(rows.values()), ()))
    ]
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
    made: list[Row] = []
    for value in values:
        panel = "" if value is None else f"{value} ({sum(n for _, of, *_, n in rows if of == value):,})"
        for is_target, name in ((1, "target"), (0, "non-target")):
            bins = sorted(ends for target, of, *ends in rows if target == is_target and of in (value, None))
            total, series = sum(n for *_, n in bins), _class_of(name, rows, is_target)
            made += [
                {"series": series, "mark": "area", "value": panel, "score": low, "until": high, "share": n / total}
                for low, high, n in bins
                if math.isfinite(low)
            ]
    empty = "no finite score to plot. Name a run of a condition with a key of trials."
    return figure_of(made, find("score_shapes").show.options, {}, title, empty)


def _class_of(name: str, rows: Sequence[tuple[int, str | None, float, float, int]], is_target: int) -> str:
    """Return a class with its number of trials, and of those whose score is infinite."""
    counts = [(low, n) for target, _, low, _, n in rows if target == is_target]
    lost = {sign: sum(n for low, n in counts if low == float(f"{sign}inf")) for sign in ("-", "")}
    infinite = "".join(f", {n} at {sign}infinity" for sign, n in lost.items() if n)
    return f"{name} ({sum(n for _, n in counts):,}{infinite})"


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
