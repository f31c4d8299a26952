"""Query every view of a store with whatever DuckDB client runs this: python read_with_client.py STORE.

Prints the number of views and rows; uses nothing but the package duckdb.
"""

import sys

import duckdb


def main(path: str) -> int:
    """Read all views; return how many failed."""
    connection = duckdb.connect(path, read_only=True)
    views = connection.execute(
        "select schema_name || '.' || view_name from duckdb_views() where not internal order by all"
    ).fetchall()
    n_row, failed = 0, []
    for [view] in views:
        try:
            n_row += len(connection.execute(f"select * from {view}").fetchall())
        except duckdb.Error as error:
            failed.append(f"{view}: {str(error).splitlines()[0]}")
    print(f"DuckDB {duckdb.__version__}: {len(views)} views, {n_row} rows", *failed, sep="\n")
    return len(failed)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1]), 1))
