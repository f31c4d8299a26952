"""Runs as files of decisions: tidy tables (CSV, TSV, Parquet, columns given in Python), run files of TREC, lines of
docnos.

Where a file is clean the engine numbers its rows itself, at its speed, and no row becomes an object of Python. Anything
unusual in it sends it to its line reader, which says exactly what and where. Both ways store the same decisions.

Code   Meaning
E820   a topic of a run that the condition does not have
W820   a topic of a run that the condition does not have, where the user chose to ignore such lines
E829   one decision in two files of a run
W836   a run without decisions
W862   topics without a decision of a run
E865   one document repeated for one topic in two files of a run
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import counted, is_name, verb
from tdtsql.intake.clean_table import CleanTable, clean_table, clean_text, id_sql, number_sql, word_sql
from tdtsql.files.frame import Frame, read_by_engine
from tdtsql.files.find import Inputs
from tdtsql.intake.tidy_input import read_tidy_file
from tdtsql.loading.decisions import (
    DecisionRows,
    Numbering,
    SayMissing,
    decision_rows,
    of_run,
    topic_numbering,
    write_decisions,
)
from tdtsql.loading.plan import (
    PendingRun,
    Source,
    StoredCondition,
    drop_tables,
    has_columns,
    make_table,
    runs_of_rows,
)
from tdtsql.reader.decision import Output
from tdtsql.reader.scan import FLAGS
from tdtsql.reader.tidy import FORMS
from tdtsql.reader.trec import MOST_PLACES
from tdtsql.reader.trec_run import read_trec_run
from tdtsql.tasks.declaration import RunFormat

#: maximum bits in memory for the detection of duplicate trials
_MOST_BITS = 1 << 31
#: of the table of decisions, with their types
_COLUMNS = {
    "file_no": "integer",
    "run_id": "varchar",
    "block_no": "integer",
    "trial_no": "integer",
    "document": "varchar",
    "is_yes": "boolean",
    "score": "double",
    "place": "bigint",
}

#: reports further problems of a run: condition, where to say it, its rows, SQL that is true of them, the file to name
Check = Callable[[StoredCondition, Inputs, DecisionRows, str, str], None]


class CleanFile(NamedTuple):
    """A file that looks clean."""

    table: CleanTable
    values: str  #: SQL of run_id, the ids of trials, is_yes and score, from its columns
    has_runs: bool = False  #: the rows name their runs
    has_decisions: bool = True
    where: str = "true"  #: SQL of the rows that are decisions
    topic_id: str | None = None  #: of all rows, where columns do not say it


@dataclass(frozen=True, slots=True)
class DecisionFormat:
    """How files of decisions are read."""

    ids: tuple[str, ...]  #: what names a trial
    kind: str  #: of file
    is_in_order: bool  #: runs are numbered in the order in which files name them; else by name
    clean: Callable[[Engine, Inputs, str, Any], CleanFile | None]  #: of a name and a path or frame
    #: adds the rows of a file that the line reader reads; returns the names of its runs
    read: Callable[[Engine, Inputs, DecisionRows, str, Any], Sequence[str | None]]
    numbering: Callable[[StoredCondition], Numbering]
    say_missing: SayMissing | None = None
    check: Check = lambda *_: None  #: of a run that the line reader read
    #: code, message and advice on decisions that are in two files of a run
    repeated: tuple[str, str, str] = (
        "E829",
        "{decisions} of {run} {are} also in another of its files, the first in {path}",
        "Keep each in one file.",
    )
    #: name of an official file -> its header, which ``clean`` and ``read`` add: its system names the run; None: rows do
    headers: Mapping[str, Output] | None = None


def read_decisions(
    form: DecisionFormat, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the runs of files."""
    engine, rows, numbering = target.engine, decision_rows(target.engine, *form.ids), form.numbering(target)
    clean, absent = parse_clean(form, target, inputs, files, numbering)
    decided = _with_absent(absent)
    own: dict[str | None, list[str]] = {}  #: run -> its files
    slow: list[int] = []
    for file_no, (given, source) in enumerate(files):
        if file_no not in clean:
            slow.append(file_no)
            runs = form.read(engine, inputs, rows, given, source)
        else:
            runs = clean[file_no]
            if isinstance(source, Path):
                inputs.note(given, source, form.kind)
        found = list(dict.fromkeys(runs))
        for run in found if form.is_in_order else sorted(found, key=lambda run: run or ""):
            own.setdefault(run, []).append(given)
    if rows.paths:
        rows.number(target, inputs, numbering)
        names = ", ".join(name for name in _COLUMNS if name != "file_no" and name not in absent)
        engine.execute(f"""
            insert into decided by name
            select list_extract({slow}, 1 + {rows.file_sql}) as file_no, {names} from {rows.relation()}""")
    pending = runs_of_rows(engine, rows.table, rows)
    for name, named in own.items():
        if len(named) > 1 and (name is None or run_id is not None):  # else a run in two files is a separate error
            _say_repeated(form, target, inputs, name, [path for path, _ in files], decided)
        if rows.paths:
            form.check(target, inputs, rows, of_run(name), named[0])
        relation = f"(select block_no, trial_no, document, is_yes, score from {decided} where {of_run(name)})"
        say_disjoint = partial(rows.say_disjoint, target, inputs, of_run(name), relation)
        write = partial(write_decisions, target, inputs, named[0], relation, say_disjoint, form.say_missing)
        loaded = pending(name, write)
        if name is not None:
            loaded.files = named
        if form.headers is not None:
            systems = [form.headers[given].system for given, _ in files if given in form.headers]
            loaded.system = next(filter(None, systems), None)
            loaded.name = run_id or loaded.system or "run"
        yield loaded
    drop_tables(engine, "decided", rows.table)


