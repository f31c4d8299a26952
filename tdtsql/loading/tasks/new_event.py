"""New event detection: its test set, and what systems say of it.

Every story of the test set has one decision; the topics share it, so decisions
are stored under block 0. Which stories are targets is SQL (base.new_event_trial__v1).

Code   Meaning
E840   a deferral period other than the condition's
E841   a pointer type other than the index's
E842   records of a source file outside the test set
E843   no record of a source file of the test set
E844   time pointers without seconds
E845   a story with two decisions, in two files
W846   a decision on a story outside the test set
W847   stories without a decision
"""

from functools import partial
from collections.abc import Iterator, Sequence
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import counted, verb
from tdtsql.files.find import Inputs
from tdtsql.loading.decision_files import DecisionFormat, read_decisions, tidy_format
from tdtsql.loading.decisions import DecisionRows, check_deferral, story_numbering
from tdtsql.loading.plan import (
    PendingRun,
    Source,
    StoredCondition,
    by_column,
)
from tdtsql.loading.pointers import Span, add_mapped, records_by_source, stories_tested
from tdtsql.loading.story_trials import topic_blocks, topic_plan, write_test_set
from tdtsql.reader.decision import Output
from tdtsql.reader.new_event_output import read_new_event_output
from tdtsql.tasks.declaration import RunFormat


#: returns the topics of a condition; they share one test set
read_plan = partial(topic_plan, topic_blocks, write_test_set)


# ---- runs


def read_official(
    target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Return the run of official output files."""
    stories, outputs, answered = stories_tested(target), dict[str, Output](), set[str]()

    def read(engine: Engine, inputs: Inputs, rows: DecisionRows, given: str, path: Path) -> list[None]:
        outputs[given] = output = inputs.read(given, path, "new event output", read_new_event_output)
        if any(problem.is_error and problem.path == given for problem in inputs.problems):
            return [None]
        _check_header(target, inputs, given, output)
        lines: Sequence[int] = output.lines
        is_yes, scores, docnos = output.is_yes, output.scores, output.pointers
        if output.pointer_type != "docno":
            decided: list[tuple[str, bool, float]] = []
            answered.update(_by_pointer(target, inputs, given, output, stories, answered, decided))
            docnos, is_yes, scores = by_column(decided, "story_id", "is_yes", "score").values()
            lines = [output.line or 1] * len(decided)
        rows.insert(engine, given, lines, is_yes, scores, docnos)
        return [None]

    def check(target: StoredCondition, inputs: Inputs, rows: DecisionRows, where: str, given: str) -> None:
        if inputs.has_errors or any(output.pointer_type == "docno" for output in outputs.values()):
            return
        for source in (source for source in stories if source not in answered):
            said = "no record of a source file of the test set"
            inputs.add("E843", given, said, "Add at least one record of it.", value=source)

    said = "{decisions} of {run} {are} also in another of its files, the first in {path}"
    form = DecisionFormat(
        ("story_id",),
        "new event output",
        True,
        lambda *_: None,
        read,
        story_numbering,
        _say_missing,
        check,
        ("E845", said, "Keep one of the two."),
        outputs,
    )
    return read_decisions(form, target, inputs, files, run_id)


def _check_header(target: StoredCondition, inputs: Inputs, given: str, output: Output) -> None:
    check_deferral(target, inputs, given, output, "E840")
    if target.pointer_type not in (None, output.pointer_type, "docno") and output.pointer_type != "docno":
        inputs.add(
            "E841",
            given,
            f"the header says {output.pointer_type} pointers, the index {target.pointer_type}",
            "Give the pointers of the index, or docno.",
            output.line,
            output.pointer_type,
        )


def _by_pointer(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    output: Output,
    stories: dict[str, list[Span]],
    before: set[str],
    decided: list[tuple[str, bool, float]],
) -> set[str]:
    """Map the records of each source file to its stories; returns the files that have records."""
    records = records_by_source(output)
    known = set(
        target.engine.column("select source_file from base.source_file where corpus_no = ?", [target.corpus_no])
    )
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
        if not add_mapped(target, decided, output, rows, stories.get(source, []), is_shortened=False):
            inputs.add(
                "E844",
                given,
                "time pointers, but the boundary table of a source file has no seconds",
                "Give recid or docno pointers.",
                first,
                source,
            )
    return set(records)


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
            f"{counted(missing, 'story')} of the test set {verb(missing, 'have')} no decision",
            f"{'It counts' if missing == 1 else 'They count'} as no with the score -9e99.",
        )
    if extra := n_decided - n_both:
        said = f"{counted(extra, 'decision')} {verb(extra, 'are')} on stories outside the test set"
        inputs.add("W846", given, said, "They have no effect.")


_TIDY = tidy_format("new_event", story_numbering, _say_missing)

FORMATS = {"tdt": RunFormat(read_official), "tidy": _TIDY}
