"""TREC run files: the documents that a system retrieved for each topic.

A line is ``topic Q0 document rank score tag``. In filtering the file is a set:
what is in it was retrieved (yes), everything else was not (no). The second
field and the rank are not used, as in NIST's own program. A score of ``-``
says that the system gave none; then no line of the run may have one. One file
may have several runs, distinguished by their tags.

    E411  not six fields
    E412  the score is not a number
    W413  the score is infinite; replaced by 9e99 or -9e99, the highest and lowest scores
    E416  a score beyond 9e99
    E414  a duplicate document for one topic in one run
    E415  a run has lines with scores and lines without
    E417  the first line names the columns
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from tdtsql.errors import Problems
from tdtsql.reader.field import looks_like_header
from tdtsql.reader.trec import Defect, column_of, lines_of

#: the highest score; its negative is the score of a trial that a system left out (2004 TDT plan, B.3)
HIGHEST_SCORE = 9e99
#: the score that says "no score"
NO_SCORE = "-"
_COMMA = re.compile("[,;]")


@dataclass(frozen=True, slots=True)
class TrecRunTable:
    """The rows of a run file as columns: L lines, with three dimensions of names."""

    tags: list[str]  #: R run tags, in order of appearance
    topics: list[str]  #: T topic ids, in order of appearance
    documents: list[str]  #: D document ids, in order of appearance
    tag_no: np.ndarray  #: L positions in ``tags``
    topic_no: np.ndarray  #: L positions in ``topics``
    document_no: np.ndarray  #: L positions in ``documents``
    score: np.ndarray  #: L scores, finite; 1 where the run gives none
    line: np.ndarray  #: L line numbers
    has_score: list[bool]  #: R flags: does the run give scores

    def __len__(self) -> int:
        return len(self.line)


def read_trec_run(data: bytes, problems: Problems) -> TrecRunTable:
    """Return the retrieved documents of all runs of a file."""
    fields = Defect("E411", "expected six fields: topic, Q0, document, rank, score, tag", "Fix the line.")
    wrong = Defect("E412", "the score is not a number", "Give a number, or - in every line of a run without scores.")
    infinite = Defect("W413", "the score is infinite", "It is stored as 9e99 (or -9e99).")
    beyond = Defect("E416", "a score beyond 9e99, the highest there is", "Scale the scores.")
    tags: dict[str, int] = {}
    topics: dict[str, int] = {}
    documents: dict[str, int] = {}
    tag_no: list[int] = []
    topic_no: list[int] = []
    document_no: list[int] = []
    score: list[float] = []
    line: list[int] = []
    is_first = True
    for number, text in lines_of(data, problems):
        parts = text.split()
        if is_first and parts:
            is_first = False
            if looks_like_header(parts[3:5] if len(parts) == 6 else _COMMA.sub(" ", text).split()[2:]):
                problems.add(
                    "E417",
                    "the line looks like a header, and run files have none",
                    "Drop the line.",
                    number,
                    value=text.strip(),
                )
                continue
        if len(parts) != 6:
            if parts:
                fields.at(number, column_of(text, 6), text.strip())
            continue
        topic, _, document, _, score_text, tag = parts
        value = _score(score_text)
        if value is None:
            wrong.at(number, column_of(text, 4), score_text)
            continue
        if value in (math.inf, -math.inf):
            infinite.at(number, column_of(text, 4), score_text)
            value = math.copysign(HIGHEST_SCORE, value)
        elif abs(value) > HIGHEST_SCORE:
            beyond.at(number, column_of(text, 4), score_text)
            continue
        tag_no.append(tags.setdefault(tag, len(tags)))
        topic_no.append(topics.setdefault(topic, len(topics)))
        document_no.append(documents.setdefault(document, len(documents)))
        score.append(value)
        line.append(number)
    for defect in (fields, wrong, infinite, beyond):
        defect.report(problems)
    names = list(tags), list(topics), list(documents)
    columns = [np.array(column, dtype=np.int32) for column in (tag_no, topic_no, document_no, line)]
    scores = np.array(score, dtype=np.float64)
    _report_twice(names, columns, problems)
    has_score = _report_mixed(names[0], columns[0], columns[3], scores, problems)
    return TrecRunTable(
        *names, columns[0], columns[1], columns[2], np.where(np.isnan(scores), 1.0, scores), columns[3], has_score
    )


def _score(text: str) -> float | None:
    """Return the score, NaN for none given, None for something else (``nan`` too)."""
    if text == NO_SCORE:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return None if value != value or "_" in text else value


def _report_twice(names: tuple[list[str], list[str], list[str]], columns: list[np.ndarray], problems: Problems) -> None:
    tags, topics, documents = names
    tag_no, topic_no, document_no, line = columns
    twice = Defect("E414", "the run retrieved this document before for this topic", "Drop one of the lines.")
    key = (tag_no.astype(np.int64) * max(len(topics), 1) + topic_no) * max(len(documents), 1) + document_no
    order = np.argsort(key, kind="stable")
    again = order[1:][key[order][1:] == key[order][:-1]]
    for position in np.sort(again).tolist():
        twice.at(
            int(line[position]),
            None,
            f"{topics[topic_no[position]]} {documents[document_no[position]]} {tags[tag_no[position]]}",
        )
    twice.report(problems)


def _report_mixed(
    tags: list[str], tag_no: np.ndarray, line: np.ndarray, scores: np.ndarray, problems: Problems
) -> list[bool]:
    has_score = []
    for number, tag in enumerate(tags):
        rows = tag_no == number
        without = np.isnan(scores) & rows
        n_row, n_without = int(rows.sum()), int(without.sum())
        has_score.append(n_without == 0)
        if 0 < n_without < n_row:
            problems.add(
                "E415",
                f"{n_without} of {n_row} lines of the run have no score, the others have one",
                "Give a score in every line, or in none.",
                int(line[np.argmax(without)]),
                value=tag,
            )
    return has_score
