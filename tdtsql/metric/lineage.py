"""Lineage of a column: through the views to the columns of tables.

Two roles. ``value``: the column enters the expression. ``row``: it selects or groups
the rows (where, join, group by, having). A count of
rows has no value column; its row columns determine the count. Below the tables two more:
``kept``: the scorer stored a view's numbers. ``loaded``: a loader read it from the source.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape

from tdtsql.errors import UnknownName
from tdtsql.metric.catalog import Relation, cached_definitions, catalog, compiled_entry, derived
from tdtsql.metric.origin import origins
from tdtsql.metric.published import CURVES

VALUE, ROW, KEPT, LOADED = "value", "row", "kept", "loaded"
ColumnName = tuple[str, str]  # relation, column


#: all values of a profile as one text: the steps of other columns end there, not in each value
PROFILE_TEXT = "ledger.profile_text"


@dataclass(frozen=True, slots=True)
class Step:
    """One input column of a column of a view."""

    depth: int  #: views between this one and the one that was asked for
    relation: str
    column: str
    role: str  #: value, row, kept or loaded; file when read from a store
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


def lineage(
    relation: Relation,
    columns: Iterable[str] | None = None,
    *,
    relations: Mapping[str, Relation] | None = None,
    read: Callable[[str], Sources] = compiled_sources,
) -> list[Step]:
    """Return every step from the columns of a view down to columns of tables.

    Args:
        relation: the view.
        columns: its columns; None: all except keys.
        relations: all views; None means those of this installation.
        read: returns the inputs of one of them.

    Raises:
        UnknownName: the view has no such column.
    """
    known = relations if relations is not None else catalog()
    names = [column.name for column in relation.header.columns]
    wanted = (
        list(columns)
        if columns is not None
        else [column.name for column in relation.header.columns if not column.is_key]
    )
    for column in wanted:
        if column not in names:
            raise UnknownName(f"{relation.name} has no column '{column}'. It has {', '.join(names)}.")
    steps: list[Step] = []
    level: list[ColumnName] = [(relation.name, column) for column in wanted]
    seen = set(level)
    described: set[str] = set()
    depth = 0
    while level:
        following: list[ColumnName] = []
        for name, column in level:
            if name not in known or (depth and name == PROFILE_TEXT):
                continue
            found = read(name)
            steps += [Step(depth, name, column, VALUE, *column_name) for column_name in sorted(found.values[column])]
            following += sorted(found.values[column])
            if name not in described:
                described.add(name)
                steps += [Step(depth, name, "", ROW, *column_name) for column_name in sorted(found.rows)]
                following += sorted(found.rows)
        level = [column_name for column_name in dict.fromkeys(following) if column_name not in seen]
        seen.update(level)
        depth += 1
    return steps


def to_sources(steps: list[Step]) -> list[Step]:
    """Return the steps with those below the tables: stored results to the views that publish them, base tables to
    ``staging`` and files.
    """
    found = list(dict.fromkeys(steps))
    seen = {(step.relation, step.column) for step in found}
    level = [step for step in found if step.from_relation not in catalog()]
    while level:
        following: list[Step] = []
        for name, column, depth in dict.fromkeys(
            (step.from_relation, step.from_column, step.depth + 1) for step in level
        ):
            if (name, column) in seen:
                continue
            seen.add((name, column))
            for view, published in _stored_from(name, column):
                following.append(Step(depth, name, column, KEPT, view, published))
                following += _of_view(view, published, depth + 1)
            for source in _below(name, column):
                following.append(Step(depth, name, column, LOADED, *source))
                if source[0] in catalog():  # a derived table may read views
                    following += _of_view(*source, depth + 1)
        known = {(step.relation, step.column, step.role, step.from_relation, step.from_column) for step in found}
        fresh = {
            (step.relation, step.column, step.role, step.from_relation, step.from_column): step
            for step in reversed(following)
        }
        level = [step for key, step in reversed(fresh.items()) if key not in known]
        found += level
        level = [step for step in level if step.from_relation not in catalog()]
    return found


def _of_view(view: str, column: str, depth: int) -> list[Step]:
    """Return the steps from a column of a view down to tables, as steps below others."""
    return [replace(step, depth=depth + step.depth) for step in lineage(catalog()[view], [column])]


def _below(table: str, column: str) -> list[ColumnName]:
    """Return the inputs of a column of a base table: by its definition if it is derived, else as it is loaded."""
    for name, relation in derived().items():
        if relation.header.fields["fills"] == table:
            entry = compiled_entry(name)
            return [tuple(column_name) for column_name in entry["values"][column] or entry["rows"]]
    return origins(table, column)


def origins_of(
    column_name: ColumnName, below: Mapping[ColumnName, list[tuple[ColumnName, str]]]
) -> dict[ColumnName, str]:
    """Return the first sources of a column with its role: value only where every step has this role.

    Args:
        column_name: the column.
        below: the inputs of every column (``below_of`` the steps of ``to_sources``).
    """
    found: dict[ColumnName, str] = {}
    for role, roles in ((VALUE, (VALUE, KEPT, LOADED)), (ROW, (VALUE, KEPT, LOADED, ROW))):
        seen, queue = {column_name}, [column_name]
        while queue:
            here = queue.pop()
            if here[0] == PROFILE_TEXT and here != column_name:
                found.setdefault(here, role)
                continue
            following = [end for end, how in below.get(here, []) if how in roles]
            if role == ROW:
                following += [end for end, _ in below.get((here[0], ""), [])]
            if not below.get(here) and not below.get((here[0], "")) and here != column_name:
                found.setdefault(here, role)
            fresh = [end for end in dict.fromkeys(following) if end not in seen]
            seen.update(fresh)
            queue += fresh
    return found


def below_of(steps: Iterable[Step]) -> dict[ColumnName, list[tuple[ColumnName, str]]]:
    """Return the inputs of every column, with the role."""
    below: dict[ColumnName, list[tuple[ColumnName, str]]] = {}
    for step in steps:
        below.setdefault((step.relation, step.column), []).append(((step.from_relation, step.from_column), step.role))
    return below


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


def svg(steps: list[Step], *, title: str = "") -> str:
    """Return the steps as a picture: one box per relation, the view on the left, tables on the right.

    ``title``: title of the picture; by default the first view.
    """
    rank: dict[str, int] = {}
    for step in steps:
        rank.setdefault(step.relation, 0)
    for _ in range(len(rank) + 1):
        for step in steps:
            if step.relation != step.from_relation:
                rank[step.from_relation] = max(rank.get(step.from_relation, 0), rank[step.relation] + 1)
    boxes: dict[str, list[str]] = {}
    for relation, column in _places(steps):
        boxes.setdefault(relation, [])
        if column:
            boxes[relation].append(column)
    width, gap, line = 250, 110, 16
    next_y = dict.fromkeys(range(max(rank.values(), default=0) + 1), 20)
    at: dict[ColumnName, tuple[int, int]] = {}
    drawn: list[str] = []
    for relation in sorted(boxes, key=lambda name: (rank[name], name)):
        x, y = 20 + rank[relation] * (width + gap), next_y[rank[relation]]
        height = line * (len(boxes[relation]) + 1) + 12
        drawn.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>')
        drawn.append(f'<text class="name" x="{x + 8}" y="{y + line}">{escape(relation)}</text>')
        at[relation, ""] = (x, y + line - 4)
        for number, column in enumerate(boxes[relation], start=1):
            drawn.append(f'<text x="{x + 16}" y="{y + line * (number + 1)}">{escape(column)}</text>')
            at[relation, column] = (x, y + line * (number + 1) - 4)
        next_y[rank[relation]] = y + height + 16
    arrows = []
    for step in steps:
        (x1, y1), (x2, y2) = at[step.relation, step.column], at[step.from_relation, step.from_column]
        arrows.append(
            f'<path class="{step.role}" d="M{x1 + width},{y1} C{x1 + width + 50},{y1} {x2 - 50},{y2} {x2},{y2}"/>'
        )
    wide, high = 40 + len(next_y) * (width + gap) - gap, max(next_y.values()) + 20
    style = (
        "text{font:12px sans-serif;fill:#1a1a1a}.name{font-weight:bold}rect{fill:#f6f6f4;stroke:#8a8a86}"
        "path{fill:none;stroke:#1f5f99;stroke-width:1}path.row{stroke:#8a8a86;stroke-dasharray:3 3}"
    )
    inside = "\n".join([*arrows, *drawn])
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img">'
    )
    named = escape(title or (steps[0].relation if steps else "nothing"))
    return f"{head}\n<title>Lineage of {named}</title>\n<style>{style}</style>\n{inside}\n</svg>\n"


def _places(steps: list[Step]) -> list[ColumnName]:
    return list(
        dict.fromkeys(
            column_name
            for step in steps
            for column_name in ((step.relation, step.column), (step.from_relation, step.from_column))
        )
    )
