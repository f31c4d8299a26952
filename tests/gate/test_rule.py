"""Rules of a gate: what can be written, and what would stop what is better."""

import pytest

from tdtsql.errors import InvalidRule
from tdtsql.gate import parse_rule


@pytest.mark.parametrize(
    ("text", "metric", "sign"),
    [
        ("c_det_norm > +0.02", "c_det_norm", ">"),
        (" f1 < -0.01 ", "f1", "<"),
        ("f1[language=ENGLISH] < - 2.5 %", "f1", "<"),
        ("p_miss[*] > +1e-3", "p_miss", ">"),
        ("p_miss > +0", "p_miss", ">"),
    ],
)
def test_a_rule_is_a_metric_a_direction_and_a_difference(text, metric, sign):
    rule = parse_rule(text)

    assert (rule.metric, rule.sign, rule.line.startswith(metric)) == (metric, sign, True)


def test_the_worse_end_is_the_metrics():
    parse_rule("c_det_norm > +0.02").check_direction("lowest")
    parse_rule("f1 < -0.02").check_direction("highest")
    with pytest.raises(
        InvalidRule, match=r"the best f1 is the highest, so this stops what is better. Write '< -' for '>'"
    ):
        parse_rule("f1 > +0.02").check_direction("highest")
    with pytest.raises(InvalidRule, match=r"Write '> \+' for '<'"):
        parse_rule("c_det_norm < -0.02").check_direction("lowest")
    with pytest.raises(InvalidRule, match="has no better end"):
        parse_rule("n_target > +1").check_direction("none")
