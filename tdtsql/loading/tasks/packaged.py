"""Conditions and runs of a task whose readers take bytes and return rows: everything is numbered and stored here.

Code   Meaning
E849   a file that the task package cannot read, or rows of the package that cannot be stored
"""

import csv
import io
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import InvalidInput
from tdtsql import package as public
from tdtsql.definitions.sets import IN_USE, Installed
from tdtsql.files.find import Inputs
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus
from tdtsql.load.plan import (
    MOST_VALUES,
    ConditionSpec,
    PendingRun,
    Source,
    StoredCondition,
    WrittenSpec,
    by_column,
)
from tdtsql.definitions.table import Table
from tdtsql.files.text import plain_bytes
from tdtsql.tasks.declaration import TaskPackage

#: keys of every condition that are settings of the package as well
FILE_KINDS = ("file", "files")


def with_engine(package: TaskPackage) -> TaskPackage:
    """Return a package with readers that have the engine and call its own."""
    found = IN_USE[package.task.name]
    formats = {
        name: replace(format_, read=partial(_read_runs, found, name, format_.read))
        for name, format_ in package.formats.items()
    }
    return replace(package, read_plan=partial(_read_plan, found, package.read_plan), run_formats=formats)


def _read_plan(
    found: Installed, read: Callable[..., Any], engine: Engine, condition: Condition, corpus: Corpus
) -> ConditionSpec:
    """Read the files of a condition; every problem goes to ``condition.inputs``. The corpus has nothing for it."""
    inputs = condition.inputs
    files: dict[str, list[tuple[str, bytes]]] = {}
    for key, kind in found.task.keys.items():
        if kind in FILE_KINDS and key in condition.spec:
            resolved = inputs.resolve(condition.spec[key], key)
            files[key] = [
                (given, _content(inputs, given, path, f"{condition.task}: {key}")) for given, path in resolved
            ]
    given = public.Condition(condition.spec["id"], dict(condition.spec), files)
    seen = public.Inputs([file for every in files.values() for file in every])
    plan = _called(found, read, given, seen) or public.Plan([])
    inputs.problems += seen.found
    blocks = list(plan.blocks)
    if not seen.has_errors and not inputs.has_errors:
        if not blocks:
            inputs.add("E871", f"condition '{given.id}'", "nothing counts: it has no block", "Correct its files.")
        elif len(set(blocks)) < len(blocks):
            inputs.add("E871", f"condition '{given.id}'", "two blocks have the same id", "Correct its files.")

    excluded = left_out(condition, blocks)
    kept = [block for block in blocks if block not in excluded]
    where = f"condition '{given.id}'"
    members: dict[str, list[str]] = {}  #: subset -> its blocks
    for name, column in plan.attributes.items():
        if len(column) != len(blocks):
            said = f"{len(column)} values of attribute {name} for {len(blocks)} blocks"
            inputs.add("E849", where, f"{found.name} {found.version} gives {said}", "Tell its authors.")
        elif len(set(column)) > MOST_VALUES:
            advice = "Leave the attribute out, or group its values."
            inputs.add("W964", where, f"an attribute of {len(set(column))} values makes no subsets", advice, value=name)
        else:
            for block, value in sorted(zip(blocks, column, strict=True), key=lambda pair: str(pair[1])):
                if value is not None and block not in excluded:
                    members.setdefault(f"{name}={value}", []).append(block)

    def write(engine: Engine, condition_no: int) -> None:
        if inputs.has_errors:
            return
        numbers = {block: number for number, block in enumerate(kept, start=1)}
        for table, columns, rows in (
            ("base.block", "block_no block_id is_scored", [(number, block, 1) for block, number in numbers.items()]),
            (
                "base.subset",
                "subset_no kind subset",
                [(0, "all", "all"), *((number, "attribute", name) for number, name in enumerate(members, 1))],
            ),
            (
                "base.subset_cell",
                "subset_no block_no segment_no",
                [(subset_no, numbers[block], 0) for subset_no, own in enumerate(members.values(), 1) for block in own],
            ),
        ):
            engine.insert(table, {"condition_no": condition_no, **by_column(rows, *columns.split())})
        _write_rows(engine, found, plan.rows, "condition_no", condition_no, numbers, excluded, inputs, given.id)

    return WrittenSpec(kept, write, notes=list(plan.notes))


