"""Results as Python users and the command line get them: relations of the engine that are tables for papers, notebooks
and terminals too.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import InvalidQuery, MissingPackage, first_few
from tdtsql.report.tables import (
    DECIMALS,
    Cell,
    Table,
    best_value,
    better,
    fixed,
    is_count,
    cells,
    latex,
    markdown,
    slug,
)
from tdtsql.task import TASKS, WEIGHTING, weighting_in_words

if TYPE_CHECKING:
    from tdtsql.compare.settings import Method
    from tdtsql.engine.duckdb import Engine, Relation

#: rows of a table that a notebook shows
MOST_SHOWN = 60
#: weightings in the order in which a table of one number per metric prefers them
WEIGHTINGS = (WEIGHTING, "topic_all", "story", "group", "weight", "none")
#: what tells scores apart
_SCORE_KEY = "run_id subset metric weighting condition_id profile_id".split()
_TOPIC_KEY = "run_id block_id subset metric condition_id profile_id".split()
#: methods of a relation -> the package that they need
_NEEDS = {"df": "pandas", "to_df": "pandas", "fetchdf": "pandas", "pl": "polars", "arrow": "pyarrow"}


class RowTable:
    """A relation (``.df() .pl() .arrow() .fetchall()``) that iterates over its rows, and is a table for a paper and for
    a notebook too.
    """

    keep: Sequence[str] = ()  #: columns that a narrow terminal never omits
    legend: Sequence[str] = ()  #: lines below it on a terminal
    remarks: Sequence[str] = ()  #: what a reader should know besides, one sentence each
    tabled: Collection[str] = ()  #: formats in which it is printed as a paper shows it, instead of as rows
    exit_code = 0  #: with which the command ends

    def __init__(self, relation: "Relation", tables: Callable[[int | None], list[Table]]):
        """``tables``: at most so many of its rows (None: all) as a person reads them."""
        self.relation = relation
        self._tables = tables

    def to_latex(self, *, signature: bool = False) -> str:
        """Return the table as a LaTeX float; needs the package booktabs."""
        return "\n".join(latex(table, signature=signature) for table in self._tables(None))

    def to_markdown(self, *, signature: bool = False) -> str:
        """Return the table as markdown, the caption below it."""
        return "\n".join(markdown(table, signature=signature) for table in self._tables(None))

    def tables(self) -> list[Table]:
        """Return what `to_latex` writes, as tables."""
        return self._tables(None)

    def shown(self, format_: str) -> list[Table]:
        """Return what the command line prints in a format."""
        if format_ not in self.tabled:
            return [Table(self.relation.columns, self.relation.fetchall(), keep=self.keep)]
        has_legend = self.legend and format_ == "table"
        return [replace(table, keep=self.keep, caption="" if has_legend else table.caption) for table in self.tables()]

    def _repr_html_(self) -> str:
        """Return the table as a notebook shows it."""
        from tdtsql.report.sections import render  # imported late: most results are shown elsewhere

        return str(render("tables.html", tables=[(table, cells(table)) for table in self._tables(MOST_SHOWN)])).rstrip()

    def __repr__(self) -> str:
        return repr(self.relation)

    def __len__(self) -> int:
        return len(self.relation)

    def __iter__(self) -> Iterator[tuple]:
        return iter(self.relation.fetchall())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.relation.__arrow_c_stream__(requested_schema)

    def __getattr__(self, name: str):
        # .df() .pl() .arrow() .fetchall() .columns, and all else that relations of the engine can do; not how they show
        # themselves
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self.relation, name)
        return needing(found, name, _NEEDS[name]) if name in _NEEDS else found


def relation_of(engine: "Engine", columns: Mapping[str, Sequence], kinds: Mapping[str, str]) -> "Relation":
    """Return columns of equal length as a relation; NaN, which means undefined, is NULL.

    Args:
        kinds: name -> type in SQL, in the order of the columns.
    """
    selected = ", ".join(
        f'unnest(cast($c{at} as {kind}[])) as "{name}"' for at, (name, kind) in enumerate(kinds.items())
    )
    values = {f"c{at}": [None if value != value else value for value in columns[name]] for at, name in enumerate(kinds)}
    return engine.relation(f"select {selected}", values)


def needing(function: Callable, name: str, package: str) -> Callable:
    """Return a method that says what to install where its package is missing."""

    def call(*arguments: object, **named: object) -> object:
        try:
            return function(*arguments, **named)
        except Exception as error:  # of Python, or of the engine
            is_missing = isinstance(error, ImportError) or "import" in str(error).lower()
            if package not in str(error) or not is_missing:
                raise
            raise MissingPackage(
                f".{name}() needs {package}. Install it with `pip install {package}`, or use .fetchall()."
            ) from None

    return call


class ScoreTable(RowTable):
    """Engine of report.score, one per number; `pivot` has runs as rows and metrics as columns."""

    def __init__(
        self, engine: "Engine", relation: "Relation", given: Mapping[str, Sequence[str]], *, per_topic: bool = False
    ):
        """``given``: column -> names that the rows were chosen by; none: all."""
        super().__init__(relation, lambda most: [score_table(relation, most, per_topic=per_topic)])
        self._engine, self._given, self._per_topic = engine, given, per_topic

    def pivot(self, *, percent: bool = False, interval: bool = False, method: "Method | None" = None) -> "RunTable":
        """Return a row per run, condition and profile, and a column per metric: a relation with ``to_latex()`` and
        ``to_markdown()``.

        What was not chosen in `Store.score` has the usual value: the summary metrics of the task, subset ``all``, the
        primary weighting.

        Args:
            percent: rates and costs times 100.
            interval: columns ``METRIC_low`` and ``METRIC_high`` too: 95 % bootstrap intervals over topics, or over
                trials where these are scored; NULL if missing.
        """
        if self._per_topic:
            raise InvalidQuery("numbers of topics have no table of runs x metrics. Leave out --per-topic.")
        return RunTable(self._engine, self.relation, self._given, percent, interval, method)


class Number(NamedTuple):
    """One number of a run, as `report.score` has it."""

    condition: str
    profile: str
    run: str
    subset: str
    metric: str
    value: float | None
    weighting: str
    signature: str
    reason: str | None  #: why it is NULL

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies a row of the table of runs x metrics."""
        return self[:4]


