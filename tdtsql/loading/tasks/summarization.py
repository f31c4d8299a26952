"""Temporal summarization into the base tables: judgments of a condition, then its runs.

Text turns into whole numbers here, once: ids get numbers, a span becomes the
interval of words that it covers (as defined by the metrics document and by the track's programs,
with offsets in bytes and in characters), a text its number of words.
The views then compute with integers only.
"""

from typing import Any
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import text_source
from tdtsql.errors import Problems
from tdtsql.intake.inputs import Inputs
from tdtsql.intake.tidy_input import read_tidy_file
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.plan import (
    by_column,
    PendingRun,
    Place,
    ConditionSpec,
    RunReader,
    Source,
    StoredCondition,
    WrittenSpec,
)
from tdtsql.loading.ts_files import note_problems, read_rows, require, set_file_rules
from tdtsql.reader.matches import (
    MatchRow,
    is_plain,
    program_words,
    read_matches,
    touched_words,
    touched_words_of_plain,
    word_bounds,
)
from tdtsql.reader.nuggets import NuggetRow, read_nuggets
from tdtsql.reader.text import is_gzip
from tdtsql.reader.ts_duplicates import read_ts_duplicates
from tdtsql.reader.ts_rows import Counted, FileRules, bare_event
from tdtsql.reader.ts_run import RunRows, read_ts_run
from tdtsql.reader.ts_tidy import tidy_events, tidy_matches, tidy_nuggets, tidy_run, tidy_updates
from tdtsql.reader.ts_topics import EventRow, read_ts_topics
from tdtsql.reader.updates import UpdateRow, read_updates

_STAGED = "incoming_update"
_CHUNK = 200_000


@dataclass(slots=True)
class Judgments:
    """Contents of the files of a summarization condition."""

    nuggets: list[NuggetRow] = field(default_factory=list)
    updates: list[UpdateRow] = field(default_factory=list)
    matches: list[MatchRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)
    duplicates: dict[str, str] = field(default_factory=dict)  #: update -> the one of the same text


@dataclass(slots=True)
class Numbered:
    """The judgments with their ids turned into numbers: columns on their way into tables."""

    rules: FileRules
    events: dict[int, str]  #: block -> event id
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    def write(self, engine: Engine, condition_no: int) -> None:
        for table, columns in self.tables.items():
            engine.insert(table, {"condition_no": condition_no, **columns})


