"""New event detection: its test set, and what systems say of it.

Every story of the test set has one decision; the topics share it, so decisions
are kept under block 0. Which stories are targets is SQL (base.new_event_trial__v1).

Codes:
    E840  the deferral period is not the condition's     E841  another pointer type than the index's
    E842  records of a source file outside the test set  E843  no record of a source file of the test set
    E844  time pointers without seconds                  E845  a story with two decisions, in two files
    W846  a decision on a story outside the test set     W847  stories without a decision
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.reader.new_event_output import NewEventOutput, read_new_event_output
from tdtsql.reader.pointer_mapping import map_pointers
from tdtsql.reader.tidy import TidyTable
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import Condition
from tdtsql.loading.story_trials import Block, Segment, chosen_topics, sets_of_files, store_subsets, write_segments_of_stories, write_subsets
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.tasks.tracking import OMITTED_SCORE, Decisions, Target, append_decision, source_name, write_decisions


def topic_blocks(condition: Condition, corpus: Corpus) -> list[Block]:
    """Return the topics of the corpus that the condition scores, in the order of their ids."""
    return [Block(topic, topic) for topic in sorted(chosen_topics(condition, corpus.topics))]


def write_new_event_condition(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]) -> None:
    """Store the topics, the test set and the subsets of a new event condition."""
    write_blocks(engine, condition_no, blocks, corpus)
    segments = write_test_set(engine, condition_no, condition, corpus)
    inside = list(range(len(blocks)))
    write_subsets(engine, condition_no, condition, corpus, blocks, {number: (segment, inside) for segment, number in segments.items()})


def write_blocks(engine: Engine, condition_no: int, blocks: list[Block], corpus: Corpus) -> None:
    """Store the blocks of a condition whose trials are not implied by test segments."""
    topic_no = corpus.topic_no
    engine.insert("base.block", {
        "condition_no": [condition_no] * len(blocks),
        "block_no": list(range(1, len(blocks) + 1)),
        "block_id": [block.block_id for block in blocks],
        "topic_no": [topic_no.get(block.topic_id) for block in blocks],
        "first_test_story_no": [1] * len(blocks),
        "is_scored": [1] * len(blocks),
    })


def write_test_set(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus) -> dict[Segment, int]:
    """Store which news stories are tested, by segment, and return the segments' numbers.

    The stories of the index's source files (all stories without an index), of
    the condition's languages, excluded files apart; of a story list, those listed.
    """
    wanted = {language.upper() for language in condition.spec.get("languages", [])}
    files = {entry.name for entries in condition.index_files for entry in entries}
    listed = {story for _, index in condition.indexes for story in index.story_ids}
    sets_of = sets_of_files(corpus)
    segments: dict[Segment, int] = {}
    members: list[tuple[int, int]] = []
    for number, story in enumerate(corpus.stories, start=1):
        name = corpus.file_names[story[1] - 1] if story[1] else ""
        if not story[5] or name in corpus.excluded_files or (wanted and (story[3] or "").upper() not in wanted):
            continue
        if (condition.indexes and name not in files) or (listed and story[0] not in listed):
            continue
        segment = Segment(story[3], story[2], sets_of.get(name, frozenset()), 0)
        members.append((number, segments.setdefault(segment, len(segments) + 1)))
    write_segments_of_stories(engine, condition_no, members)
    return segments


def write_hierarchy_condition(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]) -> None:
    """Store the topics and the collection of a hierarchical detection condition; its only subset is all (plan, 9.1)."""
    write_blocks(engine, condition_no, blocks, corpus)
    write_test_set(engine, condition_no, condition, corpus)
    store_subsets(engine, condition_no, {("all", "all"): []})


# ---- runs


def load_new_event_files(target: Target, run_no: int, inputs: Inputs, files: Sequence[tuple[str, Path]]) -> str | None:
    """Store one run from its official output files; returns the system's name."""
    decisions = Decisions()
    system = None
    stories = _test_stories(target)
    answered: set[str] = set()
    pointer_types = set()
    for given, path in files:
        output: NewEventOutput = inputs.read(given, path, "new event output", read_new_event_output)
        system = system or output.system
        pointer_types.add(output.pointer_type)
        if any(problem.is_error and problem.path == given for problem in inputs.problems):
            continue
        _check_header(target, inputs, given, output)
        if output.pointer_type == "docno":
            for line, docno, is_yes, score in zip(output.lines, output.pointers, output.is_yes, output.scores, strict=True):
                _by_story(target, inputs, given, line, docno, is_yes, score, decisions)
        else:
            answered |= _by_pointer(target, inputs, given, output, stories, answered, decisions)
    if files and not any(problem.is_error for problem in inputs.problems):
        if "docno" not in pointer_types:
            for source in (source for source in stories if source not in answered):
                inputs.add("E843", files[0][0], "no record of a source file of the test set", "Add at least one record of it.", value=source)
        _check_twice(target, inputs, files[0][0], decisions)
        _warn_of_missing(inputs, files[0][0], stories, decisions)
    if not any(problem.is_error for problem in inputs.problems):
        write_decisions(target.engine, run_no, decisions)
    return system


