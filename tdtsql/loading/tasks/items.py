"""Scores of items: the items of a condition, then the samples of its runs.

Rows stay in the engine from the file to the tables where a table is well-formed (CSV, TSV, Parquet, a frame). Any
other file is read line by line by `tdtsql.reader.item_scores`, which reports malformed values and their lines. Items
and measures are numbered once, by name. Runs add those that no file of items lists, and update the condition.

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
E973   a file of items with a duplicate item, or without items
E974   a measure with another best value (highest or lowest) than in another condition of the store
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any


from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, sql_literal
from tdtsql.errors import Problems, counted, meant, verb
from tdtsql.intake.clean_table import WHOLE, clean_table, tried
from tdtsql.files.frame import Frame, read_by_engine
from tdtsql.files.find import Inputs
from tdtsql.intake.file_rows import FileRows
from tdtsql.intake.tidy_input import parquet_columns, read_table
from tdtsql.loading.condition import Condition
from tdtsql.loading.corpus import Corpus
from tdtsql.load.plan import PendingRun, ConditionSpec, Source, StoredCondition, runs_of_rows
from tdtsql.definitions.origin import ITEMS
from tdtsql.reader import item_scores
from tdtsql.reader.item_scores import LARGEST, NUMBER, UNSCORED, Items, ItemColumns, Values, text_of
from tdtsql.files.text import first_lines
from tdtsql.reader.scan import Rows
from tdtsql.store.derived import MOST_VALUES, place_items, reload_owner
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import RunFormat

TASK = "items"
#: maximum problems of a code that are reported one by one
MOST_PROBLEMS = 20
#: items without a score that a message names
_NAMED_MISSING = 5
#: maximum columns that are attributes
MOST_ATTRIBUTES = 1000
#: columns of text of which each distinct value is checked, not each row; time and memory are quadratic in them
MOST_GROUPED = 16
_WHOLE = WHOLE | {"HUGEINT"}


def _lines(text: str | None) -> list[str]:
    """Return the names that a column of registry.condition holds, one per line."""
    return [line for line in (text or "").split("\n") if line]


# ---- conditions


@dataclass(slots=True)
class ItemPlan:
    """The items of a condition, as a file lists them; empty if its runs define them."""

    spec: Mapping[str, object]
    items: list[str] = field(default_factory=list)
    weights: list[float | None] = field(default_factory=list)
    attributes: dict[str, list[str | None]] = field(default_factory=dict)
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
        engine.insert_temporary(
            "items_new",
            {"item_id": self.items or [""], "weight": self.weights or [0.0], "content": [""] * max(1, len(self.items))},
        )
        _add_items(engine, condition_no, "items_new where item_id <> ''", is_listed=True)
        for name, values in self.attributes.items():
            said = [(item, value) for item, value in zip(self.items, values, strict=True) if value is not None]
            engine.insert_temporary(
                "items_said",
                {"item_id": [item for item, _ in said] or [""], "value": [value for _, value in said] or [""]},
            )
            _add_attribute(engine, condition_no, name, "items_said", is_listed=True)
        place_items(engine, TASK, condition_no)


def _names_of(spec: Mapping[str, object], key: str) -> list[str]:
    value = spec.get(key, [])
    return [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]


def read_plan(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Read the file of items of a condition."""
    spec, inputs = condition.spec, condition.inputs
    where, plan = f"condition '{spec['id']}'", ItemPlan(spec)
    for given, path in inputs.resolve(spec["items"], "items") if "items" in spec else []:
        _read_list(inputs, given, path, plan)
        if plan.items:
            of_runs = [name.rpartition(".")[2] for name in _names_of(spec, "attributes")]
            for key in ("group", "cluster"):
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


