"""What differs between two definitions, in their own words; and a new version as a copy of the last."""

import re
from pathlib import Path

import sqlglot

from tdtsql.errors import BrokenDefinition
from tdtsql.metric.catalog import Relation, is_installation, sql_root
from tdtsql.metric.parsing import parse, place


def changes(old: Relation, new: Relation) -> list[tuple[str, str]]:
    """Return (kind, text) for what was removed, added or changed from one SELECT to another, and in what they publish.

    A reading aid: the identity of a definition is its hash.
    """
    from sqlglot.diff import Insert, Keep, Remove, Update, diff

    found: list[tuple[str, str]] = []
    edits = diff(parse(old), parse(new), delta_only=True)
    inserted = {id(edit.expression) for edit in edits if isinstance(edit, Insert)}
    removed = {id(edit.expression) for edit in edits if isinstance(edit, Remove)}
    for edit in edits:
        if isinstance(edit, Remove) and id(edit.expression.parent) not in removed:
            found.append(("removed", _text(edit.expression)))
        elif isinstance(edit, Insert) and id(edit.expression.parent) not in inserted:
            found.append(("added", _text(edit.expression)))
        elif isinstance(edit, Update):
            found.append(("changed", f"{_text(edit.source)} -> {_text(edit.target)}"))
        elif isinstance(edit, Keep):
            continue
    for name in ("grain", "class"):
        if old.header.fields.get(name) != new.header.fields.get(name):
            found.append((name, f"{old.header.fields.get(name)} -> {new.header.fields.get(name)}"))
    for side, other, kind in ((old, new, "published no more"), (new, old, "published too")):
        names = {metric.metric for metric in other.header.metrics}
        found += [(kind, metric.metric) for metric in side.header.metrics if metric.metric not in names]
    return found


def _text(node: sqlglot.exp.Expr) -> str:
    text = " ".join(node.sql("duckdb", comments=False).split())
    return text if len(text) <= 100 else text[:99] + "…"


def new_version(relation: Relation) -> Path:
    """Copy a view to its next version, a skeleton to be edited, and return the new file.

    The old file's header says from now on what supersedes it; headers do not count for its hash.

    Raises:
        BrokenDefinition: it has no version, the next one exists already, or the definitions are those of an
            installation, which is never changed.
    """
    if is_installation():
        raise BrokenDefinition(
            f"{relation.name}: the definitions of an installation are not changed ({sql_root()}). Write new versions "
            "in a checkout of the source, and install that."
        )
    match = re.fullmatch(r"(.+)__v(\d+)", relation.path.stem)
    if not match:
        raise BrokenDefinition(f"{place(relation)}: has no version. Only views of base and metric have versions.")
    following = f"{match[1]}__v{int(match[2]) + 1}"
    path = relation.path.with_name(f"{following}.sql")
    if path.exists():
        raise BrokenDefinition(f"{place(relation)}: {path.name} already exists. Edit it, or copy that version.")
    text = relation.path.read_text(encoding="utf-8")
    start, end = text.index("/*"), text.index("*/")
    header, body = text[start:end], text[end:]
    header = re.sub(r"^status:.*\n(?:[ \t]+.*\n)*", "", header, flags=re.MULTILINE)
    path.write_text(
        f"{text[:start]}{header}status:   differs from {relation.path.stem}: say in what, and why\n{body}",
        encoding="utf-8",
    )
    relation.path.write_text(f"{text[:start]}{header}status:   superseded by {following}\n{body}", encoding="utf-8")
    return path