@dataclass(frozen=True, slots=True)
class Loaded:
    """Data that the runs of a condition need."""

    condition_no: int
    rules: FileRules
    blocks: dict[str, int]  #: event key -> block


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the files that define a condition. E721: an impossible tau."""
    inputs, spec = condition.inputs, condition.spec
    rules = FileRules(set_file_rules(engine, condition))
    require(condition, "nuggets", "updates", "matches")

    def by_rules(reader: Callable) -> Callable:
        return lambda data, problems: reader(data, problems, rules)

    judgments = Judgments()
    for key, official, tidy in (
        ("events", read_ts_topics, tidy_events),
        ("nuggets", by_rules(read_nuggets), tidy_nuggets),
        ("updates", by_rules(read_updates), tidy_updates),
        ("matches", by_rules(read_matches), tidy_matches),
        ("duplicates", by_rules(read_ts_duplicates), None),
    ):
        for rows in read_rows(inputs, spec, key, official, tidy):
            setattr(judgments, key, rows)
    where = f"condition '{spec['id']}'"
    problems = {key: Problems(spec.get(key, where)) for key in ("nuggets", "updates", "matches", "events")}
    numbered = number_judgments(judgments, rules, _taus(spec, inputs, where), problems)
    if not inputs.has_errors:
        for collector in problems.values():
            inputs.problems += collector.found
    excluded = left_out(condition, numbered.events.values())
    numbered.tables["base.block"]["is_scored"] = [int(event not in excluded) for event in numbered.events.values()]
    return WrittenSpec([*numbered.events.values(), str(rules.program)], numbered.write)


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


def number_judgments(
    judgments: Judgments, rules: FileRules, taus: Sequence[float], problems: Mapping[str, Problems]
) -> Numbered:
    """Return the judgments as columns; report what does not fit together.

    ``problems`` has a collector for ``nuggets``, ``updates``, ``matches`` and
    ``events``. Codes: W520 event without nuggets, W521 orphan match (unknown
    nugget), W522 span beyond the text, W523 match of an update outside the
    pool, W524 an event for which the track's program stops, W525 event outside
    the topics file, W526 chain of duplicates, W527 tau without event times.
    """
    blocks, names = _blocks(judgments, rules)
    numbered = Numbered(rules, names)
    nugget_no = _numbers((blocks[rules.judged_event(row.event)], row.nugget) for row in judgments.nuggets)
    texts = _texts(judgments, rules, blocks, problems["updates"])
    update_no = _known_updates(judgments, rules, blocks, texts)
    n_match = _number_matches(numbered, judgments, blocks, nugget_no, update_no, texts, problems["matches"])
    _number_nuggets(numbered, judgments, blocks, nugget_no)
    _number_updates(numbered, update_no, texts, judgments.duplicates, blocks, problems["updates"])
    _number_events(numbered, judgments, blocks, texts, n_match, problems)
    if taus and not judgments.events:
        problems["nuggets"].add(
            "W527",
            "no events file gives the start of the events, from which tau counts seconds; time-sensitive numbers are "
            "missing",
            "Name the topics file as events.",
        )
    _number_taus(numbered, taus)
    return numbered


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


def _blocks(judgments: Judgments, rules: FileRules) -> tuple[dict[str, int], dict[int, str]]:
    """Return the block of each event key, and the event id of each block: those of the nuggets file, in its order."""
    blocks: dict[str, int] = {}
    names: dict[int, str] = {}
    for row in judgments.nuggets:
        key = rules.judged_event(row.event)
        if key not in blocks:
            blocks[key] = len(blocks) + 1
            names[blocks[key]] = row.event
    return blocks, names


def _numbers(keys: Iterable[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """Number (block, id) from 1, in the order of the ids' bytes."""
    ordered = sorted(set(keys), key=lambda key: (key[1].encode(), key[0]))
    return {key: number for number, key in enumerate(ordered, start=1)}


def _texts(
    judgments: Judgments, rules: FileRules, blocks: dict[str, int], problems: Problems
) -> dict[tuple[int, str], UpdateRow]:
    """Return the pooled updates by (block, id); events without nuggets are reported."""
    found: dict[tuple[int, str], UpdateRow] = {}
    counted = Counted(problems)
    for row in judgments.updates:
        block = blocks.get(rules.judged_event(row.event))
        if block is None:
            counted.add("W520", f"event {row.event} has no nuggets; its updates are left out", line=row.line)
        else:
            found[block, row.update] = row
    counted.report()
    return found


def _known_updates(
    judgments: Judgments, rules: FileRules, blocks: dict[str, int], texts: dict[tuple[int, str], UpdateRow]
) -> dict[tuple[int, str], int]:
    keys = set(texts)
    for row in judgments.matches:
        block = blocks.get(rules.judged_event(row.event))
        if block is not None:
            keys.add((block, row.update))
    for update, other in judgments.duplicates.items():
        keys.update((block, update) for block in blocks.values() if (block, other) in texts)
    return _numbers(keys)


