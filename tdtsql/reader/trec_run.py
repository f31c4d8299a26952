"""TREC run files: the documents that a system retrieved for each topic.

A line is ``topic Q0 document rank score tag``. In filtering the file is a set:
what is in it was retrieved (yes), everything else was not (no). The second
field and the rank are not used, as in NIST's own program. A score of ``-``
says that the system gave none; then no line of the run may have one. One file
may have several runs, distinguished by their tags.

Code   Meaning
E411   not six fields
E412   the score is not a number
W413   the score is infinite; replaced by 9e99 or -9e99, the highest and lowest scores
E414   a duplicate document for one topic in one run
E415   a run has lines with scores and lines without
E416   a score beyond 9e99
E417   the first line names the columns
"""

import math
import re
from array import array
from collections import Counter
from itertools import chain
from typing import NamedTuple

from tdtsql.errors import Problems, counted, verb
from tdtsql.reader.field import LARGEST_FINITE, looks_like_header, real
from tdtsql.reader.scan import SCORE, without_repeats
from tdtsql.reader.trec import lines_of, trec_fields

#: the highest score; its negative is the score of a trial that a system left out (2004 TDT plan, B.3)
HIGHEST_SCORE = 9e99
_SCORE = SCORE._replace(
    read=lambda text: math.nan if text == "-" else real(text),  # - says "no score"
    code="E412",
    wrong="the score is not a number",
    advice="Give a number, or - in every line of a run without scores.",
    infinite="W413",
    stored_as="9e99 or -9e99",
)
_FIELDS = ("topic", "Q0", "document", "rank", "score", "tag")
_LINES = trec_fields(_FIELDS, "E411", f"six: {', '.join(_FIELDS)}", {"score": _SCORE})
_COMMA = re.compile("[,;]")


class TrecRun(NamedTuple):
    """The rows of a run file as columns."""

    lines: array
    tags: list[str]
    topics: list[str]
    documents: list[str]
    scores: list[float]  #: 1 where the run gives none


def read_trec_run(data: bytes, problems: Problems) -> TrecRun:
    """Return the retrieved documents of all runs of a file."""
    lines = lines_of(data, problems)
    first = next(((line, text) for line, text in lines if text.strip()), (0, ""))
    parts = first[1].split()
    if looks_like_header(parts[3:5] if len(parts) == 6 else _COMMA.sub(" ", first[1]).split()[2:]):
        said = "the line looks like a header, and run files have none"
        problems.add("E417", said, "Drop the line.", first[0], value=first[1].strip())
    else:
        lines = chain([first], lines)
    columns, numbers, rows = _LINES.read(lines, problems)
    twice = "the run retrieved this document before for this topic, in line {earlier}"
    columns, numbers = without_repeats(columns, numbers, ("topic", "document", "tag"), problems, "E414", twice, None)
    tags, scores = columns["tag"], columns["score"]
    if scores and max(map(abs, scores)) > HIGHEST_SCORE:
        for line, score in zip(numbers, scores, strict=True):
            if HIGHEST_SCORE < abs(score) < LARGEST_FINITE:
                said = "a score beyond 9e99, the highest there is"
                problems.add("E416", said, "Scale the scores.", line, rows.column_on(line, "score"), score)
        scores = [max(-HIGHEST_SCORE, min(HIGHEST_SCORE, score)) for score in scores]
    unscored = [row for row, score in enumerate(scores) if score != score]
    n_row = Counter(tags) if unscored else {}
    for tag, n_unscored in Counter(tags[row] for row in unscored).items():
        if n_unscored < n_row[tag]:
            problems.add(
                "E415",
                f"{n_unscored:,} of {counted(n_row[tag], 'line')} of the run {verb(n_unscored, 'have')} no score, the "
                f"others have one",
                "Give a score in every line, or in none.",
                next(numbers[row] for row in unscored if tags[row] == tag),
                value=tag,
            )
    for row in unscored:
        scores[row] = 1.0
    return TrecRun(numbers, tags, columns["topic"], columns["document"], scores)