def tidy_new_event_decisions(target: Target, inputs: Inputs, given: str, table: TidyTable, runs: dict[str | None, Decisions]) -> None:
    """Number the rows of a tidy table (story_id, decision, score) and add them to the decisions of their runs."""
    columns = table.columns
    names = columns.get("run_id") or [None] * len(table.lines)
    for line, name, story, is_yes, score in zip(table.lines, names, columns.get("story_id", ()), columns.get("decision", ()),
                                                columns.get("score", ()), strict=False):
        _by_story(target, inputs, given, line, story, is_yes, score, runs.setdefault(name, Decisions()))
    stories = _test_stories(target)
    for name in dict.fromkeys(names):
        _warn_of_missing(inputs, given, stories, runs.setdefault(name, Decisions()))


def _test_stories(target: Target) -> dict[str, list[tuple]]:
    """Return source file -> (story number, first and last recid, first and last second) of the test set."""
    found: dict[str, list[tuple]] = defaultdict(list)
    for source, *story in target.engine.rows("""
            select coalesce(file.source_file, ''), story.story_no, story.begin_recid, story.end_recid, story.begin_sec, story.end_sec
            from base.segment_story as member
            join base.story as story on story.corpus_no = $corpus and story.story_no = member.story_no
            left join base.source_file as file on file.corpus_no = story.corpus_no and file.source_file_no = story.source_file_no
            where member.condition_no = $condition
            order by story.story_no""", {"corpus": target.corpus_no, "condition": target.condition_no}):
        found[source].append(tuple(story))
    return found


def _check_header(target: Target, inputs: Inputs, given: str, output: NewEventOutput) -> None:
    [[deferral, pointer_type]] = target.engine.rows(
        "select deferral, pointer_type from registry.condition where condition_no = ?", [target.condition_no])
    if deferral is not None and output.deferral != deferral:
        inputs.add("E840", given, f"the header says a deferral of {output.deferral} source files, the condition {deferral}",
                   "Give each deferral period its own condition.", line=output.line, value=output.deferral)
    if pointer_type not in (None, output.pointer_type, "docno") and output.pointer_type != "docno":
        inputs.add("E841", given, f"the header says {output.pointer_type} pointers, the index {pointer_type}",
                   "Give the pointers of the index, or docno.", line=output.line, value=output.pointer_type)


def _by_story(target: Target, inputs: Inputs, given: str, line: int, story: str, is_yes: bool, score: float, decisions: Decisions) -> None:
    number = target.story_no.get(story)
    if number is None:
        inputs.add("W823", given, "a decision on a docno that the corpus does not have", "It has no effect.", line=line, value=story)
        return
    append_decision(decisions, inputs, given, line, 0, number, is_yes, score)


def _by_pointer(target: Target, inputs: Inputs, given: str, output: NewEventOutput, stories: dict[str, list[tuple]],
                before: set[str], decisions: Decisions) -> set[str]:
    """Map the records of each source file to its stories; returns the files that have records."""
    records: dict[str, list[int]] = defaultdict(list)
    for row, source in enumerate(output.sources):
        records[source_name(source)].append(row)
    known = {row[0] for row in target.engine.rows("select source_file from base.source_file where corpus_no = ?", [target.corpus_no])}
    is_time = output.pointer_type == "time"
    for source, rows in records.items():
        first = output.lines[rows[0]]
        if source not in known:
            inputs.add("E842", given, "records of a source file outside the test set", "Leave its records out.", line=first, value=source)
            continue
        members = stories.get(source, [])
        if source in before:
            inputs.add("E845", given, "a source file that another file of the run has answered", "Give each source file one block.",
                       line=first, value=source)
            continue
        if is_time and members and all(row[3] is None for row in members):
            inputs.add("E844", given, "time pointers, but the boundary table of a source file has no seconds", "Give recid or docno pointers.",
                       line=first, value=source)
            continue
        mapped = map_pointers([row[3] if is_time else row[1] for row in members], [row[4] if is_time else row[2] for row in members],
                              [output.pointers[row] for row in rows], [output.is_yes[row] for row in rows],
                              [output.scores[row] for row in rows], pointer_type=output.pointer_type, mapping=target.mapping,
                              is_shortened=False)
        for (story_no, *_), (score, is_yes) in zip(members, mapped, strict=True):
            decisions.block_no.append(0)
            decisions.trial_no.append(story_no)
            decisions.is_yes.append(is_yes)
            decisions.score.append(max(score, OMITTED_SCORE))
    return set(records)


def _check_twice(target: Target, inputs: Inputs, given: str, decisions: Decisions) -> None:
    """Report stories that several files of a run decide on (one file's reader knows only its own)."""
    seen: set[int] = set()
    twice = [number for number in decisions.trial_no if number in seen or seen.add(number) is not None]
    if not twice:
        return
    [first] = [story for story, number in target.story_no.items() if number == twice[0]]
    inputs.add("E845", given, f"{len(twice)} decisions on stories that another file of the run has decided on", "Keep one of the two.", value=first)


def _warn_of_missing(inputs: Inputs, given: str, stories: dict[str, list[tuple]], decisions: Decisions) -> None:
    decided = set(decisions.trial_no)
    wanted = {row[0] for members in stories.values() for row in members}
    if missing := len(wanted - decided):
        inputs.add("W847", given, f"{missing} stories of the test set have no decision", "They count as no with the score -9e99.")
    if extra := len(decided - wanted):
        inputs.add("W846", given, f"{extra} decisions are on stories outside the test set", "They have no effect.")
