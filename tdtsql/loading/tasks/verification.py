"""Verification into the base tables: the trials of a key, then the scores of its runs.

Rows stay in the engine from the file to the tables (`tdtsql.intake.trial_file`). Trials are numbered once, in the
order of the key. Trials with the same label and the same attributes are a segment: subsets, blocks and labels depend
on segments, of which there are few, so that no later step joins single trials.

Code   Meaning
E720   a condition without a key
W943   infinite scores
W944   an attribute with too many values for subsets
W946   a key with one label only
W947   targets that score lower than non-targets: is the sign reversed?
W948   scores of unknown trials that are left out
E950   a trial of the key without a score
W950   trials of the key without a score that count as rejected
E951   a score of a trial that the key does not have
E952   a trial with two scores
W952   a duplicate score of a trial, left out
E953   a duplicate trial in the key
W953   duplicate trials in the key
E954   an attribute that the key does not have
E955   a probability that is not valid
E956   a label that differs from that of the key
E957   trials with ids of another form than in the key
"""

from typing import Any
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from tdtsql.errors import counted
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.files.find import Inputs
from tdtsql.intake.trial_file import TrialTable, layout_of, read_trials
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.load.plan import MOST_VALUES, PendingRun, ConditionSpec, Source, StoredCondition, runs_of_rows

from tdtsql.reader.trials import DECISION, IDS, LABEL, RUN, SCORE, Options
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import RunFormat

TASK = "verification"
#: name of the block of a condition without blocks
ONE_BLOCK = "all"
#: maximum problems of a code that are reported one by one
MOST_PROBLEMS = 20
#: segments that are distinguished without a join
MOST_CASES = 32
#: conversion of the scores of a file to natural logarithms of likelihood ratios, if they are probabilities: the odds,
#: which are the likelihood ratio if both classes were equally likely before
_CONVERTED = {
    "probability": "case when {0} = 0 then cast('-infinity' as double) else ln({0} / (1 - {0})) end",
    "log10lr": "{0} * ln(cast(10 as double))",
}
_CLASSES = {True: "target", False: "non-target"}


# ---- conditions