def _read_list(inputs: Inputs, given: str, path: Path, plan: ItemPlan) -> None:
    """Read a file of items: item_id, the weight, attributes."""

    def use(found: Rows | None, problems: Problems) -> None:
        rows, values = _unique(found, problems), Values(problems)
        if rows is None or not item_scores.check_table(
            rows.header, ("item_id", *_names_of(plan.spec, "weight")), problems, rows.place(-1, 0)[0]
        ):
            return
        columns, place = rows.named, rows.at
        weight: Any = plan.spec.get("weight")
        seen: dict[str, int] = {}
        names = [name for name in columns if name not in ("item_id", weight)]
        plan.attributes = {name: [] for name in names}
        for row, value in enumerate(columns["item_id"]):
            line, column = place(row, "item_id")
            item = values.name(value, "item", line, column)
            if item is None:
                continue
            if item in seen:
                problems.add(
                    "E973",
                    f"the item is already in row {seen[item]}, expected once",
                    "Keep one of the two.",
                    line,
                    column,
                    item,
                )
                continue
            seen[item] = line or row + 1
            number = None
            if weight is not None:
                given_weight = columns[weight][row]
                number = values.score(given_weight, None) if not isinstance(given_weight, bool) else None
                if number is None or number < 0:
                    problems.add(
                        "E965",
                        "no weight, expected a number of 0 or more",
                        "Give every item a weight.",
                        line,
                        place(row, weight)[1],
                        given_weight,
                    )
            plan.items.append(item)
            plan.weights.append(number)
            for name in names:
                plan.attributes[name].append(text_of(columns[name][row]))
        problems.found[:] = [problem for problem in problems.found if problem.code != "E960"]
        if not plan.items and not problems.errors:
            problems.add(
                "E973", "no item below the header, expected at least one", "Complete the file.", place(-1, "")[0] or 1
            )

    read_table(inputs, given, path, ITEMS, use)


def _unique(rows: Rows | None, problems: Problems) -> Rows | None:
    """Return a table of which each column occurs once; None after saying what is wrong with it."""
    if rows is None:
        if not problems.errors:
            problems.add("E318", "the file is empty, expected a header and rows", "Complete the file.", 1, 1)
        return None
    twice = next((name for name, n_column in Counter(rows.header).items() if n_column > 1), None)
    if twice is not None:
        problems.add("E303", "duplicate column", "Rename one of them.", rows.place(-1, 0)[0], 1, twice)
    return rows if twice is None else None


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
    """Return the attributes of a condition that have too many values for subsets, and the number of their values."""
    return engine.rows(
        f"select attribute, count(distinct value) from base.item_attribute where condition_no = {condition_no} "
        f"group by 1 having count(distinct value) > {MOST_VALUES} order by 1"
    )


# ---- the rows of runs


@dataclass(slots=True)
class _Rows(FileRows):
    """The samples of some files, in a temporary view: place, run_id, item_id, measure, epoch, score, is_error,
    content, and a column for each attribute.
    """

    attributes: dict[str, str] = field(default_factory=dict)  #: attribute -> column
    has_epochs: bool = False

    @property
    def given(self) -> str:
        """Name of the same table without the place."""
        return f"{self.table}_given"


def recognised(files: Sequence[Source]) -> str | None:
    """Return the format of run files by the first of them; None if it matches no format, or two."""
    found = _formats(files)
    return found[0] if len(found) == 1 else None


def _formats(files: Sequence[Source]) -> list[str]:
    for given, source in files[:1]:
        name = given.removesuffix(".gz")
        if not isinstance(source, Path):
            return ["inspect" if item_scores.is_sample_table(list(source.types())) else "tidy"]
        if name.endswith(".parquet"):
            columns = parquet_columns(source, Problems(given), names_only=True) or {}
            return ["inspect" if item_scores.is_sample_table(list(columns)) else "tidy"]
        return item_scores.recognised(name, first_lines(source, 1))[0]
    return ["tidy"]


def _item_columns(target: StoredCondition, options: Mapping[str, object]) -> ItemColumns:
    scores = options.get("score", ())
    return ItemColumns(
        str(options.get("item", "item_id")),
        str(options.get("epoch", "epoch")),
        (scores,) if isinstance(scores, str) else tuple(scores),  # type: ignore[arg-type]
        tuple(_lines(target.policies.get("attributes"))),
    )


