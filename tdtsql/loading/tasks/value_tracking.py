"""Value tracking into the base tables: true values of a condition's events, then what the runs submitted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial


from tdtsql.engine.duckdb import Engine
from tdtsql.engine.incoming import Columns
from tdtsql.errors import Problems, not_none
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.geodesic import distance
from tdtsql.loading.plan import PendingRun, Place, ConditionSpec, RunReader, Source, StoredCondition, WrittenSpec
from tdtsql.loading.ts_files import note_problems, read_rows, require, set_file_rules
from tdtsql.reader.ts_rows import Counted, bare_event
from tdtsql.reader.ts_tidy import tidy_events
from tdtsql.reader.ts_topics import ATTRIBUTES, EventRow, TrueValue, read_ts_topics
from tdtsql.reader.value_run import ValueRow, read_value_run


@dataclass(frozen=True, slots=True)
class Truth:
    """What the runs of the condition need to know."""

    blocks: dict[tuple[str, str], int]  #: (event without a year's prefix, attribute) -> block
    windows: dict[str, tuple[int, int]]  #: event without a year's prefix -> (start, end)
    values: dict[int, list[TrueValue]]  #: block -> true values in time
    excluded: frozenset[str] = frozenset()  #: events that the condition leaves out, without a year's prefix


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the events of a condition and number their attributes."""
    inputs, spec = condition.inputs, condition.spec
    rules = set_file_rules(engine, condition)
    require(condition, "events")
    [*_, events] = [[], *read_rows(inputs, spec, "events", read_ts_topics, tidy_events)]  # the last file says it
    problems = Problems(spec.get("events", f"condition '{spec['id']}'"))
    excluded = left_out(condition, [event.event for event in events])
    events = [event for event in events if event.event not in excluded]
    truth = truth_of(events, problems)
    if "events" in spec and not inputs.has_errors:
        inputs.problems += problems.found
    return WrittenSpec(
        [*(f"{event}/{attribute}" for event, attribute in truth.blocks), str(rules)],
        lambda engine, condition_no: write_truth(engine, condition_no, truth, events),
    )


def truth_of(events: Sequence[EventRow], problems: Problems) -> Truth:
    """Number the attributes that have a true value. E549: no attribute has one."""
    blocks: dict[tuple[str, str], int] = {}
    values: dict[int, list[TrueValue]] = {}
    for event in events:
        for attribute in ATTRIBUTES:
            found = sorted(
                (value for value in event.values if value.attribute == attribute), key=lambda value: value.time
            )
            if found:
                block = blocks.setdefault((bare_event(event.event), attribute), len(blocks) + 1)
                values[block] = found
    if not blocks:
        problems.add("E549", "no event has a true value of an attribute", "Name the topics file with the values.")
    return Truth(blocks, {bare_event(event.event): (event.start, event.end) for event in events}, values)


def write_truth(engine: Engine, condition_no: int, truth: Truth, events: Sequence[EventRow]) -> None:
    """Store the true values of a condition."""
    names = {bare_event(event.event): event.event for event in events}
    subsets = {
        attribute: number
        for number, attribute in enumerate(
            [attribute for attribute in ATTRIBUTES if any(key[1] == attribute for key in truth.blocks)], start=1
        )
    }
    keys = list(truth.blocks)
    _insert(
        engine,
        "base.attribute",
        condition_no,
        {
            "block_no": list(truth.blocks.values()),
            "subset_no": [subsets[attribute] for _, attribute in keys],
            "event_id": [names[event] for event, _ in keys],
            "attribute": [attribute for _, attribute in keys],
            "start_time": [truth.windows[event][0] for event, _ in keys],
            "end_time": [truth.windows[event][1] for event, _ in keys],
        },
    )
    _insert(
        engine,
        "base.block",
        condition_no,
        {
            "block_no": list(truth.blocks.values()),
            "block_id": [f"{names[event]}/{attribute}" for event, attribute in keys],
            "is_scored": 1,
        },
    )
    _insert(
        engine,
        "base.subset",
        condition_no,
        {
            "subset_no": [0, *subsets.values()],
            "subset": ["all", *(f"attribute={attribute}" for attribute in subsets)],
            "kind": ["all", *["attribute"] * len(subsets)],
        },
    )
    rows = [
        (block, number, value) for block, values in truth.values.items() for number, value in enumerate(values, start=1)
    ]
    _insert(
        engine,
        "base.true_value",
        condition_no,
        {
            "block_no": [block for block, _, _ in rows],
            "true_no": [number for _, number, _ in rows],
            "true_time": [value.time for _, _, value in rows],
            **_numbers([value for _, _, value in rows]),
        },
    )


def _numbers(values: Sequence[TrueValue | ValueRow]) -> dict[str, list]:
    """Return the columns of values: a number, or latitude and longitude."""
    return {
        "number": [value.latitude if value.longitude is None else None for value in values],
        "latitude": [None if value.longitude is None else value.latitude for value in values],
        "longitude": [value.longitude for value in values],
    }


