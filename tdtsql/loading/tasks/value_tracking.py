"""Value tracking into the base tables: true values of a condition's events, then what the runs submitted.

Code   Meaning
E549   no event has a true value of an attribute
E578   an unknown event
W578   an attribute without a true value; left out
W579   a value submitted before the event starts (it is carried in) or after its end (without effect)
"""

from collections.abc import Iterator, Sequence
from functools import partial

from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.geodesic import distance
from tdtsql.load.plan import (
    of_run,
    ConditionSpec,
    PendingRun,
    Source,
    StoredCondition,
    WrittenSpec,
    by_column,
    drop_tables,
    make_table,
    runs_of_rows,
)
from tdtsql.loading.ts_files import read_rows, require, set_file_rules
from tdtsql.reader.ts_rows import BARE_EVENT, bare_event
from tdtsql.reader.ts_tidy import tidy_events
from tdtsql.reader.ts_topics import ATTRIBUTES, EventRow, read_ts_topics
from tdtsql.reader.value_run import read_value_run
from tdtsql.tasks.declaration import RunFormat

#: true values of an event: block, event, attribute
_Block = tuple[int, EventRow, str]


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the events of a condition and number their attributes."""
    inputs, spec = condition.inputs, condition.spec
    rules = set_file_rules(engine, condition)
    require(condition, "events")
    [*_, events] = [[], *read_rows(inputs, spec, "events", read_ts_topics, tidy_events)]  # the last file says it
    excluded = left_out(condition, [event.event for event in events])
    chosen = [
        (event, attribute)
        for event in events
        for attribute in ATTRIBUTES
        if event.event not in excluded and any(value.attribute == attribute for value in event.values)
    ]
    if "events" in spec and not chosen and not inputs.has_errors:
        said = "no event has a true value of an attribute"
        inputs.add("E549", spec["events"], said, "Name the topics file with the values.")
    blocks = [(number, *block) for number, block in enumerate(chosen, start=1)]
    names = [f"{bare_event(event.event)}/{attribute}" for event, attribute in chosen]
    return WrittenSpec(
        [*names, str(rules)], lambda engine, condition_no: _write_condition(engine, condition_no, blocks)
    )


def _write_condition(engine: Engine, condition_no: int, blocks: Sequence[_Block]) -> None:
    """Store the attributes that have a true value, and their values in time."""
    names = [name for name in ATTRIBUTES if any(attribute == name for _, _, attribute in blocks)]
    subset_no = {name: number for number, name in enumerate(names, start=1)}
    values = [
        (block_no, number, value.time, *_number(value.latitude, value.longitude))
        for block_no, event, attribute in blocks
        for number, value in enumerate(
            sorted((value for value in event.values if value.attribute == attribute), key=lambda value: value.time), 1
        )
    ]
    for table, columns, rows in (
        (
            "base.attribute",
            "block_no subset_no event_id attribute start_time end_time",
            [(number, subset_no[name], event.event, name, event.start, event.end) for number, event, name in blocks],
        ),
        (
            "base.block",
            "block_no block_id is_scored",
            [(number, f"{event.event}/{attribute}", 1) for number, event, attribute in blocks],
        ),
        (
            "base.subset",
            "subset_no subset kind",
            [(0, "all", "all"), *((number, f"attribute={name}", "attribute") for name, number in subset_no.items())],
        ),
        ("base.true_value", "block_no true_no true_time number latitude longitude", values),
    ):
        engine.insert(table, {"condition_no": condition_no, **by_column(rows, *columns.split())})


def _number(latitude: float, longitude: float | None) -> tuple[float | None, float | None, float | None]:
    """Return number, latitude and longitude of a value: a number, or a location."""
    return (latitude, None, None) if longitude is None else (None, latitude, longitude)


# ---- runs

#: what is reported of a row (code and message) by SQL: the first that holds
_REPORTED = (
    ("span.bare is null", "E578", "'event ' || event || ' is not in the topics file'"),
    (
        "known.block_no is null",
        "W578",
        "'event ' || event || ' has no true value of ' || said.attribute || '; left out'",
    ),
    ("value_time < span.start_time", "W579", "'submitted before the event starts; carried in'"),
    ("value_time >= span.end_time", "W579", "'submitted at or behind the end of the event; without effect'"),
)
_COLUMNS = (
    "place bigint",
    "event varchar",
    "run_id varchar",
    "document_id varchar",
    "sentence_id varchar",
    "value_time bigint",
    "attribute varchar",
    "number double",
    "latitude double",
    "longitude double",
    "confidence double",
)


def read_values(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the track's runs of values, each named by its rows."""
    engine, condition_no = target.engine, target.condition_no
    rows = FileRows("submitted")
    make_table(engine, rows.table, _COLUMNS)
    for given, path in files:
        found = inputs.read(given, path, "vt", read_value_run)
        values = [(*row[:7], *_number(row.latitude, row.longitude), row.confidence) for row in found]
        columns = by_column(values, *(column.split()[0] for column in _COLUMNS))
        rows.append(engine, given, columns.pop("place"), columns)
    bare, reasons = BARE_EVENT.format("event_id"), " ".join(f"when {rule} then {sql}" for rule, _, sql in _REPORTED)
    codes = " ".join(f"when {rule} then '{code}'" for rule, code, _ in _REPORTED)
    engine.execute(f"""
        create or replace temp table {rows.table} as
        with attribute as (
            select {bare} as bare, block_no, attribute, start_time, end_time from base.attribute
            where condition_no = {condition_no})
        select said.*, known.block_no, case when left_out.bare is null then case {reasons} end end as message,
            case {codes} end as code
        from (select *, {BARE_EVENT.format("event")} as bare from {rows.table}) as said
        left join (select {BARE_EVENT.format("topic_id")} as bare from registry.excluded_topic
            where condition_no = {condition_no}) as left_out on left_out.bare = said.bare
        left join (select bare, min(start_time) as start_time, min(end_time) as end_time from attribute
            group by bare) as span on span.bare = said.bare
        left join attribute as known on known.bare = said.bare and known.attribute = said.attribute""")
    for code, message, n_row, place, value in engine.rows(f"""
            select code, message, count(*), min(place),
                case code when 'E578' then any_value(event) when 'W579' then arg_min(value_time, place)::varchar end
            from {rows.table} where message is not null group by {rows.file_sql}, run_id, code, message
            order by min(place)"""):
        many = f"; {n_row} such rows" if n_row > 1 else ""
        advice = "Fix the event id, or drop the rows." if code == "E578" else ""
        path, line = rows.at(place)
        inputs.add(code, path, message + many, advice, line, value)
    example = engine.value(
        f"select {bare} || '/' || attribute from base.attribute where condition_no = {condition_no}"
        " order by block_no limit 1"
    )
    pending = runs_of_rows(engine, rows.table, rows)
    for name, n_row, n_placed in engine.rows(
        f"select run_id, count(*), count(block_no) from {rows.table} group by run_id order by min(place)"
    ):
        loaded = pending(name, partial(_write_run, engine, condition_no, rows.table, name))
        if not n_placed and example is not None:
            known = "the attributes with a true value"
            inputs.say_disjoint(next(iter(loaded.files or ())), n_row, "values of the run", known, name, example)
        yield loaded
    drop_tables(engine, rows.table)


