"""Topic tracking: for each topic, a decision on each later story."""

from tdtsql.tasks.declaration import Required, built_in, detection_task

PACKAGE = built_in(
    detection_task(
        name="tracking",
        position=1,
        families=("detection", "bcubed", "filtering"),
        summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm", "b3_f1"),
        decides_on="topic",
        may_be_partition=True,
        required=(Required("2", training_language="ENGLISH", nt="1"),),
        on_request=("verification", "first_detection"),
    )
)