def _report_unmatched(
    judgments: Judgments,
    rules: FileRules,
    blocks: dict[str, int],
    nugget_no: dict,
    texts: dict,
    problems: Problems,
) -> None:
    """Report matches without any known nugget, or without any known update (E872)."""
    keys = [(blocks.get(rules.judged_event(row.event)), row) for row in judgments.matches]
    for what, known, value, other in (
        ("nugget", nugget_no, lambda row: row.nugget, judgments.nuggets),
        ("update", texts, lambda row: row.update, judgments.updates),
    ):
        names = {*known, *((block, name) for block in blocks.values() for name in judgments.duplicates)}
        if keys and other and not any((block, value(row)) in names for block, row in keys):
            problems.add(
                "E872",
                f"none of the {len(keys):,} matches is of {'a' if what == 'nugget' else 'an'} {what} that the {what}s "
                f"file has, of which one is {value(other[0])!r}",
                "Write events and ids in the same way in both.",
                judgments.matches[0].line,
                value=value(judgments.matches[0]),
            )


def _number_matches(
    numbered: Numbered,
    judgments: Judgments,
    blocks: dict[str, int],
    nugget_no: dict,
    update_no: dict,
    texts: dict,
    problems: Problems,
) -> dict[int, int]:
    """Number the matches and return how many rows each block has."""
    rules = numbered.rules
    counted = Counted(problems)
    found: list[tuple] = []
    n_match: dict[int, int] = {}
    bounds: dict[tuple[int, str], tuple[list[int], list[int]]] = {}

    def touched(block: int, name: str, update: UpdateRow, text: str, start: int, end: int) -> tuple[int, int]:
        if is_plain(text, update.n_word, update.n_word_blanks):
            return touched_words_of_plain(text, start, end)
        if (block, name) not in bounds:
            bounds[block, name] = word_bounds(text)
        return touched_words(bounds[block, name], start, end)

    for number, row in enumerate(judgments.matches, start=1):
        block = blocks.get(rules.judged_event(row.event))
        if block is None:
            counted.add("W520", f"event {row.event} has no nuggets; its matches are left out", line=row.line)
            continue
        n_match[block] = n_match.get(block, 0) + 1
        nugget = nugget_no.get((block, row.nugget), 0)
        if nugget == 0:
            counted.add(
                "W521", "orphan match: the nuggets file does not have this nugget", line=row.line, value=row.nugget
            )
        text = texts.get((block, row.update)) or texts.get((block, judgments.duplicates.get(row.update, "")))
        if (block, row.update) not in texts:
            counted.add("W523", "match of an update outside the pool", line=row.line, value=row.update)
        spans = (0,) * 8
        if text is not None and row.start is not None and row.end is not None:
            span = row.start, row.end
            in_bytes = (*program_words(text.raw, *span), *touched(block, row.update, text, text.raw, *span))
            if text.raw.isascii():
                in_chars = in_bytes
            else:
                in_chars = (
                    *program_words(text.text, *span),
                    *touched(block, row.update + "\n", text, text.text, *span),
                )
            spans = (*in_bytes[:2], *in_chars[:2], *in_bytes[2:], *in_chars[2:])
            if row.end > len(text.raw):
                counted.add(
                    "W522",
                    "the span ends after the end of the text; it is shortened",
                    line=row.line,
                    value=f"{row.start}-{row.end}",
                )
        found.append(
            (
                number,
                block,
                update_no[block, row.update],
                nugget,
                int(row.start is not None),
                row.start,
                row.end,
                *spans,
            )
        )
    counted.report()
    _report_unmatched(judgments, rules, blocks, nugget_no, texts, problems)
    numbered.tables["base.nugget_match"] = by_column(
        found,
        "match_no",
        "block_no",
        "update_no",
        "nugget_no",
        "has_span",
        "span_start",
        "span_end",
        "program_from_bytes",
        "program_to_bytes",
        "program_from_chars",
        "program_to_chars",
        "exact_from_bytes",
        "exact_to_bytes",
        "exact_from_chars",
        "exact_to_chars",
    )
    return n_match


