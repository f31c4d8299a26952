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

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from tdtsql.engine.quoting import text_source
from tdtsql.intake.clean_table import NEEDS_FALLBACK
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.decisions import DecisionRows, SayMissing, decision_rows, of_run, relation_run, topic_numbering
from tdtsql.loading.plan import PendingRun, RunReader, Source, StoredCondition, drop_tables, make_table, runs_of_rows
from tdtsql.reader.text import opened
from tdtsql.reader.trec import MOST_PLACES
from tdtsql.reader.trec_run import read_trec_run

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
    columns = ("file_no integer", "run_id varchar", "block_no integer", "trial_no integer", "document varchar")
    make_table(engine, "retrieved", (*columns, "score double"))
    rows = decision_rows(engine, "topic_id", "story_id")  # of the files that the line reader reads
    own: dict[str, list[str]] = {}  # the files of each run
    for file_no, (given, path) in enumerate(files):
        tags = _append_clean(target, inputs, file_no, given, path)
        if tags is None:
            table = inputs.read(given, path, "TREC run", read_trec_run)
            is_yes = [True] * len(table.lines)
            rows.insert(
                engine, given, table.lines, is_yes, table.scores, table.topics, table.documents, runs=table.tags
            )
            tags = list(dict.fromkeys(table.tags))
        for tag in tags:
            own.setdefault(tag, []).append(given)
    if rows.paths:
        _append_read(target, inputs, rows, [given for given, _ in files])
    answered = dict(engine.rows("select run_id, list(distinct block_no) from retrieved group by run_id"))
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
    files_of_run = runs_of_rows(engine, rows.table, rows)
    for tag, names in own.items():
        relation = f"(select *, true as is_yes from retrieved where {of_run(tag)})"
        say_disjoint = partial(rows.say_disjoint, target, inputs, of_run(tag), relation)
        loaded = relation_run(target, inputs, names[0], tag, relation, say_disjoint, say_missing=say_missing)
        loaded.files, loaded.of_lines = names, files_of_run(tag)[1]
        yield loaded
    drop_tables(engine, "retrieved", rows.table)


def _append_read(target: StoredCondition, inputs: Inputs, rows: DecisionRows, files: Sequence[str]) -> None:
    """Number the rows of files that were read line by line and append them to ``retrieved``.

    The policies of the condition decide about lines on topics and documents that the corpus does not have. Lines on
    topics that the condition leaves out have no effect and are not reported.
    """
    advice = 'Correct the topic, add it to the topics, or give the condition unknown_topics = "ignore".'
    topic = "the run answers a topic that the corpus does not have", advice
    document = (
        "the run retrieved a document that the corpus does not have",
        "Correct the document, or add it to the document order.",
    )
    rows.number(target, inputs, topic_numbering(target, topic, document, MOST_PLACES))
    numbers = [files.index(given) for given in rows.paths]
    target.engine.execute(f"""
        insert into retrieved
        select list_extract({numbers}, len(list_filter({rows.starts}, lambda start: start <= place))), run_id, block_no,
            trial_no, document, score
        from {rows.table} where unknown is null""")


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
        left join base.block as topic on topic.condition_no = {target.condition_no} and topic.block_id = line.topic
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


def _say_twice(target: StoredCondition, inputs: Inputs, tag: str, files: Sequence[str]) -> None:
    """Report documents that two files of a run retrieved for one topic."""
    found = target.engine.rows(
        """
        select block_no, list(distinct file_no order by file_no), count(*) over ()
        from retrieved where run_id = ? group by block_no, trial_no, document having count(*) > 1
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