@dataclass(slots=True)
class KeyPlan:
    """The key of a condition, read and checked, ready to be stored."""

    table: TrialTable
    blocks: list[str]  #: attributes whose product the blocks are
    subsets: list[str]  #: attributes whose values are subsets
    names: list[str] = field(default_factory=list)  #: how runs are read
    notes: list[str] = field(default_factory=list)

    def discard(self, engine: Engine) -> None:
        self.table.drop(engine)

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store blocks, segments, trials and subsets."""
        kept = {name: self.table.attributes[name] for name in dict.fromkeys((*self.subsets, *self.blocks))}
        parts = " || ',' || ".join(f"{sql_literal(name + '=')} || coalesce({kept[name]}, '-')" for name in self.blocks)
        columns = ", ".join(kept.values())
        said = ", ".join(f"{sql_literal(name + '=')} || {column}" for name, column in sorted(kept.items())) or "null"
        engine.execute(f"""
            create or replace temp table keyed_segment as
            select {LABEL}, {"".join(f"{column}, " for column in kept.values())}{parts or sql_literal(ONE_BLOCK)} as
                block_id, count(*) as n_trial, nullif(concat_ws(',', {said}), '') as attributes,
                cast(row_number() over (order by {parts or "1"},
                    {LABEL} desc{"".join(f", {column} nulls first" for column in kept.values())}) as integer) as
                    segment_no
            from {self.table.table} group by {LABEL}{", " + columns if kept else ""}""")
        engine.execute(f"""
            insert into base.block (condition_no, block_no, block_id, is_scored)
            select {condition_no}, row_number() over (order by block_id), block_id, 1
            from (select distinct block_id from keyed_segment)""")
        engine.execute(f"""
            insert into base.verification_segment
            select {condition_no}, segment_no, block_no, case when {LABEL} then 1 else 0 end, n_trial, attributes
            from keyed_segment join (select block_no, block_id from base.block
            where condition_no = {condition_no}) using (block_id) order by segment_no""")
        for name, column in kept.items():
            engine.execute(
                f"insert into base.verification_attribute select {condition_no}, segment_no, {sql_literal(name)}, "
                f"{column} from keyed_segment order by segment_no"
            )
        ids = ", ".join(f"trial.{name}" if name in self.table.columns else "null" for name in IDS)
        same = " and ".join(
            f"trial.{column} is not distinct from segment.{column}" for column in (LABEL, *kept.values())
        )
        segment_no, joined = "segment.segment_no", f"join keyed_segment as segment on {same} order by trial.place"
        segments = engine.rows(
            f"select segment_no, {', '.join((LABEL, *kept.values()))} from keyed_segment order by segment_no"
        )
        if len(segments) <= MOST_CASES:  # as they are read, without putting millions of names in order again
            cases = " ".join(
                f"when {' and '.join(map(_equals, (LABEL, *kept.values()), values))} then {number}"
                for number, *values in segments
            )
            segment_no, joined = f"case {cases} end", ""
        engine.execute(f"""
            insert into base.verification_trial
            select {condition_no}, cast(trial.place + 1 as integer), {segment_no}, {ids}
            from {self.table.table} as trial {joined}""")
        engine.execute("drop table keyed_segment")
        self._write_subsets(engine, condition_no)
        self.discard(engine)

    def _write_subsets(self, engine: Engine, condition_no: int) -> None:
        """Store the subset of each value of an attribute; a class that lacks the attribute is in all of them."""
        named = ", ".join(sql_literal(name) for name in self.subsets) or "null"
        engine.execute(f"""
            create or replace temp table keyed_attribute as
            select segment_no, block_no, attribute, value, is_target,
                max(value) over (partition by attribute, is_target) is null as is_lacking
            from base.verification_attribute join base.verification_segment using (condition_no, segment_no)
            where condition_no = {condition_no} and attribute in ({named})""")
        # for an attribute that one class lacks, the subsets filter the other class only
        engine.execute(f"""
            insert into base.subset (condition_no, subset_no, subset, kind)
            select {condition_no}, 0, 'all', 'all'
            union all
            select {condition_no}, row_number() over (order by attribute, value), attribute || '=' || value, case
                when attribute in (select attribute from keyed_attribute
                where is_lacking and is_target = 1) then 'attribute of non-targets'
                when attribute in (select attribute from keyed_attribute
                where is_lacking and is_target = 0) then 'attribute of targets'
                else 'attribute' end
            from (select distinct attribute, value from keyed_attribute where value is not null)
            order by 2""")
        engine.execute(f"""
            insert into base.subset_cell (condition_no, subset_no, block_no, segment_no)
            select {condition_no}, subset_no, block_no, segment_no
            from keyed_attribute as attribute
            join (select distinct attribute, value from keyed_attribute where value is not null) as named
                on named.attribute = attribute.attribute and (attribute.is_lacking or named.value = attribute.value)
            join (select subset_no, subset from base.subset where condition_no = {condition_no}) as subset
                on subset.subset = named.attribute || '=' || named.value
            order by subset_no, block_no, segment_no""")
        engine.execute(
            f"insert into base.curve_request select condition_no, subset_no, 0 from base.subset where condition_no = "
            f"{condition_no} order by subset_no"
        )
        engine.execute("drop table keyed_attribute")


def _equals(column: str, value: object) -> str:
    """Return SQL that is true where a column of a key has a value."""
    return (
        f"trial.{column} is null"
        if value is None
        else f"trial.{column} = {sql_literal(value)}"
        if isinstance(value, str)
        else f"trial.{column} = {value}"
    )


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the key of a condition."""
    spec, inputs = condition.spec, condition.inputs
    where = f"condition '{spec['id']}'"
    files = inputs.resolve(spec["key"], "key") if "key" in spec else []
    if "key" not in spec:
        inputs.add("E720", where, "a verification condition needs a key", 'Add key = "...".')
    layout = layout_of(files, Options.of(spec), spec.get("key_format"))
    plan = KeyPlan(
        read_trials(engine, inputs, files, layout, "verification key"),
        spec.get("blocks", []),
        [],
        [spec.get("scores", "")],
    )
    if "key_format" not in spec and not isinstance(layout, tuple) and files:
        plan.notes.append(f"condition {spec['id']}: key read as {layout}")
    table = plan.table
    if table.paths and LABEL in table.columns and table.n_row:
        _check_key(engine, inputs, plan, spec)
    for name in plan.blocks:
        if table.columns and name not in table.attributes:
            inputs.add(
                "E954",
                where,
                f"the key has no attribute of the name in blocks, expected "
                f"{', '.join(table.attributes) or 'one: it has none'}",
                "Correct blocks.",
                value=name,
            )
    return plan


