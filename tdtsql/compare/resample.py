"""Draws of units, and intervals and p values from draws: arrays in, numbers out, no database.

A statistic is a function of how often each unit counts: `draw_units` counts, `blockwise` applies it to the counts. The
statistics here are means over topics, items and clusters of them (`Sample`), those of scored trials are in
`tdtsql.compare.trials`.

Stream. Only the raw words of PCG64, the four basic operations and sums of whole numbers are used: a seed gives one
result on every machine, at any number of threads. DRAWS_VERSION is part of signatures and of stored rows, and changes
with the order in which words are used. Draws depend on the seed and on how many units there are, so a pair of runs has
the same result alone and in a leaderboard.

| what            | how                                                      | source                                  |
|-----------------|----------------------------------------------------------|-----------------------------------------|
| `randomisation` | signs of differences; all patterns of at most 20 units   | Fisher (1935); Phipson, Smyth (2010)    |
| `bootstrap`     | p inverts the interval; with few units corrected as by t | Efron, Tibshirani; Hesterberg (2015)    |
| `bca`           | bias-corrected and accelerated interval                  | Efron (1987); Davison, Hinkley (1997)   |
| clusters        | drawn and turned whole                                   | Davison, Hinkley (1997); Miller (2024)  |
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy import ndarray

from tdtsql.compare.settings import Method
from tdtsql.errors import InvalidComparison, InvalidSetting

#: of the stream; report.comparison and report.interval have rows of this version alone
DRAWS_VERSION = 8
#: differing units up to which all sign patterns are counted
ENUMERATED = 20
#: units up to which signs are drawn for those that differ alone; of more, all pairs of runs share their signs
OWN_SIGNS = 256
#: units below which draws are too few different ones for an interval or a p value
FEWEST_UNITS = 5
#: numbers closer than this are the same, or by this share of the largest
TIE, ROUNDING = 1e-12, 2.0**-49
#: whole numbers below are exact in double precision, with room for twice a sum
LARGEST = 2.0**51
#: numbers drawn together; numbers held at a time
BLOCK, HELD = 2**16, 2**17
NORMAL = NormalDist()

#: called with the number of draws just done
Step = Callable[[int], None]
Row = dict[str, Any]


# ---- draws


def stream(seed: int, *purpose: int) -> np.random.PCG64:
    """Return the raw stream of a seed for one purpose (1: signs, 2: units, 3: trials)."""
    return np.random.PCG64(np.random.SeedSequence([seed, *purpose]))


def blockwise(compute: Callable[[slice], ndarray], n: int, width: int, step: Step | None = None) -> ndarray:
    """Return the n rows of a function of slices of them, each of which holds about HELD numbers.

    Args:
        width: numbers held for each row.
    """
    size, parts = max(1, HELD // max(1, width)), []
    for start in range(0, n, size):
        rows = slice(start, min(n, start + size))
        parts.append(compute(rows))
        if step is not None:
            step(rows.stop - rows.start)
    return np.concatenate(parts)


def _uniform(raw: np.random.PCG64, n: int) -> ndarray:
    return (raw.random_raw(n) >> np.uint64(11)) * 2.0**-53


def binomial(raw: np.random.PCG64, n: ndarray, share: float) -> ndarray:
    """Return one binomial number for each n, by inversion.

    A number of n trials is the sum of numbers of 2^k trials over the bits k of n, so that all n share one table per
    bit. Tables are products and sums: identical on every machine.
    """
    drawn, odds = np.zeros_like(n), share / (1 - share)
    for bit in range(int(n.max(initial=0)).bit_length()):
        of, size = np.flatnonzero(n >> bit & 1), 2**bit
        middle, reach = int(size * share), int(10 * math.sqrt(size * share * (1 - share))) + 30
        low, high = max(0, middle - reach), min(size, middle + reach)
        k = np.arange(low + 1.0, high + 1)
        below = np.cumsum(np.cumprod(np.append(1.0, (size + 1 - k) / k * odds)))
        drawn[of] += low + np.searchsorted(below, _uniform(raw, len(of)) * below[-1], side="right").clip(max=high - low)
    return drawn


def multinomial(raw: np.random.PCG64, size: ndarray, n_draw: int) -> ndarray:
    """Return how many of sum(size) units drawn with replacement are of each cell (cells x draws)."""
    left, n_left, numbers = int(size.sum()), np.full(n_draw, size.sum(), dtype=np.int64), []
    for n in size.tolist():
        numbers.append(n_left if n == left else binomial(raw, n_left, n / left))
        n_left, left = n_left - numbers[-1], left - n
    return np.array(numbers, dtype=np.int64).reshape(-1, n_draw)


def poisson(raw: np.random.PCG64, n: int, mean: float) -> ndarray:
    """Return n Poisson numbers of a mean of at most 1: by bytes, and what bytes do not resolve by itself."""
    terms = np.cumprod(np.append(1.0, mean / np.arange(1.0, 31.0)))
    chances = terms / math.fsum(terms.tolist()) * 2**8
    of_bytes = np.floor(chances)
    limits, rest = np.cumsum(of_bytes[of_bytes > 0]).astype(int).tolist(), np.cumsum(chances - of_bytes)
    numbers = np.zeros(n, dtype=np.int8)
    for part in np.split(numbers, range(BLOCK, n, BLOCK)):  # which stays within the processor's cache
        drawn = raw.random_raw(-(-len(part) // 8)).astype("<u8", copy=False).view(np.uint8)[: len(part)]
        for limit in limits:
            part += (is_more := drawn >= limit).view(np.int8)
        rare = np.flatnonzero(is_more)
        part[rare] = np.searchsorted(rest, _uniform(raw, len(rare)) * rest[-1], side="right")
    return numbers


def draw_units(raw: np.random.PCG64, size: ndarray, n_draw: int) -> ndarray:
    """Return how often each unit counts in sum(size) draws with replacement (draws x units).

    Args:
        size: how many draws a unit represents; where all are 1, Poisson numbers, which are multinomial given their
            sum, and units drawn singly up to the right sum; a draw with a larger sum is repeated.
    """
    n, n_unit = int(size.sum()), len(size)
    if n != n_unit:
        return multinomial(raw, size, n_draw).T
    counts, todo, lacking = np.zeros((n_draw, n), dtype=np.int8), np.arange(n_draw), np.zeros(n_draw, dtype=np.int64)
    while len(todo):
        counts[todo] = poisson(raw, len(todo) * n, max(0.5, 1 - 2 / math.sqrt(max(1, n)))).reshape(len(todo), n)
        lacking[todo] = n - counts[todo].sum(axis=1, dtype=np.int32)
        todo = todo[lacking[todo] < 0]
    units = (raw.random_raw(int(lacking.sum())) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32)
    np.add.at(counts.reshape(-1), units.astype(np.int64) + np.repeat(np.arange(n_draw) * n, lacking), np.int8(1))
    return counts


def sums_of(columns: ndarray, n_draw: int, draw: Callable[[int], ndarray], step: Step | None = None) -> ndarray:
    """Return sums (C x n_draw) of U x C whole numbers, each as often as its unit counts in a draw.

    Args:
        draw: returns the counts of a number of draws (draws x U).
    """
    # over their greatest common divisors: where sums of all rows are exact in single precision, it is twice as fast
    divisors = np.maximum(np.gcd.reduce(columns.astype(np.int64), axis=0), 1)
    small = columns / divisors
    if len(small) * float(np.abs(small).max(initial=0.0)) < 2**24:
        small = small.astype(np.float32)

    def sums(rows: slice) -> ndarray:
        return draw(rows.stop - rows.start).astype(small.dtype) @ small

    found = blockwise(sums, n_draw, len(columns), step).T
    return np.multiply(found, divisors[:, None], order="C")  # the sums of a column are read in turn


def drawn_sums(columns: ndarray, n_draw: int, raw: np.random.PCG64, step: Step | None = None) -> ndarray:
    """Return sums (C x n_draw) of U x C whole numbers over U units drawn with replacement."""
    size = np.ones(len(columns), dtype=np.int64)
    return sums_of(columns, n_draw, partial(draw_units, raw, size), step)


def signs(raw: np.random.PCG64, n: int, n_draw: int) -> ndarray:
    """Return which of n units keep their sign, each with chance 1/2 (draws x n, 0 or 1)."""
    words = raw.random_raw((n_draw, -(-n // 64))).astype("<u8", copy=False)
    return np.unpackbits(words.view(np.uint8), axis=1, count=n)


# ---- sums without rounding


def whole(values: ndarray) -> tuple[ndarray, ndarray]:
    """Return N x R numbers as whole multiples of the unit of each column, a power of ten from 1e-12, so that sums of
    all rows are exact; then the R units.

    Equal sums of n numbers are then at most n units apart.

    Raises:
        InvalidComparison: a number is infinite.
    """
    most = len(values) * np.abs(values).max(axis=0, initial=0.0)
    if np.isinf(most).any():
        raise InvalidComparison("a value is infinite: means and differences are undefined. Compare another metric.")
    exponents = [max(-12, math.ceil(math.log10(max(some, 1.0) / LARGEST))) for some in most.tolist()]
    up, down = (np.array([10.0 ** max(0, sign * some) for some in exponents]) for sign in (-1, 1))
    return np.floor(values * up / down + 0.5), down / up


def alike(arrays: Iterable[ndarray]) -> Iterable[list[int]]:
    """Return the places of the arrays that are equal, together."""
    places: dict[bytes, list[int]] = {}
    for at, array in enumerate(arrays):
        places.setdefault(array.tobytes(), []).append(at)
    return places.values()


def differences(one: ndarray, other: ndarray) -> ndarray:
    """Return differences of two columns; those within rounding of 0 are 0."""
    found = one - other
    found[np.abs(found) <= np.maximum(TIE, ROUNDING * np.maximum(np.abs(one), np.abs(other)))] = 0.0
    return found


def exact_sum(values: ndarray) -> float:
    """Return a sum that depends on no order: of whole numbers, whose unit is a power of two below the largest; NaN
    where a value is NaN.
    """
    most = float(np.abs(values).max(initial=0.0)) * max(1, len(values))
    if math.isnan(most):
        return math.nan
    shift = 60 - math.frexp(most)[1]
    return math.ldexp(float(np.rint(np.ldexp(values, shift)).astype(np.int64).sum()), -shift)


# ---- distributions


def student_tail(t: float, degrees: int) -> float:
    """Return P(|T| > |t|) of Student's distribution: the share of the integral of cos(u)^(degrees - 1) up to pi / 2
    beyond atan(t / sqrt(degrees)), by Simpson's rule.
    """

    def area(start: float, reach: float) -> float:
        end = min(math.pi / 2, start + reach)
        heights = np.cos(np.linspace(start, end, 3001)) ** (degrees - 1)
        heights[1:-1] *= 2
        heights[1:-1:2] *= 2
        return math.fsum(heights.tolist()) * (end - start)

    root, t = math.sqrt(degrees), abs(t)
    return area(math.atan(t / root), 60 / (4 + t) / root) / area(0.0, 15 / root)


@cache
def student_quantile(level: float, degrees: int) -> float:
    """Return t with P(|T| <= t) = level."""
    low, high = 0.0, 1.0
    while student_tail(high, degrees) > 1 - level:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, degrees) > 1 - level else (low, middle)
    return high


def chi_square_tail(x: float, degrees: int) -> float:
    """Return P(X > x) of the chi-square distribution with whole degrees of freedom (finite sums)."""
    if degrees <= 2:
        return math.exp(-x / 2) if degrees == 2 else math.erfc(math.sqrt(x / 2))
    shape = degrees / 2
    return chi_square_tail(x, degrees - 2) + math.exp(-x / 2) * (x / 2) ** (shape - 1) / math.gamma(shape)


# ---- intervals, p values


def interval(
    draws: ndarray, value: float, level: float, influence: Sequence[float] | None = None
) -> tuple[float, float, float]:
    """Return the ends of the percentile interval of a value, or of the BCa interval, and p of the value 0.

    p inverts the interval: it is below 1 - level where the interval does not hold 0. Draws of 0 count on both sides.

    Args:
        draws: without NaN.
        influence: for BCa: sum of squares and of cubes of the influence of each unit on the value.
    """
    draws, n, shares = np.where(np.abs(draws) < TIE, 0.0, draws), len(draws), [(1 - level) / 2, (1 + level) / 2]
    n_below, n_zero = (int(np.count_nonzero(flags)) for flags in (draws < 0, draws == 0))
    least = 2 / (n + 1)
    p = min(1.0, least * (1 + min(n_below + n_zero, n - n_below)))
    square, cube = influence or (0.0, 0.0)
    if not square <= TIE**2 or influence and np.ptp(draws):
        away = differences(draws, np.full(n, value))
        share = (np.count_nonzero(away < 0) + np.count_nonzero(away == 0) / 2) / n
        if not 0 < share < 1 or not math.isfinite(square):
            return math.nan, math.nan, math.nan
        bias, skew = NORMAL.inv_cdf(share), cube / (6 * square**1.5) if square > TIE**2 else 0.0
        moved = [bias + NORMAL.inv_cdf(some) for some in shares]
        shares = [NORMAL.cdf(bias + by / (1 - skew * by)) for by in moved]
        by = NORMAL.inv_cdf(min(max((n_below + n_zero / 2) / n, 1 / (n + 1)), n / (n + 1))) - bias
        q = NORMAL.cdf(by / (1 + skew * by) - bias)
        p = max(least, 2 * min(q, 1 - q))
    ends = np.quantile(draws, shares)
    low, high = np.where(differences(ends, np.full(2, value)) == 0, value, ends).tolist()
    return low, high, p


def sign_test(terms: ndarray) -> float:
    """Return the share of all sign patterns of few whole numbers whose sum is as large as theirs."""
    least = abs(float(terms.sum())) - 2 * len(terms)
    if least <= 0:
        return 1.0
    one, other = np.zeros(1), np.zeros(1)  # the sums of either half
    for term in terms:
        one, other = other, np.concatenate([one + term, one - term])
    n_below = int(np.searchsorted(np.sort(other), least - one).sum())
    return 2 * (len(one) * len(other) - n_below) / 2 ** len(terms)


def _sign_tests(
    terms: ndarray, pairs: Sequence[tuple[int, int]], method: Method, step: Step | None
) -> list[tuple[float, bool]]:
    """Return p under exchange of the runs, and whether it is exact, for pairs of columns of whole numbers.

    Args:
        terms: in one unit.
    """
    found: list[tuple[float, bool]] = [(math.nan, False)] * len(pairs)
    masks: dict[int, ndarray] = {}  # of a pair the units whose signs are drawn
    for index, (run, baseline) in enumerate(pairs):
        apart = terms[:, run] - terms[:, baseline]
        differs = np.abs(apart) > 2
        if int(differs.sum()) <= ENUMERATED:
            found[index] = sign_test(apart[differs]), True
        else:
            masks[index] = differs if len(terms) <= OWN_SIGNS else differs >= 0
    for places in alike(masks.values()):
        members = [list(masks)[place] for place in places]
        used = list(dict.fromkeys(at for index in members for at in pairs[index]))
        own = terms[masks[members[0]]][:, used]
        own = own - own[:, :1]
        draw = partial(signs, stream(method.seed, 1), len(own))
        sums = np.pad(sums_of(own[:, 1:], method.n_permutation, draw, step), ((1, 0), (0, 0)))
        apart = np.empty(method.n_permutation)  # one for all: of many pairs, memory would cost more than the sums
        for index in members:
            run, baseline = map(used.index, pairs[index])
            half = float((own[:, run] - own[:, baseline]).sum()) / 2
            np.subtract(sums[run], sums[baseline], out=apart)
            apart -= half
            # equal sums are at most so many units apart
            n = np.count_nonzero(np.abs(apart, out=apart) >= abs(half) - len(own))
            found[index] = (n + 1) / (len(apart) + 1), False
    return found


def _wilcoxon(differences: ndarray) -> float:
    try:
        from scipy.stats import wilcoxon
    except ImportError:
        raise InvalidSetting("test wilcoxon needs SciPy: pip install 'tdtsql[stats]'.") from None
    # what is equal but for rounding has one rank
    return float(wilcoxon(np.round(differences, 11)).pvalue) if (differences != 0).any() else 1.0


# ---- means over topics, items and clusters


class Sample:
    """T topics or items with a number for each of R runs, in the units that are drawn."""

    def __init__(
        self,
        values: ndarray,
        *,
        weights: ndarray | None = None,
        clusters: ndarray | None = None,
        groups: ndarray | None = None,
    ) -> None:
        """Take T x R values; a topic without a number (NaN) is drawn and does not count.

        Args:
            weights: T, of a weighted mean.
            clusters: T codes: the topics of a cluster are drawn and turned together.
            groups: T codes: units are drawn inside each group, and the mean is that of the means of the groups.
        """
        none = np.zeros(len(values), dtype=np.int64)
        self.weight = np.where(np.isnan(values).any(axis=1), 0.0, 1.0 if weights is None else weights)
        self.values = np.nan_to_num(values)
        self.stratum = none if groups is None else np.unique(groups, return_inverse=True)[1]
        unit = np.arange(len(values)) if clusters is None else clusters
        key = self.stratum * (int(unit.max()) + 1) + unit
        _, first, self.unit = np.unique(key, return_index=True, return_inverse=True)
        self.stratum_of_unit, self.n_unit = self.stratum[first], len(first)
        self.n_stratum = int(self.stratum.max()) + 1
        self.n_free = self.n_unit - self.n_stratum
        self.total = np.bincount(self.stratum, self.weight)
        self.share = self.weight / self.total[self.stratum] / self.n_stratum  #: a mean is the sum of value times share
        numbers, self.units = whole(self.values * self.weight[:, None])  # a pair depends on no other run
        self.numbers = np.stack([self.by_unit(column) for column in numbers.T], axis=1)
        sizes, self.size_unit = whole(self.weight[:, None])
        self.sizes = self.by_unit(sizes[:, 0])

    def by_unit(self, terms: ndarray) -> ndarray:
        """Return the sums of T terms in each unit."""
        return np.bincount(self.unit, terms, self.n_unit)

    def mean(self, run: int) -> float:
        """Return the mean of a run."""
        terms = self.values[:, run] * self.weight
        parts = [math.fsum(terms[self.stratum == at].tolist()) for at in range(self.n_stratum)]
        return math.fsum(part / total for part, total in zip(parts, self.total.tolist(), strict=True)) / self.n_stratum

    def influence(self, values: ndarray) -> tuple[float, float, float]:
        """Return the standard error of a mean (NaN where a stratum has one unit), and the sums of squares and of cubes
        of the units' influence on it.

        Source: E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), appendix A; n / (n - 1) as in statsmodels.
        """
        terms = values * self.share
        means = np.array([exact_sum(terms[self.stratum == at]) * self.n_stratum for at in range(self.n_stratum)])
        own = self.by_unit((values - means[self.stratum]) * self.share)
        n = np.bincount(self.stratum_of_unit)
        factor = (n / np.maximum(n - 1, 1))[self.stratum_of_unit]
        se = math.sqrt(exact_sum(own * own * factor)) if (n > 1).all() else math.nan
        return se, exact_sum(own * own), exact_sum(own * own * own)

    def draws(self, method: Method, step: Step | None = None) -> Callable[..., ndarray]:
        """Draw units: return a function from a run to the B means of its draws, or from two to the differences.

        The draws of a stratum depend on the seed and its number of units alone.
        """
        parts, with_size = [], np.column_stack([self.numbers, self.sizes])
        for at in range(self.n_stratum):
            raw = stream(method.seed, 2, *[at][:at])
            parts.append(drawn_sums(with_size[self.stratum_of_unit == at], method.n_draw, raw, None if at else step))

        def means(run: int, other: int | None = None) -> ndarray:
            units = self.units[[run, run if other is None else other]]
            one, two = units / units.max() * [1.0, other is not None]
            with np.errstate(invalid="ignore", divide="ignore"):
                found = [(sums[run] * one - sums[other or 0] * two) / sums[-1] for sums in parts]
            return np.sum(found, axis=0) * (units.max() / self.size_unit / self.n_stratum)

        return means


def compare_means(
    sample: Sample, pairs: Sequence[tuple[int, int]], method: Method, step: Step | None = None
) -> list[Row]:
    """Return the results of pairs (run, baseline) of columns of a sample, one row for each; NaN where undefined."""
    columns, units, n_unit, n_free, test = sample.numbers, sample.units, sample.n_unit, sample.n_free, method.test
    drawn, by_signs = None, dict[int, tuple[float, bool]]()
    if n_free > 0 and (test == "bootstrap" or method.interval != "t"):
        drawn = sample.draws(method, step)
    if n_free > 0 and test == "randomisation":
        if sample.n_stratum > 1:  # a group counts as much as another
            columns, units = whole(columns * units / sample.total[sample.stratum_of_unit][:, None])
        of_pairs = units[np.array(pairs)].max(axis=1)
        for unit in np.unique(of_pairs):  # the larger one of a pair
            some = np.flatnonzero(of_pairs == unit).tolist()
            found = _sign_tests(np.rint(columns * (units / unit)), [pairs[at] for at in some], method, step)
            by_signs |= zip(some, found, strict=True)
    means, rows = [sample.mean(at) for at in range(columns.shape[1])], list[Row]()
    for index, (run, baseline) in enumerate(pairs):
        apart = differences(sample.values[:, run], sample.values[:, baseline])
        difference = means[run] - means[baseline] if apart.any() else 0.0
        se, *sums = sample.influence(apart)
        away = apart - exact_sum(apart) / len(apart)
        deviation = math.sqrt(exact_sum(away * away) / max(1, len(away) - 1))
        # also clusters with one mean difference; of one unit it is undefined
        if deviation < TIE and se == se or se <= max(TIE, ROUNDING * abs(difference)):
            se, sums = 0.0, [0.0, 0.0]
        row: Row = {
            "value": means[run],
            "baseline_value": means[baseline],
            "difference": difference,
            "se": se,
            "effect_size": difference / deviation if deviation >= TIE else math.nan,
            "win": int((apart > 0).sum()),
            "tie": int((apart == 0).sum()),
            "loss": int((apart < 0).sum()),
            "n_differing": int((sample.by_unit(np.abs(apart)) > 0).sum()),
            "n_unit": n_unit,
        }
        rows.append(row)
        if n_free < 1 or math.isnan(se):
            row["reason"] = "one unit: no test and no interval"
            continue
        if test == "bootstrap" and n_unit < FEWEST_UNITS:
            row["reason"] = f"fewer than {FEWEST_UNITS} units to draw: no test and no interval"
            continue
        low, high, p = difference, difference, float(not difference)
        if drawn is not None:
            influence = sums if method.interval == "bca" else None
            low, high, p = interval(drawn(run, baseline), difference, method.level, influence)
        if not se or method.interval == "t":
            reach = student_quantile(method.level, n_free) * se if se else 0.0
            low, high = difference - reach, difference + reach
        statistic, is_exact = difference / se if se else math.nan, test in ("t", "wilcoxon")
        if test == "randomisation":
            p, is_exact = by_signs[index]
        elif test == "wilcoxon":
            p = _wilcoxon(sample.by_unit(apart) / np.bincount(sample.unit))
        elif test == "t":
            p = student_tail(statistic, n_free) if se else float(difference == 0)
        elif se and 0 < p < 1:  # corrected for few units as Student's t corrects a normal test
            p = student_tail(-NORMAL.inv_cdf(p / 2) * math.sqrt(n_free / n_unit), n_free)
        row |= {"low": low, "high": high, "statistic": statistic, "p": p, "is_exact": int(is_exact)}
        if deviation < TIE:
            row["reason"] = "the differences do not vary: no effect size"
        elif not se:
            row["reason"] = "all units have the same mean difference: the interval is one point"
        elif math.isnan(low):
            row["reason"] = "the mean is outside its resamples: no BCa interval"
    return rows
