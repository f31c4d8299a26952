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
#: trials of all curves together up to which the views' own SELECTs are as fast
FEW = 300_000
#: cells that are stored at a time, where curves are small
_MOST_CELLS = 1_000_000
#: where trials without a decision are, below all scores
_LOWEST = -9e99

#: views whose rows are made here -> the SELECT of them, in sql/scoring/sorted
SELECTS = {CELL: "cell", BLOCK: "block", STATE: "state", CROSSING: "crossing"}
#: views that only rename the cells computed here, and so need no table
OF_CELLS = (CELL, BLOCK, STATE, "metric.verification_weighted_point__v1")


def select(scope: Relations, view: str) -> str | None:
    """Return a SELECT of the rows of a view; nothing where its own is to be used. Scores are sorted once for all."""
    if scope.is_sorted is None:
        scope.is_sorted = _sort(scope)
    return scope.statement(f"sorted/{SELECTS[view]}") if scope.is_sorted else None


def _sort(scope: Relations) -> bool:
    """Make the tables of the cells of all curves and of their crossings; return whether it applies."""
    engine = scope.engine
    wanted = engine.rows(scope.statement("sorted/curve"), {"few": FEW})
    if not wanted:
        return False
    table, waiting, n_waiting, crossings, of_run = "", [], 0, [], None
    decisions = scope.statement("sorted/decision")
    for number, (*key, n_target, n_nontarget, segments, stop) in enumerate(wanted, start=1):
        if key[:2] != of_run:
            of_run = key[:2]
            columns = engine.query(decisions, {"run_no": key[0], "profile_no": key[1]}).fetchnumpy()
            segment, is_target, score = (numpy.asarray(columns[name]) for name in ("segment_no", "is_target", "score"))
            order = numpy.argsort(score)
            segment, is_target, score = segment[order], is_target[order], score[order]
        inside = numpy.zeros(max(*segments, int(segment.max(initial=0))) + 1, dtype=bool)
        inside[segments] = True
        chosen = slice(None) if key[2] == 0 else inside[segment]
        scores, targets, nontargets = _groups(score[chosen], is_target[chosen])
        if (targets.sum(), nontargets.sum()) != (n_target, n_nontarget):
            return False  # trials without a score
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
    scope.insert("sorted_crossing", {name: [row[name] for row in crossings] for name in crossings[0]})
    scope.names["scope.sorted_rate"] = f"({scope.statement('sorted/rate')})"
    return True


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
    # as texts: wider than any number of an array
    row |= {"n_ordered": str(n_pair.sum()), "n_ordered_stop": str(n_pair[false_alarm <= n_stop].sum())}
    row["hit_at_stop"] = 0.0 if stop == 0 else None
    if stop:  # the group in which so many false alarms are reached, by rates that are rounded once
        reached = (rates >= stop) & ((false_alarm - n_nontarget) / all_nontarget < stop)
        for at in numpy.flatnonzero(reached).tolist():
            here, others = int(n_target[at]), int(n_nontarget[at])
            part = 1 if rates[at] == stop else (stop * all_nontarget - (int(false_alarm[at]) - others)) / others
            row["hit_at_stop"] = float(all_target - int(miss[at]) - here + here * part)
    return row
