"""Lineage of a column: through the views to the columns of tables.

Two roles. ``value``: the column enters the expression. ``row``: it selects or groups
the rows (where, join, group by, having). A count of
rows has no value column; its row columns determine the count. Below the tables two more:
``kept``: the scorer stored a view's numbers. ``loaded``: a loader read it from the source.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from tdtsql.errors import UnknownName
from tdtsql.definitions.catalogue import cached_definitions, catalog, compiled_entry, CURVES, derived, Relation
from tdtsql.definitions.origin import origins
from tdtsql.definitions.table import tables
from tdtsql.engine.parse_tree import Node, output_name, parse_tree, parts

VALUE, ROW, KEPT, LOADED = "value", "row", "kept", "loaded"
ColumnName = tuple[str, str]  # relation, column


#: all values of a profile as one text: the steps of other columns end there, not in each value
PROFILE_TEXT = "ledger.profile_text"


class Step(NamedTuple):
    """One input column of a column of a view."""

    depth: int  #: views between this one and the one that was asked for
    relation: str
    column: str
    role: str  #: one of the roles above; file when read from a store
    from_relation: str
    from_column: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What one view reads: per output column, and to have its rows."""

    values: Mapping[str, frozenset[ColumnName]]
    rows: frozenset[ColumnName]


@cached_definitions
def compiled_sources(name: str) -> Sources:
    """Return the compiled lineage of a view of this installation."""
    entry = compiled_entry(name)
    values = {column: frozenset(map(tuple, places)) for column, places in entry["values"].items()}
    return Sources(values, frozenset(map(tuple, entry["rows"])))


def named_sources(relation: Relation, known: Mapping[str, Relation]) -> Sources:
    """Return what a user-defined metric reads, by the names of columns in its text: a name that several inputs have
    represents all of them.

    Args:
        known: all views.
    """
    homes: dict[str, set[ColumnName]] = {}
    for read in relation.header.inputs:
        for column in [one.name for one in known[read].header.columns] if read in known else tables()[read].columns:
            homes.setdefault(column, set()).add((read, column))
    found = [part.node for part in parts(parse_tree(relation.body))]
    outputs: dict[str, list[Node]] = {}
    for node in found:
        for one in node.get("select_list") or ():
            outputs.setdefault(output_name(one), []).append(one)

    def reached(nodes: Iterable[Node], seen: frozenset[str] = frozenset()) -> set[ColumnName]:
        reads: set[ColumnName] = set()
        for node in (part.node for one in nodes for part in parts(one)):
            if node.get("class") == "COLUMN_REF" and (name := node["column_names"][-1]) not in seen:
                reads |= homes.get(name, set()) | reached(outputs.get(name, ()), seen | {name})
        return reads

    conditions = ("where_clause", "group_expressions", "having", "qualify", "condition")
    rows = [{"part": node[clause]} for node in found for clause in conditions if node.get(clause)]
    names = [column.name for column in relation.header.columns]
    return Sources({name: frozenset(reached(outputs.get(name, ()))) for name in names}, frozenset(reached(rows)))