def place_values(rows: Sequence[ValueRow], truth: Truth, problems: Problems) -> list[tuple[int, ValueRow]]:
    """Return (block, row) of the rows that count.

    Codes: E578 unknown event, W578 an attribute without a true value (left
    out), W579 submitted before the event starts (it is carried in) or after its
    end (without effect).
    """
    every: dict[str, Counted] = {}
    placed = []
    for row in rows:
        counted = every.setdefault(row.run, Counted(problems))
        event = bare_event(row.event)
        if event in truth.excluded:
            continue
        if event not in truth.windows:
            counted.add(
                "E578",
                f"event {row.event} is not in the topics file",
                "Fix the event id, or drop the rows.",
                row.line,
                value=row.event,
            )
            continue
        block = truth.blocks.get((event, row.attribute))
        start, end = truth.windows[event]
        if block is None:
            counted.add("W578", f"event {row.event} has no true value of {row.attribute}; left out", line=row.line)
            continue
        if row.time < start:
            counted.add("W579", "submitted before the event starts; carried in", line=row.line, value=row.time)
        elif row.time >= end:
            counted.add(
                "W579", "submitted at or behind the end of the event; without effect", line=row.line, value=row.time
            )
        placed.append((block, row))
    for counted in every.values():
        counted.report()
    return placed


def read_values(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the track's runs of values, each named by its rows."""
    truth = loaded_truth(target.engine, target.condition_no)
    collectors, placed = [], []
    n_row: dict[str, int] = {}
    lines: dict[str, dict[Place, None]] = {}
    for given, path in files:
        problems = Problems(given)
        rows = read_value_run(path.read_bytes(), problems)
        placed += place_values(rows, truth, problems)
        for row in rows:
            n_row[row.run] = n_row.get(row.run, 0) + 1
            lines.setdefault(row.run, {})[given, row.line] = None
        inputs.note(given, path, "vt")
        collectors.append(problems)
    note_problems(inputs, collectors)
    values: dict[str, list[tuple[int, int, ValueRow]]] = {name: [] for name in n_row}
    for value_no, (block, row) in enumerate(placed, start=1):
        values[row.run].append((value_no, block, row))
    for name, count in n_row.items():
        if not values[name] and truth.blocks:
            event, attribute = next(iter(truth.blocks))
            inputs.say_disjoint(
                next(iter(lines[name]))[0],
                count,
                "values of the run",
                "the attributes with a true value",
                name,
                f"{event}/{attribute}",
            )
        yield PendingRun(
            name,
            partial(store_values, target.engine, truth, values[name], count),
            files=list(dict.fromkeys(given for given, _ in lines[name])),
            of_lines=lines[name].keys().__and__,
        )


def store_values(
    engine: Engine, truth: Truth, values: Sequence[tuple[int, int, ValueRow]], n_row: int, run_no: int
) -> int:
    """Store the values (number, block, row) of a run, and the distance of each location from every true one of its
    block; returns its rows.
    """
    engine.insert(
        "base.submitted_value",
        {
            "run_no": run_no,
            "block_no": [block for _, block, _ in values],
            "value_no": [value_no for value_no, _, _ in values],
            "value_time": [row.time for _, _, row in values],
            **_numbers([row for _, _, row in values]),
            "confidence": [row.confidence for _, _, row in values],
            "document_id": [row.document for _, _, row in values],
            "sentence_id": [row.sentence for _, _, row in values],
        },
    )
    pairs = [
        (
            run_no,
            block,
            value_no,
            number,
            distance(row.latitude, row.longitude, true.latitude, not_none(true.longitude)),
        )
        for value_no, block, row in values
        if row.longitude is not None
        for number, true in enumerate(truth.values[block], start=1)
    ]
    engine.insert(
        "base.value_distance",
        {
            "run_no": [pair[0] for pair in pairs],
            "block_no": [pair[1] for pair in pairs],
            "value_no": [pair[2] for pair in pairs],
            "true_no": [pair[3] for pair in pairs],
            "distance_km": [pair[4].km for pair in pairs],
            "is_vincenty": [int(pair[4].is_vincenty) for pair in pairs],
        },
    )
    return n_row


def loaded_truth(engine: Engine, condition_no: int) -> Truth:
    """Return what ``truth_of`` returned, for a condition that is in the store."""
    blocks, windows = {}, {}
    for event, attribute, block, start, end in engine.rows(
        "select event_id, attribute, block_no, start_time, end_time from base.attribute where condition_no = ?",
        [condition_no],
    ):
        blocks[bare_event(event), attribute] = block
        windows[bare_event(event)] = (start, end)
    names = {block: attribute for (_, attribute), block in blocks.items()}
    values: dict[int, list[TrueValue]] = {}
    for block, time, number, latitude, longitude in engine.rows(
        "select block_no, true_time, number, latitude, longitude from base.true_value where condition_no = ? order by "
        "block_no, true_no",
        [condition_no],
    ):
        values.setdefault(block, []).append(
            TrueValue(names[block], time, latitude if number is None else number, longitude)
        )
    excluded = engine.rows("select topic_id from registry.excluded_topic where condition_no = ?", [condition_no])
    return Truth(blocks, windows, values, frozenset(bare_event(event) for [event] in excluded))


def _insert(engine: Engine, table: str, condition_no: int, columns: Columns) -> None:
    engine.insert(table, {"condition_no": condition_no, **columns})


FORMATS = {"vt": RunReader(read_values, "team and run name")}