def _read_rows(
    engine: Engine, inputs: Inputs, files: Sequence[Source], format_: str, chosen_columns: ItemColumns
) -> _Rows:
    """Return the samples of files; every problem goes to ``inputs``."""
    rows = _Rows(engine.unused_name("items_row"))
    parts: list[tuple[str, str | Items, Sequence[int]]] = []
    for given, source in files:
        name = given.removesuffix(".gz")
        is_table = not isinstance(source, Path) or name.endswith((".csv", ".tsv", ".tab", ".parquet"))
        is_inspect = format_ == "inspect"
        if not is_table and format_ in ("tidy", "frame"):
            is_table = True
        if is_table:
            clean = _clean(engine, inputs, given, source, chosen_columns, is_inspect, rows)
            if clean is not None:
                if isinstance(source, Path):
                    inputs.note(given, source, TASK)
                parts.append((given, *clean))
                continue
            found = _read_table(inputs, given, source, chosen_columns, is_inspect)
        else:
            reader = partial(item_scores.read_item_lines, format_=format_, chosen_columns=chosen_columns, name=name)
            found = inputs.read(given, source, TASK, reader)
        rows.has_epochs |= found.has_epochs
        parts.append((given, found, found.lines))
    for _, part, _ in parts:
        for name in part.attributes if isinstance(part, Items) else ():
            rows.attributes.setdefault(name, f"a{len(rows.attributes)}")
    if len(rows.attributes) > MOST_ATTRIBUTES:
        inputs.add(
            "E964",
            files[0][0],
            f"{len(rows.attributes):,} columns would be attributes of items, expected at most {MOST_ATTRIBUTES:,}",
            "Name those that are meant in the bundle: attributes = [...] of the condition.",
            1,
        )
        return rows
    columns = "".join(f", {column} varchar" for column in rows.attributes.values())
    # rows are numbered as they were inserted (row_number() takes one thread), in a transaction from a large number
    engine.execute(
        f"create or replace temp table {rows.given} (run_id varchar, item_id varchar, measure varchar, "
        f"epoch integer, score double, is_error integer, content varchar{columns}); "
        f"create or replace temp view {rows.table} as select rowid - (select min(rowid) from {rows.given}) "
        f"as place, * from {rows.given}"
    )
    for given, part, lines in parts:
        select = part if isinstance(part, str) else _items_select(engine, part, rows) if part.lines else None
        n_row = 0
        if select is not None:
            with read_by_engine():
                n_row = engine.value(f"insert into {rows.given} by name {select}")
        rows.add(given, lines, n_row)
    return rows


def _items_select(engine: Engine, part: Items, rows: _Rows) -> str:
    columns: dict[str, Sequence] = {
        **part.columns,
        "score": [None if score is None else repr(score) for score in part.columns["score"]],
        **{rows.attributes[name]: values for name, values in part.attributes.items()},
    }
    engine.insert_temporary("items_part", columns)
    return "select * replace (cast(score as double) as score) from items_part"


def _read_table(
    inputs: Inputs, given: str, source: Path | Frame, chosen_columns: ItemColumns, is_inspect: bool
) -> Items:
    def use(found: Rows | None, problems: Problems) -> Items:
        rows = _unique(found, problems)
        return Items() if rows is None else item_scores.items_of_table(rows, chosen_columns, problems, is_inspect)

    return read_table(inputs, given, source, TASK, use)


