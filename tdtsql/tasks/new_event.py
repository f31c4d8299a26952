"""New event detection: whether a story is the first on its topic."""

from tdtsql.tasks.declaration import ENGLISH, Required, built_in, detection_task

PACKAGE = built_in(
    detection_task(name="new_event", position=2, decides_on="story", required=(Required("5", ENGLISH, deferral=10),))
)
