"""Hierarchies of clusters in the store: checked against the collection, stored, and their costs computed once.

Computations over the graph that SQL does badly are done here at load, and stored as rows: the
distinct stories below each vertex, the vertices above each judged story, the
cheapest paths. Costs, best vertices and means are views.

`tdtsql.load.hierarchy` reads them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy

from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems, not_none
from tdtsql.hierarchy.dag import Dag, build_dag, count_stories_below, vertices_above
from tdtsql.hierarchy.travel import StepCost, Paths, cheapest_paths, expected_travel
from tdtsql.store.contents import owner_of, WALKS
from tdtsql.store.recording import note, record
from tdtsql.task import tasks_with

#: tables with rows of one run
RUN_TABLES = ("base.vertex", "base.vertex_edge", "base.vertex_list", *WALKS)


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A sound hierarchy: vertices sorted by name, lists of story numbers of the collection."""

    dag: Dag
    vertex_name: list[str]
    listed_vertex: numpy.ndarray  #: (L,)
    listed_story: numpy.ndarray  #: (L,) story_no


def store_hierarchy(engine: Engine, run_no: int, condition_no: int, hierarchy: Hierarchy) -> int:
    """Store a hierarchy and its derived rows; return the number of vertices."""
    for table in RUN_TABLES:
        engine.execute(f"delete from {table} where run_no = ?", [run_no])
    dag = hierarchy.dag
    n_vertex = dag.n_vertex
    engine.insert(
        "base.vertex_edge",
        {
            "run_no": run_no,
            "parent_no": numpy.repeat(numpy.arange(n_vertex), dag.n_child) + 1,
            "child_no": dag.child + 1,
        },
    )
    engine.insert(
        "base.vertex_list",
        {
            "run_no": run_no,
            "vertex_no": hierarchy.listed_vertex + 1,
            "story_no": hierarchy.listed_story,
        },
    )
    count = count_stories_below(dag, hierarchy.listed_vertex, hierarchy.listed_story)
    count[dag.root] = engine.value("select count(*) from base.segment_story where condition_no = ?", [condition_no])
    engine.insert(
        "base.vertex",
        {
            "run_no": run_no,
            "vertex_no": numpy.arange(1, n_vertex + 1),
            "vertex_id": hierarchy.vertex_name,
            "is_root": (numpy.arange(n_vertex) == dag.root).astype(numpy.int32),
            "n_story": count,
            "n_listed": numpy.bincount(hierarchy.listed_vertex, minlength=n_vertex),
            "n_child": dag.n_child,
            "n_parent": dag.n_parent,
            "depth": dag.depth,
        },
    )
    derive(engine, run_no, condition_no, hierarchy)
    return n_vertex


def refresh_hierarchy(engine: Engine, run_no: int) -> None:
    """Recompute the stored rows that depend on judgments and profiles."""
    for table in WALKS:
        engine.execute(f"delete from {table} where run_no = ?", [run_no])
    hierarchy = stored_hierarchy(engine, run_no)
    if hierarchy is not None:
        condition_no = engine.value("select condition_no from registry.run where run_no = ?", [run_no])
        derive(engine, run_no, condition_no, hierarchy)


def refresh_stale_hierarchies(engine: Engine) -> None:
    """Recompute the paths of every run that lacks them at the costs of one of its profiles."""
    for run_no in stale_hierarchies(engine):
        with engine.transaction():
            refresh_hierarchy(engine, run_no)
            note(engine, owner_of(engine, "run_no", run_no), WALKS)
            record(engine)


def refresh_hierarchies_not_loaded(engine: Engine, loaded: Collection[str]) -> None:
    """Recompute what depends on judgments for those runs of loaded conditions that were not loaded themselves.

    Runs in the caller's transaction.

    Args:
        loaded: the owners that were loaded: condition:ID, run:CONDITION/ID.
    """
    for run_no, owner in engine.rows(read_statement("load/hierarchy/not_loaded"), {"loaded": list(loaded)}):
        refresh_hierarchy(engine, run_no)
        note(engine, owner, WALKS)