def _clean(
    engine: Engine,
    inputs: Inputs,
    given: str,
    source: Path | Frame,
    chosen_columns: ItemColumns,
    is_inspect: bool,
    rows: _Rows,
) -> tuple[str, range] | None:
    """Return a SELECT of the rows of a well-formed table and their lines; None: use the fallback reader."""
    table = None if is_inspect else clean_table(engine, inputs, given, source, f"tidy {TASK}")
    if table is None or not item_scores.check_table(
        list(table.types), item_scores.needed(chosen_columns, is_inspect), Problems(given), None
    ):
        return None
    roles, scores, attributes = item_scores.table_roles(list(table.types), chosen_columns, is_inspect)
    ids = {"item_id": "item", "run_id": "run", "measure": "metric"}
    wanted = [(name, roles[role], _id_sql) for name, role in ids.items() if role in roles]
    wanted += [("epoch", roles["epoch"], _epoch_sql)] if "epoch" in roles else []
    wanted += [(name, column, _attribute_sql) for name, column in attributes.items()]
    wanted += [("score", column, _score_sql) for column in scores]
    odd, values = ["false"], []
    texts: dict[str, list[str]] = {}
    for _, column, sql_of in wanted:
        name = f"given.{sql_identifier(column)}"
        found = sql_of(name, table.types[column])
        if found is None:
            return None
        if table.types[column] == "VARCHAR" and (name in texts or len(texts) < MOST_GROUPED):
            texts.setdefault(name, []).append(found[0])
        else:
            odd.append(found[0])
        values.append(found[1])
    selected = {name: value for (name, *_), value in zip(wanted, values, strict=True) if name != "score"}
    made, sql, first = values[len(selected) :], table.sql, table.first_line
    # a text of the first columns is checked once, in however many rows it is
    grouped = "".join(f"{name}, grouping({name}) as g{place}, " for place, name in enumerate(texts))
    odd_texts = [f"g{place} = 0 and ({' or '.join(each)})" for place, each in enumerate(texts.values())]
    n_row, n_odd = tried(
        engine,
        f"select max(n_row), max(n_odd) + count(*) filter (where {' or '.join(odd_texts or odd[:1])}) from ("
        f"select {grouped} count(*) as n_row, count(*) filter (where {' or '.join(odd)}) as n_odd "
        f"from {sql} as given group by grouping sets ((), {', '.join(texts) or '()'})) as given",
        source,
    ) or (0, 0)
    if n_odd or not n_row or table.n_row not in (None, n_row):
        return None
    rows.has_epochs |= "epoch" in roles
    for name in attributes:
        rows.attributes.setdefault(name, f"a{len(rows.attributes)}")
    fixed = {"epoch": "1", "run_id": "cast(null as varchar)", **selected}
    fixed = {rows.attributes.get(name, name): value for name, value in fixed.items()}
    listed = ", ".join(f"{value} as {name}" for name, value in fixed.items())
    if len(scores) == 1:
        measure = "" if "metric" in roles else f"{sql_literal(scores[0])} as measure, "
        return f"select {listed}, {measure}{made[0]} as score, 0 as is_error from {sql} as given", range(
            first, first + n_row
        )
    names_sql, values_sql = ", ".join(map(sql_literal, scores)), ", ".join(made)
    select = (
        f"select {listed}, unnest([{names_sql}]) as measure, unnest([{values_sql}]) as score, 0 as is_error "
        f"from {sql} as given"
    )
    return select, _Repeated(first, len(scores), n_row)  # type: ignore[return-value]


def _id_sql(value: str, type_: str) -> tuple[str, str] | None:
    """Return SQL of what is left to the fallback reader, and of an id, from a column (its name, its type); None: its
    type is.
    """
    plain = f"{value} is not null"
    if type_ == "VARCHAR":
        plain = f"regexp_full_match({value}, '[!#-~]([ !#-~]*[!#-~])?') and length({value}) <= 200"
    is_read = type_ == "VARCHAR" or type_ in _WHOLE
    return (f"not coalesce({plain}, false)", f"cast({value} as varchar)") if is_read else None


def _epoch_sql(value: str, type_: str) -> tuple[str, str] | None:
    is_text = type_ == "VARCHAR"
    plain = f"regexp_full_match({value}, '[0-9]{{1,9}}')" if is_text else f"{value} between 0 and 2147483647"
    is_read = is_text or type_ in _WHOLE
    return (f"not coalesce({plain}, false)", f"cast({value} as integer)") if is_read else None


