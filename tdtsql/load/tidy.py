"""The forms of tidy tables: one row per thing, columns found by their names in the header, in any order.

CSV follows RFC 4180, broken quotes are errors. TSV is the same with tabs, except that a quote inside a field that does
not begin with one is a character like any other. Parquet files and data frames pass the same checks by columns. What
any table may have wrong is in `tdtsql.files.table`.

Code   Meaning
E307   not a whole number of 0 or more
E308   not a number, NaN included
W309   an infinite score or position
E310   a decision other than yes or no (true or false, 1 or 0)
E311   a label other than yes, brief or no
E312   not a date and time
E313   not a flag (yes or no)
E314   a duplicate row key
E315   contradictory judgments of a story for one topic
E316   one of the two ends of a span is missing
W317   a span that is empty or reversed

Source: the project's interface, section 4; RFC 4180 for CSV.
"""

from typing import Any
from tdtsql.files.kinds import DECISION, FLAG, ID, LABEL, RECID, SCORE, SECONDS, TEXT, TIME, WHOLE
from tdtsql.files.rows import Form

#: name of a kind -> it
KINDS = {
    "id": ID,
    "text": TEXT,
    "whole": WHOLE,
    "recid": RECID,
    "seconds": SECONDS,
    "score": SCORE,
    "decision": DECISION,
    "label": LABEL,
    "time": TIME,
    "flag": FLAG,
}


def tidy(name: str, required: str, optional: str = "", key: str = "", **more: Any) -> Form:
    """Return the form of a tidy table of columns (``name:kind``) and a key, separated by blanks.

    An optional column may be empty, or not be there; but a run, a decision or a score is in every row or in none.
    """
    wanted, other = (dict(column.split(":") for column in columns.split()) for columns in (required, optional))
    kinds = {column: KINDS[kind] for column, kind in {**wanted, **other}.items()}
    keyed = tuple(key.split())
    return Form(
        name,
        kinds,
        optional=[column for column in other if column not in ("run_id", "decision") and kinds[column] is not SCORE],
        absent=list(other),
        key=keyed,
        repeated_at=keyed[-1] if keyed else None,
        separator=",",
        **more,
    )


_DECIDED = "decision:decision run_id:id"

#: name -> form
TIDY = {
    form.name: form
    for form in (
        tidy(
            "stories",
            "story_id:id position:whole",
            "source_file:text source:text language:text kind:text begin_recid:recid end_recid:recid begin_sec:seconds "
            "end_sec:seconds published_at:time",
            "story_id",
            needs_rows=True,
            checks=("corpus/E316", "corpus/W317"),
        ),
        tidy("topics", "topic_id:id", "title:text languages:text is_complete:flag", "topic_id"),
        tidy(
            "judgments",
            "topic_id:id story_id:id label:label",
            "",
            "topic_id story_id",
            checks=("corpus/E315",),
            repeated=("", "", ""),
        ),
        tidy("trials", "topic_id:id story_id:id", "", "topic_id story_id"),
        tidy("link_trials", "story_id_1:id story_id_2:id", "", "story_id_1 story_id_2"),
        tidy("training", "topic_id:id story_id:id", "", "topic_id story_id"),
        tidy("tracking", "topic_id:id story_id:id score:score", _DECIDED, "run_id topic_id story_id"),
        tidy(
            "filtering",
            "topic_id:id story_id:id decision:decision",
            "score:score run_id:id",
            "run_id topic_id story_id",
        ),
        tidy("new_event", "story_id:id score:score", _DECIDED, "run_id story_id"),
        tidy("link", "story_id_1:id story_id_2:id score:score", _DECIDED, "run_id story_id_1 story_id_2"),
        tidy(
            "nuggets",
            "event_id:id nugget_id:id time:whole importance:score",
            "length:whole text:text",
            needs_rows=True,
            checks=("summarization/E505", "summarization/W506"),
        ),
        tidy(
            "updates",
            "event_id:id update_id:id",
            "length:whole duplicate_of:id text:text",
            checks=("summarization/W507",),
        ),
        tidy(
            "matches",
            "event_id:id update_id:id nugget_id:id start:whole end:whole",
            checks=("summarization/E508", "summarization/W508"),
        ),
        tidy(
            "events",
            "event_id:id start:whole end:whole",
            "title:text kind:text",
            "event_id",
            needs_rows=True,
            checks=("summarization/E544",),
        ),
        tidy("summarization", "event_id:id update_id:id time:whole", "run_id:id confidence:score"),
    )
}
