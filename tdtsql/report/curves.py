"""What the charts of the report are drawn from: curves, histograms, hierarchies of one board.

Curves are thinned to the resolution of a screen, histograms of very large
runs use every k-th trial; no printed number is changed by either.
"""

import math
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, UnknownName
from tdtsql.report.charts import Box, Curve, tree_of
from tdtsql.report.page import Board
from tdtsql.report.sections import drawn
from tdtsql.report.trials.scores import BIN, N_BIN, ScoreRange, score_ranges
from tdtsql.scoring.curve.det_curve import det_curve
from tdtsql.scoring.curve.hull import vertices
from tdtsql.scoring.hierarchy import neighbourhood, path_to_best
from tdtsql.task import TASKS, task_list_sql, usual_weighting, weighting_in_words

#: distance on normal-deviate axes below which two points of a curve are one on the screen
SCREEN_STEP = 0.02

#: the same for curves of the values of an attribute, in one drawing
OVERLAY_STEP = 0.05

#: curves over time that are shown first
FIRST_OVER_TIME = ("comprehensiveness_tau", "latency_comprehensiveness_tau", "eg_tau", "nelg_tau", "h_tau")

#: vertices of a hierarchy that are drawn
N_VERTEX = 150


def det_curves(
    store: Engine,
    condition: str,
    profile: str,
    *,
    run: str | None = None,
    weighting: str | None = None,
    subsets: Sequence[str] | None = None,
    with_hull: bool = False,
    step: float = SCREEN_STEP,
) -> dict[tuple[str, str, str], Curve]:
    """Return (run, subset, weighting) -> its curve, with the points of the minimum cost and of the run's own decisions.

    Args:
        run, weighting, subsets: None: all that have curves.
        step: distance of points on normal-deviate axes (`thin`): what a screen can tell apart; 0: all points. Curves
            of subsets have `OVERLAY_STEP` at least.
    """
    chosen = {"run_id": run, "weighting": weighting, "condition_id": condition, "profile_id": profile}
    given: list[tuple[str, object]] = [(f"{name} = ?", value) for name, value in chosen.items() if value is not None]
    if subsets is not None:
        given.append(("list_contains(?, subset)", list(subsets)))
    where, values = " and ".join(text for text, _ in given), [value for _, value in given]
    points: dict[tuple, list[tuple]] = defaultdict(list)
    for run_id, of, by, *point in store.rows(
        "select run_id, subset, weighting, p_fa, p_miss, threshold, p_miss_se from report.det_point "
        f"where {where} and block_id is null and p_fa is not null and p_miss is not null "
        "order by run_id, subset, weighting, point_no",
        values,
    ):
        points[run_id, of, by].append(tuple(point))
    numbers: dict[tuple, dict[str, float]] = defaultdict(dict)
    for run_id, of, by, metric, value in store.rows(
        f"select run_id, subset, weighting, metric, value from report.score where {where} and metric in "
        "('p_fa', 'p_miss', 'min_p_fa', 'min_p_miss', 'act_p_fa', 'act_p_miss')",
        values,
    ):
        numbers[run_id, of, by][metric] = value

    def mark(found: Mapping[str, float], prefix: str) -> tuple[float, float] | None:
        p_fa, p_miss = (found.get(f"{prefix}{name}") for name in ("p_fa", "p_miss"))
        return None if p_fa is None or p_miss is None else (p_fa, p_miss)

    curves = {}
    for key, of_curve in points.items():
        found = numbers.get(key, {})
        # the system's own decision, or that at the Bayes threshold
        own = mark(found, "") or mark(found, "act_")
        curve = _curve(key[0], of_curve, max(step, OVERLAY_STEP) if step and key[1] != "all" else step, with_hull)
        curves[key] = replace(curve, minimum=mark(found, "min_"), actual=own)
    return curves


def _curve(run: str, points: list[tuple], step: float, with_hull: bool) -> Curve:
    """Return a curve from points (p_fa, p_miss, further columns of a `Curve`), thinned."""
    p_fa, p_miss, *others = (list(column) for column in zip(*points, strict=True))
    corners = [(p_fa[at], p_miss[at]) for at in vertices(p_fa, p_miss)] if with_hull else []
    kept = thin(p_fa, p_miss, step) if step else range(len(points))
    p_fa, p_miss, *others = ([column[at] for at in kept] for column in (p_fa, p_miss, *others))
    threshold, p_miss_se = others or ([], [])
    return Curve(run, p_fa, p_miss, threshold, p_miss_se, hull=corners)


