"""Snowflake: rendered and parsed, not run."""

from tdtsql.build.dialect import Dialect
from tdtsql.build.dialect.postgres import double_literals

# double_literals: a literal with an exponent may be NUMBER here
DIALECT = Dialect("snowflake", "Snowflake", "parsed", (double_literals,))
