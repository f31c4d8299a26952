"""Filtering: sets of documents retrieved for topics."""

from tdtsql.tasks.declaration import built_in, read_task

PACKAGE = built_in(read_task(__file__))
