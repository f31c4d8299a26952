"""Every base, metric and report view stays in the subset of SQL that other engines run alike."""

import pytest
from each import of_each

from tdtsql.definitions.catalogue import catalog
from tdtsql.build.lower import lowered_tree
from tdtsql.definitions.table import tables

from tdtsql.build.lint import PORTABLE, add_types, lint_relation, table_types

RELATIONS = catalog()


@pytest.fixture(scope="module")
def findings() -> dict[str, list[str]]:
    """Return place -> messages."""
    found: dict[str, list[str]] = {}
    types = table_types(tables())
    for relation in RELATIONS.values():
        tree = lowered_tree(relation)
        with_types = add_types(relation, tree, types)
        if relation.schema in PORTABLE and not relation.header.only_duckdb:
            found[relation.place] = list(map(str, lint_relation(relation, tree, with_types)))
    return found


@of_each(RELATIONS.values())
def test_view_is_portable(relation, findings):
    messages = findings.get(relation.place, [])

    assert not messages, "\n".join(messages)
