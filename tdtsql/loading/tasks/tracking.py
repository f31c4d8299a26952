"""System output on stories, topic by topic, into ``base.decision``.

A clean file of docno decisions is parsed by the engine itself, at its speed.
Anything unusual in it sends the file to the reader, which says exactly what and
where; both ways store the same rows.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.intake.docno_files import Lines, numbered
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.decisions import (
    Numbering,
    append_rows,
    decision_rows,
    say_uncounted,
    story_numbering,
    topic_numbering,
)
from tdtsql.loading.plan import (
    ConditionSpec,
    PendingRun,
    RunReader,
    Source,
    StoredCondition,
    by_column,
    drop_tables,
)
from tdtsql.loading.pointers import add_mapped, records_by_source, stories_tested
from tdtsql.loading.story_trials import topic_plan, tracking_blocks, write_tracking_condition
from tdtsql.loading.tidy_run import tidy_format
from tdtsql.loading.trec_run import trec_format
from tdtsql.reader.text import is_gzip, opened
from tdtsql.reader.decision import Output
from tdtsql.reader.tracking_output import read_tracking_output

#: bytes of output files that are parsed at a time
_BATCH = 1 << 28

#: bytes that hold the description and header of an output file
_HEAD = 1 << 20


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Return the topics of a condition, with their training and test stories."""
    return topic_plan(condition, corpus, tracking_blocks(condition, corpus), write_tracking_condition)


# ---- official tracking output


class FileHeader(NamedTuple):
    """The lines before the first record of an output file."""

    n_line: int
    is_gzip: bool
    header: Output
    is_sound: bool  #: it can be gone by
    is_clean: bool  #: they need no fallback reader


