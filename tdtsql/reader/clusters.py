"""Which item is in which cluster: tidy tables and JSON lines.

    item_id,cluster_id[,block_id][,run_id]          CSV, TSV, Parquet, data frames
    {"id": "a", "cluster": "7"[, "block": ...]}     JSON lines

Ids are text as it is written: ``007`` is not ``7``, blanks count, ``NULL`` and ``nan`` are names. An empty cluster says
that the item is listed and in no cluster. Where the columns are named by the user, other columns may be there.

Code   Meaning
E301   a required column is missing
E302   a column that the form does not have
E303   a duplicate column
E305   an empty value where one is required
E306   an id that is not text or a whole number, or that has blanks around it
E318   a table without rows that needs some
E319   columns separated by another character than expected
E320   JSON or markup where a table is expected
E901   a line that is not a JSON object
E902   a JSON object without the required field
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tdtsql.errors import Problems, meant
from tdtsql.reader.header import check_header
from tdtsql.reader.scan import Kind, Place, Rows, check_column, json_objects, sound_rows, text_id


class Names(NamedTuple):
    """What the columns of a table, or the fields of JSON objects, are called."""

    item: str = "item_id"
    cluster: str = "cluster_id"
    block: str = "block_id"
    run: str = "run_id"
    is_given: bool = False  #: by the user: other columns are no mistake


#: the columns of tidy tables, and the fields of JSON lines
TIDY_NAMES = Names()
JSON_NAMES = Names("id", "cluster", "block", "run_id", True)


def names_of(options: Mapping[str, str], otherwise: Names = TIDY_NAMES) -> Names:
    """Return the names that a bundle gives (item, cluster, block), and the usual ones for the others."""
    return Names(
        options.get("item", otherwise.item),
        options.get("cluster", otherwise.cluster),
        options.get("block", otherwise.block),
        otherwise.run,
        otherwise.is_given or bool(options),
    )


@dataclass(slots=True)
class Clusters:
    """M memberships, in the order of the file."""

    items: list[str] = field(default_factory=list)
    clusters: list[str | None] = field(default_factory=list)  #: None: listed, and in no cluster
    blocks: list[str] | None = None  #: None: the file names no blocks
    runs: list[str] | None = None  #: None: the file names no runs
    lines: array = field(default_factory=lambda: array("q"))  #: line of each, or row where there are no lines
    n_line: dict[str, int] | None = None  #: of documents whose items are spans of lines: how many lines each has


def clusters_of(rows: Rows | None, problems: Problems, names: Names) -> Clusters:
    """Return the memberships of a table; None: it was reported."""
    if rows is None:
        return Clusters()
    _check_header(rows, names, problems)
    return _checked(rows.named, rows.lines, names, problems, rows.at)


def read_json_lines(data: bytes, problems: Problems, names: Names) -> Clusters:
    """Return the memberships of JSON lines: an object a line, with the fields ``names`` or, where the user did not
    name them, the columns of tidy tables. If the first object lacks one, the others are not read.
    """
    columns: dict[str, list] = {}
    lines = array("q")
    for line, found in json_objects(data, problems, "E901"):
        if not columns:
            is_tidy = names == JSON_NAMES and {TIDY_NAMES.item, TIDY_NAMES.cluster} <= found.keys()
            names = TIDY_NAMES if is_tidy else names
            columns = {names.item: [], names.cluster: []}
        lacking = [name for name in (names.item, names.cluster) if name not in found]
        if lacking:
            advice = meant(lacking[0], found)
            problems.add(
                "E902",
                f"the object has no field {lacking[0]}",
                f"{advice} Name the field in the bundle."
                if advice
                else "Name the field in the bundle (item, cluster).",
                line,
                1,
                ", ".join(found),
            )
            if not lines:
                break
            continue
        if (names.block in found) != (names.block in columns) and lines:
            problems.add(
                "E902",
                f"the object has {'a' if names.block in found else 'no'} field {names.block}, unlike the first one",
                "Give every object one, or none.",
                line,
                1,
            )
            continue
        for name in (names.item, names.cluster, *((names.block,) if names.block in found else ())):
            columns.setdefault(name, []).append(found[name])
        lines.append(line)
    columns = columns or {names.item: [], names.cluster: []}
    return _checked(columns, lines, names, problems, lambda row, _: (lines[row], None))


def _check_header(rows: Rows, names: Names, problems: Problems) -> None:
    header = rows.header
    known = [names.item, names.cluster, names.block, names.run]
    mistyped = check_header(
        header,
        known,
        problems,
        lambda number: rows.place(-1, number),
        holder="a partition has",
        advice="Remove it, or name the columns in the bundle (item, cluster).",
        are_others_allowed=names.is_given,
    )
    for name in (names.item, names.cluster):
        if name not in header and name not in mistyped:
            line, _ = rows.place(-1, 0)
            problems.add(
                "E301",
                f"missing column {name}, expected {names.item}, {names.cluster}",
                "Add the column and its name in the header, or name the column in the bundle.",
                line,
                None if line is None else 1,
                ", ".join(header),
            )


def _checked(columns: Mapping[str, Sequence], lines: array, names: Names, problems: Problems, place: Place) -> Clusters:
    if names.item not in columns or names.cluster not in columns:
        return Clusters()
    checked = {
        name: check_column(columns[name], name, _ID, problems, place, is_required=name != names.cluster)
        for name in (names.item, names.cluster, names.block, names.run)
        if name in columns
    }
    checked, lines = sound_rows(checked, lines, checked.keys() - {names.cluster})
    return Clusters(
        checked[names.item], checked[names.cluster], checked.get(names.block), checked.get(names.run), lines
    )


def _usual(values: Sequence[str]) -> list | None:
    return None if any(map(str.isspace, values)) else list(values)


_ID = Kind(
    text_id,
    "E306",
    "{name} is a {type}, expected text or a whole number",
    "an id",
    "Write the ids as text; a column of whole numbers with gaps becomes one of fractions in some programs.",
    usual=_usual,
)
