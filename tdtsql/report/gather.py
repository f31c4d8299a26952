"""From a store to the Report that the HTML report shows; reads only stored results that are up to date."""

import textwrap
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace

from tdtsql.compare.settings import Method
from tdtsql.engine.duckdb import Engine
from tdtsql.report.memoised_engine import MemoisedEngine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import InvalidComparison
from tdtsql.definitions.catalogue import catalog, closure, CURVES, published, Relation
from tdtsql.store.sets import broken_metrics, own_relations
from tdtsql.progress import Progress, silent
from tdtsql.report.clusters.cluster_map import cluster_map_of
from tdtsql.report.curves import (
    attribute_curves,
    curves_over_time,
    det_curves,
    drawings_of,
    effective_cost_of,
    histograms_of,
    trees_of,
)
from tdtsql.report.leaderboard import leaderboards
from tdtsql.report.page import Board, Report, Section
from tdtsql.report.sections import HANGING
from tdtsql.report.trials import subsets as subset_tables
from tdtsql.report.trials.priors import Priors, priors_of
from tdtsql.report.trials.scores import Scores, scores_of
from tdtsql.report.trials.subsets import (
    MOST_DRAWN,
    MOST_VALUES,
    SubsetGrid,
    attributes_of,
    default_draws,
    grid_of,
    trials_of_runs,
)
from tdtsql.task import PACKAGES, TASKS, Task, has_blocks, task_list_sql, usual_weighting
from tdtsql.tasks.declaration import SECTION_KEYS
from tdtsql.trials.subsets import Setting as Trials

#: metrics of single topics that the page shows, where the task has them
BLOCK_METRICS = """
    c_det_norm min_c_det_norm p_miss p_fa c_det_prel_norm precision recall f1 f_beta t11su tdt5su
    b3_f1 min_cost c_travel_norm h nelg latency_comprehensiveness comprehensiveness
    expected_latency ee n_target
""".split()


#: what the page reads of relations that it asks again for every board and run
READ_ONCE = {
    name: f"select * from {name}"
    for name in (
        "report.score",
        "report.block_label",
        "report.corpus_table",
        "report.p_rel_histogram",
        "report.common_threshold",
        "report.score_distribution",
        "metric.hierarchy_best__v1",
    )
} | {
    "report.det_point": "select * from report.det_point where block_id is null",
    "report.block_score": f"select * from report.block_score where subset = 'all' or task in "
    f"({task_list_sql(blocks='attribute')})",
}


#: rows of a section of a task that a page shows
MOST_ROWS = 1000


def sections_of(engine: Engine, task: str, condition: str, profile: str, run: str | None = None) -> Iterator[Section]:
    """Yield what a task shows in addition of a condition, or of one of its runs, where there is something."""
    package = PACKAGES.get(task)
    for title, view in package.sections.items() if package else ():
        others = [one.name for one in catalog()[view].header.columns if one.name not in SECTION_KEYS]
        given = f"from {view} where condition_id = ? and profile_id = ? and run_id = coalesce(?, run_id)"
        rows = engine.rows(
            f"select run_id, {sql_identifiers(others)}, count(*) over () {given} order by all limit {MOST_ROWS}",
            [condition, profile, run],
        )
        if rows:
            yield Section(title, view, ["run", *others], [row[:-1] for row in rows], rows[0][-1])


def gather(
    engine: Engine,
    *,
    title: str,
    facts: list[tuple[str, str]],
    method: Method | None = None,
    progress: Progress = silent,
    draws: int | None = None,
) -> Report:
    """Return what the page shows of a store.

    Args:
        engine: an open store.
        facts: for the foot of the page, such as versions.
        method: of the comparisons on the leaderboards.
        progress: called with (done, total, name of the step).
        draws: of the intervals of scored trials in subsets; 0: none; None:
            `tdtsql.report.trials.subsets.default_draws`.

    Raises:
        InvalidComparison: the store has no number that is up to date.
    """
    with MemoisedEngine(engine, READ_ONCE) as store:
        report = _gather(store, title, facts, method or Method(), progress, draws)
    too_many = _too_many(engine, report)
    _add_attribute_curves(engine, report, too_many)
    report.priors, report.left_out = _priors(engine, report, too_many), _left_out(engine, report, too_many, draws)
    return report


