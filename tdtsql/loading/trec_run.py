"""The run files of TREC: documents that were retrieved.

Trials are every topic with every document, as in tracking without training, and are never listed.

A clean run file is parsed by the engine itself, at its speed. Anything unusual
in it sends the file to the reader, which says exactly what and where; both ways
store the same rows.

    E820  a run answers a topic that the corpus does not have
    W820  the same, where the user chose to ignore such lines
    W823  a run retrieved a document that the corpus does not have
    E823  the same, where the user chose that this is an error
    W862  topics of which a run says nothing
    E865  one document repeated for one topic in two files of a run
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

import duckdb
import numpy as np

from tdtsql.engine.quoting import text_source
from tdtsql.errors import Problems
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.decisions import Decisions, SayMissing, decided_run
from tdtsql.loading.plan import PendingRun, Place, RunReader, Source, StoredCondition
from tdtsql.reader.trec import Defect
from tdtsql.reader.trec_run import TrecRunTable, read_trec_run


def trec_format(say_missing: SayMissing | None = None) -> RunReader:
    """Return the format of TREC run files: one run per tag."""
    return RunReader(partial(_read_runs, say_missing), "tag")


def _read_runs(
    say_missing: SayMissing | None, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    parts: dict[str, list[tuple[str, Decisions]]] = {}
    lines: dict[str, TrecRunTable] = {}
    for given, path in files:
        runs = _bulk_load(target, path)
        if runs is not None:
            inputs.note(given, path, "TREC run")
        else:
            runs, lines[given] = _read(target, inputs, given, path)
        for tag, retrieved in runs.items():
            parts.setdefault(tag, []).append((given, retrieved))
    # without an id, a tag in two files is a separate error
    together = {tag: _together(tag, pieces, target, inputs, run_id is not None) for tag, pieces in parts.items()}
    for tag, retrieved in together.items():
        loaded = decided_run(target, inputs, parts[tag][0][0], tag, retrieved, say_missing=say_missing)
        loaded.files = [given for given, _ in parts[tag]]
        loaded.of_lines = partial(_of_tag, lines, tag)
        yield loaded


def _of_tag(lines: dict[str, TrecRunTable], tag: str, places: Collection[Place]) -> Collection[Place]:
    """Return which of some places have a run's tag."""
    return {
        (given, line)
        for given, line in places
        if given in lines and tag in lines[given].tags
        for row in np.flatnonzero(lines[given].line == line).tolist()
        if lines[given].tags[lines[given].tag_no[row]] == tag
    }


def _retrieved(target: StoredCondition, block_no: np.ndarray, trial_no: np.ndarray, score: np.ndarray) -> Decisions:
    return Decisions(
        block_no,
        trial_no,
        np.ones(len(block_no), dtype=bool),
        score,
        target.unlisted_names,
    )


#: the fields of a line of a run file
_FIELDS = ("topic", "iteration", "document", "place", "score", "tag")


def _bulk_load(target: StoredCondition, path: Path) -> dict[str, Decisions] | None:
    """Let the engine parse a clean file; returns None for one in which anything is unusual, for the reader to say
    what.
    """
    engine = target.engine
    # parse on another connection: an error would abort this transaction
    probe = engine.connection.cursor()
    try:
        # count every column: the engine skips unused ones, and would find bytes that are not UTF-8 later
        lines = text_source(
            path, dict.fromkeys(_FIELDS, "VARCHAR"), " ", options="null_padding = false, ignore_errors = false"
        )
        probe.execute(f"select {', '.join(f'count({field})' for field in _FIELDS)} from {lines}").fetchall()
    except (duckdb.Error, OSError):
        return None
    finally:
        probe.close()
    engine.insert_temporary(
        "run_topic", {"topic_id": list(target.block_no) or [""], "block_no": list(target.block_no.values()) or [0]}
    )
    takes_unlisted = target.policies.get("unknown_documents") == "not_relevant"
    engine.execute(
        f"""
        create or replace temp table parsed as
        select line.tag as tag, topic.block_no as block_no, story.story_no as trial_no,
            starts_with(line.topic, '#') as is_comment,
            case when story.story_no is null then line.document end as document,
            case when line.score not like '%\\_%' escape '\\' then try_cast(line.score as double) end as score
        from {lines} as line
        left join run_topic as topic on topic.topic_id = line.topic
        left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.document"""
    )
    is_dirty = engine.value(f"""
        select count(*) = 0 or count(*) filter (
            is_comment or block_no is null or trial_no is null and {not takes_unlisted}
            or not regexp_full_match(document, '[!-~]+') or score is null or isnan(score) or abs(score) > 9e99
            or tag is null or tag = '' or tag like '%' || chr(9) || '%' or tag like '%' || chr(13) || '%') > 0
        from parsed""") or engine.value("""
        select count(*) from (select 1 from parsed group by tag, block_no
        having count(*) > count(distinct trial_no) + count(distinct document))""")
    runs = {}
    if not is_dirty:
        names = [name for [name] in engine.rows("select distinct document from parsed where document is not null")]
        engine.insert_temporary(
            "run_unlisted", {"document": names or [""], "number": [target.unlisted_no(name) for name in names] or [0]}
        )
        for [tag] in engine.rows("select distinct tag from parsed order by tag"):
            columns = engine.query(
                """
                select block_no, coalesce(trial_no, number) as trial_no, score
                from parsed left join run_unlisted using (document)
                where tag = ? order by block_no, trial_no""",
                [tag],
            ).fetchnumpy()
            runs[tag] = _retrieved(target, *(np.asarray(columns[name]) for name in ("block_no", "trial_no", "score")))
    engine.execute("drop table parsed")
    return None if is_dirty else runs


