"""Rows of views that need the scores of a run in their order, from arrays that are sorted once.

The views are the definitions: `metric.detection_det_cell__v1` (corner points of the curve),
`metric.detection_det_block__v1` and `metric.detection_det_state__v1` (trials accepted down to each point), and
`metric.verification_crossing__v1` (equal error rates, and the area under the curve). This kernel sorts the scores of
targets and those of non-targets separately and finds by binary search what the views compute by windows over all
trials. Counts are integers, so the rows are the same. It applies if every curve is of one block and of many trials.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy

from tdtsql.scoring.asked import Asked, Key

CELL, BLOCK, STATE = (f"metric.detection_det_{name}__v1" for name in ("cell", "block", "state"))
CROSSING = "metric.verification_crossing__v1"
_DECISION, _CURVE_CELL, _TOTAL = "base.scored_decision__v1", "base.curve_cell__v1", "metric.detection_trial_total__v1"

#: trials of all curves together up to which the views' own SELECTs are as fast
FEW = 300_000
#: cells that are stored at a time, where curves are small
_MOST_CELLS = 1_000_000
#: what a cell has of its curve
_OF_CURVE = ("run_no", "profile_no", "subset_no", "block_no", "n_target", "n_nontarget")
_KEY = "run_no, profile_no, subset_no"
#: where trials without a decision are, below all scores
_LOWEST = -9e99


@dataclass(frozen=True, slots=True)
class Curve:
    """The scores of one curve, rising: (T,) of targets and (N,) of non-targets."""

    tar: numpy.ndarray
    non: numpy.ndarray

    def below(self, score: float) -> tuple[int, int]:
        """Return how many targets and non-targets are below a score."""
        return int(numpy.searchsorted(self.tar, score)), int(numpy.searchsorted(self.non, score))

    def difference(self, score: float) -> int:
        """Return p_miss - p_fa at a threshold, times T N."""
        n_miss, n_rejected = self.below(score)
        return n_miss * len(self.non) - (len(self.non) - n_rejected) * len(self.tar)

    def crossing(self) -> float:
        """Return the highest score at which p_miss <= p_fa."""
        found = []
        for scores in (self.tar, self.non):
            low, high = 0, len(scores)
            while low < high:
                middle = (low + high) // 2
                low, high = (middle + 1, high) if self.difference(scores[middle]) <= 0 else (low, middle)
            found += [float(scores[low - 1])] if low else []
        return max(found)

    def groups(self, low: float, high: float) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """Return the distinct scores from ``low`` to ``high``, and how many targets and non-targets each has."""
        parts = [
            scores[numpy.searchsorted(scores, low) : numpy.searchsorted(scores, high, side="right")]
            for scores in (self.tar, self.non)
        ]
        scores = numpy.unique(numpy.concatenate(parts))
        n_tar, n_non = (
            numpy.searchsorted(part, scores, side="right") - numpy.searchsorted(part, scores) for part in parts
        )
        return scores, n_tar, n_non

    def _window(self, score: float, reach: int) -> tuple[float, float]:
        """Return the scores about ``reach`` trials of each class below and above a score."""
        low, high = math.inf, -math.inf
        for scores in (self.tar, self.non):
            place = int(numpy.searchsorted(scores, score))
            low = min(low, float(scores[max(0, min(place, len(scores) - 1) - reach)]))
            high = max(high, float(scores[min(len(scores) - 1, place + reach)]))
        return low, high

    def corner_near(self, score: float, *, above: bool) -> float | None:
        """Return the nearest score from this one on, downwards or ``above`` it, whose point is a corner; None:
        reject-all is.
        """
        lowest, highest = min(self.tar[0], self.non[0]), max(self.tar[-1], self.non[-1])
        reach = 64
        while True:
            low, high = self._window(score, reach)
            scores, n_target, n_nontarget = self.groups(low, high)
            repeats = numpy.zeros(len(scores), dtype=bool)
            repeats[1:] = (n_target[1:] == n_target[:-1]) & (n_nontarget[1:] == n_nontarget[:-1])
            # the first of a window may repeat the one below it
            known = numpy.ones(len(scores), dtype=bool)
            known[0] = scores[0] == lowest
            corner = known & (~repeats | (scores == highest))
            found = scores[corner & (scores > score if above else scores <= score)]
            if len(found):
                return float(found[0] if above else found[-1])
            if above and high == highest:
                return None
            reach *= 8

    def cells(self) -> dict[str, numpy.ndarray]:
        """Return the cells of the corner points as columns of the view; see its formula."""
        levels, n_target = _distinct(self.tar)
        at = [numpy.searchsorted(self.non, levels, side=side) for side in ("left", "right")]
        # non-targets above each level and below the next; for those below all targets, above the lowest level
        # score there is stays apart
        starts = numpy.concatenate([[0, numpy.searchsorted(self.non, _LOWEST, side="right") if at[0][0] else 0], at[1]])
        starts[1] = min(int(starts[1]), int(at[0][0]))
        ends = numpy.concatenate([[starts[1]], at[0], [len(self.non)]])
        some = ends > starts
        low, high = self.non[starts[some]], self.non[ends[some] - 1]
        threshold = numpy.concatenate([levels, low])
        order = numpy.argsort(-threshold)
        cells = {
            "threshold": threshold[order],
            "last_score": numpy.concatenate([levels, high])[order],
            "n_target_here": numpy.concatenate([n_target, numpy.zeros(len(low), dtype=numpy.int64)])[order],
            "n_nontarget_here": numpy.concatenate([at[1] - at[0], (ends - starts)[some]])[order],
        }
        n_hit, n_false_alarm = numpy.cumsum(cells["n_target_here"]), numpy.cumsum(cells["n_nontarget_here"])
        cells |= {"state_no": numpy.arange(1, len(order) + 1), "n_hit": n_hit, "n_false_alarm": n_false_alarm}
        for name in ("target", "nontarget"):
            cells[f"n_{name}_below"] = numpy.append(cells[f"n_{name}_here"][1:], 0)
        # there are as many rows as the subsets have trials together
        cells = {
            name: values.astype(numpy.int32) if values.dtype.kind == "i" else values for name, values in cells.items()
        }
        cells["score_below"] = numpy.append(cells["last_score"][1:], 0.0)
        return cells

    def numbers(self, stop: float | None) -> dict[str, object]:
        """Return the row of the crossing as columns of the view; see its formula."""
        n_target, n_nontarget = len(self.tar), len(self.non)
        score = self.crossing()
        n_miss, n_rejected = self.below(score)
        row: dict[str, object] = {
            "n_target": n_target,
            "n_nontarget": n_nontarget,
            "score": score,
            "n_miss": n_miss,
            "n_false_alarm": n_nontarget - n_rejected,
            "n_target_here": int(numpy.searchsorted(self.tar, score, side="right")) - n_miss,
            "n_nontarget_here": int(numpy.searchsorted(self.non, score, side="right")) - n_rejected,
        }
        corner, above = self.corner_near(score, above=False), self.corner_near(score, above=True)
        for name, place in (("", corner), ("_above", above)):
            missed, rejected = (n_target, n_nontarget) if place is None else self.below(place)
            row[f"corner_miss{name}"], row[f"corner_false_alarm{name}"] = missed, n_nontarget - rejected
        row["n_ordered"] = sum(
            int(numpy.searchsorted(self.non, self.tar, side=side).sum()) for side in ("left", "right")
        )
        row["n_ordered_stop"], row["hit_at_stop"] = self._up_to(stop)
        return row

    def _up_to(self, stop: float | None) -> tuple[int, float | None]:
        """Return twice the ordered pairs up to the last corner with p_fa <= stop, and the accepted targets where p_fa =
        stop.
        """
        n_target, n_nontarget = len(self.tar), len(self.non)
        if stop is None:
            return 0, None
        # the lowest threshold with p_fa <= stop: most false alarms first that do not go beyond
        rates = numpy.arange(n_nontarget + 1) / n_nontarget
        n_most = int(numpy.searchsorted(rates, stop, side="right")) - 1
        n_stop = 0
        if n_most == n_nontarget:
            n_stop = n_nontarget
        elif n_most > 0:
            # accepting this score would go beyond; the corner is above it
            first = self.corner_near(float(self.non[n_nontarget - n_most - 1]), above=True)
            n_stop = 0 if first is None else n_nontarget - self.below(first)[1]
        top = self.non[n_nontarget - n_stop :]
        n_ordered = sum(
            int(n_stop * n_target - numpy.searchsorted(self.tar, top, side=side).sum()) for side in ("left", "right")
        )
        if stop == 0:
            return n_ordered, 0.0
        # the group of non-targets in which so many false alarms are reached, by rates that are rounded once
        place = n_nontarget - int(numpy.searchsorted(rates, stop))
        if place < 0:
            return n_ordered, None
        score = float(self.non[place])
        n_miss, n_rejected = self.below(score)
        if rates[n_nontarget - n_rejected] == stop:
            return n_ordered, float(n_target - n_miss)
        here = int(numpy.searchsorted(self.tar, score, side="right")) - n_miss
        nontargets = int(numpy.searchsorted(self.non, score, side="right")) - n_rejected
        return n_ordered, n_target - n_miss - here + here * (
            (stop * n_nontarget - (n_nontarget - n_rejected - nontargets)) / nontargets
        )


def _distinct(scores: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return the distinct values of rising scores, and the count of each."""
    starts = numpy.flatnonzero(numpy.concatenate([[True], scores[1:] != scores[:-1]]))
    return scores[starts], numpy.diff(numpy.concatenate([starts, [len(scores)]]))


