"""Checks of a task package, for `tdtsql task check` and for the tests of the package::

from tdtsql.testing import check_package

def test_the_package():
    assert not [problem for _, problems in check_package(".") for problem in problems]
"""

import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tdtsql.errors import BrokenDefinition, InvalidSetting, TdtsqlError, UnknownName
from tdtsql.definitions.sets import GROUP, IN_USE, Installed, offered, read_package, use, use_task
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import catalog, PACKAGE_FILE, published, read_statement
from tdtsql.engine.memory import rows_in_memory
from tdtsql.definitions.table import tables

#: the package that `tdtsql task new` writes, under the name of its task
_MODEL = "preference"
_NAME = re.compile(r"[a-z][a-z0-9]{1,30}")


def write_skeleton(name: str, folder: Path) -> None:
    """Write a package with a task called ``name`` into a folder, which must not exist.

    Raises:
        InvalidSetting: the name is not one of lower-case letters and digits, or the folder exists.
    """
    if not _NAME.fullmatch(name) or name in offered() or name in sys.stdlib_module_names or use_task(name):
        raise InvalidSetting(f"task '{name}': expected a new name of lower-case letters and digits, beginning with a "
                             f"letter.")  # fmt: skip
    if folder.exists():
        raise InvalidSetting(f"{folder} exists. Name another folder with --to.")
    package = Path(__file__).resolve().parent  # of an installation, or a checkout
    model = next(path for path in (package / "task_model", package.parent / "fixtures" / "task") if path.is_dir())
    for path in sorted(model.rglob("*")):
        relative = path.relative_to(model).as_posix()
        if path.is_file() and "__pycache__" not in relative:
            target = folder / relative.replace(_MODEL, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(path.read_text(encoding="utf-8").replace(_MODEL, name), encoding="utf-8")
    lock_folder(folder)


def lock_folder(folder: Path) -> tuple[Path, list[lock.Mismatch]]:
    """Compile the definitions of a package and write its lock; returns their folder, and what stays as released.

    Raises:
        UnknownName: the folder has no pyproject.toml with the entry point.
        BrokenDefinition: a view or table is not as it must be.
    """
    root = _root(folder)
    path = root / PACKAGE_FILE
    before = path.read_bytes() if path.is_file() else None
    if before is None:
        path.write_text("{}", encoding="utf-8")  # marks the root as that of a package
    try:
        from tdtsql.build.lock import write  # needs sqlglot

        return root, write(root)
    except BaseException:
        path.unlink() if before is None else path.write_bytes(before)
        raise


def _project(folder: Path) -> tuple[str, str, EntryPoint]:
    """Return distribution, version and entry point of a package's pyproject.toml."""
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        [(task, value)] = project["entry-points"][GROUP].items()
        return project["name"], project["version"], EntryPoint(task, value, GROUP)
    except (OSError, KeyError, ValueError, AttributeError) as error:
        raise UnknownName(
            f"{folder}/pyproject.toml has no name, version and one entry point of {GROUP} ({error}). Write "
            f'[project.entry-points."{GROUP}"] TASK = "module:PACKAGE".'
        ) from None


def _source(folder: Path) -> Path:
    """Return the folder from which the package is imported."""
    return folder / "src" if (folder / "src").is_dir() else folder


def _root(folder: Path) -> Path:
    place = _source(folder) / _project(folder)[2].module.replace(".", "/")
    for root in (place / "sql", place.parent / "sql"):
        if root.is_dir():
            return root
    raise UnknownName(f"{place}/sql does not exist. The SQL of a package is next to its module.")


def _load(place: str) -> tuple[Installed, Path]:
    """Return a package, in use, and its folder."""
    folder = Path(place)
    if not folder.is_dir():
        if place not in offered():
            raise UnknownName(f"{place}: neither a folder nor an installed task ({', '.join(offered()) or 'none'}).")
        if not use_task(place) or IN_USE[place].package is None:
            raise BrokenDefinition(f"{offered()[place].value} cannot be used.")
        return IN_USE[place], IN_USE[place].root.parents[2]
    name, version, point = _project(folder)
    source = str(_source(folder).resolve())
    if source not in sys.path:
        sys.path.insert(0, source)
    found = read_package(name, version, point.load())
    if found.task.name != point.name:
        raise BrokenDefinition(f"{name}: the entry point is called {point.name}, and its task {found.task.name}.")
    use(found)
    return found, folder


def check_package(place: str | Path) -> Iterator[tuple[str, list[str]]]:
    """Yield (what is checked, problems) of a task package.

    Args:
        place: the folder of its pyproject.toml, or the name of an installed task.
    """
    try:
        found, folder = _load(str(place))
    except (TdtsqlError, ImportError, AttributeError) as error:
        yield "the package loads, and its definitions are those of its lock", [str(error)]
        return
    yield "the package loads, and its definitions are those of its lock", []
    known: dict[str, Any] = {"run_tables": [name for name, table in tables().items() if "run_no" in table.columns]}
    known["published"] = [one.metric for view in published(found.task.name) for one in view.header.metrics]
    odd = rows_in_memory(read_statement("verify/package_contract"), known | {"text": found.text})
    broken = {part: [message for what, message in odd if what == part] for part in ("views", "profiles")}
    yield "columns of views have comments, units and one grain; numbers are published", broken["views"]
    yield "views can be written for PostgreSQL and Spark, or their headers say why not", list(_portable(found))
    yield "saved queries have headers", list(_queries(found))
    yield "profiles name their source", broken["profiles"]
    bundle = folder / "example" / "bundle.toml"
    if not bundle.is_file():
        yield "an example is evaluated", [f"{bundle} does not exist; of a wheel, name the folder of its pyproject.toml"]
        return
    with TemporaryDirectory(prefix="tdtsql-task-") as made:
        yield from _evaluated(found, bundle, Path(made))


def _queries(found: Installed) -> Iterator[str]:
    from tdtsql.show.section import FOLDER, questions, read_saved_query

    for path in sorted((found.root / FOLDER).glob("*.sql")):
        with _tried() as said:
            read_saved_query(path)
        yield from said
        if not said and questions()[path.stem].path != path:
            yield f"{FOLDER}/{path.name}: there is another saved query of this name. Rename it."


def _portable(found: Installed) -> Iterator[str]:
    from tdtsql.build.dialect import dialect
    from tdtsql.build.render import portable_trees, render_tree

    names = [name for name, relation in found.relations.items() if not relation.header.only_duckdb]
    with _tried() as said:
        for name, tree in portable_trees(catalog(), names, tables()).items():
            for engine in ("postgres", "spark"):
                render_tree(catalog()[name], tree, dialect(engine))
    yield from said


def _evaluated(found: Installed, bundle: Path, folder: Path) -> Iterator[tuple[str, list[str]]]:
    from tdtsql.api import connect, evaluate
    from tdtsql.audit import archive
    from tdtsql.audit.invariants import audit
    from tdtsql.show.section import questions

    path = folder / "store.duckdb"
    with _tried() as said:
        evaluate(bundle, str(path)).close()
    yield "the example is evaluated", said
    if said:
        return
    with connect(str(path)) as store:
        store.refresh()
        [example] = store.engine.records(read_statement("verify/package_example"))
        yield "it has numbers", [] if example["n_number"] else ["no number of the example"]
        runs = example["runs"]
        with _tried() as said:
            if len(runs) > 1:
                store.compare(*runs[:2], condition=example["condition_id"], missing="common")
        yield "two runs are compared", said if len(runs) > 1 else ["the example has one run, expected two"]
        broken = [result for result in audit(store.engine) if result.n_bad]
        yield "no invariant is broken", [f"{one.name}: {one.title}: {one.first}" for one in broken]
        with _tried() as said:
            for question in questions().values():
                if question.path.is_relative_to(found.root):
                    examples = example | {"subset": "all", "run": runs[0], "metric": found.task.primary}
                    needed = [parameter for parameter in question.parameters if parameter.is_needed]
                    store.ask(question.name, **{one.name: examples.get(one.type, 1) for one in needed}).fetchall()
        yield "saved queries are answered", said
        with _tried() as said:
            archive.pack(store.engine, folder / "example.zip")
            archive.verify(folder / "example.zip")
        yield "it is archived, and every number of the archive computed again", said
    for title, change in _DAMAGES.items():
        yield f"refused with a location: {title}", list(_damaged(example["files"], bundle, folder, change))


@contextmanager
def _tried() -> Iterator[list[str]]:
    """Yield a list to which what goes wrong inside is added, as sentences."""
    said: list[str] = []
    try:
        yield said
    except TdtsqlError as error:
        said += str(error).splitlines()
    except Exception as error:
        said.append(f"{type(error).__name__}: {error}")


def _cut(text: str) -> str:
    *lines, last = text.splitlines(keepends=True)
    last = last.rstrip()
    fields = re.split(r"[,\t ]", last)
    return "".join(lines) + (fields[0] if len(fields) > 1 else last[: len(last) // 2])


_DAMAGES: dict[str, Callable[[str], str]] = {
    "a line cut": _cut,
    "an invalid value": lambda text: re.sub(r"[^,\t\n]+(\n?)$", r"\\x00?\1", text),
    "an empty file": lambda text: "",
}


def _damaged(names: Sequence[str], bundle: Path, folder: Path, change: Callable[[str], str]) -> Iterator[str]:
    """Yield what is wrong with how a package meets its files damaged, one file at a time."""
    from tdtsql.api import evaluate
    from tdtsql.engine.packed import opened

    for name in names:
        copy = folder / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(bundle.parent, copy)
        with opened(copy / name) as stream:
            text = stream.read().decode()
        (copy / name).write_text(change(text), encoding="utf-8")
        with _tried() as said:
            evaluate(copy / bundle.name, ":memory:").close()
            said.append("accepted")
        if not any(line.startswith(name) for line in said):
            yield f"{name}: {said[0]} (expected an error of this file)"
