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
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tdtsql.errors import Problems
from tdtsql.files.text import plain_bytes
from tdtsql.reader.ts_rows import number, whole

#: attributes that are numbers; the fifth, locations, is a pair (latitude, longitude)
SCALARS = ("deaths", "injuries", "displaced", "financialimpact")
ATTRIBUTES = (*SCALARS, "locations")
#: more than all money or people there are; keeps value times seconds within what is summed exactly
LARGEST_VALUE = 1e18
_DEEPEST = 16
_PLAIN = {"id", "title", "description", "start", "end", "query", "type"}


class TrueValue(NamedTuple):
    """The value of an attribute from a time on; ``latitude`` holds a scalar's value, and then ``longitude`` is None."""

    attribute: str
    time: int
    latitude: float
    longitude: float | None


class EventRow(NamedTuple):
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