def _sort(asked: Asked, few: int) -> dict[Key, Curve] | None:
    """Return the sorted scores of every curve; None if the views' own SELECTs must be used."""
    found = asked.sorted_scores
    with found.lock:
        if not found.is_made:
            found.curves = _sorted_curves(asked, few)
            found.is_made = True
    return found.curves


def _sorted_curves(asked: Asked, few: int) -> dict[Key, Curve] | None:
    """Return the scores of every curve, sorted once for a run and profile, and note the block of each."""
    of = asked.name
    wanted = asked.engine.rows(f"""
        select run.run_no, cell.profile_no, cell.subset_no, cell.block_no, list(cell.segment_no
        order by cell.segment_no), max(cell.all_points),
            max(counted.n_target), max(counted.n_nontarget)
        from {of("registry.run")} as run join {of(_CURVE_CELL)} as cell on cell.condition_no = run.condition_no
        join {of(_TOTAL)} as counted on counted.run_no = run.run_no and counted.profile_no = cell.profile_no
            and counted.subset_no = cell.subset_no
            and counted.block_no = cell.block_no
        group by all order by 1, 2, 3""")
    keys = [row[:3] for row in wanted]
    sizes = [row[6] + row[7] for row in wanted]
    if sum(sizes) <= few or len(set(keys)) < len(keys) or any(row[5] or not row[6] or not row[7] for row in wanted):
        return None
    curves: dict[Key, Curve] = {}
    for run_no, profile_no in dict.fromkeys(key[:2] for key in keys):
        columns = asked.engine.query(f"""
            select segment_no, is_target, score from {of(_DECISION)}
            where run_no = {run_no} and profile_no = {profile_no}""").fetchnumpy()
        segments, is_target, scores = (numpy.asarray(columns[name]) for name in ("segment_no", "is_target", "score"))
        if all(key[2] == 0 for key in keys if key[:2] == (run_no, profile_no)):  # values alone are sorted faster
            rising = [(numpy.sort(scores[is_target == flag]), segments[:0]) for flag in (1, 0)]
        else:
            order = numpy.argsort(scores)
            rising = [
                (scores[chosen], segments[chosen]) for flag in (1, 0) for chosen in (order[is_target[order] == flag],)
            ]
        n_segment = int(segments.max(initial=0)) + 1
        for key, (*_, block_no, chosen, _, n_target, n_nontarget) in zip(keys, wanted, strict=True):
            if key[:2] != (run_no, profile_no):
                continue
            inside = numpy.zeros(n_segment, dtype=bool)
            inside[[number for number in chosen if number < n_segment]] = True
            curve = Curve(*(of_class if key[2] == 0 else of_class[inside[own]] for of_class, own in rising))
            if (len(curve.tar), len(curve.non)) != (n_target, n_nontarget):
                return None  # trials without a score
            curves[key] = curve
            asked.sorted_scores.blocks[key] = block_no
    return curves


