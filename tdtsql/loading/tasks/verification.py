"""Verification into the base tables: the trials of a key, then the scores of its runs.

Rows stay in the engine from the file to the tables (`tdtsql.load.trials`, ``sql/load/verification``). Trials are
numbered once, in the order of the key. Trials with the same label and the same attributes are a segment: subsets,
blocks and labels depend on segments, of which there are few, so that no later step joins single trials.

Code   Meaning
E720   a condition without a file that its task needs
W927   ids that differ only in spelling
W944   an attribute with too many values for subsets
W949   all scores are equal
E954   an attribute that the key does not have
E957   trials with ids of another form than in the key
W971   an id in scientific notation
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, findings, report, select
from tdtsql.files.find import Inputs
from tdtsql.load.plan import IF_SOUND, ConditionSpec, Source, Staged, StoredCondition, staged_runs
from tdtsql.load.trial_layouts import DECISION, IDS, LABEL, RUN, Options
from tdtsql.load.trials import Trials, layout_of, read_trials
from tdtsql.loading.condition import Condition, needed_files
from tdtsql.loading.corpus import Corpus
from tdtsql.store.derived import MOST_VALUES
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import RunFormat

TASK = "verification"
_STEPS = (IF_SOUND, "verification/segments", "verification/condition", "verification/subsets")


# ---- conditions


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the key of a condition."""
    spec, inputs = condition.spec, condition.inputs
    files = needed_files(condition, "key", "a key")
    layout = layout_of(files, Options.of(spec), spec.get("key_format"))
    trials = read_trials(engine, inputs, files, layout, "verification key")
    blocks, subsets, notes = spec.get("blocks", []), list[str](), list[str]()
    if "key_format" not in spec and not isinstance(layout, tuple) and files:
        notes.append(f"condition {spec['id']}: key read as {layout}")
    if "2021" in str(layout):
        notes.append(f"condition {spec['id']}: the official numbers of ASVspoof 2021 are those of subset=eval")
    plan = ConditionSpec(_STEPS, inputs, [spec.get("scores", "")], notes, tables={"trial_row": trials.relation})
    names = list(trials.attributes)
    if trials.has(LABEL):
        trials.view()
        _check_repeated(engine, inputs, trials, spec.get("repeated_trials", "error"))
        execute(engine, "verification/groups", {"is_usual": trials.layout.is_usual}, "key_group")
        checks = [f"verification/{code}" for code in ("W946", "W971", "W927")]
        report(inputs, trials.paths, engine, checks, {"names": names})
        if "subsets" not in spec:
            report(inputs, trials.paths, engine, "verification/W944", {"names": names, "most": MOST_VALUES})
        subsets, more = _attributes(engine, names, spec.get("subsets"))
        plan.notes = [*notes, *(f"condition {spec['id']}: {said}" for said in more)]
        plan.keep(engine, "key_group")
        engine.execute("drop view trial_row")
    for option, name in [(one, name) for one in ("blocks", "subsets") for name in spec.get(one, [])]:
        if trials.ids and name not in names:
            said = (
                f"the key has no attribute of the name in {option}, expected {', '.join(names) or 'one: it has none'}"
            )
            inputs.add("E954", f"condition '{spec['id']}'", said, f"Correct {option}.", value=name)
    plan.parameters = {"names": names, "attributes": names, "blocks": blocks, "subsets": subsets}
    return plan


