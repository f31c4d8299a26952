"""Temporal summarization into the base tables: judgments of a condition, then its runs.

Text turns into whole numbers here, once: ids get numbers, a span becomes the
interval of words that it covers (as defined by the metrics document and by the track's programs,
with offsets in bytes and in characters), a text its number of words.
The views then compute with integers only.

Code   Meaning
W520   a row of an event that has no nuggets
W521   a match of a nugget that the nuggets file does not have
W522   a match whose span ends after the end of the text
W523   a match of an update outside the pool
W524   an event without a match or without a nugget of importance above 0: the track's program stops there
W525   an event of the nuggets file that is not in the topics file
W526   a duplicate of a duplicate: followed one step only
W527   a tau, and no file of events that gives their start
E560   an event of a run that is not in the nuggets file
W560   an event of a run that is not in the nuggets file: left out, as the track's program does
W561   updates in no pool, whose length is unknown
W562   a run with fewer than three events: the program of 2013 prints no means
W563   an update that a run has several times
W564   events without an update of the run
W565   updates decided on outside their event's time span
E721   a tau that is not a whole number of seconds from 0
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import Problems, counted, none_of
from tdtsql.intake.clean_table import clean_text
from tdtsql.files.frame import Frame
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.intake.tidy_input import read_tidy_file
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus
from tdtsql.load.plan import (
    ConditionSpec,
    PendingRun,
    Source,
    StoredCondition,
    WrittenSpec,
    by_column,
    drop_tables,
    has_columns,
    make_table,
    runs_of_rows,
)
from tdtsql.loading.ts_files import read_rows, require, set_file_rules
from tdtsql.reader.matches import read_matches
from tdtsql.reader.nuggets import read_nuggets
from tdtsql.files.text import first_lines
from tdtsql.reader.tidy import FORMS
from tdtsql.reader.ts_duplicates import read_ts_duplicates
from tdtsql.reader.ts_rows import BARE_EVENT, FileRules, bare_event, text_of
from tdtsql.reader.ts_run import RunRow, read_ts_run
from tdtsql.reader.ts_tidy import tidy_events, tidy_matches, tidy_nuggets, tidy_run, tidy_updates
from tdtsql.reader.ts_topics import read_ts_topics
from tdtsql.reader.updates import read_updates
from tdtsql.tasks.declaration import RunFormat


@dataclass(frozen=True, slots=True)
class Loaded:
    """Data that the runs of a condition need."""

    condition_no: int
    rules: FileRules
    blocks: dict[str, int]  #: event key -> block


#: what the files of a condition hold: key of the bundle -> columns, as the readers return their rows
_COLUMNS = {
    "nuggets": "line bigint, event varchar, nugget varchar, time bigint, importance double, length bigint, "
    "n_word_blanks bigint, n_word bigint, text varchar",
    "updates": "line bigint, event varchar, update_id varchar, length bigint, duplicate varchar, "
    "n_word_blanks bigint, n_word bigint, raw varchar, text varchar",
    "matches": "line bigint, event varchar, update_id varchar, nugget varchar, span_start bigint, span_end bigint",
    "events": "event varchar, title varchar, start_time bigint, end_time bigint, kind varchar",
    "duplicates": "update_id varchar, other varchar",
}
#: columns of base.nugget_match -> first and last word of a span, as the track's programs count it and exactly, in bytes
#: and in characters
_WORDS = ("program_{}_bytes", "program_{}_chars", "exact_{}_bytes", "exact_{}_chars")


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the files that define a condition. E721: an impossible tau."""
    inputs, spec = condition.inputs, condition.spec
    rules = FileRules(set_file_rules(engine, condition))
    require(condition, "nuggets", "updates", "matches")

    def by_rules(reader: Callable) -> Callable:
        return lambda data, problems: reader(data, problems, rules)

    read: dict[str, list[tuple]] = {key: [] for key in _COLUMNS}
    for key, official, tidy in (
        ("events", read_ts_topics, tidy_events),
        ("nuggets", by_rules(read_nuggets), tidy_nuggets),
        ("updates", by_rules(read_updates), tidy_updates),
        ("matches", by_rules(read_matches), tidy_matches),
        ("duplicates", by_rules(read_ts_duplicates), None),
    ):
        for rows in read_rows(inputs, spec, key, official, tidy):
            read[key] = list(rows.items()) if key == "duplicates" else rows
    read["updates"] = [(*row, text_of(row[-1])) for row in read["updates"]]
    read["events"] = [row[:5] for row in read["events"]]
    where = f"condition '{spec['id']}'"
    problems = {key: Problems(spec.get(key, where)) for key in ("nuggets", "updates", "matches", "events")}
    judgments = Judgments(engine, engine.unused_name("ts"), rules, _taus(spec, inputs, where))
    judgments.number(read, problems)
    if not inputs.has_errors:
        for collector in problems.values():
            inputs.problems += collector.found
    names = engine.column(f"select event from {judgments.name}_block order by block_no")
    judgments.excluded = left_out(condition, names)
    return WrittenSpec([*names, str(rules.program)], judgments.write, lambda engine: judgments.discard())


