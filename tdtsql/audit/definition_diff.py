"""What differs between two definitions, line by line; and a new version as a copy of the last."""

import json
import re
from pathlib import Path

from tdtsql.definitions.catalogue import Relation, is_installation, read_statement, sql_root, tasks_of
from tdtsql.engine.memory import rows_in_memory
from tdtsql.errors import BrokenDefinition, WrongCall
from tdtsql.output_file import check_writable, write_whole
from tdtsql.store.define import check_own


def changes(old: Relation, new: Relation) -> list[tuple[str, str]]:
    """Return (kind, text) for each line that was removed from one SELECT or added to the other, and for what differs in
    grain, class and published metrics.

    A reading aid: the identity of a definition is its hash.
    """
    sides = {"old": old, "new": new}
    texts = {name: json.dumps({**one.header.compiled, "body": one.body}) for name, one in sides.items()}
    return rows_in_memory(read_statement("explain/definition_changes"), texts)


def own_copy(relation: Relation, folder: Path, text: str | None = None) -> Path:
    """Write a view into a folder as a user-defined metric, to be edited: of one with ``text`` the next version, of a
    view of the installation version 1. Return the new file.

    Raises:
        WrongCall: the file exists.
        BrokenDefinition: `metric check` would not accept the view.
    """
    name, version = relation.alias.partition(".")[2], 1 if text is None else relation.version + 1
    path = folder / f"{name}__v{version}.sql"
    if path.exists():
        raise WrongCall(f"{path} already exists. Edit it, or choose another folder.")
    if text is None:
        head, body = _without_status(relation)
        head = re.sub(r"^inputs:", f"tasks:    {', '.join(tasks_of(relation))}\ninputs:", head, flags=re.MULTILINE)
        text = head + body
        _, problems = check_own([(str(path), f"{name}__v{version}", text)])
        if problems:
            raise BrokenDefinition(
                f"{relation.name} cannot be a user-defined metric: {problems[0].message} ({problems[0].value!r})."
            )
    check_writable(path)
    write_whole(path, text.encode())
    return path


def new_version(relation: Relation) -> Path:
    """Copy a view to its next version, a skeleton to be edited, and return the new file.

    The old file's header says from now on what supersedes it; headers do not count for its hash.

    Raises:
        BrokenDefinition: it has no version, or the next one exists already.
        WrongCall: the definitions are those of an installation, which is never changed.
    """
    if is_installation():
        raise WrongCall(
            f"{relation.name}: this is an installation ({sql_root()}), where a released definition cannot change. With "
            "--to FOLDER the copy becomes a user-defined metric."
        )
    if relation.alias == relation.name:
        raise BrokenDefinition(f"{relation.place}: has no version. Only views of base and metric have versions.")
    following = f"{relation.path.stem.rpartition('__v')[0]}__v{relation.version + 1}"
    path = relation.path.with_name(f"{following}.sql")
    if path.exists():
        raise BrokenDefinition(f"{relation.place}: {path.name} already exists. Edit it, or copy that version.")
    head, body = _without_status(relation)
    differs = f"differs from {relation.path.stem}: say in what, and why"
    for file, status in ((path, differs), (relation.path, f"superseded by {following}")):
        file.write_text(f"{head}status:   {status}\n{body}", encoding="utf-8")
    return path


def _without_status(relation: Relation) -> tuple[str, str]:
    """Return the header of a file without its status, and what follows from the end of the header on."""
    head, end, body = relation.path.read_text(encoding="utf-8").partition("*/")
    return re.sub(r"^status:.*\n(?:[ \t]+.*\n)*", "", head, flags=re.MULTILINE), end + body
