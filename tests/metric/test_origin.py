"""Where base tables come from, held against the tables there are."""

import pytest
from each import of_each

from tdtsql.definitions.catalogue import catalog, derived
from tdtsql.definitions.table import tables
from tdtsql.definitions.lineage import lineage
from tdtsql.definitions.origin import GIVEN, origins

FILLED = {relation.header.fields["fills"] for relation in derived().values()}
BASE = [name for name in tables() if name.startswith("base.") and name not in FILLED]


@of_each(BASE)
def test_every_column_of_a_base_table_is_loaded_from_something_that_is_there(table):
    for column in tables()[table].columns:
        found = origins(table, column)
        assert found or column in GIVEN, f"{table}.{column} has no origin"
        for relation, source in found:
            assert not source or source in tables()[relation].columns, (relation, source)


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    "relation",
    [relation for relation in catalog().values() if relation.schema == "report"],
    ids=lambda relation: relation.name,
)
def test_every_report_relation_ends_in_staging_files_or_the_registry(relation):
    steps = lineage(relation, to_files=True)
    described = {(step.relation, step.column) for step in steps}
    for step in steps:
        end = step.from_relation
        if end.startswith("base.") and end in tables() and step.from_column not in GIVEN:
            assert (end, step.from_column) in described, step
        if end in catalog() and step.role in ("value", "kept"):
            assert (end, step.from_column) in described or (end, "") in described, step


def test_a_miss_goes_back_to_levels_of_the_relevance_table_and_to_files_of_the_run():
    steps = lineage(catalog()["report.score"], ["value"], to_files=True)
    loaded = {
        (step.relation, step.column, step.from_relation, step.from_column) for step in steps if step.role == "loaded"
    }
    kept = {(step.from_relation, step.from_column) for step in steps if step.role == "kept"}

    assert ("base.judgment", "label", "staging.on_topic", "level") in loaded
    assert ("base.decision", "is_yes", "file of the run", "") in loaded
    assert ("metric.detection_topic_weighted__v1", "p_miss") in kept
    assert not any(relation == "metric.detection_rate__v1" for relation, _ in kept)  # of blocks: report.block_score