def _taus(spec: Mapping, inputs: Inputs, where: str) -> list[int]:
    """Return the requested times. E721: one is not an integer number of seconds of 0 or more."""
    for tau in (taus := spec.get("tau", ())):
        if not (0 <= tau < 1e12 and tau == int(tau)):
            inputs.add(
                "E721",
                where,
                "a tau is not an integer number of seconds",
                "Count seconds from the start of the event, from 0.",
                value=tau,
            )
            return []
    return [int(tau) for tau in taus]


@dataclass(slots=True)
class Judgments:
    """Contents of the files of a summarization condition in temporary tables, whose names begin with ``name``; ids
    become numbers and spans intervals of words.

    Codes: W520 event without nuggets, W521 orphan match (unknown nugget), W522 span beyond the text, W523 match of an
    update outside the pool, W524 an event for which the track's program stops, W525 event outside the topics file, W526
    chain of duplicates, W527 tau without event times, E872 matches that have nothing in common with nuggets or updates.
    """

    engine: Engine
    name: str
    rules: FileRules
    taus: list[int]
    excluded: set[str] = field(default_factory=set)

    def number(self, read: Mapping[str, list[tuple]], problems: Mapping[str, Problems]) -> None:
        """Number the rows of files; report what does not fit together."""
        for key, columns in _COLUMNS.items():
            make_table(self.engine, f"{self.name}_{key}", columns.split(", "), read[key])
        judged = BARE_EVENT.format("event") if self.rules.program == "ts2015" else "event"
        self._make(
            "block",
            f"""
            select row_number() over (order by min(row_no)) as block_no, key, arg_min(event, row_no) as event,
                count(*) filter (importance > 0) as n_gain
            from (select row_number() over () as row_no, {judged} as key, * from {{name}}_nuggets) group by key""",
        )
        for key in ("nuggets", "updates", "matches"):
            self._make(
                key,
                f"""
                select row.*, block_no
                from (select row_number() over () as row_no, {judged} as key, * from {{name}}_{key}) as row
                left join {{name}}_block as block on block.key = row.key order by row_no""",
            )
        self._make(
            "nugget",
            """
            select row_number() over (order by nugget, block_no) as nugget_no, nugget, block_no
            from (select distinct nugget, block_no from {name}_nuggets)""",
        )
        # of a repeated update the last row counts
        self._make(
            "pool",
            """
            select * from {name}_updates where block_no is not null
            qualify row_number() over (partition by block_no, update_id order by row_no desc) = 1""",
        )
        self._make(
            "update",
            """
            select row_number() over (order by update_id, block_no) as update_no, *
            from (
                select block_no, update_id from {name}_pool
                union select block_no, update_id from {name}_matches where block_no is not null
                union select block_no, twin.update_id from {name}_duplicates as twin
                    join {name}_pool as pool on pool.update_id = twin.other)""",
        )
        self._make(
            "known",
            """
            select known.block_no, known.update_no, known.update_id, pool.line, pool.length, pool.n_word_blanks,
                pool.n_word, pool.text, cast(pool.update_id is not null as integer) as is_pooled,
                coalesce(first.update_no, 0) as duplicate_no, source.duplicate <> '' as is_chain,
                case when pool.update_id is null and same.update_id is not null then twin_no.update_no else 0 end as
                    twin_no
            from {name}_update as known
            left join {name}_pool as pool on pool.block_no = known.block_no and pool.update_id = known.update_id
            left join {name}_pool as source on source.block_no = known.block_no and source.update_id = pool.duplicate
            left join {name}_update as first on first.block_no = source.block_no and first.update_id = source.update_id
            left join {name}_duplicates as twin on twin.update_id = known.update_id
            left join {name}_pool as same on same.block_no = known.block_no and same.update_id = twin.other
            left join {name}_update as twin_no on twin_no.block_no = same.block_no
                and twin_no.update_id = same.update_id""",
        )
        words = ", ".join(
            f"{sql} as {column.format(end)}"
            for column, text, exact in zip(_WORDS, ("raw", "text") * 2, (False, False, True, True), strict=True)
            for end, sql in zip(("from", "to"), word_span(f"coalesce(pool.{text}, same.{text})", exact), strict=True)
        )
        self._make(
            "match",
            f"""
            select row.row_no, row.line, row.block_no, known.update_no, row.update_id, row.nugget,
                coalesce(nugget.nugget_no, 0) as nugget_no, row.span_start, row.span_end,
                pool.update_id is not null as is_pooled, twin.update_id is not null as is_twin,
                length(coalesce(pool.raw, same.raw)) as n_byte, {words}
            from {{name}}_matches as row
            join {{name}}_update as known on known.block_no = row.block_no and known.update_id = row.update_id
            left join {{name}}_nugget as nugget on nugget.block_no = row.block_no and nugget.nugget = row.nugget
            left join {{name}}_pool as pool on pool.block_no = row.block_no and pool.update_id = row.update_id
            left join {{name}}_duplicates as twin on twin.update_id = row.update_id
            left join {{name}}_pool as same on same.block_no = row.block_no and same.update_id = twin.other""",
        )
        self._report(problems)

    def _make(self, key: str, select: str) -> None:
        self.engine.execute(f"create or replace temp table {self.name}_{key} as {select}".replace("{name}", self.name))

    def _rows(self, query: str) -> list[tuple]:
        return self.engine.rows(query.replace("{name}", self.name))

    def _report(self, problems: Mapping[str, Problems]) -> None:
        """Report what does not fit together."""

        def count(key: str, code: str, message: str, value: str, rows: str) -> None:
            for n_row, *first in self._rows(f"select count(*), {value} from {rows}"):
                if n_row:
                    many = f"; {n_row} such rows" if n_row > 1 else ""
                    problems[key].add(code, f"{message}{many}", "", first[0], None, first[1])

        for key in ("updates", "matches"):
            for event, n_row, line in self._rows(f"""
                    select event, count(*), arg_min(line, row_no) from {{name}}_{key} where block_no is null
                    group by event order by min(row_no)"""):
                many = f"; {n_row} such rows" if n_row > 1 else ""
                problems[key].add("W520", f"event {event} has no nuggets; its {key} are left out{many}", line=line)
        first = "arg_min(line, row_no), arg_min({}, row_no)"
        said = "orphan match: the nuggets file does not have this nugget"
        count("matches", "W521", said, first.format("nugget"), "{name}_match where nugget_no = 0")
        said = "match of an update outside the pool"
        count("matches", "W523", said, first.format("update_id"), "{name}_match where not is_pooled")
        said = "the span ends after the end of the text; it is shortened"
        count(
            "matches",
            "W522",
            said,
            first.format("span_start || '-' || span_end"),
            "{name}_match where span_end > n_byte",
        )
        for what, key, wanted in (
            ("a nugget", "nugget", "nugget_no > 0"),
            ("an update", "update", "is_pooled or is_twin"),
        ):
            column = {"nugget": "nugget", "update": "update_id"}[key]
            [(n_match, line, value, example)] = self._rows(f"""
                select count(*), arg_min(line, row_no), arg_min({column}, row_no),
                    (select arg_min({column}, row_no) from {{name}}_{key}s)
                from {{name}}_matches where not exists (select 1 from {{name}}_match where {wanted})""")
            if n_match and example is not None:
                problems["matches"].add(
                    "E872",
                    f"{none_of(n_match, 'matches')} of {what} that the {key}s file has, of which one is {example!r}",
                    "Write events and ids in the same way in both.",
                    line,
                    value=value,
                )
        said = "a duplicate of a duplicate; followed one step only, as the track's programs do"
        chain = "arg_min(line, update_no), arg_min(update_id, update_no)"
        count("updates", "W526", said, chain, "{name}_known where is_chain")
        program = self.rules.program
        has_events = bool(self._rows("select 1 from {name}_events limit 1"))
        for event, n_gain, n_match, has_topic in self._rows(self._events("event, n_gain, n_match, has_topic")):
            if has_events and not has_topic:
                said = f"event {event} of the nuggets file is not in the topics file; it has no time-sensitive numbers"
                problems["events"].add("W525", said)
            stops = f"the {program} program stops here; it is scored as zeros"
            if program in ("ts2013", "ts2014") and not n_match:
                problems["matches"].add("W524", f"event {event} has no match row: {stops}")
            if program in ("ts2014", "ts2015") and not n_gain:
                problems["nuggets"].add("W524", f"event {event} has no nugget of importance above 0: {stops}")
        if self.taus and not has_events:
            said = "no events file gives the start of the events, from which tau counts seconds; time-sensitive numbers"
            problems["nuggets"].add("W527", f"{said} are missing", "Name the topics file as events.")

    def _events(self, columns: str) -> str:
        """Return a query of the events; titles and times are of the topics file, by id or else without a year's
        prefix.
        """
        topic = {
            name: f"if(own.event is null, other.{name}, own.{name})"
            for name in ("title", "kind", "start_time", "end_time")
        }
        topics = ", ".join(f"{sql} as {name}" for name, sql in topic.items())
        return f"""
            select {columns} from (
                select block.*, {topics}, coalesce(own.event, other.event) is not null as has_topic,
                    (select count(*) from {{name}}_pool as pool where pool.block_no = block.block_no) as n_pool,
                    (select count(*) from {{name}}_match as row where row.block_no = block.block_no) as n_match
                from {{name}}_block as block left join {{name}}_events as own on own.event = block.event
                left join (
                    select *, {BARE_EVENT.format("event")} as bare from {{name}}_events
                    qualify row_number() over (partition by bare order by rowid desc) = 1) as other
                on other.bare = {BARE_EVENT.format("block.event")})
            order by block_no"""

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store the judgments of a condition."""
        left_out = ", ".join(map(sql_literal, sorted(self.excluded))) or "null"
        words = ", ".join(f"coalesce({column.format(end)}, 0)" for column in _WORDS for end in ("from", "to"))
        names = ", ".join(column.format(end) for column in _WORDS for end in ("from", "to"))
        for table, columns, query in (
            (
                "base.nugget_match",
                f"match_no, block_no, update_no, nugget_no, has_span, span_start, span_end, {names}",
                f"select row_no, block_no, update_no, nugget_no, span_start is not null, span_start, span_end, {words} "
                "from {name}_match order by row_no",
            ),
            (
                "base.nugget",
                "block_no, nugget_no, row_no, nugget_id, nugget_time, importance, length_column, n_word_blanks, "
                "n_word, nugget_text",
                "select block_no, nugget_no, row_no, nugget, time, importance, length, n_word_blanks, n_word, text "
                "from {name}_nuggets join {name}_nugget using (nugget, block_no) order by row_no",
            ),
            (
                "base.known_update",
                "block_no, update_no, update_id, is_pooled, length_column, n_word_blanks, n_word, duplicate_no, "
                "twin_no, update_text",
                """
                select block_no, 0, '', 0, null, null, null, 0, 0, null from {name}_block
                union all
                select block_no, update_no, update_id, is_pooled, length, n_word_blanks, n_word, duplicate_no, twin_no,
                    text
                from {name}_known order by 2, 1""",
            ),
            (
                "base.event",
                "block_no, event_id, title, kind, start_time, end_time, n_pool_row, n_match_row",
                self._events("block_no, event, title, kind, start_time, end_time, n_pool, n_match"),
            ),
            (
                "base.block",
                "block_no, block_id, is_scored",
                f"select block_no, event, event not in ({left_out}) from {{name}}_block order by block_no"
                if self.excluded
                else "select block_no, event, 1 from {name}_block order by block_no",
            ),
        ):
            query = query.replace("{name}", self.name)
            engine.execute(f"insert into {table} (condition_no, {columns}) select {condition_no}, * from ({query})")
        seconds = list(dict.fromkeys(self.taus))
        numbers = list(range(1, len(seconds) + 1))
        engine.insert(
            "base.subset",
            {
                "condition_no": condition_no,
                "subset_no": [0, *numbers],
                "subset": ["all", *(f"tau={tau}" for tau in seconds)],
                "kind": ["all", *["tau"] * len(seconds)],
            },
        )
        engine.insert(
            "base.condition_tau", {"condition_no": condition_no, "subset_no": numbers, "tau_seconds": seconds}
        )
        self.discard()

    def discard(self) -> None:
        made = ("block", "nugget", "pool", "update", "known", "match", *_COLUMNS)
        drop_tables(self.engine, *(f"{self.name}_{key}" for key in made))


def word_span(text: str, is_exact: bool) -> tuple[str, str]:
    """Return SQL of the word positions [from, to) that a span marks in a text.

    Exactly, these are the words with a character in the span. The track's programs widen the span to blanks, and count
    its first word from the blank before it: a span at the very beginning counts one word too few, others are shifted by
    one.
    """
    if not is_exact:
        begin, end = (
            f"length(substr({text}, 1, {stop})) - length(replace(substr({text}, 1, {stop}), ' ', ''))"
            for stop in ("span_start + 1", "span_end")
        )
        return f"greatest(0, {begin} - 1)", end
    before, until = (
        f"len(regexp_extract_all(substr({text}, 1, {stop}), '[^ \\t\\n\\r\\v\\f]+'))"
        for stop in ("span_start", "span_end")
    )
    # a word that the span begins in
    inside = f"regexp_full_match(substr({text}, span_start, 2), '[^ \\t\\n\\r\\v\\f][^ \\t\\n\\r\\v\\f]')"
    first = f"({before} - cast({inside} as integer))"
    return first, f"if(span_start < span_end, greatest({first}, {until}), {first})"


def loaded_condition(engine: Engine, condition_no: int) -> Loaded:
    """Return the data of a condition that its runs need."""
    program = next(
        (
            row[0]
            for row in engine.rows(
                "select profile.file_rules from registry.condition_profile as used join registry.profile as profile "
                "on profile.profile_no = used.profile_no where used.condition_no = ? order by used.rowid",
                [condition_no],
            )
            if row[0]
        ),
        None,
    )
    rules = FileRules(program)
    rows = engine.rows("select event_id, block_no from base.event where condition_no = ?", [condition_no])
    return Loaded(condition_no, rules, {rules.judged_event(event): block for event, block in rows})


# --- runs -------------------------------------------------------------------

_STAGED = (
    "place bigint",
    "event varchar",
    "run_id varchar",
    "update_id varchar",
    "decision_time bigint",
    "confidence double",
)

#: returns the rows of a file that the engine does not read
_Reader = Callable[[Inputs, str, Any, FileRules, str | None], list[RunRow]]


def _read_runs(
    read: _Reader, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield runs of updates, each named by its rows."""
    engine, rows = target.engine, FileRows("incoming_update")
    condition = loaded_condition(engine, target.condition_no)
    make_table(engine, rows.table, _STAGED)
    for given, source in files:
        if not (read is _read_official and _insert_clean(engine, inputs, rows, given, source)):
            found = read(inputs, given, source, condition.rules, run_id)
            columns = by_column(found, *(column.split()[0] for column in _STAGED))
            rows.append(engine, given, columns.pop("place"), columns)
    _place_events(engine, inputs, condition, rows)
    _report_disjoint(engine, inputs, condition, rows)
    for report in _REPORTS:
        query = report.query.format(condition_no=condition.condition_no, program=condition.rules.program)
        for place, run, message, value in engine.rows(query):
            path, line = rows.at(place)
            inputs.add(report.code, path, message, report.advice, line if report.is_of_line else None, value, run=run)
    pending = runs_of_rows(engine, rows.table, rows)
    for name, n_row in engine.rows(f"select run_id, count(*) from {rows.table} group by run_id order by min(place)"):
        yield pending(name, partial(_write_run, engine, condition, name, n_row))
    drop_tables(engine, "incoming_event", rows.table)


