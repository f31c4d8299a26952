"""Trino: rendered and parsed, not run."""

from tdtsql.build.dialect import Dialect

DIALECT = Dialect("trino", "Trino", "parsed")
