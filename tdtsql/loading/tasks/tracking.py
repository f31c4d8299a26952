"""System output on stories, topic by topic, into ``base.decision``.

A clean file of docno decisions is parsed by the engine itself, at its speed.
Anything unusual in it sends the file to the reader, which says exactly what and
where; both ways store the same rows.
"""

import gzip
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import numpy as np

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted
from tdtsql.errors import Problems
from tdtsql.reader.field import LARGEST_FINITE, source_name
from tdtsql.reader.pointer_mapping import map_pointers
from tdtsql.reader.tidy import TidyTable, check_columns
from tdtsql.reader.tracking_output import TrackingOutput, read_tracking_output
from tdtsql.intake.inputs import Inputs
from tdtsql.intake.tidy_input import read_tidy_file

#: score of a trial that a system left out, and the lowest score there is (plan, B.3)
OMITTED_SCORE = -9e99

#: bytes of output files that are parsed at a time
_BATCH = 1 << 28

#: bytes that hold the description and header of an output file
_HEAD = 1 << 16


@dataclass(slots=True)
class Decisions:
    """D decisions of one run, by number."""

    block_no: list[int] = field(default_factory=list)
    trial_no: list[int] = field(default_factory=list)
    is_yes: list[bool] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    unlisted: dict[int, str] = field(default_factory=dict)  #: number below 0 -> document that the corpus does not have


@dataclass(slots=True)
class Target:
    """Where a run is going: its condition's topics and stories, by name."""

    engine: Engine
    condition_no: int
    corpus_no: int
    mapping: str
    block_no: dict[str, int]  #: block id -> number
    known_topics: set[str]  #: also those that the condition leaves out
    unknown_topics: str | None = None  #: filtering: error or ignore; None elsewhere
    unknown_documents: str | None = None  #: the same for documents: error, ignore or not_relevant
    unlisted: dict[str, int] = field(default_factory=dict)  #: documents that the corpus does not have, numbered as they come: -1, -2, ...
    _story_no: dict[str, int] | None = None

    @property
    def story_no(self) -> dict[str, int]:
        if self._story_no is None:
            self._story_no = dict(self.engine.rows("select story_id, story_no from base.story where corpus_no = ?", [self.corpus_no]))
        return self._story_no

    def unlisted_no(self, document: str) -> int:
        """Return the number, below 0, of a document that the corpus does not have."""
        return self.unlisted.setdefault(document, -len(self.unlisted) - 1)


def target_of(engine: Engine, condition_no: int) -> Target:
    """Return the names a run of this condition may use."""
    corpus_no, mapping, *unknown = engine.rows(
        "select corpus_no, mapping, unknown_topics, unknown_documents from registry.condition where condition_no = ?", [condition_no])[0]
    blocks = dict(engine.rows("select block_id, block_no from base.block where condition_no = ?", [condition_no]))
    topics = {row[0] for row in engine.rows("select topic_id from base.topic where corpus_no = ?", [corpus_no])}
    return Target(engine, condition_no, corpus_no, mapping, blocks, topics | set(blocks), *unknown)


def write_decisions(engine: Engine, run_no: int, decisions: Decisions, *, condition_no: int | None = None) -> int:
    """Append the decisions of a run; returns how many.

    Documents that the corpus does not have get their numbers here, by name: the same rows have the same
    numbers, whatever order they came in.

    Args:
        condition_no: the run's condition, where decisions are about stories and
            topics, so that each gets the segment of its story; else None.
    """
    trial_no = np.array(decisions.trial_no, dtype=np.int32)
    unlisted = sorted((decisions.unlisted[number], number) for number in np.unique(trial_no[trial_no < 0]).tolist())
    if unlisted:
        new = {old: -place for place, (_, old) in enumerate(unlisted, start=1)}
        trial_no[trial_no < 0] = [new[number] for number in trial_no[trial_no < 0].tolist()]
        engine.insert("base.unlisted_document", {"run_no": [run_no] * len(unlisted), "trial_no": list(new.values()), "document_id": [name for name, _ in unlisted]})
    engine.insert_temporary("decided", {
        "block_no": np.array(decisions.block_no, dtype=np.int32),
        "trial_no": trial_no,
        "is_yes": np.array(decisions.is_yes, dtype=bool),
        "score": np.array(decisions.score, dtype=np.float64),
    })
    append_table(engine, run_no, condition_no or 0, "decided")
    return len(decisions.block_no)


