"""Verification into the base tables: the trials of a key, then the scores of its runs.

Rows stay in the engine from the file to the tables (`tdtsql.load.trials`). Trials are numbered once, in the order of
the key. Trials with the same label and the same attributes are a segment: subsets, blocks and labels depend on
segments, of which there are few, so that no later step joins single trials.

Code   Meaning
E720   a condition without a file that its task needs
W944   an attribute with too many values for subsets
E954   an attribute that the key does not have
E957   trials with ids of another form than in the key
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.files.checks import findings
from tdtsql.files.find import Inputs
from tdtsql.load.decisions import LinesOfRun, execute, report
from tdtsql.load.plan import MOST_VALUES, ConditionSpec, PendingRun, Source, StoredCondition
from tdtsql.load.trial_layouts import DECISION, IDS, LABEL, RUN, Options
from tdtsql.load.trials import Trials, layout_of, read_trials
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.store.derived import run_statements
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import RunFormat

TASK = "verification"


# ---- conditions


@dataclass(slots=True)
class KeyPlan:
    """The key of a condition, read and checked, ready to be stored."""

    trials: Trials
    blocks: list[str]  #: attributes whose product the blocks are
    subsets: list[str]  #: attributes whose values are subsets
    names: list[str]  #: how runs are read
    notes: list[str] = field(default_factory=list)
    groups: str = ""  #: the table of the groups of its trials

    def discard(self, engine: Engine) -> None:
        """Do nothing: the tables are dropped with those of the other files."""

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store blocks, segments, trials and subsets."""
        parameters = {
            "condition": condition_no,
            "names": list(self.trials.attributes),
            "attributes": list(dict.fromkeys((*self.subsets, *self.blocks))),
            "blocks": self.blocks,
            "subsets": self.subsets,
        }
        self.trials.view()
        engine.execute(f"create or replace temp view key_group as from {self.groups}")
        execute(engine, "verification/segments", parameters, "create or replace temp table key_segment as ")
        run_statements(engine, "verification/condition", parameters)
        run_statements(engine, "verification/subsets", parameters)


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the key of a condition."""
    spec, inputs = condition.spec, condition.inputs
    where = f"condition '{spec['id']}'"
    files = inputs.resolve(spec["key"], "key") if "key" in spec else []
    if "key" not in spec:
        inputs.add("E720", where, "a verification condition needs a key", 'Add key = "...".')
    layout = layout_of(files, Options.of(spec), spec.get("key_format"))
    trials = read_trials(engine, inputs, files, layout, "verification key")
    plan = KeyPlan(trials, spec.get("blocks", []), [], [spec.get("scores", "")])
    if "key_format" not in spec and not isinstance(layout, tuple) and files:
        plan.notes.append(f"condition {spec['id']}: key read as {layout}")
    if trials.has(LABEL):
        _read_groups(engine, inputs, plan, spec)
    for name in plan.blocks:
        if trials.ids and name not in trials.attributes:
            inputs.add(
                "E954",
                where,
                f"the key has no attribute of the name in blocks, expected "
                f"{', '.join(trials.attributes) or 'one: it has none'}",
                "Correct blocks.",
                value=name,
            )
    return plan


def _read_groups(engine: Engine, inputs: Inputs, plan: KeyPlan, spec: dict) -> None:
    """Make the groups of the trials of a key, and report what is wrong with trials, labels and attributes."""
    trials = plan.trials
    trials.view()
    _check_repeated(engine, inputs, trials, spec.get("repeated_trials", "error"))
    plan.groups = engine.unused_name("key_group")  # all conditions of a bundle are read before the first is stored
    inputs.tables.append(plan.groups)
    parameters = {"is_usual": trials.layout.is_usual}
    execute(engine, "verification/groups", parameters, f"create temp table {plan.groups} as ")
    engine.execute(f"create or replace temp view key_group as from {plan.groups}")
    report(inputs, trials.paths, engine, "verification/W946", {})
    for name, n_value, n_of_target, n_of_nontarget, n_target, n_trial in engine.rows(
        """
        select $names[number], count(distinct value) filter (value <> ''), count(*) filter (value <> '' and is_target),
            count(*) filter (value <> '' and not is_target), count(*) filter (is_target), count(*)
        from (select is_target, unnest(attributes) as value, generate_subscripts(attributes, 1) as number
            from key_group)
        where number <= len($names)
        group by number order by number""",
        {"names": list(trials.attributes)},
    ):
        if n_value > MOST_VALUES:
            inputs.add(
                "W944",
                trials.paths[0],
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


def _check_repeated(engine: Engine, inputs: Inputs, trials: Trials, policy: str) -> None:
    """Apply the condition's policy to duplicate trials of the key; two labels of a trial are an error."""
    # sorted numbers tell in a third of the time that counting different ones takes; the hash is of this session alone
    [hashed] = engine.query(f"select hash({', '.join(trials.ids)}) from trial_row").fetchnumpy().values()
    hashed.sort()
    if not (hashed[1:] == hashed[:-1]).any():
        return
    execute(engine, "verification/repeated", {}, "create or replace temp table repeated_trial as ")
    parameters = {"paths": trials.paths, "repeated_trials": policy}
    for check in ("E953-label", "E953" if policy == "error" else "W953"):
        report(inputs, trials.paths, engine, f"verification/{check}", parameters)
    if policy == "first":
        engine.execute(
            f"delete from {trials.rows.table} where (file, line) in (select (file, line) from repeated_trial)"
        )


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
    scores = read_trials(engine, inputs, files, layout, TASK)
    scores.view()
    by_name = "group by run_id order by min((file, line))" if scores.has(RUN) else "limit 1"
    names = engine.column(f"select run_id from trial_row {by_name}")
    for name in names:
        run = PendingRun(name, _Scores(target, inputs, scores, name))
        if name is not None:
            of_run = engine.column("select distinct file from trial_row where run_id = ? order by 1", [name])
            run.files = [scores.paths[file] for file in of_run]
            run.of_lines = LinesOfRun(engine, scores.paths, name, "trial_row")
        yield run


