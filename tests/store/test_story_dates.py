"""Dates of stories are timestamps: what SQL does with time is done with them, wherever a relation shows them.

a  Monday 2003-03-31 23:30   b  Tuesday 2003-04-01 00:00   c  no date   d  Monday 2003-04-07 12:00:01
"""

import csv
from datetime import datetime

import duckdb
import pytest

import tdtsql
from tdtsql.store.copy import export

pytestmark = pytest.mark.usefixtures("unscored")

DATES = [datetime(2003, 3, 31, 23, 30), datetime(2003, 4, 1), None, datetime(2003, 4, 7, 12, 0, 1)]
TEXTS = ["2003-04-01T01:30:00+02:00", "20030401", None, "2003-04-07 12:00:01"]


def loaded(dates):
    store = tdtsql.connect(":memory:")
    store.add_corpus(
        "news",
        stories={"story_id": list("abcd"), "position": [1, 2, 3, 4], "source_file": ["f"] * 4, "published_at": dates},
        judgments={"topic_id": ["1"] * 4, "story_id": list("abcd"), "label": ["yes", "yes", "yes", "no"]},
    )
    store.add_condition("c", corpus="news", task="tracking", profile=["tdt2004"])
    store.add_run(
        "r",
        condition="c",
        decisions={
            "topic_id": ["1"] * 4,
            "story_id": list("abcd"),
            "decision": ["no", "no", "no", "yes"],
            "score": [0.1, 0.2, 0.3, 0.9],
        },
    )
    return store


@pytest.fixture(scope="module")
def store():
    with loaded(TEXTS) as store:
        yield store


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "relation",
    (
        "base.story base.trial base.detection_trial metric.detection_named_trial "
        "metric.detection_named_false_alarm report.trial report.missed_story report.false_alarm"
    ).split(),
)
def test_every_relation_shows_timestamps(store, relation):
    [[kind]] = store.sql(f"select column_type from (describe {relation}) where column_name = 'published_at'").fetchall()

    assert kind == "TIMESTAMP"


def test_time_is_compared_truncated_and_subtracted(store):
    rows = store.sql("""
        select story_id, date_trunc('week', published_at) as week,
            published_at - lag(published_at) over (order by position) as after
        from report.missed_story
        where published_at >= '2003-04-01' or published_at < timestamp '2003-04-01' - interval 10 minute
        order by position""").fetchall()

    # both are of the week that begins on Monday 31 March; half an hour lies between them
    assert [(story, week) for story, week, _ in rows] == [("a", datetime(2003, 3, 31)), ("b", datetime(2003, 3, 31))]
    assert rows[1][2].total_seconds() == 1800


def test_a_file_has_the_date_of_its_first_story(store):
    assert store.sql("select collected_at from base.source_file").fetchall() == [(DATES[0],)]


def test_an_unknown_date_is_null(store):
    assert store.sql("select story_id from base.story where published_at is null").fetchall() == [("c",)]


def test_they_leave_and_come_back_as_they_were(store, tmp_path):
    export(store.engine, tmp_path / "out")
    back = duckdb.sql(
        f"select story_id, story_no as position, published_at from read_parquet('{tmp_path}/out/base/story.parquet')"
    )
    assert [str(kind) for kind in back.types] == ["VARCHAR", "INTEGER", "TIMESTAMP"]
    back.write_parquet(f"{tmp_path}/stories.parquet")
    with (tmp_path / "stories.csv").open("w", newline="") as file:
        csv.writer(file).writerows([back.columns, *back.fetchall()])

    for name in ("stories.parquet", "stories.csv"):
        with tdtsql.connect(":memory:") as other:
            other.add_corpus("back", stories=tmp_path / name)
            assert other.sql("select published_at from base.story order by story_no").fetchall() == [
                (date,) for date in DATES
            ]
