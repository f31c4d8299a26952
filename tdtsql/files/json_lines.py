"""JSON lines, an object a line: as a table whose columns are the keys, those of objects in objects joined by points.

Code   Meaning
E901   a line that is not a JSON object
E902   a JSON object without the required field
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.frame import cell_text
from tdtsql.files.kinds import TEXT, Kind
from tdtsql.files.lines import Text
from tdtsql.files.rows import Part, cell_part, report_floats

#: (line, key -> value)
Records = Sequence[tuple[int, Mapping[str, Any]]]

_TYPES = {list: "an array", str: "a text", type(None): "null"}


class _Repeated(ValueError):
    """An object has a key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return found


def is_json_lines(given: str, source: object = None) -> bool:
    """Return whether the name of a file says that it is of JSON lines."""
    return given.removesuffix(".gz").endswith((".jsonl", ".ndjson"))


def json_objects(text: Text, code: str = "E901") -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, object); ``code`` is that of a line that is not one object, or has a key twice."""
    advice = "Write one object a line; is the file cut off?"
    for line, said in text.head():
        if not said.strip():
            continue
        value, column = said, 1
        try:
            found = json.loads(said, object_pairs_hook=_object)
            if isinstance(found, dict):
                yield line, found
                continue
            wrong = f"not a JSON object: {_TYPES.get(type(found), 'a number or a flag')}"
        except json.JSONDecodeError as error:
            wrong, column = f"not a JSON object: {error.msg}", error.colno
            value = said[max(error.pos - 20, 0) : error.pos + 20]
        except _Repeated as error:
            wrong, value, advice = f"key {error} is twice in the object", str(error), "Keep one of the two."
        except ValueError:  # Python reads no whole number of more than 4,300 digits
            wrong = "not a JSON object: a number of thousands of digits; write such an id as text"
        except RecursionError:
            wrong = "not a JSON object: nested too deeply"
        text.problems.add(code, wrong, advice, line, column, value)


def flat(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return an object as one row; keys of objects in it are joined by points."""
    row: dict[str, Any] = {}
    for key, value in record.items():
        row |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return row


def record_part(engine: Engine, text: Text, records: Records, kinds: Mapping[str, Kind | None]) -> Part:
    """Return records of a text as rows of texts.

    Args:
        kinds: those of some columns, which say how their values are written.
    """
    names = dict.fromkeys(name for _, record in records for name in record)
    columns = {name: [record.get(name) for _, record in records] for name in names}
    return value_part(engine, text.file, text.problems, [line for line, _ in records], columns, kinds, text)


def value_part(
    engine: Engine,
    file: int,
    problems: Problems,
    lines: Sequence[int],
    columns: Mapping[str, Sequence],
    kinds: Mapping[str, Kind | None],
    text: Text | None = None,
) -> Part:
    """Return columns of values of Python as rows of texts; arguments as of `record_part`."""
    cells = {name: f"cell_{number}" for number, name in enumerate(columns)}
    texts: dict[str, Sequence] = {"line": lines}
    floats: list[str] = []
    for name, values in columns.items():
        kind = kinds.get(name)
        texts[cells[name]] = [cell_text(value, kind) for value in values]
        odd = [(line, one) for line, one in zip(lines, values, strict=True) if isinstance(one, float) and one == one]
        if odd and kind is not None and kind.is_id:
            report_floats(problems, name, kind, len(odd), *odd[0])
            floats.append(name)
    source = engine.insert_temporary(engine.unused_name("value_row"), texts)
    typed = "".join(f", cast({cell} as varchar) as {cell}" for cell in cells.values())
    return cell_part(file, problems, f"(select line{typed} from {source})", cells, text, floats=floats)


def check_keys(kinds: Mapping[str, Kind | None], text: Text, records: Records) -> Records:
    """Return the records that have the same fields of some kinds as the first one, after reporting the others; texts
    may be left out.
    """
    wanted = [name for name, kind in kinds.items() if kind is not TEXT]
    first = {name for name in wanted if records and name in records[0][1]}
    sound = []
    for line, record in records:
        odd = next((name for name in wanted if (name in record) != (name in first)), None)
        if odd is None:
            sound.append((line, record))
            continue
        said = f"the object has {'no' if odd in first else 'a'} field {odd}, unlike the first one"
        text.problems.add("E902", said, "Give every object one, or none.", line, 1, ", ".join(record))
    return sound
