"""Profiles of one condition that are alike in all that a view of the decisions reads share its rows; any value that it
reads sets them apart.
"""

import re

import pytest

from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.definitions.table import tables
from tdtsql.scoring import scope


def test_views_of_decisions_read_costs_for_the_bayes_threshold_alone():
    relations = {view for name in scope.DECISION_SCANS for view in closure(catalog(), [name])}
    assert {view for view in relations if re.search(r"\b(?:p_target|c_miss|c_fa)\b", catalog()[view].body)} == {
        "base.bayes_threshold__v1"
    }


@pytest.mark.parametrize("name", scope.DECISION_SCANS)
def test_views_that_are_shared_have_a_profile_in_their_grain(name):
    assert catalog()[name].header.grain[:2] == ("run_no", "profile_no")
    assert not catalog()[name].header.is_large


@pytest.mark.parametrize("name", scope.DECISION_SCANS)
def test_of_a_profile_only_its_values_and_fitted_thresholds_are_read(name):
    read = {
        table for view in closure(catalog(), [name]) for table in catalog()[view].header.inputs if table in tables()
    }
    assert {table for table in read if "profile_no" in tables()[table].columns} <= {
        "registry.profile",
        "registry.condition_profile",
        "base.carried_threshold",
    }