def _runs(store: Engine) -> tuple[list[dict], dict[tuple[str, str], int]]:
    """Return the runs (id, condition, system), and (condition, run) -> position."""
    runs = [
        {"id": run, "condition": condition, "system": system}
        for run, condition, system in store.rows(
            "select run.run_id, condition.condition_id, run.system from registry.run as run "
            "join registry.condition as condition on condition.condition_no = run.condition_no order by "
            "condition.condition_no, run.run_id"
        )
    ]
    return runs, {(run["condition"], run["id"]): index for index, run in enumerate(runs)}


def _gather(
    store: Engine, title: str, facts: list[tuple[str, str]], method: Method, progress: Progress, draws: int | None
) -> Report:
    runs, place = _runs(store)
    boards = _boards(store, place)
    number_of = {(board.condition, board.profile): index for index, board in enumerate(boards)}
    scores = _scores(store, place, number_of)
    if not scores["value"]:
        raise InvalidComparison(
            "the store has no number that is up to date, so there is nothing to report. `tdtsql score` computes what "
            "is missing."
        )

    named = [{"id": run["id"], "system": run["system"]} for run in runs]
    metrics = dict(store.rows("select metric, min(title) from registry.metric group by metric order by metric"))
    report = Report(title, facts, named, boards, [], metrics, {}, scores, [], [], CURVES[0])
    for index, board in enumerate(boards):
        progress(index, len(boards), f"reporting {board.condition}")
        report.blocks.append(_blocks(store, board, runs))
        is_trial = TASKS[board.task].is_by_trial
        curves = det_curves(store, board.condition, board.profile, with_hull=is_trial)
        drawn = _drawn_attributes(store, board.condition) if is_trial else ()
        report.det += [
            {"board": index, "run": place[board.condition, run], "subset": subset, "weighting": by, "curve": curve}
            for (run, subset, by), curve in curves.items()
            if not is_trial
            or (subset == "all" or subset.partition("=")[0] in drawn)
            and (report.blocks[-1]["blocks"] or by == usual_weighting(board.task))
        ]
        report.tau += curves_over_time(store, index, board, runs)
        report.hierarchies += trees_of(store, index, board, runs)
        report.drawings += drawings_of(store, index, board, runs)
        report.sections += [
            replace(found, board=index) for found in sections_of(store, board.task, board.condition, board.profile)
        ]
        if not is_trial:  # the topics of a key of trials are attributes: no corpus is behind them
            report.weights += filter(None, [effective_cost_of(store, index, board)])
    report.histograms = histograms_of(store, boards, runs)
    report.cluster_maps = _cluster_maps(store, boards, runs)
    report.grids, report.trial_scores = _grids(store, boards, method, draws), _trial_scores(store, boards, runs)
    progress(len(boards), len(boards), "writing the page")
    used = (
        set(scores["relation"])
        | ({CURVES[0]} if report.det else set())
        | {entry["relation"] for table in report.blocks for entry in table["metrics"].values()}
    )
    report.relations, report.problems = _relations(used, own_relations(store)), _problems(store)
    report.leaderboards = [
        (number_of[board.condition, board.profile], board)
        for board in leaderboards(store, method=method, intervals=True, most_trials=MOST_DRAWN)
        if (board.condition, board.profile) in number_of
    ]
    return report


def _runs_of(boards: list[Board], runs: list[dict], has: Callable[[Task], bool]) -> list[tuple[int, str, str]]:
    """Return position, condition and name of the runs of some tasks, once for all profiles."""
    chosen = dict.fromkeys(run for board in boards if has(TASKS[board.task]) for run in board.runs)
    return [(run, runs[run]["condition"], runs[run]["id"]) for run in chosen]