def curves_of(
    engine: Engine,
    *,
    condition: str,
    profile: str,
    weighting: str,
    subsets: Sequence[str] = ("all",),
    runs: Sequence[str] = (),
    with_hull: bool = False,
    may_lack: bool = False,
    step: float = 0.0,
) -> list[Curve]:
    """Return the DET curves of a condition's runs in subsets, with the point of minimum cost and the system's own.

    Args:
        runs: empty: all of the condition. Curves that are not stored are computed here.
        may_lack: a subset in which a run has no curve (a class is missing there) is left out, unless all are.
        step: distance of points on normal-deviate axes, of a curve that is computed here (`thin`); 0: all points.

    Raises:
        InvalidComparison: no run has a curve there, or one of ``runs`` has none.
    """
    rows = engine.rows(
        "select task, run_id from registry.condition left join registry.run using (condition_no) "
        "where condition_id = ? order by run_id",
        [condition],
    )
    task, there = (rows[0][0] if rows else None), [run for _, run in rows]
    found = det_curves(engine, condition, profile, weighting=weighting, subsets=subsets, with_hull=with_hull, step=0.0)
    of_subset: dict[str, dict[str, Curve]] = {subset: {} for subset in subsets}
    for (run, subset, _), curve in found.items():
        of_subset[subset][run] = curve
    for run in [run for run in runs or there if run in there]:
        lacking = [subset for subset, made in of_subset.items() if run not in made and subset != "all"]
        points: dict[str, list[tuple]] = defaultdict(list)
        if lacking:  # all in one pass
            made = det_curve(engine, run, weighting=weighting, condition=condition, profile=profile, subset=lacking)
            for subset, *point in (
                made.filter("p_fa is not null and p_miss is not null").project("subset, p_fa, p_miss").fetchall()
            ):
                points[subset].append(tuple(point))
        for subset, of_curve in points.items():
            of_subset[subset][run] = _curve(run, of_curve, step, with_hull)
    curves: list[Curve] = []
    for subset, of_run in of_subset.items():
        unknown = [run for run in runs if run not in of_run]
        if (unknown or not of_run) and not (may_lack and (curves or subset != subsets[-1])):
            what = f"run {unknown[0]!r} has no DET curve" if unknown else "no DET curve"
            averaged = weighting_in_words(weighting, task) if task else weighting
            raise InvalidComparison(
                f"{what} under {condition}, {profile}, {averaged}, subset {subset}. `tdtsql plot det` without names "
                "draws all."
            )
        for run in [run for run in runs or sorted(of_run) if run in of_run]:
            name = run if len(subsets) == 1 else subset if len(runs or there) == 1 else f"{run}, {subset}"
            curves.append(replace(of_run[run], run=name))
    return curves


def subsets_by(store: Engine, condition: str) -> dict[str, list[str]]:
    """Return attribute -> the subsets of its values, one each."""
    return dict(
        store.rows(
            "select split_part(subset, '=', 1) as attribute, list(subset order by subset_no) from base.subset join "
            "registry.condition using (condition_no) where condition_id = ? and contains(subset, '=') and not "
            "contains(subset, ',') group by attribute order by attribute",
            [condition],
        )
    )


def attribute_curves(store: Engine, condition: str, profile: str, run: str, attribute: str | None) -> list[Curve]:
    """Return the DET curves of a run in the subset of each value of an attribute (None: in all), averaged as its task
    does; empty where no subset has both classes.
    """
    task = store.value("select task from registry.condition where condition_id = ?", [condition])
    subsets = ["all"] if attribute is None else subsets_by(store, condition).get(attribute, [])
    try:
        return curves_of(
            store,
            condition=condition,
            profile=profile,
            weighting=usual_weighting(task),
            subsets=subsets,
            runs=[run],
            may_lack=True,
            step=OVERLAY_STEP,
        )
    except InvalidComparison:
        return []


