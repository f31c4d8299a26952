"""Link detection: the pairs of stories to decide on, the key, and what systems say of them.

A pair has one decision; it may count in several blocks, so decisions are kept
under block 0 and the number of the pair. Ids match as written, or else by the
docno behind the colon (indexes write FILE:DOCNO, systems may write DOCNO).

Codes:
    E850  the key has no answer for a pair of the index   E851  the key answers a pair that no index has
    E852  a pair of a story that the corpus does not have E853  neither index, nor key, nor trials
    W854  pairs out of the plan's order                   E855  a decision on a pair that is not to be decided
    E856  a pair without a decision                       W857  output in another order than the index
    E858  a pair with two decisions                       E859  the deferral period is not the condition's
"""

import gzip
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.reader.link_key import LinkKey, read_link_key
from tdtsql.reader.link_output import LinkOutput, read_link_output
from tdtsql.reader.tidy import TidyTable
from tdtsql.store.bulk_pairs import header_lines, parse_pairs
from tdtsql.store.inputs import Inputs
from tdtsql.store.load_condition import Block, Condition, store_subsets
from tdtsql.store.load_corpus import Corpus
from tdtsql.store.load_new_event import topic_blocks, write_blocks
from tdtsql.store.load_run import Decisions, Target, append_decision, append_table, write_decisions

#: name and type of the fields of a key behind the two ids
_KEY = ("answer VARCHAR", "block VARCHAR")


