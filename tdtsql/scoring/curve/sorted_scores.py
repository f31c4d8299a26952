"""Rows of views that need the scores of a run in their order, from arrays that are sorted once.

The views are the definitions: `metric.detection_det_cell__v1` (corner points of the curve),
`metric.detection_det_block__v1` and `metric.detection_det_state__v1` (trials accepted down to each point), and
`metric.verification_crossing__v1` (equal error rates, and the area under the curve). This kernel sorts the trials of a
run once, and counts targets and non-targets along the distinct scores of each subset, where the views use windows over
all trials. Counts are integers, so the rows are the same. It applies if every curve is of one block and of many trials.
"""

import numpy
from tdtsql.scoring.relations import Relations

CELL, BLOCK, STATE = (f"metric.detection_det_{name}__v1" for name in ("cell", "block", "state"))
CROSSING = "metric.verification_crossing__v1"
_DECISION, _CURVE_CELL, _TOTAL = "base.scored_decision__v1", "base.curve_cell__v1", "metric.detection_trial_total__v1"

#: trials of all curves together up to which the views' own SELECTs are as fast
FEW = 300_000
#: cells that are stored at a time, where curves are small
_MOST_CELLS = 1_000_000
_KEY = "run_no, profile_no, subset_no"
#: where trials without a decision are, below all scores
_LOWEST = -9e99

#: columns of CROSSING, with their types
_OF_CROSSING = {
    **dict.fromkeys(("run_no", "profile_no", "subset_no"), "integer"),
    **dict.fromkeys(("n_target", "n_nontarget"), "bigint"),
    "score": "double",
    **dict.fromkeys(("n_target_here", "n_nontarget_here", "n_miss", "n_false_alarm"), "bigint"),
    **dict.fromkeys(("corner_miss", "corner_false_alarm", "corner_miss_above", "corner_false_alarm_above"), "bigint"),
    **dict.fromkeys(("n_ordered", "n_ordered_stop"), "decimal(38, 0)"),
    "hit_at_stop": "double",
}


def _curves(scope: Relations) -> tuple[str, str]:
    """Return the table of the cells of all curves, and the SELECT of their crossings, made once for all views; empty
    where the views' own SELECTs are to be used.
    """
    if scope.curves is None:
        scope.curves = _computed(scope)
    return scope.curves


