"""DuckDB: the views as they are."""

from tdtsql.metric.dialect import Dialect

DIALECT = Dialect("duckdb", "DuckDB", "run")