def thin(p_fa: Sequence[float], p_miss: Sequence[float], step: float = SCREEN_STEP) -> list[int]:
    """Return the positions of the points to draw: the ends, and every point that is ``step`` away from the last one
    drawn.

    The point before a jump is drawn as well, so that corners stay corners.
    """
    places = [(_deviate(x), _deviate(y)) for x, y in zip(p_fa, p_miss, strict=True)]
    kept = [0]
    for at in range(1, len(places)):
        last, now, before = places[kept[-1]], places[at], places[at - 1]
        if max(abs(now[0] - last[0]), abs(now[1] - last[1])) < step and at < len(places) - 1:
            continue
        if kept[-1] != at - 1 and max(abs(now[0] - before[0]), abs(now[1] - before[1])) >= step:
            kept.append(at - 1)
        kept.append(at)
    return kept


def _deviate(probability: float) -> float:
    """Return about the normal deviate, good enough to tell points of a screen apart (logistic, scaled)."""
    clipped = min(max(probability, 1e-6), 1.0 - 1e-6)
    return math.log(clipped / (1.0 - clipped)) / 1.702


def _short(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.7g}")


def histograms_of(store: Engine, boards: list[Board], runs: list[dict]) -> list[dict]:
    """Return the scores of every detection run of topics, in bins, board by board, with what was fitted to them."""
    number_of = {
        (condition, profile, run): (run_no, profile_no)
        for condition, profile, run, run_no, profile_no in store.rows(
            "select condition_id, profile_id, run_id, run_no, profile_no from registry.run join registry.condition "
            "using (condition_no) "
            "join registry.condition_profile using (condition_no) join registry.profile using (profile_no)"
        )
    }
    shown = [
        (index, run, *number_of[board.condition, board.profile, runs[run]["id"]])
        for index, board in enumerate(boards)
        if TASKS[board.task].is_detection and not TASKS[board.task].is_by_trial  # those: `trials.scores`
        for run in board.runs
    ]
    ranges = score_ranges(store, sorted({run_no for _, _, run_no, _ in shown}))
    counted = _counted(store, ranges, [(run_no, profile_no) for _, _, run_no, profile_no in shown if run_no in ranges])
    return [
        {
            "board": index,
            "run": run,
            "low": ranges[run_no].low,
            "high": ranges[run_no].high,
            "every": ranges[run_no].every,
            "target": counted[run_no, profile_no][1],
            "nontarget": counted[run_no, profile_no][0],
            "fit": _fit_of(store, boards[index], runs[run]["id"]),
        }
        for index, run, run_no, profile_no in shown
        if run_no in ranges
    ]


def _counted(
    store: Engine, ranges: Mapping[int, ScoreRange], wanted: list[tuple[int, int]]
) -> dict[tuple[int, int], dict[int, list[int]]]:
    """Return for each (run, profile) the scores in each bin, of targets (1) and of non-targets (0). One query for all,
    because planning takes longer than counting for small runs.
    """
    counts = {pair: {0: [0] * N_BIN, 1: [0] * N_BIN} for pair in wanted}
    if not wanted:
        return counts
    values = ", ".join(
        f"({run_no}, {profile_no}, {every}, cast({low!r} as double), cast({high!r} as double))"
        for run_no, profile_no in wanted
        for every, low, high in [ranges[run_no]]
    )
    for run_no, profile_no, is_target, place, count in store.rows(
        f"""
        select run_no, profile_no, is_target, {BIN} as place, count(*)
        from base.scored_decision__v1
        join (values {values}) as shown (run_no, profile_no, every, low, high) using (run_no, profile_no)
        where trial_no % every = 0
        group by all"""
    ):
        counts[run_no, profile_no][int(is_target)][place] = count
    return counts


def _fit_of(store: Engine, board: Board, run_id: str) -> dict | None:
    """Return what was fitted to the scores of all topics together, where that was done."""
    names = "on_mean on_sd off_rate off_origin fitted_threshold upper_crossing best_threshold".split()
    rows = store.rows(
        f"select {', '.join(names)} from report.score_distribution where run_id = ? and condition_id = ? and "
        f"profile_id = ? "
        "and block_id is null and prior = 'fixed' and on_mean is not null and off_rate is not null",
        [run_id, board.condition, board.profile],
    )
    return {name: _short(value) for name, value in zip(names, rows[0], strict=True)} if rows else None