def _named(ids: Collection[str]) -> str:
    return {1: "one id", 2: "two ids", 3: "two ids and a side"}.get(len(ids), "nothing")


#: an ending of a file's name, and the folders above it
_ENDING, _FOLDER = r"\.[A-Za-z][A-Za-z0-9]{0,4}$", "^.*/"
#: ids of a run that are tried in other ways of writing
_TRIED = 2000


@dataclass(frozen=True, slots=True)
class _Scores:
    """Stores the scores of a run, which must be one for each trial of the key."""

    target: StoredCondition
    inputs: Inputs
    scores: Trials
    run_id: str | None

    @property
    def engine(self) -> Engine:
        return self.target.engine

    @property
    def trials(self) -> str:
        """SQL: the trials of the key."""
        return f"(from base.verification_trial where condition_no = {self.target.condition_no})"

    def has(self, option: str, value: object) -> bool:
        """Return whether the bundle says this of the run."""
        return self.inputs.options.get(option) == value

    def report(self, check: str, parameters: dict[str, Any]) -> None:
        report(self.inputs, self.scores.paths, self.engine, f"verification/{check}", parameters)

    def __call__(self, run_no: int) -> int:
        """Store the scores under a number; returns how many were read."""
        engine, inputs, policies = self.engine, self.inputs, self.target.policies
        [known] = engine.rows(
            f"select {', '.join(f'count({name}) > 0' for name in IDS)} from (from {self.trials} limit 1)"
        )
        ids = tuple(name for name, is_there in zip(IDS, known, strict=True) if is_there)
        if ids != self.scores.ids:
            if ids:  # otherwise the key is known to be wrong
                said = f"the trials are named by {_named(self.scores.ids)}, and by {_named(ids)} in the key"
                inputs.add("E957", self.scores.paths[0], said, "Name them as the key does.", 1)
            return 0
        parameters: dict[str, Any] = {
            "run": run_no,
            "condition": self.target.condition_no,
            "run_id": self.run_id,
            "paths": self.scores.paths,
            "scores": policies.get("scores", "score"),
            "higher_is_target": not self.has("higher_is_target", False),
            "has_sign": "higher_is_target" in inputs.options,
            "repeated_scores": inputs.options.get("repeated_scores", "error"),
            "has_decisions": self.scores.has(DECISION),
        }
        self.report("E955", parameters)
        is_valid = not inputs.has_errors
        is_each = policies.get("repeated_trials") == "each"
        n_row = engine.value(
            "select count(*) from trial_row where run_id is not distinct from $run_id", {"run_id": self.run_id}
        )
        number = "verification/scored_each" if is_each else "verification/scored"
        execute(engine, number, parameters, "create or replace temp table scored as ")
        if is_each and not self.has("repeated_scores", "first"):
            self.report("E952-listings", parameters)
        self._leave_out(parameters)
        n_key = engine.value(f"select count(*) from {self.trials}")
        n_score, n_known, n_trial = engine.rows(f"""
            select count(*), count(trial_no), coalesce(bit_count(bitstring_agg(trial_no, 1, {max(n_key, 1)})), 0)
            from scored""")[0]
        is_complete = n_score == n_known == n_trial == n_key
        if n_score == n_known == n_trial and 0 < n_trial < n_key and self.has("missing_scores", "reject") and is_valid:
            self.report("W950", parameters)
            execute(engine, "verification/rejected", parameters)
            is_complete = True
        if not is_complete:
            self._check_trials(parameters, n_score, n_known, has_all_rows=is_valid)
        if self.scores.has(LABEL):
            self.report("E956", parameters)
        if not is_valid or inputs.has_errors:
            return n_row
        execute(engine, "verification/run", parameters)
        self.report("W943", parameters)
        self._check_sign(parameters, n_key)
        return n_row

    def _leave_out(self, parameters: dict[str, Any]) -> None:
        """Leave out scores of trials that have one already, and of those that the key does not have, where the bundle
        says so; unless all are unknown: then it is another key.
        """
        engine = self.engine
        if self.has("repeated_scores", "first"):
            self.report("W952", parameters)
            engine.execute("""
                create or replace temp table scored as from scored
                qualify row_number() over (partition by trial_no, unknown, if(trial_no is null, listing, null)
                    order by file, line) = 1""")
        # trials of ignored labels are not stored, so their scores look like those of trials that the key does not have
        is_partial = bool(self.target.policies.get("ignore_label"))
        n_known, n_unknown = engine.rows("select count(trial_no), count(unknown) from scored")[0]
        if (is_partial or self.has("unknown_trials", "ignore")) and n_known and n_unknown:
            self.report("W948", {"option": "ignore_label" if is_partial else "unknown_trials"})
            engine.execute("delete from scored where trial_no is null")

    def _check_sign(self, parameters: dict[str, Any], n_trial: int) -> None:
        """Warn where targets score lower than non-targets."""
        # of very many trials use every n-th, and all of them if these exceed one half
        own = {"every": max(1, n_trial // 200_000)}
        if own["every"] == 1 or findings(self.engine, "verification/W947", parameters | own):
            self.report("W947", parameters | {"every": 1})

    def _check_trials(self, parameters: dict[str, Any], n_score: int, n_known: int, *, has_all_rows: bool) -> None:
        """Report trials that are unknown, have two scores, or (if all rows were valid) are missing."""
        hint = self.hint() if n_score > 2 * n_known else None  # another way to write ids rather than trials too many
        if n_score and not n_known:
            [(file, line, value)] = self.engine.rows(
                "select file, line, unknown from scored order by file, line limit 1"
            )
            example = self.engine.value(
                f"select concat_ws(' ', {', '.join(IDS)}) from {self.trials} order by trial_no limit 1"
            )
            what, where = "trials of the run", "those of the key"
            path = self.scores.paths[file]
            self.inputs.say_disjoint(path, n_score, what, where, value, example, line, advice=hint)
            return
        advised = hint or (
            'Drop the line, add the trial to the key, or leave such scores out: unknown_trials = "ignore" of the run.'
        )
        self.report("E951", {"advised": advised})
        self.report("E952", parameters)
        if has_all_rows:
            self.report("E950", parameters)

    def hint(self) -> str | None:
        """Return a change that would make the ids of scores and key equal: an ending, a folder, the other order,
        capitals; or None.
        """
        ids = self.scores.ids
        own = "trial_row where run_id is not distinct from " + (sql_literal(self.run_id) if self.run_id else "null")
        said = f"(select {', '.join(ids)} from {own} limit {_TRIED})"

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
