"""A new version of a view: copied, planned, compared on stored runs; in a copy of the package, as a user would
have it.
"""

import math

import numpy as np
import pytest

from tdtsql.errors import WrongCall
from tdtsql.definitions.catalogue import read_catalog
from tdtsql.audit.definition_diff import changes, new_version
from tdtsql.compare.ranking import kendall_tau


def test_a_copy_says_what_it_is(sql):
    old = read_catalog(sql)["metric.small_cost__v1"]

    path = new_version(old)

    assert path.name == "cost__v2.sql"
    views = read_catalog(sql)
    assert views["metric.small_cost__v2"].header.fields["status"] == "differs from cost__v1: say in what, and why"
    assert views["metric.small_cost__v1"].header.fields["status"] == "superseded by cost__v2"
    assert views["metric.small_cost__v1"].body == views["metric.small_cost__v2"].body == old.body


def test_an_installation_is_a_wrong_call(sql, monkeypatch):
    """semantics/own_metrics.md, section 2.5: exit 2, nothing written."""
    monkeypatch.setattr("tdtsql.audit.definition_diff.is_installation", lambda: True)
    before = sorted(sql.rglob("*.sql"))

    with pytest.raises(WrongCall, match=r"is an installation .* With .* the copy becomes a user-defined"):
        new_version(read_catalog(sql)["metric.small_cost__v1"])
    assert sorted(sql.rglob("*.sql")) == before


def test_the_lines_that_differ_are_listed(sql, edit):
    path = new_version(read_catalog(sql)["metric.small_cost__v1"])
    edit(path, "profile.p_target * counted.weight", "profile.c_miss * counted.weight")
    views = read_catalog(sql)

    found = changes(views["metric.small_cost__v1"], views["metric.small_cost__v2"])

    [(removed, before), (added, after)] = found
    assert (removed, added) == ("removed", "added")
    assert after == before.replace("profile.p_target * counted.weight", "profile.c_miss * counted.weight") != before


@pytest.mark.parametrize(
    ("pairs", "tau"),
    [
        ([(1, 1), (2, 2), (3, 3)], 1.0),
        ([(1, 3), (2, 2), (3, 1)], -1.0),
        ([(1, 2), (2, 1), (3, 3)], 1 / 3),
        ([(1, 1)], None),
        ([(1, 1), (1, 2)], None),
    ],
)
def test_kendall(pairs, tau):
    assert kendall_tau(*np.array(pairs).T) == pytest.approx(math.nan if tau is None else tau, nan_ok=True)
