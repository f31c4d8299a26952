"""What makes a store in PostgreSQL, as text: read without a server."""

import pytest
import sqlglot

from tdtsql.definitions.catalogue import catalog
from tdtsql.remote.postgres import _view_statements


@pytest.mark.full
def test_every_view_can_be_made_there():
    made = {}
    for statement in _view_statements():
        if statement.startswith("create view "):
            name, _, select = statement.removeprefix("create view ").partition(" as")
            made[name] = sqlglot.parse_one(select, read="postgres")

    # the text of profiles is a table there
    assert set(catalog()) - set(made) == {"ledger.profile_text"}
    # the hull needs recursion with an aggregate, which PostgreSQL refuses: a kernel finds its rows
    hull = made["metric.verification_hull__v1"]
    assert hull.named_selects == [column.name for column in catalog()["metric.verification_hull__v1"].header.columns]
    assert hull.args["where"].this == sqlglot.exp.false()
    # sha256 takes bytes there
    assert "SHA256(CONVERT_TO(" in made["ledger.current_computation"].sql("postgres").upper()
