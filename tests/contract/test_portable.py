"""Every base, metric and report view stays in the subset of SQL that other engines run alike."""

import re

import pytest

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


@pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS.keys())
def test_view_is_portable(relation, findings):
    messages = findings.get(place(relation), [])

    assert not messages, "\n".join(messages)


@pytest.mark.sample(30)
@pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS.keys())
def test_either_engine_version_shows_it_alike(relation):
    """DuckDB 1.5 shows a stored ``x not in (...)`` otherwise than 2.0: the other one would refuse the store."""
    assert not re.search(r"\bnot\s+in\b", re.sub(r"--.*", "", relation.body)), (
        f"{place(relation)}: turn the condition round"
    )
