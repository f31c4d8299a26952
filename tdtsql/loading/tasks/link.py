"""Link detection: the pairs of stories to decide on, the key, and the decisions of systems.

A pair has one decision; it may count in several blocks, so decisions are stored
under block 0 and the number of the pair. Ids match as written, or else by the
docno after the colon (indexes write FILE:DOCNO, systems may write DOCNO).

Codes:
    E850  the key has no label for a pair of the index    E851  the key has a pair that no index has
    E852  a pair of a story that the corpus does not have E853  neither index, nor key, nor trials
    W852  a docno with the name of another source file
    W854  pairs out of the plan's order                   E855  a decision on a pair that is not a trial
    E856  a pair without a decision                       W857  output in an order other than the index
    E858  a pair with two decisions                       E859  the deferral period is not the condition's
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems, not_none
from tdtsql.intake.fingerprint import fingerprint
from tdtsql.intake.inputs import Inputs
from tdtsql.intake.pair_file import KEY_FIELDS, OUTPUT_FIELDS, PairFile, header_lines, is_sound, pair_file, parse_pairs
from tdtsql.loading.condition import Condition, read_index_lines
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.decisions import Decisions, decided_run, table_run
from tdtsql.loading.plan import by_column, PendingRun, ConditionSpec, RunReader, Source, StoredCondition, WrittenSpec
from tdtsql.loading.story_trials import Block, drop_tables, make_table, store_subsets, topic_blocks, write_blocks
from tdtsql.loading.tidy_run import CleanRows, decided_rows, tidy_format
from tdtsql.reader.field import source_name, split_story_id
from tdtsql.reader.link_key import KeyPair, read_link_key
from tdtsql.reader.decision import Output
from tdtsql.reader.link_output import read_link_output
from tdtsql.reader.text import opened
from tdtsql.reader.tidy import TidyTable

#: the docno of an id in SQL, as ``docno`` has it
DOCNO = "regexp_extract({}, '[^:]*$')"


@dataclass(slots=True)
class LinkTrials:
    """P pairs in the order of the index, or else of the key, and their labels; or the well-formed files that contain
    them."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    answers: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  #: pair -> (block, label)
    has_key: bool = False
    places: list[tuple[str, int]] = field(default_factory=list)  #: P paths and lines
    #: an index that the engine parsed into a table; pairs and answers are empty then
    index_file: PairFile | None = None
    key_file: PairFile | None = None
    index_table: str = ""
    key_table: str = ""
    is_aligned: bool = False  #: line for line, the key has the pair of the index

    def add(self, asked: "_Pairs", id_1: str, id_2: str, path: str, line: int) -> int:
        """Return the number of a pair, which may be new, from 0."""
        if asked.add(id_1, id_2):
            self.places.append((path, line))
        return not_none(asked.find(id_1, id_2))


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Return the pairs of a condition and their labels in the key."""
    trials = read_link_trials(engine, condition, corpus)
    return WrittenSpec(
        [" ".join(pair) for pair in trials.pairs],
        lambda engine, condition_no: _write_condition(engine, condition_no, condition, corpus, trials),
        lambda engine: _drop_parsed(engine, trials),
    )


def read_link_trials(engine: Engine, condition: Condition, corpus: Corpus) -> LinkTrials:
    """Read the key of a condition and match it with the pairs of its indexes."""
    inputs = condition.inputs
    clean = _clean_trials(engine, condition)
    if clean is not None:
        return clean
    read_index_lines(condition)
    keys: list[tuple[str, list[KeyPair]]] = inputs.read_all(condition.spec.get("key"), "link key", read_link_key)
    trials = LinkTrials(has_key="key" in condition.spec)
    asked = _Pairs()
    for given, index in condition.indexes:
        for pair in index.pairs:
            trials.add(asked, pair.story_id_1, pair.story_id_2, given, pair.line)
    for story_1, story_2, given, line in condition.pairs:
        trials.add(asked, story_1, story_2, given, line)
    has_index = bool(condition.indexes or condition.pairs)
    for given, key in keys:
        for row in key:
            number = asked.find(row.id1, row.id2) if has_index else trials.add(asked, row.id1, row.id2, given, row.line)
            if number is None:
                inputs.add(
                    "E851",
                    given,
                    "the key answers a pair that the index does not have",
                    "Add the pair to the index, or drop it from the key.",
                    row.line,
                    f"{row.id1} {row.id2}",
                )
                continue
            _warn_of_other_files(
                inputs,
                given,
                row.line,
                (row.id1, row.id2),
                asked.pairs[number],
                lambda story: _source_file(corpus, story),
            )
            trials.answers.setdefault(asked.pairs[number], []).append((row.block, row.kind.lower()))
    if has_index and keys and asked.pairs and not trials.answers and any(key for _, key in keys):
        given, row = next((given, key[0]) for given, key in keys if key)
        message = f"none of the {sum(len(key) for _, key in keys):,} pairs of the key is among the pairs to decide on"
        inputs.say_unmatched("E851", given, message, f"{row.id1} {row.id2}", " ".join(asked.pairs[0]))
    trials.pairs = asked.pairs
    if has_index and keys and not inputs.has_errors:
        for (given, line), placed in zip(trials.places, trials.pairs, strict=True):
            if placed not in trials.answers:
                inputs.add(
                    "E850",
                    given,
                    "the key has no answer for this pair",
                    "Add the pair to the key (OTHER if it is not to be scored).",
                    line,
                    " ".join(placed),
                )
    if not trials.pairs and not inputs.has_errors:
        inputs.add(
            "E853",
            str(condition.spec.get("id")),
            "a link condition needs pairs of stories",
            "Give the condition an index, trials or a key.",
        )
    return trials


def _clean_trials(engine: Engine, condition: Condition) -> LinkTrials | None:
    """Return the files of a condition, in tables of the engine, if it can parse them and they agree, or None."""
    inputs = condition.inputs
    index, key = condition.clean_index, None
    if condition.indexes and index is None or condition.pairs:
        return None
    if "key" in condition.spec:
        n_problem = len(inputs.problems)
        files = inputs.resolve(condition.spec["key"], "link key")
        del inputs.problems[n_problem:]  # the reader reports them
        n_header = header_lines(files[0][1], is_key=True) if len(files) == 1 else None
        key = pair_file(inputs, *files[0], "link key", n_header) if n_header is not None else None
        if key is None:
            return None
    if (index or key) is None:
        return None
    name = fingerprint(condition.spec.get("id"))[:16]
    trials = LinkTrials([], {}, key is not None, [], index, key, f"link_index_{name}", f"link_key_{name}")
    if not _parsed(engine, trials):
        _drop_parsed(engine, trials)
        return None
    if key is not None:
        inputs.note(key.given, key.path, "link key")
    return trials


def _parsed(engine: Engine, trials: LinkTrials) -> bool:
    """Parse the files of trials; return whether they are sound and have the same pairs."""
    index, key = trials.index_file, trials.key_file
    for file, fields, table in ((index, (), trials.index_table), (key, KEY_FIELDS, trials.key_table)):
        if file is not None and not (parse_pairs(engine, file, fields, table) and is_sound(engine, table, fields)):
            return False
    if key is not None and engine.value(
        f"select count(*) from {trials.key_table} where upper(answer) not in ('TARGET', 'NONTARGET', 'OTHER')"
    ):
        return False
    if index is None or key is None:
        return True
    if index.n_line - index.n_header != key.n_line - key.n_header:
        return False
    trials.is_aligned = engine.value(
        f"select count(*) = 0 from {trials.index_table} as pair positional join {trials.key_table} as key "
        "where pair.line <> key.line or pair.id_1 <> key.id_1 or pair.id_2 <> key.id_2"
    )
    return trials.is_aligned or index.n_line - index.n_header == engine.value(
        f"select count(*) from {trials.index_table} join {trials.key_table} using (id_1, id_2)"
    )


def _drop_parsed(engine: Engine, trials: LinkTrials) -> None:
    """Remove the tables of clean files."""
    for table in filter(None, (trials.index_table, trials.key_table)):
        engine.execute(f"drop table if exists {table}")


class _Pairs:
    """Numbered pairs, found as written or by the docnos after the colons."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()):
        self.pairs: list[tuple[str, str]] = []
        self._number: dict[tuple[str, str], int] = {}
        self._by_docno: dict[tuple[str, str], int | None] | None = None
        for pair in pairs:
            self.add(*pair)

    def add(self, id_1: str, id_2: str) -> bool:
        number = self._number.setdefault((id_1, id_2), len(self.pairs))
        if number < len(self.pairs):
            return False
        self.pairs.append((id_1, id_2))
        self._by_docno = None
        return True

    def find(self, id_1: str, id_2: str) -> int | None:
        number = self._number.get((id_1, id_2))
        if number is None:
            if self._by_docno is None:
                self._by_docno = {}
                for at, (first, second) in enumerate(self.pairs):
                    key = docno(first), docno(second)
                    self._by_docno[key] = None if key in self._by_docno else at
            number = self._by_docno.get((docno(id_1), docno(id_2)))
        return number


