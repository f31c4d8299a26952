"""The run files of TREC: documents that were retrieved.

Trials are every topic with every document, as in tracking without training, and are never listed.

A clean run file is parsed by the engine itself, at its speed. Anything unusual
in it sends the file to the reader, which says exactly what and where; both ways
store the same rows.

    E820  a run has a topic that the corpus does not have
    W820  the same, if the user chose to ignore such lines
    W823  a run retrieved a document that the corpus does not have
    E823  the same, if the user chose that this is an error
    W862  topics without a decision of a run
    E865  one document repeated for one topic in two files of a run
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np

from tdtsql.engine.quoting import sql_literal, text_source
from tdtsql.errors import Problems
from tdtsql.intake.clean_table import NEEDS_FALLBACK
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.decisions import Decisions, SayMissing, append_table, run_of
from tdtsql.loading.plan import PendingRun, Place, RunReader, Source, StoredCondition
from tdtsql.reader.text import opened
from tdtsql.reader.trec import Defect
from tdtsql.reader.trec_run import TrecRunTable, read_trec_run

#: the fields of a line of a run file
_FIELDS = ("topic", "iteration", "document", "place", "score", "tag")
#: the bytes of a file in which every blank separates fields and every other byte belongs to one
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
#: bytes read at a time
_CHUNK = 1 << 22


def trec_format(say_missing: SayMissing | None = None) -> RunReader:
    """Return the format of TREC run files: one run per tag."""
    return RunReader(partial(_read_runs, say_missing), "tag")


def _read_runs(
    say_missing: SayMissing | None, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    engine = target.engine
    engine.execute(
        "create or replace temp table retrieved (file_no integer, tag varchar, block_no integer, trial_no integer, "
        "document varchar, score double)"
    )
    engine.insert_temporary(
        "run_topic", {"topic_id": list(target.block_no) or [""], "block_no": list(target.block_no.values()) or [0]}
    )
    own: dict[str, list[str]] = {}  # the files of each run
    lines: dict[str, TrecRunTable] = {}
    unknown: dict[str, Decisions] = {}
    for file_no, (given, path) in enumerate(files):
        tags = _append_clean(target, inputs, file_no, given, path)
        if tags is None:
            lines[given] = _append_read(target, inputs, file_no, given, path, unknown)
            tags = lines[given].tags
        for tag in tags:
            own.setdefault(tag, []).append(given)
    answered: dict[str, list[int]] = {}
    for tag, trial_no, blocks in engine.rows(
        "select tag, max(trial_no), list(distinct block_no) from retrieved group by tag"
    ):
        answered[tag] = blocks
        if tag in unknown:
            unknown[tag].trial_no = [trial_no or 0]
    for tag, names in own.items():
        if run_id is not None and len(names) > 1:  # without an id, a tag in two files is a separate error
            _say_twice(target, inputs, tag, [given for given, _ in files])
        missing = sorted(name for name, number in target.block_no.items() if number not in answered.get(tag, ()))
        if missing:
            inputs.add(
                "W862",
                names[0],
                f"{len(missing)} of {len(target.block_no)} topics have no document in run '{tag}'",
                "They count as empty retrieved sets (missing_topic of the profile).",
                value=", ".join(missing),
                run=tag,
            )
    for tag, names in own.items():
        store = partial(_store, target, inputs, tag)
        loaded = run_of(store, target, inputs, names[0], tag, None, say_missing, unknown.get(tag))
        loaded.files, loaded.of_lines = names, partial(_of_tag, lines, tag)
        yield loaded
    engine.execute("drop table retrieved")


def _store(target: StoredCondition, inputs: Inputs, tag: str, run_no: int) -> int:
    """Store the documents of a run; returns how many.

    Documents that the corpus does not have get their numbers by name: the same rows have the same numbers, whatever
    order they came in.
    """
    if inputs.has_errors:
        return 0
    rows = f"(select * from retrieved where tag = {sql_literal(tag)})"
    target.engine.execute(f"""
        insert into base.unlisted_document (run_no, trial_no, document_id)
        select {run_no}, -row_number() over (order by document), document
        from (select distinct document from {rows} where document is not null) order by document""")
    return append_table(
        target,
        run_no,
        f"""(
        select block_no, coalesce(said.trial_no, unlisted.trial_no) as trial_no, true as is_yes, score
        from {rows} as said left join base.unlisted_document as unlisted
            on unlisted.run_no = {run_no} and unlisted.document_id = said.document)""",
    )


def _of_tag(lines: dict[str, TrecRunTable], tag: str, places: Collection[Place]) -> Collection[Place]:
    """Return which of some places have a run's tag."""
    return {
        (given, line)
        for given, line in places
        if given in lines and tag in lines[given].tags
        for row in np.flatnonzero(lines[given].line == line).tolist()
        if lines[given].tags[lines[given].tag_no[row]] == tag
    }


