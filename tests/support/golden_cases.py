"""What tests of golden numbers share: the cases that they need, and the numbers of a store."""

import pytest

import tdtsql


def asked_for(request: pytest.FixtureRequest, parameter: str) -> list[str]:
    """Return the cases that the selected tests of a file have as this parameter: all are loaded into one store and
    scored together, for planning the views takes longer than a case.
    """
    tests = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    params = (test.callspec.params for test in tests)
    return list(dict.fromkeys(given[parameter] for given in params if parameter in given))


def keyed(store: tdtsql.Store, columns: str, relation: str = "score", where: str = "true") -> dict:
    """Return these columns of a relation of ``report`` -> value; a single one is not in a tuple."""
    rows = store.sql(f"select {columns}, value from report.{relation} where {where}").fetchall()
    return {row[:-1] if len(row) > 2 else row[0]: row[-1] for row in rows}
