"""Hierarchies of clusters in the store: checked against the collection, stored, and their costs computed once.

Computations over the graph that SQL does badly are done here at load, and stored as rows: the
distinct stories below each vertex, the vertices above each judged story, the
cheapest paths. Costs, best vertices and means are views.

`tdtsql.load.hierarchy` reads them.
"""

from dataclasses import dataclass

import numpy

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems, not_none
from tdtsql.hierarchy.dag import Dag, build_dag, count_stories_below, vertices_above
from tdtsql.hierarchy.travel import StepCost, Paths, cheapest_paths, expected_travel
from tdtsql.store.contents import owner_of, WALKS
from tdtsql.store.recording import note, record
from tdtsql.task import task_list_sql

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


def stale_hierarchies(engine: Engine) -> list[int]:
    """Return the runs that lack paths at the costs of one of their profiles."""
    return engine.column(
        f"""
        select distinct run.run_no
        from registry.run as run
        inner join registry.condition as condition on condition.condition_no = run.condition_no
        inner join registry.condition_profile as chosen on chosen.condition_no = run.condition_no
        inner join registry.profile as profile on profile.profile_no = chosen.profile_no
        left join base.travel_price as price
            on price.run_no = run.run_no and price.profile_no = chosen.profile_no
            and price.c_branch = profile.c_branch and price.c_title = profile.c_title
        where condition.task in ({task_list_sql(is_tree=True)}) and price.run_no is null
        order by run.run_no
        """
    )


def stored_hierarchy(engine: Engine, run_no: int) -> Hierarchy | None:
    """Return a run's hierarchy as it is stored, or None."""
    vertices = engine.rows("select vertex_id, is_root from base.vertex where run_no = ? order by vertex_no", [run_no])
    if not vertices:
        return None
    edges = _columns(
        engine, "select parent_no, child_no from base.vertex_edge where run_no = ? order by parent_no, child_no", run_no
    )
    lists = _columns(
        engine, "select vertex_no, story_no from base.vertex_list where run_no = ? order by vertex_no, story_no", run_no
    )
    root = next(number for number, (_, is_root) in enumerate(vertices) if is_root)
    dag = not_none(build_dag(len(vertices), root, (edges[0] - 1, edges[1] - 1), problems=Problems(f"run {run_no}")))
    return Hierarchy(dag, [name for name, _ in vertices], lists[0] - 1, lists[1])


def _columns(engine: Engine, sql: str, number: int) -> list[numpy.ndarray]:
    result = engine.query(sql, [number]).fetchnumpy()
    return [numpy.asarray(column, dtype=numpy.int64) for column in result.values()]


def derive(engine: Engine, run_no: int, condition_no: int, hierarchy: Hierarchy, into: str = "base.") -> None:
    """Store the vertices above each labelled story, and the paths at every profile's costs, in tables whose names
    begin with ``into``.
    """
    dag = hierarchy.dag
    labelled = numpy.unique(
        _columns(
            engine,
            """
        select judgment.story_no
        from registry.condition as condition
        inner join base.judgment as judgment
            on judgment.corpus_no = condition.corpus_no and judgment.judgment_set = condition.judgment_set
        inner join base.segment_story as member
            on member.condition_no = condition.condition_no and member.story_no = judgment.story_no
        where condition.condition_no = ? and judgment.label in ('yes', 'brief')
        """,
            condition_no,
        )[0]
    )
    wanted = numpy.isin(hierarchy.listed_story, labelled)
    held = vertices_above(dag, hierarchy.listed_vertex[wanted], hierarchy.listed_story[wanted])
    unlisted = numpy.setdiff1d(labelled, hierarchy.listed_story)
    for stories, vertices in (*held, (unlisted, numpy.full(len(unlisted), dag.root))):
        engine.insert(f"{into}vertex_story", {"run_no": run_no, "vertex_no": vertices + 1, "story_no": stories})
    profiles = engine.rows(
        """
        select profile.profile_no, profile.c_branch, profile.c_title
        from registry.condition_profile as chosen
        inner join registry.profile as profile on profile.profile_no = chosen.profile_no
        where chosen.condition_no = ? and profile.c_branch is not null and profile.c_title is not null
        order by profile.profile_no
        """,
        [condition_no],
    )
    blocks, groups = _groups(engine, condition_no, hierarchy)
    n_pair = numpy.array(
        [len(numpy.unique(story)) * (len(numpy.unique(story)) - 1) for story, _ in groups], dtype=numpy.int64
    )
    known: dict[StepCost, tuple[Paths, list[float | None]]] = {}
    for profile_no, branch, title in profiles:
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
                "block_no": [blocks[at] for at in defined],
                "expected_travel": numpy.array([expected[at] for at in defined], dtype=float),
                "n_pair": n_pair[defined],
            },
        )


def _groups(
    engine: Engine, condition_no: int, hierarchy: Hierarchy
) -> tuple[list[int], list[tuple[numpy.ndarray, numpy.ndarray]]]:
    """Return the topics of a condition, and for each the (story, vertex) places of its on-topic stories."""
    block, story = _columns(
        engine,
        """
        select block.block_no, judgment.story_no
        from registry.condition as condition
        inner join base.block as block on block.condition_no = condition.condition_no and block.is_scored = 1
        inner join base.judgment as judgment
            on judgment.corpus_no = condition.corpus_no and judgment.judgment_set = condition.judgment_set
            and judgment.topic_no = block.topic_no
        inner join base.segment_story as member
            on member.condition_no = condition.condition_no and member.story_no = judgment.story_no
        where condition.condition_no = ? and ' ' || condition.on_topic || ' ' like '% ' || judgment.label || ' %'
        group by block.block_no, judgment.story_no
        order by block.block_no, judgment.story_no
        """,
        condition_no,
    )
    by_story = numpy.argsort(hierarchy.listed_story, kind="stable")
    listed_story, listed_vertex = hierarchy.listed_story[by_story], hierarchy.listed_vertex[by_story]
    blocks, groups = [], []
    for block_no in numpy.unique(block).tolist():
        stories = story[block == block_no]
        low, high = (
            numpy.searchsorted(listed_story, stories, "left"),
            numpy.searchsorted(listed_story, stories, "right"),
        )
        length = high - low
        places = numpy.repeat(low - (numpy.cumsum(length) - length), length) + numpy.arange(length.sum())
        alone = stories[length == 0]
        blocks.append(block_no)
        groups.append(
            (
                numpy.concatenate([numpy.repeat(stories, length), alone]),
                numpy.concatenate([listed_vertex[places], numpy.full(len(alone), hierarchy.dag.root)]),
            )
        )
    return blocks, groups
