"""DataFusion: a second opinion in the tests. sqlglot has no dialect of that name; PostgreSQL's text is nearest."""

from tdtsql.build.dialect import Dialect
from tdtsql.build.dialect.postgres import double_literals

DIALECT = Dialect("postgres", "DataFusion", "run", (double_literals,))
