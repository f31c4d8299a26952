"""The report of a store as a file: all of it, or nothing."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tdtsql.compare.settings import Method
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, InvalidSetting
from tdtsql.output_file import check_page, write_whole
from tdtsql.progress import Progress, silent
from tdtsql.report.charts import Curve, looks_of
from tdtsql.report.curves import curves_of, subsets_by, topic_drawing
from tdtsql.report.figure import det_figure, draw_det
from tdtsql.report.gather import gather
from tdtsql.report.page import Report, redact_for_team, render_page
from tdtsql.scoring.distribution import fit_missing_distributions
from tdtsql.store.definitions import foreign
from tdtsql.store.registry import check_name
from tdtsql.task import TASKS, usual_weighting, weighting_in_words
from tdtsql.version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: decisions of a run above which its score distributions are fitted on request only (``tdtsql score --distributions``)
LARGEST_FITTED = 3_000_000


def write_report(engine: Engine, path: Path, *, runs: Sequence[str] = (), **chosen: Any) -> int:
    """Write the HTML report of a store to ``path`` and return its size in bytes.

    Args:
        runs: those of one team: the page shows these, and the others without names.
        chosen: title, method, progress, draws and tell of `gathered`.

    Raises:
        InvalidComparison: there is no number to report, or the folder does not exist.
        UnknownName: no such run.
    """
    check_page(path)  # before the work, not after it
    for run in runs:
        check_name(engine, "run_id", run)
    report = gathered(engine, **chosen)
    return write_whole(path, render_page(redact_for_team(report, runs) if runs else report).encode())


def write_team_reports(engine: Engine, folder: Path, **chosen: Any) -> list[Path]:
    """Write an HTML report for every run into a folder, which is created if it does not exist: with the run, and the
    others without names; ``chosen`` as for `write_report`.

    Raises:
        InvalidComparison: there is no number to report, or the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidComparison(f"{folder}: cannot be made: {error.strerror}. Name another folder.") from None
    report = gathered(engine, **chosen)
    written = []
    for run in sorted({run["id"] for run in report.runs}):
        path = folder / f"{quote(run, safe=' ()+,-.=@_')}.html"  # a name may have what a file's name may not
        write_whole(path, render_page(redact_for_team(replace(report, title=f"{report.title}: {run}"), [run])).encode())
        written.append(path)
    return written


def gathered(
    engine: Engine,
    title: str | None = None,
    method: Method | None = None,
    progress: Progress = silent,
    draws: int | None = None,
    tell: Callable[[str], None] = lambda sentence: None,
) -> Report:
    """Return what a report shows of a store.

    Args:
        title: None: the name of the store's file.
        draws: of the intervals of scored trials in subsets; None: 200 where these are not too many
            (`tdtsql.report.trials.subsets.MOST_DRAWN`), 0: none.
        tell: called with a sentence for each part that is too large for the report; the report states it too.
    """
    name = Path(engine.path).name if engine.path != ":memory:" else "in memory"
    facts = [("tdtsql", __version__), ("DuckDB", engine.version), ("store", name)]
    facts += [("not verified", message) for message in foreign(engine)]
    title = title or f"Evaluation report: {Path(name).stem}"
    # fits are for the page alone: who makes a report changes nothing in the store, and not the head of its ledger
    with nullcontext() if engine.read_only else engine.transaction(keep=False):
        if not engine.read_only:
            fit_missing_distributions(engine, largest=LARGEST_FITTED)
        report = gather(engine, title=title, facts=facts, method=method, progress=progress, draws=draws)
    for sentences in report.left_out.values():
        for sentence in sentences:
            tell(sentence)
    return report


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


def _drawn(engine: Engine, runs: Sequence[str], asked: DetPlot) -> tuple[list[Curve], str]:
    """Return the requested curves, and a title.

    Raises:
        InvalidComparison: no such curve, or several conditions or profiles have one.
    """
    subsets = [asked.subset] if isinstance(asked.subset, str) else list(asked.subset)
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
    conditions = dict.fromkeys(where for where, *_ in fitting)
    if len(conditions) > 1 or len(fitting) > 1 and asked.condition is None:
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
    where, by, task = fitting[0]
    if asked.by is not None:
        if subsets != ["all"]:
            raise InvalidSetting(f"by {asked.by!r} and subset {subsets[0]!r} exclude each other. Name one of them.")
        known = subsets_by(engine, where)
        if asked.by not in known:
            raise InvalidComparison(
                f"condition {where} has no subsets by {asked.by!r}. Attributes: {', '.join(known) or 'none'}."
            )
        subsets = known[asked.by]
    weighting = asked.weighting or usual_weighting(task)
    curves = curves_of(
        engine,
        condition=where,
        profile=by,
        weighting=weighting,
        subsets=subsets,
        runs=runs,
        with_hull=asked.with_hull,
        may_lack=asked.by is not None,
    )
    if not asked.with_points:
        curves = [replace(curve, minimum=None, actual=None) for curve in curves]
    of = "" if subsets == ["all"] else f", {subsets[0]}" if len(subsets) == 1 else f", by {asked.by or 'subset'}"
    return curves, f"{where}, {by}, {weighting_in_words(weighting, task)}{of}"


def det_plot(engine: Engine, runs: Sequence[str], asked: DetPlot) -> "Figure":
    """Return DET curves as a figure.

    Raises:
        InvalidComparison: no such curve, or several conditions or profiles have one.
    """
    curves, title = _drawn(engine, runs, asked)
    return det_figure(curves, looks=run_looks(engine), title=title)


def write_hierarchy(
    engine: Engine, path: Path, *, run: str, topic: str, condition: str, profile: str, limit: int
) -> int:
    """Write the hierarchy around the best vertex of a topic as SVG; returns its size in bytes."""
    svg = topic_drawing(engine, run=run, topic=topic, condition=condition, profile=profile, limit=limit)
    return write_whole(path, svg.encode())


def write_det(engine: Engine, path: Path, runs: Sequence[str], asked: DetPlot) -> int:
    """Write DET curves as SVG or PDF, by the name of the file; returns its size in bytes."""
    curves, title = _drawn(engine, runs, asked)
    return write_whole(
        path, draw_det(curves, title=title, form=path.suffix.lstrip(".").lower(), looks=run_looks(engine))
    )


def run_looks(engine: Engine) -> dict[str, int]:
    """Return run -> number of its colour, the same in figures, report and web UI."""
    return looks_of(engine.column("select run_id from registry.run"))