def append_table(engine: Engine, run_no: int, condition_no: int, table: str) -> None:
    """Move the rows of a temporary table into base.decision, by block and story: that order packs tightest.

    A score of -0 loses its sign: it ties with 0, and which of the two a threshold shows must not hang on chance.
    """
    engine.execute(f"""
        insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
        select {run_no}, decided.block_no, decided.trial_no,
            coalesce(member.segment_no, 0), decided.is_yes, case when decided.score = 0 then 0 else decided.score end
        from {table} as decided
        left join base.segment_story as member on member.story_no = decided.trial_no
            and member.condition_no = {condition_no}
        order by decided.block_no, decided.trial_no""")
    engine.execute(f"drop table {table}")


# ---- official tracking output


def load_tracking_files(target: Target, run_no: int, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> str | None:
    """Store one run from its official output files, one a topic; returns the system's name."""
    bulk: dict[int, list[tuple[str, Path, int]]] = defaultdict(list)
    slow: list[tuple[str, Path]] = []
    answered: dict[str, str] = {}
    system = None
    for given, path in files:
        head = _header(given, path)
        block_no = None
        if head is not None:
            skip, header, is_clean = head
            system = system or header.system
            block_id = header.topic_id + (header.nt_variant or "")
            block_no = target.block_no.get(block_id)
            if is_clean and block_no is not None and block_id not in answered and header.pointer_type == "docno" and not target.known_topics.isdisjoint([block_id]):
                answered[block_id] = given
                bulk[skip].append((given, path, block_no))
                continue
        slow.append((given, path))
    for skip, group in bulk.items():
        for batch in _batches(group):
            slow += _bulk_load(target, run_no, inputs, skip, batch)
    for given, path in sorted(slow):
        output: TrackingOutput = inputs.read(given, path, "tracking output", read_tracking_output)
        system = system or output.system
        block_no = _block_of(target, inputs, given, output, answered)
        if block_no is not None and not any(problem.is_error and problem.path == given for problem in inputs.problems):
            write_decisions(target.engine, run_no, _decisions(target, inputs, given, output, block_no), condition_no=target.condition_no)
    _check_nt(target, inputs, files)
    if files and not any(problem.is_error for problem in inputs.problems):  # else it is known why
        warn_of_missing(target, run_no, inputs, answered, files[0][0])
    return system


def _check_nt(target: Target, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> None:
    nt = target.engine.value("select nt from registry.condition where condition_no = ?", [target.condition_no])
    for given, path in files:
        head = _header(given, path)
        if nt is not None and head is not None and head[1].nt != nt and head[1].nt_variant is None:
            inputs.add("W826", given, f"the header says Nt {head[1].nt}, the condition {nt}", "Give the condition its own runs.", line=head[1].line)


def _header(given: str, path: Path) -> tuple[int, TrackingOutput, bool] | None:
    """Return (lines before the first record, header, whether nothing is odd about it), or None if there is no header to go by."""
    try:
        opener = gzip.open if given.endswith(".gz") else open
        with opener(path, "rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return None
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            problems = Problems(given)
            header = read_tracking_output(b"\n".join(lines[:number]) + b"\n", problems)
            return None if problems.errors or header.topic_id is None else (number, header, not problems.found)
    return None


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


def _bulk_load(target: Target, run_no: int, inputs: Inputs, skip: int, group: list[tuple[str, Path, int]]) -> list[tuple[str, Path]]:
    """Let the engine parse docno files; returns the files that are not clean, of which nothing was stored.

    Lines the engine cannot parse are left out by it, so a file is clean only if
    as many rows came out as it has lines.
    """
    engine = target.engine
    engine.insert_temporary("run_file", {"path": [str(path) for _, path, _ in group], "block_no": [number for *_, number in group]})
    engine.execute(f"""
        create or replace temp table parsed as
        select file.block_no as block_no, story.story_no as trial_no,
            case lower(line.decision) when 'yes' then true when 'no' then false end as is_yes,
            case when not contains(line.score, '_') then try_cast(line.score as double) end as score
        from read_csv($files, columns = {{'source': 'VARCHAR', 'pointer': 'VARCHAR', 'decision': 'VARCHAR', 'score': 'VARCHAR'}},
            delim = ' ', quote = '', escape = '', header = false, skip = {skip}, auto_detect = false, filename = 'path',
            null_padding = false, ignore_errors = true) as line
        join run_file as file on file.path = line.path
        left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.pointer""",
                   {"files": [str(path) for _, path, _ in group]})
    last_story = engine.value("select coalesce(max(trial_no), 1) from parsed")
    parsed = {row[0]: row[1:] for row in engine.rows(f"""
        select block_no, count(*),
            count(*) filter (trial_no is null or is_yes is null or score is null or isnan(score) or abs(score) > 9e99),
            coalesce(bit_count(bitstring_agg(trial_no, 1, {last_story})), 0)
        from parsed group by block_no""")}
    dirty = []
    for given, path, number in group:
        file, n_line = inputs.digest(given, path, "tracking output")
        n_row, n_odd, n_story = parsed.get(number, (0, 0, 0))
        if n_row == n_line - skip == n_story and n_odd == 0:
            inputs.files.append(file)
        else:
            dirty.append((given, path))
            engine.execute("delete from parsed where block_no = ?", [number])
    append_table(engine, run_no, target.condition_no, "parsed")
    return dirty


def _block_of(target: Target, inputs: Inputs, given: str, output: TrackingOutput, answered: dict[str, str]) -> int | None:
    if output.topic_id is None:
        return None
    block_id = output.topic_id + (output.nt_variant or "")
    first = answered.setdefault(block_id, given)
    if first != given:
        inputs.add("E821", given, f"a second file of topic {block_id}, the first is {first}", "Give each topic one file.", line=output.line)
        return None
    if block_id not in target.known_topics:
        inputs.add("E820", given, "the run answers a topic that the condition does not have", "Correct the header, or add the topic's index.",
                   line=output.line, value=block_id)
    return target.block_no.get(block_id)


def _decisions(target: Target, inputs: Inputs, given: str, output: TrackingOutput, block_no: int) -> Decisions:
    if output.pointer_type == "docno":
        return _by_docno(target, inputs, given, output, block_no)
    return _by_pointer(target, inputs, given, output, block_no)


def _by_docno(target: Target, inputs: Inputs, given: str, output: TrackingOutput, block_no: int) -> Decisions:
    decisions = Decisions()
    for line, docno, is_yes, score in zip(output.lines, output.pointers, output.is_yes, output.scores, strict=True):
        number = target.story_no.get(docno)
        if number is None:
            inputs.add("W823", given, "a decision on a docno that the corpus does not have", "It has no effect.", line=line, value=docno)
            continue
        append_decision(decisions, inputs, given, line, block_no, number, is_yes, score)
    return decisions


def append_decision(decisions: Decisions, inputs: Inputs, given: str, line: int, block_no: int, trial_no: int, is_yes: bool, score: float) -> None:
    if is_yes is None or score is None:
        return  # the reader has reported it
    if abs(score) >= LARGEST_FINITE:
        score = 9e99 if score > 0 else OMITTED_SCORE  # the reader has warned
    elif abs(score) > 9e99:
        inputs.add("E824", given, "a score beyond 9e99, the lowest and highest there are", "Scale the scores.", line=line, value=score)
        return
    decisions.block_no.append(block_no)
    decisions.trial_no.append(trial_no)
    decisions.is_yes.append(is_yes)
    decisions.score.append(score)


def _by_pointer(target: Target, inputs: Inputs, given: str, output: TrackingOutput, block_no: int) -> Decisions:
    """Map the records of each source file to the stories of the topic's test set."""
    records: dict[str, list[int]] = defaultdict(list)
    for row, source in enumerate(output.sources):
        records[source_name(source)].append(row)
    stories = test_stories(target, block_no)
    is_time = output.pointer_type == "time"
    without_trials = _files_without_trials(target)
    for number, (source, rows) in enumerate(records.items()):
        if source not in stories and source not in without_trials:
            first = output.pointers[rows[0]]
            if number == 0 and first > (0 if is_time else 1):
                inputs.add("W825", given, "a partial first file that the topic's index does not list", "Its records have no effect.", line=output.lines[rows[0]], value=source)
            else:
                inputs.add("E825", given, "records of a source file that the topic's index does not list", "Leave its records out.",
                           line=output.lines[rows[0]], value=source)
    decisions = Decisions()
    for source, members in stories.items():
        if source not in records:
            inputs.add("E827", given, "no record of a source file that the topic's index lists", "Add at least one record of it.", line=output.line, value=source)
            continue
        rows = records[source]
        begins = [row[3] if is_time else row[1] for row in members]
        ends = [row[4] if is_time else row[2] for row in members]
        if is_time and all(begin is None for begin in begins):
            inputs.add("E828", given, "time pointers, but the boundary table of a source file has no seconds", "Give recid or docno pointers.", value=source)
            continue
        mapped = map_pointers(begins, ends, [output.pointers[row] for row in rows], [output.is_yes[row] for row in rows],
                              [output.scores[row] for row in rows], pointer_type=output.pointer_type, mapping=target.mapping)
        for (story_no, *_), (score, is_yes) in zip(members, mapped, strict=True):
            decisions.block_no.append(block_no)
            decisions.trial_no.append(story_no)
            decisions.is_yes.append(is_yes)
            decisions.score.append(max(score, OMITTED_SCORE))
    return decisions


def _files_without_trials(target: Target) -> set[str]:
    """Return the source files that an index may list and that hold no trial all the same."""
    return {name for [name] in target.engine.rows("""
        select file.source_file from base.source_file as file
        join registry.condition as condition on condition.condition_no = $condition and condition.corpus_no = file.corpus_no
        where file.is_excluded = 1
            or not list_contains(string_split(upper(coalesce(condition.languages, file.language)), ' '), upper(file.language))
            or not exists (select 1 from base.story as story where story.corpus_no = file.corpus_no
                and story.source_file_no = file.source_file_no and story.is_news = 1)""", {"condition": target.condition_no})}


def test_stories(target: Target, block_no: int) -> dict[str, list[tuple]]:
    """Return source file -> (story number, first and last recid, first and last second) of the block's test set."""
    found: dict[str, list[tuple]] = defaultdict(list)
    for source, *story in target.engine.rows("""
            select file.source_file, story.story_no, story.begin_recid, story.end_recid, story.begin_sec, story.end_sec
            from base.test_segment as test
            join base.segment_story as member on member.condition_no = test.condition_no and member.segment_no = test.segment_no
            join base.story as story on story.corpus_no = $corpus and story.story_no = member.story_no
            join base.source_file as file on file.corpus_no = story.corpus_no and file.source_file_no = story.source_file_no
            where test.condition_no = $condition and test.block_no = $block
            order by story.story_no""", {"corpus": target.corpus_no, "condition": target.condition_no, "block": block_no}):
        found[source].append(tuple(story))
    return found


def warn_of_missing(target: Target, run_no: int, inputs: Inputs, answered: Mapping[str, str], fallback: str) -> None:
    """Warn, once a topic, of test stories without a decision."""
    rows = target.engine.rows("""
        with expected as (
            select test.block_no as block_no, sum(segment.n_trial) as n
            from base.test_segment as test
            join base.segment as segment on segment.condition_no = test.condition_no and segment.segment_no = test.segment_no
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
        where expected.n > coalesce(decided.n, 0) order by block.block_id""", {"condition": target.condition_no, "run": run_no})
    for block_id, missing in rows:
        inputs.add("W822", answered.get(block_id, fallback), f"{missing} stories of the test set of topic {block_id} have no decision",
                   "They count as no with the score -9e99.")


# ---- tidy output

#: columns of a tidy tracking file that the engine may parse itself
_TIDY = ("topic_id", "story_id", "decision", "score")


def parse_clean_tidy_files(target: Target, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> str | None:
    """Let the engine parse tidy tracking files (CSV, TSV, Parquet) of one run; returns the temporary table that has their decisions.

    None where anything is unusual in one of them: then the reader has to look,
    which says exactly what and where. Both ways give the same decisions.
    """
    engine = target.engine
    sources = [_tidy_source(path, given, inputs) for given, path in files]
    if not sources or None in sources:
        return None
    engine.insert_temporary("run_block", {"topic_id": list(target.block_no) or [""], "block_no": list(target.block_no.values()) or [0]})
    lines = " union all ".join(sql for sql, _ in sources)
    engine.execute(f"""
        create or replace temp table parsed as
        select block.block_no as block_no, story.story_no as trial_no,
            case lower(line.decision) when 'yes' then true when 'no' then false end as is_yes, line.score as score
        from ({lines}) as line
        left join run_block as block on block.topic_id = line.topic_id
        left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.story_id""")
    last_story = engine.value("select coalesce(max(trial_no), 1) from parsed")
    [[n_row, n_odd, n_pair]] = engine.rows(f"""
        select coalesce(sum(n_row), 0), coalesce(sum(n_odd), 0), coalesce(sum(n_story), 0) from (
            select count(*) as n_row, bit_count(bitstring_agg(trial_no, 1, {last_story})) as n_story,
                count(*) filter (block_no is null or trial_no is null or is_yes is null or score is null or isnan(score) or abs(score) > 9e99) as n_odd
            from parsed group by block_no)""")
    n_wanted = sum(n_row for _, n_row in sources)
    if n_odd or not n_row == n_wanted == n_pair:
        engine.execute("drop table parsed")
        return None
    inputs.files += [replace(inputs.digest(given, path, "")[0], kind="tidy tracking") for given, path in files]
    return "parsed"


def _tidy_source(path: Path, given: str, inputs: Inputs) -> tuple[str, int] | None:
    """Return a query for the lines of a tidy tracking file, and how many rows it must have; None where the reader has to look."""
    source = quoted(path)
    plain = given.removesuffix(".gz")
    picked = ", ".join(f"line.{column} as {column}" for column in _TIDY[:3])
    probe = duckdb.connect(":memory:")  # what fails here leaves the store's transaction alone
    try:
        if plain.endswith(".parquet"):
            types = {column: kind for column, kind, *_ in probe.execute(f"describe select * from read_parquet({source})").fetchall()}
            if types != dict.fromkeys(_TIDY[:3], "VARCHAR") | {"score": types.get("score")} or types["score"] not in ("DOUBLE", "FLOAT"):
                return None
            sql = f"select {picked}, cast(line.score as double) as score from read_parquet({source}) as line"
            [n_row] = probe.execute(f"select count(*) from read_parquet({source})").fetchall()[0]
        else:
            delimiter = "\t" if plain.endswith((".tsv", ".tab")) else ","
            opener = gzip.open if given.endswith(".gz") else open
            with opener(path, "rb") as stream:
                head = stream.readline(_HEAD).decode("ascii").rstrip("\r\n").split(delimiter)
            if sorted(head) != sorted(_TIDY):
                return None
            columns = ", ".join(f"'{column}': 'VARCHAR'" for column in head)
            # the engine would read 1_000 as a number
            sql = f"""select {picked}, case when not contains(line.score, '_') then try_cast(line.score as double) end as score
                from read_csv({source}, columns = {{{columns}}}, delim = '{delimiter}', quote = '', escape = '', header = false, skip = 1,
                    auto_detect = false, null_padding = false, ignore_errors = true) as line"""
            n_row = inputs.digest(given, path, "tidy tracking")[1] - 1
        probe.execute(f"select {', '.join(f'count(line.{column})' for column in _TIDY)} from ({sql}) as line").fetchall()
    except (duckdb.Error, OSError, EOFError, ValueError, zlib.error):
        return None
    finally:
        probe.close()
    return (sql, n_row) if n_row > 0 else None


def load_tidy_files(target: Target, inputs: Inputs, files: Sequence[tuple[str, Path]], form: str, number_rows) -> dict[str | None, Decisions]:
    """Read tidy decisions; returns run id (None where the file names none) -> decisions.

    Args:
        form: a form of `tdtsql.reader.tidy`.
        number_rows: ``tidy_decisions``, or what another task has in its place.
    """
    runs: dict[str | None, Decisions] = {}
    for given, path in files:
        table = read_tidy_file(inputs, given, path, form)
        if table.columns and "run_id" not in table.columns and not len(table.lines):
            runs.setdefault(None, Decisions())  # a system that said nothing is a system
            inputs.add("W836", given, "the run has no decisions", "Every trial counts as no with the score -9e99.", line=1)
        number_rows(target, inputs, given, table, runs)
    for name, decisions in runs.items() if len(files) > 1 else ():  # the reader finds those of one file
        n_twice = len(decisions.trial_no) - len(set(zip(decisions.block_no, decisions.trial_no, strict=True)))
        if n_twice:
            run = "the run" if name is None else f"run '{name}'"
            inputs.add("E829", files[-1][0], f"{n_twice} decisions of {run} are also in another of its files", "Keep each in one file.")
    return runs


def frame_decisions(target: Target, inputs: Inputs, columns: Mapping[str, Sequence], form: str, number_rows) -> dict[str | None, Decisions]:
    """Check decisions given as columns (a data frame, an Arrow table); as load_tidy_files."""
    problems = Problems("decisions")
    table = check_columns(form, columns, problems)
    inputs.problems += problems.found
    runs: dict[str | None, Decisions] = {}
    number_rows(target, inputs, "decisions", table, runs)
    return runs


def tidy_decisions(target: Target, inputs: Inputs, given: str, table: TidyTable, runs: dict[str | None, Decisions]) -> None:
    """Number the rows of a tidy table and add them to the decisions of their runs."""
    columns = table.columns
    names = columns.get("run_id") or [None] * len(table.lines)
    decided = columns.get("decision", ())
    # a retrieved set without scores: yes before no
    scores = columns.get("score") or [float(is_yes) for is_yes in decided]
    # what the condition says of lines that fit nothing; only filtering conditions have a say
    topic_code, topic_advice = ("W820", "It has no effect.") if target.unknown_topics == "ignore" else ("E820", "Correct the topic, or add it to the corpus.")
    story_code, story_advice = (("E823", "Correct the story, or add it to the document order.") if target.unknown_documents == "error"
                                else ("W823", "It has no effect."))
    for line, name, topic, story, is_yes, score in zip(table.lines, names, columns.get("topic_id", ()), columns.get("story_id", ()),
                                                       decided, scores, strict=False):
        if topic not in target.known_topics:
            inputs.add(topic_code, given, "the run answers a topic that the condition does not have", topic_advice, line=line, value=topic)
            continue
        block_no = target.block_no.get(topic)
        number = target.story_no.get(story)
        if number is None and target.unknown_documents == "not_relevant" and is_yes and block_no is not None:
            number = target.unlisted_no(story)
            runs.setdefault(name, Decisions()).unlisted[number] = story
        if number is None:
            inputs.add(story_code, given, "a decision on a story that the corpus does not have", story_advice, line=line, value=story)
        elif block_no is not None:
            append_decision(runs.setdefault(name, Decisions()), inputs, given, line, block_no, number, is_yes, score)
    for name in dict.fromkeys(names):
        runs.setdefault(name, Decisions())
