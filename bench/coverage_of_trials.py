"""How often do 95 % intervals of scored trials hold the truth? `python bench/coverage_of_trials.py [SETS]`

Two systems are simulated on targets and non-targets many times; the truth is that of 300,000 trials of each class.
Printed for each metric and size: the shares of intervals of the difference and of the first value that hold the truth,
and of sets in which p of the difference to an equally good system is below 5 %.
"""

import math
import sys

import numpy as np

from tdtsql.compare.settings import Method
from tdtsql.compare.trials import Measure, Trials, observed, resampled

N_SET, N_DRAW = int(sys.argv[1]) if len(sys.argv) > 1 else 200, 400
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


def main() -> None:
    error = math.sqrt(0.05 * 0.95 / N_SET)
    print(f"{N_SET} sets, {N_DRAW} draws, standard error of a share near 5 %: {error:.3f}", flush=True)
    truth_of = {
        name: observed(simulated(np.random.default_rng(1), 300_000, 300_000), of[0]) for name, of in MEASURES.items()
    }
    for n_target, n_nontarget in SIZES:
        for name, (measure, test, interval) in MEASURES.items():
            truth, held = truth_of[name], np.zeros(3)
            for seed in range(N_SET):
                trials = simulated(np.random.default_rng([2, seed]), n_target, n_nontarget)
                method = Method(test, "holm", interval, 0.95, 0, N_DRAW, seed)
                values = observed(trials, measure).tolist()
                one = resampled(trials.of([0, 1]), measure, values[:2], method)
                same = resampled(trials.of([0, 2]), measure, values[::2], method)
                held += (
                    one["low"] <= truth[0] - truth[1] <= one["high"],
                    one["value_low"] <= truth[0] <= one["value_high"],
                    same["p"] < 0.05,
                )
            shares = "  ".join(
                f"{what} {share:.3f}" for what, share in zip(("difference", "value", "level"), held / N_SET)
            )
            print(f"{n_target:4} targets, {n_nontarget:5} non-targets  {name:17} {shares}", flush=True)


if __name__ == "__main__":
    main()
