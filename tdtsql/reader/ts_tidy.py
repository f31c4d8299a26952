"""Tidy tables of temporal summarization and value tracking to the rows of the official readers.

Code   Meaning
E505   an importance outside the scale 0 to 3
W506   a repeated nugget id: the last row counts
W507   a repeated update id: the last row counts
W508   a reversed or empty span
E544   an event that ends at or before its start
W551   an infinite confidence, taken as 1000
"""

from tdtsql.errors import Problems
from tdtsql.reader.matches import MatchRow, match_rows
from tdtsql.reader.nuggets import NuggetRow, nugget_rows
from tdtsql.reader.tidy import TidyTable
from tdtsql.reader.ts_rows import Counted, FileRules
from tdtsql.reader.ts_run import INFINITE_CONFIDENCE, RunRow
from tdtsql.reader.ts_topics import EventRow
from tdtsql.reader.updates import UpdateRow, update_rows


def _raw(text: str | None) -> str:
    """Return a text as its UTF-8 bytes stored as Latin-1, as the official readers do."""
    return (text or "").encode().decode("latin-1")


def tidy_nuggets(table: TidyTable, problems: Problems) -> list[NuggetRow]:
    rows = table.rows("event_id", "nugget_id", "time", "importance", "length", "text")
    return nugget_rows(((*row, _raw(text)) for *row, text in rows), problems, FileRules())


def tidy_updates(table: TidyTable, problems: Problems) -> list[UpdateRow]:
    rows = table.rows("event_id", "update_id", "length", "duplicate_of", "text")
    return update_rows(((*row, _raw(text)) for *row, text in rows), problems, FileRules())


def tidy_matches(table: TidyTable, problems: Problems) -> list[MatchRow]:
    return match_rows(table.rows("event_id", "update_id", "nugget_id", "start", "end"), problems)


def tidy_events(table: TidyTable, problems: Problems) -> list[EventRow]:
    found = []
    for line, event, title, start, end, kind in table.rows("event_id", "title", "start", "end", "kind"):
        if end <= start:
            problems.add(
                "E544",
                f"event {event} ends at or before its start",
                "Fix start or end.",
                line,
                value=f"{start} to {end}",
            )
            continue
        found.append(EventRow(event, title or "", start, end, kind or "", "", ()))
    return found


def tidy_run(table: TidyTable, run_id: str | None, problems: Problems) -> list[RunRow]:
    """Return the updates of a run; ``run_id`` names rows where the table has no column for it."""
    rows: list[RunRow] = []
    counted = Counted(problems)
    for line, run, event, update, time, confidence in table.rows(
        "run_id", "event_id", "update_id", "time", "confidence"
    ):
        if confidence is not None and confidence > 1e300:
            counted.add("W551", "infinite confidence, taken as 1000 as the track's programs do", line=line)
            confidence = INFINITE_CONFIDENCE
        rows.append((line, event, run or run_id or "run", update, time, 1.0 if confidence is None else confidence))
    counted.report()
    return rows
