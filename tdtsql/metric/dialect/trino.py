"""Trino: rendered and parsed, not run."""

from tdtsql.metric.dialect import Dialect

DIALECT = Dialect("trino", "Trino", "parsed")
