"""Pointers mapped to stories by `sql/load/output/mapped.sql`: one source file, its records and its stories."""

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute

_ENGINES: list[Engine] = []


def map_pointers(begins, ends, pointers, is_yes, scores, *, pointer_type, mapping, is_shortened=True):
    """Return (score, is_yes) of each of S stories of a source file.

    Args:
        begins, ends: S positions where the stories begin and end, in the order of the file; None: unknown.
        pointers, is_yes, scores: position, decision and score of each of R records.
        is_shortened: keep 15 significant digits (tracking), or every bit (new event).
    """
    if not _ENGINES:
        _ENGINES.append(Engine(":memory:"))
    [engine] = _ENGINES
    engine.execute_all(
        [
            "create or replace temp table answer as select 0 as file, 1 as line",
            "create or replace temp table output_record (file integer, source varchar, line bigint, start double, "
            "is_yes boolean, score double)",
            "create or replace temp table output_story (file integer, source varchar, story_no integer, "
            "story_id varchar, is_time boolean, start double, stop double)",
        ]
    )
    records = [(0, "F", line, *row) for line, row in enumerate(zip(pointers, is_yes, scores, strict=True), 2)]
    engine.insert_rows("output_record", "file source line start is_yes score".split(), records)
    spans = enumerate(zip(begins, ends, strict=True), 1)
    stories = [(0, "F", number, f"{number}", pointer_type == "time", *span) for number, span in spans]
    engine.insert_rows("output_story", "file source story_no story_id is_time start stop".split(), stories)
    execute(engine, "output/mapped", {"mapping": mapping, "is_by_topic": is_shortened})
    return engine.rows("select score, is_yes from mapped_decision order by cast(story_id as integer)")
