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
from functools import partial

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute, report, select
from tdtsql.files.find import Inputs
from tdtsql.load.plan import IF_SOUND, ConditionSpec, RunSpec, Source, StoredCondition, files_of_runs
from tdtsql.load.trial_layouts import DECISION, IDS, LABEL, TRIAL_FORMATS, Options
from tdtsql.load.trials import Trials, layout_of, read_trials
from tdtsql.load.condition import Condition, needed_files
from tdtsql.load.corpus import Corpus
from tdtsql.store.derived import MOST_VALUES
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
    plan = ConditionSpec(
        steps=_STEPS, inputs=inputs, names=[spec.get("scores", "")], notes=notes, tables={"trial_row": trials.relation}
    )
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


_NAMED = {1: "one id", 2: "two ids", 3: "two ids and a side"}
_STORED = "E956", "", "run", "W943", "W949", "W947"


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    """Return the runs of files in one format, whose scores must be one for each trial of the key."""
    engine, options, policies = target.engine, inputs.options, target.policies
    [trials] = engine.records(
        f"select count(*) as n, {', '.join(f'count({name}) as {name}' for name in IDS)} "
        "from base.verification_trial where condition_no = $condition",
        {"condition": target.condition_no},
    )
    layout = layout_of(files, Options.of(options, is_key=False), format_ or None, has_pairs=trials["test_id"] > 0)
    scores = read_trials(engine, inputs, files, layout, TASK)
    ids = tuple(name for name in IDS if trials[name])
    relation = scores.relation
    runs = files_of_runs(engine, scores.paths, relation)
    if runs and ids and ids != scores.ids:  # without any the key is known to be wrong
        own, other = (_NAMED.get(len(some), "nothing") for some in (scores.ids, ids))
        said = f"the trials are named by {own}, and by {other} in the key"
        inputs.add("E957", scores.paths[0], said, "Name them as the key does.", 1)
    # trials of ignored labels are not stored, so their scores look like those of trials that the key does not have
    is_partial, is_first = bool(policies.get("ignore_label")), options.get("repeated_scores") == "first"
    is_each = policies.get("repeated_trials") == "each"
    steps = ["E955", "scored_each" if is_each else "scored"]
    steps += ["W952", "first_score"] if is_first else ["E952-listings"] if is_each else []
    steps += ["W948", "known_trials"] if is_partial or options.get("unknown_trials") == "ignore" else []
    steps += ["tally", "W950", "hint", "E870", "E951", "E952", "E950", *_STORED]
    return RunSpec(
        steps=[name and f"{TASK}/{name}" for name in steps] if ids == scores.ids else [],
        inputs=inputs,
        paths=scores.paths,
        parameters={
            "n_trial": trials["n"],
            "is_sound": not inputs.has_errors,
            "paths": scores.paths,
            "scores": policies.get("scores", "score"),
            "higher_is_target": options.get("higher_is_target") is not False,
            "has_sign": "higher_is_target" in options,
            "repeated_scores": options.get("repeated_scores"),
            "missing_scores": options.get("missing_scores"),
            "has_decisions": scores.has(DECISION),
            "option": "ignore_label" if is_partial else "unknown_trials",
        },
        tables={"trial_row": relation},
        runs=runs,
        rows=relation,
        counted="run_trial" if ids == scores.ids else "",
    )


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in TRIAL_FORMATS}
