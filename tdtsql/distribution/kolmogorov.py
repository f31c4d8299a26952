"""The Kolmogorov-Smirnov statistic of a sample against a distribution, and how surprising it is.

Source: G. Marsaglia, W. W. Tsang, J. Wang, Evaluating Kolmogorov's distribution
(Journal of Statistical Software 8/18, 2003) for the exact probability; W. Pelz,
I. J. Good, Approximating the lower tail-areas of the Kolmogorov-Smirnov
one-sample statistic (JRSS B 38/2, 1976) for long samples; which of them where is
from R. Simard, P. L'Ecuyer, Computing the two-sided Kolmogorov-Smirnov
distribution (Journal of Statistical Software 39/11, 2011).
"""

import math

import numpy as np

#: up to this length the exact method; beyond it the series, except far out in the lower tail
LONGEST_EXACT = 140
#: terms of the series; they fall like exp(-term**2), so that ten would be enough
N_TERM = 20


def ks_statistic(distribution_at_sample: np.ndarray) -> float:
    """Return the largest distance between a sample's step function and a distribution.

    Args:
        distribution_at_sample: N values in [0, 1]: the distribution function at
            the sample, in ascending order of the sample.
    """
    n = len(distribution_at_sample)
    above = np.arange(1, n + 1) / n - distribution_at_sample
    below = distribution_at_sample - np.arange(n) / n
    return float(max(above.max(), below.max()))


def ks_p_value(statistic: float, n: int) -> float:
    """Return the probability that a sample of ``n`` from the distribution itself lies at least this far off.

    It holds for a distribution fixed beforehand. Where parameters were fitted to
    the same sample it is too large: read it as a measure of fit, not as a test.
    """
    spread = n * statistic * statistic
    if statistic * n <= 0.5:  # nearer than half a step is impossible
        return 1.0
    if statistic >= 1 or spread > 370:
        return 0.0
    if spread > (4 if n <= LONGEST_EXACT else 2.2):  # both one-sided events together are negligible beside one
        return min(1.0, 2 * _one_sided(statistic, n))
    is_short = n <= LONGEST_EXACT or (n <= 100_000 and n * statistic**1.5 <= 1.4)
    within = _exact(statistic, n) if is_short else _series(math.sqrt(n) * statistic, n)
    return min(1.0, max(0.0, 1.0 - within))


def _one_sided(statistic: float, n: int) -> float:
    """Return P(D+ >= statistic): Birnbaum and Tingey's sum, for small n; Smirnov's limit with two corrections else."""
    if n > 5000:
        x = 6 * n * statistic + 1
        x = x * x / (18 * n)
        return math.exp(-x) * (1 - (2 * x * x - 4 * x - 1) / (18 * n))
    total = 0.0
    for j in range(int(n * (1 - statistic)) + 1):
        at, rest = statistic + j / n, 1 - statistic - j / n
        if rest <= 0:
            continue
        log = math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1)
        total += math.exp(log + (j - 1) * math.log(at) + (n - j) * math.log(rest))
    return statistic * total


def _exact(statistic: float, n: int) -> float:
    """Return P(D < statistic) by the power of Marsaglia, Tsang and Wang's matrix."""
    k = math.ceil(n * statistic)
    m = 2 * k - 1
    h = k - n * statistic
    rows, columns = np.indices((m, m))
    matrix = np.where(rows - columns + 1 >= 0, 1.0, 0.0)
    powers = h ** np.arange(1, m + 1)
    matrix[:, 0] -= powers
    matrix[m - 1, :] -= powers[::-1]
    if 2 * h - 1 > 0:
        matrix[m - 1, 0] += (2 * h - 1) ** m
    factorials = np.array([math.factorial(i) if i < 170 else math.inf for i in range(m + 1)], dtype=float)
    matrix /= factorials[np.maximum(rows - columns + 1, 0)]
    power, exponent = np.eye(m), 0
    square, square_exponent, left = matrix, 0, n
    while left:
        if left & 1:
            power, exponent = power @ square, exponent + square_exponent
            power, exponent = _rescaled(power, exponent, k)
        square, square_exponent = square @ square, 2 * square_exponent
        square, square_exponent = _rescaled(square, square_exponent, k)
        left >>= 1
    value = power[k - 1, k - 1]
    if value <= 0:
        return 0.0
    log = math.log(value) + exponent * math.log(2) + math.lgamma(n + 1) - n * math.log(n)
    return math.exp(log)


def _rescaled(matrix: np.ndarray, exponent: int, k: int) -> tuple[np.ndarray, int]:
    """Return the matrix with its middle near 1, and the power of two that was taken out."""
    shift = math.frexp(matrix[k - 1, k - 1])[1] if matrix[k - 1, k - 1] > 0 else 0
    return (np.ldexp(matrix, -shift), exponent + shift) if abs(shift) > 400 else (matrix, exponent)


def _series(z: float, n: int) -> float:
    """Return P(sqrt(n) D < z) by the asymptotic series of Pelz and Good, to the order n**(-3/2)."""
    pi2 = math.pi**2
    z2, z4, z6 = z**2, z**4, z**6
    half = [j + 0.5 for j in range(N_TERM)]
    whole = [float(j) for j in range(1, N_TERM)]
    first = math.sqrt(2 * math.pi) / z * sum(math.exp(-(k**2) * pi2 / (2 * z2)) for k in half)
    second = (
        math.sqrt(math.pi / 2) / (3 * z4) * sum((pi2 * k**2 - z2) * math.exp(-(k**2) * pi2 / (2 * z2)) for k in half)
    )
    third = math.sqrt(math.pi / 2) / (36 * z**7) * sum(
        (6 * z6 + 2 * z4 + pi2 * (2 * z4 - 5 * z2) * k**2 + pi2**2 * (1 - 2 * z2) * k**4)
        * math.exp(-(k**2) * pi2 / (2 * z2))
        for k in half
    ) - math.sqrt(math.pi / 2) / (18 * z**3) * sum(pi2 * k**2 * math.exp(-(k**2) * pi2 / (2 * z2)) for k in whole)
    fourth = math.sqrt(math.pi / 2) / (3240 * z**10) * sum(
        (
            pi2**3 * k**6 * (5 - 30 * z2)
            + pi2**2 * k**4 * (-60 * z2 + 212 * z4)
            + pi2 * k**2 * (135 * z4 - 96 * z6)
            - 30 * z6
            - 90 * z**8
        )
        * math.exp(-(k**2) * pi2 / (2 * z2))
        for k in half
    ) + math.sqrt(math.pi / 2) / (108 * z6) * sum(
        (-(pi2**2) * k**4 + 3 * pi2 * k**2 * z2) * math.exp(-(k**2) * pi2 / (2 * z2)) for k in whole
    )
    root = math.sqrt(n)
    return first + second / root + third / n + fourth / (n * root)