def cells(asked: Asked, *, few: int = FEW) -> str:
    """Return a SELECT of the rows of CELL: of cells computed here, or ``body``, the definition."""
    curves, found, engine = _sort(asked, few), asked.sorted_scores, asked.engine
    if curves is None:
        return asked.body
    for columns in _cells_of(curves, found.blocks):
        if found.cells:
            engine.insert(found.cells, columns)
        else:
            found.cells = engine.insert_temporary("sorted_cell", columns)
    return f"""
        select {_KEY}, block_no, threshold, last_score,
            threshold as low_score, {_whole("n_target_here", "n_target")}, {_whole("n_nontarget_here", "n_nontarget")}
        from {found.cells}"""


def _cells_of(curves: Mapping[Key, Curve], blocks: Mapping[Key, int]) -> Iterator[dict[str, numpy.ndarray]]:
    """Yield the cells of all curves as columns, those of small curves together."""
    waiting: list[dict[str, numpy.ndarray]] = []
    n_waiting = 0
    for number, (key, curve) in enumerate(curves.items(), start=1):
        made = curve.cells()
        of_curve = zip(_OF_CURVE, (*key, blocks[key], len(curve.tar), len(curve.non)), strict=True)
        waiting.append(
            {name: numpy.full(len(made["threshold"]), value, numpy.int32) for name, value in of_curve} | made
        )
        n_waiting += len(made["threshold"])
        if n_waiting >= _MOST_CELLS or number == len(curves):
            yield {name: numpy.concatenate([columns[name] for columns in waiting]) for name in waiting[0]}
            waiting, n_waiting = [], 0


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


