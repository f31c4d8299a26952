"""Scores of items: the items of a condition, then the samples of its runs (`tdtsql.load.items`).

Items and measures are numbered once, by name. Runs add those that no file of items lists, and update the condition.

Code   Meaning
W960   items without a score
E961   an item that the file of items does not have
W961   samples without a score
E962   a duplicate sample
W962   items that the file of items does not have, left out
E963   two values of an attribute for one item
E964   an unknown name in group, cluster, weight or attributes; too many attributes
W964   an attribute with too many values for subsets
E965   a weight that is not valid
W965   several measures, and none is selected for ranking
E966   items without a score, under missing_item = error
E967   an item for which two runs have different content
W968   an item that is the mean of the others, left out
W972   an item that two runs were asked with different prompts
W971   an item whose id is in scientific notation
E973   a file of items with a duplicate item, or without items
E974   a measure with another best value (highest or lowest) than in another condition of the store
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import counted, meant, verb
from tdtsql.files.checks import findings
from tdtsql.files.find import Inputs
from tdtsql.load.decisions import LinesOfRun
from tdtsql.load.items import ItemColumns, Samples, formats_of, is_zip, read_list, read_samples, report_format
from tdtsql.load.plan import ConditionSpec, PendingRun, Source, StoredCondition
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.store.derived import MOST_VALUES, place_items, reload_owner
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import RunFormat

TASK = "items"
#: items without a score that a message names
_NAMED_MISSING = 5


def _lines(text: str | None) -> list[str]:
    """Return the names that a column of registry.condition holds, one per line."""
    return [line for line in (text or "").split("\n") if line]


# ---- conditions


@dataclass(slots=True)
class ItemPlan:
    """The items of a condition, as a file lists them, in a temporary table; its runs define them if there is none."""

    spec: Mapping[str, object]
    table: str | None = None  #: item_id, weight, and a column for each attribute
    attributes: dict[str, str] = field(default_factory=dict)  #: attribute -> column
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """How runs are read."""
        return [f"{key} {self.spec[key]}" for key in sorted(TASKS[str(self.spec["task"])].keys) if key in self.spec]

    def discard(self, engine: Engine) -> None:
        pass

    def write(self, engine: Engine, condition_no: int) -> None:
        """Store the items with their attributes, and the subsets of these."""
        k = sorted(set(self.spec.get("k", ())))  # type: ignore[call-overload]
        engine.insert("base.item_k", {"condition_no": condition_no, "k": k})
        engine.execute(
            f"insert into base.subset (condition_no, subset_no, subset, kind) values ({condition_no}, 0, 'all', 'all')"
        )
        if self.table is None:
            return
        _add_items(engine, condition_no, f"(select item_id, weight, '' as content from {self.table})", is_listed=True)
        for name, column in self.attributes.items():
            source = f"(select item_id, {column} as value from {self.table})"
            _add_attribute(engine, condition_no, name, source, is_listed=True)
        place_items(engine, TASK, condition_no)


def _names_of(spec: Mapping[str, object], key: str) -> list[str]:
    value = spec.get(key, [])
    return [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the file of items of a condition."""
    spec, inputs = condition.spec, condition.inputs
    where, plan = f"condition '{spec['id']}'", ItemPlan(spec)
    files = inputs.resolve(spec["items"], "items") if "items" in spec else []
    if files:
        plan.table, plan.attributes = read_list(engine, inputs, files, spec.get("weight"))
        if not inputs.has_errors:
            of_runs = [name.rpartition(".")[2] for name in _names_of(spec, "attributes")]
            for key in ("group", "cluster", "subsets"):
                advice = f"Correct {key}, or name it in attributes if it is a column of the runs' files."
                _check_names(inputs, where, key, _names_of(spec, key), [*plan.attributes, *of_runs], advice)
    if "weight" in spec and "items" not in spec:
        inputs.add("E964", where, "weight requires a file of items", 'Add items = "..."', value=spec["weight"])
    for number in spec.get("k", ()):
        if not isinstance(number, int) or number < 1:
            inputs.add("E704", where, "k is not an integer of at least 1", "Correct k.", value=number)
    lower = set(spec.get("lower_is_better", ()))
    for measure, is_lower, other in engine.rows(
        "select measure, is_lower_better, condition_id from base.item_measure join registry.condition using "
        "(condition_no) "
        "where condition_id <> ? order by all",
        [spec["id"]],
    ):
        if (measure in lower) != bool(is_lower) and (measure in lower or measure == spec.get("measure")):
            _say_other_end(inputs, where, measure, other)
    return plan