def _cluster_maps(store: Engine, boards: list[Board], runs: list[dict]) -> list[dict]:
    """Return run, title and cluster map of each run of clusters, once for all profiles."""
    found = []
    for run, condition, name in _runs_of(boards, runs, lambda task: task.is_clustering):
        flow = cluster_map_of(store, condition, name)
        if flow is not None:
            found.append({"run": run, "condition": condition, "title": f"{name} ({condition})", "flow": flow})
    return found


def _grids(store: Engine, boards: list[Board], method: Method, draws: int | None) -> list[tuple[int, SubsetGrid]]:
    """Return board and table of subsets x runs: the equal error rate and the primary metric of each board of scored
    trials.
    """
    found = []
    for index, board in enumerate(boards):
        if TASKS[board.task].is_by_trial:
            n_draw = default_draws(store, board.condition) if draws is None else draws
            for metric in dict.fromkeys(("eer", board.metric)):
                grid = grid_of(
                    store,
                    Trials(board.condition, board.profile, metric, "trial", method.level, n_draw, method.seed),
                    best=board.direction.get(metric, "none"),
                )
                if grid is not None and any(line.value is not None for line in grid.lines):
                    found.append((index, grid))
    return found


def _drawn_attributes(store: Engine, condition: str) -> list[str]:
    """Return the attributes of a key with few enough values for a page."""
    return [name for name, n_value in attributes_of(store, condition).items() if n_value <= MOST_VALUES]


def _trial_scores(store: Engine, boards: list[Board], runs: list[dict]) -> list[tuple[int, Scores]]:
    """Return run and scores, once for each run of scored trials and each attribute of its key (None: it has none);
    profiles have nothing to do with it.
    """
    found = []
    for run, condition, name in _runs_of(boards, runs, lambda task: task.is_by_trial):
        attributes: list[str | None] = [*_drawn_attributes(store, condition)]
        for attribute in attributes or [None]:
            scores = scores_of(store, condition, name, attribute)
            if scores is not None:
                found.append((run, scores))
    return found


def _add_attribute_curves(engine: Engine, report: Report, too_many: Container[str]) -> None:
    """Add the DET curves of the values of each attribute, under the first profile of the condition."""
    profiles = {board.condition: board.profile for board in reversed(report.boards)}
    for _, scores in report.trial_scores:
        if scores.attribute is not None and scores.condition not in too_many:
            scores.curves = attribute_curves(
                engine, scores.condition, profiles[scores.condition], scores.run, scores.attribute
            )


def _too_many(engine: Engine, report: Report) -> dict[str, int]:
    """Return the conditions of scored trials for which a page is too small: condition -> trials times runs."""
    sizes = {
        board.condition: trials_of_runs(engine, board.condition)
        for board in report.boards
        if TASKS[board.task].is_by_trial
    }
    return {condition: size for condition, size in sizes.items() if size > subset_tables.MOST_DRAWN}


def _left_out(engine: Engine, report: Report, too_many: Mapping[str, int], draws: int | None) -> dict[str, list[str]]:
    """Return what `Report.left_out` says."""
    found: dict[str, list[str]] = defaultdict(list)
    many: dict[tuple[str, int], list[str]] = defaultdict(list)
    for condition, size in too_many.items():
        large = f"its trials times runs are {size:,}, more than {subset_tables.MOST_DRAWN:,}"
        if draws is None and any(grid.setting.condition == condition for _, grid in report.grids):
            found["subsets"].append(
                f"The numbers of {condition} have no intervals: {large}. `tdtsql report make --resamples 200` or "
                f"`tdtsql stats subsets` makes them."
            )
        found["attributes"].append(
            f"The DET curves of {condition} by attribute are not drawn: {large}. `tdtsql plot det RUN --by ATTRIBUTE` "
            f"draws them, and `tdtsql serve` for one run."
        )
        found["priors"].append(
            f"The error over priors of {condition} is not drawn: {large}. `store.bayes_error_plot(RUN)` in Python "
            f"draws it, and `tdtsql serve` for one run."
        )
    for condition in dict.fromkeys(board.condition for board in report.boards if TASKS[board.task].is_by_trial):
        for name, n_value in attributes_of(engine, condition).items():
            if n_value > MOST_VALUES:
                many[name, n_value].append(condition)
    found["attributes"] += [
        f"The scores of {', '.join(conditions)} by {name} are not drawn: it has {n_value:,} values, more than "
        f"{MOST_VALUES}. `tdtsql ask score_histogram --attribute {name}` counts them."
        for (name, n_value), conditions in many.items()
    ]
    return {section: said for section, said in found.items() if said}


