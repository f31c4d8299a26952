"""The rows of ``metric.verification_hull__v1``: the convex hull of the curve of a run.

Each edge of the lower hull is a pool of the best calibration (pool adjacent violators). The view proceeds
from vertex to vertex by recursion, whose work is points times vertices. This kernel computes the same rows in one pass
along the points with a stack, in whole numbers.

Source: N. Bruemmer, The BOSARIS Toolkit User Guide (2011), ROCCH and PAV; A. Andrew, Another efficient algorithm for
    convex hulls in two dimensions (1979).
"""

from collections.abc import Sequence

import numpy
from tdtsql.scoring.relations import Relations


HULL, POINT = "metric.verification_hull__v1", "metric.verification_weighted_point__v1"
_KEY = ("run_no", "profile_no", "subset_no", "weighting")


def hull(scope: Relations, _: str) -> str:
    """Return a SELECT of the rows of the view; empty without curves."""
    of_points = scope.names[POINT]
    curves = scope.engine.rows(scope.statement("curve/with_hull"))
    rows: list[tuple] = []
    for done, (*key, total_target, total_nontarget, min_cllr) in enumerate(curves, start=1):
        small = key[3] == "story"  # counts fit an array, sums over topics need not
        kind = "bigint" if small else "varchar"
        columns = scope.engine.query(f"""
            select threshold, cast(miss as {kind}) as miss, cast(false_alarm as {kind}) as false_alarm
            from {of_points} where run_no = {key[0]} and profile_no = {key[1]} and subset_no = {key[2]}
                and weighting = '{key[3]}'
            order by point_no""").fetchnumpy()
        miss, false_alarm = (
            numpy.asarray(columns[name]) if small else [int(value) for value in columns[name]]
            for name in ("miss", "false_alarm")
        )
        threshold = numpy.ma.filled(columns["threshold"], numpy.nan)
        for addition in ("none", "laplace") if small and min_cllr == "laplace" else ("none",):
            x, y, level = false_alarm, miss, threshold
            if addition == "laplace":
                x, y, level = with_additional(numpy.asarray(false_alarm), numpy.asarray(miss), threshold)
            for number, place in enumerate(vertices(x, y)):
                at = None if level[place] != level[place] else float(level[place])
                # as texts: wider than any number of an array
                counts = map(str, (y[place], x[place], total_target, total_nontarget))
                rows.append((*key, addition, number, at, *counts))
        if len(curves) > 20:
            scope.progress(done, len(curves), "convex hulls")
    names = (*_KEY, "addition", "vertex_no", "threshold", "miss", "false_alarm", "total_target", "total_nontarget")
    scope.insert("hull", {name: [row[place] for row in rows] for place, name in enumerate(names)})
    return scope.statement("hull")


def with_additional(
    x: numpy.ndarray, y: numpy.ndarray, level: numpy.ndarray
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Return the points (false alarms, misses, threshold) after a target and a non-target below all scores and the same
    above all are added.

    From above: a non-target, a target, then the trials, a non-target, a target; in the order of scores the target comes
    first each time.
    """
    n_target, n_nontarget = int(y[0]), int(x[-1])
    there = numpy.full(1, numpy.nan)
    x = numpy.concatenate([[0, 1], x + 1, [n_nontarget + 2, n_nontarget + 2]])
    y = numpy.concatenate([[n_target + 2, n_target + 2], y + 1, [1, 0]])
    return x, y, numpy.concatenate([there, there, level, there, there])


def vertices(x: numpy.ndarray | Sequence[float], y: numpy.ndarray | Sequence[float]) -> list[int]:
    """Return the places of the vertices of the lower convex hull of points from (0, T) to (N, 0), x not falling and y
    not rising, no two equal.

    Args:
        x: (P,) false alarms, as whole numbers, which are exact; or rates, for a drawing.
        y: (P,) misses, like x.

    Returns:
        Places, rising, the first and the last point among them.
    """
    places: Sequence[int] = range(len(x))
    at_x, at_y = x, y
    if isinstance(x, numpy.ndarray) and isinstance(y, numpy.ndarray):
        turns = _turns(x, y)
        # a point on or above the line between its neighbours is not a vertex, whatever happens to these
        n_before = 2 * len(turns)
        while len(turns) < 0.9 * n_before:
            n_before, step_x, step_y = len(turns), numpy.diff(x[turns]), numpy.diff(y[turns])
            is_below = step_x[:-1] * step_y[1:] > step_y[:-1] * step_x[1:]
            turns = turns[numpy.concatenate([[True], is_below, [True]])]
        places, at_x, at_y = turns.tolist(), x[turns].tolist(), y[turns].tolist()
    kept: list[int] = []
    for here, (here_x, here_y) in enumerate(zip(at_x, at_y, strict=True)):
        # remove the last vertex if it is not below the line from its predecessor to here
        while len(kept) > 1 and (
            (at_x[kept[-1]] - at_x[kept[-2]]) * (here_y - at_y[kept[-2]])
            <= (at_y[kept[-1]] - at_y[kept[-2]]) * (here_x - at_x[kept[-2]])
        ):
            kept.pop()
        kept.append(here)
    return [places[place] for place in kept]


def _turns(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    """Return the indexes of the points that may be vertices: not between two steps of one class, and not after
    non-targets only and before targets only.
    """
    step_x, step_y = numpy.diff(x), numpy.diff(y)
    may = ~(
        ((step_x[:-1] == 0) & (step_x[1:] == 0))
        | ((step_y[:-1] == 0) & (step_y[1:] == 0))
        | ((step_y[:-1] == 0) & (step_x[1:] == 0))
    )
    return numpy.concatenate([[0], numpy.flatnonzero(may) + 1, [len(x) - 1]])
