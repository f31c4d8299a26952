"""Corrections against statsmodels and scipy.

By hand, Holm on (0.01, 0.04, 0.03): sorted 0.01 * 3, 0.03 * 2, 0.04 * 1
= 0.03, 0.06, 0.04, and never below the one before: 0.03, 0.06, 0.06.
"""

import gc
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from tdtsql.compare.correction import adjust, family_size
from tdtsql.errors import InvalidComparison


def test_holm_by_hand():
    assert adjust(np.array([0.01, 0.04, 0.03]), method="holm") == pytest.approx([0.03, 0.06, 0.06])


@pytest.fixture
def uncollected(monkeypatch):
    """Collect no garbage when asked to: statsmodels asks for a whole collection at each of Holm's corrections, which
    takes longer than all else here.
    """
    monkeypatch.setattr(gc, "collect", lambda generation=2: 0)


@pytest.mark.usefixtures("uncollected")
@given(st.lists(st.floats(0.0, 1.0, allow_nan=False), min_size=1, max_size=40))
def test_all_are_those_of_statsmodels(p):
    p = np.array(p)
    for ours, theirs in (("holm", "holm"), ("bh", "fdr_bh")):
        assert adjust(p, method=ours) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-14)
    assert adjust(p, method="bh") == pytest.approx(scipy.stats.false_discovery_control(p), abs=1e-14)


def test_an_undefined_test_is_not_in_the_family():
    p = np.array([0.01, math.nan, 0.04])

    assert family_size(p) == 2
    adjusted = adjust(p, method="holm")
    assert adjusted[[0, 2]] == pytest.approx([0.02, 0.04])
    assert math.isnan(adjusted[1])


def test_unknown_correction_names_the_known_ones():
    with pytest.raises(InvalidComparison, match="correction 'sidak' is unknown here. One of: holm, bh, none."):
        adjust(np.array([0.1]), method="sidak")
