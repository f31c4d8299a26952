"""How often does each test find a difference where there is none?

Run it: `python tests/bench/type_one_error.py`. Two runs of T topics are drawn
from the same distribution (the topic's difficulty is shared, so differences
are paired), many times; the share of p < level should be near the level.
A share above it, beyond the simulation's own error, is a test to distrust.
Also printed: the time of 100,000 permutations on 250 topics and 20 runs.
"""

import math
import time
from collections.abc import Callable

import numpy as np

from tdtsql.compare.bootstrap import bootstrap_means
from tdtsql.compare.classical import TestResult, mean_and_deviation, student_test, wilcoxon_test
from tdtsql.compare.correction import adjust
from tdtsql.compare.paired import all_pairs, pairs_against
from tdtsql.compare.randomisation import randomisation_test

N_TRIAL, LEVEL = 4000, 0.05

#: how the noise of one run on one topic is distributed; costs are skewed, rates discrete
NOISE: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda generator, size: generator.normal(0, 0.1, size),
    "skewed (exponential)": lambda generator, size: generator.exponential(0.1, size),
    "discrete (binomial of 8)": lambda generator, size: generator.binomial(8, 0.2, size) / 8,
}


def t_test(differences: np.ndarray) -> TestResult:
    """Return Student's paired t test of one column of differences."""
    mean, deviation = mean_and_deviation(differences)
    return student_test(mean, deviation / math.sqrt(len(differences)), len(differences) - 1)


def false_findings(noise: str, n_topic: int) -> dict[str, float]:
    """Return test -> share of null trials with p < LEVEL."""
    generator = np.random.default_rng([n_topic, *noise.encode()])
    runs = NOISE[noise](generator, (2, n_topic, N_TRIAL))
    differences = runs[0] - runs[1]
    p = {
        "randomisation": randomisation_test(differences, n_permutation=2000, seed=1).p,
        "bootstrap": bootstrap_means(differences, n_resample=2000, seed=1).p,
    }
    for name, test in (("t", t_test), ("wilcoxon", wilcoxon_test)):
        p[name] = np.array([test(column).p for column in differences.T])
    return {name: float((values < LEVEL).mean()) for name, values in p.items()}


def family_errors(noise: str, n_topic: int, n_run: int, n_trial: int = 1000) -> dict[str, float]:
    """Return correction -> share of null families (runs against one baseline) with any finding."""
    generator = np.random.default_rng([n_topic, n_run, *noise.encode()])
    found = dict.fromkeys(("none", "holm", "bh"), 0)
    for _ in range(n_trial):
        runs = NOISE[noise](generator, (n_topic, n_run))
        result = randomisation_test(runs[:, 1:] - runs[:, :1], n_permutation=999, seed=int(generator.integers(2**31)))
        for name in found:
            found[name] += bool((adjust(result.p, method=name) < LEVEL).any())
    return {name: count / n_trial for name, count in found.items()}


def time_of_permutations() -> None:
    values = np.random.default_rng(1).random((250, 20))
    names = list(range(20))
    for what, pairs in (("19 runs against one", pairs_against(names, [0])), ("all 190 pairs", all_pairs(names))):
        differences = np.stack([values[:, one] - values[:, other] for one, other in pairs], axis=1)
        start = time.perf_counter()
        randomisation_test(differences, n_permutation=100_000, seed=1)
        print(f"100,000 permutations x 250 topics x 20 runs, {what}: {time.perf_counter() - start:.2f} s")


def main() -> None:
    error = math.sqrt(LEVEL * (1 - LEVEL) / N_TRIAL)
    print(f"share of p < {LEVEL} on null data, {N_TRIAL} trials, standard error {error:.4f}")
    for noise in NOISE:
        for n_topic in (10, 30, 100):
            shares = false_findings(noise, n_topic)
            print(
                f"{noise:26} {n_topic:4} topics  " + "  ".join(f"{name} {share:.3f}" for name, share in shares.items())
            )
    print(
        "share of null families (9 runs against one baseline, 30 topics) with any finding, 1000 trials, standard "
        "error 0.007"
    )
    for noise in NOISE:
        shares = family_errors(noise, 30, 10)
        print(f"{noise:26}  " + "  ".join(f"{name} {share:.3f}" for name, share in shares.items()))
    time_of_permutations()


if __name__ == "__main__":
    main()
