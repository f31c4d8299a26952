"""Decisions of a run on their way into ``base.decision``.

E870   no id of a run occurs in its reference
"""

from typing import Any
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tdtsql.intake.inputs import Inputs
from tdtsql.loading.plan import PendingRun, StoredCondition
from tdtsql.reader.field import LARGEST_FINITE
from tdtsql.task import TASKS

#: score of a trial that a system left out, and the lowest score there is (plan, B.3)
OMITTED_SCORE = -9e99

#: says what a stored run lacks: condition, number of the run, where to say it, the file to name
SayMissing = Callable[[StoredCondition, int, Inputs, str], None]


@dataclass(slots=True)
class Decisions:
    """D decisions of one run, by number."""

    block_no: Any = field(default_factory=list)  #: a list that grows, or an array
    trial_no: Any = field(default_factory=list)
    is_yes: Any = field(default_factory=list)  #: None: the system gave a score alone
    score: Any = field(default_factory=list)
    unlisted: dict[int, str] = field(default_factory=dict)  #: number below 0 -> document that the corpus does not have
    n_unknown: int = 0  #: rows on what the condition does not have
    first_unknown: tuple[str, int, str, str] | None = None  #: the first of them: path, line, kind (stories), id

    def miss(self, path: str, line: int, kind: str, name: str) -> None:
        """Count a row on a topic, story or pair that the condition does not have."""
        self.n_unknown += 1
        self.first_unknown = self.first_unknown or (path, line, kind, name)

    def add(
        self, inputs: Inputs, given: str, line: int, block_no: int, trial_no: int, is_yes: bool | None, score: float
    ) -> None:
        """Add a decision, or a score without one. E824: its score is beyond what there is."""
        if score is None:
            return  # the reader has reported it
        if abs(score) >= LARGEST_FINITE:
            score = 9e99 if score > 0 else OMITTED_SCORE  # the reader has warned
        elif abs(score) > 9e99:
            inputs.add(
                "E824", given, "a score beyond 9e99, the lowest and highest there are", "Scale the scores.", line, score
            )
            return
        self.append(block_no, trial_no, is_yes, score)

    def append(self, block_no: int, trial_no: int, is_yes: bool | None, score: float) -> None:
        """Add a decision whose score was checked."""
        self.block_no.append(block_no)
        self.trial_no.append(trial_no)
        self.is_yes.append(is_yes)
        self.score.append(score)


def decided_run(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    name: str | None,
    decisions: Decisions,
    system: str | None = None,
    say_missing: SayMissing | None = None,
) -> PendingRun:
    """Return a run whose decisions were read; where anything read is wrong, none is stored."""
    return run_of(
        lambda run_no: 0 if inputs.has_errors else write_decisions(target, run_no, decisions),
        target,
        inputs,
        given,
        name,
        system,
        say_missing,
        decisions,
    )


def table_run(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    name: str | None,
    table: str,
    where: str = "true",
    system: str | None = None,
    say_missing: SayMissing | None = None,
) -> PendingRun:
    """Return a run whose decisions are the rows of a temporary table."""
    return run_of(
        lambda run_no: append_table(target, run_no, table, where), target, inputs, given, name, system, say_missing
    )


def run_of(
    store: Callable[[int], int],
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    name: str | None,
    system: str | None,
    say_missing: SayMissing | None,
    decisions: Decisions | None = None,
) -> PendingRun:
    """Return a run whose decisions ``store`` appends; ``decisions`` says which rows the condition does not have."""

    def write(run_no: int) -> int:
        n_row = store(run_no)
        if decisions is not None and decisions.first_unknown and not np.any(np.array(decisions.trial_no) > 0):
            path, line, kind, value = decisions.first_unknown
            _say_disjoint(target, inputs, path, decisions.n_unknown, kind, value, line)
        elif not inputs.has_errors:  # else it is known why
            say_uncounted(target, run_no, inputs, given, n_row)
            if say_missing is not None and not inputs.has_errors:
                say_missing(target, run_no, inputs, given)
        return n_row

    return PendingRun(name, write, system)


#: kind of id -> an id of a condition, by SQL
_EXAMPLES = {
    "topics": "select min(block_id) from base.block where condition_no = $condition",
    "stories": "select min(story_id) from base.story where corpus_no = $corpus",
    "pairs": "select min(id_1 || ' ' || id_2) from base.link_pair where condition_no = $condition and trial_no = 1",
}


