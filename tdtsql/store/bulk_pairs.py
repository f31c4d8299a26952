"""Files of story pairs, parsed by the engine where they are clean.

Four fields, one blank between, nothing else behind the header: such a file of a
million pairs takes a second. Anything unusual in it (a comment, a repeated
pair, a bad number) gives None, and the reader looks at it and says what.
"""

import gzip
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine

#: bytes that hold the header of a file
_HEAD = 1 << 16


def header_lines(path: Path, *, is_key: bool) -> int | None:
    """Return how many lines come before the first pair, or None if the file must be read slowly."""
    try:
        with (gzip.open if path.name.endswith(".gz") else open)(path, "rb") as stream:
            lines = stream.read(_HEAD).split(b"\n")[:-1]
    except (OSError, EOFError):
        return None
    head = 0
    while head < len(lines) and (not lines[head].strip() or lines[head].lstrip().startswith(b"#")):
        head += 1
    if is_key:
        first = next((line for line in lines[:head] if line.strip()), b"")
        named = first.replace(b"#", b" ", 1).split()[:1]
        return head if named and named[0].lower() == b"link_detection" and head < len(lines) else None
    return head + 1 if head < len(lines) else None


def parse_pairs(engine: Engine, path: Path, n_header: int, n_line: int, columns: tuple[str, str], table: str) -> bool:
    """Make a temporary table (line, id_1, id_2, and two columns) of a file; return whether every line of it is there.

    Args:
        n_header: lines before the first pair.
        n_line: lines of the whole file.
        columns: name and type of the third and fourth field, ``name TYPE``.
    """
    kinds = {"id_1": "VARCHAR", "id_2": "VARCHAR", **dict(column.split() for column in columns)}
    spelled = ", ".join(f"'{name}': '{kind}'" for name, kind in kinds.items())
    texts = " || ' ' || ".join(name for name, kind in kinds.items() if kind == "VARCHAR")
    try:
        engine.execute(f"""
            create or replace temp table {table} as
            select row_number() over () as line, pair.*
            from read_csv($path, columns = {{{spelled}}}, delim = ' ', quote = '', escape = '', header = false, skip = {n_header},
                auto_detect = false, null_padding = false, ignore_errors = true, parallel = false) as pair""", {"path": str(path)})
    except duckdb.Error:
        return False
    count, odd, distinct = engine.rows(f"""
        select count(*), count(*) filter (pair.text is null or contains(pair.text, '#') or contains(pair.text, chr(13)) or contains(pair.text, chr(9))),
            count(distinct pair.key)
        from (select {texts} as text, hash(id_1, id_2) as key from {table}) as pair""")[0]
    return count == n_line - n_header == distinct and not odd