def _attributes(engine: Engine, names: Sequence[str], chosen: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """Return the attributes whose values are subsets (those chosen, or else those with few values), and notes on those
    that one kind of trials lacks.
    """
    subsets, notes = [], []
    for row in select(engine, "verification/attributes", {"names": names}):
        name, lacking = row["attribute"], row["lacking"]
        if row["n_value"] > MOST_VALUES if chosen is None else name not in chosen:
            continue
        subsets.append(name)
        if lacking:
            other = {"target": "non-targets", "non-target": "targets"}[lacking]
            notes.append(f"no {lacking} has attribute {name}: its subsets restrict the {other} alone")
    return subsets, notes


def _check_repeated(engine: Engine, inputs: Inputs, trials: Trials, policy: str) -> None:
    """Apply the condition's policy to duplicate trials of the key; two labels of a trial are an error."""
    # sorted numbers tell in a third of the time that counting different ones takes; the hash is of this session alone
    [hashed] = engine.query(f"select hash({', '.join(trials.ids)}) from trial_row").fetchnumpy().values()
    hashed.sort()
    if not (hashed[1:] == hashed[:-1]).any():
        return
    execute(engine, "verification/repeated", {}, "repeated_trial")
    parameters = {"paths": trials.paths, "repeated_trials": policy}
    checks = "verification/E953-label", f"verification/{'E953' if policy == 'error' else 'W953'}"
    report(inputs, trials.paths, engine, checks, parameters)
    if policy == "first":
        engine.execute(
            f"delete from {trials.rows.table} where (file, line) in (select (file, line) from repeated_trial)"
        )


# ---- runs


def recognised(files: Sequence[Source]) -> str | None:
    """Return the format of run files by the first lines; None if they are ambiguous."""
    layout = layout_of(files, Options(is_key=False), None)
    return None if isinstance(layout, tuple) else layout.format


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Staged:
    """Return the runs of files in one format."""
    engine = target.engine
    has_pairs = engine.value(
        f"select count(test_id) > 0 from base.verification_trial where condition_no = {target.condition_no}"
    )
    layout = layout_of(files, Options.of(inputs.options, is_key=False), format_ or None, has_pairs=has_pairs)
    scores = read_trials(engine, inputs, files, layout, TASK)
    scores.view()
    write = _Scores(target, inputs, scores).write
    if scores.has(RUN):
        return staged_runs(engine, scores.paths, "trial_row", write)
    return Staged({None: scores.paths} if engine.rows("select 1 from trial_row limit 1") else {}, write)


_NAMED = {1: "one id", 2: "two ids", 3: "two ids and a side"}
#: what may make the ids of a run and of its key equal: changes of those of the run and of the key, and the advice
_ALIKE = (
    ("swap", "", "The two ids are swapped: write them in the order of the key."),
    ("ending", "", "One side has '{run_name}', the other no ending: give the run id_suffix = \"{run_ending}\"."),
    ("", "ending", "One side has '{key_name}', the other no ending: give the condition id_suffix = \"{key_ending}\"."),
    (
        "ending",
        "ending",
        "The ids end in '{run_ending}' here and in '{key_ending}' in the key: give the run id_suffix = "
        '"{run_ending}" and the condition id_suffix = "{key_ending}".',
    ),
    ("folder", "", "The ids differ by a folder ('{run_folder}'): write them alike."),
    ("", "folder", "The ids differ by a folder ('{key_folder}'): write them alike."),
    ("folder", "folder", "The ids differ by a folder ('{run_folder}'): write them alike."),
    ("both", "both", "The ids differ by a folder ('{run_folder}'): write them alike."),
    ("capitals", "capitals", "The ids differ in capitals: write them alike."),
    ("accents", "accents", "The ids differ in the Unicode form of accented letters: write them alike."),
)


@dataclass(frozen=True, slots=True)
class _Scores:
    """Stores the scores of runs, which must be one for each trial of the key."""

    target: StoredCondition
    inputs: Inputs
    scores: Trials

    def report(self, check: str, parameters: dict[str, Any]) -> None:
        report(self.inputs, self.scores.paths, self.target.engine, f"{TASK}/{check}", parameters)

    def write(self, name: str | None, run_no: int) -> int:
        """Store the scores of a run under a number; returns how many were read."""
        engine, inputs, options, policies = self.target.engine, self.inputs, self.inputs.options, self.target.policies
        [trials] = engine.records(
            f"select count(*) as n, {', '.join(f'count({name}) as {name}' for name in IDS)} "
            "from base.verification_trial where condition_no = $condition",
            {"condition": self.target.condition_no},
        )
        ids = tuple(name for name in IDS if trials[name])
        if ids != self.scores.ids:
            if ids:  # otherwise the key is known to be wrong
                own, other = (_NAMED.get(len(some), "nothing") for some in (self.scores.ids, ids))
                said = f"the trials are named by {own}, and by {other} in the key"
                inputs.add("E957", self.scores.paths[0], said, "Name them as the key does.", 1)
            return 0
        # trials of ignored labels are not stored, so their scores look like those of trials that the key does not have
        is_partial = bool(policies.get("ignore_label"))
        parameters: dict[str, Any] = {
            "run": run_no,
            "condition": self.target.condition_no,
            "run_id": name,
            "paths": self.scores.paths,
            "scores": policies.get("scores", "score"),
            "higher_is_target": options.get("higher_is_target") is not False,
            "has_sign": "higher_is_target" in options,
            "repeated_scores": options.get("repeated_scores", "error"),
            "has_decisions": self.scores.has(DECISION),
            "option": "ignore_label" if is_partial else "unknown_trials",
        }
        self.report("E955", parameters)
        is_valid, is_each = not inputs.has_errors, policies.get("repeated_trials") == "each"
        n_row = engine.value("select count(*) from trial_row where run_id is not distinct from $name", {"name": name})
        execute(engine, f"{TASK}/scored{'_each' * is_each}", parameters, "scored")
        if is_each and parameters["repeated_scores"] != "first":
            self.report("E952-listings", parameters)
        if parameters["repeated_scores"] == "first":
            self.report("W952", parameters)
            execute(engine, f"{TASK}/first_score", {}, "scored")
        if is_partial or options.get("unknown_trials") == "ignore":
            self.report("W948", parameters)
            execute(engine, f"{TASK}/known_trials", {})
        [(n_score, n_known, n_trial)] = engine.rows(f"""
            select count(*), count(trial_no), coalesce(bit_count(bitstring_agg(trial_no, 1, {max(trials["n"], 1)})), 0)
            from scored""")
        is_complete = n_score == n_known == n_trial == trials["n"]
        may_lack = options.get("missing_scores") == "reject" and is_valid
        if may_lack and n_score == n_known == n_trial and 0 < n_trial < trials["n"]:
            self.report("W950", parameters)
            execute(engine, f"{TASK}/rejected", parameters)
            is_complete = True
        if not is_complete:
            self._check_trials(parameters, n_score, n_known, has_all_rows=is_valid)
        if self.scores.has(LABEL):
            self.report("E956", parameters)
        if not is_valid or inputs.has_errors:
            return n_row
        execute(engine, f"{TASK}/run", parameters)
        self.report("W943", parameters)
        self.report("W949", parameters)
        # targets that score lower: of very many trials use every n-th, and all of them if these exceed one half
        every = max(1, trials["n"] // 200_000)
        if every == 1 or findings(engine, f"{TASK}/W947", parameters | {"every": every}):
            self.report("W947", parameters | {"every": 1})
        return n_row

    def _check_trials(self, parameters: dict[str, Any], n_score: int, n_known: int, *, has_all_rows: bool) -> None:
        """Report trials that are unknown, have two scores, or (if all rows were valid) are missing."""
        engine = self.target.engine
        hint = self._hint(parameters) if n_score > 2 * n_known else None  # ids written otherwise rather than too many
        if n_score and not n_known:
            [first] = select(engine, f"{TASK}/disjoint", parameters)
            what, where, path = "trials of the run", "those of the key", self.scores.paths[first["file"]]
            value, example, line = first["unknown"], first["example"], first["line"]
            self.inputs.say_disjoint(path, n_score, what, where, value, example, line, advice=hint)
            return
        advised = hint or (
            'Drop the line, add the trial to the key, or leave such scores out: unknown_trials = "ignore" of the run.'
        )
        self.report("E951", {"advised": advised})
        self.report("E952", parameters)
        if has_all_rows:
            self.report("E950", parameters)

    def _hint(self, parameters: dict[str, Any]) -> str | None:
        """Return a change that would make the ids of scores and key equal, or None."""
        n_equal = 0
        for of_run, of_key, advice in (("", "", ""), *_ALIKE):
            own = {**parameters, "of_run": of_run, "of_key": of_key}
            [found] = select(self.target.engine, f"{TASK}/alike", own)
            if advice and found["n_equal"] > n_equal:
                return advice.format(**found)
            n_equal = n_equal if advice else found["n_equal"]
        return None


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in TASKS[TASK].formats}
