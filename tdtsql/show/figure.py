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

from tdtsql.compare.words import subsets_of
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.errors import InvalidComparison, InvalidSetting, Names, UnknownName, first_few, listed
from tdtsql.output_file import Written, write_whole
from tdtsql.scoring.curve.det_curve import with_curves
from tdtsql.scoring.score import refresh
from tdtsql.show.charts import COLOURS, MARKS, OPACITY, POINTS, SETTINGS, STYLES, Plot, Row, plots, tree
from tdtsql.show.page import PLACE, context_of
from tdtsql.show.section import ask, find, records
from tdtsql.store.registry import check_names
from tdtsql.task import usual_weighting, weighting_in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: marks that a legend names
_NAMED = ("line", "least", "prior", "area")
#: what a file says of itself, by its format
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Creator": "tdtsql", "Date": None},
    "pdf": {"Creator": "tdtsql", "CreationDate": None, "ModDate": None, "Producer": "tdtsql"},
}


def figure_of(rows: Iterable[Row], options: Mapping[str, str], looks: Mapping[str, int], title: str) -> "Figure":
    """Return rows of a saved query as a figure, a panel each of `charts.plots`.

    Args:
        looks: series -> number of its colour; by their order where they have none.

    Raises:
        InvalidComparison: there is nothing to draw, or matplotlib is not installed.
    """
    drawn = plots(rows, {**options, "size": "760x600"}, looks)
    if not drawn:
        raise InvalidComparison(
            f"there is nothing to draw{title and f' of {title}'}. Name runs that have such numbers."
        )
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
        matplotlib.rcParams.update(SETTINGS)
        yield


def _draw(axes: "Axes", plot: Plot) -> None:
    numbers = {series: at for at, series in enumerate(plot.series)}
    neutral: dict[str, Any] = {"color": COLOURS["c6"]}
    for shape in chain.from_iterable(plot.shapes().values()):
        series, mark, (name, dashes) = shape.row["series"], shape.row["mark"], shape.look
        x, y = [plot.x.scale(x) for x, _ in shape.points], [plot.y.scale(y) for _, y in shape.points]
        style: dict[str, Any] = {"color": COLOURS[name], "linestyle": "", **STYLES.get(shape.css, {})}
        if shape.kind != "point":
            style["gid"] = f"{'curve' if mark == 'line' else mark}-{numbers.get(series, series)}"
            style["linestyle"] = (0, [float(n) / 2 for n in dashes.split()]) if dashes else "-"
        if mark in _NAMED:
            style["label"] = shape.title
        if shape.kind == "fill":
            axes.fill(x, y, **style, facecolor=(COLOURS[name], OPACITY[shape.css]))
        else:
            axes.plot(x, y, **style)
    if plot.is_share:
        axes.plot((-6, 6), (-6, 6), linestyle=(0, (6, 4)), gid="equal", label="equal rates", linewidth=0.6, **neutral)
        axes.set_box_aspect(1)
    for mark in plot.points:
        axes.plot([], [], linestyle="", label=POINTS[mark], **neutral, **STYLES[MARKS[mark].css])
    if any(row["mark"] == "hull" for row in plot.rows):
        axes.plot([], [], linestyle=":", label="convex hull", linewidth=0.6, **neutral)
    for name, axis, gap in (("x", plot.x, 34), ("y", plot.y, 20)):
        ticks, ends = axis.ticks(gap), [axis.scale(end) for end in (axis.low, axis.high)]
        places, ends = list(map(axis.scale, ticks)), ends[:: -1 if axis.is_named else 1]
        axes.set(**{f"{name}ticks": places, f"{name}ticklabels": list(ticks.values()), f"{name}lim": ends})
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_title(plot.panel, fontsize=8)


# ---- methods of a store