def _say_other_end(inputs: Inputs, where: str, measure: str, other: str) -> None:
    inputs.add(
        "E974",
        where,
        f"lower_is_better: the measure is better at the other end in condition '{other}' of the store",
        "Say the same in both, or rename the measure.",
        value=measure,
    )


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


# ---- items, attributes and measures, as numbers


def _add_items(engine: Engine, condition_no: int, source: str, *, is_listed: bool) -> int:
    """Store the items of a relation (item_id, weight, content) that the condition does not have; returns how many."""
    engine.execute(f"""
        create or replace temp table items_added as
        select item_id, any_value(weight) as weight, nullif(min(content), '') as content,
            cast(row_number() over (order by item_id) + coalesce((
                select max(block_no) from base.block where condition_no = {condition_no}), 0) as integer) as block_no
        from (select item_id, weight, content from {source}) as said
        where item_id not in (select block_id from base.block where condition_no = {condition_no})
        group by item_id""")
    engine.execute(f"""
        insert into base.block (condition_no, block_no, block_id, is_scored)
        select {condition_no}, block_no, item_id, 1 from items_added order by block_no""")
    engine.execute(f"""
        insert into base.item (condition_no, block_no, is_listed, weight, content)
        select {condition_no}, block_no, {int(is_listed)}, weight, content from items_added order by block_no""")
    return engine.value("select count(*) from items_added")


def _add_attribute(engine: Engine, condition_no: int, name: str, source: str, *, is_listed: bool) -> None:
    """Store an attribute of items, from a relation (item_id, value), instead of what runs gave of these items."""
    own = f"condition_no = {condition_no} and attribute = {sql_literal(name)}"
    engine.execute(f"""
        create or replace temp table items_attribute as
        select block_no, min(value) as value
        from {source} join base.block on block_id = item_id and condition_no = {condition_no}
        where value <> '' and block_no not in (
            select block_no from base.item_attribute where {own} and is_listed = 1)
        group by block_no""")
    engine.execute(
        f"delete from base.item_attribute where {own} and block_no in (select block_no from items_attribute)"
    )
    engine.execute(f"""
        insert into base.item_attribute
        select {condition_no}, block_no, {sql_literal(name)}, value, {int(is_listed)} from items_attribute
        order by block_no""")


def _wide_attributes(engine: Engine, condition_no: int) -> list[tuple[str, int]]:
    """Return the attributes of a condition that have too many values for subsets, and the number of their values; none
    where the condition names those that make subsets.
    """
    return engine.rows(
        "select attribute, count(distinct value) from base.item_attribute join registry.condition using (condition_no) "
        f"where condition_no = {condition_no} and subsets is null and "
        "not list_contains(string_split(cluster_by, chr(10)), attribute) "
        f"group by 1 having count(distinct value) > {MOST_VALUES} order by 1"
    )


# ---- the rows of runs


def recognised(files: Sequence[Source]) -> str | None:
    """Return the format of run files by the first of them; None if it matches no format, or two."""
    found = formats_of(files)
    return found[0] if len(found) == 1 else None


