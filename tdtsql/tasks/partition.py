"""Clusterings: each item in one cluster."""

from tdtsql.tasks.declaration import built_in, read_task

PACKAGE = built_in(read_task(__file__))
