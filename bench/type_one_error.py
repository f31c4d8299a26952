"""How often does each test find a difference where there is none? `python bench/type_one_error.py [PAIRS]`

Two runs are drawn from one distribution, by topic or in clusters of five items, many times; the share of p < 5 % should
be near 5 % (bounds 3.5 to 6.5 %). Coverage of 95 % intervals of the difference is printed beside it.
"""

import math
import sys

import numpy as np

from tdtsql.compare.resample import Sample, compare_means
from tdtsql.compare.settings import Method

N_PAIR, LEVEL = int(sys.argv[1]) if len(sys.argv) > 1 else 2000, 0.05
NOISE = {
    "normal": lambda generator, size: generator.normal(0, 0.1, size),
    "exponential": lambda generator, size: generator.exponential(0.1, size),
    "binomial of 8": lambda generator, size: generator.binomial(8, 0.2, size) / 8,
}


def false_findings(noise: str, n_unit: int, test: str, interval: str, *, is_clustered: bool) -> tuple[float, float]:
    """Return the shares of null pairs with p < LEVEL, and of intervals that hold 0."""
    generator, each = np.random.default_rng([n_unit, *noise.encode()]), 5 if is_clustered else 1
    clusters = np.arange(n_unit * each) // each if is_clustered else None
    found = holds = 0
    for seed in range(N_PAIR):
        values = NOISE[noise](generator, (n_unit * each, 2))
        if is_clustered:
            values += NOISE[noise](generator, (n_unit, 2))[clusters]
        method = Method(test, "holm", interval, 0.95, 999, 999, seed)
        [row] = compare_means(Sample(values, clusters=clusters), [(0, 1)], method)
        found += row["p"] < LEVEL
        holds += not row["low"] > 0 and not row["high"] < 0
    return found / N_PAIR, holds / N_PAIR


def main() -> None:
    print(f"{N_PAIR} null pairs, standard error {math.sqrt(LEVEL * (1 - LEVEL) / N_PAIR):.4f}")
    for is_clustered in (False, True):
        for noise in NOISE:
            for n_unit in (25, 200):
                for test, interval in (("randomisation", "bca"), ("bootstrap", "percentile")):
                    level, coverage = false_findings(noise, n_unit, test, interval, is_clustered=is_clustered)
                    unit = "clusters" if is_clustered else "topics"
                    print(
                        f"{noise:14} {n_unit:4} {unit:8} {test:13} level {level:.3f}  {interval} covers {coverage:.3f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