class RunTable(RowTable):
    """Runs as rows, metrics as columns."""

    def __init__(
        self,
        engine: "Engine",
        scores: "Relation",
        given: Mapping[str, Sequence[str]],
        percent: bool,
        interval: bool,
        method: "Method | None",
    ):
        self.percent, self._asked = percent, given["metric"]
        numbers = _chosen(engine, scores, given)
        facts = engine.rows("select condition_id, task, plan from report.condition")
        self._tasks, self._plan = {row[0]: row[1] for row in facts}, {row[0]: row[2] for row in facts}
        self._best = dict(engine.rows("select metric, min(best) from registry.metric group by metric"))
        of_task: dict[str, dict[str, None]] = {task: {} for task in TASKS}
        for number in numbers:
            of_task[self._tasks[number.condition]][number.metric] = None
        present = {metric for names in of_task.values() for metric in names}
        summary = [metric for task, names in of_task.items() for metric in TASKS[task].summary_of(names)]
        self.metrics = [metric for metric in dict.fromkeys(self._asked or summary) if metric in present]
        self._keys = list(dict.fromkeys(number.key for number in numbers))
        self._numbers = {number[:5]: number for number in numbers}
        self.signatures = {key: number.signature for key, number in self._numbers.items()}
        self.notes: list[str] = []  #: what a reader should know, one sentence each
        self._ends = self._intervals(engine, method) if interval else {}
        self.notes += _undefined(numbers)
        withdrawn = engine.rows(
            "select condition_id, run_id, reason from registry.withdrawal join registry.run using (run_no) "
            "join registry.condition using (condition_no) order by 1, 2"
        )
        shown = {(key[0], key[2]) for key in self._keys}
        self._withdrawn = {(condition, run) for condition, run, _ in withdrawn}
        self.notes += [
            f"{condition}: {run} is withdrawn ({reason})."
            for condition, run, reason in withdrawn
            if (condition, run) in shown
        ]
        columns: dict[str, list] = {
            name: [key[at] for key in self._keys]
            for at, name in enumerate(("condition_id", "profile_id", "run_id", "subset"))
        }
        if len(set(columns["subset"])) < 2:
            del columns["subset"]
        kinds = dict.fromkeys(columns, "varchar")
        for metric in self.metrics:
            ends = [self._shown(key, metric) for key in self._keys]
            for at, end in enumerate(("", "_low", "_high") if interval else ("",)):
                columns[f"{metric}{end}"], kinds[f"{metric}{end}"] = [values[at] for values in ends], "double"
        super().__init__(relation_of(engine, columns, kinds), self._by_condition)

    def _intervals(self, engine: "Engine", method: "Method | None") -> dict[tuple, tuple[float, float]]:
        """Return the ends of the interval of each number that has one."""
        from tdtsql.compare.settings import Method  # statistics take longer to import than scores to read
        from tdtsql.compare.rows import score_intervals

        printed: dict[tuple, dict[str, float]] = {}
        for condition, profile, subset in dict.fromkeys((key[0], key[1], key[3]) for key in self._keys):
            for metric in self.metrics:
                printed[condition, profile, metric, subset] = {}
        for number in self._numbers.values():
            place = (number.condition, number.profile, number.metric, number.subset)
            if number.value is not None and place in printed:
                printed[place][number.run] = number.value
        found: dict[tuple, tuple[float, float]] = {}
        for (condition, profile, metric, subset), values in printed.items():
            ends, note = score_intervals(
                engine, self._tasks[condition], condition, profile, metric, subset, values, method or Method()
            )
            found |= {(condition, profile, run, subset, metric): pair for run, pair in ends.items()}
            self.notes += [note] if note and note not in self.notes else []
        return found

    def _shown(self, key: tuple, metric: str) -> tuple[float | None, float | None, float | None]:
        """Return a value and the ends of its interval, in percent where these are requested."""
        number = self._numbers.get((*key, metric))
        values = (number and number.value, *self._ends.get((*key, metric), (None, None)))
        factor = 100.0 if self.percent and not is_count(metric) else 1.0
        low_to_high = [None if value is None else value * factor for value in values]
        return low_to_high[0], low_to_high[1], low_to_high[2]

    def _by_condition(self, most: int | None) -> list[Table]:
        """Return a table per condition and profile: metrics that none of its runs has are left out."""
        by: dict[tuple[str, str], list[tuple]] = {}
        for key in self._keys[:most]:
            by.setdefault(key[:2], []).append(key)
        return [self._table(condition, profile, keys) for (condition, profile), keys in by.items()]

    def _table(self, condition: str, profile: str, keys: list[tuple]) -> Table:
        task = self._tasks[condition]
        value = {(key, metric): self._shown(key, metric)[0] for key in keys for metric in self.metrics}
        usual = list(self._asked)
        if not usual:  # of what is missing only where something is
            there = [metric for metric in self.metrics if any((*key, metric) in self._numbers for key in keys)]
            usual = [
                metric
                for metric in TASKS[task].summary_of(there)
                if not metric.endswith(".n_missing") or any(value[key, metric] for key in keys)
            ]
        metrics = [metric for metric in usual if any(value.get((key, metric)) is not None for key in keys)]
        metrics = metrics or [metric for metric in usual if metric in self.metrics]
        subsets = list(dict.fromkeys(key[3] for key in keys))
        several = len(subsets) > 1
        top = {
            (metric, subset): best_value(
                [value[key, metric] for key in keys if key[3] == subset and (condition, key[2]) not in self._withdrawn],
                self._best.get(metric, "none"),
            )
            for metric in metrics
            for subset in subsets
        }

        def cell(key: tuple, metric: str) -> Cell:
            number, *ends = self._shown(key, metric)
            is_whole = is_count(metric) and (number is None or number == int(number))
            digits = 0 if is_whole else DECIMALS - 2 if self.percent else DECIMALS
            low, high = (fixed(end, digits) for end in ends)
            text = fixed(number, digits) + ("" if None in ends else f" [{low}, {high}]")
            is_best = number is not None and number == top[metric, key[3]]
            return Cell(text, bold=is_best and (condition, key[2]) not in self._withdrawn, is_number=True)

        weighting = {number.metric: number.weighting for number in self._numbers.values()}
        weightings = {weighting[metric] for metric in metrics}
        directions = {self._best.get(metric, "none") for metric in metrics}
        said = [
            condition,
            f"profile {profile}",
            _PLAN.get(self._plan[condition] or "") if "required" in self._plan.values() else None,
            None if several else f"subset {subsets[0]}",
            weighting_in_words(min(weightings), task) if len(weightings) == 1 and weightings != {"none"} else None,
            "in %" if self.percent else None,
            better(min(directions)) if len(directions) == 1 and directions != {"none"} else None,
        ]
        return Table(
            ("run", *(["subset"] if several else []), *metrics),
            [
                (
                    Cell(key[2] + (" (withdrawn)" if (condition, key[2]) in self._withdrawn else "")),
                    *([Cell(key[3])] if several else []),
                    *(cell(key, metric) for metric in metrics),
                )
                for key in keys
            ],
            f"{', '.join(filter(None, said))}.",
            f"tab:{slug(f'{condition}-{profile}')}",
        )


