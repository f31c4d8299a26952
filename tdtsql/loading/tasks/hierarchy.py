"""Hierarchical detection: a run's XML into the store."""

from collections.abc import Sequence
from pathlib import Path

from tdtsql.errors import Problems
from tdtsql.reader.hierarchy_xml import read_hierarchy_xml
from tdtsql.scoring.hierarchy import check_hierarchy, store_hierarchy
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.tasks.tracking import Target


def load_hierarchy_files(target: Target, run_no: int, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> str | None:
    """Store one run from its XML file; returns the system's name."""
    for given, _ in files[1:]:
        inputs.add("E634", given, "a second hierarchy, a run has one", "Make each file a run of its own.")
    if not files:
        return None
    given, path = files[0]
    system = None

    def read(data: bytes, problems: Problems):
        nonlocal system
        table = read_hierarchy_xml(data, problems)
        system = table.system if table else None
        return check_hierarchy(target.engine, target.condition_no, table, problems)

    hierarchy = inputs.read(given, path, "hierarchy", read)
    if hierarchy is None or any(problem.is_error for problem in inputs.problems):
        return system
    store_hierarchy(target.engine, run_no, target.condition_no, hierarchy)
    return system
