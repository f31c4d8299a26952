"""Runs as tidy tables: CSV, TSV, Parquet, columns given in Python.

Where a table is clean the engine numbers its rows itself, at its speed, and no row becomes an object of Python.
Anything unusual in it sends it to the reader, which says exactly what and where. Both ways store the same decisions.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.intake.clean_table import clean_table, id_sql, number_sql, tried, word_sql
from tdtsql.intake.frame import Frame, read_by_engine
from tdtsql.intake.inputs import Inputs
from tdtsql.intake.tidy_input import read_tidy_file
from tdtsql.loading.decisions import DecisionRows, Numbering, SayMissing, decision_rows, of_run, relation_run
from tdtsql.loading.plan import PendingRun, RunReader, Source, StoredCondition, runs_of_rows
from tdtsql.reader.scan import FLAGS
from tdtsql.reader.tidy import FORMS

#: maximum bits in memory for the detection of duplicate trials
_MOST_BITS = 1 << 31

#: reports further problems of a run: condition, where to say it, its rows, SQL that is true of them, the file to name
Check = Callable[[StoredCondition, Inputs, DecisionRows, str, str], None]


def tidy_format(
    form: str,
    numbering_of: Callable[[StoredCondition], Numbering],
    say_missing: SayMissing | None = None,
    check: Check = lambda *_: None,
) -> RunReader:
    """Return the format of tidy decisions of a form of `tdtsql.reader.tidy`: a run a run_id, which names it, unless the
    user does and it is the only one.

    Args:
        check: reports further problems of a run that the line reader read.
    """

    def read(
        target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
    ) -> Iterator[PendingRun]:
        numbering = numbering_of(target)
        found = parse_clean_runs(target, inputs, files, form, numbering)
        if found is None:
            yield from _read_runs(target, inputs, files, form, numbering, run_id, say_missing, check)
            return
        for name, own in found.items():
            relation = f"(select *, null as document from parsed where {of_run(name)})"
            loaded = relation_run(target, inputs, own[0], name, relation, say_missing=say_missing)
            loaded.files = None if name is None else own
            yield loaded
        target.engine.execute("drop table parsed")

    return RunReader(read, "run_id")


def _read_runs(
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    form: str,
    numbering: Numbering,
    run_id: str | None,
    say_missing: SayMissing | None,
    check: Check,
) -> Iterator[PendingRun]:
    """Yield the runs of files that the line reader reads."""
    engine, ids = target.engine, [name for name in FORMS[form].key if name != "run_id"]
    rows = decision_rows(engine, *ids)
    names: dict[str | None, str] = {}  # run (None where nothing names it) -> its first file
    for given, source in files:
        table = read_tidy_file(inputs, given, source, form)
        columns, absent = table.columns, [None] * len(table.lines)
        if columns and "run_id" not in columns and not len(table.lines):
            names.setdefault(None, given)  # a system without output is still a run
            inputs.add("W836", given, "the run has no decisions", "Every trial counts as no with the score -9e99.", 1)
        is_yes, runs = columns.get("decision") or absent, columns.get("run_id") or absent
        # a retrieved set without scores: yes before no
        scores = columns.get("score") or [float(said or 0) for said in is_yes]
        rows.insert(engine, given, table.lines, is_yes, scores, *(columns.get(name, ()) for name in ids), runs=runs)
        for name in dict.fromkeys(runs):
            names.setdefault(name, given)
    rows.number(target, inputs, numbering)
    files_of_run = runs_of_rows(engine, rows.table, rows)
    for name, given in names.items():
        if len(files) > 1 and (name is None or run_id is not None):  # else a run in two files is a separate error
            _say_repeated(engine, inputs, rows, name)
        check(target, inputs, rows, of_run(name), given)
        loaded = rows.run(target, inputs, given, name, where=of_run(name), say_missing=say_missing)
        if name is not None:
            loaded.files, loaded.of_lines = files_of_run(name)
        yield loaded
    engine.execute(f"drop table {rows.table}")


def _say_repeated(engine: Engine, inputs: Inputs, rows: DecisionRows, name: str | None) -> None:
    """Report decisions of a run that two of its files have; the reader finds those of one file."""
    twice = engine.rows(f"""
        select place, first_place, count(*) over () from (
            select place, min(place) over (partition by block_no, trial_no, document) as first_place
            from {rows.table} where unknown is null and {of_run(name)})
        where place > first_place order by place limit 1""")
    for place, first_place, n_twice in twice:
        run = "the run" if name is None else f"run '{name}'"
        inputs.add(
            "E829",
            rows.at(place)[0],
            f"{n_twice} decisions of {run} are also in another of its files, the first in {rows.at(first_place)[0]}",
            "Keep each in one file.",
            run=name,
        )


# ---- the engine's way


def parse_clean_runs(
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    form: str,
    clean: Numbering,
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
