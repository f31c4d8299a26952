"""The events of the bundled example, redone by hand from fixtures/make_example_events.py.

Event 1, profile ts-seed: importances 3, 2, 1, 3, so W = 2 + e^-1 + e^-2; words of the nuggets 5, 5, 6, 4: mean 5.
north-osprey
sends three sentences of 9, 14 and 8 words:

    1 h    "Coast guard: the ferry Meridian ran aground at dawn"                             takes F01: 9 - 5 = 4 words
    more
    4 h    "By ten 212 passengers were taken off and the strait was closed to shipping"      takes F02, F03: 14 - 5 - 6
    = 3 more
    26 h   "The owners confirmed that two crew members died"                                 takes F04: 8 - 4 = 4 more

    sum V = 3 + (4 + 3 + 4)/5 = 5.2, sum G = W: everything is found.

north-kestrel sends the first sentence in the words of another source, a duplicate of it: matched under ts2014, which
follows the pool's duplicate_id, and not under ts-seed.
"""

from math import exp

import pytest

import tdtsql

W = 2 + exp(-1) + exp(-2)


@pytest.fixture(scope="module")
def event(example_store):
    """Return (run, profile, event) -> metric -> value."""
    with tdtsql.connect(example_store, read_only=True) as store:
        rows = store.sql(
            "select run_id, profile_id, block_id, metric, value from report.block_score "
            "where condition_id in ('ts', 'values') and subset = 'all'"
        ).fetchall()
    found = {}
    for *key, metric, value in rows:
        found.setdefault(tuple(key), {})[metric] = value
    return found


def test_a_run_that_finds_everything(event):
    osprey = event["north-osprey", "ts-seed", "1"]

    assert osprey["comprehensiveness"] == 1
    assert osprey["eg"] == pytest.approx(W / 3, rel=1e-14)
    assert osprey["eg_v"] == pytest.approx(W / 5.2, rel=1e-14)


def test_a_duplicate_is_the_other_sentence_for_the_program_alone(event):
    assert event["north-kestrel", "ts-seed", "1"]["n_match"] == 0
    assert event["north-kestrel", "ts2014", "1"]["n_match"] == 1


def test_expected_errors(event):
    """deaths: 2 off for 26 of 48 hours; injuries: 17 off for 3 hours, then 3."""
    assert event["north-osprey", "ts-seed", "1/deaths"]["ee"] == pytest.approx(2 * 26 / 48)
    assert event["north-kestrel", "ts-seed", "1/injuries"]["ee"] == pytest.approx((17 * 3 + 3 * 45) / 48)
    assert event["north-kestrel", "ts-seed", "1/deaths"]["ee"] == 2