def curves_over_time(store: Engine, index: int, board: Board, runs: list[dict]) -> list[dict]:
    """Return the numbers that are given at several times after an event's start."""
    place = {runs[run]["id"]: run for run in board.runs}
    rows = store.rows(
        "select run_id, metric, list(tau order by tau), list(value order by tau) from (select run_id, metric, value, "
        "cast(replace(subset, 'tau=', '') as double) as tau from report.score where condition_id = ? and "
        "profile_id = ? and weighting = ? and starts_with(subset, 'tau=') and value is not null) group by all",
        [board.condition, board.profile, board.weighting],
    )
    found = [
        {"board": index, "run": place[run], "metric": metric, "tau": tau, "value": value}
        for run, metric, tau, value in rows
    ]
    first = dict(zip(FIRST_OVER_TIME, range(9), strict=False))
    return sorted(found, key=lambda curve: (first.get(curve["metric"], 9), curve["run"], curve["metric"]))


def trees_of(store: Engine, index: int, board: Board, runs: list[dict]) -> list[dict]:
    """Return the topmost vertices of each run's hierarchy, breadth first, with the topics they are best for."""
    if not TASKS[board.task].is_tree:
        return []
    trees = []
    for run in board.runs:
        mine = [runs[run]["id"], board.condition]
        of_run = (
            "join registry.run using (run_no) join registry.condition using (condition_no) "
            "where run_id = ? and condition_id = ?"
        )
        vertices = {
            number: facts
            for number, *facts in store.rows(
                f"select vertex_no, vertex_id, n_story, is_root from base.vertex {of_run}", mine
            )
        }
        children = dict(
            store.rows(
                "select parent_no, list(child_no order by n_story desc, vertex_id) from (select run_no, parent_no, "
                "child_no, child_no as vertex_no from base.vertex_edge) join base.vertex using (run_no, vertex_no) "
                f"{of_run} group by parent_no",
                mine,
            )
        )
        best = dict(
            store.rows(
                "select value, list(block_id order by block_id) from report.block_label where run_id = ? and "
                "condition_id = ? and profile_id = ? and metric = 'best_vertex' group by value",
                [*mine, board.profile],
            )
        )
        roots = [number for number, (_, _, is_root) in vertices.items() if is_root]
        if len(roots) != 1:
            continue
        drawn = {roots[0]: None}  # vertex -> the name of the one above it
        waiting = deque(roots)
        while waiting:
            number = waiting.popleft()
            for child in children.get(number, ()):
                if child not in drawn and len(drawn) < N_VERTEX:
                    drawn[child] = vertices[number][0]
                    waiting.append(child)
        lines = [
            [name, above, n_story, ", ".join(best.get(name, ())[:3]) or None]
            for number, above in drawn.items()
            for name, n_story, _ in [vertices[number]]
        ]
        trees.append({"board": index, "run": run, "n_vertex": len(vertices), "vertices": lines})
    return trees


#: the corpus table of a condition under a profile, with columns as the page calls them
_CORPUS_TABLE = """
    select n_topic as "topics", n_topic_empty as "of these, without targets",
        mean_train_story as "stories before the test set, average", mean_test_story as "test stories, average",
        mean_n_train as "training stories on topic, average", mean_n_test as "targets, average",
        max_n_test as "targets, most", min_n_test as "targets, fewest",
        topic_per_story as "topics per labelled story", p_rel as "P(rel)", rho,
        nominal_ratio as "false alarms a miss is meant to weigh",
        exact_ratio as "false alarms per miss (effective cost ratio)",
        exact_ratio_at_max as "the same, at the largest topic",
        exact_ratio_at_min as "the same, at the smallest topic"
    from report.corpus_table where condition_id = ? and profile_id = ?"""