def parse_clean(
    form: DecisionFormat, target: StoredCondition, inputs: Inputs, files: Sequence[Source], numbering: Numbering
) -> tuple[dict[int, list[str | None]], set[str]]:
    """Create the table ``decided`` with the rows of the clean ones among files, numbered by the engine.

    Returns:
        Index of file -> its runs; the columns that the table does not have, which are NULL in every row.
    """
    engine = target.engine
    found = {file_no: form.clean(engine, inputs, given, source) for file_no, (given, source) in enumerate(files)}
    clean = {file_no: file for file_no, file in found.items() if file is not None and file.table.n_row != 0}
    has_runs = len(clean) < len(files) or any(file.has_runs for file in clean.values())
    is_placed = numbering.n_trial is not None or form.is_in_order and has_runs
    is_there = {"run_id": has_runs, "document": numbering.document != "null", "place": is_placed}
    absent = {name for name, there in is_there.items() if not there}
    decided = _with_absent(absent)
    make_table(engine, "decided", [f"{name} {kind}" for name, kind in _COLUMNS.items() if name not in absent])
    if not clean or numbering.n_trial is not None and len(clean) < len(files):
        return {}, absent
    place = "row_number() over ()" if is_placed else "0"  # before the joins, which may reorder the rows
    names = ", ".join(name for name in _COLUMNS if name not in absent | {"document"})
    document = "" if "document" in absent else f", {numbering.document} as document"
    with engine.joining_files(), read_by_engine():  # files were tried before
        engine.execute(f"""
            insert into decided by name
            select {names}{document}
            from (
                select line.*, {numbering.block_no} as block_no, {numbering.trial_no} as trial_no
                from (select *, {place} as place from ({_rows_of(clean)})) as line {numbering.joins})""")
    [[last_trial, n_group]] = engine.rows(
        "select greatest(coalesce(max(trial_no), 1), 1), approx_count_distinct((file_no, run_id, block_no)) "
        f"from {decided}"
    )
    # a bit for each trial of each block of each run, where these are not too many
    n_trial = (
        f"coalesce(bit_count(bitstring_agg(trial_no, 1, {last_trial})), 0)"
        if n_group * last_trial < _MOST_BITS
        else "count(distinct trial_no)"
    )
    decisions = ", ".join(str(file_no) for file_no, file in clean.items() if file.has_decisions) or "null"
    read = engine.rows(f"""
        select file_no, sum(n_row), sum(n_odd) + sum(n_row - n_trial), list(run_id order by first_place)
        from (
            select file_no, run_id, block_no, count(*) as n_row, min(place) as first_place,
                {n_trial} + {"count(distinct document)" if document else "0"} as n_trial,
                count(*) filter (
                    block_no is null or trial_no is null and document is null
                    or document is not null and not regexp_full_match(document, '[!-~]([ -~]*[!-~])?')
                    or is_yes is null and file_no in ({decisions})
                    or score is null or isnan(score) or abs(score) > 9e99) as n_odd
            from {decided} group by file_no, run_id, block_no)
        group by file_no""")
    runs = {
        file_no: names
        for file_no, n_row, n_odd, names in read
        if not n_odd and clean[file_no].table.n_row in (None, n_row) and _are_names(names, clean[file_no].has_runs)
    }
    if numbering.n_trial is not None and engine.rows(f"""
            select 1 from {decided} group by run_id having count(*) <> {numbering.n_trial}
                or min(place - trial_no) <> max(place - trial_no) limit 1"""):
        runs = {}
    if numbering.n_trial is not None and len(runs) < len(files):
        runs = {}
    if odd := clean.keys() - runs.keys():
        engine.execute(f"delete from decided where file_no in ({', '.join(map(str, odd))})")
    return runs, absent