def _say_disjoint(
    target: StoredCondition, inputs: Inputs, path: str, n_row: int, kind: str, value: str, line: int | None
) -> None:
    parameters = {"condition": target.condition_no, "corpus": target.corpus_no}
    sql = _EXAMPLES[kind]
    example = target.engine.value(sql, {key: value for key, value in parameters.items() if f"${key}" in sql})
    inputs.say_disjoint(path, n_row, "rows of the run", f"the condition's {kind}", value, example, line)


def say_uncounted(target: StoredCondition, run_no: int, inputs: Inputs, given: str, n_row: int) -> None:
    """Report a stored run of which no decision counts (E870)."""
    engine, condition = target.engine, target.condition_no
    decisions = f"(select block_no, trial_no, segment_no from base.decision where run_no = {run_no})"
    decides_on = TASKS[target.task].decides_on
    if not n_row or decides_on not in ("topic", "story"):
        return  # pairs and trials that the condition does not have are errors
    trials = (
        f"semi join (select block_no, trial_no from base.listed_pair where condition_no = {condition}) "
        "using (block_no, trial_no)"
        if engine.value(f"select count(*) from base.listed_pair where condition_no = {condition}")
        else f"semi join (select block_no, segment_no from base.test_segment where condition_no = {condition}) "
        "using (block_no, segment_no)"
        if decides_on == "topic"
        else "where segment_no > 0"
    )
    if engine.rows(f"select 1 from {decisions} {trials} limit 1"):
        return
    stories = f"(select story_no, story_id from base.story where corpus_no = {target.corpus_no})"
    value = engine.value(f"""
        select min(coalesce(story_id, document_id))
        from (select trial_no from {decisions} order by trial_no desc limit 1)
        left join {stories} on story_no = trial_no
        left join (select trial_no, document_id from base.unlisted_document where run_no = {run_no})
            using (trial_no)""")
    tested = (
        f"select min(story_id) from base.listed_pair join {stories} on story_no = trial_no where condition_no = "
        f"{condition}"
        if "listed_pair" in trials
        else f"select min(story_id) from base.segment_story join {stories} using (story_no) "
        f"where condition_no = {condition}"
    )
    inputs.say_disjoint(
        given, n_row, "decisions of the run", "the stories that the condition tests", value, engine.value(tested)
    )


def write_decisions(target: StoredCondition, run_no: int, decisions: Decisions) -> int:
    """Append the decisions of a run; returns how many.

    Documents that the corpus does not have get their numbers here, by name: the same rows have the same
    numbers, whatever order they came in.
    """
    trial_no = np.array(decisions.trial_no, dtype=np.int32)
    unlisted = sorted((decisions.unlisted[number], number) for number in np.unique(trial_no[trial_no < 0]).tolist())
    if unlisted:
        new = {old: -place for place, (_, old) in enumerate(unlisted, start=1)}
        trial_no[trial_no < 0] = [new[number] for number in trial_no[trial_no < 0].tolist()]
        target.engine.insert(
            "base.unlisted_document",
            {
                "run_no": run_no,
                "trial_no": list(new.values()),
                "document_id": [name for name, _ in unlisted],
            },
        )
    target.engine.insert_temporary(
        "decided",
        {
            "block_no": np.array(decisions.block_no, dtype=np.int32),
            "trial_no": trial_no,
            "is_yes": list(decisions.is_yes) if None in decisions.is_yes else np.array(decisions.is_yes, dtype=bool),
            "score": np.array(decisions.score, dtype=np.float64),
        },
    )
    n_row = append_table(target, run_no, "decided")
    target.engine.execute("drop table decided")
    return n_row


def append_table(target: StoredCondition, run_no: int, table: str, where: str = "true") -> int:
    """Copy rows of a temporary table into base.decision, by block and story: that order packs tightest; returns how
    many.

    A score of -0 loses its sign: it ties with 0, and which of the two a threshold shows must not depend on chance.
    """
    return target.engine.value(f"""
        insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
        select {run_no}, decided.block_no, decided.trial_no,
            coalesce(member.segment_no, 0), cast(decided.is_yes as boolean), case when decided.score = 0 then 0
                else decided.score end
        from {table} as decided
        left join base.segment_story as member on member.story_no = decided.trial_no
            and member.condition_no = {target.condition_no}
        where {where}
        order by decided.block_no, decided.trial_no""")
