"""Rules of a gate: what can be written, and what would stop what is better."""

import pytest

from tdtsql.errors import InvalidRule
from tdtsql.gate import parse_rule


@pytest.mark.parametrize(
    ("text", "metric", "subset", "sign", "tolerance", "is_relative"),
    [
        ("c_det_norm > +0.02", "c_det_norm", None, ">", 0.02, False),
        ("c_det_norm>+5%", "c_det_norm", None, ">", 0.05, True),
        (" f1 < -0.01 ", "f1", None, "<", 0.01, False),
        ("f1[language=ENGLISH] < - 2.5 %", "f1", "language=ENGLISH", "<", 0.025, True),
        ("p_miss[*] > +1e-3", "p_miss", "*", ">", 0.001, False),
        ("p_miss > +0", "p_miss", None, ">", 0.0, False),
    ],
)
def test_a_rule_is_a_metric_a_direction_and_a_difference(text, metric, subset, sign, tolerance, is_relative):
    rule = parse_rule(text)

    assert (rule.metric, rule.subset, rule.sign, rule.is_relative) == (metric, subset, sign, is_relative)
    assert rule.tolerance == pytest.approx(tolerance, abs=1e-15)


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


def test_a_relative_limit_is_a_share_of_the_baselines_number():
    assert parse_rule("c_det_norm > +5%").limit(0.4) == pytest.approx(0.02)
    assert parse_rule("utility < -5%").limit(-0.4) == pytest.approx(0.02)
    assert parse_rule("c_det_norm > +0.05").limit(0.4) == 0.05
