"""Lineage of one view, from its syntax tree: the input columns of each column, and those that filter its rows."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, build_scope

from tdtsql.errors import not_none, BrokenDefinition
from tdtsql.definitions.catalogue import Relation
from tdtsql.definitions.lineage import ColumnName, Sources
from tdtsql.build.lower import Columns, lowered_tree


def sources(relation: Relation, columns: Columns | None = None) -> Sources:
    """Return the input columns from which each column of a view is computed; ``columns`` as in `lowered_tree`."""
    tree = lowered_tree(relation, columns)
    scope = not_none(build_scope(tree))
    values = {name: frozenset(_projection(scope, name)) for name in tree.named_selects}
    found = Sources(values, frozenset(_rows(scope)))
    for cached in (_projection, _rows):
        cached.cache_clear()  # they hold the whole syntax tree
    return found


@cache
def _projection(scope: Scope, name: str) -> set[ColumnName]:
    if isinstance(scope.expression, exp.Values):  # rows that the view writes itself
        return set()
    if _parts(scope):
        position = _query(scope).named_selects.index(name)
        found: set[ColumnName] = set()
        for part in _parts(scope):
            found |= _projection(part, _query(part).named_selects[position])
        return found
    select = next(select for select in _query(scope).selects if select.alias_or_name == name)
    return _columns(scope, select)


def _query(scope: Scope) -> exp.Query | exp.UDTF:
    if not isinstance(scope.expression, exp.Query | exp.UDTF):  # a SELECT, or VALUES with names
        raise BrokenDefinition(f"{scope.expression.sql('duckdb')} is not a SELECT.")
    return scope.expression


def _parts(scope: Scope) -> list[Scope]:
    return scope.set_operation_scopes or []


def _columns(scope: Scope, node: exp.Expr, inner: Mapping[int, Scope] = MappingProxyType({})) -> set[ColumnName]:
    """Return the input columns of an expression; ``inner``: scopes of columns in its subqueries, by their identity."""
    found: set[ColumnName] = set()
    for column in node.find_all(exp.Column):
        source = _source(inner.get(id(column), scope), column.table)
        if isinstance(source, exp.Table):
            found.add((f"{source.db}.{source.name}", column.name))
        elif source is not None:
            found |= _projection(source, column.name)
    return found


def _source(scope: Scope | None, alias: str) -> exp.Table | Scope | None:
    while scope is not None:
        if alias in scope.sources:
            return scope.sources[alias]
        scope = scope.parent
    return None


@cache
def _rows(scope: Scope) -> set[ColumnName]:
    """Return the columns that decide about the rows of a scope and of the scopes it reads."""
    found: set[ColumnName] = set()
    if _parts(scope):
        for part in _parts(scope):
            found |= _rows(part)
        return found
    select = scope.expression
    for clause in ("where", "group", "having"):
        if select.args.get(clause) is not None:
            found |= _clause(scope, select.args[clause])
    for join in select.args.get("joins") or []:
        if join.args.get("on") is not None:
            found |= _clause(scope, join.args["on"])
    for source in scope.sources.values():
        if isinstance(source, Scope) and source is not scope:
            found |= _rows(source)
    return found


def _clause(scope: Scope, node: exp.Expr) -> set[ColumnName]:
    inner = {id(column): part for part in scope.subquery_scopes for column in part.expression.find_all(exp.Column)}
    found = _columns(scope, node, inner)
    for part in scope.subquery_scopes:
        found |= _rows(part)
    return found
