"""System output on stories, topic by topic, into ``base.decision``.

A clean file of docno decisions is parsed by the engine itself, at its speed.
Anything unusual in it sends the file to the reader, which says exactly what and
where; both ways store the same rows.

Code   Meaning
E820   a topic of a run that the condition does not have
E821   a second file of one topic
W822   stories of the test set without a decision: they count as no
E825   records of a source file that the topic's index does not list
W825   a partial first file that the topic's index does not list
W826   a header with another Nt than the condition's
E827   a source file of the topic's index without a record
E828   time pointers, and a source file whose boundary table has no seconds
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems, counted, verb
from tdtsql.files.find import Inputs
from tdtsql.loading.decision_files import (
    CleanFile,
    DecisionFormat,
    clean_output,
    read_decisions,
    tidy_format,
    trec_format,
)
from tdtsql.loading.decisions import DecisionRows, Numbering, story_numbering, topic_numbering
from tdtsql.loading.plan import PendingRun, Source, StoredCondition, by_column
from tdtsql.loading.pointers import add_mapped, records_by_source, stories_tested
from tdtsql.loading.story_trials import topic_plan, tracking_blocks, write_own_trials
from tdtsql.engine.packed import opened
from tdtsql.reader.decision import Output
from tdtsql.reader.tracking_output import read_tracking_output
from tdtsql.tasks.declaration import RunFormat

#: bytes that hold the description and header of an output file
_HEAD = 1 << 20


#: returns the topics of a condition, with their training and test stories
read_plan = partial(topic_plan, tracking_blocks, write_own_trials)


# ---- official tracking output


class FileHeader(NamedTuple):
    """The lines before the first record of an output file."""

    n_line: int
    header: Output
    is_sound: bool  #: it can be gone by
    is_clean: bool  #: they need no fallback reader


def read_official(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Return the run of official output files, one file per topic."""
    heads = {given: _head(given, path) for given, path in files}
    for given, head in heads.items():
        if (
            target.nt is not None
            and head is not None
            and head.is_sound
            and head.header.nt != target.nt
            and head.header.nt_variant is None
        ):
            inputs.add(
                "W826",
                given,
                f"the header says Nt {head.header.nt}, the condition {target.nt}",
                "Give the condition its own runs.",
                head.header.line,
            )
    answered: dict[str, str] = {}  #: topic -> its file

    form = DecisionFormat(
        ("topic_id", "story_id"),
        "tracking output",
        True,
        partial(_clean_output, target, heads, answered),
        partial(_read_output, target, answered),
        _official_numbering,
        partial(warn_missing_stories, answered=answered),
        headers={given: head.header for given, head in heads.items() if head is not None},
    )
    return read_decisions(form, target, inputs, files, run_id)


def _official_numbering(target: StoredCondition) -> Numbering:
    """Return how rows of topics that the condition has get their numbers."""
    of_stories = story_numbering(target)
    blocks = f"(select block_no, block_id from base.block where condition_no = {target.condition_no})"
    joins = f"{of_stories.joins} left join {blocks} as block on block.block_id = line.topic_id"
    return of_stories._replace(block_no="block.block_no", joins=joins)


def _block_id(header: Output) -> str:
    return (header.topic_id or "") + (header.nt_variant or "")


def _head(given: str, path: Path) -> FileHeader | None:
    """Return the lines before the first record, or None if there is no record."""
    lines: list[bytes] = []
    n_byte = 0
    try:
        with opened(path) as stream:
            while line := stream.readline(_HEAD - n_byte):
                n_byte += len(line)
                lines.append(line if lines else line.removeprefix(b"\xef\xbb\xbf"))
                if lines[-1].strip() and not lines[-1].lstrip().startswith(b"#"):
                    break
            else:
                return None
    except (OSError, EOFError, zlib.error):
        return None  # the reader reports it
    problems = Problems(given)
    header = read_tracking_output(b"".join(lines), problems)
    is_sound = lines[-1].endswith(b"\n") and not problems.errors and header.topic_id is not None
    return FileHeader(len(lines), header, is_sound, is_sound and not problems.found)


def _clean_output(
    target: StoredCondition,
    heads: Mapping[str, FileHeader | None],
    answered: dict[str, str],
    engine: Engine,
    inputs: Inputs,
    given: str,
    path: Path,
) -> CleanFile | None:
    """Return a file of docnos as the engine reads it; None where the reader has to look."""
    head = heads[given]
    if head is None or not head.is_clean or head.header.pointer_type != "docno":
        return None
    block_id = _block_id(head.header)
    if block_id not in target.block_no or block_id in answered:
        return None
    found = clean_output(inputs, given, path, "tracking output", ("source", "story_id"), head.n_line)
    if found is None:
        return None
    answered[block_id] = given
    return found._replace(topic_id=block_id)


def _read_output(
    target: StoredCondition,
    answered: dict[str, str],
    engine: Engine,
    inputs: Inputs,
    rows: DecisionRows,
    given: str,
    path: Path,
) -> list[None]:
    """Read a file line by line."""
    output: Output = inputs.read(given, path, "tracking output", read_tracking_output)
    block_no = _block_of(target, inputs, given, output, answered)
    if block_no is None or any(problem.is_error and problem.path == given for problem in inputs.problems):
        return [None]
    lines: Sequence[int] = output.lines
    is_yes, scores, stories = output.is_yes, output.scores, output.pointers
    if output.pointer_type != "docno":
        decided = by_column(_by_pointer(target, inputs, given, output, block_no), "story_id", "is_yes", "score")
        stories, is_yes, scores = decided.values()
        lines = [output.line or 1] * len(stories)
    rows.insert(engine, given, lines, is_yes, scores, [_block_id(output)] * len(stories), stories)
    return [None]