def docno(written: str) -> str:
    """Return the docno of an id that may be FILE:DOCNO."""
    return written.rsplit(":", 1)[-1]


#: a pair's two source languages in order of name, or neither where one is unknown
Languages = tuple[str | None, str | None]


def _write_condition(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, trials: LinkTrials
) -> None:
    """Store the pairs, the blocks, the key and the subsets of a link condition."""
    if trials.index_file or trials.key_file:
        segments = _write_clean_pairs(engine, condition_no, condition, corpus, trials)
    else:
        segments = _write_pairs(engine, condition_no, condition, corpus, trials)
    if segments is None:
        return
    if not trials.has_key:
        blocks = topic_blocks(condition, corpus)
    else:
        names = (
            [name for (name,) in engine.rows(f"select distinct block from {trials.key_table} order by block")]
            if trials.key_file
            else sorted({block for answers in trials.answers.values() for block, _ in answers})
        )
        blocks = [Block(name, name if name in corpus.topics else None) for name in names]
    write_blocks(engine, condition_no, blocks, corpus)
    if trials.has_key:
        _write_answers(engine, condition_no, blocks, trials)
    numbers = range(1, len(segments) + 1)
    engine.insert(
        "base.segment",
        {
            "condition_no": condition_no,
            "segment_no": list(numbers),
            "n_trial": [count for _, count in segments],
        },
    )
    spoken = [(*languages, number) for number, (languages, _) in zip(numbers, segments, strict=True)]
    make_table(engine, "link_segment", ("first varchar", "second varchar", "segment_no integer"), spoken)
    cells = f"link_segment cross join (select block_no from base.block where condition_no = {condition_no})"
    store_subsets(
        engine,
        condition_no,
        f"""
        select 'crossing' as kind, 'crossing=' || if(first = second, 'same', 'cross') as subset, block_no, segment_no
        from {cells} where first is not null
        union all
        select 'language', 'language=' || first || if(first = second, '', ':' || second), block_no, segment_no
        from {cells} where first is not null""",
    )
    drop_tables(engine, "link_segment")