def read_official(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the run of official output files, one file per topic."""
    heads = [_head(given, path) for given, path in files]
    system = next((head.header.system for head in heads if head is not None and head.header.system), None)
    # of 10^7 decisions only some lie in memory at a time: they are read when the run has its number
    yield PendingRun(run_id or system or "run", partial(_store_files, target, inputs, files, heads), system)


def _store_files(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], heads: Sequence[FileHeader | None], run_no: int
) -> int:
    """Store the decisions of a run; returns how many."""
    bulk: dict[tuple[int, bool], list[tuple[str, Path, int]]] = defaultdict(list)
    slow: list[Source] = []
    answered: dict[str, str] = {}
    n_row = 0
    for (given, path), head in zip(files, heads, strict=True):
        block_id = _block_id(head.header) if head is not None and head.is_clean else ""
        if (
            head is not None
            and block_id in target.block_no
            and block_id not in answered
            and head.header.pointer_type == "docno"
        ):
            answered[block_id] = given
            bulk[head.n_line, head.is_gzip].append((given, path, target.block_no[block_id]))
        else:
            slow.append((given, path))
    for (skip, _), group in bulk.items():
        for batch in _batches(group):
            n_stored, unclean = _bulk_load(target, run_no, inputs, skip, batch)
            n_row += n_stored
            slow += unclean
    for given, path in sorted(slow):
        output: Output = inputs.read(given, path, "tracking output", read_tracking_output)
        block_no = _block_of(target, inputs, given, output, answered)
        if block_no is not None and not any(problem.is_error and problem.path == given for problem in inputs.problems):
            n_row += _store_output(target, inputs, given, output, block_no, run_no)
    for (given, _), head in zip(files, heads, strict=True):
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
    unknown = [problem for problem in inputs.problems if problem.code == "W823"]
    if not n_row and unknown:
        example = target.engine.value("select min(story_id) from base.story where corpus_no = ?", [target.corpus_no])
        inputs.say_disjoint(
            unknown[0].path,
            len(unknown),
            "decisions of the run",
            "the condition's stories",
            unknown[0].value,
            example,
            unknown[0].line,
        )
    if not inputs.has_errors:  # else it is known why
        say_uncounted(target, run_no, inputs, files[0][0], n_row)
    if not inputs.has_errors:
        warn_missing_stories(target, run_no, inputs, files[0][0], answered)
    return n_row


def files_to_prefetch(files: Sequence[Source]) -> tuple[list[Path], int] | None:
    """Return the first files that the engine can parse, and how many lines come before the first record of each."""
    by_head: dict[tuple[int, bool], list[tuple[str, Path, int]]] = defaultdict(list)
    for given, path in files:
        head = _head(given, path)
        if head is not None and head.is_clean and head.header.pointer_type == "docno":
            by_head[head.n_line, head.is_gzip].append((given, path, 0))
    for (skip, _), group in by_head.items():
        return [path for _, path, _ in next(_batches(group))], skip
    return None


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
    return FileHeader(len(lines), is_gzip(path), header, is_sound, is_sound and not problems.found)


def _batches(group: list[tuple[str, Path, int]]) -> Iterator[list[tuple[str, Path, int]]]:
    """Split files into batches of bounded size, so that the memory a load needs does not grow with the run."""
    batch, size = [], 0
    for entry in group:
        size += entry[1].stat().st_size
        batch.append(entry)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _bulk_load(
    target: StoredCondition, run_no: int, inputs: Inputs, skip: int, group: list[tuple[str, Path, int]]
) -> tuple[int, list[Source]]:
    """Let the engine parse docno files; returns how many decisions were stored, and the files that are not clean, of
    which none was.
    """
    paths = [path for _, path, _ in group]
    if inputs.prefetched is not None and (ahead := inputs.prefetched.taken(paths, skip)) is not None:
        stored = _store_clean(target, run_no, inputs, skip, group, *ahead)
        inputs.prefetched.close()
        inputs.prefetched = None
        return stored
    with closing(Lines(target.engine)) as lines:
        try:
            parsed = lines.parse(paths, skip)
        except (duckdb.Error, OSError):  # one of them, then
            each = (
                [_bulk_load(target, run_no, inputs, skip, [entry]) for entry in group]
                if len(group) > 1
                else [(0, [entry[:2] for entry in group])]
            )
            return sum(n_row for n_row, _ in each), [file for _, files in each for file in files]
        table = numbered(
            target.engine, parsed, f"(select story_id, story_no from base.story where corpus_no = {target.corpus_no})"
        )
    stored = _store_clean(
        target, run_no, inputs, skip, group, table, {path: number for number, path in enumerate(paths)}
    )
    target.engine.execute(f"drop table {table}")
    return stored


def _store_clean(
    target: StoredCondition,
    run_no: int,
    inputs: Inputs,
    skip: int,
    group: list[tuple[str, Path, int]],
    table: str,
    file_no: Mapping[Path, int],
) -> tuple[int, list[Source]]:
    """Store the rows of clean files of a table (see `numbered`); returns how many, and the files that are not clean."""
    engine = target.engine
    last_story = engine.value(f"select coalesce(max(trial_no), 1) from {table}")
    parsed = {
        row[0]: row[1:]
        for row in engine.rows(f"""
        select file_no, count(*),
            count(*) filter (trial_no is null or is_yes is null or score is null or isnan(score) or abs(score) > 9e99),
            coalesce(bit_count(bitstring_agg(trial_no, 1, {last_story})), 0)
        from {table} group by file_no""")
    }
    clean: dict[int, int] = {}  # number of the file -> of the topic
    dirty: list[Source] = []
    for given, path, block_no in group:
        file, n_line = inputs.digest(given, path, "tracking output")
        n_row, n_odd, n_story = parsed.get(file_no[path], (0, 0, 0))
        if n_row == n_line - skip == n_story and n_odd == 0:
            inputs.files.append(file)
            clean[file_no[path]] = block_no
        else:
            dirty.append((given, path))
    engine.insert_temporary("clean_file", {"file_no": list(clean), "block_no": list(clean.values())})
    return append_rows(
        target,
        run_no,
        f"(select *, cast(null as varchar) as document from {table} join clean_file using (file_no))",
    ), dirty


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


def _store_output(
    target: StoredCondition, inputs: Inputs, given: str, output: Output, block_no: int, run_no: int
) -> int:
    """Store the decisions of a file that was read; returns how many."""
    rows = decision_rows(target.engine, "story_id")
    if output.pointer_type == "docno":
        rows.insert(target.engine, given, output.lines, output.is_yes, output.scores, output.pointers)
    else:
        decided = by_column(_by_pointer(target, inputs, given, output, block_no), "story_id", "is_yes", "score")
        lines = [output.line or 1] * len(decided["story_id"])
        rows.insert(target.engine, given, lines, decided["is_yes"], decided["score"], decided["story_id"])
    rows.number(target, inputs, story_numbering(target, block_no))
    n_row = append_rows(target, run_no, rows.relation())
    drop_tables(target.engine, rows.table)
    return n_row


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
    return {
        name
        for [name] in target.engine.rows(
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
    }


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
            f"{missing} stories of the test set of topic {block_id} have no decision",
            "They count as no with the score -9e99.",
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

OFFICIAL = RunReader(read_official, prefetch=files_to_prefetch)

FORMATS = {"tdt": OFFICIAL, "tidy": _TIDY, "frame": _TIDY, "trec": trec_format(warn_missing_stories)}