def _read_official(inputs: Inputs, given: str, path: Path, rules: FileRules, run_id: str | None) -> list[RunRow]:
    """Read an official run file; its rows name their runs."""
    return inputs.read(given, path, "ts", lambda data, problems: read_ts_run(data, problems, rules))


def _read_tidy(inputs: Inputs, given: str, source: Path | Frame, rules: FileRules, run_id: str | None) -> list[RunRow]:
    """Read a tidy file or columns; ``run_id`` names the run of rows that name none."""
    table, problems = read_tidy_file(inputs, given, source, "summarization"), Problems(given)
    found = tidy_run(table, run_id, problems)
    inputs.problems += problems.found
    return found


def _insert_clean(engine: Engine, inputs: Inputs, rows: FileRows, given: str, path: Path) -> bool:
    """Let the engine read an official file; False, and nothing is left behind, if any row is unusual."""
    first = next(iter(first_lines(path, 1)), "")
    mark, other = ("\t", b" ") if "\t" in first else (" ", b"\t")
    width = len(first.split(mark))
    names = ("event", "team", "run", "document", "sentence", "time", "confidence", "length")[:width]
    table = clean_text(inputs, given, path, "ts", mark, names=names, odd=other) if width in (7, 8) else None
    if table is None:
        return False
    wholes = [f"{name} is distinct from cast(try_cast({name} as bigint) as varchar)" for name in ("time", *names[7:])]
    columns = (
        "event, team || '-' || run as run_id, document || '-' || sentence as update_id",
        "try_cast(time as bigint) as decision_time, try_cast(confidence as double) as confidence",
        f"{' or '.join(wholes)} or translate(confidence, '0123456789.eE+-', '') <> '' as is_odd",
    )
    odd = ("is_odd", "event is null", "run_id is null", "update_id is null", "coalesce(not isfinite(confidence), true)")
    lines = FileRows("incoming_line")
    if not table.parse(engine, lines, given, columns, odd):
        return False
    inputs.note(given, path, "ts")
    engine.execute(f"""
        insert into {rows.table} select * exclude (is_odd) replace (place + {rows.n_row} as place)
        from {lines.table}""")
    rows.add(given, lines.lines[0], lines.n_row)
    drop_tables(engine, lines.table)
    return True


