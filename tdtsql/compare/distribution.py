"""Tail probabilities and quantiles of the normal and of Student's distribution.

The normal quantile is the standard library's. Student's tail is the
regularised incomplete beta function by its continued fraction; a test holds
both to scipy within 1e-10, which so stays a test dependency.

Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions,
26.5.8 (continued fraction), 26.7.1 (Student's distribution).
"""

import math
from statistics import NormalDist

#: steps of the continued fraction; it needs O(sqrt(degrees of freedom))
MOST_STEPS = 100_000


def normal_cdf(x: float) -> float:
    """Return the probability that a standard normal number is at most ``x``."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def normal_quantile(probability: float) -> float:
    """Return the number below which a standard normal number falls with ``probability`` in (0, 1)."""
    return NormalDist().inv_cdf(probability)


def student_two_sided(t: float, df: int) -> float:
    """Return the probability that Student's |T| with ``df`` degrees of freedom is at least |t|."""
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(df / (df + t * t), t * t / (df + t * t), df / 2.0, 0.5)


def student_quantile(probability: float, df: int) -> float:
    """Return the quantile of Student's distribution, ``probability`` in (0, 1)."""
    if probability == 0.5:
        return 0.0
    tail = 2.0 * min(probability, 1.0 - probability)
    low, high = 0.0, 1.0
    while student_two_sided(high, df) > tail:
        low, high = high, high * 2.0
    while True:  # bisection down to neighbouring doubles
        middle = (low + high) / 2.0
        if middle in (low, high):
            return high if probability > 0.5 else -high
        if student_two_sided(middle, df) > tail:
            low = middle
        else:
            high = middle


def _incomplete_beta(x: float, complement: float, a: float, b: float) -> float:
    """Return I_x(a, b); ``complement`` is 1 - x, given apart because it may be tiny."""
    if x <= 0.0:
        return 0.0
    if complement <= 0.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # the fraction converges fast only below
        return 1.0 - _incomplete_beta(complement, x, b, a)
    # log B(a, b) as lgamma differences loses digits for large a: b is 1/2 or a is
    log_front = a * _log(x, complement) + b * _log(complement, x) - _log_beta(a, b) - math.log(a)
    tiny = 1e-300
    c, d, fraction = 1.0, 0.0, 1.0
    for step in range(MOST_STEPS):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + 2.0 * half - 1.0) * (a + 2.0 * half))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + 2.0 * half) * (a + 2.0 * half + 1.0))
        d = 1.0 + term * d
        d = 1.0 / (d if abs(d) > tiny else tiny)
        c = 1.0 + term / c
        c = c if abs(c) > tiny else tiny
        fraction *= c * d
        if abs(1.0 - c * d) < 1e-16:
            break
    return math.exp(log_front) * (fraction - 1.0)


def _log(x: float, complement: float) -> float:
    return math.log1p(-complement) if x > 0.5 else math.log(x)


def _log_beta(a: float, b: float) -> float:
    """Return log B(a, b); for large a by the asymptotic ratio of gamma functions."""
    a, b = max(a, b), min(a, b)
    if a < 50.0:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    # log Gamma(a) - log Gamma(a + b), b = 1/2: Stirling's series of both, differenced term by term
    def tail(z: float) -> float:
        return 1.0 / (12.0 * z) - 1.0 / (360.0 * z**3) + 1.0 / (1260.0 * z**5) - 1.0 / (1680.0 * z**7)

    difference = -(a - 0.5) * math.log1p(b / a) - b * math.log(a + b) + b + tail(a) - tail(a + b)
    return math.lgamma(b) + difference
