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


@pytest.mark.parametrize(
    "text",
    [
        "c_det_norm > 0.02",
        "c_det_norm",
        "c_det_norm >= +0.02",
        "> +0.02",
        "c_det_norm > +",
        "c_det_norm > +0.02 or f1 < -1",
        "",
    ],
)
def test_what_is_not_a_rule_is_refused_with_an_example(text):
    with pytest.raises(InvalidRule, match=r'Write for example "c_det_norm > \+0.02"'):
        parse_rule(text)


@pytest.mark.parametrize("text", ["c_det_norm > +1e999", "f1 < -1e999 %"])
def test_a_difference_that_no_number_exceeds_is_refused(text):
    with pytest.raises(InvalidRule, match="not a finite number"):
        parse_rule(text)


@pytest.mark.parametrize("text", ["c_det_norm > -0.02", "f1 < +0.02"])
def test_a_sign_that_would_stop_what_is_not_worse_is_refused(text):
    with pytest.raises(InvalidRule, match="runs that are not worse"):
        parse_rule(text)


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
