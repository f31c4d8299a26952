"""Spark 4: computed and compared with DuckDB. ANSI mode (the default): 0/0 and overflow raise, which the portable subset never meets.

floor(double) is BIGINT here: what is floored stays below 9.2e18.
"""

from tdtsql.metric.dialect import Dialect

DIALECT = Dialect("spark", "Spark", "run")
