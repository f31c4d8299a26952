"""Columns of Parquet files as values of Python."""

from pathlib import Path

import duckdb

from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import Problems


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