def _write_run(engine: Engine, condition_no: int, table: str, name: str, run_no: int) -> int:
    """Store the values of a run, and the distance of each location from every true one of its block; returns its
    rows.
    """
    placed = f"""(
        select * from (select *, row_number() over (order by place) as value_no from {table} where block_no is not null)
        where {of_run(name)})"""
    engine.execute(f"""
        insert into base.submitted_value (run_no, block_no, value_no, value_time, number, latitude, longitude,
            confidence, document_id, sentence_id)
        select {run_no}, block_no, value_no, value_time, number, latitude, longitude, confidence, document_id,
            sentence_id
        from {placed} order by value_no""")
    pairs = engine.rows(f"""
        select placed.block_no, value_no, true_no, placed.latitude, placed.longitude, known.latitude, known.longitude
        from {placed} as placed join base.true_value as known
            on known.condition_no = {condition_no} and known.block_no = placed.block_no
        where placed.longitude is not null order by value_no, true_no""")
    columns = "block_no", "value_no", "true_no", "distance_km", "is_vincenty"
    distances = [(*pair[:3], *distance(*pair[3:])) for pair in pairs]
    engine.insert("base.value_distance", {"run_no": run_no, **by_column(distances, *columns)})
    return engine.value(f"select count(*) from {table} where {of_run(name)}")


FORMATS = {"vt": RunFormat(read_values, "team and run name")}
