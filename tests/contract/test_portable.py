"""Every base, metric and report view stays in the subset of SQL that other engines run alike."""

import pytest
from each import of_each

from tdtsql.metric.catalog import catalog
from tdtsql.metric.ddl import tables
from tdtsql.metric.parsing import place
from tdtsql.metric.portable import lint

RELATIONS = catalog()


@pytest.fixture(scope="module")
def findings() -> dict[str, list[str]]:
    """Return place -> messages."""
    found: dict[str, list[str]] = {}
    for finding in lint(RELATIONS, tables()):
        found.setdefault(finding.place, []).append(str(finding))
    return found


@of_each(RELATIONS.values())
def test_view_is_portable(relation, findings):
    messages = findings.get(place(relation), [])

    assert not messages, "\n".join(messages)
