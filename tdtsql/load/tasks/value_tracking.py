"""Value tracking into the base tables: true values of a condition's events, then what the runs submitted.

Distances are Vincenty's (``sql/load/value_tracking/distance``). His formula does not converge for nearly antipodal
points; there they are those of C. F. F. Karney, "Algorithms for geodesics", 2013.

Code   Meaning
E549   no event has a true value of an attribute
E578   an unknown event
W578   an attribute without a true value; left out
W579   a value submitted before the event starts (it is carried in) or after its end (without effect)
"""

from collections.abc import Sequence

from geographiclib.geodesic import Geodesic

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source
from tdtsql.load.plan import ConditionSpec, RunSpec, StoredCondition, drop_tables, files_of_runs
from tdtsql.load.tasks.summarization import file_rules
from tdtsql.load.ts_files import read_track
from tdtsql.load.ts_topics import ATTRIBUTES, read_events
from tdtsql.load.condition import Condition, left_out, needed_files
from tdtsql.load.corpus import Corpus
from tdtsql.tasks.declaration import RunFormat


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the events of a condition and number their attributes."""
    inputs, program = condition.inputs, file_rules(engine, condition)
    read_events(engine, inputs, needed_files(condition, "events"))
    excluded = left_out(condition, engine.column("select event_id from read_events order by file, line"))
    spec = ConditionSpec(steps=["value_tracking/condition"], inputs=inputs)
    execute(
        engine, "value_tracking/vt_value", {"attributes": list(ATTRIBUTES), "excluded": sorted(excluded)}, "vt_value"
    )
    drop_tables(engine, "read_events", "read_true_values")
    names = engine.column("select distinct on (block_no) block_id from vt_value order by block_no")
    if "events" in condition.spec and not names and not inputs.has_errors:
        said = "no event has a true value of an attribute"
        inputs.add("E549", condition.spec["events"], said, "Name the topics file with the values.")
    spec.names = [*names, str(program)]
    spec.keep(engine, "vt_value")
    return spec


# ---- runs


class _Values(RunSpec):
    """Runs of values, with the distance of each location from every true one of its block."""

    def write(self, engine: Engine, condition_no: int) -> None:
        RunSpec.write(self, engine, condition_no)
        columns = "run_no", "block_no", "value_no", "true_no", "distance_km", "is_vincenty"
        rows = [
            (*numbers, Geodesic.WGS84.Inverse(*places)["s12"] / 1000, 0)
            for *numbers, places in engine.rows(
                """
                select run_no, block_no, value_no, true_no,
                    [said.latitude, said.longitude, known.latitude, known.longitude]
                from vt_distance
                join base.submitted_value as said using (run_no, block_no, value_no)
                join (from base.true_value where condition_no = ?) as known using (block_no, true_no)
                where distance_km is null
                order by run_no, value_no, true_no""",
                [condition_no],
            )
        ]
        engine.insert_rows("base.value_distance", columns, rows)


def read_values(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> RunSpec:
    """Return the track's runs of values, each named by its rows."""
    paths = [given for given, _ in files]
    read_track(target.engine, inputs, "vt", files, None)
    inputs.tables.append("read_values")
    return _Values(
        steps=[f"value_tracking/{name}" for name in ("vt_row", "E578", "E870", "run", "distance")],
        inputs=inputs,
        paths=paths,
        runs=files_of_runs(target.engine, paths, "read_values"),
        rows="read_values",
        counted="vt_row",
    )


FORMATS = {"vt": RunFormat(read_values, "team and run name")}
