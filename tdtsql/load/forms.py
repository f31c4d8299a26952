"""The forms of tidy tables and of official files of lines (``forms.toml``).

Tidy tables have one row per thing, columns found by their names in the header, in any order. CSV follows RFC 4180,
broken quotes are errors. TSV is the same with tabs, except that a quote inside a field that does not begin with one is
a character like any other. Parquet files and data frames pass the same checks by columns. What any table may have wrong
is in `tdtsql.files.table`.

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

from collections.abc import Mapping
from typing import Any

from tdtsql.toml_file import toml_beside
from tdtsql.files.kinds import KINDS, Kind
from tdtsql.files.rows import Form, first_wrong, line_end, whole_line
from tdtsql.files.text import fields_with_columns

#: name -> what returns column and value of a line of another number of fields
WIDTH_AT = {
    "line": whole_line,
    "end": line_end,
    "first": first_wrong,
    "first of line": lambda text, width: (first_wrong(text, width)[0], text.strip()),
    "last of line": lambda text, width: (fields_with_columns(text)[-1][0], text.strip()),
}


def _form(fields: str, kinds: Mapping[str, Mapping[str, Any]] = {}, width_at: str = "line", **more: Any) -> Form:
    of_fields: dict[str, Kind | None] = {}
    for name, _, kind in (field.partition(":") for field in fields.split()):
        known = KINDS[kind] if kind else Kind() if name in kinds else None
        of_fields[name] = known and known._replace(**kinds.get(name, {}))
    return Form(fields=of_fields, width_at=WIDTH_AT[width_at], **more)


_SAID = toml_beside(__file__)
#: name -> form: of tables, and of all files
TIDY = {name: _form(**{"name": name, "separator": ","} | own) for name, own in _SAID["tidy"].items()}
FORMS = TIDY | {name: _form(**{"name": name} | own) for name, own in _SAID["lines"].items()}
