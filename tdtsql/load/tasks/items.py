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
E974   a measure with another best value (highest or lowest) than in another condition of the store
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import meant
from tdtsql.files.checks import execute, report
from tdtsql.files.find import Inputs
from tdtsql.load.items import (
    ItemColumns,
    Samples,
    formats_of,
    is_zip,
    make_items,
    read_list,
    read_samples,
    report_format,
)
from tdtsql.load.plan import ConditionSpec, RunSpec, Source, StoredCondition, files_of_runs
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
    said = {"id": spec["id"], "measures": [*lower, spec.get("measure")], "lower": lower}
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
        report_format(inputs, given, source, found, TASKS[target.task].formats)
        return nothing
    samples = read_samples(engine, inputs, files, format_, _item_columns(target, inputs.options), TASK)
    if not engine.value("select count(*) from items_row"):
        if not inputs.has_errors:
            said = "no sample of the file has a score, so no run is in it"
            inputs.add("E837", given, said, "Did its evaluation fail? A log says so, and its samples have an error.")
        return nothing
    return _Runs(target, inputs, samples, run_id).spec()


@dataclass(slots=True)
class _Runs:
    """The samples of runs, which extend the items of their condition."""

    target: StoredCondition
    inputs: Inputs
    samples: Samples
    run_id: str | None
    names: Sequence[str] = ()  #: of the runs, which replace stored ones

    @property
    def engine(self) -> Engine:
        return self.target.engine

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of all files of ``sql/load/items``."""
        policies = self.target.policies
        lower = _lines(policies.get("lower_is_better"))
        return {
            "condition": self.target.condition_no,
            "id": self.target.condition_id,
            "lower": lower,
            "ranked_by": policies.get("ranked_by") or None,
            "needs_score": policies.get("error_item") == "missing",
            "missing_item": policies.get("missing_item"),
            "made_of": MADE_OF.pattern,
            "most": MOST_VALUES,
            "is_listed": 0,
            "called": self.run_id,
            "runs": self.names,
        }

    def check(self, *names: str, **parameters: object) -> list:
        """Report the rows that break checks of ``sql/load/items``; return their values."""
        checks, own = [f"{TASK}/{name}" for name in names], {**self.parameters, **parameters}
        found = report(self.inputs, self.samples.paths, self.engine, checks, own, self.samples.unit)
        return [one.value for one in found]

    def make(self, table: str, **parameters: object) -> None:
        """Make a temporary table by the file of its name."""
        execute(self.engine, f"{TASK}/{table}", {**self.parameters, **parameters}, table)

    def spec(self) -> RunSpec:
        """Check the samples, store items, attributes and measures that are new, and return the runs."""
        engine, inputs, samples = self.engine, self.inputs, self.samples
        inputs.tables += ["items_numbered", "items_once", "items_value", "items_known", samples.rows.table]
        if means := self.check("W968"):
            engine.execute(f"delete from {samples.rows.table} where list_contains($1, item_id)", [means])
        self.check("W971")
        spec = RunSpec(
            steps=[],
            inputs=inputs,
            paths=samples.paths,
            runs=files_of_runs(engine, samples.paths, "items_row"),
            rows="items_row",
        )
        self.names = [self.run_id or "" if name is None else name for name in spec.runs]
        self._check_items()
        make_items(engine, samples.attributes)
        self._check_attributes()
        if not inputs.has_errors:
            self._extend()
        is_numbered = self.target.policies.get("repeated_item") == "epoch"
        # where there are errors, items and measures may have no numbers
        if inputs.has_errors or is_numbered and samples.has_epochs and self.check("E971"):
            if not is_numbered:
                self.check("E962")
            return replace(spec, runs={})
        self.make("items_run")
        self.make("items_numbered", is_numbered=is_numbered)
        if not is_numbered and execute(engine, f"{TASK}/repeated", {}):
            self.check("E962")
        self.make("items_missing")
        self.check("W961", "W960")
        return replace(spec, steps=[f"{TASK}/run"])

    def _check_items(self) -> None:
        """Report items that the file of items does not have, and items with different content in two runs."""
        engine, own = self.engine, {"condition": self.target.condition_no}
        if engine.value("select count(*) from base.item where condition_no = $condition and is_listed = 1", own):
            is_ignored = self.target.policies.get("unknown_item") == "ignore"
            if self.check("E870-items", is_ignored=is_ignored):
                return
            if self.check("W962" if is_ignored else "E961") and is_ignored:
                known = "select block_id from base.block where condition_no = $condition"
                engine.execute(f"delete from {self.samples.rows.table} where item_id not in ({known})", own)
        else:
            self.check("W975")
        self.check("E967", "W972")

    def _check_attributes(self) -> None:
        """Report attributes with contradictory values, in the rows or in the store, and unknown names."""
        engine, policies, attributes = self.engine, self.target.policies, self.samples.attributes
        own = {"condition": self.target.condition_no}
        stored = engine.column(
            "select distinct attribute from base.item_attribute where condition_no = $condition", own
        )
        keys = {"attributes": "attributes"}
        # a column without values is not stored: the file of items, or the first run, was checked by its columns
        if not engine.rows("select 1 from base.item where condition_no = $condition limit 1", own):
            keys = {"group": "group_by", "cluster": "cluster_by", "subsets": "subsets", **keys}
        for key, column in keys.items():
            names, known = _lines(policies.get(column)), sorted({*stored, *attributes})
            if key == "attributes":  # a path of a log is called by its end, a column of a table as it is
                names = [name if name in known else name.rpartition(".")[2] for name in names]
            _check_names(self.inputs, f"condition '{self.target.condition_id}'", key, [*dict.fromkeys(names)], known)
        self.make("items_known")
        self.check("E963")

    def _extend(self) -> None:
        """Store the items, attributes and measures that the condition does not have yet."""
        engine, condition_no = self.engine, self.target.condition_no
        self.make("items_measure")
        measures = engine.column("select measure from items_measure where is_new order by 1")
        where = f"condition '{self.target.condition_id}'"
        report(self.inputs, [where], engine, f"{TASK}/E974", {**self.parameters, "measures": measures})
        self.check("E870", "E970", "W965")
        n_new = sum(execute(engine, f"{TASK}/{name}", self.parameters) for name in ("measures", "add", "values"))
        execute(engine, f"{TASK}/content", self.parameters)
        if n_new:
            place_items(engine, TASK, condition_no)
            self.check("W964", "W927")
            note_load(engine, owner_of(engine, "condition_no", condition_no))


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in TASKS[TASK].formats}
