"""Tidy files of any shape (CSV, TSV, Parquet, compressed or not) to checked columns."""

from pathlib import Path

import duckdb

from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import Problems
from tdtsql.reader.tidy import TidyTable, check_columns, read_tidy
from tdtsql.intake.clean_table import delimiter_of, is_parquet
from tdtsql.intake.frame import Frame
from tdtsql.intake.inputs import Inputs


def read_tidy_file(inputs: Inputs, given: str, path: Path, form: str) -> TidyTable:
    """Return the rows of one tidy file; its kind is that of its name (.csv, .tsv, .parquet)."""
    if is_parquet(given):
        return inputs.read(given, path, f"tidy {form}", lambda data, problems: _parquet(path, problems, form))
    delimiter = delimiter_of(given)
    return inputs.read(
        given, path, f"tidy {form}", lambda data, problems: read_tidy(data, problems, form, delimiter=delimiter)
    )


def read_tidy_rows(inputs: Inputs, given: str, source: Path | Frame, form: str) -> TidyTable:
    """Return the rows of one tidy file, or of columns given in Python; rows of these have numbers, from 1."""
    if isinstance(source, Path):
        return read_tidy_file(inputs, given, source, form)
    problems = Problems(given)
    table = check_columns(form, source.columns(), problems)
    inputs.problems += problems.found
    return table


def read_tidy_files(inputs: Inputs, patterns: str | list[str] | None, form: str) -> list[tuple[str, TidyTable]]:
    """Return (path as given, rows) of every file of ``patterns``."""
    if patterns is None:
        return []
    return [
        (given, read_tidy_file(inputs, given, path, form)) for given, path in inputs.resolve(patterns, f"tidy {form}")
    ]


def _parquet(path: Path, problems: Problems, form: str) -> TidyTable:
    columns = parquet_columns(path, problems)
    return (
        check_columns(form, {}, Problems(problems.path)) if columns is None else check_columns(form, columns, problems)
    )


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
