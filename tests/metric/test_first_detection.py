"""How soon topics are found, by hand; dates against Python's calendar."""

from datetime import UTC, datetime, timedelta

import duckdb
from hypothesis import given
from hypothesis import strategies as st

import tdtsql
from tdtsql.definitions.catalogue import sql_root
from tdtsql.definitions.macro import expand, read_macros

#: a story an hour, but s4 comes a day after s3, over the end of a leap year's February
STORIES = {
    "story_id": ["s1", "s2", "s3", "s4", "s5", "s6"],
    "position": [1, 2, 3, 4, 5, 6],
    "language": ["E", "E", "M", "M", "E", "M"],
    "published_at": [
        "2024-02-28 21:00:00",
        "2024-02-28 22:00:00",
        "2024-02-28 23:00:00",
        "2024-03-01 00:00:00",
        "2024-03-01 01:00:00",
        "2024-03-01 02:00:00",
    ],
}
#: early is found at its first target, late at its second one, never not at all
ON_TOPIC = {"early": ["s1", "s5"], "late": ["s2", "s4"], "never": ["s3", "s6"]}
YES = {"early": ["s1"], "late": ["s4", "s5"], "never": ["s1"]}


def store_of(stories, *, decisions=True):
    store = tdtsql.connect(":memory:")
    pairs = [(topic, story) for topic in ON_TOPIC for story in STORIES["story_id"]]
    on_topic = [(topic, story) for topic, pair in ON_TOPIC.items() for story in pair]
    store.add_corpus(
        "k",
        stories=stories,
        topics={"topic_id": list(ON_TOPIC)},
        judgments=dict(
            zip(
                ("topic_id", "story_id", "label"), zip(*((*pair, "yes") for pair in on_topic), strict=True), strict=True
            )
        ),
    )
    store.add_condition("c", corpus="k", task="tracking", profile=["tdt2004"])
    said = [story in YES[topic] for topic, story in pairs]
    rows = {
        "topic_id": [topic for topic, _ in pairs],
        "story_id": [story for _, story in pairs],
        "score": [float(yes) for yes in said],
    }
    store.add_run("r", condition="c", decisions=rows | ({"decision": said} if decisions else {}))
    return store


def numbers(store, metric, subset="all"):
    """Return the mean with its n, and the number of each topic."""
    [mean] = store.score(metric=metric, subset=subset, weighting="topic").project("value, n").fetchall()
    topics = store.relation(
        f"select block_id, value from report.block_score where metric = '{metric}' and subset = '{subset}' order by "
        f"block_id"
    ).fetchall()
    return mean, dict(topics)


def test_by_hand():
    with store_of(STORIES) as store:
        # late: from s2 to s4; never: from s3 to behind s6, which would be a seventh story
        assert numbers(store, "first_detection_delay") == ((2.0, 3), {"early": 0, "late": 4 - 2, "never": 7 - 3})
        # late: 22:00 on 28 February to midnight of 1 March is 26 hours; never: 23:00 to 02:00, 27 hours; the mean is
        # 53/3 hours
        assert numbers(store, "first_detection_seconds") == (
            (63600.0, 3),
            {"early": 0, "late": 26 * 3600, "never": 27 * 3600},
        )
        assert numbers(store, "first_detection_rate")[0] == (2 / 3, 3)


def seconds_of(moment):
    return duckdb.execute(f"select {expand(f'epoch_seconds({moment})', read_macros(sql_root()), 'test')}").fetchall()[
        0
    ][0]


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))
def test_seconds_since_1970_are_those_of_the_calendar(moment):
    moment = moment.replace(microsecond=0)

    assert seconds_of(f"'{moment.isoformat(' ')}'") == (
        moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    ) / timedelta(seconds=1)


def test_no_time_has_no_seconds():
    assert seconds_of("cast(null as varchar)") is None