def effective_cost_of(store: Engine, index: int, board: Board) -> dict | None:
    """Return the corpus table, the bins and the threshold costs of a board; None if its task has no such numbers."""
    where = [board.condition, board.profile]
    found = store.query(_CORPUS_TABLE, where)
    names, table = [name for name, *_ in found.description], found.fetchone()
    if table is None:
        return None
    bins = store.rows(
        "select lower, upper, n_topic from report.p_rel_histogram where condition_id = ? and profile_id = ? order by "
        "bin_no",
        where,
    )
    prices = store.rows(
        "select run_id, prior, threshold, cost_norm, own_cost_norm, if(abs(price) < 1e-12, 0, price), n_block "
        "from report.common_threshold where condition_id = ? and profile_id = ? and n_block > 0 order by run_id, prior",
        where,
    )
    return {"board": index, "bins": bins, "prices": prices, "corpus": list(zip(names, table, strict=True))}


#: topics of a run whose best vertex is drawn
N_DRAWING = 3


def drawings_of(store: Engine, index: int, board: Board, runs: list[dict]) -> list[dict]:
    """Return board, run, title and SVG of the hierarchies around the best vertices of each run's costliest topics."""
    if not TASKS[board.task].is_tree:
        return []
    drawn = []
    for run in board.runs:
        for [block] in store.rows(
            "select block_id from report.block_score where run_id = ? and condition_id = ? and profile_id = ? and "
            "metric = 'min_cost' "
            "and value is not null order by value desc, block_id limit ?",
            [runs[run]["id"], board.condition, board.profile, N_DRAWING],
        ):
            svg = topic_drawing(
                store, run=runs[run]["id"], topic=block, condition=board.condition, profile=board.profile
            )
            drawn.append(
                {
                    "board": index,
                    "run": run,
                    "title": f"{runs[run]['id']}, topic {block} ({board.condition}, {board.profile})",
                    "svg": svg,
                }
            )
    return drawn


def topic_drawing(store: Engine, *, run: str, topic: str, condition: str, profile: str, limit: int = 30) -> Markup:
    """Return an SVG of a run's hierarchy around the best vertex of a topic.

    Raises:
        UnknownName: no such run, topic or profile, or the topic has no best vertex.
    """
    vertices, edges, walk = neighbourhood(store, *_numbers(store, run, topic, condition, profile), limit=limit)
    if not vertices:
        raise _without_best(topic)
    boxes = [
        Box(name, n_story, n_hit, cost, bool(is_best), n_child)
        for name, n_story, n_hit, cost, is_best, n_child in vertices
    ]
    title = f"{run}: the hierarchy around the best vertex of topic {topic}"
    return drawn("tree", tree_of(boxes, edges, walk), title)


#: columns of ``topic_path``
PATH_COLUMNS = "step vertex_id n_child travel n_parent n_story n_hit cost".split()


def topic_path(store: Engine, *, run: str, topic: str, condition: str, profile: str) -> list[tuple]:
    """Return the cheapest walk of a run from the root to the best vertex of a topic: rows of ``PATH_COLUMNS``.

    Raises:
        UnknownName: as ``topic_drawing``.
    """
    rows = path_to_best(store, *_numbers(store, run, topic, condition, profile))
    if not rows:
        raise _without_best(topic)
    return [(step, *row) for step, row in enumerate(rows)]


def _without_best(topic: str) -> UnknownName:
    return UnknownName(f"topic '{topic}' has no best vertex: no story of the collection is on it.")


def _numbers(store: Engine, run: str, topic: str, condition: str, profile: str) -> tuple[int, int, int]:
    """Return the numbers of a run, a profile and a topic."""
    found = store.rows(
        "select run.run_no, profile.profile_no, block.block_no from registry.run as run "
        "join registry.condition as condition on condition.condition_no = run.condition_no "
        "join registry.condition_profile as chosen on chosen.condition_no = run.condition_no "
        "join registry.profile as profile on profile.profile_no = chosen.profile_no "
        "join base.block as block on block.condition_no = run.condition_no "
        f"where condition.task in ({task_list_sql(is_tree=True)}) and run.run_id = ? and condition.condition_id = ? "
        f"and profile.profile_id = ? and block.block_id = ?",
        [run, condition, profile, topic],
    )
    if not found:
        raise UnknownName(
            f"no hierarchy of run '{run}' with topic '{topic}' under condition '{condition}' and profile '{profile}'."
        )
    return found[0]
