"""Value tracking: numbers and places of an event over time."""

from tdtsql.tasks.declaration import built_in, read_task

PACKAGE = built_in(read_task(__file__))