def _read(target: StoredCondition, inputs: Inputs, given: str, path: Path) -> tuple[dict[str, Decisions], TrecRunTable]:
    """Read a file line by line; returns run tag -> its retrieved documents, and the lines.

    The policies of the condition decide about lines on topics and documents that the corpus does not have. Lines on
    topics that the condition leaves out have no effect and are not reported.
    """
    table: TrecRunTable = inputs.read(given, path, "TREC run", read_trec_run)
    problems = Problems(given)
    topic = Defect(
        "E820",
        "the run answers a topic that the corpus does not have",
        'Correct the topic, add it to the topics, or give the condition unknown_topics = "ignore".',
    )
    if target.policies.get("unknown_topics") == "ignore":
        topic = Defect("W820", topic.message, "It has no effect.")
    document = Defect("W823", "the run retrieved a document that the corpus does not have", "It has no effect.")
    if target.policies.get("unknown_documents") == "error":
        document = Defect("E823", document.message, "Correct the document, or add it to the document order.")
    # -1: unknown; 0: known, but not in this condition
    block_of = np.array(
        [target.block_no.get(name, 0 if name in target.known_topics else -1) for name in table.topics] or [0]
    )
    story_of = np.array([target.story_no.get(name, -1) for name in table.documents] or [0])
    takes_unlisted = (
        target.policies.get("unknown_documents") == "not_relevant"
    )  # retrieved, unjudged, and therefore not relevant
    if takes_unlisted and table.documents:
        for number in np.flatnonzero(story_of < 0).tolist():
            story_of[number] = target.unlisted_no(table.documents[number])
    block_no, trial_no = block_of[table.topic_no], story_of[table.document_no]
    for row in np.flatnonzero(block_no < 0).tolist():
        topic.at(int(table.line[row]), None, table.topics[table.topic_no[row]])
    for row in () if takes_unlisted else np.flatnonzero((block_no > 0) & (trial_no < 0)).tolist():
        document.at(int(table.line[row]), None, table.documents[table.document_no[row]])
    topic.report(problems)
    document.report(problems)
    inputs.problems += problems.found
    kept = (block_no > 0) & ((trial_no > 0) | takes_unlisted)
    runs = {}
    for number, tag in enumerate(table.tags):
        rows = kept & (table.tag_no == number)
        runs[tag] = run = _retrieved(target, block_no[rows], trial_no[rows], table.score[rows])
        unknown = np.flatnonzero(~kept & (table.tag_no == number))
        if len(unknown):
            row = int(unknown[0])
            topic_id, story_id = table.topics[table.topic_no[row]], table.documents[table.document_no[row]]
            about = ("topics", topic_id) if block_no[row] <= 0 else ("stories", story_id)
            run.n_unknown, run.first_unknown = len(unknown), (given, int(table.line[row]), *about)
    return runs, table


def _together(
    tag: str, pieces: list[tuple[str, Decisions]], target: StoredCondition, inputs: Inputs, tells_twice: bool
) -> Decisions:
    given = pieces[0][0]
    run = _retrieved(
        target,
        *(np.concatenate([getattr(piece, name) for _, piece in pieces]) for name in ("block_no", "trial_no", "score")),
    )
    run.n_unknown = sum(piece.n_unknown for _, piece in pieces)
    run.first_unknown = next((piece.first_unknown for _, piece in pieces if piece.first_unknown), None)
    if len(pieces) > 1 and tells_twice:
        pairs, counts = np.unique(np.stack([run.block_no, run.trial_no]), axis=1, return_counts=True)
        if (counts > 1).any():
            block_id = {number: name for name, number in target.block_no.items()}
            first = block_id[int(pairs[0][np.argmax(counts > 1)])]
            twice = pairs[:, np.argmax(counts > 1)]
            where = [
                name for name, piece in pieces if ((piece.block_no == twice[0]) & (piece.trial_no == twice[1])).any()
            ]
            inputs.add(
                "E865",
                where[-1],
                f"{int((counts > 1).sum())} documents of run '{tag}' are repeated for one topic in another of its "
                f"files, {where[0]}",
                "Give each document once, or each run its own tag.",
                value=f"topic {first}",
                run=tag,
            )
    answered = set(np.unique(run.block_no).tolist())
    missing = sorted(name for name, number in target.block_no.items() if number not in answered)
    if missing:
        inputs.add(
            "W862",
            given,
            f"{len(missing)} of {len(target.block_no)} topics have no document in run '{tag}'",
            "They count as empty retrieved sets (missing_topic of the profile).",
            value=", ".join(missing),
            run=tag,
        )
    return run
