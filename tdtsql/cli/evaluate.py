"""Load bundles, and print numbers of runs: `tdtsql evaluate`, `corpus add`, `score`, `report`."""

import dataclasses
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from tdtsql.cli.options import NEW_FILE, OLD_FILE, StoreOption
from tdtsql.cli.output import Printed, print_problems, signatures_are_wanted
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import Names, counted, listed
from tdtsql.output_file import check_page, folder_beside
from tdtsql.progress import Progress
from tdtsql.show.table import PEOPLE, Table
from tdtsql.task import WEIGHTINGS

if TYPE_CHECKING:
    from tdtsql.api import Store

#: what people look for first in rows of scores, and what a narrow terminal shows in any case
LONG = "run_id subset metric weighting value n condition_id profile_id task version".split()
TOPIC = "run_id block_id subset metric value condition_id profile_id task version".split()


# ---- loading


@contextmanager
def store_to_fill(db: str, *, trace: bool) -> "Iterator[Store]":
    """Open a store, or create it if it does not exist; a new store without data is removed when the command
    fails.

    Raises:
        TdtsqlError: as ``connect``, and errors raised inside.
    """
    from tdtsql.api import connect

    is_new = db != ":memory:" and not Path(db).exists()
    is_empty = False
    try:
        with connect(db, create=True, trace=trace) as store:
            try:
                yield store
            except BaseException:
                with suppress(Exception):  # a store that cannot be queried stays
                    is_empty = is_new and not store.engine.value("select count(*) from registry.corpus")
                raise
    finally:
        if is_empty:
            for name in (db, f"{db}.wal"):  # a full disk leaves its log
                Path(name).unlink(missing_ok=True)


def evaluate(
    opened: StoreOption,
    format_: str,
    progress: Progress,
    bundle: Annotated[Path, OLD_FILE],
    *,
    check: bool = False,
    report: Annotated[Path | None, NEW_FILE] = None,
) -> Iterator[Any]:
    """Load everything BUNDLE names, print the scores (runs x metrics, as `tdtsql score` does).

    Every file is read; what has the content that is stored is not stored or scored again. Problems are
    printed on stderr. With an error in any file nothing is stored and the exit code is 1. As a table, the
    main numbers of each run are printed; in the other formats all of report.score.

    Args:
        check: Read and report every problem; store nothing.
        report: Write the HTML report as well.
    """
    from tdtsql.load.bundle import evaluate_into

    if report is not None and not check:
        check_page(report)
    with store_to_fill(":memory:" if check else opened.path, trace=opened.trace) as store:
        done = evaluate_into(store.engine, bundle, progress=progress, score=not check)
        print_problems(done.warnings)
        yield from done.notes
        if check:
            n_warning = sum(problem.n for problem in done.warnings)
            said = f"{bundle}: {counted(len(done.loaded), 'part')} read, {counted(n_warning, 'warning')}, no errors."
            if format_ == "table":
                yield Printed(said)
                return
            rows = [dataclasses.astuple(warning)[:7] for warning in done.warnings]
            yield Table("code path line column message value advice".split(), rows)
            yield said
            return
        if not store.engine.value("select count(*) from registry.run"):
            yield "No run is loaded yet: `tdtsql run add FILE --id NAME --condition CONDITION`."
        else:
            yield store.score().pivot() if format_ in PEOPLE else store.score()
        if report is not None:
            size = store.report(report, progress=progress)
            yield f"Wrote {report} ({size / 1e6:.1f} MB)."
        if opened.path != ":memory:" and format_ == "table":
            yield (
                f"Scored {counted(done.n_scored, 'run')}. Print all scores with `tdtsql score --long --db "
                f"{store.path}`."
            )


def add_corpus(opened: StoreOption, bundle: Annotated[Path, OLD_FILE]) -> Iterator[Any]:
    """Load the corpus and the conditions of BUNDLE, without its runs."""
    from tdtsql.load.bundle import evaluate_into

    with store_to_fill(opened.path, trace=opened.trace) as store:
        report = evaluate_into(store.engine, bundle, with_runs=False)
        print_problems(report.warnings)
        yield from (f"{report.replaced.get(owner, f'{owner} is loaded')}." for owner in report.loaded)


