"""TREC's files of lines: runs (topic, Q0, document, rank, score, tag) and qrels (topic, iteration, document, grade).

A run is a set in filtering: what is in it was retrieved (yes). The second field and the rank are not used, as in NIST's
own program. A score of ``-`` says that the system gave none; then no line of the run may have one, and each is 1. One
file may have several runs, distinguished by their tags. Lines that begin with ``#`` are comments.

Code   Meaning
E401   not four fields
E402   the grade is not a whole number
E411   not six fields
E412   the score is not a number
W413   the score is infinite; replaced by 9e99 or -9e99, the highest and lowest scores
E414   a duplicate document for one topic in one run
E417   the first line names the columns
"""

import re
from collections.abc import Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source, Text, open_texts
from tdtsql.files.rows import Rows, finish, scan_lines
from tdtsql.files.text import looks_like_header
from tdtsql.load.forms import FORMS


def read_runs(engine: Engine, inputs: Inputs, files: Sequence[Source]) -> Rows:
    """Return the lines of run files, in ``read_run``: file, line, topic_id, story_id, score, run_id (the tag)."""
    texts = open_texts(inputs, files, "TREC run")
    for text in texts:
        _skip_header(text)
    rows = scan_lines(engine, texts, FORMS["run"])
    engine.execute(
        "update read_run set score = if(isnan(score), 1, greatest(least(score, 9e99), -9e99)) "
        "where isnan(score) or abs(score) > 9e99"
    )
    return finish(inputs, rows, "TREC run")


def _skip_header(text: Text) -> None:
    """Report a first line that names the columns (E417), and skip it."""
    is_line = (row for row in text.head() if row[1].strip() and not row[1].lstrip().startswith("#"))
    line, first = next(is_line, (0, ""))
    words = first.split()
    if looks_like_header(words[3:5] if len(words) == 6 else re.sub("[,;]", " ", first).split()[2:]):
        said = "the line looks like a header, and run files have none"
        text.problems.add("E417", said, "Drop the line.", line, value=first.strip())
        text.skip = line


def read_qrels(engine: Engine, inputs: Inputs, files: Sequence[Source], conflict: str = "error") -> Rows:
    """Return the judgments of qrels files, of each topic and document one of a file, in ``read_qrels``: file, line,
    topic_id, story_id, grade, and pair_line, that of the first judgment on the pair.

    Args:
        conflict: what different grades of one pair mean: an error, or the highest, the lowest or the last of them
            counts (and it is a warning).
    """
    texts = open_texts(inputs, files, "qrels")
    rows = scan_lines(engine, texts, FORMS["qrels"])
    pair = "file, topic_id, story_id"
    engine.execute("alter table read_qrels add column pair_line bigint")
    engine.execute("update read_qrels set pair_line = line")
    if engine.value(f"select count(*) - count(distinct hash({pair})) from read_qrels"):
        rows.check("trec/W404")
        rows.check("trec/E403", {"conflict": conflict})
        order = {"highest": "grade desc, line", "lowest": "grade, line", "last": "line desc"}.get(conflict, "line")
        engine.execute(f"""
            create or replace temp table read_qrels as
            select * replace (min(line) over (partition by {pair}) as pair_line) from read_qrels
            qualify row_number() over (partition by {pair} order by {order}) = 1""")
    return finish(inputs, rows, "qrels")