def _languages(corpus: Corpus, first: int | None, second: int | None) -> Languages:
    """Return the languages of a pair of story numbers."""
    both = [corpus.stories[number - 1][3] if number else None for number in (first, second)]
    spoken = sorted(language for language in both if language)
    return (spoken[0], spoken[1]) if len(spoken) == 2 else (None, None)


def _story_number(corpus: Corpus, written: str) -> int | None:
    return corpus.story_no.get(written) or corpus.story_no.get(docno(written))


def _is_of_another_file(corpus: Corpus, written: str, number: int) -> bool:
    """Return whether a story is written as FILE:DOCNO with another source file than in the corpus."""
    file, own = split_story_id(written)[0], corpus.stories[number - 1][1]
    return bool(file) and own > 0 and written not in corpus.story_no and file != source_name(corpus.file_names[own - 1])


def _are_of_other_files(written: str, asked: str) -> bool:
    """Return whether both ids of a story are FILE:DOCNO, and their source files differ."""
    files = split_story_id(written)[0], split_story_id(asked)[0]
    return all(files) and files[0] != files[1]


def _warn_of_other_files(
    inputs: Inputs,
    path: str,
    line: int,
    written: Iterable[str],
    asked: Iterable[str],
    sources: Callable[[str], str | None],
) -> None:
    """Report the stories of a row of a key or an output that are found by their docnos but have other source files.


    Args:
        sources: the corpus's source file of a story's id; an id with it is correct, and the index is not.
    """
    for story, wanted in zip(written, asked, strict=True):
        if story != wanted and _are_of_other_files(story, wanted):
            source = sources(wanted)
            if source is None or split_story_id(story)[0] != source_name(source):
                inputs.add(
                    "W852",
                    path,
                    f"the story is in source file {source or split_story_id(wanted)[0]}, not in that before the colon",
                    "Its docno counts.",
                    line,
                    story,
                )