#: bundled examples -> their folder in the installed package, and in fixtures/ of a checkout
EXAMPLES = {"evaluation": "example", "bagga": "bagga", "figure-a1": "figure_a1"}


def example(folder: Path, *, of: Annotated[str, click.Choice(tuple(EXAMPLES))] = "evaluation") -> Iterator[str]:
    """Write a bundled example into FOLDER; `tdtsql evaluate FOLDER/bundle.toml` evaluates it.

    Args:
        of: an evaluation of the TDT tasks and their relatives; the worked examples of Bagga's paper on the tracking
            evaluation; or the hierarchy of figures A1 and B1 of the 2004 evaluation plan.
    """
    if folder.exists():
        raise click.UsageError(f"{folder} already exists. Name a new folder.")
    package = Path(__file__).resolve().parent.parent
    inside = package / EXAMPLES[of]  # of the installed package, or of the checkout
    with folder_beside(folder) as unfinished:
        shutil.copytree(
            inside if inside.is_dir() else package.parent / "fixtures" / EXAMPLES[of], unfinished, dirs_exist_ok=True
        )
    yield f"{folder}/bundle.toml is ready."


# ---- numbers


def score(
    store: "Store",
    format_: str,
    progress: Progress,
    run: Names = None,
    *,
    metric: Names = None,
    subset: Names = None,
    profile: Names = None,
    condition: Names = None,
    weighting: Annotated[Names, click.Choice(WEIGHTINGS)] = None,
    wide: bool = False,
    long: bool = False,
    percent: bool = False,
    interval: bool = False,
    unit: str | None = None,
    per_topic: bool = False,
    curve: bool = False,
    all_points: bool = False,
    distributions: bool = False,
    blind: bool = False,
) -> Iterator[Any]:
    """Print a table of RUN... (default: all runs) x metrics per condition and profile; first compute what is missing.

    Without options: the summary metrics of the task, subset all, the primary weighting; the best value is bold. --long
    prints the stored rows, with every subset and weighting. Metrics are found by their usual names (minDCF, EER,
    T11F). Some are computed on request only: --metric eer for tracking, new event, link and filtering, --metric
    b3_ext_f1 for runs with more than 10^8 pairs of stories.

    Args:
        metric: Only this metric, by id or usual name; repeatable.
        subset: Only this subset, e.g. all or language=ENGLISH, or a product codec=C01,gender=female; repeatable.
        profile: Only this scoring profile; repeatable.
        condition: Only this condition; repeatable.
        weighting: Only this weighting; repeatable. Of items: topic is the mean over items, topic_all over all items
            (missing ones count as 0), story over samples.
        wide: Runs x metrics: the default of table, markdown and latex.
        long: Rows as stored: the default of csv, tsv and json.
        percent: Runs x metrics: rates and costs times 100.
        interval: Runs x metrics: 95 % bootstrap intervals of the values.
        unit: With --interval: what is resampled of scored trials (an attribute, enroll_id; A,B: both sides)
            or of items (item, cluster, an attribute).
        per_topic: Numbers of each topic (event, block) instead of the run's; with --wide topics x metrics.
        curve: Points of the DET curve instead; needs one RUN.
        all_points: With --curve: a point for every distinct score.
        distributions: Fitted score distributions and thresholds of each topic instead.
    """
    from tdtsql.audit.published import check_published
    from tdtsql.store.copy import blinded

    runs = list(run or ())
    if curve and len(runs) != 1:
        raise click.UsageError("--curve needs one RUN.")
    if wide and (long or curve) or (percent or interval) and (long or per_topic or curve):
        raise click.UsageError("--wide, --percent and --interval belong to the table of runs x metrics.")
    if unit is not None and not interval:
        raise click.UsageError("--unit belongs to --interval.")
    is_wide = wide or not (long or per_topic) and (percent or interval or format_ in PEOPLE)
    filters: dict[str, Any] = {"subset": subset, "profile": profile, "condition": condition, "weighting": weighting}
    check_published(store.engine, listed(condition))
    if blind:
        store.refresh()
    with blinded(store.engine) if blind else nullcontext(store.engine) as engine:
        store = type(store)(engine)
        if curve or distributions:
            first: dict[str, Any] = {name: next(iter(names)) for name, names in filters.items() if names}
            if curve:
                store.refresh(progress, runs=runs, condition=first.get("condition"))
                yield store.det_curve(runs[0], **{"weighting": None, **first}, all_points=all_points)
                return
            found = store.score_distributions(runs or None)
            for column in ("condition", "profile"):
                if column in first:
                    found = found.filter(f"{column}_id = {sql_literal(first[column])}")
            if store.engine.read_only:
                yield "The store is read-only: distributions that were not fitted before are missing."
            yield found
            return
        scores = store.score(run, metric=metric, per_topic=per_topic, progress=progress, **filters)
        if is_wide:
            yield scores.pivot(percent=percent, interval=interval, unit=unit)
        elif format_ in ("markdown", "latex") and not signatures_are_wanted():
            yield scores.tables()
        else:
            columns = TOPIC if per_topic else LONG
            if format_ in PEOPLE:
                scores.relation = scores.project(", ".join((*columns, "signature")))
            scores.keep = columns[:5]
            yield scores
        for line in _missing(store, scores.chosen):
            yield line
            yield 1


