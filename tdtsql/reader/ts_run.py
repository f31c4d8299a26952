"""Runs of TREC Temporal Summarization: the updates that a system sent.

    query_id  team_id  run_id  document_id  sentence_id  decision_time  confidence  [length]

No header; columns are separated by white space. The length is not used. A file may contain several
runs; a run's id is TEAM-RUN. The order of the rows matters for updates with the same time.

Code   Meaning
W500   a bad row, skipped as the track's program does
E551   too few columns
W551   an infinite confidence, taken as 1000
E552   the decision time is missing or not a whole number
W552   a row of one token, skipped
E553   the confidence is not a number
W553   text that is not UTF-8
E554   the confidence is not a number (NaN)
E555   too many columns
W555   too many columns, of which the track's program reads the first seven
E556   a header line
"""

import math

from tdtsql.errors import Problems
from tdtsql.reader.field import looks_like_header
from tdtsql.reader.ts_rows import Counted, FileRules, byte_lines, is_utf8, number, split_blanks, text_of, whole

#: what the programs take an infinite confidence for
INFINITE_CONFIDENCE = 1000.0


#: an update of a run: line, event, run (TEAM-RUN), update (document-sentence), time, confidence; there are millions
RunRow = tuple[int, str, str, str, int, float]


def read_ts_run(data: bytes, problems: Problems, rules: FileRules) -> list[RunRow]:
    rows: list[RunRow] = []
    counted = Counted(problems)
    for line, text in byte_lines(data, problems):
        parts = split_blanks(text)
        if not parts:
            continue
        if len(parts) == 1 and rules.skips_bad_rows:
            counted.add("W552", "a row of one token; skipped, as the program does", line=line, value=text.strip())
            continue
        if not rows and looks_like_header(parts[5:7] if len(parts) >= 7 else parts[2:]):
            rules.report_bad(
                problems, line, "E556", "the line looks like a header, and run files have none", text.strip()
            )
            continue
        if len(parts) < 7:
            missing = " (the decision time is missing)" if len(parts) == 6 and whole(parts[5]) is None else ""
            rules.report_bad(
                problems,
                line,
                "E551",
                f"{len(parts)} columns, expected 7: event team run document sentence time confidence{missing}",
                text.strip(),
            )
            continue
        if len(parts) > 8 or (len(parts) == 8 and whole(parts[7]) is None):
            said = (
                f"{len(parts)} columns, expected 7: event team run document sentence time confidence, and the length "
                f"at most"
            )
            if not rules.skips_bad_rows:
                problems.add("E555", said, "Fix or drop the row.", line, value=text.strip())
                continue
            counted.add(
                "W555",
                f"{said}; the first 7 are read, as the {rules.program} program does",
                "Is each of them what it should be?",
                line,
                value=text.strip(),
            )
        time = whole(parts[5])
        if time is None:
            rules.report_bad(
                problems, line, "E552", "the decision time (column 6) is not an integer number of seconds", parts[5]
            )
            continue
        confidence = number(parts[6])
        if confidence is None:
            rules.report_bad(problems, line, "E553", "the confidence (column 7) is not a number", parts[6])
            continue
        if math.isnan(confidence) or confidence == -math.inf:
            problems.add(
                "E554",
                "the confidence (column 7) is not a number that can be compared",
                "Write a finite number.",
                line,
                value=parts[6],
            )
            continue
        if confidence == math.inf:
            counted.add(
                "W551", "infinite confidence, taken as 1000 as the track's programs do", line=line, value=parts[6]
            )
            confidence = INFINITE_CONFIDENCE
        if not is_utf8(text):
            counted.add("W553", "the row is not valid UTF-8; it is read as Latin-1", line=line)
            parts = [text_of(part) for part in parts]
        event, team, run, document, sentence, *_ = parts
        rows.append((line, event, f"{team}-{run}", f"{document}-{sentence}", time, confidence))
    counted.report()
    return rows