def _number_nuggets(numbered: Numbered, judgments: Judgments, blocks: dict[str, int], nugget_no: dict) -> None:
    rows = judgments.nuggets
    keys = [blocks[numbered.rules.judged_event(row.event)] for row in rows]
    numbered.tables["base.nugget"] = {
        "block_no": keys,
        "nugget_no": [nugget_no[block, row.nugget] for block, row in zip(keys, rows, strict=True)],
        "row_no": list(range(1, len(rows) + 1)),
        "nugget_id": [row.nugget for row in rows],
        "nugget_time": [row.time for row in rows],
        "importance": [row.importance for row in rows],
        "length_column": [row.length for row in rows],
        "n_word_blanks": [row.n_word_blanks for row in rows],
        "n_word": [row.n_word for row in rows],
        "nugget_text": [row.text for row in rows],
    }


def _number_updates(
    numbered: Numbered,
    update_no: dict,
    texts: dict,
    duplicates: dict[str, str],
    blocks: dict[str, int],
    problems: Problems,
) -> None:
    counted = Counted(problems)
    found: list[tuple] = []
    keys: list[tuple[int, str, int]] = [(block, "", 0) for block in blocks.values()]
    keys += [(block, update, number) for (block, update), number in update_no.items()]
    for block, update, number in keys:
        row = texts.get((block, update))
        other = duplicates.get(update, "")
        duplicate = row.duplicate if row and (block, row.duplicate) in texts else ""
        if row and duplicate and texts[block, duplicate].duplicate:
            counted.add(
                "W526",
                "a duplicate of a duplicate; followed one step only, as the track's programs do",
                line=row.line,
                value=update,
            )
        found.append(
            (
                block,
                number,
                update,
                int(row is not None),
                row and row.length,
                row and row.n_word_blanks,
                row and row.n_word,
                update_no[block, duplicate] if duplicate else 0,
                update_no[block, other] if row is None and other and (block, other) in texts else 0,
                row and row.text,
            )
        )
    counted.report()
    numbered.tables["base.known_update"] = by_column(
        found,
        "block_no",
        "update_no",
        "update_id",
        "is_pooled",
        "length_column",
        "n_word_blanks",
        "n_word",
        "duplicate_no",
        "twin_no",
        "update_text",
    )


def _number_events(
    numbered: Numbered,
    judgments: Judgments,
    blocks: dict[str, int],
    texts: dict,
    n_match: dict[int, int],
    problems: Mapping[str, Problems],
) -> None:
    rules, names = numbered.rules, numbered.events
    n_pool: dict[int, int] = {}
    for block, _ in texts:
        n_pool[block] = n_pool.get(block, 0) + 1
    topics = {row.event: row for row in judgments.events}
    bare = {bare_event(row.event): row for row in judgments.events}
    columns: dict[str, list] = {
        name: []
        for name in ("block_no", "event_id", "title", "kind", "start_time", "end_time", "n_pool_row", "n_match_row")
    }
    gains = dict.fromkeys(names, 0)
    for row in judgments.nuggets:
        gains[blocks[rules.judged_event(row.event)]] += row.importance > 0
    for block, event in names.items():
        topic = topics.get(event) or bare.get(bare_event(event))
        if judgments.events and topic is None:
            problems["events"].add(
                "W525", f"event {event} of the nuggets file is not in the topics file; it has no time-sensitive numbers"
            )
        if rules.program in ("ts2013", "ts2014") and not n_match.get(block):
            problems["matches"].add(
                "W524", f"event {event} has no match row: the {rules.program} program stops here; it is scored as zeros"
            )
        if rules.program in ("ts2014", "ts2015") and not gains[block]:
            problems["nuggets"].add(
                "W524",
                f"event {event} has no nugget of importance above 0: the {rules.program} program stops here; it is "
                f"scored as zeros",
            )
        values = (
            block,
            event,
            topic and topic.title,
            topic and topic.kind,
            topic and topic.start,
            topic and topic.end,
            n_pool.get(block, 0),
            n_match.get(block, 0),
        )
        for name, value in zip(columns, values, strict=True):
            columns[name].append(value)
    numbered.tables["base.event"] = columns
    numbered.tables["base.block"] = {
        "block_no": list(names),
        "block_id": list(names.values()),
        "is_scored": 1,
    }