def _place_events(engine: Engine, inputs: Inputs, condition: Loaded, rows: FileRows) -> None:
    """Create the temporary table of the events of the condition, with their blocks.

    Rows of events without nuggets are left out: E560, or W560 where the profile's program passes over them.
    """
    known, program = {}, condition.rules.program
    for event, n_row, place in engine.rows(
        f"select event, count(*), min(place) from {rows.table} group by event, {rows.file_sql} order by min(place)"
    ):
        path, line = rows.at(place)
        said = f"event {event} is not in the nuggets file"
        block = next((condition.blocks[key] for key in _event_keys(condition, event) if key in condition.blocks), None)
        if block is not None:
            known[event] = block
        elif condition.rules.skips_bad_rows:
            inputs.add(
                "W560", path, f"{said}: {counted(n_row, 'row')} left out, as the {program} program does", "", line
            )
        else:
            inputs.add(
                "E560", path, f"{said} ({counted(n_row, 'row')})", "Fix the event id, or drop the rows.", line, event
            )
    make_table(engine, "incoming_event", ("event varchar", "block_no integer"), list(known.items()))


def _report_disjoint(engine: Engine, inputs: Inputs, condition: Loaded, rows: FileRows) -> None:
    """Report runs without an event of the condition, and runs without a known update (E870)."""
    for n_row, n_event, n_update, event, update, place in engine.rows(f"""
            select count(*), count(known_event.block_no), count(known.update_no), arg_min(event, place),
                arg_min(staged.update_id, place), min(place)
            from {rows.table} as staged left join incoming_event as known_event using (event)
            left join base.known_update as known on known.condition_no = {condition.condition_no}
                and known.block_no = known_event.block_no and known.update_id = staged.update_id and known.update_no > 0
            group by run_id order by min(place)"""):
        if not n_event:
            where, value = "the events of the condition", event
            example = min(condition.blocks, default=None)
        elif not n_update:
            where, value = "the updates that were judged", update
            example = engine.value(
                "select min(update_id) from base.known_update where condition_no = ? and update_no > 0",
                [condition.condition_no],
            )
        if not n_event or not n_update and example is not None:
            path, line = rows.at(place)
            inputs.say_disjoint(path, n_row, "updates of the run", where, value, example, line)


