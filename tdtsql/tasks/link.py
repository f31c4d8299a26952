"""Link detection: whether two stories are on the same topic."""

from tdtsql.tasks.declaration import Required, SCORED, SCORES, SCORE_KINDS, THREE, Task, TaskPackage

PACKAGE = TaskPackage(
    task=Task(
        name="link",
        families=("detection", "filtering"),
        primary="c_det_norm",
        best="lowest",
        summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm"),
        formats=("tdt", "tidy"),
        run_table="base.decision",
        decides_on="pair",
        is_in_plan=True,
        is_over_stories=True,
        keys={**SCORES, "key": "columns"},
        choices=SCORE_KINDS,
        required=(Required("7", THREE, deferral=10),),
        condition_policies=SCORED,
        on_request=("verification",),
    ),
    readers="tdtsql.loading.tasks.link",
)
