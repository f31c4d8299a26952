"""Outputs of TDT systems and keys of link detection: comments, a header line, and records between blanks.

Tracking and new event output have records

    <source file> <pointer> <decision> <score>

A record of a recid or time file holds from its pointer to the next record of the same source file, so the pointers of
a source file must rise and a source file must be one block. A docno record is about that story only, in any order; its
source field is a placeholder. Link output has two story ids in place of source file and pointer. ``#`` begins a
comment. An infinite score becomes 9e99 or -9e99, the ends of the scale. The headers are

    tracking   <system> <yes|no: were boundaries given> <Nt> <topic> <recid|time|docno>
    new_event  <system> <yes|no> <deferral> <recid|time|docno>
    link       <system> <deferral>
    link key   # LINK_DETECTION

NIST's program refuses docno pointers of new event output, and takes any answer of a key but TARGET for NONTARGET; here
the first are accepted, and the second are an error, because a misspelt TARGET would vanish.

Code   Meaning
E200   tracking output: no header of five fields
E201   tracking output: the boundaries field is neither yes nor no
E202   tracking output: a pointer type other than recid, time or docno
E203   Nt is not a number, or V
W204   Nt other than 1, 2, 4, 8, 16 or V
E205   the topic is not a number
E206   tracking output: a record without four fields
E207   tracking output: a decision other than yes or no
E208   a score that is not a number, NaN included
W209   tracking output: an infinite score
E210   tracking output: a story with two decisions
E211   tracking output: a pointer that is not a position
E220   new event output: no header of four fields
E221   new event output: the boundaries field is neither yes nor no
E222   new event output: a pointer type other than recid, time or docno
E223   new event output: the deferral period is not a whole number
W224   new event output: a deferral period other than 1, 10 or 100
E226   new event output: a record without four fields
E227   new event output: a decision other than yes or no
E228   new event output: a score that is not a number, NaN included
W229   new event output: an infinite score
E230   new event output: a story with two decisions
E231   new event output: a pointer that is not a position
E240   link output: no header of two fields
W241   link output: a deferral period other than 1, 10 or 100, or none
E242   link output: the deferral period is not a whole number
E243   link output: a record without four fields
E244   link output: a decision other than yes or no
E245   link output: a score that is not a number, NaN included
W246   link output: an infinite score
E247   link output: a pair with two decisions
E250   a link key without a header
W251   the header of a link key names another task than LINK_DETECTION
E252   a line of a link key without four fields
E253   an answer other than TARGET, NONTARGET or OTHER
E254   a pair that the link key answers twice
E255   a link key without any pair

Source: The 2004 TDT evaluation plan, B.3, B.5 and B.6; TDT3eval v2.6 as read.
"""

from collections.abc import Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source, Text, open_texts
from tdtsql.files.rows import Rows, finish, line_part, scan, scan_lines
from tdtsql.load.forms import FORMS
from tdtsql.load.headers import read_headers

#: pointer type -> what is in the first two cells; the docno alone says which story is meant
_POINTERS = {
    "docno": {"story_id": 1},
    "recid": {"source": 0, "recid": 1},
    "time": {"source": 0, "seconds": 1},
}
_ODD_POINTER, _PAIR = {"source": 0, "pointer": 1}, {"story_id_1": 0, "story_id_2": 1}


def read_outputs(engine: Engine, inputs: Inputs, task: str, files: Sequence[Source]) -> Rows:
    """Return the records of output files, in ``read_output``; ``header`` has what the header of each file says.

    The columns are file, line, is_yes, score, and story_id, or source with recid or seconds (by the pointer type of
    the file) or, of link, story_id_1 and story_id_2.
    """
    form, kind = FORMS[f"{task} output"], f"{task.replace('_', ' ')} output"
    texts = open_texts(inputs, files, kind)
    read_headers(engine, texts, "output", is_comment=False, task=task)
    pointer_type = dict(engine.rows("select file, pointer_type from header"))
    alike: dict[str | None, list[Text]] = {}  #: pointer type -> texts
    for text in texts:
        alike.setdefault(pointer_type.get(text.file), []).append(text)
    parts = []
    for pointer, texts in alike.items():
        numbers = _PAIR if task == "link" else _POINTERS.get(pointer or "", _ODD_POINTER)
        parts.append(line_part(engine, texts, form, {**numbers, "is_yes": 2, "score": 3}, 4))
    rows = scan(engine, form, parts)
    if {"recid", "time"} & alike.keys():
        for check in ("rising", "block"):
            rows.check(f"output/{check}")
    return finish(inputs, rows, kind)


def read_link_keys(engine: Engine, inputs: Inputs, files: Sequence[Source]) -> Rows:
    """Return the answers of key files, in ``read_link_key``: file, line, id_1, id_2, answer (in capitals), block."""
    texts = open_texts(inputs, files, "link key")
    read_headers(engine, texts, "key")
    rows = scan_lines(engine, texts, FORMS["link key"])
    filled = set(engine.column("select distinct file from read_link_key"))
    for text in texts:
        if text.file not in filled and not text.problems.errors:
            said = "the key holds no pair, expected at least one"
            text.problems.add("E255", said, "Complete the key file.", 1, 1)
    return finish(inputs, rows, "link key")