def _number_taus(numbered: Numbered, taus: Sequence[float]) -> None:
    """Create a subset ``tau=SECONDS`` for each requested tau; subset 0 is all."""
    seconds = list(dict.fromkeys(int(tau) for tau in taus))
    numbers = list(range(1, len(seconds) + 1))
    numbered.tables["base.subset"] = {
        "subset_no": [0, *numbers],
        "subset": ["all", *(f"tau={tau}" for tau in seconds)],
        "kind": ["all", *["tau"] * len(seconds)],
    }
    numbered.tables["base.condition_tau"] = {"subset_no": numbers, "tau_seconds": seconds}


# --- runs -------------------------------------------------------------------


def _read_runs(
    stage: Callable[[Engine, Inputs, Sequence[Source], FileRules, str | None], list[Problems]],
    target: StoredCondition,
    inputs: Inputs,
    files: Sequence[Source],
    run_id: str | None,
) -> Iterator[PendingRun]:
    """Yield runs of updates, each named by its rows.

    Args:
        stage: inserts the rows of the files, in their order, into the temporary table and returns the problems of each
            file.
    """
    engine = target.engine
    condition = loaded_condition(engine, target.condition_no)
    _make_staged(engine)
    collectors = stage(engine, inputs, files, condition.rules, run_id)
    _place_events(engine, condition, collectors)
    _report_disjoint(engine, condition, collectors)
    _report_unknown_lengths(engine, condition.condition_no, collectors)
    _report_repeated_and_missing(engine, condition, collectors)
    _report_outside(engine, condition, collectors)
    note_problems(inputs, collectors)
    for name, n_row, numbers in engine.rows(
        f"select run_id, count(*), list_sort(list(distinct file_no)) from {_STAGED} group by run_id order by min(seq)"
    ):
        yield PendingRun(
            name,
            partial(_write_run, engine, condition, name, n_row),
            files=[files[number][0] for number in numbers],
            of_lines=partial(_of_run, engine, [given for given, _ in files], name),
        )
    for table in ("incoming_event", _STAGED):
        engine.execute(f"drop table {table}")


def _of_run(engine: Engine, files: Sequence[str], name: str, places: Collection[Place]) -> Collection[Place]:
    """Return which of some places are lines of a run; of lines that were passed over, none."""
    listed = ", ".join(f"({files.index(given)}, {line})" for given, line in places if given in files)
    rows = engine.rows(
        f"select file_no, line from {_STAGED} where run_id = ? and (file_no, line) in ({listed})", [name]
    )
    return {(files[file_no], line) for file_no, line in rows}


def _stage_files(
    engine: Engine, inputs: Inputs, files: Sequence[Source], rules: FileRules, run_id: str | None
) -> list[Problems]:
    """Read official run files; they contain the names of their runs.

    The engine reads a file in the track's format itself; any
    other file goes to the fallback reader, which reports problems by line.
    """
    collectors, before = [], 0
    for file_no, (given, path) in enumerate(files):
        data, problems = path.read_bytes(), Problems(given)
        before += _stage_clean(engine, path, data, file_no, before) or _stage_columns(
            engine, read_ts_run(data, problems, rules), file_no, before
        )
        inputs.note(given, path, "ts")
        collectors.append(problems)
    return collectors


def _stage_tidy(
    engine: Engine, inputs: Inputs, files: Sequence[Source], rules: FileRules, run_id: str | None
) -> list[Problems]:
    """Read tidy files or columns; ``run_id`` names the run of rows that name none."""
    collectors, before = [], 0
    for file_no, (given, source) in enumerate(files):
        problems = Problems(given)
        before += _stage_columns(
            engine, tidy_run(read_tidy_file(inputs, given, source, "summarization"), run_id, problems), file_no, before
        )
        collectors.append(problems)
    return collectors


