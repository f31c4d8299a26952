"""A worked example as text in, rows of a detection view out."""

import pytest

from trial_model import fetch, load, parse


@pytest.fixture
def worked():
    """Return a function that loads one example and returns a function for the rows of a view."""
    connections = []

    def example(text, profiles=None, **options):
        con = load({"example": parse(text)}, profiles, **options)
        connections.append(con)
        return lambda view, **keys: fetch(con, view, **keys)

    yield example
    for con in connections:
        con.close()
