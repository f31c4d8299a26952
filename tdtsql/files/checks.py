"""Checks of what was read: a SQL file each, which selects the rows that break it, as those of ``sql/audit`` do.

The name of the file is the code. Its header has

    what:   what is wrong; may name columns of the query in braces
    advice: what to do (optional for warnings)
    field:  the field whose column is shown (optional; may name a column, too)
    value:  how the value is written (optional)
    most:   how many of a file are named one by one (optional)

The query returns file (number of the file), line, value and what the header names, and perhaps another ``code``; a
name that ends in ``_line`` is the number of a line; ``run`` is the run that a problem is of, ``at_column`` the column
in its line. Its parameters (``$name``) are those of the caller, NULL where it has none; ``$bit_FIELD`` is the bit of a
field in ``invalid``: ``invalid // $bit_FIELD % 2`` is 1 where its value is not valid. ``query_table($form)`` are the
rows, in checks of several forms.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import cached_definitions, load_file, sql_root
from tdtsql.definitions.header import read_fields
from tdtsql.errors import Problems
from tdtsql.files.find import Inputs
from tdtsql.files.kinds import written_out
from tdtsql.files.lines import Text, lines, texts_on
from tdtsql.files.text import is_readable

FIELDS = ("what", "title", "advice", "field", "value", "most")
REQUIRED = ("what",)


class Check(NamedTuple):
    """A check, or other SQL below ``sql/load``."""

    code: str
    what: str
    advice: str
    field: str
    value: str
    most: int | None
    query: str  #: with the macros of ``kinds.sql`` written out
    names: frozenset[str]  #: of its parameters


class Finding(NamedTuple):
    """A row that breaks a check."""

    code: str
    file: int
    line: int | None
    field: str  #: whose column is shown; empty: without
    message: str
    advice: str
    value: Any
    run: str | None = None  #: the run that it is of
    column: int | None = None  #: of a file whose rows say it
    n: int = 1  #: rows that it represents


@cached_definitions
def read_check(name: str) -> Check:
    """Return a check or other SQL below ``sql/load`` (`load_file`); a ``-`` and what follows do not belong to the
    code.
    """
    text = load_file(name).read_text(encoding="utf-8")
    fields, query = read_fields(text, f"sql/load/{name}.sql", FIELDS, REQUIRED if is_check(name) else ())
    query, most = written_out(query), fields.pop("most", "")
    said = {key: " ".join(fields.get(key, "").split()) for key in ("what", "advice", "field", "value")}
    code = name.rpartition("/")[2].partition("-")[0]
    return Check(
        code,
        most=int(most) if most else None,
        query=query,
        names=frozenset(re.findall(r"\$(\w+)", query)),
        **said,
    )


def execute(engine: Engine, name: str, parameters: Mapping[str, Any] | None = None, table: str = "") -> int:
    """Run the statements of a file below ``sql/load``; return how many rows they wrote, or the value of its query.

    Args:
        parameters: values by name; a statement takes those that it names, NULL for absent ones.
        table: temporary table that the rows of its one query make.
    """
    sql, given, n_row = read_check(name).query, parameters or {}, 0
    for one in engine.statements(f"create or replace temp table {table} as {sql}" if table else sql):
        n_row += engine.value(one.query, {key: given.get(key) for key in one.named_parameters} or None) or 0
    return n_row


def select(engine: Engine, name: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the query of a file below ``sql/load``, each as column -> value.

    Args:
        parameters: values by name; the query takes those that it names.
    """
    found = read_check(name)
    return engine.records(found.query, {name: parameters[name] for name in found.names} or None)


def drop_made(engine: Engine, *names: str) -> None:
    """Drop the temporary tables and views that the statements of files below ``sql/load`` make."""
    script = "\n".join(read_check(name).query for name in names)
    made = re.findall(r"^create or replace temp (table|view) (\w+)", script, re.MULTILINE)
    engine.execute_all(f"drop {kind} if exists {relation}" for kind, relation in dict.fromkeys(made))


def is_check(name: str) -> bool:
    """Return whether a file below ``sql/load`` is a check: a code is its name."""
    return re.search(r"[/:][EW]\d{3}[^/]*$", name) is not None