def _make_staged(engine: Engine) -> None:
    engine.execute(
        f"create or replace temporary table {_STAGED} (file_no integer, seq bigint, line bigint, event varchar, "
        f"run_id varchar, "
        "update_id varchar, decision_time bigint, confidence double)"
    )


def _stage_clean(engine: Engine, path: Path, data: bytes, file_no: int, before: int) -> int:
    """Read one file with the engine's parser; return 0 and leave nothing behind if any row is unusual."""
    first = data.split(b"\n", 1)[0]
    mark = b"\t" if b"\t" in first else b" "
    other = b" " if mark == b"\t" else b"\t"
    width = first.count(mark) + 1
    strange = [other, mark * 2, mark + b"\n", b"\n" + mark, b"\n\n", b"\r", b"\v", b"\f", b"\0", b"\x01"]
    if width not in (7, 8) or is_gzip(path) or any(map(data.__contains__, strange)):
        return 0
    options = "nullstr = '\x01', strict_mode = true, ignore_errors = true, max_line_size = 1000000"
    try:
        source = text_source(path, {f"c{i}": "VARCHAR" for i in range(1, width + 1)}, mark.decode(), options=options)
        # an error would end the transaction
        engine.execute(f"create or replace temporary table incoming_line as select * from {source}")
    except (duckdb.Error, OSError):
        return 0
    # row ids of an uncommitted table begin anywhere, but run on without a gap
    strange_length = "c8 is distinct from cast(try_cast(c8 as bigint) as varchar)" if width == 8 else "false"
    count, first, last, unusual = engine.rows(f"""
        select count(*), coalesce(min(rowid), 0), coalesce(max(rowid), -1), count(*) filter ({strange_length}
            or c6 is distinct from cast(try_cast(c6 as bigint) as varchar)
            or translate(c7, '0123456789.eE+-', '') <> '' or coalesce(not isfinite(try_cast(c7 as double)), true))
        from incoming_line""")[0]
    if not unusual and last - first + 1 == count == data.count(b"\n") + (not data.endswith(b"\n")):
        engine.execute(
            f"insert into {_STAGED} select {file_no}, {before + 1 - first} + rowid, rowid + {1 - first}, c1, c2 || "
            f"'-' || c3, c4 || '-' || c5, "
            "cast(c6 as bigint), cast(c7 as double) from incoming_line"
        )
    else:
        count = 0
    engine.execute("drop table incoming_line")
    return count


def _stage_columns(engine: Engine, rows: RunRows, file_no: int, before: int) -> int:
    for start in range(0, len(rows), _CHUNK):
        part = slice(start, start + _CHUNK)
        engine.insert(
            _STAGED,
            {
                "file_no": file_no,
                "seq": [line + before for line in rows.line[part]],
                "line": rows.line[part],
                "event": rows.event[part],
                "run_id": rows.run[part],
                "update_id": rows.update[part],
                "decision_time": rows.time[part],
                "confidence": rows.confidence[part],
            },
        )
    return rows.line[-1] if len(rows) else 0


def _place_events(engine: Engine, condition: Loaded, problems: Sequence[Problems]) -> None:
    """Create the temporary table of the events of the condition, with their blocks.

    Rows of events without nuggets are left out: E560, or W560 where the
    profile's program passes over them. W562: a run at which the program of 2013 stops.
    """
    known = {}
    for event, file_no, count, line in engine.rows(
        f"select event, file_no, count(*), min(line) from {_STAGED} group by event, file_no order by min(seq)"
    ):
        block = next((condition.blocks[key] for key in _event_keys(condition, event) if key in condition.blocks), None)
        if block is not None:
            known[event] = block
        elif condition.rules.skips_bad_rows:
            problems[file_no].add(
                "W560",
                f"event {event} is not in the nuggets file: {count} rows left out, as the {condition.rules.program} "
                "program does",
                line=line,
            )
        else:
            problems[file_no].add(
                "E560",
                f"event {event} is not in the nuggets file ({count} rows)",
                "Fix the event id, or drop the rows.",
                line,
                value=event,
            )
    engine.execute("create or replace temporary table incoming_event (event varchar, block_no integer)")
    engine.insert("incoming_event", {"event": list(known), "block_no": list(known.values())})
    if condition.rules.program == "ts2013":
        for run_id, file_no, count in engine.rows(f"""
                select run_id, min(file_no), count(distinct event.block_no) from {_STAGED} left
                    join incoming_event as event using (event)
                group by run_id having count(distinct event.block_no) < 3 order by run_id"""):
            problems[file_no].add(
                "W562",
                f"run {run_id} has {count} events: the ts2013 program prints no means of runs with fewer than 3; "
                "these means are computed",
                run=run_id,
            )