@dataclass(slots=True)
class LinkTrials:
    """P pairs in the order of the index, or else of the key, and what the key says."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    answers: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  #: pair -> (block, answer)
    has_key: bool = False
    path: str = ""
    lines: list[int] = field(default_factory=list)  #: P
    clean: tuple[Path, int, int] | None = None  #: a key that the engine can parse: file, lines before the first pair, lines in all


def read_link_trials(condition: Condition) -> LinkTrials:
    """Read the key of a condition and match it with the pairs of its indexes."""
    inputs = condition.inputs
    trials = LinkTrials()
    if not condition.indexes and "key" in condition.spec:
        files = inputs.resolve(condition.spec["key"], "link key")
        clean = _clean_key(inputs, *files[0]) if len(files) == 1 else None
        if clean is not None:
            return LinkTrials(has_key=True, path=files[0][0], clean=clean)
        inputs.problems = [problem for problem in inputs.problems if problem.code != "E710"]
    keys: list[tuple[str, LinkKey]] = inputs.read_all(condition.spec.get("key"), "link key", read_link_key)
    trials.has_key = "key" in condition.spec
    asked = _Pairs()
    for given, index in condition.indexes:
        trials.path = trials.path or given
        for pair in index.pairs:
            if asked.add(pair.story_id_1, pair.story_id_2):
                trials.lines.append(pair.line)
    has_index = bool(condition.indexes)
    for given, key in keys:
        trials.path = trials.path or given
        for row in key.rows:
            if has_index:
                number = asked.find(row.id1, row.id2)
                if number is None:
                    inputs.add("E851", given, "the key answers a pair that the index does not have", "Add the pair to the index, or drop it from the key.",
                               line=row.line, value=f"{row.id1} {row.id2}")
                    continue
            else:
                asked.add(row.id1, row.id2)
                trials.lines.append(row.line)
                number = len(asked.pairs) - 1
            trials.answers.setdefault(asked.pairs[number], []).append((row.block, row.kind.lower()))
    trials.pairs = asked.pairs
    if has_index and keys and not inputs_failed(inputs):
        for line, pair in zip(trials.lines, trials.pairs, strict=True):
            if pair not in trials.answers:
                inputs.add("E850", trials.path, "the key has no answer for this pair", "Add the pair to the key (OTHER if it is not to be scored).",
                           line=line, value=" ".join(pair))
    if not trials.pairs and not inputs_failed(inputs):
        inputs.add("E853", str(condition.spec.get("id")), "a link condition needs pairs of stories", "Give the condition an index or a key.")
    return trials


def _clean_key(inputs: Inputs, given: str, path: Path) -> tuple[Path, int, int] | None:
    """Return where a clean key file begins and ends, or None."""
    n_header = header_lines(path, is_key=True)
    if n_header is None:
        return None
    file, n_line = inputs.digest(given, path, "link key")
    engine = Engine(":memory:")
    try:
        if not parse_pairs(engine, path, n_header, n_line, _KEY, "key"):
            return None
        if engine.value("select count(*) = 0 or count(*) filter (upper(answer) not in ('TARGET', 'NONTARGET', 'OTHER')) > 0 from key"):
            return None
    finally:
        engine.close()
    inputs.files.append(file)
    return path, n_header, n_line


def inputs_failed(inputs: Inputs) -> bool:
    return any(problem.is_error for problem in inputs.problems)


class _Pairs:
    """Numbered pairs, found as written or by the docnos behind the colons."""

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


def is_required_link(condition: Condition, languages: set[str]) -> bool:
    """Return whether this is the condition every site has to answer (plan, table 7)."""
    return condition.spec.get("deferral") == 10 and {language.upper() for language in languages} == {"ENGLISH", "MANDARIN", "ARABIC"}


def write_link_condition(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, trials: LinkTrials) -> None:
    """Store the pairs, the blocks, the key and the subsets of a link condition."""
    has_stories = bool(corpus.stories)
    if trials.clean is not None:
        if not parse_pairs(engine, *trials.clean, _KEY, "key"):
            condition.inputs.add("E710", trials.path, "the file changed while it was read", "Evaluate the bundle again.")
            return
        if not has_stories:
            _write_key(engine, condition_no, corpus)
            engine.execute("drop table key")
            return
        trials = _as_rows(engine, trials.path, trials.clean[1])
        engine.execute("drop table key")
    story_no = corpus.story_no
    count = len(trials.pairs)
    numbers: list[list[int | None]] = [[], []]
    for line, pair in zip(trials.lines, trials.pairs, strict=True):
        for side, story in enumerate(pair):
            number = story_no.get(story) or story_no.get(docno(story)) if has_stories else None
            numbers[side].append(number)
            if has_stories and number is None:
                condition.inputs.add("E852", trials.path, "a pair of a story that the corpus does not have", "Correct the id, or add the story's source file.",
                                     line=line, value=story)
    if inputs_failed(condition.inputs):
        return
    if has_stories and condition.indexes:
        _check_order(condition, trials, numbers)
    segment_of, segments = _segments(corpus, numbers, count)
    engine.insert("base.link_pair", {
        "condition_no": numpy.full(count, condition_no, dtype=numpy.int32),
        "trial_no": numpy.arange(1, count + 1, dtype=numpy.int32),
        "id_1": [pair[0] for pair in trials.pairs],
        "id_2": [pair[1] for pair in trials.pairs],
        **({"story_no_1": numbers[0], "story_no_2": numbers[1]} if has_stories else {}),
        "segment_no": numpy.array(segment_of, dtype=numpy.int32),
    })
    if trials.has_key:
        blocks = _write_answers(engine, condition_no, trials, corpus)
    else:
        blocks = topic_blocks(condition, corpus)
    write_blocks(engine, condition_no, blocks, corpus)
    counts = numpy.bincount(segment_of, minlength=len(segments) + 1)
    engine.insert("base.segment", {
        "condition_no": [condition_no] * len(segments),
        "segment_no": list(range(1, len(segments) + 1)),
        "n_trial": [int(counts[number]) for number in range(1, len(segments) + 1)],
    })
    cells: dict[tuple[str, str], list[tuple[int, int]]] = {("all", "all"): []}
    for number, languages in enumerate(segments, start=1):
        if not all(languages):
            continue
        inside = [(block, number) for block in range(1, len(blocks) + 1)]
        same = languages[0] == languages[1]
        cells.setdefault(("crossing", f"crossing={'same' if same else 'cross'}"), []).extend(inside)
        name = languages[0] if same else ":".join(languages)
        cells.setdefault(("language", f"language={name}"), []).extend(inside)
    store_subsets(engine, condition_no, cells)


def _as_rows(engine: Engine, path: str, n_header: int) -> LinkTrials:
    """Return the table that the engine parsed as rows, to look up their stories."""
    rows = LinkTrials(has_key=True, path=path)
    for line, id_1, id_2, answer, block in engine.rows("select line, id_1, id_2, lower(answer), block from key order by line"):
        rows.pairs.append((id_1, id_2))
        rows.lines.append(line + n_header)
        rows.answers[id_1, id_2] = [(block, answer)]
    return rows


def _write_key(engine: Engine, condition_no: int, corpus: Corpus) -> None:
    """Store a key without stories, from the table the engine parsed."""
    names = [name for name, in engine.rows("select distinct block from key order by block")]
    write_blocks(engine, condition_no, [Block(name, name if name in corpus.topics else None) for name in names], corpus)
    engine.execute(f"""
        insert into base.link_pair (condition_no, trial_no, id_1, id_2, segment_no)
        select {condition_no}, key.line, key.id_1, key.id_2, 1 from key order by key.line""")
    engine.execute(f"""
        insert into base.link_answer (condition_no, block_no, trial_no, answer)
        select {condition_no}, block.block_no, key.line, lower(key.answer)
        from key join base.block as block on block.condition_no = {condition_no} and block.block_id = key.block order by key.line""")
    engine.insert("base.segment", {"condition_no": [condition_no], "segment_no": [1], "n_trial": [engine.value("select count(*) from key")]})
    store_subsets(engine, condition_no, {("all", "all"): []})


def _check_order(condition: Condition, trials: LinkTrials, numbers: list[list[int | None]]) -> None:
    """Warn where pairs are not in order of time: second (newest) story, then first; the older story first."""
    key = [(second, first) for first, second in zip(*numbers, strict=True)]
    out = [at for at in range(1, len(key)) if key[at] < key[at - 1]]
    turned = [at for at, (second, first) in enumerate(key) if second < first]
    for places, what in ((out, "pairs come before an older pair; the plan orders them by the second story, then the first"),
                         (turned, "pairs name the newer story first; the plan puts the older one first")):
        if places:
            condition.inputs.add("W854", trials.path, f"{len(places)} {what}", "They are scored all the same.",
                                 line=trials.lines[places[0]], value=" ".join(trials.pairs[places[0]]))


def _segments(corpus: Corpus, numbers: list[list[int | None]], count: int) -> tuple[list[int], list[tuple[str | None, str | None]]]:
    """Return the segment of each pair, and what the segments are: unordered pairs of source languages."""
    segments: dict[tuple[str | None, str | None], int] = {}
    segment_of = []
    for first, second in zip(*numbers, strict=True):
        languages = [corpus.stories[number - 1][3] if number else None for number in (first, second)]
        pair = tuple(sorted(languages)) if all(languages) else (None, None)
        segment_of.append(segments.setdefault(pair, len(segments) + 1))
    return segment_of, list(segments)


def _write_answers(engine: Engine, condition_no: int, trials: LinkTrials, corpus: Corpus) -> list[Block]:
    names = sorted({block for answers in trials.answers.values() for block, _ in answers})
    number_of = {name: number for number, name in enumerate(names, start=1)}
    rows = [(number_of[block], trial_no, answer) for trial_no, pair in enumerate(trials.pairs, start=1)
            for block, answer in trials.answers.get(pair, ())]
    engine.insert("base.link_answer", {
        "condition_no": numpy.full(len(rows), condition_no, dtype=numpy.int32),
        "block_no": numpy.array([row[0] for row in rows], dtype=numpy.int32),
        "trial_no": numpy.array([row[1] for row in rows], dtype=numpy.int32),
        "answer": [row[2] for row in rows],
    })
    return [Block(name, name if name in corpus.topics else None) for name in names]


# ---- runs


def load_link_files(target: Target, run_no: int, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> str | None:
    """Store one run from its official output files; returns the system's name."""
    if len(files) == 1:
        system = _bulk_output(target, run_no, inputs, *files[0])
        if system is not None:
            return system
    asked = _asked(target)
    decisions = Decisions()
    system = None
    decided: dict[int, tuple[str, int]] = {}
    [[deferral]] = target.engine.rows("select deferral from registry.condition where condition_no = ?", [target.condition_no])
    for given, path in files:
        output: LinkOutput = inputs.read(given, path, "link output", read_link_output)
        system = system or output.system
        if deferral is not None and output.deferral is not None and output.deferral != deferral:
            inputs.add("E859", given, f"the header says a deferral of {output.deferral} source files, the condition {deferral}",
                       "Give each deferral period its own condition.", line=output.line, value=output.deferral)
        _decide(inputs, given, asked, decided, decisions,
                zip(output.lines, output.first_ids, output.second_ids, output.is_yes, output.scores, strict=True))
    _finish(inputs, files[0][0] if files else "", asked, decided, decisions)
    if not asked.pairs:  # the condition's own problem, reported there
        inputs.problems = [problem for problem in inputs.problems if problem.code != "E855"]
    if not inputs_failed(inputs):
        write_decisions(target.engine, run_no, decisions)
    return system