def lineage(
    relation: Relation,
    columns: Iterable[str] | None = None,
    *,
    own: Mapping[str, Sources] = MappingProxyType({}),
    to_files: bool = False,
) -> list[Step]:
    """Return every step from the columns of a view down to columns of tables, the nearest first.

    Args:
        relation: the view.
        columns: its columns; None: all except keys.
        own: what user-defined metrics read, by name.
        to_files: continue below the tables: from stored results to the views that publish them, from base tables to
            ``staging`` and files.

    Raises:
        UnknownName: the view has no such column.
    """
    names = [column.name for column in relation.header.columns]
    wanted = [column.name for column in relation.header.columns if not column.is_key] if columns is None else columns
    level: list[ColumnName] = [(relation.name, column) for column in wanted]
    for _, column in level:
        if column not in names:
            raise UnknownName(f"{relation.name} has no column '{column}'. It has {', '.join(names)}.")

    def inputs(name: str, column: str) -> list[tuple[str, ColumnName]]:
        if name in own or name in catalog():
            read = own.get(name) or compiled_sources(name)
            found = read.values[column] if column else read.rows
            return [(VALUE if column else ROW, one) for one in sorted(found)]
        if not to_files:
            return []
        return [*((KEPT, one) for one in _stored_from(name, column)), *((LOADED, one) for one in _below(name, column))]

    steps: list[Step] = []
    seen: set[ColumnName] = set()
    depth = 0
    while level:
        following: list[Step] = []
        for name, column in level:
            if depth and name == PROFILE_TEXT:
                continue
            # of each view once, what its rows depend on
            for part in dict.fromkeys((column, "" if name in own or name in catalog() else column)):
                if (name, part) not in seen:
                    seen.add((name, part))
                    following += [Step(depth, name, part, role, *one) for role, one in inputs(name, part)]
        steps += following
        level = [one for one in dict.fromkeys(step[4:] for step in following) if one not in seen]
        depth += 1
    return steps


def _below(table: str, column: str) -> list[ColumnName]:
    """Return the inputs of a column of a base table: by its definition if it is derived, else as it is loaded."""
    for name, relation in derived().items():
        if relation.header.fields["fills"] == table:
            entry = compiled_entry(name)
            return [tuple(column_name) for column_name in entry["values"][column] or entry["rows"]]
    return origins(table, column)


def _stored_from(table: str, column: str) -> list[ColumnName]:
    """Return the columns of views whose numbers are stored in a column of a ledger table."""
    if table == "ledger.result_det_point":
        return [(view, column) for view in CURVES if column in [entry.name for entry in catalog()[view].header.columns]]
    if column != "value" or table not in ("ledger.result_score", "ledger.result_block", "ledger.result_label"):
        return []
    of_block = table != "ledger.result_score"
    return [
        (relation.name, metric.column)
        for relation in catalog().values()
        for metric in relation.header.metrics
        if ("block_no" in relation.header.grain) == of_block
    ]


def mermaid(steps: list[Step]) -> str:
    """Return the steps as a Mermaid flow chart; dotted arrows are rows."""
    names = {column_name: f"n{number}" for number, column_name in enumerate(_places(steps))}
    lines = ["flowchart RL"]
    lines += [f'    {key}["{relation}<br/>{column or "(its rows)"}"]' for (relation, column), key in names.items()]
    for step in steps:
        arrow = "-->" if step.role == VALUE else "-.->"
        lines.append(f"    {names[step.relation, step.column]} {arrow} {names[step.from_relation, step.from_column]}")
    return "\n".join(lines) + "\n"


def tree_rows(steps: list[Step]) -> list[dict[str, str]]:
    """Return the steps as the rows of a tree of relations, each below one that reads it: ``row``, ``parent``, ``label``
    (the columns that are read of it) and ``note`` (if it decides about rows alone). Where a relation is repeated, it
    has no rows below it.
    """
    columns: dict[str, list[str]] = {}
    for relation, column in _places(steps):
        columns.setdefault(relation, []).extend([column] if column else [])
    roles: dict[tuple[str, str], set[str]] = {(step.relation, ""): {VALUE} for step in steps if not step.depth}
    for step in steps:
        roles.setdefault((step.from_relation, step.relation), set()).add(step.role)
    rows, shown = [], set()
    for (relation, reader), how in roles.items():
        row, label = (f"{relation} (above)", "") if relation in shown else (relation, ", ".join(columns[relation]))
        shown.add(relation)
        note = "" if VALUE in how else " ".join(sorted(how))
        rows.append({"row": row, "parent": reader, "label": label, "note": note})
    return rows


def _places(steps: list[Step]) -> list[ColumnName]:
    return list(
        dict.fromkeys(
            column_name
            for step in steps
            for column_name in ((step.relation, step.column), (step.from_relation, step.from_column))
        )
    )