def _with_absent(absent: Iterable[str]) -> str:
    """Return the table ``decided`` with the columns that it does not have."""
    nulls = "".join(f", cast(null as {_COLUMNS[name]}) as {name}" for name in sorted(absent))
    return f"(select *{nulls} from decided)"


def _rows_of(clean: Mapping[int, CleanFile]) -> str:
    """Return a query of the rows of files; files of one form are one list to the engine, which reads them at once."""
    alike: dict[Hashable, dict[int, CleanFile]] = {}
    for file_no, file in clean.items():
        is_topic = file.topic_id is not None
        alike.setdefault((file.table.form, file.values, file.where, is_topic), {})[file_no] = file
    queries = []
    for files in alike.values():
        first = next(iter(files.values()))
        paths = [file.table.path for file in files.values() if file.table.path]
        number = "1 + cast(file_index as integer)" if paths else "1"
        listed = ", ".join(sql_literal(file.topic_id) for file in files.values())
        topics = "" if first.topic_id is None else f"list_extract([{listed}], {number}) as topic_id, "
        queries.append(
            f"select list_extract({list(files)}, {number}) as file_no, {topics}{first.values} "
            f"from {first.table.sql_of(paths)} as given where {first.where}"
        )
    return " union all by name ".join(queries)


def _are_names(names: Sequence[str | None], has_runs: bool) -> bool:
    """Return whether the runs of a file have names that the line reader accepts, or none has."""
    if not has_runs:
        return True
    return all(is_name(name) for name in names)


def _say_repeated(
    form: DecisionFormat,
    target: StoredCondition,
    inputs: Inputs,
    name: str | None,
    files: Sequence[str],
    decided: str,
) -> None:
    """Report decisions of a run that two of its files have; the readers find those of one file."""
    for block_no, numbers, n_twice in target.engine.rows(f"""
            select block_no, list(distinct file_no order by file_no), count(*) over ()
            from {decided} where {of_run(name)} and block_no in (
                select block_no from {decided} where {of_run(name)} group by all having min(file_no) < max(file_no))
            group by block_no, trial_no, document having count(*) > 1
            order by block_no, trial_no, document limit 1"""):
        code, message, advice = form.repeated
        run = "the run" if name is None else f"run '{name}'"
        topic = next((f"topic {topic}" for topic, number in target.block_no.items() if number == block_no), None)
        said = message.format(
            decisions=counted(n_twice, "decision"),
            documents=counted(n_twice, "document"),
            are=verb(n_twice, "are"),
            run=run,
            path=files[numbers[0]],
        )
        inputs.add(code, files[numbers[-1]], said, advice, value=topic, run=name)


def say_missing_topics(target: StoredCondition, run_no: int, inputs: Inputs, given: str) -> None:
    """Warn of topics of which a run says nothing (W862)."""
    missing = target.engine.column(
        "select block_id from base.block where condition_no = ? and block_no not in (select block_no from "
        "base.decision where run_no = ?) order by block_id",
        [target.condition_no, run_no],
    )
    if 0 < len(missing) < len(target.block_no):  # a run that says nothing at all is W836
        inputs.add(
            "W862",
            given,
            f"{len(missing):,} of {counted(len(target.block_no), 'topic')} {verb(len(missing), 'have')} no "
            "document in the run",
            "They count as empty retrieved sets (missing_topic of the profile).",
            value=", ".join(missing),
        )


def clean_output(
    inputs: Inputs, given: str, path: Path, kind: str, fields: tuple[str, str], n_header: int
) -> CleanFile | None:
    """Return official output (two fields, decision, score between blanks) as the engine reads it; None where the reader
    has to look.

    Args:
        n_header: lines before the first decision.
    """
    names = (*fields, "decision", "score")
    table = clean_text(inputs, given, path, kind, " ", names=names, skip=n_header, odd=b"#\t")
    if table is None:
        return None
    is_yes = word_sql("decision", "VARCHAR", {"yes": True, "no": False})
    score = number_sql("score", "VARCHAR")
    return CleanFile(
        table, f"cast(null as varchar) as run_id, {', '.join(fields)}, {is_yes} as is_yes, {score} as score"
    )


# ---- tidy tables


def tidy_format(
    form: str,
    numbering: Callable[[StoredCondition], Numbering],
    say_missing: SayMissing | None = None,
    check: Check = lambda *_: None,
) -> RunFormat:
    """Return the format of tidy decisions of a form of `tdtsql.reader.tidy`: a run a run_id, which names it, unless the
    user does and it is the only one.
    """
    ids = tuple(name for name in FORMS[form].key if name != "run_id")
    clean, read = partial(_clean_tidy, form), partial(_read_tidy, form)
    tidy = DecisionFormat(ids, f"tidy {form}", True, clean, read, numbering, say_missing, check)
    return RunFormat(partial(read_decisions, tidy), "run_id", has_columns(*FORMS[form].required))


