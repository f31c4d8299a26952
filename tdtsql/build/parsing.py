"""A view's text as a syntax tree, and its file as messages name it."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import Relation


def parse(relation: Relation) -> exp.Query:
    """Return the syntax tree of a view.

    Raises:
        BrokenDefinition: it does not parse, or is not one SELECT.
    """
    try:
        statements = sqlglot.parse(relation.body, read="duckdb")
    except SqlglotError as error:
        raise BrokenDefinition(f"{place(relation)}: the SELECT does not parse: {str(error).splitlines()[0]}.") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise BrokenDefinition(f"{place(relation)}: the body is not one SELECT.")
    return statements[0]


def place(relation: Relation) -> str:
    """Return the file of a view as messages name it."""
    parts = relation.path.parts
    start = len(parts) - 1 - parts[::-1].index("sql") if "sql" in parts else len(parts) - 1
    return "/".join(parts[start:])


def line_of(relation: Relation, node: exp.Expr | None) -> int:
    """Return the line of the view's file on which a node of its tree begins, or the part of it that the text has."""
    while node is not None:
        lines: list[int] = [part.meta["line"] for part in node.walk() if "line" in part.meta]
        if lines:
            return relation.line - 1 + min(lines)
        node = node.parent
    return relation.line