#: what a caption says of a condition of the evaluation plan
_PLAN = {"required": "required by the plan", "other": "not required by the plan"}


def _chosen(engine: "Engine", scores: "Relation", given: Mapping[str, Sequence[str]]) -> list[Number]:
    """Return one number per metric: that of the task's weighting, or of the first of `WEIGHTINGS` that has a value."""
    if not given["subset"]:  # what the blocks are attributes of has no unit over all of them
        of_attributes = ["", *(name for name, task in TASKS.items() if task.blocks == "attribute")]
        scores = scores.filter(f"(subset = 'all') <> (task in ({', '.join(map(sql_literal, of_attributes))}))")
    rows = [
        (task, Number(*number))
        for task, *number in scores.project(
            "task, condition_id, profile_id, run_id, subset, metric, value, weighting, signature, null_reason"
        ).fetchall()
    ]
    # trials without blocks have one, and its mean is what is pooled over them
    is_pooled = {
        condition
        for condition, task, n_block in engine.rows("select condition_id, task, n_block from report.condition")
        if TASKS[task].is_by_trial and n_block <= 1 and WEIGHTING not in given["weighting"]
    }
    present: dict[str, set[str]] = {}
    for task, number in rows:
        if number.condition not in is_pooled or number.weighting != WEIGHTING:
            present.setdefault(task, set()).add(number.metric)
    summaries = {task: given["metric"] or TASKS[task].summary_of(names) for task, names in present.items()}

    def place(row: tuple[str, Number]) -> tuple:
        """An undefined number comes last, unless its weighting was asked for."""
        task, number = row
        is_last = number.value is None and not given["weighting"]
        return is_last, number.weighting != TASKS[task].weighting, _place(WEIGHTINGS, number.weighting)

    found: dict[tuple, Number] = {}
    for task, number in sorted(rows, key=place):
        is_left_out = number.condition in is_pooled and number.weighting == WEIGHTING
        if not is_left_out and number.metric in summaries[task]:
            found.setdefault(number[:5], number)
    return sorted(
        found.values(),
        key=lambda number: (
            *number[:2],
            _place(given["subset"], number.subset),
            number.subset,
            _place(given["run_id"], number.run),
            number.run,
            number.metric,
        ),
    )


