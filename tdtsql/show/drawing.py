"""DET curves, hierarchies and paths of runs: `tdtsql plot`."""

from pathlib import Path
from typing import Annotated, Literal

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Names
from tdtsql.output_file import Written, write_whole
from tdtsql.show.table import Table
from tdtsql.show.figure import det_plot, file_of, without_best, write_hierarchy
from tdtsql.show.section import ask, find
from tdtsql.store.registry import check_name


def det(
    engine: Engine,
    run: Names = None,
    *,
    output: Path,
    condition: str,
    profile: str | None = None,
    weighting: Literal["topic", "story"] | None = None,
    subset: Names = None,
    by: str | None = None,
    hull: bool = False,
    points: bool = True,
) -> Written:
    """Draw the DET curves of RUN... (default: all runs) as SVG or PDF, bitwise reproducible; needs the extra `plot`.

    Args:
        output: File to write.
        condition: The condition whose curves are drawn.
        profile: The scoring profile (default: the condition's first).
        weighting: Mean over topics (default), or pooled over stories (default of scored trials).
        subset: A subset, e.g. language=ENGLISH (default: all); repeatable.
        by: A curve for each value of an attribute of the key, as codec.
        hull: The convex hull of each curve too.
        points: Mark the minimum cost and the system's own decisions.
    """
    runs, subsets = list(run or ()), list(subset or ())
    for column, names in (("run_id", runs), ("condition_id", [condition]), ("subset", subsets)):
        for name in names:
            check_name(engine, column, name)
    if profile is not None:
        check_name(engine, "profile_id", profile)
    figure = det_plot(
        engine,
        runs,
        condition=condition,
        profile=profile,
        weighting=weighting,
        subset=subsets or None,
        by=by,
        hull=hull,
        points=points,
    )
    return Written(output, write_whole(output, file_of(figure, output.suffix.lstrip(".").lower())))


def hierarchy(
    engine: Engine,
    run: str,
    topic: str,
    *,
    condition: str,
    profile: str = "tdt2004",
    output: Path,
    limit: Annotated[int, 1] = 30,
) -> Written:
    """Draw the hierarchy of RUN around the best vertex of TOPIC as an indented tree.

    Args:
        condition: The condition of the run.
        profile: The scoring profile.
        output: File to write.
        limit: Maximum number of vertices drawn.
    """
    size = write_hierarchy(engine, output, run=run, topic=topic, condition=condition, profile=profile, limit=limit)
    return Written(output, size)


def path(engine: Engine, run: str, topic: str, *, condition: str, profile: str = "tdt2004") -> Table:
    """Print the cheapest path of RUN from the root of its hierarchy to the best vertex of TOPIC.

    One row per vertex: its children, travel cost so far, number of parents (the path comes through the cheapest),
    stories in it and below, those on the topic, and its cost for the topic.

    Args:
        condition: The condition of the run.
        profile: The scoring profile.
    """
    given = {"run": run, "topic": topic, "condition": condition, "profile": profile}
    found = ask(engine, find("path_to_best_vertex"), given)
    rows = [row[1:] for row in found.fetchall()]
    if not rows:
        raise without_best(topic, run)
    return Table(found.columns[1:], rows)
