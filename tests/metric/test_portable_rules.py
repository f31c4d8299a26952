"""Each forbidden construct is found, named, and told what to write instead."""

import re
from pathlib import Path

import pytest

from tdtsql.definitions.catalogue import Relation
from tdtsql.definitions.table import Table
from tdtsql.definitions.header import Header
from tdtsql.build.lint import add_types, lint_relation, table_types
from tdtsql.build.lower import columns_of, lowered_tree

TABLES = {
    name: Table(name, {column: (kind,) for column, kind in zip(columns[::2], columns[1::2])})
    for name, *columns in (
        "base.a k integer n bigint x double t varchar b boolean".split(),
        "base.c k integer m bigint".split(),
    )
}


def findings(body: str) -> list[str]:
    """Return the findings in a view over base.a(k, n, x, t, b) and base.c(k, m)."""
    header = Header("", {"class": "exact"}, ("base.a", "base.c"), (), (), ())
    relation = Relation("metric.x__v1", Path("sql/metric/x__v1.sql"), header, body)
    tree = lowered_tree(relation, columns_of({}, TABLES))
    return [str(finding) for finding in lint_relation(relation, tree, add_types(relation, tree, table_types(TABLES)))]


#: query -> the construct that is found in it; of some there are several queries
_CASES = re.findall(
    r"(?m)^-- (.*)\n(select.*|with.*|SELECT.*)$", Path(__file__).with_name("portable.sql").read_text("utf-8")
)
FORBIDDEN = {query: construct for construct, query in _CASES if construct != "portable"}


@pytest.mark.parametrize("body", [query for construct, query in _CASES if construct == "portable"])
def test_the_portable_spelling_passes(body):
    assert findings(body) == []


@pytest.mark.parametrize("body", FORBIDDEN)
def test_a_forbidden_construct_is_named(body):
    construct = FORBIDDEN[body]
    messages = findings(body)

    assert any(message.startswith(f"sql/metric/x__v1.sql:1: {construct}") for message in messages), messages


def test_the_message_says_what_to_write():
    [message] = findings("select case when a.k > 0 then a.n / a.k end as r from base.a as a")

    assert (
        message
        == "sql/metric/x__v1.sql:1: division of bigint ('a.n / a.k') is not portable. Write cast(a as double) / b."
    )