def _report_disjoint(engine: Engine, condition: Loaded, problems: Sequence[Problems]) -> None:
    """Report runs without an event of the condition, and runs without a known update (E870)."""
    for n_row, n_event, n_update, event, update, file_no, line in engine.rows(f"""
            select count(*), count(known_event.block_no), count(known.update_no), arg_min(event, seq),
                arg_min(staged.update_id, seq), arg_min(file_no, seq), arg_min(line, seq)
            from {_STAGED} as staged left join incoming_event as known_event using (event)
            left join base.known_update as known on known.condition_no = {condition.condition_no}
                and known.block_no = known_event.block_no and known.update_id = staged.update_id and known.update_no > 0
            group by run_id order by min(seq)"""):
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
            problems[file_no].add_disjoint(n_row, "updates of the run", where, value, example, line=line)


def _write_run(engine: Engine, condition: Loaded, name: str, n_row: int, run_no: int) -> int:
    """Store the rows of a run, but those of events that the condition does not have; returns how many there were."""
    engine.execute(
        f"""
        insert into base.run_update (run_no, block_no, update_seq, update_no, update_id, decision_time, confidence,
            position)
        select {run_no}, event.block_no, staged.seq, coalesce(known.update_no, 0), staged.update_id,
            staged.decision_time, staged.confidence,
            row_number() over (partition by event.block_no order by staged.seq) - 1
        from {_STAGED} as staged
        inner join incoming_event as event on event.event = staged.event
        left join base.known_update as known
            on known.condition_no = {condition.condition_no} and known.block_no = event.block_no
            and known.update_id = staged.update_id and known.update_no > 0
        where staged.run_id = $name
        order by event.block_no, staged.seq""",
        {"name": name},
    )
    engine.execute(f"""
        insert into base.run_event (run_no, block_no, n_row, min_confidence, max_confidence)
        select run_no, block_no, count(*), min(confidence), max(confidence) from base.run_update where run_no = {run_no}
        group by run_no, block_no order by block_no""")
    return n_row


def _report_unknown_lengths(engine: Engine, condition_no: int, problems: Sequence[Problems]) -> None:
    """Report each run with updates that no pool has, where a profile scores them anyway (W561)."""
    keeps = engine.value(
        "select count(*) from registry.condition_profile as used join registry.profile as profile on "
        "profile.profile_no = used.profile_no "
        "where used.condition_no = ? and profile.unpooled = 'unknown_length'",
        [condition_no],
    )
    if not keeps or not problems:
        return
    for run_id, file_no, unknown, total in engine.rows(
        f"""
        select run_id, min(file_no), sum(1 - coalesce(known.is_pooled, 0)) as n_unknown, count(*)
        from {_STAGED} as staged
        join incoming_event as event on event.event = staged.event
        left join base.known_update as known on known.condition_no = ? and known.block_no = event.block_no
            and known.update_id = staged.update_id and known.update_no > 0
        group by run_id having n_unknown > 0 order by run_id""",
        [condition_no],
    ):
        problems[file_no].add(
            "W561",
            f"{unknown} of {total} updates of run {run_id} are in no pool: their length is unknown, and their "
            "verbosity 1 under the metrics document",
            run=run_id,
        )


