"""Value tracking into the base tables: true values of a condition's events, then what the runs submitted.

Code   Meaning
E549   no event has a true value of an attribute
E578   an unknown event
W578   an attribute without a true value; left out
W579   a value submitted before the event starts (it is carried in) or after its end (without effect)
"""

from collections.abc import Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source
from tdtsql.load.plan import ConditionSpec, Staged, StoredCondition, by_column, drop_tables, files_of_runs
from tdtsql.loading.tasks.summarization import file_rules
from tdtsql.load.ts_files import FileRules, read_track
from tdtsql.load.ts_topics import ATTRIBUTES, read_events
from tdtsql.loading.condition import Condition, left_out, needed_files
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.geodesic import distance
from tdtsql.tasks.declaration import RunFormat


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the events of a condition and number their attributes."""
    inputs, rules = condition.inputs, file_rules(engine, condition)
    read_events(engine, inputs, needed_files(condition, "events"))
    excluded = left_out(condition, engine.column("select event_id from read_events order by file, line"))
    spec = ConditionSpec(["value_tracking/condition"], inputs)
    execute(
        engine, "value_tracking/vt_value", {"attributes": list(ATTRIBUTES), "excluded": sorted(excluded)}, "vt_value"
    )
    drop_tables(engine, "read_events", "read_true_values")
    names = engine.column("select distinct on (block_no) block_id from vt_value order by block_no")
    if "events" in condition.spec and not names and not inputs.has_errors:
        said = "no event has a true value of an attribute"
        inputs.add("E549", condition.spec["events"], said, "Name the topics file with the values.")
    spec.names = [*names, str(rules.program)]
    spec.keep(engine, "vt_value")
    return spec


# ---- runs


def read_values(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> Staged:
    """Return the track's runs of values, each named by its rows."""
    engine, paths = target.engine, [given for given, _ in files]
    condition = {"condition": target.condition_no}
    read_track(engine, inputs, "vt", files, FileRules())
    execute(engine, "value_tracking/vt_row", condition, "vt_row")
    report(inputs, paths, engine, "value_tracking/E578", condition)
    example = engine.value(
        "select event_id || '/' || attribute from base.attribute where condition_no = $condition "
        "order by block_no limit 1",
        condition,
    )
    runs = files_of_runs(engine, paths, "vt_row")

    def write(name: str | None, run_no: int) -> int:
        """Store the values of a run, and the distance of each location from every true one of its block; return its
        rows.
        """
        own = {**condition, "run_id": name, "run": run_no}
        [(n_row, n_placed)] = engine.rows(
            "select count(*), count(block_no) from vt_row where run_id = $run_id", {"run_id": name}
        )
        if not n_placed and example is not None:
            known = "the attributes with a true value"
            inputs.say_disjoint(runs[name][0], n_row, "values of the run", known, name, example)
        execute(engine, "value_tracking/run", own)
        pairs = engine.rows(
            """
            select said.block_no, value_no, true_no, said.latitude, said.longitude, known.latitude, known.longitude
            from (select * from base.submitted_value where run_no = $run and longitude is not null) as said
            join (select * from base.true_value where condition_no = $condition) as known using (block_no)
            order by value_no, true_no""",
            {"run": run_no, **condition},
        )
        columns = "block_no", "value_no", "true_no", "distance_km", "is_vincenty"
        distances = [(*pair[:3], *distance(*pair[3:])) for pair in pairs]
        engine.insert("base.value_distance", {"run_no": run_no, **by_column(distances, *columns)})
        return n_row

    return Staged(runs, write, paths, "vt_row", tables=("read_values", "vt_row"))


FORMATS = {"vt": RunFormat(read_values, "team and run name")}
