"""The report of a store as a file: all of it, or nothing."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from tdtsql.engine.duckdb import Engine
from tdtsql.compare.paired import Method
from tdtsql.errors import InvalidComparison
from tdtsql.output_file import check_place, write_whole
from tdtsql.progress import Progress
from tdtsql.report.curves import topic_drawing
from tdtsql.report.charts import Curve, looks_of
from tdtsql.report.drawing import det_figure, draw_det
from tdtsql.report.gather import gather
from tdtsql.report.page import Report, of_team, render_page
from tdtsql.scoring.curve.det_curve import hull
from tdtsql.scoring.distribution import fit_missing_distributions
from tdtsql.store.definitions import foreign
from tdtsql.store.registry import check_name
from tdtsql.version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: decisions of a run above which its score distributions are fitted on request only (``tdtsql score --distributions``)
LARGEST_FITTED = 3_000_000


def write_report(
    engine: Engine,
    path: Path,
    *,
    title: str | None = None,
    method: Method | None = None,
    progress: Progress | None = None,
    runs: Sequence[str] = (),
    draws: int | None = None,
    tell: Callable[[str], None] | None = None,
) -> int:
    """Write the HTML report of a store to ``path`` and return its size in bytes.

    Args:
        runs: those of one team: the page shows these, and the others without names.
        draws: of the intervals of scored trials in subsets; None: 200 where these are not too many
            (`tdtsql.report.trials.subsets.MOST_DRAWN`), 0: none.
        tell: told, a sentence each, what is not on the page because it is too large; the page says it too.

    Raises:
        InvalidComparison: there is no number to report, or the folder is not there.
        UnknownName: there is no such run.
    """
    check_place(path)  # before the work, not after it
    for run in runs:
        check_name(engine, "run_id", run)
    report = _gathered(engine, title, method, progress, draws, tell)
    return write_whole(path, render_page(of_team(report, runs) if runs else report).encode())


def write_team_reports(
    engine: Engine,
    folder: Path,
    *,
    title: str | None = None,
    method: Method | None = None,
    progress: Progress | None = None,
    draws: int | None = None,
    tell: Callable[[str], None] | None = None,
) -> list[Path]:
    """Write a page for every run into a folder, which is made where it is not there: the run, and the others without
    names.

    Raises:
        InvalidComparison: there is no number to report, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidComparison(f"{folder}: cannot be made: {error.strerror}. Name another folder.") from None
    report = _gathered(engine, title, method, progress, draws, tell)
    written = []
    for run in sorted({run["id"] for run in report.runs}):
        path = folder / f"{quote(run, safe=' ()+,-.=@_')}.html"  # a name may have what a file's name may not
        write_whole(path, render_page(of_team(replace(report, title=f"{report.title}: {run}"), [run])).encode())
        written.append(path)
    return written


def _gathered(
    engine: Engine,
    title: str | None,
    method: Method | None,
    progress: Progress | None,
    draws: int | None,
    tell: Callable[[str], None] | None,
) -> Report:
    name = Path(engine.path).name if engine.path != ":memory:" else "in memory"
    facts = [("tdtsql", __version__), ("DuckDB", engine.version), ("store", name)]
    facts += [("not verified", message) for message in foreign(engine)]
    # fits are for the page alone: who makes a report changes nothing in the store, and not the head of its ledger
    with nullcontext() if engine.read_only else engine.transaction(keep=False):
        if not engine.read_only:
            fit_missing_distributions(engine, largest=LARGEST_FITTED)
        report = gather(
            engine,
            title=title or f"Evaluation report: {Path(name).stem}",
            facts=facts,
            method=method,
            progress=progress,
            draws=draws,
        )
    if tell is not None:
        for sentence in [text for texts in report.left_out.values() for text in texts]:
            tell(sentence)
    return report


