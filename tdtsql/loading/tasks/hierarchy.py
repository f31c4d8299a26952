"""Hierarchical detection: a topic and the collection are all that a condition is; a run is a tree, from its XML.

Code   Meaning
E634   a second hierarchy of one run
"""

from functools import partial
from collections.abc import Sequence

from tdtsql.errors import Problems
from tdtsql.files.find import Inputs
from tdtsql.load.plan import Source, Staged, StoredCondition
from tdtsql.load.hierarchy import check_hierarchy, read_hierarchy_xml
from tdtsql.loading.topics import one_test_set
from tdtsql.scoring.hierarchy import store_hierarchy
from tdtsql.tasks.declaration import RunFormat


#: returns the topics of a condition and the collection; its only subset is all (plan, 9.1)
read_plan = partial(one_test_set, subsets=("condition/no_subsets", "condition/subsets"))


def read_xml(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> Staged:
    """Return the run of an XML file."""
    for given, _ in files[1:]:
        inputs.add("E634", given, "a second hierarchy, a run has one", "Load each file as a separate run.")

    def checked(data: bytes, problems: Problems):
        system = read_hierarchy_xml(target.engine, data, problems)
        return system, check_hierarchy(target.engine, target.condition_no, problems)

    system, hierarchy = inputs.read(*files[0], "hierarchy", checked)

    def write(_: str | None, run_no: int) -> int:
        if hierarchy is None or inputs.has_errors:
            return 0
        store_hierarchy(target.engine, run_no, target.condition_no, hierarchy)
        return target.engine.value("select count(*) from base.vertex where run_no = ?", [run_no])

    return Staged({None: [given for given, _ in files]}, write, called=system or "run", system=system)


FORMATS = {"htd-xml": RunFormat(read_xml)}