def _computed(scope: Relations) -> tuple[str, str]:
    engine, of = scope.engine, scope.relation
    # none, unless each curve is of one block, of corner points, and of both classes, and all are of many trials
    wanted = engine.rows(f"""
        with curve as (select run.run_no, cell.profile_no, cell.subset_no, cell.block_no,
            max(counted.n_target) as n_target, max(counted.n_nontarget) as n_nontarget,
            max(cell.all_points) as all_points, list(cell.segment_no) as segments, max(profile.p_fa_stop) as stop
        from {of("registry.run")} as run join {of(_CURVE_CELL)} as cell on cell.condition_no = run.condition_no
        join {of(_TOTAL)} as counted on counted.run_no = run.run_no and counted.profile_no = cell.profile_no
            and counted.subset_no = cell.subset_no
            and counted.block_no = cell.block_no
        join {of("registry.profile")} as profile on profile.profile_no = cell.profile_no
        group by all)
        select * exclude (all_points) from curve where (
            select sum(n_target + n_nontarget) > {FEW} and count(*) = count(distinct ({_KEY}))
                and bool_and(all_points = 0 and n_target > 0 and n_nontarget > 0) from curve)
        order by {_KEY}""")
    if not wanted:
        return "", ""
    has_subsets = any(subset_no for _, _, subset_no, *_ in wanted)
    table, waiting, n_waiting, crossings, of_run = "", [], 0, [], None
    for number, (*key, n_target, n_nontarget, segments, stop) in enumerate(wanted, start=1):
        if key[:2] != of_run:
            of_run = key[:2]
            columns = engine.query(
                f"select segment_no, is_target, score from {of(_DECISION)} where run_no = {key[0]} and profile_no = "
                f"{key[1]}"
            ).fetchnumpy()
            segment, is_target, score = (numpy.asarray(columns[name]) for name in ("segment_no", "is_target", "score"))
            if not has_subsets:  # values alone are sorted faster, and two rising parts are merged at once
                parts = [numpy.sort(score[is_target == flag]) for flag in (1, 0)]
                score, is_target = numpy.concatenate(parts), numpy.repeat([1, 0], list(map(len, parts)))
            order = numpy.argsort(score, kind="quicksort" if has_subsets else "stable")
            segment, is_target, score = segment[order], is_target[order], score[order]
        inside = numpy.zeros(max(*segments, int(segment.max(initial=0))) + 1, dtype=bool)
        inside[segments] = True
        chosen = slice(None) if key[2] == 0 else inside[segment]
        scores, targets, nontargets = _groups(score[chosen], is_target[chosen])
        if (targets.sum(), nontargets.sum()) != (n_target, n_nontarget):
            return "", ""  # trials without a score
        counts = {"n_target": n_target, "n_nontarget": n_nontarget}
        named = dict(zip(("run_no", "profile_no", "subset_no", "block_no"), key, strict=True)) | counts
        crossings.append(named | _crossing(scores, targets, nontargets, stop))
        made = _cells(scores, targets, nontargets)
        waiting.append(
            {name: numpy.full(len(made["state_no"]), value, numpy.int32) for name, value in named.items()} | made
        )
        n_waiting += len(made["state_no"])
        if n_waiting >= _MOST_CELLS or number == len(wanted):
            columns = {name: numpy.concatenate([one[name] for one in waiting]) for name in waiting[0]}
            if table:
                engine.insert(table, columns)
            else:
                table = scope.insert("sorted_cell", columns)
            waiting, n_waiting = [], 0
    rows = {
        name: [str(row[name]) if kind.startswith("decimal") else row[name] for row in crossings]
        for name, kind in _OF_CROSSING.items()
    }
    selected = ", ".join(f"cast({name} as {kind}) as {name}" for name, kind in _OF_CROSSING.items())
    return table, f"select {selected} from {scope.insert('sorted_crossing', rows)}"