def _missing(store: "Store", chosen: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield lines on numbers that are shown as they are stored, because the package of their task is not installed, or
    not at all, because they are computed on request and the store cannot be written to.
    """
    from tdtsql.scoring.score import missing
    from tdtsql.store.sets import missing_packages

    lines = missing_packages(store.engine, chosen["run_id"])
    yield from lines
    if lines or not store.engine.read_only:
        return
    names = [chosen[column] for column in ("run_id", "condition_id", "profile_id")]
    rows = [
        row[4:8]
        for row in missing(store.engine, chosen["metric"])
        if all(name in of or not of for name, of in zip(row[4:7], names, strict=True))
    ]
    if rows:
        yield (
            f"{len(rows)} of these numbers are computed on request, and the store cannot be written to now "
            "(another process has it open, or the file is read-only). Missing:"
        )
    for run, where, under, name in rows:
        yield f"    {name} of {run} in {where} under {under}"


def report(
    store: "Store",
    progress: Progress,
    out: Path | None = None,
    *,
    output: Path | None = None,
    title: str | None = None,
    permutations: int = 100_000,
    seed: int = 20040,
    resamples: Annotated[int | None, 0] = None,
    run: Names = None,
    blind: bool = False,
    each: bool = False,
    sections: Names = None,
) -> Iterator[str]:
    """Write leaderboards, curves, topics and comparisons as one self-contained HTML file; it needs no network.

    Args:
        output: File to write (default report.html).
        title: Headline of the report (default: the name of the bundle).
        permutations: Of the comparisons.
        resamples: Bootstrap resamples of the intervals of leaderboards; 0: no intervals (default 10,000 of topics,
            1,000 of scored trials, and 0 where trials times runs exceed 500,000).
        run: A report for one team: this run (repeatable), the others under pseudonyms.
        each: A report per run; OUT is their folder (default reports).
        sections: Folder with further saved queries, whose header says `pages: report N`; repeatable.
    """
    path = output or out or Path("reports" if each else "report.html")
    chosen: dict[str, Any] = {"title": title, "permutations": permutations, "seed": seed, "resamples": resamples}
    written = store.report(path, **chosen, run=run, blind=blind, each=each, sections=sections, progress=progress)
    said = f"{counted(written, 'report')} to {path}, one per run" if each else f"{path} ({written / 1e6:.1f} MB)"
    yield f"Wrote {said}."