class _Report(NamedTuple):
    """What is reported of the updates of runs."""

    code: str
    advice: str
    is_of_line: bool  #: of the line that is found; else of the run as a whole
    query: str  #: of the number of a row, run, message and value


#: the updates of a run whose events the condition has, with what is known of them
_KNOWN = """
    select staged.*, event.block_no, known.is_pooled
    from incoming_update as staged join incoming_event as event using (event)
    left join base.known_update as known on known.condition_no = {condition_no} and known.block_no = event.block_no
        and known.update_id = staged.update_id and known.update_no > 0"""
_REPORTS = (
    # the metrics are computed, which this program does not print
    _Report(
        "W562",
        "",
        False,
        """
        select min(place), run_id, 'run ' || run_id || ' has ' || count(distinct block_no) || ' events: the ts2013 '
            || 'program prints no means of runs with fewer than 3; these means are computed', null
        from incoming_update left join incoming_event using (event) where '{program}' = 'ts2013'
        group by run_id having count(distinct block_no) < 3 order by run_id""",
    ),
    # updates that no pool has, where a profile scores them anyway
    _Report(
        "W561",
        "",
        False,
        f"""
        select min(place), run_id, count(*) - sum(coalesce(is_pooled, 0)) || ' of ' || count(*) || ' updates of run '
            || run_id || ' are in no pool: their length is unknown, and their verbosity 1 under the metrics document',
            null
        from ({_KNOWN}) where exists (
            from registry.condition_profile join registry.profile using (profile_no)
            where condition_no = {{condition_no}} and unpooled = 'unknown_length')
        group by run_id having count(*) > sum(coalesce(is_pooled, 0)) order by run_id""",
    ),
    _Report(
        "W563",
        "Submit each update of an event once.",
        True,
        """
        select min(place), run_id, 'run ' || run_id || ' has ' || count(*) || ' duplicate update'
            || if(count(*) = 1, '', 's') || ': each counts every time, and adds no gain after the first',
            arg_min(update_id, place)
        from (
            select incoming_update.*, row_number() over (partition by run_id, block_no, update_id order by place) as nth
            from incoming_update join incoming_event using (event))
        where nth > 1 group by run_id order by run_id""",
    ),
    _Report(
        "W564",
        "A mean over all events (weighting topic_all) counts what is missing.",
        False,
        """
        select min(place), run_id, 'run ' || run_id || ' has no update on ' || count(*) || ' event'
            || if(count(*) = 1, '', 's'), string_agg(block_id, ', ' order by block_no)
        from (select run_id, min(place) as place from incoming_update group by run_id)
        cross join (
            select block_no, block_id from base.block where condition_no = {condition_no} and is_scored = 1) as block
        where (run_id, block_no) not in (
            select (run_id, block_no) from incoming_update join incoming_event using (event))
        group by run_id order by run_id""",
    ),
    # the programs of every year and the metrics document count updates outside the span of their event, and an early
    # one can have up to twice its gain
    _Report(
        "W565",
        "The update counts as it is, with the latency of its time. Check the decision times (seconds since 1970).",
        True,
        """
        select min(place), null, 'run ' || run_id || ' decides on ' || count(*) || ' update'
            || if(count(*) = 1, '', 's') || if(is_late, ' after its event ends', ' before its event starts')
            || '; first ' || arg_min(update_id, place) || ' at ' || arg_min(decision_time, place) || ', event '
            || arg_min(event, place) || ' lasts from ' || arg_min(start_time, place) || ' to '
            || arg_min(end_time, place), arg_min(update_id, place)
        from (
            select staged.*, start_time, end_time, decision_time > end_time as is_late
            from incoming_update as staged join incoming_event using (event)
            join base.event as span on span.condition_no = {condition_no} and span.block_no = incoming_event.block_no
            where decision_time not between start_time and end_time)
        group by run_id, is_late order by run_id, is_late""",
    ),
)


