"""Hierarchical topic detection: a directed acyclic graph of clusters of stories."""

from tdtsql.tasks.declaration import ENGLISH, Required, THREE, Task, built_in

PACKAGE = built_in(
    Task(
        name="hierarchy",
        position=4,
        families=("hierarchy",),
        primary="min_cost",
        best="lowest",
        summary=("min_cost", "c_det_norm", "c_travel_norm"),
        run_table="base.vertex",
        is_in_plan=True,
        is_over_stories=True,
        required=(Required("A1", ENGLISH), Required("A1", THREE)),
    ),
)
