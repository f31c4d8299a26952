"""Tidy tables of temporal summarization and value tracking to the rows of the official readers.

Code   Meaning
E505   an importance outside the scale 0 to 3
W506   a repeated nugget id: the last row counts
W507   a repeated update id: the last row counts
W508   a reversed or empty span
E544   an event that ends at or before its start
W551   an infinite confidence, taken as 1000
"""

from collections.abc import Iterator

from tdtsql.errors import Problems
from tdtsql.reader.matches import MatchRow
from tdtsql.reader.nuggets import NuggetRow
from tdtsql.reader.tidy import TidyTable
from tdtsql.reader.ts_rows import Counted, blank_words, words
from tdtsql.reader.ts_run import INFINITE_CONFIDENCE, RunRow
from tdtsql.reader.ts_topics import EventRow
from tdtsql.reader.updates import UpdateRow


def _rows(table: TidyTable, *names: str) -> Iterator[tuple]:
    """Yield (line, values...) of the rows that have every required value."""
    empty = [None] * len(table.lines)
    return zip(table.lines, *(table.columns.get(name, empty) for name in names), strict=True)


def _raw(text: str | None) -> str:
    """Return a text as its UTF-8 bytes stored as Latin-1, as the official readers do."""
    return (text or "").encode().decode("latin-1")


def tidy_nuggets(table: TidyTable, problems: Problems) -> list[NuggetRow]:
    found, seen, counted = [], set(), Counted(problems)
    for line, event, nugget, time, importance, length, text in _rows(
        table, "event_id", "nugget_id", "time", "importance", "length", "text"
    ):
        if not 0 <= importance <= 3:
            problems.add(
                "E505", "importance is outside 0 to 3", "Grade from 0 (none) to 3 (high).", line, value=importance
            )
            continue
        if (event, nugget) in seen:
            counted.add("W506", "repeated nugget id; the last row counts", line=line, value=nugget)
        seen.add((event, nugget))
        raw = _raw(text)
        found.append(
            NuggetRow(
                line,
                event,
                nugget,
                time,
                importance,
                words(raw) if length is None else length,
                blank_words(raw),
                words(raw),
                text or "",
            )
        )
    counted.report()
    return found


def tidy_updates(table: TidyTable, problems: Problems) -> list[UpdateRow]:
    found, counted = {}, Counted(problems)
    for line, event, update, length, duplicate, text in _rows(
        table, "event_id", "update_id", "length", "duplicate_of", "text"
    ):
        if (event, update) in found:
            counted.add("W507", "repeated update id; the last row counts", line=line, value=update)
        raw = _raw(text)
        found[event, update] = UpdateRow(
            line,
            event,
            update,
            words(raw) if length is None else length,
            duplicate or "",
            blank_words(raw),
            words(raw),
            raw,
        )
    counted.report()
    return list(found.values())


def tidy_matches(table: TidyTable, problems: Problems) -> list[MatchRow]:
    found, counted = [], Counted(problems)
    for line, event, update, nugget, start, end in _rows(table, "event_id", "update_id", "nugget_id", "start", "end"):
        if end <= start:
            counted.add("W508", "the span is reversed or empty; it may mark no word", line=line, value=f"{start}-{end}")
        found.append(MatchRow(line, event, update, nugget, start, end))
    counted.report()
    return found


def tidy_events(table: TidyTable, problems: Problems) -> list[EventRow]:
    found = []
    for line, event, title, start, end, kind in _rows(table, "event_id", "title", "start", "end", "kind"):
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
    for line, run, event, update, time, confidence in _rows(
        table, "run_id", "event_id", "update_id", "time", "confidence"
    ):
        if confidence is not None and confidence > 1e300:
            counted.add("W551", "infinite confidence, taken as 1000 as the track's programs do", line=line)
            confidence = INFINITE_CONFIDENCE
        rows.append((line, event, run or run_id or "run", update, time, 1.0 if confidence is None else confidence))
    counted.report()
    return rows