def _source_file(corpus: Corpus, written: str) -> str | None:
    """Return the source file of a story in the corpus; None if unknown."""
    number = _story_number(corpus, written) if corpus.stories else None
    own = corpus.stories[number - 1][1] if number else 0
    return corpus.file_names[own - 1] if own else None


def _warn_of_another_file(
    condition: Condition, corpus: Corpus, path: str, line: int, written: str, number: int
) -> None:
    condition.inputs.add(
        "W852",
        path,
        f"the story is in source file {corpus.file_names[corpus.stories[number - 1][1] - 1]}, not in that before the "
        f"colon",
        "Its docno counts.",
        line,
        written,
    )


def _write_pairs(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, trials: LinkTrials
) -> list[tuple[Languages, int]] | None:
    """Store the pairs; return the segments with the number of pairs of each, or None after reporting errors."""
    has_stories = bool(corpus.stories)
    n_pair = len(trials.pairs)
    numbers: list[list[int | None]] = [[], []]
    for (path, line), pair in zip(trials.places, trials.pairs, strict=True):
        for side, story in enumerate(pair):
            number = _story_number(corpus, story) if has_stories else None
            numbers[side].append(number)
            if has_stories and number is None:
                condition.inputs.add(
                    "E852",
                    path,
                    "a pair of a story that the corpus does not have",
                    "Correct the id, or add the story's source file.",
                    line,
                    story,
                )
            elif has_stories and number and _is_of_another_file(corpus, story, number):
                _warn_of_another_file(condition, corpus, path, line, story, number)
    if has_stories and n_pair and not any(numbers[0] + numbers[1]):
        message = f"none of the {n_pair:,} pairs is of stories of the corpus"
        path, story = trials.places[0][0], trials.pairs[0][0]
        condition.inputs.say_unmatched("E852", path, message, story, next(iter(corpus.story_no)))
    if condition.inputs.has_errors:
        return None
    if has_stories and condition.indexes:
        _check_order(condition, numpy.array(numbers), lambda at: (*trials.places[at], trials.pairs[at]))
    segments: dict[Languages, int] = {}
    segment_of = [
        segments.setdefault(_languages(corpus, *pair), len(segments) + 1) for pair in zip(*numbers, strict=True)
    ]
    engine.insert(
        "base.link_pair",
        {
            "condition_no": condition_no,
            "trial_no": numpy.arange(1, n_pair + 1),
            "id_1": [pair[0] for pair in trials.pairs],
            "id_2": [pair[1] for pair in trials.pairs],
            **({"story_no_1": numbers[0], "story_no_2": numbers[1]} if has_stories else {}),
            "segment_no": segment_of,
        },
    )
    counts = numpy.bincount(segment_of, minlength=len(segments) + 1)
    return [(languages, int(counts[number])) for languages, number in segments.items()]


