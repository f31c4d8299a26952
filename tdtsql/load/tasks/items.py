"""Scores of items: the items of a condition, then the samples of its runs (`tdtsql.load.items`).

Items and measures are numbered once, by name. Runs add those that no file of items lists, and update the condition.

Code   Meaning
W927   ids that differ only in spelling
W960   items without a score
E961   an item that the file of items does not have
W961   samples without a score
E962   a duplicate sample
W962   items that the file of items does not have, left out
E963   two values of an attribute for one item
E964   an unknown name in group, cluster, weight or attributes; an invalid name of an attribute; too many attributes
W964   an attribute with too many values for subsets
E965   a weight that is not valid
W965   several measures, and none is selected for ranking
E966   items without a score, under missing_item = error
E967   an item for which two runs have different content
W968   an item that is the mean, median or sum of the others, left out
W972   an item that two runs were asked with different prompts
W971   an id in scientific notation
E973   a file of items with a duplicate item, or without items
W975   a run without an item of the other runs
E974   a measure with another best value (highest or lowest) than in another condition, or than a metric of its name
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import meant
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs
from tdtsql.load.items import (
    LINES,
    ItemColumns,
    formats_of,
    is_zip,
    make_items,
    read_list,
    read_samples,
    report_format,
)
from tdtsql.load.plan import Checks, ConditionSpec, RunSpec, Source, StoredCondition, files_of_runs
from tdtsql.load.condition import Condition
from tdtsql.load.corpus import Corpus
from tdtsql.store.contents import owner_of
from tdtsql.store.derived import MOST_VALUES, place_items
from tdtsql.store.recording import note_load
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import MADE_OF, RunFormat

TASK = "items"


def _lines(text: str | None) -> list[str]:
    """Return the names that a column of registry.condition holds, one per line."""
    return [line for line in (text or "").split("\n") if line]


# ---- conditions


def _names_of(spec: Mapping[str, Any], key: str) -> list[str]:
    value = spec.get(key, [])
    return [value] if isinstance(value, str) else list(value)


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the file of items of a condition."""
    spec, inputs = condition.spec, condition.inputs
    where = f"condition '{spec['id']}'"
    plan = ConditionSpec(steps=[f"{TASK}/condition"], inputs=inputs)
    plan.names = [f"{key} {spec[key]}" for key in sorted(TASKS[condition.task].keys) if key in spec]
    plan.parameters = {"k": sorted(set(spec.get("k", ()))), "is_listed": 1, "most_values": MOST_VALUES}
    files = inputs.resolve(spec["items"], "items") if "items" in spec else []
    if files:
        attributes = read_list(engine, inputs, files, spec.get("weight"))
        plan.keep(engine, "items_once", "items_value")
        plan.steps = [*plan.steps, *(f"{TASK}/{name}" for name in ("add", "values", "subsets"))]
        if not inputs.has_errors:
            of_runs = [name.rpartition(".")[2] for name in _names_of(spec, "attributes")]
            for key in ("group", "cluster", "subsets"):
                advice = f"Correct {key}, or name it in attributes if it is a column of the runs' files."
                _check_names(inputs, where, key, _names_of(spec, key), [*attributes, *of_runs], advice)
    if "weight" in spec and "items" not in spec:
        inputs.add("E964", where, "weight requires a file of items", 'Add items = "..."', value=spec["weight"])
    for number in spec.get("k", ()):
        if not isinstance(number, int) or number < 1:
            inputs.add("E704", where, "k is not an integer of at least 1", "Correct k.", value=number)
    lower = list(spec.get("lower_is_better", ()))
    said = {"id": spec["id"], "measures": [*lower, spec.get("measure")], "lower_is_better": "\n".join(lower)}
    report(inputs, [where], engine, f"{TASK}/E974", said)
    return plan


def _check_names(
    inputs: Inputs, where: str, key: str, names: Sequence[str], known: Sequence[str], advice: str = ""
) -> None:
    for name in names:
        if name not in known:
            inputs.add(
                "E964",
                where,
                f"{key}: unknown attribute, expected one of {', '.join(known)[:200] or 'none: items have none'}",
                meant(name, known, advice or f"Correct {key}."),
                value=name,
            )


# ---- runs


def recognised(files: Sequence[Source]) -> str | None:
    """Return the format of run files by the first of them; None if it matches no format, or two."""
    found = formats_of(files)
    return found[0] if len(found) == 1 else None