def _write_run(engine: Engine, condition: Loaded, name: str, n_row: int, run_no: int) -> int:
    """Store the rows of a run, but those of events that the condition does not have; returns how many there were."""
    engine.execute(
        f"""
        insert into base.run_update (run_no, block_no, update_seq, update_no, update_id, decision_time, confidence,
            position)
        select {run_no}, event.block_no, staged.place + 1, coalesce(known.update_no, 0), staged.update_id,
            staged.decision_time, staged.confidence,
            row_number() over (partition by event.block_no order by staged.place) - 1
        from incoming_update as staged
        inner join incoming_event as event on event.event = staged.event
        left join base.known_update as known
            on known.condition_no = {condition.condition_no} and known.block_no = event.block_no
            and known.update_id = staged.update_id and known.update_no > 0
        where staged.run_id = $name
        order by event.block_no, staged.place""",
        {"name": name},
    )
    engine.execute(f"""
        insert into base.run_event (run_no, block_no, n_row, min_confidence, max_confidence)
        select run_no, block_no, count(*), min(confidence), max(confidence) from base.run_update where run_no = {run_no}
        group by run_no, block_no order by block_no""")
    return n_row


def _event_keys(condition: Loaded, event: str) -> list[str]:
    keys = condition.rules.run_event_keys(event)
    if condition.rules.program is None and event not in condition.blocks:
        bare = [key for key in condition.blocks if bare_event(key) == bare_event(event)]
        return bare if len(bare) == 1 else []
    return keys


_NAMED_BY = "team and run name"

FORMATS = {
    "ts": RunFormat(partial(_read_runs, _read_official), _NAMED_BY),
    "tidy": RunFormat(partial(_read_runs, _read_tidy), _NAMED_BY, has_columns(*FORMS["summarization"].required)),
}