def _write_clean_pairs(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, trials: LinkTrials
) -> list[tuple[Languages, int]] | None:
    """Store the pairs of clean files, without a way through Python; returns what ``_write_pairs`` does."""
    of_index = trials.index_file is not None
    file = not_none(trials.index_file if of_index else trials.key_file)
    table = trials.index_table if of_index else trials.key_table
    names = (
        engine.query(f"select distinct id from (select id_1 as id from {table} union all select id_2 from {table})")
        .fetchnumpy()["id"]
        .tolist()
    )
    if corpus.stories:
        numbers = [number for name in names if (number := _story_number(corpus, name)) is not None]
        if len(numbers) < len(names):  # an error, to be named with its line
            for line, id_1, id_2 in engine.rows(f"select line, id_1, id_2 from {table} order by line"):
                trials.pairs.append((id_1, id_2))
                trials.places.append((file.given, line + file.n_header))
            return _write_pairs(engine, condition_no, condition, corpus, trials)
        misplaced = {
            name: number
            for name, number in zip(names, numbers, strict=True)
            if _is_of_another_file(corpus, name, number)
        }
        if misplaced:
            for line, *pair in engine.rows(f"select line, id_1, id_2 from {table} order by line"):
                for name in filter(misplaced.__contains__, pair):
                    _warn_of_another_file(condition, corpus, file.given, line + file.n_header, name, misplaced[name])
        spoken = sorted({story[3] for story in corpus.stories if story[3]})
        code = {language: number for number, language in enumerate(spoken, start=1)}
        engine.insert_temporary(
            "link_story",
            {
                "id": names,
                "story_no": numpy.array(numbers, dtype=numpy.int32),
                "language_no": numpy.array(
                    [code.get(corpus.stories[number - 1][3], 0) for number in numbers], dtype=numpy.int32
                ),
            },
        )
        engine.execute(f"""
            create or replace temp table link_place as
            select pair.line, pair.id_1, pair.id_2, first.story_no as story_no_1, second.story_no as story_no_2,
                case when first.language_no = 0 or second.language_no = 0 then 0
                    else least(first.language_no, second.language_no) end as low,
                case when first.language_no = 0 or second.language_no = 0 then 0
                    else greatest(first.language_no, second.language_no) end as high
            from {table} as pair join link_story as first on first.id = pair.id_1
                join link_story as second on second.id = pair.id_2""")
        if condition.indexes:
            found = engine.query("select story_no_1, story_no_2 from link_place order by line").fetchnumpy()
            _check_order(
                condition,
                numpy.array([found["story_no_1"], found["story_no_2"]]),
                lambda at: (
                    file.given,
                    file.n_header + at + 1,
                    engine.rows("select id_1, id_2 from link_place where line = ?", [at + 1])[0],
                ),
            )
    else:
        spoken = []
        engine.execute(
            f"create or replace temp view link_place as select line, id_1, id_2, null as story_no_1, null as "
            f"story_no_2, 0 as low, 0 as high from {table}"
        )
    segments = engine.rows("select low, high, count(*) from link_place group by low, high order by min(line)")
    engine.insert_temporary(
        "link_segment",
        {
            "low": [row[0] for row in segments],
            "high": [row[1] for row in segments],
            "segment_no": list(range(1, len(segments) + 1)),
        },
    )
    engine.execute(f"""
        insert into base.link_pair (condition_no, trial_no, id_1, id_2, story_no_1, story_no_2, segment_no)
        select {condition_no}, place.line, place.id_1, place.id_2, place.story_no_1, place.story_no_2,
            segment.segment_no
        from link_place as place join link_segment as segment on segment.low = place.low and segment.high = place.high
        order by place.line""")
    for table in ("link_segment", "link_story") if corpus.stories else ("link_segment",):
        engine.execute(f"drop table {table}")
    engine.execute(f"drop {'table' if corpus.stories else 'view'} link_place")
    for staged, staged_file, columns, table in (
        ("staging.index_pair", trials.index_file, "id_1, id_2", trials.index_table),
        ("staging.link_key", trials.key_file, "id_1, id_2, upper(answer), block", trials.key_table),
    ):
        if staged_file is not None:
            condition.inputs.bulk.append(
                (staged, staged_file.given, f"line + {staged_file.n_header}, {columns}", table)
            )
    return [((spoken[low - 1], spoken[high - 1]) if low else (None, None), count) for low, high, count in segments]


def _write_answers(engine: Engine, condition_no: int, blocks: list[Block], trials: LinkTrials) -> None:
    """Store the labels of the stored pairs."""
    if trials.key_file:
        numbered = f"key.line from {trials.key_table} as key"
        if trials.index_file and not trials.is_aligned:
            numbered = (
                f"pair.line from {trials.key_table} as key join {trials.index_table} as pair "
                "on pair.id_1 = key.id_1 and pair.id_2 = key.id_2"
            )
        engine.execute(f"""
            insert into base.link_answer (condition_no, block_no, trial_no, answer)
            select {condition_no}, block.block_no, key.line, lower(key.answer)
            from (select key.block, key.answer, {numbered}) as key
            join base.block as block on block.condition_no = {condition_no} and block.block_id = key.block
            order by key.line""")
        return
    number_of = {block.block_id: number for number, block in enumerate(blocks, start=1)}
    rows = [
        (number_of[block], trial_no, answer)
        for trial_no, pair in enumerate(trials.pairs, start=1)
        for block, answer in trials.answers.get(pair, ())
    ]
    engine.insert(
        "base.link_answer",
        {
            "condition_no": condition_no,
            **by_column(rows, "block_no", "trial_no", "answer"),
        },
    )


