"""Runs as tidy tables: CSV, TSV, Parquet, columns given in Python.

Where a table is clean the engine numbers its rows itself, at its speed, and no row becomes an object of Python.
Anything unusual in it sends it to the reader, which says exactly what and where. Both ways store the same decisions.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.intake.clean_table import clean_table, id_sql, number_sql, tried, word_sql
from tdtsql.intake.frame import Frame, read_by_engine
from tdtsql.intake.inputs import Inputs
from tdtsql.intake.tidy_input import read_tidy_file
from tdtsql.loading.decisions import Decisions, SayMissing, decided_run, table_run
from tdtsql.loading.plan import PendingRun, Place, RunReader, Source, StoredCondition
from tdtsql.reader.scan import FLAGS
from tdtsql.reader.tidy import FORMS, TidyTable

#: maximum bits in memory for the detection of duplicate trials
_MOST_BITS = 1 << 31

#: numbers the rows of one table (its name in messages, its rows) and adds them to the decisions of its runs
NumberRows = Callable[[StoredCondition, Inputs, str, TidyTable, dict[str | None, Decisions]], None]


class CleanRows(NamedTuple):
    """How the engine numbers the rows of a clean table, called ``line``, of one condition."""

    block_no: str  #: SQL
    trial_no: str  #: SQL
    joins: str  #: SQL: what these come from; a row that finds nothing there has NULL and is not clean
    n_trial: int | None = None  #: a run decides on so many trials, in their order; None: on any, in any order


def tidy_format(
    form: str,
    number_rows: NumberRows,
    clean_rows: Callable[[StoredCondition], CleanRows],
    say_missing: SayMissing | None = None,
) -> RunReader:
    """Return the format of tidy decisions of a form of `tdtsql.reader.tidy`: a run a run_id, which names it, unless the
    user does and it is the only one.
    """

    def read(
        target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
    ) -> Iterator[PendingRun]:
        given = files[0][0]
        found = parse_clean_runs(target, inputs, files, form, clean_rows)
        if found is None:
            names: dict[str, tuple[Sequence[int], Sequence[str | None]]] = {}
            for name, decisions in _read_rows(target, inputs, files, form, number_rows, names, run_id).items():
                own = [path for path, (_, runs) in names.items() if name in runs]
                loaded = decided_run(target, inputs, (own or [given])[0], name, decisions, say_missing=say_missing)
                if name is not None:
                    loaded.files, loaded.of_lines = own, partial(_of_run, names, name)
                yield loaded
            return
        for name, own in found.items():
            where = "true" if name is None else f"decided.run_id = {sql_literal(name)}"
            loaded = table_run(target, inputs, own[0], name, "parsed", where, say_missing=say_missing)
            loaded.files = None if name is None else own
            yield loaded
        target.engine.execute("drop table parsed")

    return RunReader(read, "run_id")


def _of_run(
    names: Mapping[str, tuple[Sequence[int], Sequence[str | None]]], name: str, places: Collection[Place]
) -> Collection[Place]:
    """Return which of some places are lines of a run."""
    return {
        (path, line)
        for path, (lines, runs) in names.items()
        for line, run in zip(lines, runs, strict=False)
        if run == name and (path, line) in places
    }


def _read_rows(
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    form: str,
    number_rows: NumberRows,
    names: dict[str, tuple[Sequence[int], Sequence[str | None]]],
    run_id: str | None,
) -> dict[str | None, Decisions]:
    """Return run id (None where nothing names it) -> decisions; ``names`` gets the lines of each file and their
    runs.
    """
    runs: dict[str | None, Decisions] = {}
    ends: dict[str | None, list[tuple[int, str]]] = {}  # decisions of a run after each file
    for given, source in files:
        table = read_tidy_file(inputs, given, source, form)
        names[given] = (table.lines, table.columns.get("run_id") or [None] * len(table.lines))
        if table.columns and "run_id" not in table.columns and not len(table.lines):
            runs.setdefault(None, Decisions())  # a system without output is still a run
            inputs.add("W836", given, "the run has no decisions", "Every trial counts as no with the score -9e99.", 1)
        for name in dict.fromkeys(names[given][1]):
            runs.setdefault(name, Decisions())
        number_rows(target, inputs, given, table, runs)
        for name, decisions in runs.items():
            ends.setdefault(name, []).append((len(decisions.trial_no), given))
    for name, decisions in runs.items() if len(files) > 1 else ():  # the reader finds those of one file
        pairs = list(zip(decisions.block_no, decisions.trial_no, strict=True))
        n_twice = len(pairs) - len(set(pairs))
        if n_twice and (name is None or run_id is not None):  # otherwise a run in two files is a separate error
            first: dict[tuple[int, int], int] = {}
            rows = next((first[pair], row) for row, pair in enumerate(pairs) if first.setdefault(pair, row) != row)
            one, other = (next(given for end, given in ends[name] if row < end) for row in rows)
            run = "the run" if name is None else f"run '{name}'"
            inputs.add(
                "E829",
                other,
                f"{n_twice} decisions of {run} are also in another of its files, the first in {one}",
                "Keep each in one file.",
                run=name,
            )
    return runs


def decided_rows(table: TidyTable, *ids: str) -> Iterator[tuple]:
    """Yield (run or None, line, ids, decision or None, score) of the rows of a table of decisions."""
    columns, absent = table.columns, [None] * len(table.lines)
    if not all(name in columns for name in ids):
        return
    decided = columns.get("decision") or absent
    # a retrieved set without scores: yes before no
    scores = columns.get("score") or [float(is_yes or 0) for is_yes in decided]
    names = columns.get("run_id") or absent
    yield from zip(names, table.lines, *(columns[name] for name in ids), decided, scores, strict=True)


# ---- the engine's way


def parse_clean_runs(
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    form: str,
    clean_rows: Callable[[StoredCondition], CleanRows],
) -> dict[str | None, list[str]] | None:
    """Let the engine number the rows of clean tables in the temporary table ``parsed``; returns its runs with their
    files in their order.

    None if the fallback reader must read the files: then the table does not exist.
    """
    engine = target.engine
    found = [_clean_table(engine, given, source, inputs, form) for given, source in files]
    tables = [table for table in found if table is not None]
    if not tables or len(tables) < len(found):
        return None
    clean = clean_rows(target)
    has_names = any(table.has_names for table in tables)
    # numbered before the joins, which may give them in another order
    place = "row_number() over ()" if has_names or clean.n_trial is not None else "0"
    rows = " union all ".join(f"select {number} as file_no, {table.rows}" for number, table in enumerate(tables))
    of_files = has_names and len(files) > 1
    with read_by_engine():  # files were tried before
        engine.execute(f"""
            create or replace temp table parsed as
            select line.run_id, {clean.block_no} as block_no, {clean.trial_no} as trial_no, line.is_yes,
                line.has_decision, line.score, line.place{", line.file_no" if of_files else ""}
            from (select *, {place} as place from ({rows})) as line {clean.joins}""")
    [[last_trial, n_group]] = engine.rows(
        "select greatest(coalesce(max(trial_no), 1), 1), approx_count_distinct((run_id, block_no)) from parsed"
    )
    # a bit for each trial of each block of each run, where these are not too many
    n_trial = (
        f"bit_count(bitstring_agg(trial_no, 1, {last_trial}))"
        if n_group * last_trial < _MOST_BITS
        else "count(distinct trial_no)"
    )
    runs = engine.rows(f"""
        select run_id, sum(n_row), sum(n_odd), sum(n_trial), min(earliest), max(latest), bool_and(is_named)
        from (
            select run_id, block_no, count(*) as n_row, {n_trial} as n_trial,
                count(*) filter (block_no is null or trial_no is null or is_yes is null and has_decision
                    or score is null or isnan(score) or abs(score) > 9e99) as n_odd,
                min(place) as first_place, min(place - trial_no) as earliest, max(place - trial_no) as latest,
                    bool_and(run_id is not null) as is_named
            from parsed group by run_id, block_no)
        group by run_id order by min(first_place), run_id""")
    is_clean = len(runs) > 0 and all(
        n_row == n_trial and not n_odd and is_named == has_names for _, n_row, n_odd, n_trial, _, _, is_named in runs
    )
    is_clean &= all(name is None or (name and name == name.strip() and name.isprintable()) for name, *_ in runs)
    if clean.n_trial is not None:
        is_clean = is_clean and all(
            n_row == clean.n_trial and earliest == latest for _, n_row, _, _, earliest, latest, _ in runs
        )
    wanted = [table.n_row for table in tables if table.n_row is not None]
    if len(wanted) == len(tables):
        is_clean = is_clean and sum(wanted) == sum(row[1] for row in runs)
    if not is_clean:
        engine.execute("drop table parsed")
        return None
    inputs.files += [
        replace(inputs.digest(given, path, "")[0], kind=f"tidy {form}")
        for given, path in files
        if isinstance(path, Path)
    ]
    own = {name: [given for given, _ in files] for name, *_ in runs}
    if of_files:
        for name, numbers in engine.rows(
            "select run_id, list_sort(list(distinct file_no)) from parsed group by run_id"
        ):
            own[name] = [files[number][0] for number in numbers]
    return own


class _Table(NamedTuple):
    """A table that looks clean."""

    #: SQL after ``select``: the columns of the form, numbers and decisions as such, run_id NULL if the file has none
    rows: str
    n_row: int | None  #: expected number of rows; None: all existing rows
    has_names: bool


def _clean_table(engine: Engine, given: str, source: Path | Frame, inputs: Inputs, form: str) -> _Table | None:
    """Return a table as the engine reads it; None where the reader has to look."""
    found = clean_table(engine, inputs, given, source, f"tidy {form}")
    table = found and _table(form, found.types, found.sql, found.n_row)
    if table is None or isinstance(source, Frame):
        return table
    return (
        table if table.n_row and tried(engine, f"select count(columns(*)) from (select {table.rows})", source) else None
    )


def _table(form: str, types: dict[str, str], source: str, n_row: int | None) -> _Table | None:
    """Return a table with columns of these types; None if a column is missing or unknown, or has a type that only the
    reader accepts.
    """
    wanted = FORMS[form]
    if not wanted.required.keys() <= types.keys() <= wanted.required.keys() | wanted.optional.keys():
        return None
    selected = {"run_id": "null as run_id"}
    for name, kind in types.items():
        value = _VALUES[(wanted.required | wanted.optional)[name]](f"given.{name}", kind)
        if value is None:
            return None
        selected[name] = f"{value} as {'is_yes' if name == 'decision' else name}"
    selected["has_decision"] = f"{'true' if 'decision' in types else 'false'} as has_decision"
    if "decision" not in types:
        selected["decision"] = "cast(null as boolean) as is_yes"
    if "score" not in types:  # a retrieved set without scores: yes before no
        selected["score"] = f"cast({selected['decision'].removesuffix(' as is_yes')} as double) as score"
    return _Table(
        f"{', '.join(selected[name] for name in sorted(selected))} from {source} as given", n_row, "run_id" in types
    )


#: kind of value of a form -> SQL of it from a column (its name, its type); None where the reader has to look
_VALUES: dict[str, Callable[[str, str], str | None]] = {
    "id": id_sql,
    "decision": partial(word_sql, words=FLAGS),
    "score": number_sql,
}