def _place(names: Sequence[str], name: str) -> int:
    """Return the position of a name in a list; that after the last if it is not there."""
    return names.index(name) if name in names else len(names)


def _undefined(numbers: Sequence[Number]) -> list[str]:
    """Return a sentence for each reason why numbers are NULL, with the metrics and runs that it is about."""
    found: dict[tuple[str, str, str | None], list[Number]] = {}
    for number in numbers:
        if number.value is None:
            found.setdefault((number.condition, number.profile, number.reason), []).append(number)
    return [
        f"{condition}, {profile}: no {', '.join(dict.fromkeys(number.metric for number in those))} of "
        f"{first_few(list(dict.fromkeys(number.run for number in those)))}: {reason}."
        for (condition, profile, reason), those in found.items()
    ]


def listing(name: str) -> str:
    """Return the query of a list: runs or conditions."""
    return {
        "runs": """
            select run.run_id, condition.condition_id, condition.task, run.system, run.format, run.n_row,
                (select count(*) from registry.problem as problem
                where problem.owner = 'run:' || condition.condition_id || '/' || run.run_id) as n_warning,
                withdrawal.withdrawn_at, withdrawal.reason as withdrawn
            from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no
            left join registry.withdrawal as withdrawal on withdrawal.run_no = run.run_no
            order by condition.condition_id, run.run_id""",
        "conditions": """
            select condition.condition_id, condition.task, corpus.corpus_id,
                string_agg(distinct profile.profile_id, ', ' order by profile.profile_id) as profiles,
                any_value(facts.primary_metric) as primary_metric,
                count(distinct run.run_no) as n_run,
                string_agg(distinct run.run_id, ', ' order by run.run_id) as runs
            from registry.condition as condition
            join registry.corpus as corpus using (corpus_no)
            join report.condition as facts on facts.condition_id = condition.condition_id
            left join registry.condition_profile as chosen using (condition_no)
            left join registry.profile as profile using (profile_no)
            left join registry.run as run on run.condition_no = condition.condition_no
            group by condition.condition_no, condition.condition_id, condition.task, corpus.corpus_id
            order by condition.condition_no""",
    }[name]