def _bulk_output(target: Target, run_no: int, inputs: Inputs, given: str, path: Path) -> str | None:
    """Store a clean output file that decides on every pair in order; returns the system's name, or None: nothing stored."""
    engine = target.engine
    n_header = header_lines(path, is_key=False)
    if n_header is None:
        return None
    problems = Problems(given)
    with (gzip.open if given.endswith(".gz") else open)(path, "rb") as stream:
        header = read_link_output(b"".join(stream.readline() for _ in range(n_header)), problems)
    deferral = engine.value("select deferral from registry.condition where condition_no = ?", [target.condition_no])
    if problems.found or header.system is None or (deferral is not None and header.deferral != deferral):
        return None
    file, n_line = inputs.digest(given, path, "link output")
    if not parse_pairs(engine, path, n_header, n_line, ("decision VARCHAR", "score DOUBLE"), "link_output"):
        return None
    engine.execute(f"""
        create or replace temp table decided as
        select output.line, 0 as block_no, pair.trial_no,
            case lower(output.decision) when 'yes' then true when 'no' then false end as is_yes, output.score
        from link_output as output
        left join base.link_pair as pair
            on pair.condition_no = {target.condition_no} and pair.id_1 = output.id_1 and pair.id_2 = output.id_2""")
    n_pair = engine.value("select count(*) from base.link_pair where condition_no = ?", [target.condition_no])
    odd = engine.value("""
        select count(*) from decided where trial_no is null or trial_no <> line or is_yes is null or score is null or isnan(score)
            or abs(score) > 9e99""")
    engine.execute("drop table link_output")
    if odd or n_line - n_header != n_pair:
        engine.execute("drop table decided")
        return None
    append_table(engine, run_no, 0, "decided")
    inputs.files.append(file)
    return header.system


