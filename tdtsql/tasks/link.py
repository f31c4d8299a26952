"""Link detection: whether two stories are on the same topic."""

from tdtsql.tasks.declaration import Required, SCORES, THREE, built_in, detection_task

PACKAGE = built_in(
    detection_task(
        name="link",
        position=3,
        decides_on="pair",
        keys={**SCORES, "key": "columns"},
        required=(Required("7", THREE, deferral=10),),
    )
)