def _attribute_sql(value: str, type_: str) -> tuple[str, str] | None:
    if type_ == "VARCHAR":
        return f"not regexp_full_match({value}, '[ !#-~]*')", f"nullif(trim({value}), '')"
    return ("false", f"cast({value} as varchar)") if type_ in _WHOLE or type_ == "BOOLEAN" else None


def _score_sql(value: str, type_: str) -> tuple[str, str] | None:
    number = f"cast({value} as double)"
    if type_ == "VARCHAR":
        flag = f"lower({value}) in ('true', 'false')"
        none = f"{value} is null or lower(trim({value})) in ({', '.join(map(sql_literal, UNSCORED))})"
        return (
            f"not ({none}) and not {flag} and (not regexp_full_match({value}, {sql_literal(NUMBER)}) "
            f"or abs(try_{number}) > {LARGEST})",
            f"case when {none} then null when {flag} then cast(cast({value} as boolean) as double) else {number} end",
        )
    if type_ in _WHOLE or type_ in ("DOUBLE", "FLOAT") or type_.startswith("DECIMAL"):
        return f"not isnan({number}) and abs({number}) > {LARGEST}", f"case when not isnan({number}) then {number} end"
    return ("false", number) if type_ == "BOOLEAN" else None


class _Repeated(Sequence):
    """Lines of rows of which each gives several samples."""

    def __init__(self, first: int, times: int, n_row: int):
        self.first, self.times, self.n_row = first, times, n_row

    def __getitem__(self, place):
        return self.first + place // self.times

    def __len__(self) -> int:
        return self.n_row * self.times


