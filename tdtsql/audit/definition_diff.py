"""What differs between two definitions, line by line; and a new version as a copy of the last."""

import re
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from tdtsql.errors import BrokenDefinition, WrongCall
from tdtsql.definitions.catalogue import is_installation, Relation, sql_root, tasks_of

from tdtsql.output_file import check_writable, write_whole
from tdtsql.store.sets import check_own


def changes(old: Relation, new: Relation) -> list[tuple[str, str]]:
    """Return (kind, text) for each line that was removed from one SELECT or added to the other, and for what differs in
    grain, class and published metrics.

    A reading aid: the identity of a definition is its hash.
    """
    lines = unified_diff(old.body.splitlines(), new.body.splitlines(), n=0, lineterm="")
    kinds = {"-": "removed", "+": "added"}
    found = [(kinds[line[0]], line[1:].strip()) for line in islice(lines, 2, None) if line[0] in kinds]
    for name in ("grain", "class"):
        if old.header.fields.get(name) != new.header.fields.get(name):
            found.append((name, f"{old.header.fields.get(name)} -> {new.header.fields.get(name)}"))
    for side, other, kind in ((old, new, "published no more"), (new, old, "published too")):
        names = {metric.metric for metric in other.header.metrics}
        found += [(kind, metric.metric) for metric in side.header.metrics if metric.metric not in names]
    return found


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
        head, end, body = relation.path.read_text(encoding="utf-8").partition("*/")
        head = re.sub(r"^status:.*\n(?:[ \t]+.*\n)*", "", head, flags=re.MULTILINE)
        text = re.sub(r"^inputs:", f"tasks:    {', '.join(tasks_of(relation))}\ninputs:", head, flags=re.MULTILINE)
        text += end + body
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
    match = re.fullmatch(r"(.+)__v(\d+)", relation.path.stem)
    if not match:
        raise BrokenDefinition(f"{relation.place}: has no version. Only views of base and metric have versions.")
    following = f"{match[1]}__v{int(match[2]) + 1}"
    path = relation.path.with_name(f"{following}.sql")
    if path.exists():
        raise BrokenDefinition(f"{relation.place}: {path.name} already exists. Edit it, or copy that version.")
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