def det_curves(
    engine: Engine, *, condition: str, profile: str, weighting: str, subset: str = "all", runs: tuple[str, ...] = ()
) -> list[Curve]:
    """Return the kept DET curves of a condition's runs, with the point of least cost and the system's own.

    Raises:
        InvalidComparison: nothing is kept under these names.
    """
    where = [condition, profile, subset, weighting]
    points: dict[str, list[tuple]] = {}
    for run, *point in engine.rows(
        "select run_id, p_fa, p_miss from report.det_point where condition_id = ? and profile_id = ? and subset = ? "
        "and weighting = ? "
        "and block_id is null and p_fa is not null and p_miss is not null order by run_id, point_no",
        where,
    ):
        points.setdefault(run, []).append(tuple(point))
    marks: dict[str, dict[str, float | None]] = {}
    for run, metric, value in engine.rows(
        "select run_id, metric, value from report.score where condition_id = ? and profile_id = ? and subset = ? and "
        "weighting = ? "
        "and metric in ('p_fa', 'p_miss', 'min_p_fa', 'min_p_miss', 'act_p_fa', 'act_p_miss')",
        where,
    ):
        marks.setdefault(run, {})[metric] = value
    unknown = [run for run in runs if run not in points]
    if unknown or not points:
        what = f"run {unknown[0]!r} has no DET curve" if unknown else "there is no DET curve"
        raise InvalidComparison(
            f"{what} under {condition}, {profile}, {weighting}-weighted, subset {subset}. `tdtsql plot det` without "
            f"names draws all."
        )

    def mark(run: str, prefix: str) -> tuple[float, float] | None:
        p_fa, p_miss = (marks.get(run, {}).get(f"{prefix}{name}") for name in ("p_fa", "p_miss"))
        return None if p_fa is None or p_miss is None else (p_fa, p_miss)

    return [
        Curve(
            run,
            [point[0] for point in curve],
            [point[1] for point in curve],
            minimum=mark(run, "min_"),
            actual=mark(run, "") or mark(run, "act_"),
        )
        for run, curve in points.items()
        if not runs or run in runs
    ]


def det_plot(
    engine: Engine,
    runs: tuple[str, ...],
    *,
    condition: str | None,
    profile: str | None,
    weighting: str,
    subset: str,
    with_hull: bool = False,
) -> "Figure":
    """Return the kept DET curves of runs as a figure, with their convex hulls if asked; condition and profile may be
    left out where only one has them all.

    Raises:
        InvalidComparison: nothing is kept under these names, or several conditions or profiles have it.
    """
    places = engine.rows(
        "select condition_id, profile_id, list(distinct run_id) from report.det_point where weighting = ? and subset "
        "= ? and block_id is null "
        "group by all order by all",
        [weighting, subset],
    )
    fitting = [
        (where, by)
        for where, by, there in places
        if condition in (None, where) and profile in (None, by) and set(runs) <= set(there)
    ]
    if len(fitting) > 1:
        raise InvalidComparison(
            f"{len(fitting)} sets of curves have these runs: "
            f"{', '.join(f'{where} under {by}' for where, by in fitting[:8])}"
            f"{' ...' if len(fitting) > 8 else ''}. Name condition and profile."
        )
    where, by = fitting[0] if fitting else (condition or "any condition", profile or "any profile")
    curves = det_curves(engine, condition=where, profile=by, weighting=weighting, subset=subset, runs=runs)
    if with_hull:
        curves = [
            replace(
                curve,
                hull=hull(engine, curve.run, weighting=weighting, condition=where, profile=by, subset=subset)
                .project("p_fa, p_miss")
                .fetchall(),
            )
            for curve in curves
        ]
    return det_figure(
        curves,
        looks=run_looks(engine),
        title=f"{where}, {by}, {weighting}-weighted" + ("" if subset == "all" else f", {subset}"),
    )


def write_hierarchy(
    engine: Engine, path: Path, *, run: str, topic: str, condition: str, profile: str, limit: int
) -> int:
    """Write the hierarchy around the best vertex of a topic as SVG; returns its size in bytes."""
    svg = topic_drawing(engine, run=run, topic=topic, condition=condition, profile=profile, limit=limit)
    return write_whole(path, svg.encode())


def write_det(
    engine: Engine,
    path: Path,
    *,
    condition: str,
    profile: str,
    weighting: str,
    subset: str = "all",
    runs: tuple[str, ...] = (),
) -> int:
    """Write DET curves as SVG or PDF, by the name of the file; returns its size in bytes."""
    curves = det_curves(engine, condition=condition, profile=profile, weighting=weighting, subset=subset, runs=runs)
    title = f"{condition}, {profile}, {weighting}-weighted" + ("" if subset == "all" else f", {subset}")
    return write_whole(
        path, draw_det(curves, title=title, form=path.suffix.lstrip(".").lower(), looks=run_looks(engine))
    )


def run_looks(engine: Engine) -> dict[str, int]:
    """Return run -> number of its colour, the same in figures, report and web UI."""
    return looks_of(row[0] for row in engine.rows("select run_id from registry.run"))
