"""Decisions of runs: rows of a temporary table, which get the numbers of their condition by joins and go to
``base.decision``.

Code   Meaning
E823   a decision on a story that the corpus does not have, where the user chose that this is an error
W823   a decision on a story that the corpus does not have: it has no effect
E824   a score out of range (beyond 9e99)
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tdtsql.definitions.catalogue import reading
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list, sql_literal
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.loading.plan import StoredCondition, make_table
from tdtsql.reader.decision import Output
from tdtsql.reader.field import LARGEST_FINITE
from tdtsql.store.derived import reload_owner
from tdtsql.store.stored_results import invariants
from tdtsql.task import TASKS

#: says what a stored run lacks: condition, number of the run, where to say it, the file to name
SayMissing = Callable[[StoredCondition, int, Inputs, str], None]


class Unknown(NamedTuple):
    """Rows on something that a condition does not have."""

    kind: str  #: topics, stories or pairs
    id: str  #: SQL of what the condition does not have
    where: str  #: SQL of these rows
    code: str = ""  #: empty: not reported
    message: str = ""
    advice: str = ""


class Numbering(NamedTuple):
    """How the rows of a relation, called ``line``, get the numbers of one condition."""

    block_no: str  #: SQL
    trial_no: str  #: SQL
    joins: str  #: SQL: what these come from; NULL where a row finds nothing there
    unknown: tuple[Unknown, ...] = ()  #: the first that holds is reported of a row
    document: str = "null"  #: SQL of a document that the corpus does not have, and that counts
    n_trial: int | None = None  #: a run decides on so many trials, in their order; None: on any, in any order
    second: tuple[str, str] | None = None  #: trial_no and joins for rows without a number
    most: int | None = None  #: problems of a kind and file that are reported one by one; None: all


def topic_numbering(
    target: StoredCondition, topic: tuple[str, str], story: tuple[str, str], most: int | None = None
) -> Numbering:
    """Return how rows of topic and story get their numbers, under the policies of the condition.

    Args:
        topic, story: message and advice on what the condition does not have.
    """
    policies, condition_no, corpus_no = target.policies, target.condition_no, target.corpus_no
    known = f"""
        select block_id from base.block where condition_no = {condition_no}
        union all select topic_id from base.topic where corpus_no = {corpus_no}
        union all select topic_id from registry.excluded_topic where condition_no = {condition_no}"""
    codes = ("W820", "It has no effect.") if policies.get("unknown_topics") == "ignore" else ("E820", topic[1])
    unlisted = policies.get("unknown_documents")
    story_codes = ("E823", story[1]) if unlisted == "error" else ("W823", "It has no effect.")
    return Numbering(
        "block.block_no",
        "story.story_no",
        f"""
        left join base.block as block on block.condition_no = {condition_no} and block.block_id = line.topic_id
        left join base.story as story on story.corpus_no = {corpus_no} and story.story_id = line.story_id""",
        (
            Unknown("topics", "topic_id", f"topic_id not in ({known})", codes[0], topic[0], codes[1]),
            Unknown("topics", "topic_id", "block_no is null"),  # the condition leaves it out
            Unknown("stories", "story_id", _NO_STORY, story_codes[0], story[0], story_codes[1]),
        ),
        "case when trial_no is null and is_yes then story_id end" if unlisted == "not_relevant" else "null",
        most=most,
    )


_NO_STORY = "trial_no is null and document is null"


def story_numbering(target: StoredCondition) -> Numbering:
    """Return how rows of stories get their numbers, all under one block."""
    message = "a decision on a docno that the corpus does not have"
    return Numbering(
        "0",
        "story.story_no",
        f"left join base.story as story on story.corpus_no = {target.corpus_no} and story.story_id = line.story_id",
        (Unknown("stories", "story_id", _NO_STORY, "W823", message, "It has no effect."),),
    )


@dataclass(slots=True)
class DecisionRows(FileRows):
    """Rows of decision files in a temporary table: place, run_id, the ids of trials, is_yes (NULL: the system gave a
    score alone) and score; when they are numbered also block_no, trial_no, document and unknown, the index of a reason
    for which a row does not count.
    """

    ids: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    def insert(
        self,
        engine: Engine,
        path: str,
        lines: Sequence[int],
        is_yes: Sequence[bool | None],
        scores: Sequence[float],
        *ids: Sequence[str],
        runs: Sequence[str | None] | None = None,
    ) -> None:
        """Add the rows of a file."""
        columns = {"run_id": runs or [None] * len(lines), **dict(zip(self.ids, ids, strict=True))}
        self.append(engine, path, lines, {**columns, "is_yes": is_yes, "score": scores})

    def number(self, target: StoredCondition, inputs: Inputs, numbering: Numbering) -> None:
        """Give rows their numbers; report rows on what the condition does not have, and scores that there are not."""
        engine, self.unknown = target.engine, numbering.unknown
        engine.execute(f"""
            create or replace temp table {self.table} as
            select *, {numbering.document} as document, cast(null as integer) as unknown
            from (select line.*, {numbering.block_no} as block_no, {numbering.trial_no} as trial_no
            from {self.table} as line {numbering.joins})""")
        unnumbered = f"select 1 from {self.table} where block_no is null or trial_no is null limit 1"
        if numbering.second is not None and engine.rows(unnumbered):
            trial_no, joins = numbering.second
            engine.execute(f"""
                create or replace temp table {self.table} as
                select line.* replace (coalesce(line.trial_no, {trial_no}) as trial_no)
                from {self.table} as line {joins}""")
        if self.unknown and engine.rows(unnumbered):
            reasons = " ".join(f"when {one.where} then {number}" for number, one in enumerate(self.unknown))
            engine.execute(f"update {self.table} set unknown = case {reasons} end")
            self._report_unknown(engine, inputs, numbering.most)
        message = "score is out of range, expected a number between -9e99 and 9e99"
        query = f"""
            select place, score from {self.table}
            where unknown is null and abs(score) > 9e99 and abs(score) < {LARGEST_FINITE!r}"""
        advice = "Divide all scores of the run by one positive number: their order stays."
        self.say(engine, inputs, "E824", query, message, advice)

    def _report_unknown(self, engine: Engine, inputs: Inputs, most: int | None) -> None:
        count: Counter[tuple[str, int]] = Counter()
        for place, number, value in self._unknown_rows(engine):
            (path, line), one = self.at(place), self.unknown[number]
            count[path, number] += 1
            if one.code and (most is None or count[path, number] <= most):
                inputs.add(one.code, path, one.message, one.advice, line, value)
        for (path, number), n_row in count.items():
            one = self.unknown[number]
            if one.code and most is not None and n_row > most:
                inputs.add(one.code, path, f"{one.message}: {n_row - most} more such lines", one.advice)

    def _unknown_rows(self, engine: Engine, where: str = "true") -> list[tuple[int, int, str]]:
        """Return (place, index of the reason, id) of rows on what the condition does not have."""
        ids = " ".join(f"when {number} then {one.id}" for number, one in enumerate(self.unknown))
        return engine.rows(f"""
            select place, unknown, case unknown {ids} end from {self.table}
            where unknown is not null and {where} order by place""")

    def relation(self) -> str:
        """Return a relation of the decisions, see `append_rows`."""
        # the reader has warned of infinite scores
        return f"""(
            select run_id, block_no, trial_no, document, is_yes, greatest(least(score, 9e99), -9e99) as score, place
            from {self.table} where unknown is null and score is not null)"""

    def say_disjoint(self, target: StoredCondition, inputs: Inputs, where: str, relation: str) -> bool:
        """Report a run without a decision on what the condition has (E870); return whether it is one."""
        unknown = self._unknown_rows(target.engine, where) if self.unknown else []
        if not unknown or target.engine.rows(f"select 1 from {relation} where trial_no > 0 limit 1"):
            return False
        place, number, value = unknown[0]
        (path, line), kind = self.at(place), self.unknown[number].kind
        example = target.engine.value(_EXAMPLES[kind].format(target))
        inputs.say_disjoint(path, len(unknown), "rows of the run", f"the condition's {kind}", value, example, line)
        return True


#: kind of id -> an id of a condition, by SQL
_EXAMPLES = {
    "topics": "select min(block_id) from base.block where condition_no = {0.condition_no}",
    "stories": "select min(story_id) from base.story where corpus_no = {0.corpus_no}",
    "pairs": "select min(id_1 || ' ' || id_2) from base.link_pair where condition_no = {0.condition_no} "
    "and trial_no = 1",
}


def decision_rows(engine: Engine, *ids: str) -> DecisionRows:
    """Return an empty table for rows that name trials by some ids."""
    rows = DecisionRows(engine.unused_name("decision_row"), ids=ids)
    names = [f"{name} varchar" for name in ("run_id", *ids)]
    make_table(engine, rows.table, ("place bigint", *names, "is_yes boolean", "score double"))
    return rows


def write_decisions(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    relation: str,
    say_disjoint: Callable[[], bool],
    say_missing: SayMissing | None,
    run_no: int,
) -> int:
    """Store the rows of a relation as the decisions of a run, see `append_rows`, and return how many they are; with an
    error none is stored.

    Args:
        say_disjoint: reports a run without any row on the condition; whether it is one.
    """
    n_row = 0 if inputs.has_errors else append_rows(target, run_no, relation)
    if not say_disjoint() and not inputs.has_errors:  # else it is known why
        say_uncounted(target, run_no, inputs, given, n_row)
        if say_missing is not None and not inputs.has_errors:
            say_missing(target, run_no, inputs, given)
    return n_row


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


def append_rows(target: StoredCondition, run_no: int, relation: str) -> int:
    """Append the rows of a relation (block_no, trial_no, document, is_yes, score) to base.decision, by block and story:
    that order packs tightest; returns how many.

    A document that the corpus does not have gets its number here, by name: the same rows have the same numbers,
    whatever order they came in. A score of -0 loses its sign: it ties with 0, and which of the two a threshold shows
    must not depend on chance.
    """
    engine = target.engine
    n_document = engine.value(f"""
        insert into base.unlisted_document (run_no, trial_no, document_id)
        select {run_no}, -row_number() over (order by document), document
        from (select distinct document from {relation} where document is not null) order by document""")
    unlisted = f"""
        left join base.unlisted_document as unlisted
            on unlisted.run_no = {run_no} and unlisted.document_id = decided.document"""
    trial_no = "coalesce(decided.trial_no, unlisted.trial_no)" if n_document else "decided.trial_no"
    return engine.value(f"""
        insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
        select {run_no}, decided.block_no, {trial_no} as number,
            coalesce(member.segment_no, 0), cast(decided.is_yes as boolean), case when decided.score = 0 then 0
                else decided.score end
        from {relation} as decided {unlisted if n_document else ""}
        left join base.segment_story as member on member.story_no = decided.trial_no
            and member.condition_no = {target.condition_no}
        order by decided.block_no, number""")


def move_decisions(engine: Engine, condition_nos: Sequence[int]) -> None:
    """Write the segments of all decisions of these conditions again, and record the runs that changed. The invariant
    that `check` asks selects wrong decisions with the segments that they ought to have: it is their only definition.

    Runs in the caller's transaction, after the segments of the conditions were written.
    """
    runs = engine.column(f"select run_no from registry.run where condition_no in ({sql_list(condition_nos)})")
    if not runs:
        return
    chosen = f"(select * from base.decision where run_no in ({sql_list(runs)}))"
    wrong = reading(_rows_that_break("decision_segment"), {"base.decision": chosen})
    engine.execute(f"create or replace temp table moved_decision as {wrong}")
    moved = engine.column("select distinct run_no from moved_decision order by 1")
    if moved:
        engine.execute("""
            update base.decision set segment_no = moved.segment_no from moved_decision as moved
            where moved.run_no = decision.run_no and moved.block_no = decision.block_no
                and moved.trial_no = decision.trial_no""")
    engine.execute("drop table moved_decision")
    for run_no in moved:
        reload_owner(engine, "run_no", run_no)


def _rows_that_break(name: str) -> str:
    """Return the query of an invariant."""
    [sql] = [invariant.sql for invariant in invariants() if invariant.name == name]
    return sql


def check_deferral(target: StoredCondition, inputs: Inputs, given: str, output: Output, code: str) -> None:
    """Report a file whose header says another deferral period than the condition."""
    if target.deferral is not None and output.deferral not in (None, target.deferral):
        said = f"the header says a deferral of {output.deferral} source files, the condition {target.deferral}"
        advice = "Give each deferral period its own condition."
        inputs.add(code, given, said, advice, output.line, output.deferral)


def of_run(name: str | None) -> str:
    """Return SQL: a row is of a run."""
    return "run_id is null" if name is None else f"run_id = {sql_literal(name)}"
