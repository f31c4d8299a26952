"""How often do tests find a difference where there is none, and 95 % intervals hold the truth?

python bench/coverage_of_intervals.py means [PAIRS]      topics, and items in clusters
python bench/coverage_of_intervals.py trials [SETS]      scored trials
"""

import math
import sys

import numpy as np

from tdtsql.compare.resample import Sample, compare_means
from tdtsql.compare.settings import Method
from tdtsql.compare.trials import Measure, Trials, compare_trials, observed

LEVEL = 0.05
NOISE = {
    "normal": lambda generator, size: generator.normal(0, 0.1, size),
    "exponential": lambda generator, size: generator.exponential(0.1, size),
    "binomial of 8": lambda generator, size: generator.binomial(8, 0.2, size) / 8,
}


def false_findings(
    noise: str, n_unit: int, test: str, interval: str, *, is_clustered: bool, n_pair: int
) -> tuple[float, float]:
    """Return the shares of null pairs with p < LEVEL, and of intervals that hold 0."""
    generator, each = np.random.default_rng([n_unit, *noise.encode()]), 5 if is_clustered else 1
    clusters = np.arange(n_unit * each) // each if is_clustered else None
    found = holds = 0
    for seed in range(n_pair):
        values = NOISE[noise](generator, (n_unit * each, 2))
        if is_clustered:
            values += NOISE[noise](generator, (n_unit, 2))[clusters]
        method = Method(test, "holm", interval, 0.95, 999, 999, seed)
        [row] = compare_means(Sample(values, clusters=clusters), [(0, 1)], method)
        found += row["p"] < LEVEL
        holds += not row["low"] > 0 and not row["high"] < 0
    return found / n_pair, holds / n_pair


def of_means(n_pair: int = 2000) -> None:
    """Two runs of one distribution, by topic or in clusters of five items, many times: the share of p < 5 % should be
    near 5 % (bounds 3.5 to 6.5 %). Coverage of 95 % intervals of the difference is printed next to it.
    """
    print(f"{n_pair} null pairs, standard error {math.sqrt(LEVEL * (1 - LEVEL) / n_pair):.4f}")
    for is_clustered in (False, True):
        for noise in NOISE:
            for n_unit in (25, 200):
                for test, interval in (("randomisation", "bca"), ("bootstrap", "percentile")):
                    level, coverage = false_findings(
                        noise, n_unit, test, interval, is_clustered=is_clustered, n_pair=n_pair
                    )
                    unit = "clusters" if is_clustered else "topics"
                    print(
                        f"{noise:14} {n_unit:4} {unit:8} {test:13} level {level:.3f}  {interval} covers {coverage:.3f}",
                        flush=True,
                    )


# ---- scored trials

N_DRAW = 400
SIZES = ((100, 400), (300, 1200))
COSTS = {"price_miss": 0.1, "price_fa": 0.9, "threshold": math.log(9)}
MEASURES = {
    "eer": (Measure("eer", **COSTS), "bootstrap", "percentile"),
    "min_c_det": (Measure("min_c_det", **COSTS), "bootstrap", "percentile"),
    "act_c_det": (Measure("act_c_det", **COSTS), "bootstrap", "percentile"),
    "auc, DeLong": (Measure("auc", **COSTS), "delong", "normal"),
    "cllr": (Measure("cllr", **COSTS), "bootstrap", "percentile"),
    "min_cllr": (Measure("min_cllr", **COSTS), "bootstrap", "percentile"),
}


def simulated(generator: np.random.Generator, n_target: int, n_nontarget: int) -> Trials:
    """Return trials of three systems, log-likelihood ratios of normal scores 2, 1.7 and 2 deviations apart, whose
    errors hang together.
    """
    is_target = np.arange(n_target + n_nontarget) < n_target
    shared, own = generator.normal(0, 1, len(is_target)), generator.normal(0, 1, (3, len(is_target)))
    away = np.array([[2.0], [1.7], [2.0]])
    scores = away * (math.sqrt(0.5) * (shared + own) + away * (is_target - 0.5))
    return Trials(is_target, scores)


def of_trials(n_set: int = 200) -> None:
    """Two systems on targets and non-targets, many times; the truth is that of 300,000 trials of each class.

    Printed for each metric and size: the shares of intervals of the difference and of the first value that hold the
    truth, and of sets in which p of the difference to an equally good system is below 5 %.
    """
    error = math.sqrt(0.05 * 0.95 / n_set)
    print(f"{n_set} sets, {N_DRAW} draws, standard error of a share near 5 %: {error:.3f}", flush=True)
    truth_of = {
        name: observed(simulated(np.random.default_rng(1), 300_000, 300_000), of[0]) for name, of in MEASURES.items()
    }
    for n_target, n_nontarget in SIZES:
        for name, (measure, test, interval) in MEASURES.items():
            truth, held = truth_of[name], np.zeros(3)
            for seed in range(n_set):
                trials = simulated(np.random.default_rng([2, seed]), n_target, n_nontarget)
                method = Method(test, "holm", interval, 0.95, 0, N_DRAW, seed)
                values = observed(trials, measure).tolist()
                one, same = compare_trials(trials, measure, values, [(0, 1), (0, 2)], method)
                held += (
                    one["low"] <= truth[0] - truth[1] <= one["high"],
                    one["value_low"] <= truth[0] <= one["value_high"],
                    same["p"] < 0.05,
                )
            shares = "  ".join(
                f"{what} {share:.3f}" for what, share in zip(("difference", "value", "level"), held / n_set)
            )
            print(f"{n_target:4} targets, {n_nontarget:5} non-targets  {name:17} {shares}", flush=True)


if __name__ == "__main__":
    {"means": of_means, "trials": of_trials}[sys.argv[1]](*map(int, sys.argv[2:]))
