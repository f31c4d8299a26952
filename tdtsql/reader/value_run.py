"""Runs of TREC value tracking: values that a system submitted for an event's attributes, with times.

    query_id  team_id  run_id  document|NULL  sentence|NULL  time  attribute  value  confidence

Attributes are deaths, injuries, displaced, financialimpact (numbers, 0 or more)
and locations (``latitude,longitude``; a blank after the comma is allowed).
``#`` starts a comment. The rules are those of the track's format checker,
with a corrected test of coordinates.

Code   Meaning
E571   wrong number of columns
E572   an invalid time
E573   an unknown attribute
E574   an invalid value
E575   a coordinate outside the range of latitude or longitude
E576   a confidence that is not above 0
E577   only one of document and sentence is NULL
E579   a header line
"""

import math
import re
from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader.field import looks_like_header
from tdtsql.reader.ts_rows import byte_lines, number, split_blanks, text_of, whole
from tdtsql.reader.ts_topics import ATTRIBUTES, LARGEST_VALUE

_COMMA = re.compile(r",[ \t]+")


class ValueRow(NamedTuple):
    """One submitted value; ``latitude`` holds a scalar's value, and then ``longitude`` is None."""

    line: int
    event: str
    run: str  #: TEAM-RUN
    document: str | None
    sentence: str | None
    time: int
    attribute: str
    latitude: float
    longitude: float | None
    confidence: float


def read_value_run(data: bytes, problems: Problems) -> list[ValueRow]:
    found: list[ValueRow] = []
    for line, text in byte_lines(data, problems):
        text = text.split("#", 1)[0]
        if not text.strip():
            continue
        words = text.split()
        if not found and looks_like_header([words[5], *words[7:9]] if len(words) == 9 else words[2:]):
            problems.add(
                "E579",
                "the line looks like a header, and run files have none",
                "Drop the line.",
                line,
                value=text.strip(),
            )
            continue
        row = _row(line, [text_of(part) for part in split_blanks(_COMMA.sub(",", text))], problems)
        if row:
            found.append(row)
    return found


def _row(line: int, parts: list[str], problems: Problems) -> ValueRow | None:
    if len(parts) != 9:
        problems.add(
            "E571",
            f"{len(parts)} columns, expected 9: event team run document sentence time attribute value confidence",
            "Fix or drop the row.",
            line,
            value=" ".join(parts),
        )
        return None
    event, team, run, document, sentence, time_text, attribute, value, confidence_text = parts
    time = whole(time_text)
    if time is None:
        problems.add(
            "E572",
            "the time (column 6) is not an integer number of seconds",
            "Write seconds since 1970.",
            line,
            value=time_text,
        )
    if (document == "NULL") != (sentence == "NULL"):
        problems.add(
            "E577",
            "document and sentence must both be NULL (a prior) or both be given",
            "Fill in the missing one.",
            line,
            value=f"{document} {sentence}",
        )
    confidence = number(confidence_text)
    if confidence is None or not (math.isfinite(confidence) and confidence > 0):
        problems.add(
            "E576",
            "the confidence (column 9) is not a number above 0",
            "Write a number above 0.",
            line,
            value=confidence_text,
        )
        confidence = None
    if attribute not in ATTRIBUTES:
        problems.add(
            "E573",
            f"the attribute (column 7) is unknown, expected one of {', '.join(ATTRIBUTES)}",
            "Fix the name.",
            line,
            value=attribute,
        )
        return None
    given = [number(part) for part in value.split(",")] if attribute == "locations" else [number(value)]
    numbers = [part for part in given if part is not None and math.isfinite(part)]
    if len(given) != (2 if attribute == "locations" else 1) or len(numbers) < len(given):
        wanted = "latitude,longitude" if attribute == "locations" else "a finite number"
        problems.add("E574", f"the value (column 8) is not {wanted}", f"Write {wanted}.", line, value=value)
        return None
    if attribute == "locations":
        if abs(numbers[0]) > 90 or abs(numbers[1]) > 180:
            problems.add(
                "E575",
                "the location is off the globe",
                "Latitudes go from -90 to 90, longitudes from -180 to 180.",
                line,
                value=value,
            )
            return None
    elif not 0 <= numbers[0] <= LARGEST_VALUE:
        problems.add(
            "E574",
            "the value (column 8) is negative or beyond all measure",
            "Write a number, 0 or more.",
            line,
            value=value,
        )
        return None
    if time is None or confidence is None:
        return None
    null = None if document == "NULL" else document
    return ValueRow(
        line,
        event,
        f"{team}-{run}",
        null,
        None if sentence == "NULL" else sentence,
        time,
        attribute,
        numbers[0],
        numbers[1] if len(numbers) == 2 else None,
        confidence,
    )
