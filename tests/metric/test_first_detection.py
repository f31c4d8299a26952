"""Seconds of dates against Python's calendar; how soon topics are found: tests/cases/loaded/first_detection.case."""

from datetime import UTC, datetime, timedelta

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from tdtsql.definitions.catalogue import sql_root
from tdtsql.definitions.macro import expand, read_macros


def seconds_of(moment):
    query = f"select {expand(f'epoch_seconds({moment})', read_macros(sql_root()), 'test')}"
    return duckdb.execute(query).fetchall()[0][0]


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))
def test_seconds_since_1970_are_those_of_the_calendar(moment):
    moment = moment.replace(microsecond=0)

    assert seconds_of(f"'{moment.isoformat(' ')}'") == (
        moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    ) / timedelta(seconds=1)


def test_no_time_has_no_seconds():
    assert seconds_of("cast(null as varchar)") is None
