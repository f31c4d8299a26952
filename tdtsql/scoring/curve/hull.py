"""The rows of ``metric.verification_hull__v1``: the convex hull of the curve of a run.

Each edge of the lower hull is a pool of the best calibration (pool adjacent violators). The view proceeds
from vertex to vertex by recursion, whose work is points times vertices. This kernel computes the same rows in one pass
along the points with a stack, in whole numbers.

Source: N. Bruemmer, The BOSARIS Toolkit User Guide (2011), ROCCH and PAV; A. Andrew, Another efficient algorithm for
    convex hulls in two dimensions (1979).
"""

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
        y, x = (
            numpy.asarray(columns[name])
            if small
            else numpy.array([int(value) for value in columns[name]], dtype=object)
            for name in ("miss", "false_alarm")
        )
        level = numpy.ma.filled(columns["threshold"], numpy.nan)
        for addition in ("none", "laplace") if small and min_cllr == "laplace" else ("none",):
            if addition == "laplace":
                x, y, level = with_additional(x, y, level)
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


def vertices(x: numpy.ndarray, y: numpy.ndarray) -> list[int]:
    """Return the places of the vertices of the lower convex hull of points from (0, T) to (N, 0), x not falling and y
    not rising, no two equal.

    Args:
        x: (P,) false alarms, as whole numbers, which are exact.
        y: (P,) misses, like x.

    Returns:
        Places, rising, the first and the last point among them.
    """
    places, n_before = numpy.arange(len(x)), 2 * len(x)
    # a point on or above the line between its neighbours is not a vertex, whatever happens to these
    while len(places) < 0.9 * n_before:
        n_before, step_x, step_y = len(places), numpy.diff(x[places]), numpy.diff(y[places])
        is_below = step_x[:-1] * step_y[1:] > step_y[:-1] * step_x[1:]
        places = places[numpy.concatenate([[True], is_below, [True]])]
    kept: list[tuple[int, int, int]] = []
    for place, here_x, here_y in zip(places.tolist(), x[places].tolist(), y[places].tolist(), strict=True):
        # remove the last vertex if it is not below the line from its predecessor to here
        while len(kept) > 1 and (
            (kept[-1][1] - kept[-2][1]) * (here_y - kept[-2][2]) <= (kept[-1][2] - kept[-2][2]) * (here_x - kept[-2][1])
        ):
            kept.pop()
        kept.append((place, here_x, here_y))
    return [place for place, *_ in kept]
