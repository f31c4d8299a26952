"""Charts of saved queries in files: figures of matplotlib (extra `plot`) of the shapes that a page draws as SVG, and
trees; `tdtsql plot`.

Files have the same bytes for the same rows: no date, no random ids, text as paths.
"""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.errors import InvalidComparison, InvalidSetting, Names, UnknownName, listed
from tdtsql.output_file import Written, write_whole
from tdtsql.scoring.curve.det_curve import with_curves
from tdtsql.scoring.score import refresh
from tdtsql.scoring.subsets import make_product
from tdtsql.show.charts import MARKS, POINTS, Plot, Row, plots, tree
from tdtsql.show.section import as_records, find, records
from tdtsql.show.table import Table
from tdtsql.store.registry import check_name
from tdtsql.task import TASKS, usual_weighting, weighting_in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: the colours of charts in the light theme (page.css), which colour-blind readers can distinguish
COLOURS = dict(
    zip(
        ("c0", "c1", "c2", "c3", "c4", "c5", "c6", "ink", "soft", "warn"),
        "#0072b2 #d55e00 #008f68 #b0568c #a97400 #6a4fc8 #4b4f58 #1c2330 #5a6475 #8a4b00".split(),
        strict=True,
    )
)
#: class of a point or a line -> its style, class of a surface -> its opacity
_STYLES: dict[str, dict[str, Any]] = {
    "minimum": {"marker": "^", "markersize": 6, "markerfacecolor": "white"},
    "disc": {"marker": "o", "markersize": 6},
    "dot": {"marker": "o", "markersize": 3},
    "curve": {"linewidth": 1.4},
    "hull": {"linewidth": 1.0},
    "iso": {"linewidth": 0.6},
}
_OPACITY = {"area": 0.18, "band": 0.13, "bar": 0.5}
#: marks that a legend names
_NAMED = ("line", "least", "prior", "area")
#: settings of matplotlib, whatever the user's are
_STYLE: dict[str, Any] = {
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
#: what a file says of itself, by its format
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Creator": "tdtsql", "Date": None},
    "pdf": {"Creator": "tdtsql", "CreationDate": None, "ModDate": None, "Producer": "tdtsql"},
}


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
    drawn = plots(rows, {**options, "size": "760x600"}, looks)
    if not drawn:
        raise InvalidComparison(empty)
    with _fixed_style():
        is_several, n_column = len(drawn) > 1, min(4, len(drawn))
        n_row = -(-len(drawn) // n_column)
        size = (5.6, 6.2) if drawn[0].is_share else (2.4 * n_column, 1.9 * n_row) if is_several else (6.0, 4.6)
        figure = _new_figure(*size)
        grid = figure.subplots(n_row, n_column, squeeze=False, sharex=is_several, sharey=is_several)
        for axes, plot in zip_longest(grid.flat, drawn):
            if plot:
                _draw(axes, plot)
            else:
                axes.set_visible(False)
        for axes in grid[-1]:
            axes.set_xlabel(drawn[0].x.title)
        for axes in grid[:, 0]:
            axes.set_ylabel(drawn[0].y.title)
        figure.suptitle(title, fontsize=11)
        handles, labels = grid[0][0].get_legend_handles_labels()
        columns = max(1, min(len(labels), 4, 88 // max(map(len, labels), default=1)))
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=8)
        return figure


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
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)  # type: ignore[arg-type]
        yield


def _draw(axes: "Axes", plot: Plot) -> None:
    numbers = {series: at for at, series in enumerate(plot.series)}
    neutral: dict[str, Any] = {"color": COLOURS["c6"]}
    for shape in chain.from_iterable(plot.shapes().values()):
        series, mark, (name, dashes) = shape.row["series"], shape.row["mark"], shape.look
        x, y = [plot.x.scale(x) for x, _ in shape.points], [plot.y.scale(y) for _, y in shape.points]
        style: dict[str, Any] = {"color": COLOURS[name], "linestyle": "", **_STYLES.get(shape.css, {})}
        if shape.kind != "point":
            style["gid"] = f"{'curve' if mark == 'line' else mark}-{numbers.get(series, series)}"
            style["linestyle"] = (0, [float(n) / 2 for n in dashes.split()]) if dashes else "-"
        if mark in _NAMED:
            style["label"] = shape.title
        if shape.kind == "fill":
            axes.fill(x, y, **style, facecolor=(COLOURS[name], _OPACITY[shape.css]))
        else:
            axes.plot(x, y, **style)
    if plot.is_share:
        axes.plot((-6, 6), (-6, 6), linestyle=(0, (6, 4)), gid="equal", label="equal rates", linewidth=0.6, **neutral)
        axes.set_box_aspect(1)
    for mark in plot.points:
        axes.plot([], [], linestyle="", label=POINTS[mark], **neutral, **_STYLES[MARKS[mark][1]])
    if any(row["mark"] == "hull" for row in plot.rows):
        axes.plot([], [], linestyle=":", label="convex hull", linewidth=0.6, **neutral)
    for name, axis, gap in (("x", plot.x, 34), ("y", plot.y, 20)):
        ticks, ends = axis.ticks(gap), [axis.scale(end) for end in (axis.low, axis.high)]
        places, ends = list(map(axis.scale, ticks)), ends[:: -1 if axis.is_named else 1]
        axes.set(**{f"{name}ticks": places, f"{name}ticklabels": list(ticks.values()), f"{name}lim": ends})
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_title(plot.panel, fontsize=8)


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
    """Return DET curves as a figure: rows of the saved query ``det_curves``; curves of subsets, which are not stored,
    are computed here.

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
    subsets = [make_product(engine, name, condition) for name in listed(subset)] or ["all"]
    if any("," in name for name in subsets) and not engine.read_only:
        refresh(engine)
    if by is not None:
        if subsets != ["all"]:
            raise InvalidSetting(f"by {by!r} and subset {subsets[0]!r} exclude each other. Name one of them.")
        subsets = _subsets_by(engine, condition, by)
    query, weighting = find("det_curves"), weighting or usual_weighting(task)
    body = with_curves(engine, query.body, condition=condition, runs=runs, subsets=subsets)
    found = engine.relation(body, query.values({"condition": condition, "profile": profile, "weighting": weighting}))
    marks = {"line", *(["hull"] if hull else []), *(POINTS if points else ())}
    rows = [row for row in as_records(found) if row["mark"] in marks and row["subset"] in subsets]
    known = engine.column("select distinct run_id from registry.run order by 1")
    chosen = list(runs) or known
    rows = [row for row in rows if row["series"] in chosen]
    rows.sort(key=lambda row: (subsets.index(row["subset"]), chosen.index(row["series"])))
    of = "" if subsets == ["all"] else f", {subsets[0]}" if len(subsets) == 1 else f", by {by or 'subset'}"
    title = f"{condition}, {profile}, {weighting_in_words(weighting, task)}"
    lacking = next((run for run in runs if run not in {row["series"] for row in rows}), None)
    empty = _no_curve(lacking, f"{title}{of or ', subset all'}")
    if lacking:
        raise InvalidComparison(empty)
    looks = {run: at for at, run in enumerate(known)}
    if len(subsets) > 1:
        looks = {}
        for row in rows:
            row["series"] = row["subset"] if len({*chosen}) == 1 else f"{row['series']}, {row['subset']}"
    return figure_of(rows, query.show.options, looks, title + of, empty)


def _no_curve(run: str | None, where: str) -> str:
    what = f"run {run!r} has no DET curve" if run else "no DET curve"
    return f"{what} under {where}. `tdtsql plot det` without names draws all."


def _place(engine: Engine, runs: Sequence[str], condition: str | None, profile: str | None) -> tuple[str, str, str]:
    """Return the condition, profile and task whose curves are meant."""
    rows = engine.rows(
        "select condition_id, profile_id, task, list(run_id) from registry.run "
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
        raise InvalidComparison(_no_curve(missing, f"{condition or 'any condition'}, {profile or 'any profile'}"))
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
    made = [
        {"series": "by default" if mark == "prior" else run, "mark": mark, "log_odds": log_odds, "error": error}
        for at, mark in enumerate(("line", "least", "prior"))
        for run, of in list(rows.items())[: 1 if mark == "prior" else None]
        for log_odds, *errors in of
        for error in errors[at : at + 1]
    ]
    empty = "no Bayes-error plot: name runs of a detection task with targets and non-targets."
    return figure_of(made if all(rows.values()) else [], find("error_over_priors").show.options, {}, title, empty)


def histogram_figure(answer: Relation, *, title: str) -> "Figure":
    """Return a drawing of scores in bins: shares of each class; a panel for each value of an attribute.

    Args:
        answer: of the saved query score_histogram.

    Raises:
        InvalidComparison: the run has no finite score, or matplotlib is not installed.
    """
    empty = "no finite score to plot. Name a run of a condition with a key of trials."
    return figure_of(as_records(answer), find("score_histogram").show.options, {}, title, empty)


# ---- commands


def det(
    engine: Engine,
    run: Names = None,
    *,
    output: Path,
    condition: str,
    profile: str | None = None,
    weighting: Literal["topic", "story"] | None = None,
    subset: Names = None,
    by: str | None = None,
    hull: bool = False,
    points: bool = True,
) -> Written:
    """Draw the DET curves of RUN... (default: all runs) as SVG or PDF, bitwise reproducible; needs the extra `plot`.

    Args:
        output: File to write.
        condition: The condition whose curves are drawn.
        profile: The scoring profile (default: the condition's first).
        weighting: Mean over topics (default), or pooled over stories (default of scored trials).
        subset: A subset, e.g. language=ENGLISH (default: all); repeatable.
        by: A curve for each value of an attribute of the key, as codec.
        hull: The convex hull of each curve too.
        points: Mark the minimum cost and the system's own decisions.
    """
    chosen: dict[str, Any] = {"condition": condition, "profile": profile, "weighting": weighting, "subset": subset}
    for column, names in (("run_id", run), ("condition_id", condition), ("profile_id", profile)):
        for name in listed(names):
            check_name(engine, column, name)
    figure = det_plot(engine, listed(run), **chosen, by=by, hull=hull, points=points)
    form, stream = output.suffix.lstrip(".").lower(), io.BytesIO()
    if form not in _METADATA:
        raise InvalidSetting(f"invalid image format {form!r}, expected one of {', '.join(_METADATA)}.")
    with _fixed_style():
        figure.savefig(stream, format=form, metadata=_METADATA[form])
    return Written(output, write_whole(output, stream.getvalue()))


def hierarchy(
    engine: Engine,
    run: str,
    topic: str,
    *,
    condition: str,
    profile: str = "tdt2004",
    output: Path,
    limit: Annotated[int, 1] = 30,
) -> Written:
    """Draw the hierarchy of RUN around the best vertex of TOPIC as an indented tree.

    Args:
        condition: The condition of the run.
        profile: The scoring profile.
        output: File to write.
        limit: Maximum number of vertices drawn.
    """
    given = {"run": run, "topic": topic, "condition": condition, "profile": profile, "limit": limit}
    rows = _of_vertex(engine, "best_vertex_tree", given)
    drawing = tree(rows, find("best_vertex_tree").show.options, {})
    return Written(output, write_whole(output, drawing.encode()))


def path(engine: Engine, run: str, topic: str, *, condition: str, profile: str = "tdt2004") -> Table:
    """Print the cheapest path of RUN from the root of its hierarchy to the best vertex of TOPIC.

    One row per vertex: its children, travel cost so far, number of parents (the path comes through the cheapest),
    stories in it and below, those on the topic, and its cost for the topic.

    Args:
        condition: The condition of the run.
        profile: The scoring profile.
    """
    given = {"run": run, "topic": topic, "condition": condition, "profile": profile}
    rows = _of_vertex(engine, "path_to_best_vertex", given)
    return Table(list(rows[0])[1:], [list(row.values())[1:] for row in rows])


def _of_vertex(engine: Engine, query: str, given: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return what a saved query says of a best vertex.

    Raises:
        UnknownName: no such run, topic or profile, or the topic has no best vertex.
    """
    found = records(engine, query, given)
    if not found:
        raise UnknownName(
            f"topic '{given['topic']}' has no best vertex of run '{given['run']}': no story of the collection is on it."
        )
    return found
