"""Temporal summarization: updates on an event, as it unfolds."""

from tdtsql.tasks.declaration import built_in, read_task

PACKAGE = built_in(read_task(__file__))
