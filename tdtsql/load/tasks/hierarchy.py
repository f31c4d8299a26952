"""Hierarchical detection: a topic and the collection are all that a condition is; a run is a tree, from its XML.

Code   Meaning
E634   a second hierarchy of one run
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.find import Inputs
from tdtsql.load.hierarchy import check_hierarchy, read_hierarchy_xml
from tdtsql.load.plan import RunSpec, Source, StoredCondition
from tdtsql.load.topics import one_test_set
from tdtsql.scoring.hierarchy import Hierarchy, store_hierarchy
from tdtsql.tasks.declaration import RunFormat


#: returns the topics of a condition and the collection; its only subset is all (plan, 9.1)
read_plan = partial(one_test_set, subsets=("condition/no_subsets", "condition/subsets"))


@dataclass(slots=True, kw_only=True)
class _Tree(RunSpec):
    """A run, which is stored with costs that programs of graphs compute."""

    hierarchy: Hierarchy | None

    def write(self, engine: Engine, condition_no: int) -> None:
        if self.hierarchy is not None and not self.inputs.has_errors:
            store_hierarchy(engine, engine.value("select run_no from new_run"), condition_no, self.hierarchy)


def read_xml(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> RunSpec:
    """Return the run of an XML file."""
    for given, _ in files[1:]:
        inputs.add("E634", given, "a second hierarchy, a run has one", "Load each file as a separate run.")

    def checked(data: bytes, problems: Problems):
        system = read_hierarchy_xml(target.engine, data, problems)
        return system, check_hierarchy(target.engine, target.condition_no, problems)

    system, hierarchy = inputs.read(*files[0], "hierarchy", checked)
    paths = [given for given, _ in files]
    called = system or "run"
    return _Tree(steps=[], inputs=inputs, runs={None: paths}, called=called, system=system, hierarchy=hierarchy)


FORMATS = {"htd-xml": RunFormat(read_xml)}
