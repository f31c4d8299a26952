"""Topics file of TREC Temporal Summarization (XML): the events, and the true values of their attributes.

    <events><event><id>11</id><title>..</title><start>..</start><end>..</end><query>..</query><type>..</type>
      <deaths><value><count>51</count><time>1329910380</time></value></deaths>
      <locations><location><value>
        <latitude>..</latitude><longitude>..</longitude><time>..</time>
      </value></location></locations>
    </event></events>

Code   Meaning
E540   not well-formed or forbidden XML
E541   a file without events
W541   an unknown attribute, ignored
E542   an event without id
E543   start or end is missing or not a whole number
E544   an event that ends at or before its start
E545   a duplicate event id
E546   an invalid value
E547   a coordinate outside the range of latitude or longitude
E548   elements nested too deeply
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.find import Inputs
from tdtsql.files.rows import scan
from tdtsql.files.table import read_table
from tdtsql.files.text import plain_bytes
from tdtsql.load.plan import by_column
from tdtsql.load.tidy import TIDY
from tdtsql.load.ts_files import is_tidy

#: attributes that are numbers; the fifth, locations, is a pair (latitude, longitude)
SCALARS = ("deaths", "injuries", "displaced", "financialimpact")
ATTRIBUTES = (*SCALARS, "locations")
#: more than all money or people there are; keeps value times seconds within what is summed exactly
LARGEST_VALUE = 1e18
_DEEPEST = 16
_WHOLE = re.compile(r"[ \t\n\r\v\f]*[+-]?[0-9]{1,18}[ \t\n\r\v\f]*")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?)")
_PLAIN = {"id", "title", "description", "start", "end", "query", "type"}


class TrueValue(NamedTuple):
    """The value of an attribute from a time on; ``latitude`` holds a scalar's value, and then ``longitude`` is None."""

    attribute: str
    time: int
    latitude: float
    longitude: float | None

    @property
    def numbers(self) -> tuple[float | None, float | None, float | None]:
        """Number, latitude and longitude: a number, or a location."""
        return (self.latitude, None, None) if self.longitude is None else (None, self.latitude, self.longitude)


class EventRow(NamedTuple):
    """An event."""

    event: str
    title: str
    start: int
    end: int
    kind: str
    query: str
    values: tuple[TrueValue, ...]


def read_ts_topics(data: bytes, problems: Problems) -> list[EventRow]:
    plain = plain_bytes(data, problems)
    if plain is None:
        return []
    try:
        root = fromstring(plain, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line, column = error.position
        problems.add(
            "E540",
            "not well-formed XML",
            "Fix the file; it ends early or a tag is not closed.",
            line,
            column + 1,
            str(error).split(":")[0],
        )
        return []
    except (DefusedXmlException, ValueError, LookupError) as error:
        problems.add(
            "E540",
            "XML that declares entities or an unknown encoding is not read",
            "Remove the declarations.",
            value=type(error).__name__,
        )
        return []
    if _deeper_than(root, _DEEPEST):
        problems.add("E548", f"elements are nested deeper than {_DEEPEST}", "Name a topics file.")
        return []
    found: dict[str, EventRow] = {}
    for position, node in enumerate(root.findall("event"), start=1):
        event = _text(node, "id")
        if not event:
            problems.add("E542", f"event number {position} has no id", "Give it an <id>.")
            continue
        if event in found:
            problems.add("E545", "duplicate event", "Drop one of them.", value=event)
            continue
        start, end = (_time(node, name, event, problems) for name in ("start", "end"))
        if start is not None and end is not None and end <= start:
            problems.add(
                "E544", f"event {event} ends at or before its start", "Fix <start> or <end>.", value=f"{start} to {end}"
            )
            continue
        values = tuple(_values(node, event, problems))
        if start is not None and end is not None:
            found[event] = EventRow(
                event, _text(node, "title"), start, end, _text(node, "type"), _text(node, "query"), values
            )
    if not found and not problems.errors:
        problems.add("E541", "no <event> below the root element", "Name the track's topics file.", value=root.tag)
    return list(found.values())


def whole(text: str) -> int | None:
    """Return the whole number that ``text`` writes, or None."""
    return int(text) if _WHOLE.fullmatch(text) else None


def number(text: str) -> float | None:
    """Return the number that ``text`` writes, or None."""
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


def read_events(engine: Engine, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> None:
    """Put the events of topics files, or of tidy ones (.csv, .parquet), into ``read_events``, and the true values of
    their attributes into ``read_true_values``; the line of an event of XML is its number in the file.
    """
    engine.execute("""
        create or replace temp table read_true_values (file integer, line bigint, event_id varchar, attribute varchar,
            time bigint, number double, latitude double, longitude double)""")
    if files and all(is_tidy(given) for given, _ in files):
        read_table(engine, inputs, TIDY["events"], files)
        return
    scan(engine, TIDY["events"], [])
    for file, (given, path) in enumerate(files):
        events = inputs.read(given, path, "events", read_ts_topics)
        rows = [(line, one.event, one.title, one.start, one.end, one.kind) for line, one in enumerate(events, 1)]
        names = ("line", "event_id", "title", "start", "end", "kind")
        engine.insert("read_events", {"file": file, **by_column(rows, *names)})
        columns = ("line", "event_id", "attribute", "time", "number", "latitude", "longitude")
        values = [
            (line, event.event, value.attribute, value.time, *value.numbers)
            for line, event in enumerate(events, 1)
            for value in event.values
        ]
        engine.insert("read_true_values", {"file": file, **by_column(values, *columns)})


def _deeper_than(root: Element, limit: int) -> bool:
    level = [root]
    for _ in range(limit):
        level = [child for node in level for child in node]
        if not level:
            return False
    return True


def _text(node: Element, name: str) -> str:
    return (node.findtext(name) or "").strip()


def _time(node: Element, name: str, event: str, problems: Problems) -> int | None:
    text = _text(node, name)
    found = whole(text)
    if found is None:
        problems.add(
            "E543",
            f"event {event} has no {name} in whole seconds",
            f"Give it a <{name}>, seconds since 1970.",
            value=text,
        )
    return found


def _values(node: Element, event: str, problems: Problems) -> list[TrueValue]:
    found = []
    for child in node:
        if child.tag in _PLAIN:
            continue
        if child.tag not in ATTRIBUTES:
            problems.add("W541", f"event {event} has an attribute that is not known; ignored", value=child.tag)
            continue
        for value in child.iter("value"):
            time = whole(_text(value, "time"))
            if child.tag == "locations":
                latitude, longitude = number(_text(value, "latitude")), number(_text(value, "longitude"))
            else:
                latitude, longitude = (
                    number(_text(value, "count") or _text(value, "amount") or _text(value, "value")),
                    None,
                )
            parts = [part for part in (latitude, longitude) if part is not None]
            if (
                time is None
                or latitude is None
                or any(abs(part) > LARGEST_VALUE for part in parts)
                or len(parts) < (2 if child.tag == "locations" else 1)
                or not all(map(math.isfinite, parts))
            ):
                problems.add(
                    "E546",
                    f"event {event}: a value of {child.tag} cannot be read",
                    "Write a time and a number (latitude and longitude for locations).",
                    value=" ".join("".join(value.itertext()).split()),
                )
            elif longitude is not None and not (abs(latitude) <= 90 and abs(longitude) <= 180):
                problems.add(
                    "E547",
                    f"event {event}: a location is off the globe",
                    "Latitudes go from -90 to 90, longitudes from -180 to 180.",
                    value=f"{latitude},{longitude}",
                )
            else:
                found.append(TrueValue(child.tag, time, latitude, longitude))
    return found
