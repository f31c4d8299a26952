"""Rows of the files of TREC Temporal Summarization and value tracking, as the track's programs split them.

    nuggets     query_id  nugget_id  timestamp  importance  nugget_len  nugget_text
    updates     query_id  update_id  doc_id  sentence_id  update_len  duplicate_id  update_text
    matches     query_id  update_id  nugget_id  match_start  match_end  auto_p
    duplicates  update_id  update_id                                    (2015: the same text)
    runs        query_id  team_id  run_id  document_id  sentence_id  decision_time  confidence  [length]
    values      query_id  team_id  run_id  document|NULL  sentence|NULL  time  attribute  value  confidence

Runs and values have no header; a run's id is TEAM-RUN, and their columns are separated by white space. The order of the
rows of a run matters for updates with the same time; its lengths are not used. Offsets of matches count bytes from 0,
the end is exclusive; a row whose offsets cannot be read is accepted without them where the official program counts the
nugget as matched. Attributes of values are deaths, injuries, displaced, financialimpact (numbers, 0 or more) and
locations (``latitude,longitude``; a blank after the comma is allowed); ``#`` starts a comment there.

The three years' programs split lines differently and name events differently. A profile says which program's rules
hold; without one the strict rules do: columns are separated by tabs, and a bad row is an error.

    rules    columns          bad row   event id in a run
    ts2013   any white space  skipped   literally as in the nuggets file
    ts2014   tabs             skipped   a number n means TS14.n
    ts2015   tabs, trimmed    skipped   a prefix like TS15. is ignored everywhere
    strict   tabs             error     literally, else without the prefix

Code   Meaning
E500   a line with too few columns
W500   a bad row, skipped as the track's program does
E501   a value that is not a whole number
W501   a file without a header line
E502   a value that is not a number
W502   a line that is not UTF-8
E503   an impossible length
W503   a blank line, skipped
W504   an empty text
E505   an importance outside the scale 0 to 3
W505   an importance outside the scale 0 to 3, which the profile's program accepts
W506   a repeated nugget id: the last row counts
W507   a repeated update id: the last row counts
E508   negative offset
W508   a reversed or empty span
E511   a line of duplicates with fewer than two ids
E551   too few columns of a run
W551   an infinite confidence, taken as 1000
E552   the decision time is missing or not a whole number
W552   a row of one token, skipped
E553   the confidence is not a number
W553   a line of a run that is not UTF-8
E554   the confidence is not a number that can be compared (NaN)
E555   too many columns
W555   too many columns, of which the track's program reads the first seven
E556   a header line of a run
E571   wrong number of columns of a value
E572   an invalid time
E573   an unknown attribute
E574   an invalid value
E575   a coordinate outside the range of latitude or longitude
E576   a confidence that is not above 0
E577   only one of document and sentence is NULL
E579   a header line of values
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tdtsql.toml_file import toml_beside
from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs
from tdtsql.files.kinds import KINDS, value_sql
from tdtsql.files.lines import Source, Text, lines, open_text
from tdtsql.files.rows import Form, Part, Rows, finish, scan
from tdtsql.files.table import read_table
from tdtsql.files.text import numbered_lines
from tdtsql.load.forms import FORMS
from tdtsql.load.headers import read_headers

_BLANK = " \t\n\r\v\f"


@dataclass(frozen=True, slots=True)
class Official:
    """An official format of the track."""

    form: Form
    cells: Mapping[str, str]  #: field -> SQL of its text, from the columns f
    whole: Sequence[int] = ()  #: columns of whole numbers, which distinguish the header of judgments from data
    header: str = ""  #: code of a header line, where there should be none
    not_utf8: tuple[str, str] = ("W502", "the line is not valid UTF-8; it is read as Latin-1")
    lenient: Sequence[str] = ()  #: fields that may be wrong in rows that a program reads
    is_blank_split: bool = False  #: its columns are separated by white space under all rules
    has_comments: bool = False  #: ``#`` begins one


def _official(kind: str, said: dict[str, Any]) -> Official:
    fields = said.pop("fields")
    form = Form(
        said.pop("rows", kind),
        {name: KINDS.get(own.get("kind")) for name, own in fields.items()},
        optional=said.pop("optional", ()),
        checks=said.pop("checks"),
        is_checked=True,
    )
    return Official(form, {name: own["text"] for name, own in fields.items()}, **said)


_SAID = toml_beside(__file__)
#: kind of file -> its format
OFFICIAL = {kind: _official(kind, said) for kind, said in _SAID.items()}


def is_tidy(given: str) -> bool:
    return given.removesuffix(".gz").endswith((".csv", ".parquet"))


def read_track(engine: Engine, inputs: Inputs, kind: str, files: Sequence[Source], program: str | None) -> Rows:
    """Return the sound rows of official files in the temporary table of their form; ``text_bytes`` of it are the bytes
    of a text, as letters.

    Args:
        kind: of `OFFICIAL`; also what the files are registered as.
        program: ts2013, ts2014, ts2015; None for the strict rules.
    """
    official, texts = OFFICIAL[kind], []
    latin: dict[int, list[int]] = {}  #: file -> lines that are not UTF-8
    for file, (given, path) in enumerate(files):
        latin[file] = []
        text = open_text(inputs, file, given, path, kind, partial(numbered_lines, latin=latin[file]))
        if text is not None:
            if text.lines and not text.lines[-1][1].strip(_BLANK):
                text.lines.pop()  # behind the last line end
            texts.append(text)
            _report_counted(text, *official.not_utf8, latin[file])
    own: dict[str, Any] = {
        "program": program,
        "skipped": f"; row skipped, as the {program} program does" if program else "",
        "code": official.header,
        "whole": official.whole,
        "need": 3 if kind == "matches" and program else 5,
    }
    if official.whole or official.header:
        read_headers(engine, texts, "track", blanks=_BLANK, **own)
    parts = [_part(engine, texts, official, program)] if texts else []
    form = replace(official.form, optional=official.lenient) if program and official.lenient else official.form
    rows = scan(engine, form, parts, own)
    if "text" in official.form.fields:
        keep_bytes(engine, rows, [(file, line) for file, some in latin.items() for line in some])
    return finish(inputs, rows, kind)


def _part(engine: Engine, texts: Sequence[Text], official: Official, program: str | None) -> Part:
    """Return the lines of texts as rows, those of judgments also where they are blank."""
    said = "coalesce(text, '')"
    if official.has_comments:
        said = f"regexp_replace(split_part({said}, '#', 1), ',[ \\t]+', ',', 'g')"
    split = "string_split(said, chr(9))"
    if official.is_blank_split or program == "ts2013":
        split = value_sql("ascii_words", "said")
    elif program == "ts2015":
        split = f"string_split(trim(said, '{_BLANK}'), chr(9))"
    where = "" if official.whole else f"where not {value_sql('is_blank', 'said')}"
    sql = f"""(
        select file, line, {"said" if official.whole else "trim(said, '" + _BLANK + "')"} as line_text, {split} as f
        from (select file, line, {said} as said from {lines(engine, texts)}) {where})"""
    files = {text.file: text.problems for text in texts}
    by_file = {text.file: text for text in texts}
    return Part(sql, official.cells, "f", {}, 0, files, by_file, separator=None)


def _report_counted(text: Text, code: str, message: str, lines_: Sequence[int]) -> None:
    """Report lines of one problem as one, with their number."""
    if lines_:
        many = f"; {len(lines_)} such rows" if len(lines_) > 1 else ""
        text.problems.add(code, message + many, "", lines_[0])


def keep_bytes(engine: Engine, rows: Rows, latin: Sequence[tuple[int, int]] = ()) -> None:
    """Add the column ``text_bytes`` to rows with a text: a letter for each of its bytes in UTF-8, blanks as they are.

    Args:
        latin: (file, line) of rows whose texts have a byte a letter.
    """
    engine.execute(f"alter table {rows.table} add column text_bytes varchar")
    listed = f"(file, line) not in ({', '.join(map(str, latin))})" if latin else "true"
    letters = "coalesce(text, '')"
    for first, last, n_byte in (("80", "7ff", 2), ("800", "ffff", 3), ("10000", "10ffff", 4)):
        letters = f"regexp_replace({letters}, '[\\x{{{first}}}-\\x{{{last}}}]', '{'x' * n_byte}', 'g')"
    engine.execute(f"update {rows.table} set text_bytes = if({listed}, {letters}, text)")


def read_judged(engine: Engine, inputs: Inputs, kind: str, files: Sequence[Source], program: str | None) -> Rows:
    """Return the rows of judgments, official or tidy ones (.csv, .parquet), in ``read_KIND``."""
    if any(not is_tidy(given) for given, _ in files) or kind not in FORMS:
        return read_track(engine, inputs, kind, files, program)
    rows = read_table(engine, inputs, FORMS[kind], files)
    if "text" in rows.form.fields:
        keep_bytes(engine, rows)
    return rows
