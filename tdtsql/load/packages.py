"""Conditions and runs of task packages: files by their forms, then the SQL files of the package (`tdtsql.package`).

Code   Meaning
E720   a condition without a file that its task needs
E849   a file that the task package cannot read, or rows of the package that cannot be stored
E964   an unknown name in group, cluster, weight or attributes; an invalid name of an attribute; too many attributes
W964   an attribute with too many values for subsets
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import duckdb

from tdtsql.definitions.catalogue import load_file
from tdtsql.definitions.sets import IN_USE, Installed
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import InvalidInput
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs
from tdtsql.files.rows import Form, Rows
from tdtsql.files.table import read_table
from tdtsql.load.plan import IF_SOUND, ConditionSpec, RunSpec, Source, StoredCondition, files_of_runs
from tdtsql.load.trials import ATTRIBUTE_NAME, is_attribute_name
from tdtsql.load.condition import Condition, left_out, needed_files
from tdtsql.load.corpus import Corpus
from tdtsql.store.derived import MOST_VALUES
from tdtsql.tasks.declaration import TaskPackage

#: kinds of keys whose values are files
FILE_KINDS = ("file", "files")


def with_engine(package: TaskPackage) -> TaskPackage:
    """Return a package with readers that fill its tables."""
    found = IN_USE[package.task.name]
    formats = {
        name: replace(format_, read=partial(_read_runs, found, name, format_.read))
        for name, format_ in package.formats.items()
    }
    return replace(package, read_plan=partial(_read_plan, found), run_formats=formats)


@contextmanager
def _told(found: Installed, inputs: Inputs, where: str) -> Iterator[None]:
    """Report what the SQL or a function of a package does wrong (E849)."""
    try:
        yield
    except duckdb.Error as error:
        said = f"{found.name} {found.version} gives rows that cannot be stored ({first_line(error)})"
        inputs.add("E849", where, said, "Tell its authors.")
        raise InvalidInput(inputs.problems) from error  # the transaction is aborted


def _checks(found: Installed, of: str) -> list[str]:
    """Return the names of the checks of conditions or of runs."""
    return [f"{found.name}:{of}/{path.stem}" for path in sorted((found.root / "load" / of).glob("*.sql"))]


# ---- conditions


class _Spec(ConditionSpec):
    """A condition that SQL files of a package store."""

    def write(self, engine: Engine, condition_no: int) -> None:
        with _told(IN_USE[self.parameters["task"]], self.inputs, f"condition '{self.parameters['id']}'"):
            super().write(engine, condition_no)


def _read_plan(found: Installed, engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the files of a condition; the corpus has nothing for it."""
    spec, inputs, paths = condition.spec, condition.inputs, list[str]()
    where, of_package = f"condition '{spec['id']}'", found.name
    plan = _Spec(steps=[IF_SOUND, "package/condition", f"{of_package}:condition"], inputs=inputs)
    for key, form in found.package.forms.items() if found.package else ():
        files = needed_files(condition, key) if form.needs_rows or key in spec else []
        rows = _read(found, engine, inputs, form, files, f"{condition.task}: {key}")
        plan.tables[f"{key}_row"] = rows.keep(inputs)
        paths = paths or [given for given, _ in files]
    plan.parameters = {**dict.fromkeys(found.task.keys), **spec, "excluded": [], "most": MOST_VALUES}
    plan.show(engine)
    with _told(found, inputs, where):
        execute(engine, f"{of_package}:block", plan.parameters, "package_block")
        attribute = f"{of_package}:attribute"
        execute(
            engine,
            attribute if load_file(attribute).is_file() else "package/attribute",
            plan.parameters,
            "package_attribute",
        )
        for check in () if inputs.has_errors else _checks(found, "condition"):
            report(inputs, paths or [where], engine, check, plan.parameters)
    blocks = engine.column("select block_id from package_block order by 1")
    if not inputs.has_errors and (not blocks or len(set(blocks)) < len(blocks)):
        said = "two blocks have the same id" if blocks else "nothing counts: it has no block"
        inputs.add("E871", where, said, "Correct its files.")
    for name in engine.column("select distinct attribute from package_attribute order by 1"):
        if not is_attribute_name(name):
            said, advice = f"an attribute needs {ATTRIBUTE_NAME}", "Name it otherwise in attribute.sql of the package."
            inputs.add("E964", where, said, advice, value=name)
    report(inputs, [where], engine, "package/W964", plan.parameters)
    excluded = left_out(condition, blocks)
    plan.parameters["excluded"] = sorted(excluded)
    plan.names = [block for block in blocks if block not in excluded]
    plan.keep(engine, "package_block", "package_attribute")
    return plan


def _read(found: Installed, engine: Engine, inputs: Inputs, form: Form, files: Sequence[Source], kind: str) -> Rows:
    """Return the rows of files; what a function of the package raises is an error of its files (E849)."""
    try:
        return read_table(engine, inputs, form, files, kind)
    except (InvalidInput, duckdb.Error):
        raise
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        advice = "The file may be damaged; tell the authors of the package."
        inputs.add("E849", files[0][0], f"{found.name} {found.version} cannot read it ({said})", advice)
        return read_table(engine, inputs, form, [], kind)


# ---- runs


@dataclass(slots=True, kw_only=True)
class _Runs(RunSpec):
    """Runs that SQL files of a package store, one after the other, from ``run_row``."""

    package: Installed
    table: str  #: of their rows

    def write(self, engine: Engine, condition_no: int) -> None:
        execute(engine, "package/block", {"condition": condition_no}, "block")
        has_blocks = engine.value("select count(block_no) from block")  # a condition without blocks has errors
        for run_no, name in engine.rows("select run_no, run_id from new_run order by run_no"):
            own = {**self.parameters, "condition": condition_no, "run": run_no}
            where = f"where run_id is not distinct from {sql_literal(name) if name else 'null'}" if self.rows else ""
            engine.execute(f"create or replace temp table run_row as from {self.table} {where}")
            with _told(self.package, self.inputs, self.paths[0]):
                for check in _checks(self.package, "run") if has_blocks and not self.inputs.has_errors else ():
                    report(self.inputs, self.paths, engine, check, own)
                if not self.inputs.has_errors:
                    execute(engine, f"{self.package.name}:run", own)


def _read_runs(
    found: Installed,
    format_: str,
    form: Form,
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    run_id: str | None,
) -> RunSpec:
    """Return the runs of files in one format of a package: of a form with run_id those that it names."""
    paths = [given for given, _ in files]
    table = _read(found, target.engine, inputs, form, files, f"{found.task.name}: {format_}").table
    inputs.tables.append(table)
    is_named = "run_id" in form.fields
    return _Runs(
        steps=[],
        inputs=inputs,
        paths=paths,
        parameters={**dict.fromkeys(found.task.run_keys), **inputs.options},
        runs=files_of_runs(target.engine, paths, table) if is_named else {None: paths},
        rows=table if is_named else "",
        package=found,
        table=table,
    )
