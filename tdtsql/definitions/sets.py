"""Task packages of this installation: found by their entry point `tdtsql.tasks`, loaded when something of theirs is
used.

The name of an entry point is the name of the task, and its value a `tdtsql.package.TaskPackage`. Finding packages reads
metadata and imports nothing. A package that cannot be used is left out with one line on stderr; everything else works.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from tdtsql.errors import BrokenDefinition, TdtsqlError
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import (
    DefinitionSet,
    PACKAGE_FILE,
    forget_packages,
    read_statement,
    shipped,
    use_package,
)
from tdtsql.definitions.table import Table, tables_of
from tdtsql.engine.memory import rows_in_memory
from tdtsql.task import FINDERS, PACKAGES, TASKS
from tdtsql.tasks.declaration import EXCLUDE, KEY_KINDS, Task, TaskPackage
from tdtsql.version import __version__

GROUP = "tdtsql.tasks"
#: environment variable: ``none`` loads no package
SWITCH = "TDTSQL_TASKS"

SHIPPED = frozenset(TASKS)


@dataclass(frozen=True)
class Installed(DefinitionSet):
    """A task package in use."""

    version: str
    task: Task
    package: TaskPackage | None = None  #: None where it is not installed

    @property
    def sha256(self) -> str:
        """One hash over the files of its definitions."""
        return str(self.definitions["key"])

    @property
    def tables(self) -> dict[str, Table]:
        """Its tables by name."""
        return tables_of(self.definitions["tables"])

    @property
    def schemas(self) -> list[str]:
        """The schemas of its tables."""
        return sorted({name.split(".")[0] for name in self.tables})

    def is_older(self, other: "Installed") -> bool:
        """Return whether this is an older version than another (the one that wrote a store)."""
        from packaging.version import InvalidVersion, Version

        try:
            return Version(self.version) < Version(other.version)
        except InvalidVersion:
            return self.version != other.version

    @property
    def text(self) -> str:
        """All that a store records of it, as JSON: the row of its task, and its definitions."""
        return json.dumps({"task": task_json(self.task), **self.definitions})


#: task -> its package, of the packages in use
IN_USE: dict[str, Installed] = {}

_left_out: dict[str, str] = {}


def is_installed(found: Installed) -> bool:
    """Return whether a package that a store or an archive recorded is installed here, in whatever version."""
    here = IN_USE.get(found.task.name)
    return here is not None and here.name == found.name and here.package is not None


@cache
def offered() -> dict[str, EntryPoint]:
    """Return the entry points of installed task packages by the name of their task; none is imported."""
    if os.environ.get(SWITCH, "").strip().lower() == "none":
        return {}
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in SHIPPED}


def use_task(task: str) -> bool:
    """Load the installed package of a task, if any; return whether the task is known then."""
    if task in SHIPPED or (task in IN_USE and IN_USE[task].package is not None):
        return True
    point = offered().get(task)
    if point is None or task in _left_out:
        return task in TASKS
    try:
        use(load(point))
    except Exception as error:  # whatever a package raises: the rest works without it
        said = _in_a_line(error).rstrip(".")
        _left_out[task] = f"{_called(point)}{' ' if said.startswith('is for') else ': '}{said}: left out"
        sys.stderr.write(f"{_left_out[task]}\n")
    return task in TASKS


def use_all() -> list[Installed]:
    """Load every installed package; returns those that can be used."""
    for task in offered():
        use_task(task)
    return [one for one in IN_USE.values() if one.package is not None]


def left_out() -> list[str]:
    """Return a line for each package that could not be used."""
    return list(_left_out.values())


def _called(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _in_a_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, TdtsqlError) and text else f"{type(error).__name__}: {text}"


def load(point: EntryPoint) -> Installed:
    """Import the package of an entry point and check its definitions.

    Raises:
        BrokenDefinition: it is for other versions, or its definitions are not those of its lock.
    """
    if point.dist is not None:
        _check_version(point.dist.requires or [])
    name, version = (point.dist.name, point.dist.version) if point.dist else (point.name, "0")
    return read_package(name, version, point.load())


def read_package(name: str, version: str, package: TaskPackage) -> Installed:
    """Return a TaskPackage with its definitions.

    Raises:
        BrokenDefinition: they are not those of its lock.
    """
    root: Path = package.root
    if not (root / PACKAGE_FILE).is_file() or not (root / lock.FILE).is_file():
        raise BrokenDefinition(f"{root}: no {PACKAGE_FILE} or {lock.FILE}. Run `tdtsql task lock FOLDER`.")
    lock.check(root)
    definitions = json.loads((root / PACKAGE_FILE).read_text(encoding="utf-8"))
    keys = {**package.task.keys, **package.keys, **EXCLUDE}
    if odd := [kind for kind in (*keys.values(), *package.task.run_keys.values()) if kind not in KEY_KINDS]:
        raise BrokenDefinition(f"{name}: {odd[0]!r} is not a kind of value of a key. Known are {', '.join(KEY_KINDS)}.")
    # second judgments of a corpus are of its stories; other tasks have another condition with other files
    has_second = package.task.has_second_judgments and package.task.is_over_stories
    names = package.task.formats or tuple(package.loaded().formats)
    task = replace(package.task, keys=keys, formats=names, has_second_judgments=has_second)
    return Installed(name, root, definitions, version, task, replace(package, task=task))


def use(found: Installed) -> None:
    """Take a package in use: its task, its tables and its views."""
    check_names(found)
    TASKS[found.task.name] = found.task
    if found.package is not None:
        PACKAGES[found.task.name] = found.package
    IN_USE[found.task.name] = found
    use_package(found)


def forget() -> None:
    """Take all packages out of use; the next request looks for installed ones, as in a new process."""
    for task in IN_USE:
        del TASKS[task]
        PACKAGES.pop(task, None)
    IN_USE.clear()
    _left_out.clear()
    offered.cache_clear()
    forget_packages()


def stored(name: str, version: str, text: str) -> Installed:
    """Return a package as a store recorded it: enough to show its numbers, not to read files or to compute."""
    definitions = json.loads(text)
    task = task_of(definitions.pop("task"))
    return Installed(name, Path("package", name, "sql"), definitions, version, task)


def check_names(found: Installed) -> None:
    """Raise BrokenDefinition for tables and views that a package may not have."""
    others = [one for one in IN_USE.values() if one.name != found.name]
    sets = (*others, shipped())
    said = {
        "package": found.name,
        "text": found.text,
        "tasks": [*((task, "tdtsql") for task in SHIPPED), *((one.task.name, one.name) for one in others)],
        "known": [
            (name, one.name) for one in sets for part in ("tables", "relations") for name in one.definitions[part]
        ],
        "derived": list(shipped().derived),
    }
    for [message] in rows_in_memory(read_statement("verify/package_name"), said):
        raise BrokenDefinition(message)


def _check_version(requires: list[str]) -> None:
    """Raise BrokenDefinition where the requirement on tdtsql is not met by this version."""
    from packaging.requirements import Requirement  # not above: most commands use no package

    for text in requires:
        requirement = Requirement(text)
        if requirement.name.lower() == "tdtsql" and not requirement.specifier.contains(__version__, prereleases=True):
            raise BrokenDefinition(f"is for tdtsql {requirement.specifier}, and this is {__version__}")


def task_json(task: Task) -> dict[str, Any]:
    """Return the row of a task as JSON has it."""
    return {one.name: getattr(task, one.name) for one in fields(Task) if one.name not in ("required", "choices")}


def task_of(row: Mapping[str, Any]) -> Task:
    """Return a task of ``task_json``."""
    known = {one.name for one in fields(Task)}
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.items() if name in known
    }
    return Task(**values)


FINDERS.append(use_task)