def det_plot(
    engine: Engine,
    *run: str | Sequence[str],
    output: str | Path | None = None,
    condition: str | None = None,
    profile: str | None = None,
    weighting: Literal["topic", "story"] | None = None,
    subset: Names = "all",
    by: str | None = None,
    hull: bool = False,
    points: bool = True,
) -> "Figure | Written":
    """Draw the DET curves of RUN... (default: all runs) as SVG or PDF, bitwise reproducible; needs the extra
    `plot`.

    Args:
        output: File to write.
        condition: The condition whose curves are drawn.
        profile: The scoring profile (default: the condition's first).
        weighting: Mean over topics (default), or pooled over stories (default of scored trials).
        subset: A subset, e.g. language=ENGLISH (default: all); repeatable, one curve for each.
        by: A curve for each value of an attribute of the key, as codec.
        hull: The convex hull of each curve too, dotted.
        points: Mark the minimum cost (triangle) and the system's own decisions (disc).

    Returns:
        The figure, where no file is named: ``figure.savefig`` writes SVG, PDF or PNG. Condition and profile may be
        omitted if only one has curves of all these runs.

    Raises:
        InvalidComparison: no such curve, or several conditions or profiles have one.
    """
    form, runs = Path(output or "").suffix.lstrip(".").lower(), listed(*run)
    if output and form not in _METADATA:
        raise InvalidSetting(f"invalid image format {form!r}, expected one of {', '.join(_METADATA)}.")
    refresh(engine)
    check_names(engine, run_id=runs, condition_id=condition, profile_id=profile, subset=subset)
    given: dict[str, Any] = {"condition": condition, "profile": profile}
    places = engine.rows(read_statement("show/curve_places"), {**given, "runs": runs})
    if len({where for where, *_ in places}) > 1 or len(places) > 1 and condition is None:
        known = first_few([f"{where} under {by}" for where, by, _ in places], 8)
        raise InvalidComparison(f"{len(places)} sets of curves have these runs: {known}. Name condition and profile.")
    if not places:
        raise _no_curve(runs, f"{condition or 'any condition'}, {profile or 'any profile'}")
    condition, profile, task = places[0]
    subsets = listed(subset)
    if by is not None:
        if subsets != ["all"]:
            raise InvalidSetting(f"by {by!r} and subset {subsets[0]!r} exclude each other. Name one of them.")
        subsets = subsets_of(engine, condition, f"{by}=*")
    query, weighted = find("det_curves"), weighting or usual_weighting(task)
    curve = with_curves(engine, query.body, condition=condition, runs=runs, subsets=subsets)
    looks = context_of(engine).looks
    given = {"condition": condition, "profile": profile, "weighting": weighted}
    chosen = {"marks": ["line", *["hull"] * hull, *(POINTS if points else ())], "subsets": subsets}
    drawn = read_statement("show/det_plot").replace("from curve", f"from ({curve})")
    rows = engine.records(drawn, query.values(given) | chosen | {"runs": runs or list(looks)})
    of = "" if subsets == ["all"] else f", {subsets[0]}" if len(subsets) == 1 else f", by {by or 'subset'}"
    title = f"{condition}, {profile}, {weighting_in_words(weighted, task)}"
    if not rows or (lacking := [name for name in runs if name not in {row["run_id"] for row in rows}]):
        raise _no_curve(lacking if rows else runs, f"{title}{of or ', subset all'}")
    looks = looks if len(subsets) == 1 else {}
    figure, stream = figure_of(rows, query.show.options, looks, title + of), io.BytesIO()
    if not output:
        return figure
    with _fixed_style():
        figure.savefig(stream, format=form, metadata=_METADATA[form])
    return Written(Path(output), write_whole(Path(output), stream.getvalue()))


def _no_curve(runs: Sequence[str], where: str) -> InvalidComparison:
    of = f" of {first_few(runs)}" if runs else ""
    return InvalidComparison(f"no DET curve{of} under {where}. `tdtsql plot det` without names draws all.")


def plot(engine: Engine, /, question: str, **parameters: object) -> "Figure":
    """Return the chart of a saved query as a matplotlib figure; needs the extra ``plot``:
    ``store.plot("score_histogram", run="mine", attribute="attack")``.

    Args:
        question: a saved query that is drawn on axes, as ``error_over_priors``.
        parameters: by name, as `Store.ask` takes them.

    Raises:
        UnknownName: no such saved query, parameter, run, condition, ...
        InvalidComparison: there is nothing to draw, or of several conditions or profiles.
    """
    refresh(engine)
    query = find(question)
    if query.show.kind != "xy":
        raise InvalidComparison(
            f"{question} is a {query.show.kind}, not a chart on axes. `tdtsql ask` prints its rows."
        )
    rows = records(engine, question, parameters)
    places = list(dict.fromkeys(tuple(row[name] for name in (*PLACE, *query.show.by) if name in row) for row in rows))
    if len(places) > 1:
        known = first_few([", ".join(map(str, place)) for place in places], 8)
        raise InvalidComparison(f"{question} has a chart for each of {known}. Name one of them.")
    texts = [value for value in parameters.values() if isinstance(value, str)]
    title = ", ".join(dict.fromkeys([*texts, *(str(name) for place in places for name in place)]))
    return figure_of(rows, query.show.options, {}, title)


# ---- commands


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
    query = find("best_vertex_tree")
    given = {"run": run, "topic": topic, "condition": condition, "profile": profile, "limit": limit}
    rows = records(engine, query.name, given)
    if not rows:
        raise UnknownName(f"topic '{topic}' has no best vertex of run '{run}': no story of the collection is on it.")
    return Written(output, write_whole(output, tree(rows, query.show.options, {}).encode()))


def path(engine: Engine, run: str, topic: str, *, condition: str, profile: str = "tdt2004") -> Relation:
    """Print the cheapest path of RUN from the root of its hierarchy to the best vertex of TOPIC.

    One row per vertex: its children, travel cost so far, number of parents (the path comes through the cheapest),
    stories in it and below, those on the topic, and its cost for the topic.

    Args:
        condition: The condition of the run.
        profile: The scoring profile.
    """
    given = {"run": run, "topic": topic, "condition": condition, "profile": profile}
    return ask(engine, find("path_to_best_vertex"), given).project("* exclude (condition_id)")