@cached_definitions
def named_checks(folder: str) -> list[str]:
    """Return the checks of a folder, errors first."""
    return sorted(f"{folder}/{path.stem}" for path in (sql_root() / "load" / folder).glob("[EW][0-9]*.sql"))


def findings(
    engine: Engine,
    name: str,
    parameters: Mapping[str, Any] | None = None,
    unit: Callable[[int], str] = lambda file: "line",
) -> list[Finding]:
    """Return the rows that break a check, in the order of files and lines.

    Args:
        parameters: of the query; others are left out, and absent ones are NULL.
        unit: what the rows of a file are counted in: lines, or rows.
    """
    check = read_check(name)
    given = {key: (parameters or {}).get(key) for key in check.names}
    limit, n_found = "", ""
    if check.most is not None:
        limit = f"qualify row_number() over (partition by file order by line) <= {check.most}"
        n_found = ", count(*) over (partition by file) as n_found"
    found = []
    rows = engine.records(f"select *{n_found} from ({check.query}) {limit}", given or None)
    # those without a line last
    for row in sorted(rows, key=lambda row: (row["file"], row["line"] is None, row["line"] or 0, row.get("run") or "")):
        file, line, value = row.pop("file"), row.pop("line"), row.pop("value")
        row |= {key: f"{unit(file)} {said}" for key, said in row.items() if key.endswith("_line")}
        message = check.what.format(value=value, **row)
        if check.most is not None and row["n_found"] > check.most:
            message += f" ({row['n_found']} such rows, of which {check.most} are named)"
        found.append(
            Finding(
                row.get("code", check.code),
                file,
                line,
                check.field.format(**row),
                message,
                check.advice.format(value=value, **row),
                check.value.format(value=value, **row) if check.value else value,
                row.get("run"),
                row.get("at_column"),
            )
        )
    return found


def broken(engine: Engine, checks: Sequence[str], parameters: Mapping[str, Any]) -> list[str]:
    """Return those of some checks that rows break, by one query: it is planned faster than one for each."""
    if len(checks) < 2:
        return list(checks)
    queries = [f"(select {number} from ({read_check(check).query}) limit 1)" for number, check in enumerate(checks)]
    known = {name: parameters.get(name) for check in checks for name in read_check(check).names}
    return [checks[number] for number in sorted(engine.column(" union all ".join(queries), known or None))]


def report(
    inputs: Inputs,
    paths: Sequence[str],
    engine: Engine,
    checks: str | Sequence[str],
    parameters: Mapping[str, Any],
    unit: Callable[[int], str] = lambda file: "line",
) -> list[Finding]:
    """Report the rows that break checks of files that were read, and return them; arguments as of `findings`."""
    rows = [
        found
        for check in broken(engine, [checks] if isinstance(checks, str) else checks, parameters)
        for found in findings(engine, check, parameters, unit)
    ]
    for found in rows:
        inputs.add(found.code, paths[found.file], found.message, found.advice, found.line, found.value, run=found.run)
    return rows


def report_all(
    engine: Engine,
    folder: str,
    files: Mapping[int, Problems],
    parameters: Mapping[str, Any] | None = None,
    texts: Collection[Text] = (),
    column_of: Callable[[Finding, str], int] | None = None,
) -> None:
    """Report the rows that break the checks of a folder, errors first; ``$readable`` are the files with a text,
    ``$sound`` those of them without an error so far.

    Args:
        files: number -> what is wrong with it.
        texts, column_of: the files, and what finds the column of a row in its line; by default the rows say it.
    """
    readable = [file for file, problems in files.items() if is_readable(problems)]
    for check in named_checks(folder):
        sound = [file for file in readable if not files[file].errors]
        rows = findings(engine, check, {**(parameters or {}), "readable": readable, "sound": sound})
        on = texts_on(
            engine,
            lines(engine, texts) if texts else "",
            {(found.file, found.line or 0) for found in rows if found.field},
        )
        for found in rows:
            column = column_of(found, on.get((found.file, found.line or 0), "")) if column_of else found.column
            files[found.file].add(found.code, found.message, found.advice, found.line, column, found.value)