def _read_tidy(
    form: str, engine: Engine, inputs: Inputs, rows: DecisionRows, given: str, source: Path | Frame
) -> Sequence[str | None]:
    table = read_tidy_file(inputs, given, source, form)
    columns, absent = table.columns, [None] * len(table.lines)
    is_yes, runs = columns.get("decision") or absent, columns.get("run_id") or absent
    # a retrieved set without scores: yes before no
    scores = columns.get("score") or [float(said or 0) for said in is_yes]
    rows.insert(engine, given, table.lines, is_yes, scores, *(columns.get(name, ()) for name in rows.ids), runs=runs)
    if columns and "run_id" not in columns and not len(table.lines):
        inputs.add("W836", given, "the run has no decisions", "Every trial counts as no with the score -9e99.", 1)
        return [None]  # a system without output is still a run
    return runs


def _clean_tidy(form: str, engine: Engine, inputs: Inputs, given: str, source: Path | Frame) -> CleanFile | None:
    """Return a table as the engine reads it; None where the reader has to look: a column is missing or unknown, or of
    a type that only the reader accepts.
    """
    table, wanted = clean_table(engine, inputs, given, source, f"tidy {form}"), FORMS[form]
    kinds = wanted.required | wanted.optional
    if table is None or not wanted.required.keys() <= table.types.keys() <= kinds.keys():
        return None
    values = {name: _VALUES[kinds[name]](f"given.{name}", type_) for name, type_ in table.types.items()}
    if None in values.values():
        return None
    is_yes = values.pop("decision", "cast(null as boolean)")
    # a retrieved set without scores: yes before no
    selected = {"run_id": "null", "score": f"cast({is_yes} as double)", **values, "is_yes": is_yes}
    listed = ", ".join(f"{value} as {name}" for name, value in selected.items())
    return CleanFile(table, listed, "run_id" in table.types, "decision" in table.types)


#: kind of value of a form -> SQL of it from a column (its name, its type); None where the reader has to look
_VALUES: dict[str, Callable[[str, str], str | None]] = {
    "id": id_sql,
    "decision": partial(word_sql, words=FLAGS),
    "score": number_sql,
}


# ---- run files of TREC: documents that were retrieved, one run per tag

_TREC = "TREC run"


def trec_format(say_missing: SayMissing | None = None) -> RunFormat:
    """Return the format of TREC run files, whose first line a tidy header may look like."""

    def say(target: StoredCondition, run_no: int, inputs: Inputs, given: str) -> None:
        say_missing_topics(target, run_no, inputs, given)
        if say_missing is not None:
            say_missing(target, run_no, inputs, given)

    trec = DecisionFormat(
        ("topic_id", "story_id"),
        _TREC,
        False,
        _clean_trec,
        _read_trec,
        _trec_numbering,
        say,
        repeated=(
            "E865",
            "{documents} of {run} {are} repeated for one topic in another of its files, {path}",
            "Give each document once, or each run its own tag.",
        ),
    )
    return RunFormat(partial(read_decisions, trec), "tag", lambda first: len(first.split()) == 6 and "," not in first)


def _trec_numbering(target: StoredCondition) -> Numbering:
    """Return how lines get their numbers: the policies of the condition decide about topics and documents that the
    corpus does not have; lines on topics that the condition leaves out have no effect and are not reported.
    """
    advice = 'Correct the topic, add it to the topics, or give the condition unknown_topics = "ignore".'
    topic = "the run answers a topic that the corpus does not have", advice
    document = (
        "the run retrieved a document that the corpus does not have",
        "Correct the document, or add it to the document order.",
    )
    return topic_numbering(target, topic, document, MOST_PLACES)


def _read_trec(engine: Engine, inputs: Inputs, rows: DecisionRows, given: str, path: Path) -> Sequence[str | None]:
    table = inputs.read(given, path, _TREC, read_trec_run)
    is_yes = [True] * len(table.lines)
    rows.insert(engine, given, table.lines, is_yes, table.scores, table.topics, table.documents, runs=table.tags)
    return table.tags


def _clean_trec(engine: Engine, inputs: Inputs, given: str, path: Path) -> CleanFile | None:
    fields = ("topic_id", "iteration", "story_id", "place", "score", "run_id")
    table = clean_text(inputs, given, path, _TREC, " ", names=fields, odd=b"\t")
    if table is None:
        return None
    score = number_sql("score", "VARCHAR")
    values = f"run_id, topic_id, story_id, true as is_yes, {score} as score"
    return CleanFile(table, values, has_runs=True, where="not starts_with(topic_id, '#')")
