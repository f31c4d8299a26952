"""Fingerprints of definitions: sha256 of the tokens of a view and of all its inputs.

Three hashes per view:

``bytes``    the file unchanged; a quick check that nothing at all has changed.
``tokens``   the computation: the tokens of the SELECT and of the macros that it
             calls, and the metrics that its header publishes (id, counting column, direction). Comments, layout and
             the case of unquoted words do not count.
``closure``  the same for everything that it reads, down to the definitions of the table
             columns that it uses (those of ``registry.profile`` too).

Every field is hashed with its length before it, so that different lists of fields never
have the same bytes.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tdtsql.definitions.catalogue import Relation, compiled_entry, is_package, shipped
from tdtsql.definitions.table import Table, read_tables, shipped_tables
from tdtsql.definitions.lexer import OTHER, tokens


def digest(fields: Iterable[str]) -> str:
    """Return the sha256 of the fields, each with its length in bytes before it."""
    total = hashlib.sha256()
    for field in fields:
        data = field.encode()
        total.update(b"%d:" % len(data))
        total.update(data)
    return total.hexdigest()


def text_hash(sql: str) -> str:
    """Return the hash of the words of any SQL text."""
    return _read(sql)[0]


@lru_cache(maxsize=4096)
def _read(sql: str) -> tuple[str, frozenset[str]]:
    """Return the hash of the tokens of a SQL text, and its unquoted tokens; cached, because the texts of an
    installation are read repeatedly.
    """
    found = tokens(sql)
    return digest(part for token in found for part in (token.kind, token.text)), frozenset(
        token.text for token in found if token.kind == OTHER
    )


def token_hash(relation: Relation) -> str:
    """Return the hash of what one view computes and publishes: its plain words, those of its macros, its metrics."""
    macros = [part for macro in relation.macros for part in (macro.name, text_hash(macro.text))]
    published = [
        part
        for metric in relation.header.metrics
        for part in (metric.metric, metric.n, metric.best, *([metric.column] if metric.keys else []))
    ]
    return digest(["view", text_hash(relation.plain or relation.body), str(len(relation.macros)), *macros, *published])


def closure_hashes(
    relations: dict[str, Relation], tables: dict[str, Table], *, own: dict[str, str] | None = None
) -> dict[str, str]:
    """Return for every view the hash of itself and of everything it reads.

    Args:
        relations: the views in build order.
        tables: the tables they read.
        own: token hashes that are known already.
    """
    closures: dict[str, str] = {}
    filled: dict[str, list[str]] = {}  # table -> closures of the definitions that fill it or a column of it
    for name, relation in relations.items():
        if target := relation.header.fields.get("fills"):
            filled.setdefault(".".join(target.split(".")[:2]), []).append(name)
    for name, relation in relations.items():
        fields = ["closure", name, (own or {}).get(name) or token_hash(relation)]
        named = _read(relation.body)[1]
        for read in sorted(relation.header.inputs):
            fields.append(read)
            if read in closures:
                fields.append(closures[read])
            elif read in tables:
                fields.append(columns_hash(tables[read], named))
                fields += [
                    closures[other] for other in filled.get(read, ()) if _follows(relation, relations[other], named)
                ]
        closures[name] = digest(fields)
    return closures


def definition_hashes(root: Path, relations: dict[str, Relation]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the token hashes and closure hashes of all definitions below ``root``; those of a task package read
    relations of tdtsql as well.
    """
    own = {name: token_hash(relation) for name, relation in relations.items()}
    if not is_package(root):
        return own, closure_hashes(relations, read_tables(root), own=own)
    below = shipped().derived | shipped().relations
    known = own | {name: compiled_entry(name)["tokens"] for name in below}
    return own, closure_hashes(below | relations, shipped_tables() | read_tables(root), own=known)


def _follows(relation: Relation, other: Relation, named: Collection[str]) -> bool:
    """Return whether a relation depends on what another fills: a table that it reads, or a column that it names."""
    parts = other.header.fields["fills"].split(".")
    return len(parts) == 2 or (parts[2] in named and "fills" not in relation.header.fields)


def columns_hash(table: Table, named: Collection[str]) -> str:
    """Return the hash of the definitions of those columns of a table that are ``named``."""
    return digest(
        part for column, words in sorted(table.columns.items()) if column in named for part in (column, " ".join(words))
    )


def profile_files(root: Path) -> dict[str, dict[str, Any]]:
    """Return the shipped profiles below ``root``/profile as their files say them, by id."""
    import tomllib

    read = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((root / "profile").glob("*.toml"))]
    return {profile["profile_id"]: profile for profile in read}


def read_profiles(root: Path) -> dict[str, dict[str, Any]]:
    """Return the shipped profiles below ``root``/profile: id -> column -> value, bases filled in."""
    raw = profile_files(root)
    return {name: with_bases(raw, name) for name in raw}


def with_bases(profiles: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, Any]:
    """Return the ``columns`` of a profile: its own, and those of its ``base`` where it has none."""
    base = profiles[name].get("base")
    return {**({} if base is None else with_bases(profiles, base)), **profiles[name].get("columns", {})}


def profile_hash(columns: dict[str, Any]) -> str:
    """Return the hash of a profile's values."""
    return digest(part for column, value in sorted(columns.items()) for part in (column, repr(value)))


def bytes_hash(path: Path | str) -> str:
    """Return the sha256 of a file as it is."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
