"""Headers of TDT files as rows that SQL reads and checks: a folder ``sql/load/KIND_header`` for each kind of file."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report_all
from tdtsql.files.lines import Text
from tdtsql.load.plan import drop_tables


def read_headers(
    engine: Engine, texts: Sequence[Text], kind: str, *, is_comment: bool = True, blanks: str | None = None, **own: Any
) -> None:
    """Put what the headers of files say into the temporary table ``header``; problems go to the texts, whose rows begin
    below it.

    Args:
        kind: ``KIND_header/header.sql`` has its columns.
        is_comment: the header is a comment, the first line that is not blank; or else the first that is not a comment.
        blanks: what lines that are blank consist of; by default what Python's strip takes for blanks.
        own: parameters of the SQL.
    """
    without = ("",) if is_comment else ("", "#")
    head = [
        (text.file, *row)
        for text in texts
        for row in islice((row for row in text.head() if row[1].strip(blanks)[:1] not in without), 1)
    ]
    engine.make_rows("head_line", ("file integer", "line bigint", "text varchar"), head)
    own |= {"files": [text.file for text in texts], "is_comment": is_comment}
    execute(engine, "head", own, "head")
    execute(engine, f"{kind}_header/header", own, "header")
    report_all(engine, f"{kind}_header", {text.file: text.problems for text in texts}, own)
    drop_tables(engine, "head_line", "head")
    begins = {file: row for file, *row in engine.rows("select file, line, skip from header")}
    for text in texts:
        text.header_line, text.skip = begins.get(text.file, (None, 0))
