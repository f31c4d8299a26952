"""Tidy files of any shape (CSV, TSV, Parquet, compressed or not) to checked columns."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb

from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import Problems
from tdtsql.reader.scan import Rows, column_rows, text_rows
from tdtsql.reader.tidy import TidyTable, tidy_table
from tdtsql.intake.clean_table import delimiter_of, is_parquet
from tdtsql.files.frame import Frame
from tdtsql.files.find import Inputs

T = TypeVar("T")


def read_table(
    inputs: Inputs, given: str, source: Path | Frame, kind: str, use: Callable[[Rows | None, Problems], T]
) -> T:
    """Return what ``use`` makes of the rows of a file (.csv, .tsv or .parquet, as its name says), or of columns given
    in Python; it gets None for a file that is no table, which was reported.
    """
    if isinstance(source, Frame):
        problems = Problems(given)
        found = use(column_rows(source.columns()), problems)
        inputs.problems += problems.found
        return found

    def read(data: bytes, problems: Problems) -> T:
        if not is_parquet(given):
            return use(text_rows(data, problems, delimiter_of(given)), problems)
        columns = parquet_columns(source, problems)
        return use(None if columns is None else column_rows(columns), problems)

    return inputs.read(given, source, kind, read)


def read_tidy_file(inputs: Inputs, given: str, source: Path | Frame, form: str) -> TidyTable:
    """Return the rows of one tidy file, or of columns given in Python; rows of these have numbers, from 1."""
    return read_table(inputs, given, source, f"tidy {form}", lambda rows, problems: tidy_table(rows, problems, form))


def read_tidy_files(inputs: Inputs, patterns: str | list[str] | None, form: str) -> list[tuple[str, TidyTable]]:
    """Return (path as given, rows) of every file of ``patterns``."""
    if patterns is None:
        return []
    return [
        (given, read_tidy_file(inputs, given, path, form)) for given, path in inputs.resolve(patterns, f"tidy {form}")
    ]


def parquet_columns(path: Path, problems: Problems, *, names_only: bool = False) -> dict[str, list] | None:
    """Return the columns of a Parquet file as values of Python; None after reporting that it is not Parquet (E005)."""
    connection = duckdb.connect(":memory:")
    try:
        result = connection.execute(f"select * from {parquet_source(path)}{' limit 0' * names_only}")
        names = [column[0] for column in result.description]
        rows = result.fetchall()
    except (duckdb.Error, OSError) as error:
        problems.add("E005", f"not a Parquet file: {str(error).splitlines()[0]}", "Write the file again.")
        return None
    finally:
        connection.close()
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}
