"""Hierarchies around the best vertices of topics, from the store to drawings."""

from tdtsql.errors import UnknownName
from tdtsql.report.comparing import Rows
from tdtsql.report.page import Board
from tdtsql.report.svg import Box, tree
from tdtsql.scoring.hierarchy import neighbourhood, walk_to_best
from tdtsql.task import TASKS, listed_tasks

#: topics of a run whose best vertex is drawn
N_DRAWING = 3


def drawings_of(store: Rows, index: int, board: Board, runs: list[dict]) -> list[dict]:
    """Return board, run, title and SVG of the hierarchies around the best vertices of each run's costliest topics."""
    if not TASKS[board.task].is_tree:
        return []
    drawn = []
    for run in board.runs:
        for [block] in store.rows(
            "select block_id from report.block_score where run_id = ? and condition_id = ? and profile_id = ? and "
            "metric = 'min_cost' "
            "and value is not null order by value desc, block_id limit ?",
            [runs[run]["id"], board.condition, board.profile, N_DRAWING],
        ):
            svg = topic_drawing(
                store, run=runs[run]["id"], topic=block, condition=board.condition, profile=board.profile
            )
            drawn.append(
                {
                    "board": index,
                    "run": run,
                    "title": f"{runs[run]['id']}, topic {block} ({board.condition}, {board.profile})",
                    "svg": svg,
                }
            )
    return drawn


def topic_drawing(store: Rows, *, run: str, topic: str, condition: str, profile: str, limit: int = 30) -> str:
    """Return an SVG of a run's hierarchy around the best vertex of a topic.

    Raises:
        UnknownName: there is no such run, topic or profile, or the topic has no best vertex.
    """
    vertices, edges, walk = neighbourhood(store, *_numbers(store, run, topic, condition, profile), limit=limit)
    if not vertices:
        raise _without_best(topic)
    boxes = [
        Box(name, n_story, n_hit, cost, bool(is_best), n_child)
        for name, n_story, n_hit, cost, is_best, n_child in vertices
    ]
    return tree(boxes, edges, path=walk, title=f"{run}: the hierarchy around the best vertex of topic {topic}")


#: columns of ``topic_walk``
WALK = ("step", "vertex_id", "n_child", "travel", "n_parent", "n_story", "n_hit", "cost")


def topic_walk(store: Rows, *, run: str, topic: str, condition: str, profile: str) -> list[tuple]:
    """Return the cheapest walk of a run from the root to the best vertex of a topic: rows of ``WALK``.

    Raises:
        UnknownName: as ``topic_drawing``.
    """
    rows = walk_to_best(store, *_numbers(store, run, topic, condition, profile))
    if not rows:
        raise _without_best(topic)
    return [(step, *row) for step, row in enumerate(rows)]


def _without_best(topic: str) -> UnknownName:
    return UnknownName(f"topic '{topic}' has no best vertex: no story of the collection is on it.")


def _numbers(store: Rows, run: str, topic: str, condition: str, profile: str) -> tuple[int, int, int]:
    """Return the numbers of a run, a profile and a topic."""
    found = store.rows(
        "select run.run_no, profile.profile_no, block.block_no from registry.run as run "
        "join registry.condition as condition on condition.condition_no = run.condition_no "
        "join registry.condition_profile as chosen on chosen.condition_no = run.condition_no "
        "join registry.profile as profile on profile.profile_no = chosen.profile_no "
        "join base.block as block on block.condition_no = run.condition_no "
        f"where condition.task in ({listed_tasks(is_tree=True)}) and run.run_id = ? and condition.condition_id = ? "
        f"and profile.profile_id = ? and block.block_id = ?",
        [run, condition, profile, topic],
    )
    if not found:
        raise UnknownName(
            f"there is no hierarchy of run '{run}' with topic '{topic}' under condition '{condition}' and profile "
            f"'{profile}'."
        )
    return found[0]
