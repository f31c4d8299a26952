"""Exact means have the bits of the documented rule.

The rule for a mean of ratios (fixed point): each ratio, one IEEE division of two counts, becomes
floor(ratio * 1e15 + 0.5); these whole numbers are summed; the sum is divided by 1e15, then by their number.
"""

from fractions import Fraction
from math import floor

from report.small_bundle import write_small_bundle

import tdtsql


def test_means_are_those_of_the_documented_rule_and_near_the_exact_fraction(tmp_path):
    path = write_small_bundle(tmp_path, n_run=3, n_topic=12, n_story=150)
    with tdtsql.evaluate(path) as store:
        means = {row[:-1]: row[-1] for row in store.engine.rows(
            "select run_id, subset, metric, value from report.score where weighting = 'topic' and metric in ('p_miss', 'p_fa') and profile_id = 'tdt2004'")}
        counts = {row[:-1]: row[-1] for row in store.engine.rows(
            "select run_id, subset, block_id, metric, value from report.block_score where metric in ('n_miss', 'n_target', 'n_false_alarm', 'n_nontarget') and profile_id = 'tdt2004'")}
    parts = {"p_miss": ("n_miss", "n_target"), "p_fa": ("n_false_alarm", "n_nontarget")}
    compared = 0
    for (run, subset, metric), value in means.items():
        above, below = parts[metric]
        pairs = [(int(counts[run, subset, block, above]), int(count)) for (r, s, block, name), count in counts.items()
                 if (r, s, name) == (run, subset, below) and count]
        if not pairs:
            assert value is None
            continue
        by_rule = float(sum(floor((a / b) * 1e15 + 0.5) for a, b in pairs)) / 1e15 / len(pairs)
        assert value.hex() == by_rule.hex(), (run, subset, metric)
        assert abs(Fraction(value) - sum(Fraction(a, b) for a, b in pairs) / len(pairs)) <= Fraction(2, 10**15)
        compared += 1
    assert compared > 20
