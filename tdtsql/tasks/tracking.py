"""Topic tracking: for each topic, a decision on each later story."""

from tdtsql.tasks.declaration import Required, SCORED, SCORES, SCORE_KINDS, Task, TaskPackage

PACKAGE = TaskPackage(
    task=Task(
        name="tracking",
        families=("detection", "bcubed", "filtering"),
        primary="c_det_norm",
        best="lowest",
        summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm", "b3_f1"),
        formats=("tdt", "tidy", "trec"),
        run_table="base.decision",
        decides_on="topic",
        may_be_partition=True,
        is_in_plan=True,
        is_over_stories=True,
        keys=SCORES,
        choices=SCORE_KINDS,
        required=(Required("2", training_language="ENGLISH", nt="1"),),
        condition_policies=SCORED,
        on_request=("verification", "first_detection"),
    ),
    readers="tdtsql.loading.tasks.tracking",
)
