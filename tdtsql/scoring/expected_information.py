"""A kernel for ``metric.partition_expected_mi__v1`` that does not join every pair of sizes with the numbers of its
range.

The view is the definition. Here the ranges of many pairs are rows of one array, the shortest first. What the view
adds in integers of 1e-15 is added in integers here. The rest are the same formulas in doubles: of class libm like the
view, and equal to it within some units in the last place, as a test checks.
"""

import numpy
from tdtsql.scoring.relations import Relations


EXPECTED, PAIR, WORK = (f"metric.partition_{name}__v1" for name in ("expected_mi", "size_pair", "expected_work"))
_KEYS = ("run_no", "profile_no", "subset_no", "block_no")
#: terms up to which the view's own SELECT is as fast
FEW = 200_000
#: terms in one array
_TERMS = 1 << 21


def expected_information(scope: Relations, _: str) -> str | None:
    """Return a SELECT of the rows of the view, over what was computed here, unless the terms are few."""
    engine, names = scope.engine, scope.names
    if (engine.value(f"select coalesce(sum(n_term), 0) from {names[WORK]} where is_made = 1") or 0) <= FEW:
        return None
    columns = engine.query(f"""
        select run_no, profile_no, subset_no, block_no, gold_size, system_size, n_item, n_pair, low, high
        from {names[PAIR]} join {names[WORK]} using (run_no, profile_no, subset_no) where is_made = 1
        order by high - low, run_no, profile_no, subset_no, block_no, gold_size, system_size""").fetchnumpy()
    pair = {name: numpy.asarray(values, dtype=numpy.int64) for name, values in columns.items()}
    total, begin = len(pair["low"]), 0
    means = numpy.empty(total)
    while begin < total:  # arrays of limited size: as many pairs as rows of twice the length of the first
        longest = 2 * int(pair["high"][begin] - pair["low"][begin] + 1)
        end = int(numpy.searchsorted(pair["high"] - pair["low"] + 1, longest, side="right"))
        part = slice(begin, min(end, begin + max(1, _TERMS // longest)))
        of_pair = (pair[name][part] for name in ("gold_size", "system_size", "n_item", "low", "high"))
        means[part] = mean_information(*of_pair)
        begin = part.stop
        scope.progress(begin, total, "expected mutual information")
    table = scope.insert("expected_mi", {name: pair[name] for name in (*_KEYS, "n_pair")} | {"mean": means})
    return f"""
        select {", ".join(f"cast({key} as integer) as {key}" for key in _KEYS)},
            cast(sum(cast(floor(n_pair * mean * 1e17 + 5e-1) as decimal(38, 0))) as double) / 1e17 as expected_mi
        from {table} group by all"""


def mean_information(
    a: numpy.ndarray, b: numpy.ndarray, n: numpy.ndarray, low: numpy.ndarray, high: numpy.ndarray
) -> numpy.ndarray:
    """Return (P,) the mean of x / n ln(n x / (a b)) over hypergeometric overlaps x of ``low`` to ``high``; all are (P,)
    of whole numbers.
    """
    step = numpy.arange(int((high - low).max()) + 1)
    x = low[:, None] + step
    is_there = x <= high[:, None]
    x = numpy.minimum(x, high[:, None])
    a, b, n = a[:, None], b[:, None], n[:, None]
    above = numpy.where(is_there, (a - x + 1) * (b - x + 1), 1).astype(float)
    below = numpy.where(is_there & (step > 0), x * (n - a - b + x), 1).astype(float)
    above[:, 0] = 1
    chance = numpy.cumsum(numpy.floor(numpy.log(above / below) * 1e15 + 0.5).astype(numpy.int64), axis=1)
    most = numpy.where(is_there, chance, numpy.iinfo(numpy.int64).min).max(axis=1, keepdims=True)
    weight = numpy.where(is_there, numpy.exp((chance - most) / 1e15), 0)
    information = x / n * numpy.log(numpy.maximum(n * x, 1) / (a * b).astype(float))
    information[x == 0] = 0
    return (weight * information).sum(axis=1) / weight.sum(axis=1)
