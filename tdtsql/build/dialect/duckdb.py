"""DuckDB: the views as they are."""

from tdtsql.build.dialect import Dialect

DIALECT = Dialect("duckdb", "DuckDB", "run")