def plain_table(relation: "Relation", caption: str, most: int | None) -> Table:
    """Return a relation as a table."""
    rows = relation.fetchall() if most is None else relation.limit(most).fetchall()
    return Table(relation.columns, rows, caption)


def score_table(relation: "Relation", most: int | None, *, per_topic: bool = False) -> Table:
    """Return scores as a table: the caption has the values that all rows have in common; the run is always in the
    body.
    """
    keys = _TOPIC_KEY if per_topic else _SCORE_KEY
    wanted = ", ".join((*keys, "value", *([] if per_topic else ["n"])))
    rows = relation.project(wanted).fetchall() if most is None else relation.limit(most).project(wanted).fetchall()
    counted = relation.aggregate(
        f"count(*), {', '.join(f'count(distinct {name}), min({name})' for name in keys)}"
    ).fetchall()[0]
    n_row, kinds = counted[0], dict(zip(keys, zip(counted[1::2], counted[2::2], strict=True), strict=True))
    kept = [at for at, name in enumerate(keys) if kinds[name][0] != 1 or name in ("run_id", "block_id")]
    said = [
        f"{name.removesuffix('_id')} {value}"
        for name, (n_value, value) in kinds.items()
        if n_value == 1 and name not in ("run_id", "block_id")
    ]
    caption = f"{'; '.join(said)}." if said else "Scores."
    if n_row > len(rows):
        caption += (
            f" The first {len(rows)} of {n_row:,} rows: run=, metric=, subset=, weighting=, condition= and profile= "
            f"narrow them."
        )
    return Table(
        (*(keys[at].removesuffix("_id") for at in kept), "value", *([] if per_topic else ["n"])),
        [(*(row[at] for at in kept), *row[len(keys) :]) for row in rows],
        caption,
        "tab:scores",
        align="l" * len(kept) + ("r" if per_topic else "rr"),
    )