def _item_columns(target: StoredCondition, options: Mapping[str, object]) -> ItemColumns:
    scores = options.get("score", ())
    attributes = target.policies.get("attributes") or ""
    named = [*_lines(attributes), *_lines(target.policies.get("group_by")), *_lines(target.policies.get("cluster_by"))]
    return ItemColumns(
        str(options.get("item", "item_id")),
        str(options.get("epoch", "epoch")),
        (scores,) if isinstance(scores, str) else tuple(scores),  # type: ignore[arg-type]
        tuple(dict.fromkeys(named)) if attributes else None,
    )


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the runs of files in one format."""
    engine = target.engine
    given, source = files[0]
    is_log = isinstance(source, Path) and is_zip(source)
    found = [] if is_log else formats_of(files)
    if not isinstance(source, Path):
        format_ = found[0]
    elif is_log or format_ == "tidy" and len(found) != 1 and "format" not in inputs.options:
        # what is recognised as nothing comes as the first format of the task
        report_format(inputs, given, source, found, TASKS[target.task].formats)
        return
    samples = read_samples(engine, inputs, files, format_, _item_columns(target, inputs.options), TASK)
    if engine.value("select count(*) from items_row"):
        yield from _runs_of(target, inputs, samples, run_id)
    for table in ("items_row", "items_numbered", "items_once", samples.rows.table):
        engine.execute(f"drop table if exists {table}")


@dataclass(frozen=True, slots=True)
class _Report:
    """Where the problems of samples go."""

    target: StoredCondition
    inputs: Inputs
    samples: Samples

    def check(self, name: str, **parameters: object) -> list:
        """Report the rows that break a check of ``sql/load/items``; return their values."""
        known = {"condition_no": self.target.condition_no, **parameters}
        found = findings(self.target.engine, f"items/{name}", known, self.samples.unit)
        for one in found:
            path = self.samples.paths[one.file]
            self.inputs.add(one.code, path, one.message, one.advice, one.line, one.value)
        return [one.value for one in found]


def _runs_of(target: StoredCondition, inputs: Inputs, samples: Samples, run_id: str | None) -> Iterator[PendingRun]:
    engine, condition_no, report = target.engine, target.condition_no, _Report(target, inputs, samples)
    is_numbered = target.policies.get("repeated_item") == "epoch"
    if means := report.check("W968"):
        engine.execute("delete from items_row where list_contains($1, item_id)", [means])
    report.check("W971")
    names = engine.column("select run_id from items_row group by run_id order by min((file, line))")
    own = [run_id if name is None else name for name in names]
    _check_items(report, own)
    both = "".join(
        f", min({column}) as {column}, max({column}) as {column}_high" for column in samples.attributes.values()
    )
    engine.execute(
        "create or replace temp table items_once as select item_id, cast(null as double) as weight, "
        f"min(content) as content{both} from items_row group by item_id"
    )
    _check_attributes(report, own)
    if not inputs.has_errors:
        _extend(target, inputs, samples)
    if inputs.has_errors:  # items and measures may have no numbers
        if not is_numbered:
            report.check("E962")
        return
    engine.insert_temporary("items_run", {"run_place": list(range(len(names))), "run_id": names})
    epoch = "epoch"
    if is_numbered:
        if samples.has_epochs:
            inputs.add(
                "E971",
                samples.paths[0],
                'repeated_item = "epoch" numbers the rows of an item, and the file has epochs',
                "Leave repeated_item out.",
                engine.value("select min(line) from items_row"),
            )
            return
        epoch = "row_number() over (partition by run_place, measure_no, block_no order by file, line)"
    engine.execute(f"""
        create or replace temp table items_numbered as
        select file, line, run_place, measure_no, block_no, cast({epoch} as integer) as epoch, score, is_error
        from items_row as said
        join items_run on items_run.run_id is not distinct from said.run_id
        join (select measure_no, measure from base.item_measure where condition_no = {condition_no}) using (measure)
        join (select block_no, block_id as item_id from base.block where condition_no = {condition_no}) using (item_id)
        order by run_place, measure_no, block_no, epoch""")
    if (
        engine.value("""
        select 1 from (
            select *, lag(run_place) over () as run_before, lag(measure_no) over () as measure_before,
                lag(block_no) over () as block_before, lag(epoch) over () as epoch_before
            from items_numbered)
        where run_place = run_before and measure_no = measure_before and block_no = block_before
            and epoch = epoch_before limit 1""")
    ):  # rows are in this order, and a group for each takes ten times as long
        report.check("E962")
    is_scored = "score is not null"
    if target.policies.get("error_item") == "missing":
        is_scored += " and is_error = 0"
    counts = {
        place: numbers
        for place, *numbers in engine.rows(
            f"select run_place, count(*), count(*) filter (not ({is_scored})), min((file, line)), "
            f"min((file, line)) filter (not ({is_scored})) from items_numbered group by run_place"
        )
    }
    missing = _missing(target, is_scored)
    files_of = dict(engine.rows("select run_id, list_sort(list(distinct file)) from items_row group by run_id"))
    run_nos: dict[int, int] = {}
    for number, name in enumerate(names):
        write = partial(_write_run, report, own[number], counts[number], missing.get(number), run_nos, number)
        loaded = PendingRun(name, write)
        if name is not None:
            loaded.files = [samples.paths[file] for file in files_of[name]]
            loaded.of_lines = None if len(samples.paths) == 1 else LinesOfRun(engine, samples.paths, name, "items_row")
        yield loaded
    listed = {"listed": [run_nos.get(number) for number in range(len(names))]}
    engine.execute(
        "insert into base.item_score select $listed[run_place + 1], measure_no, block_no, epoch, score, is_error "
        "from items_numbered where $listed[run_place + 1] is not null",
        listed,
    )
    for name, column in {**samples.attributes, "": "content"}.items():
        if engine.value(f"select count({column}) from items_row"):
            engine.execute(
                f"""insert into base.run_attribute
                select $listed[run_place + 1], {sql_literal(name)}, unnest(
                    case when count(*) = count({column}) then [0]
                    else list_sort(list_distinct(list(block_no) filter ({column} is not null))) end)
                from items_row as said
                join items_run on items_run.run_id is not distinct from said.run_id
                join (select block_no, block_id as item_id from base.block where condition_no = {condition_no})
                    using (item_id)
                where $listed[run_place + 1] is not null group by run_place having count({column}) > 0""",
                listed,
            )

    if engine.value("select count(prompt) from items_row"):
        engine.execute(
            f"""insert into base.item_prompt select $listed[run_place + 1], block_no, min(prompt)
            from items_row as said
            join items_run on items_run.run_id is not distinct from said.run_id
            join (select block_no, block_id as item_id from base.block where condition_no = {condition_no})
                using (item_id)
            where $listed[run_place + 1] is not null and prompt is not null
            group by run_place, block_no order by run_place, block_no""",
            listed,
        )


def _write_run(
    report: _Report,
    name: str | None,
    counts: Sequence,
    missing: Sequence[tuple[str, int]] | None,
    run_nos: dict[int, int],
    number: int,
    run_no: int,
) -> int:
    """Keep the number of a run, for the statement that stores all, and report what it lacks; returns how many samples
    it has.
    """
    run_nos[number] = run_no
    _warn(report, name, counts, missing)
    return counts[0]


def _check_items(report: _Report, runs: Sequence[str | None]) -> None:
    """Report items that the file of items does not have, and items with different content in two runs."""
    target, inputs = report.target, report.inputs
    engine, condition_no = target.engine, target.condition_no
    if engine.value(f"select count(*) from base.item where condition_no = {condition_no} and is_listed = 1"):
        known = f"item_id in (select block_id from base.block where condition_no = {condition_no})"
        n_known, n_item = engine.rows(
            f"select count(distinct item_id) filter ({known}), count(distinct item_id) from items_row"
        )[0]
        if n_known < n_item and target.policies.get("unknown_item") == "ignore":
            report.check("W962")
            engine.execute(f"delete from items_row where not {known}")
        elif not n_known:
            file, line, item = engine.rows("select file, line, item_id from items_row order by all limit 1")[0]
            example = engine.value(f"select min(block_id) from base.block where condition_no = {condition_no}")
            path = report.samples.paths[file]
            inputs.say_disjoint(path, n_item, "items of the run", "those of the file of items", item, example, line)
            return
        elif n_known < n_item:
            report.check("E961")
    if engine.value("select count(content) from items_row"):
        report.check("E967", runs=[name or "" for name in runs])
    if engine.value("select count(prompt) from items_row"):
        report.check("W972", runs=[name or "" for name in runs])


def _given_by_others(condition_no: int, attribute: str, runs: Sequence[str | None]) -> str:
    """Return SQL of the items of which stored runs other than some give an attribute; '': the hash of the text."""
    own = ", ".join(sql_literal(name or "") for name in runs)
    return f"""
        select score.block_no from base.item_score as score join registry.run using (run_no)
        join base.run_attribute as given using (run_no)
        where condition_no = {condition_no} and run_id not in ({own}) and attribute = {sql_literal(attribute)}
            and given.block_no in (0, score.block_no)"""


def _check_attributes(report: _Report, runs: Sequence[str | None]) -> None:
    """Report attributes with contradictory values, in the rows (of the runs ``runs``) or in the store, and unknown
    names.
    """
    target, inputs, samples = report.target, report.inputs, report.samples
    engine, condition_no, policies = target.engine, target.condition_no, target.policies
    stored = engine.column(
        f"select distinct attribute from base.item_attribute where condition_no = {condition_no} order by 1"
    )
    known = sorted({*stored, *samples.attributes})
    where = f"condition '{target.condition_id}'"
    keys = {"attributes": "attributes"}
    # a column without values is not stored: the file of items, or the first run, was checked by its columns
    if not engine.rows(f"select 1 from base.item where condition_no = {condition_no} limit 1"):
        keys = {"group": "group_by", "cluster": "cluster_by", "subsets": "subsets", **keys}
    for key, column in keys.items():
        names = [name.rpartition(".")[2] if key == "attributes" else name for name in _lines(policies.get(column))]
        _check_names(inputs, where, key, [*dict.fromkeys(names)], known)
    # earlier values of a replaced or dropped run do not contradict its items
    odd = []
    for name, column in samples.attributes.items():
        stored_values = f"""
            (select block_id as item_id, value from base.item_attribute join base.block using (condition_no, block_no)
            where condition_no = {condition_no} and attribute = {sql_literal(name)} and (
                is_listed = 1 or block_no in ({_given_by_others(condition_no, name, runs)})))"""
        if engine.value(
            f"select count(*) from items_once left join {stored_values} as stored using (item_id) "
            f"where {column} <> {column}_high or {column} <> value"
        ):
            odd.append(f"""
                select file, line, item_id, {sql_literal(name)} as attribute, {column} as value, stored.value as known
                from items_row left join {stored_values} as stored using (item_id) where {column} is not null""")
    if odd:
        engine.execute(f"create or replace temp table items_attribute_value as {' union all '.join(odd)}")
        report.check("E963")


def _extend(target: StoredCondition, inputs: Inputs, samples: Samples) -> None:
    """Store the items, attributes and measures that the condition does not have yet."""
    engine, condition_no, policies = target.engine, target.condition_no, target.policies
    lower = set(_lines(policies.get("lower_is_better")))
    there = dict(
        engine.rows("select measure, measure_no from base.item_measure where condition_no = ?", [condition_no])
    )
    named = [name for [name] in engine.rows("select distinct measure from items_row order by 1")]
    new = [name for name in named if name not in there]
    for measure, is_lower, other in engine.rows(
        "select distinct measure, is_lower_better, condition_id from base.item_measure join registry.condition using "
        "(condition_no) where condition_no <> ? order by all",
        [condition_no],
    ):
        if measure in new and bool(is_lower) != (measure in lower):
            _say_other_end(inputs, f"condition '{target.condition_id}'", measure, other)
    measures = sorted({*there, *new})
    ranked_by = policies.get("ranked_by")
    if ranked_by and named and ranked_by not in named:
        inputs.add(
            "E870",
            samples.paths[0],
            f"no row has the measure by which the condition ranks runs, '{ranked_by}'; the files have "
            f"{', '.join(named[:10])}",
            "Correct measure of the condition, or the name of the measure in the file.",
            value=named[0],
        )
    for name in measures:
        of_task = TASKS[target.task]
        made = [other for other in measures if other.startswith(f"{name}.") and of_task.is_made_of(other, name)]
        for other in made:
            inputs.add(
                "E970",
                samples.paths[0],
                f"the measures '{name}' and '{other}' make the same id",
                "Rename one of them.",
                1,
                other,
            )
    if new:
        numbers = [max(there.values(), default=0) + 1 + place for place in range(len(new))]
        engine.insert(
            "base.item_measure",
            {
                "condition_no": condition_no,
                "measure_no": numbers,
                "measure": new,
                "is_lower_better": [int(name in lower) for name in new],
                "is_primary": 0,
            },
        )
        primary = ranked_by or min(measures, key=lambda name: name.encode())
        if not ranked_by and len(measures) > 1:
            inputs.add(
                "W965",
                samples.paths[0],
                f"there are {len(measures)} measures, and runs are ranked by the first: {primary}",
                f'Name one: measure = "{primary}" of the condition.',
            )
        engine.execute(
            f"update base.item_measure set is_primary = case when measure = {sql_literal(primary)} then 1 else 0 end "
            f"where condition_no = {condition_no}"
        )
    n_new = _add_items(engine, condition_no, "items_once", is_listed=False)
    engine.execute(f"""
        update base.item set content = said.content
        from (
            select block_no, content
            from items_once join base.block on block_id = item_id and condition_no = {condition_no}
            where content is not null) as said
        where base.item.condition_no = {condition_no} and base.item.block_no = said.block_no
            and base.item.content is distinct from said.content""")
    attributes = (
        f"select attribute, count(*), bit_xor(hash(block_no, value)) from base.item_attribute where condition_no "
        f"= {condition_no} group by 1 order by 1"
    )
    before = engine.rows(attributes)
    for name, column in samples.attributes.items():
        source = f"(select item_id, {column} as value from items_once)"
        _add_attribute(engine, condition_no, name, source, is_listed=False)
    if not (new or n_new or before != engine.rows(attributes)):
        return
    place_items(engine, TASK, condition_no)
    for name, n_value in _wide_attributes(engine, condition_no):
        inputs.add(
            "W964",
            samples.paths[0],
            f"attribute {name} has {n_value} values, and more than {MOST_VALUES} make no subsets",
            "Name the attributes that make subsets: subsets = [...] of the condition.",
            value=name,
        )
    reload_owner(engine, "condition_no", condition_no)


def _missing(target: StoredCondition, is_scored: str) -> dict[int, list[tuple[str, int]]]:
    """Return run place -> (item, number of all of them) of the first items that a run has no score for, where the
    condition asks for them: it has a file of items, or missing items are errors.

    Args:
        is_scored: SQL of whether a sample has a score.
    """
    engine, condition_no = target.engine, target.condition_no
    is_listed = engine.value(f"select count(*) from base.item where condition_no = {condition_no} and is_listed = 1")
    if is_listed:
        asked = f"""
            select run_place, measure_no, block_no from (select distinct run_place, measure_no from items_numbered)
            cross join (select block_no from base.item where condition_no = {condition_no})"""
    elif target.policies.get("missing_item") == "error":
        asked = f"""
            select run_place, measure_no, block_no from (select distinct run_place from items_numbered)
            cross join (
                select measure_no, block_no from base.item_of_measure where condition_no = {condition_no}
                union select measure_no, block_no from items_numbered)"""
    else:
        return {}
    found: dict[int, list[tuple[str, int]]] = {}
    for place, item, n_item in engine.rows(f"""
        select run_place, block_id, count(*) over (partition by run_place)
        from ({asked}) as asked
        anti join (select run_place, measure_no, block_no from items_numbered where {is_scored}) as had
            using (run_place, measure_no, block_no)
        join (select block_no, block_id from base.block where condition_no = {condition_no}) using (block_no)
        join (select measure_no, measure from base.item_measure where condition_no = {condition_no})
            using (measure_no)
        qualify row_number() over (partition by run_place order by measure, block_id) <= {_NAMED_MISSING}
        order by run_place, measure, block_id"""):
        found.setdefault(place, []).append((item, n_item))
    return found


def _warn(report: _Report, name: str | None, counts: Sequence, missing: Sequence[tuple[str, int]] | None) -> None:
    """Report the samples of a run without a score, and the items that it has no score for.

    Args:
        counts: number of its samples and of those without a score, file and line of the first sample and of the first
            without a score.
        missing: as in `_missing`.
    """
    n_row, n_unscored, first, first_unscored = counts
    inputs, paths = report.inputs, report.samples.paths
    label = f"the run '{name}'" if name else "the run"
    if n_unscored:
        file, line = first_unscored
        inputs.add(
            "W961",
            paths[file],
            f"{n_unscored:,} of {counted(n_row, 'sample')} of {label} {verb(n_unscored, 'have')} no score and "
            f"{verb(n_unscored, 'are')} in no mean",
            "Check the number.",
            line,
            run=name,
        )
    if missing:
        is_error = report.target.policies.get("missing_item") == "error"
        listed = ", ".join(f"'{item}'" for item, _ in missing) + (", ..." if missing[0][1] > len(missing) else "")
        inputs.add(
            "E966" if is_error else "W960",
            paths[first[0]],
            f"{label} has no score for {counted(missing[0][1], 'item')}: {listed}",
            'Complete the run, or missing_item = "drop" of the condition.'
            if is_error
            else "They are in no mean but that over all items.",
            run=name,
        )


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in TASKS[TASK].formats}