def _report_repeated_and_missing(engine: Engine, condition: Loaded, problems: Sequence[Problems]) -> None:
    """Report runs with duplicate updates (W563), and runs without updates on an event (W564): both change the
    numbers.
    """
    for run_id, file_no, line, update, count in engine.rows(f"""
            select run_id, arg_min(file_no, seq), arg_min(line, seq), arg_min(update_id, seq), count(*)
            from (select staged.*, row_number() over (partition by staged.run_id, staged.event, staged.update_id
            order by staged.seq) as time_given
                  from {_STAGED} as staged inner join incoming_event using (event))
            where time_given > 1 group by run_id order by run_id"""):
        problems[file_no].add(
            "W563",
            f"run {run_id} has {count} duplicate update{'s' if count != 1 else ''}: each counts every time, and adds "
            "no gain after the first",
            "Submit each update of an event once.",
            line,
            value=update,
            run=run_id,
        )
    for run_id, file_no, count, names in engine.rows(f"""
            with sent as (select run_id, min(file_no) as file_no from {_STAGED} group by run_id)
            select sent.run_id, sent.file_no, count(*), string_agg(block.block_id, ', ' order by block.block_no)
            from sent inner join base.block as block on block.condition_no = {condition.condition_no}
                and block.is_scored = 1
            where not exists (select 1 from {_STAGED} as had inner
                join incoming_event as event on event.event = had.event
                where had.run_id = sent.run_id and event.block_no = block.block_no)
            group by sent.run_id, sent.file_no order by sent.run_id"""):
        problems[file_no].add(
            "W564",
            f"run {run_id} has no update on {count} event{'s' if count != 1 else ''}",
            "A mean over all events (weighting topic_all) counts what is missing.",
            value=names,
            run=run_id,
        )


def _report_outside(engine: Engine, condition: Loaded, problems: Sequence[Problems]) -> None:
    """Warn of decision times outside the span of the event, by run and side of it (W565): the programs of every year
    and the metrics document count these updates, and an early one can have up to twice its gain.
    """
    for run_id, side, file_no, line, update, when, start, end, event, count in engine.rows(f"""
            with outside as (
                select staged.*, span.start_time, span.end_time, decision_time > span.end_time as is_late
                from {_STAGED} as staged
                join incoming_event using (event)
                join base.event as span on span.condition_no = {condition.condition_no}
                    and span.block_no = incoming_event.block_no
                where decision_time < span.start_time or decision_time > span.end_time)
            select run_id, case when is_late then 'after its event ends' else 'before its event starts' end,
                {", ".join(f"arg_min({name}, seq)" for name in _OUTSIDE)}, count(*)
            from outside group by run_id, is_late order by run_id, is_late"""):
        problems[file_no].add(
            "W565",
            f"run {run_id} decides on {count} update{'s' if count != 1 else ''} {side}; first {update} at {when}, "
            f"event {event} lasts from {start} to {end}",
            "The update counts as it is, with the latency of its time. Check the decision times (seconds since 1970).",
            line,
            value=update,
        )


_OUTSIDE = ("file_no", "line", "update_id", "decision_time", "start_time", "end_time", "event")


def _event_keys(condition: Loaded, event: str) -> list[str]:
    keys = condition.rules.run_event_keys(event)
    if condition.rules.program is None and event not in condition.blocks:
        bare = [key for key in condition.blocks if bare_event(key) == bare_event(event)]
        return bare if len(bare) == 1 else []
    return keys


_NAMED_BY = "team and run name"

_TIDY = RunReader(partial(_read_runs, _stage_tidy), _NAMED_BY)

FORMATS = {"ts": RunReader(partial(_read_runs, _stage_files), _NAMED_BY), "tidy": _TIDY, "frame": _TIDY}
