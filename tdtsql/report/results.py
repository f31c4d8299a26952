"""Results as Python users and the command line get them: relations of the engine that are tables for papers, notebooks
and terminals too.

Best bold, significance marked, and a caption that names the test, the correction and the family, so that a table can
stand alone.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tdtsql.compare.paired import Method
from tdtsql.errors import InvalidQuery, MissingPackage, first_few
from tdtsql.report.comparing import COLUMNS as COMPARED_COLUMNS
from tdtsql.report.comparing import SIGNIFICANT, ComparedRuns, as_rows, method_in_words, notes
from tdtsql.report.intervals import score_intervals
from tdtsql.report.leaderboard import COLUMNS, HEADS, Leaderboard, as_columns
from tdtsql.report.tables import (
    DECIMALS,
    MARKS,
    SIGNS,
    UNDEFINED,
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
from tdtsql.report.trials.comparing import COLUMNS as TRIAL_COLUMNS
from tdtsql.report.trials.comparing import ComparedTrials, shown_row
from tdtsql.report.trials.subsets import SubsetGrid
from tdtsql.task import TASKS, WEIGHTING, weighting_in_words
from tdtsql.trials.subsets import Setting

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine, Relation
    from tdtsql.trials.subsets import Line

#: rows of a table that a notebook shows
MOST_SHOWN = 60
#: weightings in the order in which a table of one number per metric prefers them
WEIGHTINGS = (WEIGHTING, "topic_all", "story", "group", "weight", "none")
#: what tells scores apart
_SCORE_KEY = ("run_id", "subset", "metric", "weighting", "condition_id", "profile_id")
_TOPIC_KEY = ("run_id", "block_id", "subset", "metric", "condition_id", "profile_id")
#: methods of a relation -> the package that they need
_NEEDS = {"df": "pandas", "to_df": "pandas", "fetchdf": "pandas", "pl": "polars", "arrow": "pyarrow"}


class RowTable:
    """A relation (``.df() .pl() .arrow() .fetchall()``) that iterates over its rows, and is a table for a paper and for
    a notebook too.
    """

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

    def pivot(self, *, percent: bool = False, interval: bool = False, method: Method | None = None) -> "RunTable":
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
        return RunTable(self._engine, self.relation, self._given, percent, interval, method or Method())


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
        method: Method,
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

    def _intervals(self, engine: "Engine", method: Method) -> dict[tuple, tuple[float, float]]:
        """Return the ends of the interval of each number that has one."""
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
                engine, self._tasks[condition], condition, profile, metric, subset, values, method
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
            _PLAN.get(self._plan[condition] or ""),
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
        if TASKS[task].decides_on == "trial" and n_block <= 1 and WEIGHTING not in given["weighting"]
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
        # what the blocks are attributes of has no unit over all of them
        is_usual = (number.subset == "all") != (TASKS[task].blocks == "attribute")
        is_left_out = number.condition in is_pooled and number.weighting == WEIGHTING
        if not is_left_out and (given["subset"] or is_usual) and number.metric in summaries[task]:
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
            select run.run_id, condition.condition_id, condition.task, run.system, run.n_row
            from registry.run as run join registry.condition as condition using (condition_no)
            order by condition.condition_no, run.run_id""",
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


class Comparison(RowTable):
    """Runs compared with each other: a relation with one row per (run, baseline), which is a table for a paper too."""

    def __init__(self, engine: "Engine", made: ComparedRuns | ComparedTrials):
        rows, kinds = as_rows(made), TRIAL_COLUMNS if isinstance(made, ComparedTrials) else COMPARED_COLUMNS
        columns = {name: [row[name] for row in rows] for name in kinds}
        super().__init__(relation_of(engine, columns, kinds), lambda most: [comparison_table(made)])
        self.signature = made.signature


#: columns of numbers in subsets
_SUBSETS = {
    **dict.fromkeys(("subset", "run_id"), "varchar"),
    **dict.fromkeys(("value", "low", "high"), "double"),
    **dict.fromkeys(("n_target", "n_nontarget"), "bigint"),
    **dict.fromkeys(("reason", "condition_id", "profile_id", "metric"), "varchar"),
    "level": "double",
    "unit": "varchar",
    **dict.fromkeys(("n_unit", "n_resample", "seed"), "bigint"),
}


class SubsetTable(RowTable):
    """Numbers of runs in subsets with their intervals: a relation, which is a table of subsets x runs for a paper
    too.
    """

    def __init__(self, engine: "Engine", setting: Setting, lines: "list[Line]", by: str = ""):
        """``by``: an attribute, or two between a comma; empty: all."""
        ordered = sorted(lines, key=lambda line: (line.subset != "all", line.subset, line.run))
        columns: dict[str, list] = {}
        for name in _SUBSETS:
            key = name.removesuffix("_id")
            columns[name] = [getattr(line if hasattr(line, key) else setting, key) for line in ordered]
        columns["reason"] = [reason or None for reason in columns["reason"]]
        best = engine.value("select min(best) from registry.metric where metric = ?", [setting.metric])
        grid, crossed = SubsetGrid(setting, best, ordered), [name.strip() for name in by.split(",")]
        super().__init__(
            relation_of(engine, columns, _SUBSETS),
            lambda most: grid.crossed_tables(*crossed) if len(crossed) == 2 else [grid.table],
        )


class Leaderboards(RowTable):
    """Runs of conditions, best first: a relation, which is a table per condition and profile for a paper too."""

    def __init__(self, engine: "Engine", boards: list[Leaderboard]):
        relation = relation_of(engine, as_columns(boards), COLUMNS)
        super().__init__(relation, lambda most: [leaderboard_table(board) for board in boards])
        self.boards = boards


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