def _groups(score: numpy.ndarray, is_target: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Return the (G,) distinct values of rising scores, and how many targets and non-targets each has."""
    starts = numpy.flatnonzero(numpy.concatenate([[True], score[1:] != score[:-1]]))
    n_target = numpy.add.reduceat(is_target, starts, dtype=numpy.int64)
    return score[starts], n_target, numpy.diff(numpy.append(starts, len(score))) - n_target


def _cells(scores: numpy.ndarray, n_target: numpy.ndarray, n_nontarget: numpy.ndarray) -> dict[str, numpy.ndarray]:
    """Return the cells of the corner points, falling, as columns; see the formula of CELL.

    Args:
        scores, n_target, n_nontarget: (G,) as of `_groups`.
    """
    has_target = n_target > 0
    # a score of targets, and all non-targets up to the next; the lowest score there is stays apart
    begins = has_target.copy()
    begins[1:] |= has_target[:-1] | (scores[:-1] <= _LOWEST)
    begins[0] = True
    starts = numpy.flatnonzero(begins)
    falling = slice(None, None, -1)
    cells = {
        "threshold": scores[starts][falling],
        "last_score": scores[numpy.append(starts[1:], len(scores)) - 1][falling],
        "n_target_here": numpy.add.reduceat(n_target, starts)[falling],
        "n_nontarget_here": numpy.add.reduceat(n_nontarget, starts)[falling],
    }
    cells |= {
        "state_no": numpy.arange(1, len(starts) + 1),
        "n_hit": numpy.cumsum(cells["n_target_here"]),
        "n_false_alarm": numpy.cumsum(cells["n_nontarget_here"]),
        "n_target_below": numpy.append(cells["n_target_here"][1:], 0),
        "n_nontarget_below": numpy.append(cells["n_nontarget_here"][1:], 0),
        "score_below": numpy.append(cells["last_score"][1:], 0.0),
    }
    # there are as many rows as the subsets have trials together
    return {name: values.astype(numpy.int32) if values.dtype.kind == "i" else values for name, values in cells.items()}


def _crossing(
    scores: numpy.ndarray, n_target: numpy.ndarray, n_nontarget: numpy.ndarray, stop: float | None
) -> dict[str, object]:
    """Return what CROSSING says of a curve, by its formula.

    Args:
        scores, n_target, n_nontarget: (G,) as of `_groups`.
        stop: the false-alarm probability up to which the area counts.
    """
    all_target, all_nontarget = int(n_target.sum()), int(n_nontarget.sum())
    miss = numpy.cumsum(n_target) - n_target
    false_alarm = all_nontarget - numpy.cumsum(n_nontarget) + n_nontarget
    corner = numpy.ones(len(scores), dtype=bool)
    corner[1:-1] = (n_target[1:-1] != n_target[:-2]) | (n_nontarget[1:-1] != n_nontarget[:-2])
    is_above = miss * all_nontarget > false_alarm * all_target
    at = int(numpy.flatnonzero(~is_above)[-1])
    row: dict[str, object] = {
        "score": float(scores[at]),
        "n_miss": int(miss[at]),
        "n_false_alarm": int(false_alarm[at]),
        "n_target_here": int(n_target[at]),
        "n_nontarget_here": int(n_nontarget[at]),
    }
    below, above = numpy.flatnonzero(corner & ~is_above)[-1:], numpy.flatnonzero(corner & is_above)[:1]
    for name, places in (("", below), ("_above", above)):  # none above: reject-all is
        row[f"corner_miss{name}"] = int(miss[places[0]]) if len(places) else all_target
        row[f"corner_false_alarm{name}"] = int(false_alarm[places[0]]) if len(places) else 0
    n_pair = n_nontarget * (2 * (all_target - miss) - n_target)
    rates = false_alarm / all_nontarget
    n_stop = 0 if stop is None else false_alarm[corner & (rates <= stop)].max(initial=0)
    row |= {"n_ordered": int(n_pair.sum()), "n_ordered_stop": int(n_pair[false_alarm <= n_stop].sum())}
    row["hit_at_stop"] = 0.0 if stop == 0 else None
    if stop:  # the group in which so many false alarms are reached, by rates that are rounded once
        reached = (rates >= stop) & ((false_alarm - n_nontarget) / all_nontarget < stop)
        for at in numpy.flatnonzero(reached).tolist():
            here, others = int(n_target[at]), int(n_nontarget[at])
            part = 1 if rates[at] == stop else (stop * all_nontarget - (int(false_alarm[at]) - others)) / others
            row["hit_at_stop"] = float(all_target - int(miss[at]) - here + here * part)
    return row


def cells(scope: Relations, _: str) -> str | None:
    """Return a SELECT of the rows of CELL."""
    table = _curves(scope)[0]
    return (
        table
        and f"""
        select {_KEY}, block_no, threshold, last_score,
            threshold as low_score, {_whole("n_target_here", "n_target")}, {_whole("n_nontarget_here", "n_nontarget")}
        from {table}"""
    )


def _whole(column: str, name: str = "") -> str:
    return f"cast({column} as bigint) as {name or column}"


def _units() -> dict[str, str]:
    """Return SQL of the error rates down to a cell, and of those above it, as doubles and in whole units, as the macros
    ratio and whole_units have them: 1e-15 of ``unit_``, 1e-12 of ``coarse_``.
    """
    rates = {
        "miss": "cast(n_target - n_hit as double) / n_target",
        "fa": "cast(n_false_alarm as double) / n_nontarget",
        "miss_above": "cast(n_target - n_hit + n_target_here as double) / n_target",
        "fa_above": "cast(n_false_alarm - n_nontarget_here as double) / n_nontarget",
    }
    return {f"p_{name}": rate for name, rate in rates.items()} | {
        f"{kind}_{name}": f"cast(floor({rate} * {scale} + 5e-1) as bigint)"
        for name, rate in rates.items()
        for kind, scale in (("unit", "1e15"), ("coarse", "1e12"))
    }


def blocks(scope: Relations, _: str) -> str | None:
    """Return a SELECT of the rows of BLOCK over the cells computed here."""
    if not (table := _curves(scope)[0]):
        return None
    units = _units()
    steps = ", ".join(
        f"{units[f'{kind}_{side}']} - {units[f'{kind}_{side}_above']} as step_{name}{side}"
        for kind, name in (("unit", ""), ("coarse", "coarse_"))
        for side in ("miss", "fa")
    )
    squares = ", ".join(
        f"cast({_square(units[f'coarse_{side}'])} - {_square(units[f'coarse_{side}_above'])} as decimal(38, 0)) as "
        f"step_square_{side}"
        for side in ("miss", "fa")
    )
    counts = ", ".join(
        map(_whole, ("n_target_here", "n_nontarget_here", "n_target", "n_nontarget", "n_hit", "n_false_alarm"))
    )
    return f"""
        select {_KEY}, block_no, threshold, last_score, threshold as low_score, {counts},
            {units["p_miss"]} as p_miss, {units["p_fa"]} as p_fa, {steps}, {squares}
        from {table}"""


def _square(units: str) -> str:
    return f"cast(cast({units} as decimal(38, 0)) * {units} as decimal(38, 0))"


def states(scope: Relations, _: str) -> str | None:
    """Return a SELECT of the rows of STATE over the cells computed here."""
    if not (table := _curves(scope)[0]):
        return None
    sums = (
        ("sum_miss", "unit_miss"),
        ("sum_fa", "unit_fa"),
        ("sum_miss_both", "unit_miss"),
        ("sum_fa_both", "unit_fa"),
        ("coarse_miss", "coarse_miss"),
        ("coarse_fa", "coarse_fa"),
    )
    units = _units()
    summed = ", ".join(f"cast({units[unit]} as decimal(38, 0)) as {name}" for name, unit in sums)
    squares = ", ".join(f"{_square(units[f'coarse_{side}'])} as square_{side}" for side in ("miss", "fa"))
    counts = ("n_target_here", "n_nontarget_here", "n_target_below", "n_nontarget_below")
    nothing = ", ".join(f"cast(0 as bigint) as {name}" for name in counts)
    return f"""
        select {_KEY}, cast(0 as bigint) as state_no, cast(null as double) as threshold, {nothing},
            cast(null as double) as last_score_below, cast(0 as bigint) as n_hit, cast(0 as bigint) as n_false_alarm,
            cast(1000000000000000 as decimal(38, 0)) as sum_miss, cast(0 as decimal(38, 0)) as sum_fa,
            cast(1000000000000000 as decimal(38, 0)) as sum_miss_both, cast(0 as decimal(38, 0)) as sum_fa_both,
            cast(1000000000000 as decimal(38, 0)) as coarse_miss, cast(0 as decimal(38, 0)) as coarse_fa,
            cast(1000000000000 as decimal(38, 0)) * 1000000000000 as square_miss,
            cast(0 as decimal(38, 0)) as square_fa
        from {table} where state_no = 1
        union all
        select {_KEY}, {_whole("state_no")}, threshold, {", ".join(map(_whole, counts))},
            case when n_target_below + n_nontarget_below > 0 then score_below end as last_score_below,
            {_whole("n_hit")}, {_whole("n_false_alarm")}, {summed}, {squares}
        from {table}"""


def crossings(scope: Relations, _: str) -> str | None:
    """Return a SELECT of the rows of CROSSING."""
    return _curves(scope)[1]


#: views that only rename the cells computed here, and so need no table
OF_CELLS = (CELL, BLOCK, STATE, "metric.verification_weighted_point__v1")