def stale_hierarchies(engine: Engine) -> list[int]:
    """Return the runs that lack paths at the costs of one of their profiles."""
    return engine.column(read_statement("load/hierarchy/stale"), {"trees": tasks_with(is_tree=True)})


def stored_hierarchy(engine: Engine, run_no: int) -> Hierarchy | None:
    """Return a run's hierarchy as it is stored, or None."""
    vertices = engine.rows("select vertex_id, is_root from base.vertex where run_no = ? order by vertex_no", [run_no])
    if not vertices:
        return None
    edges, lists = (
        _columns(engine, f"select * exclude (run_no) from base.vertex_{kind} where run_no = ? order by all", [run_no])
        for kind in ("edge", "list")
    )
    root = next(number for number, (_, is_root) in enumerate(vertices) if is_root)
    dag = not_none(build_dag(len(vertices), root, (edges[0] - 1, edges[1] - 1), problems=Problems(f"run {run_no}")))
    return Hierarchy(dag, [name for name, _ in vertices], lists[0] - 1, lists[1])


def _columns(engine: Engine, sql: str, given: Sequence | Mapping) -> list[numpy.ndarray]:
    result = engine.query(sql, given).fetchnumpy()
    return [numpy.asarray(column, dtype=numpy.int64) for column in result.values()]


def derive(engine: Engine, run_no: int, condition_no: int, hierarchy: Hierarchy, into: str = "base.") -> None:
    """Store the vertices above each labelled story, and the paths at every profile's costs, in tables whose names
    begin with ``into``.
    """
    dag, place = hierarchy.dag, {"run_no": run_no, "condition_no": condition_no}
    story, vertex = _columns(engine, read_statement("load/hierarchy/labelled"), place)
    is_listed = vertex > 0
    unlisted = story[~is_listed]
    held = vertices_above(dag, vertex[is_listed] - 1, story[is_listed])
    for stories, vertices in (*held, (unlisted, numpy.full(len(unlisted), dag.root))):
        engine.insert(f"{into}vertex_story", {"run_no": run_no, "vertex_no": vertices + 1, "story_no": stories})
    block, story, vertex, _ = _columns(engine, read_statement("load/hierarchy/on_topic"), place)
    blocks, begins = numpy.unique(block, return_index=True)
    groups = list(zip(numpy.split(story, begins[1:]), numpy.split(vertex - 1, begins[1:]), strict=True))
    n_story = numpy.array([len(numpy.unique(stories)) for stories, _ in groups], dtype=numpy.int64)
    known: dict[StepCost, tuple[Paths, list[float | None]]] = {}
    for profile_no, branch, title in engine.rows(
        read_statement("load/hierarchy/step_cost"), {"condition_no": condition_no}
    ):
        step = StepCost(branch=branch, title=title)
        if step not in known:
            known[step] = cheapest_paths(dag, step=step), expected_travel(dag, groups, step=step)
        walks, expected = known[step]
        engine.insert(
            f"{into}vertex_travel",
            {
                "run_no": run_no,
                "profile_no": profile_no,
                "vertex_no": numpy.arange(1, dag.n_vertex + 1),
                "travel": walks.cost,
                "parent_no": [None if parent < 0 else parent + 1 for parent in walks.parent.tolist()],
                "n_step": walks.n_step,
            },
        )
        engine.insert(
            f"{into}travel_price",
            {"run_no": [run_no], "profile_no": [profile_no], "c_branch": [branch], "c_title": [title]},
        )
        defined = [at for at, cost in enumerate(expected) if cost is not None]
        engine.insert(
            f"{into}expected_travel",
            {
                "run_no": run_no,
                "profile_no": profile_no,
                "block_no": blocks[defined],
                "expected_travel": numpy.array([expected[at] for at in defined], dtype=float),
                "n_pair": (n_story * (n_story - 1))[defined],
            },
        )