def _check_key(engine: Engine, inputs: Inputs, plan: KeyPlan, spec: dict) -> None:
    """Report defects of the trials of a key, and which attributes are subsets."""
    table = plan.table
    ids = ", ".join(table.ids)
    # sorted numbers tell in a third of the time that counting different ones takes; the hash is of this session alone
    [hashed] = engine.query(f"select hash({ids}) from {table.table}").fetchnumpy().values()
    hashed.sort()
    if (hashed[1:] == hashed[:-1]).any():
        _check_repeated(engine, inputs, table, spec.get("repeated_trials", "error"))
    n_target, n_trial = engine.rows(f"select count(*) filter ({LABEL}), count(*) from {table.table}")[0]
    if n_target in (0, n_trial):
        inputs.add(
            "W946",
            table.paths[0],
            f"all {counted(n_trial, 'trial')} of the key are {'targets' if n_target else 'non-targets'}, expected "
            f"both labels: EER, costs, Cllr and AUC are NULL",
            "Add the missing trials, or correct target_label and nontarget_label.",
        )
    for name, column in table.attributes.items():
        n_value, n_of_target, n_of_nontarget = engine.rows(
            f"select count(distinct {column}), count({column}) filter ({LABEL}), count({column}) filter (not {LABEL}) "
            f"from {table.table}"
        )[0]
        if n_value > MOST_VALUES:
            inputs.add(
                "W944",
                table.paths[0],
                f"attribute {name} has {n_value} values, and more than {MOST_VALUES} make no subsets",
                "Leave the column out of the key.",
                value=name,
            )
            continue
        plan.subsets.append(name)
        if n_value and 0 < n_target < n_trial and not (n_of_target and n_of_nontarget):
            lacking, other = ("targets", "non-targets") if not n_of_target else ("non-targets", "targets")
            plan.notes.append(
                f"condition {spec['id']}: no {lacking[:-1]} has attribute {name}: its subsets restrict the {other} "
                f"alone"
            )


def _check_repeated(engine: Engine, inputs: Inputs, table: TrialTable, policy: str) -> None:
    """Apply the condition's policy to duplicate trials of the key; two labels of a trial are an error."""
    ids = ", ".join(table.ids)
    engine.execute(f"""
        create or replace temp table trial_again as
        select place, earlier, own <> {LABEL} as is_other, concat_ws(' ', {ids}) as trial from (
            select place, {ids}, {LABEL}, first_value(place) over listed as earlier,
                first_value({LABEL}) over listed as own
            from {table.table} window listed as (partition by {ids} order by place))
        where place > earlier""")
    for is_other, message, advice in (
        (True, "the trial has the other label in {}", "Keep the line that is right."),
        (
            False,
            "the trial is already in {}, expected once",
            "Keep one of the two lines; trials that differ in another id need that id in the key. Or set the "
            'policy: repeated_trials = "first" (count once) or "each" (each line is a trial).',
        ),
    ):
        query = f"select place, trial, earlier from trial_again where is_other = {is_other}"
        if is_other or policy == "error":
            said = partial(lambda said, row: said.format(table.shown(row)), message)
            table.say(engine, inputs, "E953", query, said, advice, MOST_PROBLEMS)
            continue
        for row, value, earlier, n_found in engine.rows(
            f"select *, count(*) over () from ({query}) order by place limit 1"
        ):
            path, line = table.at(row)
            what = "left out" if policy == "first" else "separate trials"
            inputs.add(
                "W953",
                path,
                f"{counted(n_found, 'line')} {'repeat' if n_found > 1 else 'repeats'} a trial of the key, the first "
                f"one that of {table.shown(earlier)}: {what} (repeated_trials)",
                "Check the number.",
                line,
                value,
            )
    if policy == "first" and not inputs.has_errors:
        engine.execute(f"""
            create or replace temp table trial_once as
            select * replace (row_number() over (order by place) - 1 as place)
            from {table.table} anti join trial_again using (place)""")
        engine.execute(f"drop table {table.table}")
        engine.execute(f"alter table trial_once rename to {table.table}")
        table.n_row = engine.value(f"select count(*) from {table.table}")
    engine.execute("drop table trial_again")


