"""Files of story pairs, parsed by the engine where they are clean.

One blank between the fields, nothing else after the header: such a file of a
million pairs takes a second. Anything else in it (a comment, a repeated
pair, a bad number) returns None, and the fallback reader reports it.
"""

import zlib
from itertools import takewhile
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.intake.clean_table import clean_text
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.reader.index import Index, read_index
from tdtsql.engine.packed import opened

#: bytes that hold the header of a key or an output file
_HEAD = 1 << 16


def header_lines(path: Path) -> list[bytes] | None:
    """Return the lines before the first that is neither blank nor a comment; None if there is no such line."""
    try:
        with opened(path) as stream:
            lines = stream.read(_HEAD).split(b"\n")[:-1]
    except (OSError, EOFError, zlib.error):
        return None
    head = list(takewhile(lambda line: not line.strip() or line.lstrip().startswith(b"#"), lines))
    return head if len(head) < len(lines) else None


def clean_index(engine: Engine, inputs: Inputs, given: str, path: Path, task: str) -> tuple[Index, FileRows] | None:
    """Return what the header of a link index says (without pairs), and its pairs, or None if the file must be read
    slowly.
    """
    head = header_lines(path)
    if head is None:
        return None
    problems = Problems(given.removesuffix(".gz"))  # the bytes are not compressed any more
    index = read_index(b"\n".join([*head, b"a b\n"]), problems, task)
    if problems.found:
        return None
    rows = parse_pairs(engine, inputs, given, path, "index file", len(head))
    if rows is None:
        return None
    inputs.note(given, path, "index file")
    return index._replace(pairs=[], story_ids=[]), rows


def parse_pairs(
    engine: Engine, inputs: Inputs, given: str, path: Path, kind: str, n_header: int, *fields: str
) -> FileRows | None:
    """Return the rows of a file in a temporary table (place, id_1, id_2, and the fields); None, and no table, where a
    line or a value is missing, or a pair is repeated.
    """
    names = ("id_1", "id_2", *fields)
    table = clean_text(inputs, given, path, kind, " ", names=names, skip=n_header, odd=b"#\t")
    if table is None:
        return None
    rows = FileRows(engine.unused_name("pair_row"))
    if not table.parse(engine, rows, given, ["given.*"], [f"{name} is null" for name in names]):
        return None
    if engine.value(f"select count(distinct hash(id_1, id_2)) from {rows.table}") < rows.n_row:
        engine.execute(f"drop table {rows.table}")
        return None
    return rows