def _priors(engine: Engine, report: Report, too_many: Container[str]) -> list[Priors]:
    """Return the errors over priors of each condition of scored trials, under its first profile; of as many trials as
    there are intervals of.
    """
    found = {}
    for board in report.boards:
        if TASKS[board.task].is_by_trial and board.condition not in found and board.condition not in too_many:
            found[board.condition] = priors_of(
                engine, board.condition, board.profile, [report.runs[run]["id"] for run in board.runs]
            )
    return [priors for priors in found.values() if priors is not None]


def _boards(store: Engine, place: dict) -> list[Board]:
    made = store.rows("select metric, relation, best from registry.metric order by all")
    boards = []
    for condition, profile, task, metric, weighting, plan, *costs in store.rows("""
        select condition_id, profile_id, condition.task, coalesce(ranked.metric, facts.primary_metric),
            coalesce(ranked.weighting, primary_weighting), plan, p_target, c_miss, c_fa, band_z
        from registry.condition_profile join registry.condition as condition using (condition_no)
            join registry.profile using (profile_no) join registry.task as task on task.task = condition.task
            join report.condition as facts using (condition_id)
            left join (select condition_id, profile_id, max(metric) as metric, max(weighting) as weighting
                from report.leaderboard group by all) as ranked using (condition_id, profile_id)
        order by condition_no, profile_no"""):
        members = [index for (where, _), index in place.items() if where == condition]
        if members:
            cost = None if None in costs else dict(zip(("p_target", "c_miss", "c_fa", "band_z"), costs, strict=True))
            views = {relation.name for relation in published(task)}
            direction = {name: best for name, relation, best in made if relation in views}
            boards.append(Board(condition, profile, task, metric, weighting, members, cost, direction, plan))
    return boards


def _scores(store: Engine, place: dict, number_of: dict) -> dict[str, list]:
    """Return report.score as columns."""
    names = "run board metric weighting subset value null_reason n signature relation".split()
    rows: list[tuple] = []
    homes: dict[tuple, str] = {}
    own, broken = _own_homes(store), broken_metrics(store)
    for run, condition, profile, task, metric, weighting, subset, version, *numbers in store.rows(
        "select run_id, condition_id, profile_id, task, metric, weighting, subset, version, value, null_reason, n, "
        "signature from report.score order by condition_id, profile_id, run_id, metric, weighting, subset"
    ):
        if metric in broken:
            continue
        where = (task, metric, weighting, version)
        if where not in homes:
            homes[where] = own.get((metric, version, "score")) or _home(task, metric, version, weighting)
        board = number_of[condition, profile]
        rows.append((place[condition, run], board, metric, weighting, subset, *numbers, homes[where]))
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _own_homes(store: Engine) -> dict[tuple[str, str, str], str]:
    """Return (metric, version, score or block) -> view of the store's user-defined metrics."""
    rows = store.rows("select metric, version, grain, relation from registry.published where metric like 'own:%'")
    return {(metric, version, grain): relation for metric, version, grain, relation in rows}


