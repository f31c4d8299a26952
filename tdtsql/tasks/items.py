"""Scores of items, as evaluations of language models have them."""

from tdtsql.tasks.declaration import built_in, read_task

PACKAGE = built_in(read_task(__file__))
