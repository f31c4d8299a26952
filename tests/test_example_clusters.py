"""The clusterings of the bundled example, against numbers done by hand.

    stories by day (January 2004)   5th  6th  7th  8th   all
    ferry                            2    2    2    0     6
    storm                            2    2    1    0     5
    vote                             0    2    2    1     5
    chess                            0    0    1    3     4
    on none of them                  0    1    0    1     2

`daily` has a cluster for each event and day, also for the two stories on none. `broad` has ferry and storm in one
cluster, and lacks the
first story on chess and the two on none.
"""

import pytest

import tdtsql
from report_page import part_of, rows_of
from tdtsql.show.report import report
from places import EXAMPLE

BUNDLE = EXAMPLE / "clusters" / "bundle.toml"

#: condition, run, subset, weighting -> precision, recall of B-CUBED
BY_HAND = {
    # ferry 6 (2/6), storm 4 (2/5) and 1 (1/5), vote the same, chess 1 (1/4) and 3 (3/4)
    ("events", "daily", "all", "story"): (20 / 22, (6 * 2 / 6 + 2 * (4 * 2 / 5 + 1 / 5) + 1 / 4 + 9 / 4) / 20),
    # the cluster of 11 has 6 and 5 of an event
    ("events", "broad", "all", "story"): ((6 * 6 / 11 + 5 * 5 / 11 + 5 + 3) / 19, (6 + 5 + 5 + 3 * 3 / 4) / 20),
    # on one day daily is right
    ("events", "daily", "day=2004-01-07", "story"): (1, 1),
    ("events", "broad", "day=2004-01-05", "story"): (1 / 2, 1),
    # 5th and 6th: ferry 4, storm 4, vote 2, one on none; 6th and 7th: ferry 4, storm 3, vote 4, chess 1, one on none;
    # 7th and 8th: ferry 2, storm 1, vote 3, chess 4, one on none
    ("events-2-days", "broad", "all", "story"): (
        (8 / 2 + 2 + (16 + 9) / 7 + 4 + (4 + 1) / 3 + 3 + 3) / (10 + 11 + 9),
        (10 + 11 + 2 + 1 + 3 + 3 * 3 / 4) / (10 + 12 + 10),
    ),
    ("events-2-days", "daily", "all", "topic"): (
        (10 / 11 + 12 / 13 + 10 / 11) / 3,
        ((4 / 2 + 4 / 2 + 2) / 10 + (4 / 2 + (4 + 1) / 3 + 4 / 2 + 1) / 12 + (2 + 1 + (4 + 1) / 3 + (1 + 9) / 4) / 10)
        / 3,
    ),
}


@pytest.fixture(scope="module")
def store(copy_of):
    with tdtsql.connect(copy_of(BUNDLE)) as store:
        yield store


@pytest.mark.parametrize("key", BY_HAND, ids=" ".join)
def test_numbers_done_by_hand(key, store):
    found = dict(
        store.sql(f"""
        select metric, value from report.score
        where (condition_id, run_id, subset, weighting) = {key!r} and profile_id = 'partition'
            and metric in ('b3_precision', 'b3_recall')""").fetchall()
    )

    assert found == {
        "b3_precision": pytest.approx(BY_HAND[key][0], abs=1e-15),
        "b3_recall": pytest.approx(BY_HAND[key][1], abs=1e-15),
    }


def test_the_windows(store):
    found = store.sql(
        "select block_id from base.block join registry.condition using (condition_no) where condition_id = "
        "'events-2-days' order by block_no"
    ).fetchall()

    assert found == [(f"2004-01-0{day}..2004-01-0{day + 1}",) for day in (5, 6, 7)]


def test_a_report_lists_the_blocks_of_a_clustering_where_there_are_several(store):
    page = report(store.engine)
    assert part_of(page, "topics_by_run", ("events", "partition")) is None
    assert len(rows_of(page, "topics_by_run", ("events-2-days", "partition"))) == 3