def _append_clean(target: StoredCondition, inputs: Inputs, file_no: int, given: str, path: Path) -> list[str] | None:
    """Let the engine append the rows of a clean file to ``retrieved``; returns its tags, None for a file in which
    anything is unusual: the fallback reader must read it.
    """
    engine = target.engine
    n_line = None
    try:
        lines = text_source(path, dict.fromkeys(_FIELDS, "VARCHAR"), " ")
        if _is_plain(path):
            n_line = inputs.digest(given, path, "TREC run")[1]
        else:  # other bytes may not be UTF-8, which ends a transaction: count every column by another cursor first
            counts = ", ".join(f"count({field})" for field in _FIELDS)
            strict = lines.replace("ignore_errors = true", "ignore_errors = false")
            with closing(engine.connection.cursor()) as probe:
                probe.execute(f"select {counts} from {strict}").fetchall()
    except NEEDS_FALLBACK:
        return None
    engine.execute(f"""
        create or replace temp table parsed as
        select line.tag as tag, topic.block_no as block_no, story.story_no as trial_no,
            starts_with(line.topic, '#') as is_comment,
            case when story.story_no is null then line.document end as document,
            case when line.score not like '%\\_%' escape '\\' then try_cast(line.score as double) end as score
        from {lines} as line
        left join run_topic as topic on topic.topic_id = line.topic
        left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.document""")
    takes_unlisted = target.policies.get("unknown_documents") == "not_relevant"
    [[n_row, n_odd]] = engine.rows(f"""
        select count(*), count(*) filter (
            is_comment or block_no is null or trial_no is null and {not takes_unlisted}
            or {n_line is None} and not regexp_full_match(document, '[!-~]+') or document = '' or score is null
            or isnan(score) or abs(score) > 9e99 or tag is null or tag = '' or tag like '%' || chr(9) || '%'
            or tag like '%' || chr(13) || '%')
        from parsed""")
    is_clean = (
        n_row
        and not n_odd
        and n_line in (None, n_row)
        and not engine.value("""
            select count(*) from (select 1 from parsed group by tag, block_no
            having count(*) > count(distinct trial_no) + count(distinct document))""")
    )
    tags = None
    if is_clean:
        engine.execute(f"insert into retrieved select {file_no}, tag, block_no, trial_no, document, score from parsed")
        tags = [tag for [tag] in engine.rows("select distinct tag from parsed order by tag")]
        inputs.note(given, path, "TREC run")
    engine.execute("drop table parsed")
    return tags


def _is_plain(path: Path) -> bool:
    with opened(path) as stream:
        return not any(chunk.translate(None, _PLAIN) for chunk in iter(partial(stream.read, _CHUNK), b""))


def _append_read(
    target: StoredCondition, inputs: Inputs, file_no: int, given: str, path: Path, unknown: dict[str, Decisions]
) -> TrecRunTable:
    """Read a file line by line and append its rows to ``retrieved``; returns the lines. ``unknown`` gets, for each run,
    the rows on what the condition does not have.

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
    # retrieved, unjudged, and therefore not relevant
    takes_unlisted = target.policies.get("unknown_documents") == "not_relevant"
    block_no, trial_no = block_of[table.topic_no], story_of[table.document_no]
    for row in np.flatnonzero(block_no < 0).tolist():
        topic.at(int(table.line[row]), None, table.topics[table.topic_no[row]])
    for row in () if takes_unlisted else np.flatnonzero((block_no > 0) & (trial_no < 0)).tolist():
        document.at(int(table.line[row]), None, table.documents[table.document_no[row]])
    topic.report(problems)
    document.report(problems)
    inputs.problems += problems.found
    kept = (block_no > 0) & ((trial_no > 0) | takes_unlisted)
    rows = np.flatnonzero(kept).tolist()
    if rows:
        target.engine.insert_temporary(
            "retrieved_part",
            {
                "tag": [table.tags[number] for number in table.tag_no[rows]],
                "block_no": block_no[rows],
                "trial_no": [number if number > 0 else None for number in trial_no[rows].tolist()],
                "document": [None if trial_no[row] > 0 else table.documents[table.document_no[row]] for row in rows],
                "score": table.score[rows],
            },
        )
        target.engine.execute(f"insert into retrieved select {file_no}, * from retrieved_part")
    for number, tag in enumerate(table.tags):
        for row in np.flatnonzero(~kept & (table.tag_no == number)).tolist():
            topic_id, story_id = table.topics[table.topic_no[row]], table.documents[table.document_no[row]]
            about = ("topics", topic_id) if block_no[row] <= 0 else ("stories", story_id)
            unknown.setdefault(tag, Decisions()).miss(given, int(table.line[row]), *about)
    return table


def _say_twice(target: StoredCondition, inputs: Inputs, tag: str, files: Sequence[str]) -> None:
    """Report documents that two files of a run retrieved for one topic."""
    found = target.engine.rows(
        """
        select block_no, list(distinct file_no order by file_no), count(*) over ()
        from retrieved where tag = ? group by block_no, trial_no, document having count(*) > 1
        order by block_no, trial_no, document limit 1""",
        [tag],
    )
    for block_no, numbers, n_document in found:
        inputs.add(
            "E865",
            files[numbers[-1]],
            f"{n_document} documents of run '{tag}' are repeated for one topic in another of its files, "
            f"{files[numbers[0]]}",
            "Give each document once, or each run its own tag.",
            value=f"topic {next(name for name, number in target.block_no.items() if number == block_no)}",
            run=tag,
        )