def _item_columns(target: StoredCondition, options: Mapping[str, object]) -> ItemColumns:
    scores = options.get("score", ())
    attributes, *others = (target.policies.get(key) or "" for key in ("attributes", "group_by", "cluster_by"))
    named = [name for text in (attributes, *others) for name in _lines(text)]
    return ItemColumns(
        str(options.get("item", "item_id")),
        str(options.get("epoch", "epoch")),
        (scores,) if isinstance(scores, str) else tuple(scores),  # type: ignore[arg-type]
        tuple(dict.fromkeys(named)) if attributes else None,
    )


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    """Return the runs of files in one format."""
    engine, nothing = target.engine, RunSpec(steps=[], inputs=inputs, runs={})
    given, source = files[0]
    is_log = isinstance(source, Path) and is_zip(source)
    found = [] if is_log else formats_of(files)
    if not isinstance(source, Path):
        format_ = found[0]
    elif is_log or format_ == "tidy" and len(found) != 1 and "format" not in inputs.options:
        # what is recognised as nothing comes as the first format of the task
        report_format(inputs, given, source, found, [*FORMATS])
        return nothing
    samples = read_samples(engine, inputs, files, format_, _item_columns(target, inputs.options), TASK)
    if not engine.value("select count(*) from items_row"):
        if not inputs.has_errors:
            said = "no sample of the file has a score, so no run is in it"
            inputs.add("E837", given, said, "Did its evaluation fail? A log says so, and its samples have an error.")
        return nothing
    own: dict[str, Any] = {
        **target.policies,
        "condition": target.condition_no,
        "id": target.condition_id,
        "made_of": MADE_OF.pattern,
        "most": MOST_VALUES,
        "is_listed": 0,
        "called": run_id,
    }
    checks = Checks(engine, inputs, TASK, samples.paths, own, samples.rows.unit)
    inputs.tables += ["items_numbered", "items_once", "items_value", "items_known", samples.rows.table]
    if means := checks.report("W968"):
        names = [mean.value for mean in means]
        engine.execute(f"delete from {samples.rows.table} where list_contains($1, item_id)", [names])
    runs = files_of_runs(engine, samples.paths, "items_row")
    own["runs"] = [run_id or "" if name is None else name for name in runs]  # these replace stored ones
    checks.report("W971", "W975")
    if not checks.report("E870-items"):
        checks.report("E961", "W962")
        execute(engine, f"{TASK}/left_out", own)
        checks.report("E967", "W972")
    make_items(engine, samples.attributes)
    _check_attributes(target, inputs, [*samples.attributes])
    checks.make("items_known")
    checks.report("E963")
    if not inputs.has_errors:
        _extend(target, checks)
    # where there are errors, items and measures may have no numbers
    if inputs.has_errors or checks.report("E971"):
        checks.report("E962")
        return nothing
    checks.make("items_run", "items_numbered")
    if execute(engine, f"{TASK}/repeated"):
        checks.report("E962")
    checks.make("items_missing")
    checks.report("W961", "W960")
    return RunSpec(steps=[f"{TASK}/run"], inputs=inputs, paths=samples.paths, runs=runs, rows="items_row")


def _check_attributes(target: StoredCondition, inputs: Inputs, attributes: Sequence[str]) -> None:
    """Report names of attributes that neither the items of a condition have, nor those of files."""
    engine, own = target.engine, {"condition": target.condition_no}
    stored = engine.column("select distinct attribute from base.item_attribute where condition_no = $condition", own)
    known = sorted({*stored, *attributes})
    keys = {"attributes": "attributes"}
    # a column without values is not stored: the file of items, or the first run, was checked by its columns
    if not engine.rows("select 1 from base.item where condition_no = $condition limit 1", own):
        keys = {"group": "group_by", "cluster": "cluster_by", "subsets": "subsets", **keys}
    for key, column in keys.items():
        names = _lines(target.policies.get(column))
        if key == "attributes":  # a path of a log is called by its end, a column of a table as it is
            names = [name if name in known else name.rpartition(".")[2] for name in names]
        _check_names(inputs, f"condition '{target.condition_id}'", key, [*dict.fromkeys(names)], known)


def _extend(target: StoredCondition, checks: Checks) -> None:
    """Store the items, attributes and measures that a condition does not have yet."""
    engine, own = target.engine, checks.parameters
    checks.make("items_measure")
    measures = engine.column("select measure from items_measure where is_new order by 1")
    where = f"condition '{target.condition_id}'"
    report(checks.inputs, [where], engine, f"{TASK}/E974", {**own, "measures": measures})
    checks.report("E870", "E970", "W965")
    n_new = sum(execute(engine, f"{TASK}/{name}", own) for name in ("measures", "add", "values"))
    execute(engine, f"{TASK}/content", own)
    if n_new:
        place_items(engine, TASK, target.condition_no)
        checks.report("W964", "W927")
        note_load(engine, owner_of(engine, "condition_no", target.condition_no))


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in ("tidy", *LINES)}
