"""Topics file of TREC Temporal Summarization (XML): the events, and the true values of their attributes.

    <events><event><id>11</id><title>..</title><start>..</start><end>..</end><query>..</query><type>..</type>
      <deaths><value><count>51</count><time>1329910380</time></value></deaths>
      <locations><location><value>
        <latitude>..</latitude><longitude>..</longitude><time>..</time>
      </value></location></locations>
    </event></events>

The texts of its elements are rows, which ``sql/load/ts_topics`` converts and checks.

Code   Meaning
E540   not well-formed or forbidden XML
E541   a file without events
E548   elements nested too deeply
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.checks import execute, report_all
from tdtsql.files.find import Inputs
from tdtsql.files.rows import scan
from tdtsql.files.table import read_table
from tdtsql.files.text import plain_bytes
from tdtsql.load.plan import drop_tables
from tdtsql.load.forms import FORMS
from tdtsql.load.ts_files import is_tidy

#: attributes, of which the last is a pair (latitude, longitude) and the others are numbers
ATTRIBUTES = ("deaths", "injuries", "displaced", "financialimpact", "locations")
_DEEPEST = 16
_PLAIN = {"id", "title", "description", "start", "end", "query", "type"}
_EVENT = ("event_no bigint", *(f"{name} varchar" for name in "event_id title start_text end_text kind".split()))
_NUMBERS = "time latitude longitude count amount value".split()
_VALUE = (
    "value_no bigint",
    "event_no bigint",
    *(f"{name} varchar" for name in ["event_id", "attribute", *_NUMBERS, "said"]),
)


def read_events(engine: Engine, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> None:
    """Put the events of topics files, or of tidy ones (.csv, .parquet), into ``read_events``, and the true values of
    their attributes into ``read_true_values``; the line of an event of XML is its number in the file.
    """
    engine.execute("""
        create or replace temp table read_true_values (file integer, line bigint, event_id varchar, attribute varchar,
            time bigint, number double, latitude double, longitude double)""")
    if files and all(is_tidy(given) for given, _ in files):
        read_table(engine, inputs, FORMS["events"], files)
        return
    scan(engine, FORMS["events"], [])
    for file, (given, path) in enumerate(files):
        inputs.read(given, path, "events", partial(read_topics, engine, file))


def read_topics(engine: Engine, file: int, data: bytes, problems: Problems) -> None:
    """Add the events of a topics file with this number to ``read_events`` and ``read_true_values``."""
    root = _root(data, problems)
    if root is None:
        return
    nodes = list(enumerate(root.findall("event"), 1))
    ids = {number: _text(node, "id") for number, node in nodes}
    events = [
        (number, ids[number], *(_text(node, name) for name in ("title", "start", "end", "type")))
        for number, node in nodes
    ]
    values = [
        (
            number,
            ids[number],
            child.tag,
            *(_text(value, name) for name in _NUMBERS),
            " ".join("".join(value.itertext()).split()),
        )
        for number, node in nodes
        for child in node
        if child.tag not in _PLAIN
        for value in (child.iter("value") if child.tag in ATTRIBUTES else [child])
    ]
    engine.make_rows("topic_event", _EVENT, events)
    engine.make_rows("topic_value", _VALUE, [(place, *row) for place, row in enumerate(values)])
    for name in ("event", "value"):
        execute(engine, f"ts_topics/{name}s", {}, f"read_topic_{name}")
    report_all(engine, "ts_topics", {0: problems})
    if not events:
        problems.add("E541", "no <event> below the root element", "Name the track's topics file.", value=root.tag)
    execute(engine, "ts_topics/rows", {"file": file})
    drop_tables(engine, "topic_event", "topic_value", "read_topic_event", "read_topic_value")


def _root(data: bytes, problems: Problems) -> Element | None:
    """Return the root element of a file; None after reporting that it is not XML that is read."""
    plain = plain_bytes(data, problems)
    if plain is None:
        return None
    try:
        root = fromstring(plain, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        (line, column), said = error.position, str(error).split(":")[0]
        advice = "Fix the file; it ends early or a tag is not closed."
        problems.add("E540", "not well-formed XML", advice, line, column + 1, said)
        return None
    except (DefusedXmlException, ValueError, LookupError) as error:
        said = "XML that declares entities or an unknown encoding is not read"
        problems.add("E540", said, "Remove the declarations.", value=type(error).__name__)
        return None
    level = [root]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in node]
    if level:
        problems.add("E548", f"elements are nested deeper than {_DEEPEST}", "Name a topics file.")
        return None
    return root


def _text(node: Element, name: str) -> str:
    return (node.findtext(name) or "").strip()
