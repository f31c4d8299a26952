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
    E865  one document twice for one topic in two files of a run
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import duckdb
import numpy as np

from tdtsql.engine.quoting import text_source
from tdtsql.errors import Problems
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.decisions import Decisions, SayMissing, decided_run
from tdtsql.loading.plan import LoadedRun, RunFormat, Source, StoredCondition
from tdtsql.reader.trec import Defect
from tdtsql.reader.trec_run import TrecRunTable, read_trec_run


def trec_format(say_missing: SayMissing | None = None) -> RunFormat:
    """Return the format of TREC run files: a run a tag, which names it, unless the user does and it is the only one."""
    return RunFormat(partial(_read_runs, say_missing), "tag, run_id or id")


def _read_runs(
    say_missing: SayMissing | None, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[LoadedRun]:
    runs = load_trec_files(target, inputs, files)
    for tag, retrieved in runs.items():
        name = run_id if run_id is not None and len(runs) == 1 else tag
        yield decided_run(target, inputs, files[0][0], name, retrieved, say_missing=say_missing)


def load_trec_files(target: StoredCondition, inputs: Inputs, files: Sequence[Source]) -> dict[str, Decisions]:
    """Read TREC run files; returns run tag -> its retrieved documents, as decisions."""
    parts: dict[str, list[tuple[str, Decisions]]] = {}
    for given, path in files:
        runs = _bulk_load(target, path)
        if runs is not None:
            inputs.note(given, path, "TREC run")
        else:
            runs = _read(target, inputs, given, path)
        for tag, retrieved in runs.items():
            parts.setdefault(tag, []).append((given, retrieved))
    return {tag: _together(tag, pieces, target, inputs) for tag, pieces in parts.items()}


def _retrieved(target: StoredCondition, block_no: np.ndarray, trial_no: np.ndarray, score: np.ndarray) -> Decisions:
    return Decisions(
        block_no,
        trial_no,
        np.ones(len(block_no), dtype=bool),
        score,
        {number: name for name, number in target.unlisted.items()},
    )


#: the fields of a line of a run file
_FIELDS = ("topic", "iteration", "document", "place", "score", "tag")


def _bulk_load(target: StoredCondition, path: Path) -> dict[str, Decisions] | None:
    """Let the engine parse a clean file; returns None for one in which anything is unusual, for the reader to say
    what.
    """
    engine = target.engine
    # an error would end the transaction, so the file is first parsed beside it
    probe = engine.connection.cursor()
    try:
        # of every column: what is not asked for is not looked at, and bytes that are no UTF-8 are found later
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
    engine.execute(
        f"""
        create or replace temp table parsed as
        select line.tag as tag, topic.block_no as block_no, story.story_no as trial_no,
            starts_with(line.topic, '#') as is_comment,
            case when line.score not like '%\\_%' escape '\\' then try_cast(line.score as double) end as score
        from {lines} as line
        left join run_topic as topic on topic.topic_id = line.topic
        left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.document"""
    )
    is_dirty = engine.value("""
        select count(*) = 0 or count(*) filter (is_comment or block_no is null or trial_no is null or score is null or isnan(score)
            or abs(score) > 9e99 or tag is null or tag = '' or tag like '%' || chr(9) || '%'
                or tag like '%' || chr(13) || '%') > 0
        from parsed""") or engine.value("""
        select count(*) from (select 1 from parsed group by tag, block_no
        having count(*) > count(distinct trial_no))""")
    runs = {}
    if not is_dirty:
        for [tag] in engine.rows("select distinct tag from parsed order by tag"):
            columns = engine.query(
                "select block_no, trial_no, score from parsed where tag = ? order by block_no, trial_no", [tag]
            ).fetchnumpy()
            runs[tag] = _retrieved(target, *(np.asarray(columns[name]) for name in ("block_no", "trial_no", "score")))
    engine.execute("drop table parsed")
    return None if is_dirty else runs


def _read(target: StoredCondition, inputs: Inputs, given: str, path: Path) -> dict[str, Decisions]:
    """Read a file line by line.

    Lines on topics and documents that the corpus does not have are what the condition says; those on topics that the
    condition leaves out have no effect and are nobody's fault.
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
    )  # retrieved, judged by nobody, and not relevant
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
    return runs


def _together(tag: str, pieces: list[tuple[str, Decisions]], target: StoredCondition, inputs: Inputs) -> Decisions:
    given = pieces[0][0]
    run = _retrieved(
        target,
        *(np.concatenate([getattr(piece, name) for _, piece in pieces]) for name in ("block_no", "trial_no", "score")),
    )
    run.n_unknown = sum(piece.n_unknown for _, piece in pieces)
    run.first_unknown = next((piece.first_unknown for _, piece in pieces if piece.first_unknown), None)
    if len(pieces) > 1:
        pairs, counts = np.unique(np.stack([run.block_no, run.trial_no]), axis=1, return_counts=True)
        if (counts > 1).any():
            block_id = {number: name for name, number in target.block_no.items()}
            first = block_id[int(pairs[0][np.argmax(counts > 1)])]
            inputs.add(
                "E865",
                given,
                f"{int((counts > 1).sum())} documents twice for one topic in two files of run '{tag}'",
                "Give each document once.",
                value=f"topic {first}",
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
        )
    return run
