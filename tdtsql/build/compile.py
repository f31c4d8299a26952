"""Definitions compiled for the package: ``tdtsql/compiled/catalog.json``, read in place of the files of ``sql/``.

Headers, bodies with macros written out, tables, hashes, and the columns that each view reads. Parsing them takes
seconds and needs sqlglot; reading the result takes milliseconds. `python -m tdtsql.build.lock --write` writes it, with
the empty store (`tdtsql.store.build.empty_store`); a test checks that both are current.
"""

import json
import subprocess
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import (
    is_definition,
    AUDIT,
    COMPILED,
    PACKAGE_FILE,
    Relation,
    is_package,
    read_catalog,
    read_derived,
    reading,
    shipped,
)
from tdtsql.definitions.table import read_tables, shipped_tables
from tdtsql.definitions.hashes import bytes_hash, definition_hashes, digest
from tdtsql.definitions.header import read_fields
from tdtsql.build.lineage import sources
from tdtsql.build.lower import columns_of
from tdtsql.task import task_columns

#: fields of the header of a file of ``sql/audit``
OF_AUDIT = ("title", "severity", "inputs", "checked", "edges")
#: when an invariant is checked that is not left to `tdtsql audit` and `tdtsql check`
CHECKED = {"after every load": "at_load", "with the stored numbers": "of_kept"}
#: table whose columns a view may depend on
PROFILE = "registry.profile"


def compiled_definitions(root: Path) -> dict[str, Any]:
    """Return all that is read of the definitions below ``root`` at run time, as JSON has it; those of a task package
    read relations of tdtsql as well.
    """
    relations, tables, derived = read_catalog(root), read_tables(root), read_derived(root)
    below = shipped().derived | shipped().relations if is_package(root) else {}
    known = shipped_tables() if is_package(root) else {}
    every = derived | relations
    own, closures = definition_hashes(root, every)
    columns = columns_of(below | relations, known | tables)
    read = {name: sources(relation, columns) for name, relation in every.items()}

    def entry(name: str, relation: Relation) -> dict[str, Any]:
        return {
            **_relation(root, relation),
            "tokens": own[name],
            "closure": closures[name],
            "values": {column: sorted(places) for column, places in read[name].values.items()},
            "rows": sorted(read[name].rows),
        }

    return {
        "key": definitions_key(root),
        "tables": {name: asdict(table) for name, table in tables.items()},
        "relations": {name: entry(name, relation) for name, relation in relations.items()},
        "derived": {name: entry(name, relation) for name, relation in derived.items()},
    }


def compiled_invariants(root: Path) -> dict[str, dict[str, Any]]:
    """Return the invariants below ``root``/audit by name: what holds, how severe it is if not, when it is checked, and
    the SELECT of the rows that break it. ``derived.x`` is the SELECT of that definition.

    Raises:
        BrokenDefinition: a bad header.
    """
    definitions = {name: f"(\n{relation.body}\n)" for name, relation in read_derived(root).items()}
    found = {}
    for path in sorted((root / AUDIT).glob("*.sql")):
        place = f"{root.name}/{AUDIT}/{path.name}"
        fields, body = read_fields(path.read_text(encoding="utf-8"), place, OF_AUDIT, OF_AUDIT[:3])
        if fields["severity"] not in ("error", "warning") or fields.get("checked", "after every load") not in CHECKED:
            raise BrokenDefinition(
                f"{place}: severity is error or warning, checked is {' or '.join(CHECKED)}, or left out."
            )
        found[path.stem] = {
            "severity": fields["severity"],
            "title": " ".join(fields["title"].split()),
            **({CHECKED[fields["checked"]]: True} if "checked" in fields else {}),
            "sql": reading(body, definitions),
        }
    return found


def package_definitions(root: Path) -> dict[str, Any]:
    """Return the compiled definitions of a task package, with its profiles, as its file ``compiled.json`` has them.

    Raises:
        BrokenDefinition: a profile that is not TOML, lacks its id or source, or has an unknown column or a value
          that is called as one.
    """
    profiles = {}
    known = set(shipped_tables()[PROFILE].columns)
    for path in sorted((root / "profile").glob("*.toml")):
        place = f"{root.name}/profile/{path.name}"
        try:
            profile = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BrokenDefinition(f"{place}: not a TOML file: {error}.") from None
        if lost := [key for key in ("profile_id", "source") if not profile.get(key)]:
            raise BrokenDefinition(f"{place}: no {lost[0]}. Add {lost[0]} = ... above its tables.")
        columns, values = set(profile.get("columns", {})), set(profile.get("values", {}))
        for name, said in profile.get("choices", {}).items():
            if not isinstance(said, list) or profile.get("values", {}).get(name) not in [*said, None]:
                raise BrokenDefinition(f"{place}: [choices] {name} is not a list that has the value of {name}.")
        if odd := sorted((columns - known) | (values & known)):
            raise BrokenDefinition(
                f"{place}: {odd[0]} is {'no' if odd[0] in columns else 'a'} column of {PROFILE}. [columns] has its "
                f"columns, [values] what is the package's own, under other names."
            )
        profiles[profile["profile_id"]] = {name: value for name, value in profile.items() if name != "profile_id"}
    return {**compiled_definitions(root), "profiles": profiles, "audit": compiled_invariants(root)}


def text_of(definitions: dict[str, Any]) -> str:
    """Return the JSON of compiled definitions: one relation a line, so that a change shows where it is."""
    parts = []
    for key, value in definitions.items():
        if isinstance(value, dict):
            lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in value.items())
            parts.append(f"{json.dumps(key)}: {{\n{lines}\n}}")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(root: Path) -> None:
    """Write the compiled definitions, and then the empty store created from them; of a task package no store."""
    if is_package(root):
        (root / PACKAGE_FILE).write_text(text_of(package_definitions(root)), encoding="utf-8")
        return
    COMPILED.mkdir(exist_ok=True)
    (COMPILED / "catalog.json").write_text(text_of(compiled_definitions(root)), encoding="utf-8")
    (COMPILED / "audit.json").write_text(json.dumps(compiled_invariants(root), indent=0) + "\n", encoding="utf-8")
    # another process: it reads what was just written, and this layer does not know the store
    subprocess.run([sys.executable, "-m", "tdtsql.store.build.empty_store"], check=True)


def definitions_key(root: Path) -> str:
    """Return one hash over the files of ``sql/`` as they are, and the rows of the tasks."""
    paths = sorted(path for path in root.rglob("*") if path.suffix != ".lock" and is_definition(path, root))
    files = [part for path in paths for part in (path.relative_to(root).as_posix(), bytes_hash(path))]
    return digest([*files, repr(task_columns())] if not is_package(root) else files)


def _relation(root: Path, relation: Relation) -> dict[str, Any]:
    return {
        "file": relation.path.relative_to(root).as_posix(),
        "line": relation.line,
        **relation.header.compiled,
        "body": relation.body,
        "reads": relation.reads,
        **({"plain": relation.plain} if relation.plain != relation.body else {}),
    }