def _check_order(
    condition: Condition, numbers: numpy.ndarray, place: Callable[[int], tuple[str, int, tuple[str, str]]]
) -> None:
    """Warn where pairs are not in order of time: second (newest) story, then first; the older story first.

    Args:
        numbers: (2, P) story numbers.
        place: returns path, line and names of a pair.
    """
    first, second = numbers
    earlier = (second[1:] < second[:-1]) | ((second[1:] == second[:-1]) & (first[1:] < first[:-1]))
    for found, what in (
        (
            numpy.flatnonzero(earlier) + 1,
            "pairs come before an older pair; the plan orders them by the second story, then the first",
        ),
        (numpy.flatnonzero(second < first), "pairs name the newer story first; the plan puts the older one first"),
    ):
        if len(found):
            path, line, pair = place(int(found[0]))
            condition.inputs.add("W854", path, f"{len(found)} {what}", "They are scored.", line, " ".join(pair))


# ---- runs


def read_official(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the run of official output files."""
    if len(files) == 1:
        system = _bulk_output(target, inputs, *files[0])
        if system is not None:
            yield table_run(target, inputs, files[0][0], run_id or system, "decided", system=system)
            target.engine.execute("drop table decided")
            return
    asked = _asked(target)
    decisions = Decisions()
    system = None
    decided: dict[int, tuple[str, int]] = {}
    for given, path in files:
        output: Output = inputs.read(given, path, "link output", read_link_output)
        system = system or output.system
        if target.deferral is not None and output.deferral is not None and output.deferral != target.deferral:
            inputs.add(
                "E859",
                given,
                f"the header says a deferral of {output.deferral} source files, the condition {target.deferral}",
                "Give each deferral period its own condition.",
                output.line,
                output.deferral,
            )
        _decide(
            inputs,
            given,
            asked,
            decided,
            decisions,
            zip(output.lines, output.sources, output.pointers, output.is_yes, output.scores, strict=True),
            lambda story: _stored_source(target, story),
        )
    _finish(inputs, files[0][0], asked, decided, decisions)
    if not asked.pairs:  # the condition's own problem, reported there
        inputs.problems = [problem for problem in inputs.problems if problem.code != "E855"]
        decisions.first_unknown = None
    yield decided_run(target, inputs, files[0][0], run_id or system or "run", decisions, system=system)


def _bulk_output(target: StoredCondition, inputs: Inputs, given: str, path: Path) -> str | None:
    """Read a clean output file that decides on every pair in order into the table ``decided``; returns the system's
    name, or None: no table.
    """
    engine = target.engine
    n_header = header_lines(path, is_key=False)
    if n_header is None:
        return None
    problems = Problems(given)
    with opened(path) as stream:
        header = read_link_output(b"".join(stream.readline() for _ in range(n_header)), problems)
    if problems.found or header.system is None or (target.deferral is not None and header.deferral != target.deferral):
        return None
    file = pair_file(inputs, given, path, "link output", n_header)
    if file is None or not parse_pairs(engine, file, OUTPUT_FIELDS, "link_output"):
        return None
    # line for line the pairs of the condition, as written or by the docnos after the colons
    engine.execute(f"""
        create or replace temp table decided as
        select 0 as block_no, output.line as trial_no,
            case lower(output.decision) when 'yes' then true when 'no' then false end as is_yes, output.score,
            case when pair.id_1 = output.id_1 and pair.id_2 = output.id_2 then 'written'
                when {DOCNO.format("pair.id_1")} = {DOCNO.format("output.id_1")}
                    and {DOCNO.format("pair.id_2")} = {DOCNO.format("output.id_2")} then 'docno'
            end as found
        from link_output as output
        left join base.link_pair as pair on pair.condition_no = {target.condition_no}
            and pair.trial_no = output.line""")
    n_pair = _n_pair(target)
    is_clean = file.n_line - n_header == n_pair and not engine.value("""
        select count(*) from decided
        where found is null or is_yes is null or score is null or isnan(score) or abs(score) > 9e99""")
    if is_clean and engine.value("select count(*) from decided where found = 'docno'"):
        # then no two pairs may have the same docnos, and no docno may follow the name of another source file
        is_clean = n_pair == engine.value(
            f"""
            select count(distinct hash({DOCNO.format("id_1")}, {DOCNO.format("id_2")})) from base.link_pair
            where condition_no = ?""",
            [target.condition_no],
        ) and not any(
            _are_of_other_files(*ids)
            for number in (1, 2)
            for ids in engine.rows(f"""
                select distinct regexp_extract(output.id_{number}, '^.*:'), regexp_extract(pair.id_{number}, '^.*:')
                from link_output as output
                join base.link_pair as pair on pair.condition_no = {target.condition_no} and pair.trial_no = output.line
                where pair.id_{number} <> output.id_{number}""")
        )
    engine.execute("drop table link_output")
    if not is_clean:
        engine.execute("drop table decided")
        return None
    inputs.note(given, path, "link output")
    return header.system


def _n_pair(target: StoredCondition) -> int:
    return target.engine.value("select count(*) from base.link_pair where condition_no = ?", [target.condition_no])


def _tidy_decisions(
    target: StoredCondition, inputs: Inputs, given: str, table: TidyTable, runs: dict[str | None, Decisions]
) -> None:
    """Number the rows of a tidy table (story_id_1, story_id_2, decision, score) and add them to the decisions of their
    runs.
    """
    asked = _asked(target)
    rows: dict[str | None, list[tuple]] = defaultdict(list)
    for name, *row in decided_rows(table, "story_id_1", "story_id_2"):
        rows[name].append(tuple(row))
    for name, decisions in rows.items():
        decided: dict[int, tuple[str, int]] = {}
        _decide(inputs, given, asked, decided, runs[name], decisions, lambda story: _stored_source(target, story))
        _finish(inputs, given, asked, decided, runs[name])


def _stored_source(target: StoredCondition, written: str) -> str | None:
    """Return the source file of a story of a trial pair; None if unknown."""
    return target.engine.value(
        """
        select min(file.source_file)
        from base.link_pair as pair
        join base.story as story on story.corpus_no = ? and story.story_no = case ? when pair.id_1 then pair.story_no_1
            when pair.id_2 then pair.story_no_2 end
        join base.source_file as file on file.corpus_no = story.corpus_no and file.source_file_no = story.source_file_no
        where pair.condition_no = ?""",
        [target.corpus_no, written, target.condition_no],
    )


def _asked(target: StoredCondition) -> _Pairs:
    return _Pairs(
        target.engine.rows(
            "select id_1, id_2 from base.link_pair where condition_no = ? order by trial_no", [target.condition_no]
        )
    )


def _decide(
    inputs: Inputs,
    given: str,
    asked: _Pairs,
    decided: dict[int, tuple[str, int]],
    decisions: Decisions,
    rows: Iterable[tuple],
    sources: Callable[[str], str | None],
) -> None:
    for line, first, second, is_yes, score in rows:
        number = asked.find(first, second)
        if number is None:
            decisions.miss(given, line, "pairs", f"{first} {second}")
            turned = asked.find(second, first) is not None
            inputs.add(
                "E855",
                given,
                "a decision on a pair that is not to be decided" + (" in this order" if turned else ""),
                "Write the stories in the order of the index." if turned else "Drop the line.",
                line,
                f"{first} {second}",
            )
        elif number in decided:
            path, earlier = decided[number]
            inputs.add(
                "E858",
                given,
                f"the pair has a decision already, in {path}:{earlier}",
                "Keep one of the two.",
                line,
                f"{first} {second}",
            )
        else:
            _warn_of_other_files(inputs, given, line, (first, second), asked.pairs[number], sources)
            decided[number] = (given, line)
            decisions.add(inputs, given, line, 0, number + 1, is_yes, score)


def _finish(
    inputs: Inputs, given: str, asked: _Pairs, decided: dict[int, tuple[str, int]], decisions: Decisions
) -> None:
    for number, pair in enumerate(asked.pairs):
        if number not in decided:
            inputs.add(
                "E856", given, "no decision on this pair", "Decide on every pair of the index.", value=" ".join(pair)
            )
    trials = decisions.trial_no
    out = next((at for at in range(1, len(trials)) if trials[at] < trials[at - 1]), None)
    if out is not None:
        path, line = decided[trials[out] - 1]
        inputs.add(
            "W857",
            path,
            "the decisions are in another order than the pairs of the index",
            "They are scored.",
            line,
            " ".join(asked.pairs[trials[out] - 1]),
        )


def _clean_rows(target: StoredCondition) -> CleanRows:
    return CleanRows(
        "0",
        "pair.trial_no",
        f"""
        left join base.link_pair as pair on pair.condition_no = {target.condition_no}
            and pair.id_1 = line.story_id_1 and pair.id_2 = line.story_id_2""",
        n_trial=_n_pair(target),
    )


_TIDY = tidy_format("link", _tidy_decisions, _clean_rows)

FORMATS = {"tdt": RunReader(read_official), "tidy": _TIDY, "frame": _TIDY}