def trial_table(compared: ComparedTrials) -> Table:
    """Return runs of scored trials with their value, the difference from each baseline, intervals and p."""
    setting, family = compared.setting, compared.family
    rows = [[Cell("" if text is None else str(text)) for text in shown_row(row, family)] for row in family.rows]
    return Table(
        ("run", "against", "value", "difference", "p", "p corr."),
        rows,
        _caption(compared),
        f"tab:compare-{slug(setting.metric)}",
        compared.signature,
        "llrrrr",
    )


def comparison_table(compared: ComparedRuns | ComparedTrials) -> Table:
    """Return runs with their mean, the difference from each baseline, its interval, win/tie/loss and p."""
    if isinstance(compared, ComparedTrials):
        return trial_table(compared)
    setting, family = compared.setting, compared.family
    baselines = list(dict.fromkeys(row.baseline for row in family.rows))
    values = {run: compared.matrix.values[:, index] for index, run in enumerate(compared.matrix.runs)}
    means = {run: math.fsum(column) / len(column) for run, column in values.items()}
    top = best_value(list(means.values()), setting.best)
    marks: dict[str, tuple[str, ...]] = dict.fromkeys(means, ())
    for row in family.rows:
        if row.p_adjusted < SIGNIFICANT and len(baselines) <= len(MARKS):
            marks[row.run] += (MARKS[baselines.index(row.baseline)],)

    def run_cells(run: str) -> tuple[Cell, Cell]:
        return Cell(run), Cell(fixed(means[run]), bold=means[run] == top, marks=marks[run], is_number=True)

    def number(text: str) -> Cell:
        return Cell(text, is_number=True)

    compared_first = {row.run for row in family.rows}
    rows = [
        (*run_cells(run), *(Cell("") for _ in range(6))) for run in compared.matrix.runs if run not in compared_first
    ]
    rows += [
        (
            *run_cells(row.run),
            Cell(row.baseline),
            number(fixed(row.difference, signed=True)),
            number(f"[{fixed(row.low, signed=True)}, {fixed(row.high, signed=True)}]"),
            number(f"{row.win}/{row.tie}/{row.loss}"),
            number(_p(row.p)),
            number(_p(row.p_adjusted)),
        )
        for row in family.rows
    ]
    marked = "; ".join(
        f"{SIGNS[MARKS[index]]} differs from {name}"
        for index, name in enumerate(baselines)
        if len(baselines) <= len(MARKS)
    )
    return Table(
        ("run", "mean", "against", "difference", f"{family.method.level * 100:g} % interval", "w/t/l", "p", "p corr."),
        rows,
        _caption(compared, f"Best in bold{f'; {marked} (p < {SIGNIFICANT:g})' if marked else ''}. "),
        f"tab:compare-{slug(setting.metric)}",
        compared.signature,
        "lrlrrrrr",
    )


def _caption(compared: ComparedRuns | ComparedTrials, marked: str = "") -> str:
    """Return what is compared, and how."""
    setting = compared.setting
    return (
        f"{setting.metric} ({better(setting.best)}) on {setting.condition}, subset {setting.subset}, profile "
        f"{setting.profile}. {marked}{' '.join([_sentence(method_in_words(compared)), *notes(compared)])}"
    )


def _p(value: float | None) -> str:
    """Return a p value as papers print it."""
    if value is not None and 0.0 < value < 0.5 * 10.0**-DECIMALS:
        return f"<{10.0**-DECIMALS:.{DECIMALS}f}"
    return fixed(value)


def leaderboard_table(board: Leaderboard) -> Table:
    """Return ranked runs with their significance groups; of scored trials with intervals and the other metrics, EER in
    percent.
    """
    ranked = [run for run in board.runs if run.withdrawn is None]
    top = best_value([run.value for run in ranked], board.best)
    withdrawn = "".join(f" Withdrawn: {run.name} ({run.withdrawn})." for run in board.runs if run not in ranked)

    def cell(shown: list[str], *, bold: bool = False) -> Cell:
        value, *ends = shown
        return Cell(value + ("" if UNDEFINED in ends else f" [{', '.join(ends)}]"), bold=bold, is_number=True)

    rows = []
    for run in board.runs:
        is_ranked = run.withdrawn is None
        ends = (run.low, run.high) if board.other_metrics else (None, None)
        value = board.shown_values(board.metric, run.value, *ends)
        rows.append(
            (
                Cell(str(run.rank or "") if is_ranked else UNDEFINED, is_number=True),
                Cell(run.name),
                cell(value, bold=is_ranked and run.value is not None and run.value == top),
                Cell(run.group),
                *(cell(board.other_metric_of(metric, run.run)) for metric in board.other_metrics),
                run.n,
            )
        )
    title = f"{board.condition}, {board.profile}{f', {board.subset}' if board.subset != 'all' else ''}"
    name = HEADS.get(board.metric, board.metric) if board.other_metrics else board.metric
    how = f"ranked by {name}" if board.other_metrics else name
    averaged = f", {weighting_in_words(board.weighting, board.task)}" if board.other_metrics else ""
    best = "" if board.other_metrics else "Best in bold; runs"
    caption = (
        f"{title}: {how} ({better(board.best)}){averaged}. {best or 'Runs'} that share a letter do not differ "
        f"significantly. {_sentence(board.note)}{withdrawn}"
    )
    heads = ("rank", "run", name, "group", *board.heads, "n")
    return Table(heads, rows, caption, f"tab:leaderboard-{slug(title)}", board.signature)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
