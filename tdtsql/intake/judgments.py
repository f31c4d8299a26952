"""Judgments as a tidy file: where it is clean the engine reads it, and no row becomes an object of Python."""

from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.intake.clean_table import clean_table
from tdtsql.files.find import Inputs
from tdtsql.reader.field import LEVELS
from tdtsql.reader.tidy import FORMS

#: an id that the reader accepts in any context: letters, digits and signs of ASCII without quotes, no blank at an
#: end
_USUAL = "[!#-~]([ !#-~]*[!#-~])?"


def parse_judgments(engine: Engine, inputs: Inputs, given: str, path: Path, stories: str, name: str) -> str | None:
    """Return the temporary table ``name`` of the judgments of a clean file; None where the reader has to look.

    Its columns: place, topic_id, story_id, label, path, line, and the story's story_no and language (NULL: the corpus
    has no such story).

    Args:
        stories: relation (story_id, story_no, language), each story once.
    """
    table = clean_table(engine, inputs, given, path, "tidy judgments")
    if (
        table is None
        or set(table.types) != set(FORMS["judgments"].required)
        or set(table.types.values()) != {"VARCHAR"}
        or not table.n_row
    ):
        return None
    # numbered before the join, which may give the rows in another order
    with engine.joining_files():
        parsed = engine.make_temporary(
            name,
            f"""
            select line as place, topic_id, story_id, label, {sql_literal(given)} as path, line, story_no, language
            from (select row_number() over () + {table.skip} as line, topic_id, story_id, lower(label) as label
            from {table.sql}) as given
            left join {stories} using (story_id)""",
        )
    labels = ", ".join(f"'{label}'" for label in LEVELS)
    [[n_row, n_usual]] = engine.rows(
        f"""
        select count(*), count(*) filter (regexp_full_match(topic_id, $usual) and regexp_full_match(story_id, $usual)
            and label in ({labels}))
        from {parsed}""",
        {"usual": _USUAL},
    )
    if (
        n_row != table.n_row
        or n_usual != n_row
        or engine.rows(f"select 1 from {parsed} group by topic_id, story_id having count(*) > 1 limit 1")
    ):
        engine.execute(f"drop table {parsed}")
        return None
    inputs.note(given, path, "tidy judgments")
    inputs.bulk.append(("staging.tidy_judgment", given, "line, topic_id, story_id, label", parsed))
    return parsed