def tidy_link_decisions(target: Target, inputs: Inputs, given: str, table: TidyTable, runs: dict[str | None, Decisions]) -> None:
    """Number the rows of a tidy table (story_id_1, story_id_2, decision, score) and add them to the decisions of their runs."""
    columns = table.columns
    names = columns.get("run_id") or [None] * len(table.lines)
    asked = _asked(target)
    rows: dict[str | None, list[tuple]] = defaultdict(list)
    for name, *row in zip(names, table.lines, columns.get("story_id_1", ()), columns.get("story_id_2", ()), columns.get("decision", ()),
                          columns.get("score", ()), strict=False):
        rows[name].append(tuple(row))
    for name in dict.fromkeys(names):
        decided: dict[int, tuple[str, int]] = {}
        decisions = runs.setdefault(name, Decisions())
        _decide(inputs, given, asked, decided, decisions, rows[name])
        _finish(inputs, given, asked, decided, decisions)


def _asked(target: Target) -> _Pairs:
    return _Pairs(target.engine.rows("select id_1, id_2 from base.link_pair where condition_no = ? order by trial_no", [target.condition_no]))


def _decide(inputs: Inputs, given: str, asked: _Pairs, decided: dict[int, tuple[str, int]], decisions: Decisions, rows: Iterable[tuple]) -> None:
    for line, first, second, is_yes, score in rows:
        number = asked.find(first, second)
        if number is None:
            turned = asked.find(second, first) is not None
            inputs.add("E855", given, "a decision on a pair that is not to be decided" + (" in this order" if turned else ""),
                       "Write the stories in the order of the index." if turned else "Drop the line.", line=line, value=f"{first} {second}")
        elif number in decided:
            path, earlier = decided[number]
            inputs.add("E858", given, f"the pair has a decision already, in {path}:{earlier}", "Keep one of the two.", line=line,
                       value=f"{first} {second}")
        else:
            decided[number] = (given, line)
            append_decision(decisions, inputs, given, line, 0, number + 1, is_yes, score)


def _finish(inputs: Inputs, given: str, asked: _Pairs, decided: dict[int, tuple[str, int]], decisions: Decisions) -> None:
    for number, pair in enumerate(asked.pairs):
        if number not in decided:
            inputs.add("E856", given, "no decision on this pair", "Decide on every pair of the index.", value=" ".join(pair))
    trials = decisions.trial_no
    out = next((at for at in range(1, len(trials)) if trials[at] < trials[at - 1]), None)
    if out is not None:
        path, line = decided[trials[out] - 1]
        inputs.add("W857", path, "the decisions are in another order than the pairs of the index", "They are scored all the same.", line=line,
                   value=" ".join(asked.pairs[trials[out] - 1]))
