"""New event detection: whether a story is the first on its topic."""

from tdtsql.tasks.declaration import ENGLISH, Required, SCORED, SCORES, SCORE_KINDS, Task, TaskPackage

PACKAGE = TaskPackage(
    task=Task(
        name="new_event",
        families=("detection", "filtering"),
        primary="c_det_norm",
        best="lowest",
        summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm"),
        formats=("tdt", "tidy"),
        run_table="base.decision",
        decides_on="story",
        is_in_plan=True,
        is_over_stories=True,
        keys=SCORES,
        choices=SCORE_KINDS,
        required=(Required("5", ENGLISH, deferral=10),),
        condition_policies=SCORED,
        on_request=("verification",),
    ),
    readers="tdtsql.loading.tasks.new_event",
)
