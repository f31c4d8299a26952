"""Files of story pairs, parsed by the engine where they are clean.

One blank between the fields, nothing else after the header: such a file of a
million pairs takes a second. Anything else in it (a comment, a repeated
pair, a bad number) returns None or False, and the fallback reader reports it.
"""

import zlib
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import text_source
from tdtsql.errors import Problems
from tdtsql.reader.index import Index, read_index
from tdtsql.reader.text import opened
from tdtsql.intake.inputs import FileRows, Inputs

#: bytes that hold the header of a key or an output file
_HEAD = 1 << 16
#: bytes per chunk
_PIECE = 1 << 22
#: every byte that a clean file may have behind its header: printable ASCII without the comment sign, and line ends
_PLAIN = bytes(set(range(0x20, 0x7F)) - {ord("#")}) + b"\n"

#: name and type of the fields behind the two ids, by file kind
KEY_FIELDS = ("answer VARCHAR", "block VARCHAR")
OUTPUT_FIELDS = ("decision VARCHAR", "score DOUBLE")


@dataclass(frozen=True, slots=True)
class PairFile:
    """A file whose lines behind the header look like pairs."""

    given: str  #: as the bundle names it
    path: Path
    n_header: int  #: lines before the first pair
    n_line: int  #: lines of the whole file


def header_lines(path: Path, *, is_key: bool) -> int | None:
    """Return how many lines come before the first pair, or None if the file must be read slowly."""
    try:
        with opened(path) as stream:
            lines = stream.read(_HEAD).split(b"\n")[:-1]
    except (OSError, EOFError, zlib.error):
        return None
    head = 0
    while head < len(lines) and (not lines[head].strip() or lines[head].lstrip().startswith(b"#")):
        head += 1
    if is_key:
        first = next((line for line in lines[:head] if line.strip()), b"")
        named = first.replace(b"#", b" ", 1).split()[:1]
        return head if named and named[0].lower() == b"link_detection" and head < len(lines) else None
    return head + 1 if head < len(lines) else None


def pair_file(inputs: Inputs, given: str, path: Path, kind: str, n_header: int) -> PairFile | None:
    """Return a file with its lines counted, or None where a byte behind its header is not plain."""
    try:
        with opened(path) as stream:
            for _ in range(n_header):
                stream.readline()
            while piece := stream.read(_PIECE):
                if piece.translate(None, _PLAIN):
                    return None
    except (OSError, EOFError, zlib.error):
        return None
    return PairFile(given, path, n_header, inputs.digest(given, path, kind)[1])


def clean_index(inputs: Inputs, given: str, path: Path, task: str) -> tuple[Index, PairFile] | None:
    """Return what the header of a link index says (without pairs), and where its pairs are, or None if the file must be
    read slowly.
    """
    head = []
    try:
        with opened(path) as stream:
            for line in stream:
                head.append(line)
                if line.strip() and not line.lstrip().startswith(b"#"):
                    break
    except (OSError, EOFError, zlib.error):
        return None
    problems = Problems(given.removesuffix(".gz"))  # the bytes are not compressed any more
    index = read_index(b"".join(head), problems, task)
    if problems.found or len(index.pairs) != 1:
        return None
    file = pair_file(inputs, given, path, "index file", len(head) - 1)
    return None if file is None else (index._replace(pairs=[], story_ids=[]), file)


def parse_pairs(
    engine: Engine, file: PairFile | None, fields: tuple[str, ...], *, is_once: bool = False
) -> FileRows | None:
    """Return the rows of a file in a temporary table (place, id_1, id_2, and the fields); None, and no table, where a
    line or a value is missing.

    Args:
        fields: name and type of the fields behind the ids, ``name TYPE``.
        is_once: nor may a pair be repeated.
    """
    if file is None:
        return None
    kinds = {"id_1": "VARCHAR", "id_2": "VARCHAR", **dict(field.split() for field in fields)}
    options = "null_padding = false, ignore_errors = true, parallel = false"
    n_row = file.n_line - file.n_header
    rows = FileRows(engine.unused_name("pair_row"))
    try:
        source = text_source(file.path, kinds, " ", skip=file.n_header, options=options)
        engine.execute(
            f"create or replace temp table {rows.table} as select row_number() over () - 1 as place, pair.* "
            f"from {source} as pair"
        )
    except (duckdb.Error, OSError):
        return None
    pairs = "hash(id_1, id_2)" if is_once else "place"
    [counts] = engine.rows(
        f"select count(distinct {pairs}), {', '.join(f'count({name})' for name in kinds)} from {rows.table}"
    )
    if n_row == 0 or set(counts) != {n_row}:
        engine.execute(f"drop table {rows.table}")
        return None
    rows.add(file.given, range(file.n_header + 1, file.n_line + 1), n_row)
    return rows