def _read_runs(
    format_: str, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> Iterator[PendingRun]:
    """Yield the runs of files in one format."""
    engine = target.engine
    if not isinstance(files[0][1], Path):
        format_ = recognised(files) or "tidy"
    elif (
        format_ == "tidy"
        and isinstance(files[0][1], Path)
        and not files[0][0].removesuffix(".gz").endswith((".csv", ".tsv", ".tab", ".parquet"))
    ):
        # what is recognised as nothing comes as the first format of the task
        found = _formats(files)
        if found != ["tidy"]:
            inputs.add(
                "E968",
                files[0][0],
                f"the file fits {' and '.join(found)}" if found else "the file is of no format that is known",
                f'Say format = "..." of the run: {", ".join(TASKS[target.task].formats)}. '
                "Tables are .csv, .tsv or .parquet.",
                1,
            )
            return
    rows = _read_rows(engine, inputs, files, format_, _item_columns(target, inputs.options))
    try:
        if rows.n_row:
            yield from _runs_of(target, inputs, rows, run_id)
    finally:
        engine.execute(f"drop view if exists {rows.table}; drop table if exists {rows.given}")
        engine.execute("drop table if exists items_numbered")


def _runs_of(target: StoredCondition, inputs: Inputs, rows: _Rows, run_id: str | None) -> Iterator[PendingRun]:
    engine, condition_no = target.engine, target.condition_no
    is_numbered = target.policies.get("repeated_item") == "epoch"
    names = [name for [name] in engine.rows(f"select run_id from {rows.table} group by run_id order by min(place)")]
    own = [run_id if name is None else name for name in names]
    _check_items(target, inputs, rows, own)
    both = "".join(
        f", min({column}) as {column}, max({column}) as {column}_high" for column in rows.attributes.values()
    )
    engine.execute(
        "create or replace temp table items_once as select item_id, cast(null as double) as weight, min(content) as "
        f"content{both} from {rows.table} group by item_id"
    )
    _check_attributes(target, inputs, rows, own)
    if not inputs.has_errors:
        _extend(target, inputs, rows)
    if inputs.has_errors:  # items and measures may have no numbers
        if not is_numbered:
            _check_repeats(engine, inputs, rows, rows.table, "run_id, measure, item_id, epoch")
        return
    engine.insert_temporary("items_run", {"run_place": list(range(len(names))), "run_id": names})
    epoch = "epoch"
    if is_numbered:
        if rows.has_epochs:
            inputs.add(
                "E971",
                rows.paths[0],
                'repeated_item = "epoch" numbers the rows of an item, and the file has epochs',
                "Leave repeated_item out.",
                rows.lines[0][0] if len(rows.lines[0]) else 1,
            )
            return
        epoch = "row_number() over (partition by run_place, measure_no, block_no order by place)"
    engine.execute(f"""
        create or replace temp table items_numbered as
        select place, run_place, measure_no, block_no, cast({epoch} as integer) as epoch, score, is_error
        from {rows.table} as said
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
        _check_repeats(engine, inputs, rows, "items_numbered", "run_place, measure_no, block_no, epoch")
    is_scored = "score is not null"
    if target.policies.get("error_item") == "missing":
        is_scored += " and is_error = 0"
    counts = {
        place: numbers
        for place, *numbers in engine.rows(
            f"select run_place, count(*), count(*) filter (not ({is_scored})), min(place), "
            f"min(place) filter (not ({is_scored})) from items_numbered group by run_place"
        )
    }
    missing = _missing(target, is_scored)
    pending = runs_of_rows(engine, f"(select place, run_id from {rows.table})", rows)
    run_nos: dict[int, int] = {}
    for number, name in enumerate(names):
        called = name if run_id is None else run_id
        warn = partial(_warn, target, inputs, rows, called, counts[number], missing.get(number))
        loaded = pending(name, partial(_write_run, run_nos, number, counts[number][0], warn))
        if len(rows.paths) == 1:
            loaded.of_lines = None
        yield loaded
    listed = [run_nos.get(number) for number in range(len(names))]
    engine.execute(
        "insert into base.item_score select $listed[run_place + 1], measure_no, block_no, epoch, score, is_error "
        "from items_numbered where $listed[run_place + 1] is not null",
        {"listed": listed},
    )
    for name, column in {**rows.attributes, "": "content"}.items():
        if engine.value(f"select count({column}) from {rows.table}"):
            engine.execute(
                f"""insert into base.run_attribute
                select $listed[run_place + 1], {sql_literal(name)}, unnest(
                    case when count(*) = count({column}) then [0]
                    else list_sort(list_distinct(list(block_no) filter ({column} is not null))) end)
                from {rows.table} as said
                join items_run on items_run.run_id is not distinct from said.run_id
                join (select block_no, block_id as item_id from base.block where condition_no = {condition_no})
                    using (item_id)
                where $listed[run_place + 1] is not null group by run_place having count({column}) > 0""",
                {"listed": listed},
            )


def _write_run(run_nos: dict[int, int], place: int, n_row: int, warn: Callable[[], None], run_no: int) -> int:
    """Keep the number of a run, for the statement that stores all; returns how many samples it has."""
    run_nos[place] = run_no
    warn()
    return n_row


def _check_repeats(engine: Engine, inputs: Inputs, rows: _Rows, table: str, keys: str) -> None:
    n_twice = engine.value(f"select count(*) from (select 1 from {table} group by {keys} having count(*) > 1)")
    if not n_twice:
        return
    rows.say(
        engine,
        inputs,
        "E962",
        f"""
        select place, item_id, earlier from (
            select place, min(place) over (partition by {keys}) as earlier from {table})
        join {rows.table} using (place) where place > earlier""",
        lambda earlier: f"duplicate sample, {rows.shown(earlier)}: same run, measure, item and epoch",
        'Keep one of the two; attempts at an item have a column epoch, or the condition repeated_item = "epoch".',
        MOST_PROBLEMS,
    )


def _check_items(target: StoredCondition, inputs: Inputs, rows: _Rows, runs: Sequence[str | None]) -> None:
    """Report items that the file of items does not have, and items with different content in two runs."""
    engine, condition_no = target.engine, target.condition_no
    if engine.value(f"select count(*) from base.item where condition_no = {condition_no} and is_listed = 1"):
        unknown = f"""
            from {rows.table} where item_id not in (
                select block_id from base.block where condition_no = {condition_no})"""
        items = f"select min(place) as place, item_id {unknown} group by item_id"
        found = engine.rows(f"select *, count(*) over () from ({items}) order by place limit 1")
        if found and target.policies.get("unknown_item") == "ignore":
            engine.execute(f"delete {unknown}")
            path, line = rows.at(found[0][0])
            inputs.add(
                "W962",
                path,
                f"{counted(found[0][-1], 'item')} {verb(found[0][-1], 'are')} not in the file of items and left out",
                "Check the number.",
                line,
                found[0][1],
            )
        elif found:
            n_known = engine.value(
                f"select count(*) from {rows.table} where item_id in (select block_id from base.block where "
                f"condition_no = {condition_no})"
            )
            example = engine.value(f"select min(block_id) from base.block where condition_no = {condition_no}")
            if not n_known:
                path, line = rows.at(found[0][0])
                inputs.say_disjoint(
                    path, found[0][-1], "items of the run", "those of the file of items", found[0][1], example, line
                )
                return
            said = "the file of items does not have this item"
            advice = 'Correct the id, add the item, or unknown_item = "ignore" of the condition.'
            rows.say(engine, inputs, "E961", items, said, advice, MOST_PROBLEMS)
    if not engine.value(f"select count(content) from {rows.table}"):
        return
    rows.say(
        engine,
        inputs,
        "E967",
        f"""
        select place, item_id from (
            select place, item_id, said.content,
                coalesce(item.content, first_value(said.content) over (partition by item_id order by place)) as known
            from (select * from {rows.table} where content is not null) as said
            left join (
                select block_id as item_id, content from base.item join base.block using (condition_no, block_no)
                where condition_no = {condition_no} and block_no in ({_given_by_others(condition_no, "", runs)})
            ) as item using (item_id))
        where content <> known""",
        "another run has a different item with this id (the hash of the item differs)",
        "Compare runs of one version of the benchmark.",
        MOST_PROBLEMS,
    )


def _given_by_others(condition_no: int, attribute: str, runs: Sequence[str | None]) -> str:
    """Return SQL of the items of which stored runs other than some give an attribute; '': the hash of the text."""
    own = ", ".join(sql_literal(name or "") for name in runs)
    return f"""
        select score.block_no from base.item_score as score join registry.run using (run_no)
        join base.run_attribute as given using (run_no)
        where condition_no = {condition_no} and run_id not in ({own}) and attribute = {sql_literal(attribute)}
            and given.block_no in (0, score.block_no)"""


def _check_attributes(target: StoredCondition, inputs: Inputs, rows: _Rows, runs: Sequence[str | None]) -> None:
    """Report attributes with contradictory values, in the rows (of the runs ``runs``) or in the store, and unknown
    names.
    """
    engine, condition_no, policies = target.engine, target.condition_no, target.policies
    stored = [
        name
        for [name] in engine.rows(
            f"select distinct attribute from base.item_attribute where condition_no = {condition_no} order by 1"
        )
    ]
    known = sorted({*stored, *rows.attributes})
    where = f"condition '{target.condition_id}'"
    keys = {"attributes": "attributes"}
    # a column without values is not stored: the file of items, or the first run, was checked by its columns
    if not engine.rows(f"select 1 from base.item where condition_no = {condition_no} limit 1"):
        keys = {"group": "group_by", "cluster": "cluster_by", **keys}
    for key, column in keys.items():
        names = [name.rpartition(".")[2] if key == "attributes" else name for name in _lines(policies.get(column))]
        _check_names(inputs, where, key, [*dict.fromkeys(names)], known)
    # earlier values of a replaced or dropped run do not contradict its items
    for name, column in rows.attributes.items():
        asked = f"""
            (select block_no, value from base.item_attribute as said
            where condition_no = {condition_no} and attribute = {sql_literal(name)} and (
                is_listed = 1 or block_no in ({_given_by_others(condition_no, name, runs)})))"""
        n_odd = engine.value(f"""
            select count(*) from items_once left join (
                select block_id as item_id, value from {asked} join (
                    select block_no, block_id from base.block where condition_no = {condition_no}) using (block_no)
            ) using (item_id)
            where {column} <> {column}_high or {column} <> value""")
        if not n_odd:
            continue
        rows.say(
            engine,
            inputs,
            "E963",
            f"""
            select place, {sql_literal(name + "=")} || value, {sql_literal(name)},
                case when stored is null then earlier end
            from (
                select place, {column} as value, stored.value as stored,
                    coalesce(stored.value, first_value({column}) over (partition by item_id order by place)) as known,
                    first_value(place) over (partition by item_id order by place) as earlier
                from (select * from {rows.table} where {column} is not null) as said
                left join (
                    select block_id as item_id, value from {asked} join (
                        select block_no, block_id from base.block where condition_no = {condition_no}) using (block_no)
                ) as stored using (item_id))
            where value <> known""",
            lambda name, earlier: (
                f"attribute {name} of the item has another value"
                f"{'' if earlier is None else f', {rows.shown(earlier)}'}: it is the item's, whatever the run"
            ),
            "Correct one of the two, or name in attributes what is the item's.",
            MOST_PROBLEMS,
        )


def _extend(target: StoredCondition, inputs: Inputs, rows: _Rows) -> None:
    """Store the items, attributes and measures that the condition does not have yet."""
    engine, condition_no, policies = target.engine, target.condition_no, target.policies
    lower = set(_lines(policies.get("lower_is_better")))
    there = dict(
        engine.rows("select measure, measure_no from base.item_measure where condition_no = ?", [condition_no])
    )
    named = [name for [name] in engine.rows(f"select distinct measure from {rows.table} order by 1")]
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
            rows.paths[0],
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
                rows.paths[0],
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
                rows.paths[0],
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
    for name, column in rows.attributes.items():
        source = f"(select item_id, {column} as value from items_once)"
        _add_attribute(engine, condition_no, name, source, is_listed=False)
    if not (new or n_new or before != engine.rows(attributes)):
        return
    place_items(engine, TASK, condition_no)
    for name, n_value in _wide_attributes(engine, condition_no):
        inputs.add(
            "W964",
            rows.paths[0],
            f"attribute {name} has {n_value} values, and more than {MOST_VALUES} make no subsets",
            "Leave it out of attributes.",
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


def _warn(
    target: StoredCondition,
    inputs: Inputs,
    rows: _Rows,
    name: str | None,
    counts: Sequence[int],
    missing: Sequence[tuple[str, int]] | None,
) -> None:
    """Report the samples of a run without a score, and the items that it has no score for.

    Args:
        counts: number of its samples and of those without a score, the place of the first sample and of the first
            without a score.
        missing: as in `_missing`.
    """
    n_row, n_unscored, first, first_unscored = counts
    label = f"the run '{name}'" if name else "the run"
    if n_unscored:
        path, line = rows.at(first_unscored)
        inputs.add(
            "W961",
            path,
            f"{n_unscored:,} of {counted(n_row, 'sample')} of {label} {verb(n_unscored, 'have')} no score and "
            f"{verb(n_unscored, 'are')} in no mean",
            "Check the number.",
            line,
            run=name,
        )
    if missing:
        is_error = target.policies.get("missing_item") == "error"
        listed = ", ".join(f"'{item}'" for item, _ in missing) + (", ..." if missing[0][1] > len(missing) else "")
        inputs.add(
            "E966" if is_error else "W960",
            rows.at(first)[0],
            f"{label} has no score for {counted(missing[0][1], 'item')}: {listed}",
            'Complete the run, or missing_item = "drop" of the condition.'
            if is_error
            else "They are in no mean but that over all items.",
            run=name,
        )


FORMATS: dict[str, RunFormat] = {name: RunFormat(partial(_read_runs, name), "run_id") for name in TASKS[TASK].formats}
