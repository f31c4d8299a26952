"""New event detection: its test set, and what systems say of it.

Every story of the test set has one decision; the topics share it, so decisions
are stored under block 0. Which stories are targets is SQL (base.new_event_trial__v1).

Codes:
    E840  a deferral period other than the condition's   E841  a pointer type other than the index's
    E842  records of a source file outside the test set  E843  no record of a source file of the test set
    E844  time pointers without seconds                  E845  a story with two decisions, in two files
    W846  a decision on a story outside the test set     W847  stories without a decision
"""

from collections.abc import Iterator, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.decisions import Decisions, decided_run
from tdtsql.loading.plan import PendingRun, ConditionSpec, RunReader, Source, StoredCondition
from tdtsql.loading.pointers import Span, add_mapped, records_by_source, stories_tested
from tdtsql.loading.story_trials import Block, topic_blocks, topic_plan, write_blocks, write_subsets, write_test_set
from tdtsql.loading.tidy_run import CleanRows, decided_rows, tidy_format
from tdtsql.reader.decision import Output
from tdtsql.reader.new_event_output import read_new_event_output
from tdtsql.reader.tidy import TidyTable


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Return the topics of a condition; they share one test set."""
    return topic_plan(condition, corpus, topic_blocks(condition, corpus), _write_condition)


def _write_condition(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]
) -> None:
    """Store the topics, the test set and the subsets of a new event condition."""
    write_blocks(engine, condition_no, blocks, corpus)
    write_test_set(engine, condition_no, condition, corpus)
    write_subsets(engine, condition_no, condition)


# ---- runs


def read_official(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the run of official output files."""
    decisions = Decisions()
    system = None
    stories = stories_tested(target)
    answered: set[str] = set()
    pointer_types = set()
    for given, path in files:
        output: Output = inputs.read(given, path, "new event output", read_new_event_output)
        system = system or output.system
        pointer_types.add(output.pointer_type)
        if any(problem.is_error and problem.path == given for problem in inputs.problems):
            continue
        _check_header(target, inputs, given, output)
        if output.pointer_type == "docno":
            for line, docno, is_yes, score in zip(
                output.lines, output.pointers, output.is_yes, output.scores, strict=True
            ):
                _by_story(target, inputs, given, line, docno, is_yes, score, decisions)
        else:
            answered |= _by_pointer(target, inputs, given, output, stories, answered, decisions)
    if not inputs.has_errors:
        if "docno" not in pointer_types:
            for source in (source for source in stories if source not in answered):
                inputs.add(
                    "E843",
                    files[0][0],
                    "no record of a source file of the test set",
                    "Add at least one record of it.",
                    value=source,
                )
        _check_twice(target, inputs, files[0][0], decisions)
    yield decided_run(
        target, inputs, files[0][0], run_id or system or "run", decisions, system=system, say_missing=_say_missing
    )


def _tidy_decisions(
    target: StoredCondition, inputs: Inputs, given: str, table: TidyTable, runs: dict[str | None, Decisions]
) -> None:
    """Number the rows of a tidy table (story_id, decision, score) and add them to the decisions of their runs."""
    for name, line, story, is_yes, score in decided_rows(table, "story_id"):
        _by_story(target, inputs, given, line, story, is_yes, score, runs[name])


def _check_header(target: StoredCondition, inputs: Inputs, given: str, output: Output) -> None:
    if target.deferral is not None and output.deferral != target.deferral:
        inputs.add(
            "E840",
            given,
            f"the header says a deferral of {output.deferral} source files, the condition {target.deferral}",
            "Give each deferral period its own condition.",
            output.line,
            output.deferral,
        )
    if target.pointer_type not in (None, output.pointer_type, "docno") and output.pointer_type != "docno":
        inputs.add(
            "E841",
            given,
            f"the header says {output.pointer_type} pointers, the index {target.pointer_type}",
            "Give the pointers of the index, or docno.",
            output.line,
            output.pointer_type,
        )


def _by_story(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    line: int,
    story: str,
    is_yes: bool,
    score: float,
    decisions: Decisions,
) -> None:
    number = target.story_no.get(story)
    if number is None:
        decisions.miss(given, line, "stories", story)
        inputs.add(
            "W823", given, "a decision on a docno that the corpus does not have", "It has no effect.", line, story
        )
        return
    decisions.add(inputs, given, line, 0, number, is_yes, score)


def _by_pointer(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    output: Output,
    stories: dict[str, list[Span]],
    before: set[str],
    decisions: Decisions,
) -> set[str]:
    """Map the records of each source file to its stories; returns the files that have records."""
    records = records_by_source(output)
    known = {
        row[0]
        for row in target.engine.rows(
            "select source_file from base.source_file where corpus_no = ?", [target.corpus_no]
        )
    }
    for source, rows in records.items():
        first = output.lines[rows[0]]
        if source not in known:
            inputs.add(
                "E842", given, "records of a source file outside the test set", "Leave its records out.", first, source
            )
            continue
        if source in before:
            inputs.add(
                "E845",
                given,
                "a source file that another file of the run has answered",
                "Give each source file one block.",
                first,
                source,
            )
            continue
        if not add_mapped(target, decisions, 0, output, rows, stories.get(source, []), is_shortened=False):
            inputs.add(
                "E844",
                given,
                "time pointers, but the boundary table of a source file has no seconds",
                "Give recid or docno pointers.",
                first,
                source,
            )
    return set(records)


def _check_twice(target: StoredCondition, inputs: Inputs, given: str, decisions: Decisions) -> None:
    """Report stories that several files of a run decide on (one file's reader knows only its own)."""
    seen: set[int] = set()
    twice = []
    for number in decisions.trial_no:
        if number in seen:
            twice.append(number)
        seen.add(number)
    if not twice:
        return
    [first] = [story for story, number in target.story_no.items() if number == twice[0]]
    inputs.add(
        "E845",
        given,
        f"{len(twice)} decisions on stories that another file of the run has decided on",
        "Keep one of the two.",
        value=first,
    )


def _say_missing(target: StoredCondition, run_no: int, inputs: Inputs, given: str) -> None:
    """Warn of stories of the test set without a decision, and of decisions on others."""
    [[n_wanted, n_decided, n_both]] = target.engine.rows(
        """
        select (select count(*) from base.segment_story
        where condition_no = $condition), count(*), count(member.story_no)
        from base.decision as decision
        left join base.segment_story as member on member.condition_no = $condition
            and member.story_no = decision.trial_no
        where decision.run_no = $run""",
        {"condition": target.condition_no, "run": run_no},
    )
    if missing := n_wanted - n_both:
        inputs.add(
            "W847",
            given,
            f"{missing} stories of the test set have no decision",
            "They count as no with the score -9e99.",
        )
    if extra := n_decided - n_both:
        inputs.add("W846", given, f"{extra} decisions are on stories outside the test set", "They have no effect.")


def _clean_rows(target: StoredCondition) -> CleanRows:
    return CleanRows(
        "0",
        "story.story_no",
        f"left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.story_id",
    )


_TIDY = tidy_format("new_event", _tidy_decisions, _clean_rows, _say_missing)

FORMATS = {"tdt": RunReader(read_official), "tidy": _TIDY, "frame": _TIDY}