def _home(task: str, metric: str, version: str, weighting: str | None) -> str:
    """Return the view that publishes a metric: with that weighting for runs, or for one block if it is None."""
    found = []
    for relation in published(task):
        if f"v{relation.version}" != version or not any(entry.is_called(metric) for entry in relation.header.metrics):
            continue
        if ("block_no" in relation.header.grain) != (weighting is None):
            continue
        words = (
            " ".join(column.text for column in relation.header.columns if column.name == "weighting")
            .replace(",", " ")
            .split()
        )
        found.append((weighting not in words if weighting else False, relation.name))
    return min(found, default=(True, ""))[1]


def _blocks(store: Engine, board: Board, runs: list[dict]) -> dict:
    """Return the numbers per topic: {blocks, metrics: {metric: {relation, values: {run: [...]}, signature: {run:
    ...}}}}.
    """
    # what ends the signatures of a run's numbers: it identifies their inputs, and a user-defined metric
    tails = {
        (run_id, metric): tail
        for run_id, metric, tail in store.rows(
            "select run_id, case when starts_with(metric, 'own:') then metric else '' end as metric, "
            "min(substr(signature, strpos(signature, '|sql:') + 1)) from report.score where "
            "condition_id = ? and profile_id = ? and contains(signature, '|sql:') group by all",
            [board.condition, board.profile],
        )
    }
    wanted = list(dict.fromkeys((board.metric, *BLOCK_METRICS)))
    rows = store.rows(
        "select run_id, block_id, metric, value, version from report.block_score where condition_id = ? and "
        "profile_id = ? and subset = 'all' "
        "and (list_contains(?, metric) or metric like 'own:%') order by run_id, block_id, metric",
        [board.condition, board.profile, wanted],
    )
    if has_blocks(board.task) and len({row[1] for row in rows}) < 2:
        rows = []  # all trials, or items, are one block
    ids = sorted({row[1] for row in rows}, key=lambda block: (len(block), block) if block.isdigit() else (0, block))
    position = {block: index for index, block in enumerate(ids)}
    number_of = {runs[run]["id"]: run for run in board.runs}
    metrics: dict[str, dict] = {}
    own, broken = _own_homes(store), broken_metrics(store)
    for run_id, block, metric, value, version in (row for row in rows if row[2] not in broken):
        run = number_of[run_id]
        entry = metrics.get(metric)
        if entry is None:
            entry = metrics[metric] = {
                "relation": own.get((metric, version, "block")) or _home(board.task, metric, version, None),
                "values": {},
                "signature": {},
            }
        if run not in entry["values"]:
            entry["values"][run] = [None] * len(ids)
            entry["signature"][run] = (
                f"{metric}:{version}|w:block|profile:{board.profile}|subset:all|"
                f"{tails.get((run_id, metric), tails.get((run_id, ''), ''))}"
            )
        entry["values"][run][position[block]] = value
    return {"blocks": ids, "metrics": {name: metrics[name] for name in (*wanted, *sorted(metrics)) if name in metrics}}


def _relations(used: set[str], own: Mapping[str, Relation]) -> dict[str, dict]:
    """Return the contract and the SQL of the used views and of everything below them."""
    relations = {**catalog(), **own}
    return {
        name: {
            "title": relations[name].header.title,
            "formula": textwrap.dedent(HANGING + relations[name].header.fields.get("formula", "")),
            "source": relations[name].header.fields["source"],
            "sql": relations[name].body,
            "reads": list(relations[name].header.inputs),
        }
        for name in closure(relations, [name for name in used if name in relations])
    }


def _problems(store: Engine) -> list[dict]:
    return [
        {
            "code": code,
            "owner": owner,
            "place": ":".join(str(part) for part in (path, line, column) if part is not None),
            "message": message + (f" ({value!r})" if value else ""),
        }
        for code, owner, path, line, column, message, value in store.rows(
            "select code, owner, path, line, column_no, message, value from registry.problem order by owner, path, "
            "line, column_no, code"
        )
    ]