def _block_of(
    target: StoredCondition, inputs: Inputs, given: str, output: Output, answered: dict[str, str]
) -> int | None:
    if output.topic_id is None:
        return None
    block_id = _block_id(output)
    first = answered.setdefault(block_id, given)
    if first != given:
        inputs.add(
            "E821",
            given,
            f"a second file of topic {block_id}, the first is {first}",
            "Give each topic one file.",
            output.line,
        )
        return None
    if block_id not in target.known_topics:
        inputs.add(
            "E820",
            given,
            "the run answers a topic that the condition does not have",
            "Correct the header, or add the topic's index.",
            output.line,
            block_id,
        )
    return target.block_no.get(block_id)


def _by_pointer(
    target: StoredCondition, inputs: Inputs, given: str, output: Output, block_no: int
) -> list[tuple[str, bool, float]]:
    """Return (story, decision, score) of the stories of the topic's test set, by the records of their source files."""
    records = records_by_source(output)
    stories = stories_tested(target, block_no)
    stories.pop("", None)
    without_trials = _files_without_trials(target)
    for number, (source, rows) in enumerate(records.items()):
        if source not in stories and source not in without_trials:
            first = output.pointers[rows[0]]
            if number == 0 and first > (0 if output.pointer_type == "time" else 1):
                inputs.add(
                    "W825",
                    given,
                    "a partial first file that the topic's index does not list",
                    "Its records have no effect.",
                    output.lines[rows[0]],
                    source,
                )
            else:
                inputs.add(
                    "E825",
                    given,
                    "records of a source file that the topic's index does not list",
                    "Leave its records out.",
                    output.lines[rows[0]],
                    source,
                )
    decided: list[tuple[str, bool, float]] = []
    for source, members in stories.items():
        if source not in records:
            inputs.add(
                "E827",
                given,
                "no record of a source file that the topic's index lists",
                "Add at least one record of it.",
                output.line,
                source,
            )
            continue
        if not add_mapped(target, decided, output, records[source], members, is_shortened=True):
            inputs.add(
                "E828",
                given,
                "time pointers, but the boundary table of a source file has no seconds",
                "Give recid or docno pointers.",
                value=source,
            )
    return decided


def _files_without_trials(target: StoredCondition) -> set[str]:
    """Return the source files that an index may list although they have no trial."""
    return set(
        target.engine.column(
            """
        select file.source_file from base.source_file as file
        join registry.condition as condition on condition.condition_no = $condition
            and condition.corpus_no = file.corpus_no
        where file.is_excluded = 1
            or not list_contains(string_split(upper(coalesce(condition.languages, file.language)), ' '),
                upper(file.language))
            or not exists (select 1 from base.story as story where story.corpus_no = file.corpus_no
                and story.source_file_no = file.source_file_no and story.is_news = 1)""",
            {"condition": target.condition_no},
        )
    )


def warn_missing_stories(
    target: StoredCondition, run_no: int, inputs: Inputs, given: str, answered: Mapping[str, str] | None = None
) -> None:
    """Warn, once per topic, of test stories without a decision.

    Args:
        answered: topics with a separate file, and that file.
    """
    rows = target.engine.rows(
        """
        with expected as (
            select test.block_no as block_no, sum(segment.n_trial) as n
            from base.test_segment as test
            join base.segment as segment on segment.condition_no = test.condition_no
                and segment.segment_no = test.segment_no
            where test.condition_no = $condition group by test.block_no
        ), decided as (
            select decision.block_no as block_no, count(*) as n
            from base.decision as decision
            join base.test_segment as test on test.condition_no = $condition and test.block_no = decision.block_no
                and test.segment_no = decision.segment_no
            where decision.run_no = $run group by decision.block_no
        )
        select block.block_id, cast(expected.n - coalesce(decided.n, 0) as bigint) as missing
        from expected join base.block as block on block.condition_no = $condition and block.block_no = expected.block_no
        left join decided on decided.block_no = expected.block_no
        where expected.n > coalesce(decided.n, 0) order by block.block_id""",
        {"condition": target.condition_no, "run": run_no},
    )
    for block_id, missing in rows:
        inputs.add(
            "W822",
            (answered or {}).get(block_id, given),
            f"{counted(missing, 'story')} of the test set of topic {block_id} {verb(missing, 'have')} no decision",
            f"{'It counts' if missing == 1 else 'They count'} as no with the score -9e99.",
        )


# ---- tidy output


def numbering(target: StoredCondition) -> Numbering:
    """Return how rows of tidy tables get their numbers."""
    topic = "the run answers a topic that the condition does not have", "Correct the topic, or add it to the corpus."
    story = (
        "a decision on a story that the corpus does not have",
        "Correct the story, or add it to the document order.",
    )
    return topic_numbering(target, topic, story)


_TIDY = tidy_format("tracking", numbering, warn_missing_stories)

OFFICIAL = RunFormat(read_official)

FORMATS = {"tdt": OFFICIAL, "tidy": _TIDY, "trec": trec_format(warn_missing_stories)}