# ---- runs


def recognised(files: Sequence[tuple[str, Any]]) -> str | None:
    """Return the format of run files by the first lines; None if they are ambiguous."""
    layout = layout_of(files, Options(is_key=False), None)
    return None if isinstance(layout, tuple) else layout.format


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the runs of files in one format."""
    engine = target.engine
    has_pairs = engine.value(
        f"select count(test_id) > 0 from base.verification_trial where condition_no = {target.condition_no}"
    )
    layout = layout_of(files, Options.of(inputs.options, is_key=False), format_ or None, has_pairs=has_pairs)
    table = read_trials(engine, inputs, files, layout, TASK)
    names = [None]
    if RUN in table.columns:
        names = engine.column(f"select {RUN} from {table.table} group by {RUN} order by min(place)")
    pending = runs_of_rows(engine, table.table, table)
    for name in names if table.n_row else ():
        chosen = "true" if name is None else f"{RUN} = {sql_literal(name)}"
        yield pending(name, partial(_write_run, target, inputs, table, chosen))
    table.drop(engine)


#: an ending of a file's name, and the folders above it
_ENDING, _FOLDER = r"\.[A-Za-z][A-Za-z0-9]{0,4}$", "^.*/"
#: ids of a run that are tried in other ways of writing
_TRIED = 2000


def _write_run(target: StoredCondition, inputs: Inputs, table: TrialTable, chosen: str, run_no: int) -> int:
    """Store the scores of a run; returns how many were read."""
    trials = f"(select * from base.verification_trial where condition_no = {target.condition_no})"
    [known] = target.engine.rows(
        f"select {', '.join(f'count({name}) > 0' for name in IDS)} from (select * from {trials} limit 1)"
    )
    ids = tuple(name for name, is_there in zip(IDS, known, strict=True) if is_there)
    if ids != table.ids:
        if ids:  # otherwise the key is known to be wrong
            inputs.add(
                "E957",
                table.paths[0],
                f"the trials are named by {_named(table.ids)}, and by {_named(ids)} in the key",
                "Name them as the key does.",
                1,
            )
        return 0
    return _Scores(target, inputs, table, chosen, trials, ids).write(run_no)


def _named(ids: Sequence[str]) -> str:
    return {1: "one id", 2: "two ids", 3: "two ids and a side"}.get(len(ids), "nothing")


def _are(n: int) -> str:
    return "are" if n > 1 else "is"


#: which listing of its trial a row is
_LISTING = "listing"


@dataclass(slots=True)
class _Scores:
    """The scores of a run, which must be one for each trial of the key."""

    target: StoredCondition
    inputs: Inputs
    table: TrialTable
    chosen: str  #: SQL: the rows of the run
    trials: str  #: SQL: the trials of the key
    ids: tuple[
        str, ...
    ]  #: how scores name them; in the end which of its listings, where a key lists a trial repeatedly

    @property
    def engine(self) -> Engine:
        return self.target.engine

    @property
    def same(self) -> str:
        """SQL: the score ``said`` belongs to the trial ``trial``."""
        return " and ".join(f"trial.{name} = said.{name}" for name in self.ids)

    @property
    def names(self) -> list[str]:
        """The ids of trials."""
        return [name for name in self.ids if name != _LISTING]

    def has(self, option: str, value: str) -> bool:
        """Return whether the bundle says this of the run."""
        return self.inputs.options.get(option) == value

    def say(
        self, code: str, query: str, message: str | Callable[..., str], advice: str, *, has_lines: bool = True
    ) -> None:
        self.table.say(self.engine, self.inputs, code, query, message, advice, MOST_PROBLEMS, has_lines=has_lines)

    def warn(self, code: str, message: str, value: object, row: int | None = None) -> None:
        """Report a number that the user should check."""
        path, line = (self.table.paths[0], None) if row is None else self.table.at(row)
        self.inputs.add(code, path, message, "Check the number.", line, value)

    def write(self, run_no: int) -> int:
        """Store the scores; returns how many were read."""
        engine, table, inputs = self.engine, self.table, self.inputs
        score = _CONVERTED.get(self.target.policies.get("scores", ""), "{0}").format(f"said.{SCORE}")
        if inputs.options.get("higher_is_target") is False:
            score = f"-({score})"
        self.check_probabilities()
        is_valid = not inputs.has_errors
        n_key = engine.value(f"select count(*) from {self.trials}")
        n_row = engine.value(f"select count(*) from {table.table} where {self.chosen}")
        if self.target.policies.get("repeated_trials") == "each":
            self.list_each()
        if self.has("repeated_scores", "first"):
            self.drop_repeated()
        # trials of ignored labels are not stored, so their scores look like those of trials that the key does not have
        is_partial = bool(self.target.policies.get("ignore_label"))
        if is_partial or self.has("unknown_trials", "ignore"):
            self.drop_unknown("ignore_label" if is_partial else "unknown_trials")
        if not is_valid:  # report further problems of the valid rows
            self.look(score, 0, is_complete=False, has_all_rows=False)
            return 0
        n_scored = engine.value(f"select count(*) from {table.table} where {self.chosen}")
        # insert before the checks: an error drops all rows. A score of -0 loses its sign: it ties with 0, and which of
        # the two a threshold shows must not depend on chance
        is_yes = f"said.{DECISION}" if DECISION in table.columns else "cast(null as boolean)"
        engine.execute(f"""
            insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
            select {run_no}, block_no, trial_no, segment_no, is_yes, case when score = 0 then 0 else score end
            from (
                select trial.trial_no, trial.segment_no, {is_yes} as is_yes, {score} as score
                from (select * from {table.table} where {self.chosen}) as said
                join {self.trials} as trial on {self.same})
            join (select segment_no, block_no from base.verification_segment
            where condition_no = {self.target.condition_no}) using (segment_no)
            order by block_no, trial_no""")
        n_known, n_trial, n_infinite = engine.rows(f"""
            select count(*), coalesce(bit_count(bitstring_agg(trial_no, 1, {max(n_key, 1)})), 0),
                count(*) filter (isinf(score)) from base.decision where run_no = {run_no}""")[0]
        if n_scored == n_known == n_trial and 0 < n_trial < n_key and self.has("missing_scores", "reject"):
            self.reject_missing(run_no, n_key - n_trial)
            n_trial = n_known = n_scored = n_key
        is_complete = n_scored == n_known == n_trial == n_key
        if not is_complete or LABEL in table.columns or n_infinite:
            self.look(score, n_infinite, is_complete=is_complete)
        if is_complete:
            self.check_sign(run_no, n_key)
        return n_row

    def list_each(self) -> None:
        """Number the listings of trials that a key lists more than once, in its order and in that of the scores; one
        score of such a trial becomes a score of each of its listings.
        """
        engine, table, ids = self.engine, self.table, ", ".join(self.ids)
        trials = (
            f"(select *, row_number() over (partition by {ids} order by trial_no) as {_LISTING}, count(*) over "
            f"(partition by {ids}) as n_listing from {self.trials})"
        )
        is_first = self.has("repeated_scores", "first")
        again = " or n_said <> n_listing" if is_first else ""
        engine.execute(f"""
            create or replace temp table score_listing as
            select said.place, coalesce(trial.{_LISTING}, said.{_LISTING}) as {_LISTING}, n_said, n_listing
            from (select place, {ids}, row_number() over (partition by {ids} order by place) as {_LISTING},
                    count(*) over (partition by {ids}) as n_said from {table.table} where {self.chosen}) as said
            left join {trials} as trial on {self.same} and (trial.{_LISTING} = said.{_LISTING}
                or said.{_LISTING} = 1 and (n_said = 1{again}))""")
        if not is_first:
            self.say(
                "E952",
                f"""
                select * from (
                    select min(place), null, n_said, max(n_listing) as n_listed
                    from score_listing join {table.table} using (place) group by {ids}, n_said)
                where n_said not in (1, n_listed)""",
                lambda n_said, n_listed: f"{n_said} scores of a trial that the key lists {counted(n_listed, 'time')}",
                'Score it once, or as often as the key lists it, in its order; or repeated_scores = "first".',
            )
        # of several runs in one file the others follow: their rows stay
        columns = ", ".join(f"said.{name}" for name in engine.column(f"describe {table.table}") if name != _LISTING)
        engine.execute(f"""
            create or replace temp table score_listed as
            select {columns}, score_listing.{_LISTING} from {table.table} as said join score_listing using (place)
            union all select {columns}, 1 from {table.table} as said where not coalesce({self.chosen}, false)""")
        engine.execute(f"drop table {table.table}")
        engine.execute(f"alter table score_listed rename to {table.table}")
        engine.execute("drop table score_listing")
        self.trials, self.ids = trials, (*self.ids, _LISTING)

    def drop_repeated(self) -> None:
        """Leave out the scores of trials that have one already."""
        ids = ", ".join(self.ids)
        again = self.engine.rows(f"""
            delete from {self.table.table} where {self.chosen} and place not in (
                select min(place) from {self.table.table} where {self.chosen} group by {ids})
            returning place, concat_ws(' ', {ids})""")
        if again:
            row, value = min(again)
            said = f"{counted(len(again), 'score')} of trials that have one already {_are(len(again))}"
            self.warn("W952", f"{said} left out (repeated_scores)", value, row)

    def drop_unknown(self, option: str) -> None:
        """Leave out the scores of trials that the key does not have, unless all are: then it is another key."""
        table = self.table.table
        same = self.same.replace("said.", f"{table}.")
        unknown = f"{self.chosen} and not exists (from {self.trials} as trial where {same})"
        [(n_score, n_ignored)] = self.engine.rows(
            f"select count(*), count(*) filter ({unknown}) from {table} where {self.chosen}"
        )
        if 0 < n_ignored < n_score:
            self.engine.execute(f"delete from {table} where {unknown}")
            said = f"{counted(n_ignored, 'score')} of trials that the key does not have {_are(n_ignored)}"
            self.warn("W948", f"{said} left out ({option})", n_ignored)

    def reject_missing(self, run_no: int, n_missing: int) -> None:
        """Store what has no score as rejected at every threshold."""
        is_yes = "false" if DECISION in self.table.columns else "cast(null as boolean)"
        stored = self.engine.rows(f"""
            insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
            select {run_no}, block_no, trial_no, segment_no, {is_yes}, cast('-infinity' as double)
            from {self.trials} as trial join base.verification_segment using (condition_no, segment_no)
            where trial_no not in (select trial_no from base.decision where run_no = {run_no})
            order by block_no, trial_no returning trial_no""")
        shown = self.engine.value(
            f"select concat_ws(' ', {', '.join(self.ids)}) from {self.trials} where trial_no = {min(stored)[0]}"
        )
        said = f"n_missing_score = {n_missing:,}: trials of the key without a score, the first one '{shown}', count as"
        self.warn("W950", f"{said} rejected (missing_scores)", n_missing)

    def check_sign(self, run_no: int, n_trial: int) -> None:
        """Warn where the EER exceeds one half: at a threshold above the upper median of the targets and not above the
        lower one of the non-targets both error rates do.
        """
        # for very many trials use every n-th, and all of them if these exceed one half
        step = max(1, n_trial // 200_000)
        for every in dict.fromkeys((step, 1)):
            target, nontarget = self.engine.rows(f"""
                select -quantile_disc(-score, 0.5) filter (is_target = 1),
                    quantile_disc(score, 0.5) filter (is_target = 0)
                from (select segment_no, score from base.decision where run_no = {run_no} and trial_no % {every} = 0)
                join (select segment_no, is_target from base.verification_segment
                where condition_no = {self.target.condition_no}) using (segment_no)""")[0]
            if target is None or nontarget is None or target >= nontarget:
                return
        self.inputs.add(
            "W947",
            self.table.paths[0],
            f"targets score lower than non-targets (medians {target:g} and {nontarget:g}): the EER is above 50 %",
            "Check scores of the condition and higher_is_target of the run."
            if "higher_is_target" in self.inputs.options
            else "If a lower score means a target, say higher_is_target = false of the run.",
        )

    def look(self, score: str, n_infinite: int, *, is_complete: bool, has_all_rows: bool = True) -> None:
        """Report errors and warnings about the scores."""
        self.engine.execute(f"""
            create or replace temp table verification_score as
            select said.place, trial.trial_no, trial.segment_no, {score} as score
            from (select * from {self.table.table} where {self.chosen}) as said
            left join {self.trials} as trial on {self.same}""")
        if not is_complete:
            self.check_trials(has_all_rows=has_all_rows)
        if LABEL in self.table.columns:
            self.check_labels()
        if n_infinite:
            row, value = self.engine.rows(
                "select place, score from verification_score where isinf(score) order by place limit 1"
            )[0]
            path, line = self.table.at(row)
            said = f"{n_infinite} {'scores are' if n_infinite > 1 else 'score is'} infinite"
            self.inputs.add("W943", path, said, "They are stored unchanged.", line, value)
        self.engine.execute("drop table verification_score")

    def check_probabilities(self) -> None:
        """Report scores that should be probabilities and are not."""
        if self.target.policies.get("scores") == "probability":
            self.say(
                "E955",
                f"select place, {SCORE} from {self.table.table} where {self.chosen} and not {SCORE} between 0 and 1",
                "the score is not a valid probability, expected 0 to 1",
                'Correct the score, or scores of the condition: "llr", "score", "log10lr".',
            )

    def check_trials(self, *, has_all_rows: bool) -> None:
        """Report trials that are unknown, have two scores, or (if all rows were valid) are missing."""
        named, named_in_key = (
            f"concat_ws(' ', {', '.join(f'{side}{name}' for name in self.names)})" for side in ("said.", "")
        )
        scores = f"verification_score join {self.table.table} as said using (place)"
        n_score, n_known = self.engine.rows("select count(*), count(trial_no) from verification_score")[0]
        hint = self.hint() if n_score > 2 * n_known else None  # another way to write ids rather than trials too many
        if n_score and not n_known:
            row, value = self.engine.rows(f"select place, {named} from {scores} order by place limit 1")[0]
            example = self.engine.value(f"select {named_in_key} from {self.trials} order by trial_no limit 1")
            path, line = self.table.at(row)
            what, where = "trials of the run", "those of the key"
            self.inputs.say_disjoint(path, n_score, what, where, value, example, line, advice=hint)
            return
        self.say(
            "E951",
            f"select place, {named} from {scores} where trial_no is null",
            "the key does not have this trial",
            hint
            or "Drop the line, add the trial to the key, or leave such scores out: "
            'unknown_trials = "ignore" of the run.',
        )
        self.say(
            "E952",
            f"""
            select place, {named}, earlier from (
                select place, min(place) over (partition by trial_no) as earlier from verification_score
                where trial_no is not null)
            join {self.table.table} as said using (place) where place > earlier""",
            lambda earlier: f"the trial has a score already, in {self.table.shown(earlier)}",
            'Keep one of the two, or the first of all: repeated_scores = "first" of the run.',
        )
        if has_all_rows:
            self.say(
                "E950",
                f"select trial_no, {named_in_key} from {self.trials} anti join verification_score using (trial_no)",
                "no score for this trial of the key",
                "Score every trial of the key; or take it out of the key; or have such trials rejected at every "
                'threshold: missing_scores = "reject" of the run.',
                has_lines=False,
            )

    def check_labels(self) -> None:
        """Report labels of a score file that are not those of the key."""
        self.say(
            "E956",
            f"""
            select place, concat_ws(' ', {", ".join(f"said.{name}" for name in self.table.ids)}), said.{LABEL}
            from verification_score join {self.table.table} as said using (place)
            join {self.trials} as trial using (trial_no)
            join base.verification_segment as segment
                on segment.condition_no = trial.condition_no and segment.segment_no = trial.segment_no
            where said.{LABEL} <> (is_target = 1)""",
            lambda label: f"the trial is a {_CLASSES[label]} here, and a {_CLASSES[not label]} in the key",
            "Correct the label, or leave it out.",
        )

    def hint(self) -> str | None:
        """Return a change that would make the ids of scores and key equal: an ending, a folder, the other order,
        capitals; or None.
        """
        ids = self.names
        said = f"(select {', '.join(ids)} from {self.table.table} order by place limit {_TRIED})"

        def without(pattern: str, names: Sequence[str]) -> list[str]:
            return [f"regexp_replace({name}, {sql_literal(pattern)}, '')" for name in names]

        def n_same(mine: Sequence[str], others: Sequence[str]) -> int:
            given, key = (", ".join(f"{name} as c{n}" for n, name in enumerate(names)) for names in (mine, others))
            return self.engine.value(
                f"select count(*) from (select {given} from {said}) semi join (select {key} from {self.trials}) "
                f"using ({', '.join(f'c{n}' for n in range(len(ids)))})"
            )

        def example(source: str, pattern: str) -> tuple[str, str]:
            """Return an id that the pattern is in, and what of it."""
            return self.engine.rows(
                f"select name, regexp_extract(name, {sql_literal(pattern)}) from (select unnest([{', '.join(ids)}]) "
                f"as name from {source}) where regexp_matches(name, {sql_literal(pattern)}) limit 1"
            )[0]

        n_as_they_are = n_same(ids, ids)

        def is_better(mine: Sequence[str], others: Sequence[str]) -> bool:
            return n_same(mine, others) > n_as_they_are

        if len(ids) > 1 and is_better([*ids[1::-1], *ids[2:]], ids):
            return "The two ids are swapped: write them in the order of the key."
        both = without(_ENDING, without(_FOLDER, ids))
        for side, source, mine, others in (
            ("run", said, without(_ENDING, ids), ids),
            ("condition", self.trials, ids, without(_ENDING, ids)),
        ):
            if is_better(mine, others):
                name, ending = example(source, _ENDING)
                return f"One side has '{name}', the other no ending: give the {side} id_suffix = \"{ending}\"."
        if is_better(without(_ENDING, ids), without(_ENDING, ids)):
            endings = [example(source, _ENDING)[1] for source in (said, self.trials)]
            return (
                f"The ids end in '{endings[0]}' here and in '{endings[1]}' in the key: give the run id_suffix = "
                f'"{endings[0]}" and the condition id_suffix = "{endings[1]}".'
            )
        folder = next(
            (
                source
                for source, mine, others in (
                    (said, without(_FOLDER, ids), ids),
                    (self.trials, ids, without(_FOLDER, ids)),
                    (None, without(_FOLDER, ids), without(_FOLDER, ids)),
                    (None, both, both),
                )
                if is_better(mine, others)
            ),
            "",
        )
        if folder != "":
            with_folder = self.engine.rows(
                f"select name from (select unnest([{', '.join(ids)}]) as name from {folder or said}) "
                "order by contains(name, '/') desc, name limit 1"
            )[0][0]
            return f"The ids differ by a folder ('{with_folder}'): write them alike."
        for what, function in (("capitals", "lower"), ("the Unicode form of accented letters", "nfc_normalize")):
            alike = [f"{function}({name})" for name in ids]
            if is_better(alike, alike):
                return f"The ids differ in {what}: write them alike."
        return None


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in TASKS[TASK].formats}
