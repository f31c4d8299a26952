"""A second opinion: every view over every case that other programs have scored, computed by PostgreSQL.

Starts a server of its own in a temporary folder; skipped, saying so, where PostgreSQL's programs are not installed.
"""

import pytest

import tdtsql
from inside import copy_store
from second_opinion import GOLDEN_TASKS, assert_same_views

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def local(golden_database, server):
    with tdtsql.connect(server.address(golden_database)) as store:
        store.engine.sync(None)
        yield store.engine


@pytest.mark.parametrize("task", GOLDEN_TASKS)
def test_every_view_over_every_golden_case(local, task):
    assert_same_views(local, task)


def test_every_view_of_clusterings(clusterings_file, server):
    address = server.address(server.database())
    with tdtsql.connect(clusterings_file, read_only=True) as ours, tdtsql.connect(address) as theirs:
        copy_store(ours.engine, theirs.engine)
    with tdtsql.connect(address) as store:
        store.engine.sync(None)
        assert_same_views(store.engine, "partition")