def as_csv(columns: Mapping[str, Sequence[Any]]) -> bytes:
    """Return columns given in Python as the CSV file that a package's reader takes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if value is None else value for value in row] for row in zip(*columns.values(), strict=True))
    return out.getvalue().encode()


def _called(found: Installed, read: Callable[..., Any], condition: Any, seen: Any) -> Any:
    """Return what a reader of a package returns; whatever it raises is an error of its first file (E849)."""
    try:
        return read(condition, seen)
    except Exception as error:
        if condition.has_errors:
            return None  # reported already
        where = seen.files[0][0] if seen.files else f"condition '{condition.id}'"
        said = " ".join(f"{type(error).__name__}: {error}".split())
        advice = "The file may be damaged; tell the authors of the package."
        seen.add("E849", where, f"{found.name} {found.version} cannot read it ({said})", advice=advice)
        return None


def _read_runs(
    found: Installed,
    format_: str,
    read: Callable[..., Iterator[Any]],
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    run_id: str | None,
) -> Iterator[PendingRun]:
    """Yield the runs of files in one format of a package."""
    contents = [
        (
            given,
            _content(inputs, given, path, f"{found.task.name}: {format_}")
            if isinstance(path, Path)
            else as_csv(path.columns()),
        )
        for given, path in files
    ]
    seen = public.Inputs(contents, options=inputs.options)
    excluded = set(
        target.engine.column(
            "select topic_id from registry.excluded_topic where condition_no = ?", [target.condition_no]
        )
    )
    condition = public.Condition(
        target.condition_id,
        {},
        {},
        [*target.block_no, *sorted(excluded)],
        lambda table: _rows(target, found, table),
        has_errors=not target.block_no,
    )
    runs = _called(found, lambda *given: list(read(*given)), condition, seen) or []
    inputs.problems += seen.found

    def write(run: Any, run_no: int) -> int:
        if inputs.has_errors:
            return 0
        numbers = target.block_no
        return _write_rows(target.engine, found, run.rows, "run_no", run_no, numbers, excluded, inputs, files[0][0])

    for run in runs:
        yield PendingRun(run.name, partial(write, run), files=run.files)


def _content(inputs: Inputs, given: str, path: Path, kind: str) -> bytes:
    """Return the content of a file, decompressed; it is recorded as an input of a kind that no file of tdtsql has."""
    return bytes(inputs.read(given, path, kind, plain_bytes) or b"")


def _rows(target: StoredCondition, found: Installed, table: str) -> list[tuple]:
    names = sql_identifiers([name for name in found.tables[table].columns if name != "condition_no"])
    return target.engine.rows(f"select {names} from {table} where condition_no = ? order by all", [target.condition_no])


def _write_rows(
    engine: Engine,
    found: Installed,
    rows: Any,
    owner: str,
    number: int,
    block_no: dict[str, int],
    excluded: set[str],
    inputs: Inputs,
    where: str,
) -> int:
    """Write rows into the tables of a package, without those of excluded blocks; returns how many. A fault of the
    package is an error (E849).
    """
    known = found.tables
    n_row = 0
    for table, columns in rows.items():
        said = _mistake(known, table, columns, owner, block_no.keys() | excluded)
        if said:
            inputs.add("E849", where, f"{found.name} {found.version} gives {said}", "Tell its authors.")
            continue
        chosen = [block not in excluded for block in columns.get("block_id", ())]
        values = {name: list(compress(column, chosen) if chosen else column) for name, column in columns.items()}
        if chosen:
            values["block_no"] = [block_no[block] for block in values.pop("block_id")]
        n_row += len(next(iter(values.values())))
        try:
            engine.insert(table, {owner: number, **values})
        except Exception as error:  # a constraint, or values that are not of the type of the column
            said = f"rows that {table} cannot have ({' '.join(str(error).splitlines()[:1])})"
            inputs.add("E849", where, f"{found.name} {found.version} gives {said}", "Tell its authors.")
            raise InvalidInput(inputs.problems) from error  # the transaction is aborted
    return n_row


def _mistake(known: dict[str, Table], table: str, columns: Any, owner: str, blocks: Collection[str]) -> str:
    """Return what is wrong with rows that a package gives; nothing where they can be written."""
    if table not in known or owner not in known[table].columns:
        return f"rows of {table}, which is not one of its tables with {owner}"
    names = {"block_no" if name == "block_id" else name for name in columns} | {owner}
    if names != set(known[table].columns):
        odd = sorted(names ^ set(known[table].columns))
        return f"rows of {table} without, or with unknown columns ({', '.join(odd)})"
    if len({len(column) for column in columns.values()}) > 1:
        return f"columns of {table} of different lengths"
    if unknown := [block for block in columns.get("block_id", ()) if block not in blocks]:
        return f"rows of {table} of block {unknown[0]!r}, which the condition does not have"
    return ""