def blocks(asked: Asked) -> str:
    """Return a SELECT of the rows of BLOCK over the cells computed here, or ``body``, the definition."""
    if not asked.sorted_scores.cells:
        return asked.body
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
        from {asked.sorted_scores.cells}"""


def _square(units: str) -> str:
    return f"cast(cast({units} as decimal(38, 0)) * {units} as decimal(38, 0))"


def states(asked: Asked) -> str:
    """Return a SELECT of the rows of STATE over the cells computed here, or ``body``, the definition."""
    table = asked.sorted_scores.cells
    if not table:
        return asked.body
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


def crossings(asked: Asked, *, few: int = FEW) -> str:
    """Return a SELECT of the rows of CROSSING: of rows computed here, or ``body``, the definition."""
    curves, engine = _sort(asked, few), asked.engine
    if curves is None:
        return asked.body
    stops = dict(engine.rows(f"select profile_no, p_fa_stop from {asked.name('registry.profile')}"))
    rows = [
        {"run_no": key[0], "profile_no": key[1], "subset_no": key[2], **curve.numbers(stops[key[1]])}
        for key, curve in curves.items()
    ]
    table = engine.insert_temporary(
        "sorted_crossing",
        {
            name: [str(row[name]) if kind.startswith("decimal") else row[name] for row in rows]
            for name, kind in _OF_CROSSING.items()
        },
    )
    return (
        f"select {', '.join(f'cast({name} as {kind}) as {name}' for name, kind in _OF_CROSSING.items())} from {table}"
    )


#: views that only rename the cells computed here, and so need no table
OF_CELLS = (CELL, BLOCK, STATE, "metric.verification_weighted_point__v1")
