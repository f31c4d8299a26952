"""Headers of TDT files as rows that SQL reads and checks: a folder ``sql/load/KIND_header`` for each kind of file."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeVar

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report_all
from tdtsql.files.lines import Text
from tdtsql.load.plan import drop_tables, make_table

_Header = TypeVar("_Header")


def read_headers(
    engine: Engine, texts: Sequence[Text], kind: str, header: type[_Header], /, *, is_comment: bool = True, **own: Any
) -> dict[int, _Header]:
    """Return number of a file -> what its header says; problems go to the texts, whose rows begin below it.

    Args:
        header: a named tuple, of columns of ``KIND_header/header.sql`` among others.
        is_comment: the header is a comment, the first line that is not blank; or else the first that is not a comment.
        own: parameters of the SQL.
    """
    without = ("",) if is_comment else ("", "#")
    head = [
        (text.file, *row)
        for text in texts
        for row in islice((row for row in text.head() if row[1].strip()[:1] not in without), 1)
    ]
    make_table(engine, "head_line", ("file integer", "line bigint", "text varchar"), head)
    own |= {"files": [text.file for text in texts], "is_comment": is_comment}
    execute(engine, "head", own, "head")
    execute(engine, f"{kind}_header/header", own, "header")
    report_all(engine, f"{kind}_header", {text.file: text.problems for text in texts}, own)
    rows = {row["file"]: row for row in engine.records("from header")}
    drop_tables(engine, "head_line", "head", "header")
    for text in texts:
        text.header_line = rows.get(text.file, {}).get("line")
        text.skip = rows.get(text.file, {}).get("skip", 0)
    known = header._fields  # type: ignore[attr-defined]  # a named tuple
    return {
        text.file: header(**{name: value for name, value in rows.get(text.file, {}).items() if name in known})
        for text in texts
    }
