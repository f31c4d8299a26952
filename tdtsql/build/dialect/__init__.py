"""The engines that views are rendered for, one module each, with their differences and the reasons."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from tdtsql.errors import UnknownName

if TYPE_CHECKING:  # a quarter of a second to import, and DuckDB's views need none of it
    from sqlglot import exp

ENGINES = ("duckdb", "spark", "postgres", "clickhouse", "datafusion", "trino", "snowflake", "bigquery")

Rewrite = Callable[["exp.Expr"], "exp.Expr"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one engine needs beyond another spelling.

    ``rewrites`` get a copy of the tree and change it in place; the docstring of
    each gives the reason.
    """

    name: str  #: as sqlglot calls it
    title: str
    standing: str  #: run (results compared with DuckDB's) or parsed (rendered and parsed only)
    rewrites: tuple[Rewrite, ...] = ()
    schema: str = "create schema if not exists {name};"
    view: str = "create or replace view {name} as\n{body};"
    preamble: tuple[str, ...] = field(default=())  #: statements before all others


def formula(text: str, name: str, **values: "exp.Expr") -> "exp.Expr":
    """Return the tree of an expression in the words of the dialect ``name``, with copies of ``values`` for the columns
    of these names.
    """
    from sqlglot import exp, parse_one

    tree = parse_one(text, read=name)
    for column in list(tree.find_all(exp.Column)):
        column.replace(values[column.name].copy())
    return tree


def dialect(name: str) -> Dialect:
    """Return the dialect called ``name``.

    Raises:
        UnknownName: views are not rendered for such an engine.
    """
    if name not in ENGINES:
        raise UnknownName(f"dialect '{name}' is unknown. Known are {', '.join(ENGINES)}.")
    dialect: Dialect = import_module(f"tdtsql.build.dialect.{name}").DIALECT
    return dialect
