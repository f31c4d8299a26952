"""Numbers of runs as tables: rows as they are stored, and runs x metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from tdtsql.errors import InvalidQuery, check_known, first_few
from tdtsql.show.section import records
from tdtsql.show.table import (
    DECIMALS,
    PEOPLE,
    Cell,
    RowTable,
    Table,
    better,
    is_count,
    number_cell,
    pivot,
    plain,
    relation_of,
    slug,
)
from tdtsql.store.sets import broken_metrics
from tdtsql.task import TASKS, weighting_in_words

if TYPE_CHECKING:
    from tdtsql.compare.settings import Method
    from tdtsql.engine.duckdb import Engine, Relation
    from tdtsql.show.leaderboard import Leaderboards

#: what tells scores apart
_SCORE_KEY = "run_id subset metric weighting condition_id profile_id".split()
_TOPIC_KEY = "run_id block_id subset metric condition_id profile_id".split()
#: what is in every body
_IN_BODY = ("run_id", "block_id")
#: what a caption says of a condition of the evaluation plan
_PLAN = {"required": "required by the plan", "other": "not required by the plan"}

#: one number, a row of the saved query run_numbers
Number = dict[str, Any]


class ScoreTable(RowTable):
    """Rows of report.score, one per number; `pivot` has runs as rows and metrics as columns."""

    def __init__(self, engine: "Engine", query: str, given: Mapping[str, Sequence[str]], *, per_topic: bool = False):
        """``given``: column -> names that the rows were chosen by; none: all."""
        found = engine.relation(query)
        super().__init__(found, lambda most: [score_table(found, most, per_topic=per_topic)])
        self._engine, self._query, self._given, self._per_topic = engine, query, given, per_topic

    def pivot(self, *, percent: bool = False, interval: bool = False, unit: str | None = None) -> RowTable:
        """Return a row per run, condition and profile, and a column per metric: a relation with ``to_latex()`` and
        ``to_markdown()``; of numbers of topics a row per topic of each.

        What was not chosen in `Store.score` has the usual value: the summary metrics of the task, subset ``all``, the
        primary weighting.

        Args:
            percent: rates and costs times 100.
            interval: columns ``METRIC_low`` and ``METRIC_high`` too: 95 % bootstrap intervals over topics, or over
                trials where these are scored; NULL if missing.
            unit: what is drawn for intervals, as `Store.compare` has it.
        """
        asked = self._given["metric"]
        if not self._per_topic:
            return RunTable(self._engine, self._numbers(), asked, percent, _method(unit) if interval else None)
        if percent or interval:
            raise InvalidQuery("--percent and --interval are of numbers of runs. Leave out --per-topic.")
        subsets = self._given["subset"]
        numbers = [row for row in self._engine.records(self._query) if subsets or row["subset"] == "all"]
        keys = ["condition_id", "profile_id", "run_id", "block_id", *(["subset"] if subsets else [])]
        metrics = _metrics(numbers, asked)
        made = plain(_wide(self._engine, sorted(numbers, key=itemgetter(*keys)), keys, metrics), "Numbers of topics.")
        made.keep = ("run_id", "block_id", *metrics[:1])
        return made

    def paper(self, *, baseline: str | None = None, interval: bool = True, unit: str | None = None) -> "Leaderboards":
        """Return the table of a paper for each condition and profile: runs in order of rank, metrics by the names of
        the field (an EER in per cent) with 95 % intervals; runs that share a letter do not differ significantly.

        Args:
            baseline: a run whose row comes first.
            unit: what is drawn, as `Store.compare` has it.

        Raises:
            UnknownName: the baseline is none of the runs.
        """
        from tdtsql.show.leaderboard import Leaderboards, leaderboards

        given, runs = self._given, self._given["run_id"]
        boards = leaderboards(
            self._engine,
            condition=given["condition_id"],
            profile=given["profile_id"],
            subset=given["subset"],
            method=_method(unit),
            intervals=interval,
            beside=given["metric"],
        )
        boards = [
            replace(board, runs=[run for run in board.runs if not runs or run["run_id"] in [*runs, baseline]])
            for board in boards
        ]
        if baseline is not None:
            check_known("run", baseline, sorted({run["run_id"] for board in boards for run in board.runs}))
        return Leaderboards(self._engine, [board for board in boards if board.runs], is_paper=True, baseline=baseline)

    def _numbers(self) -> list[Number]:
        """Return a number for each run and metric that is shown."""
        names = ("run_id", "condition_id", "profile_id", "metric", "subset", "weighting")
        given = {f"{name.removesuffix('_id')}s": self._given[name] or None for name in names}
        broken = broken_metrics(self._engine)
        rows = [row for row in records(self._engine, "run_numbers", given) if row["metric"] not in broken]
        wanted = {
            task: _metrics([row for row in rows if row["task"] == task], self._given["metric"])
            for task in {row["task"] for row in rows}
        }
        return [row for row in rows if row["metric"] in wanted[row["task"]]]


class RunTable(RowTable):
    """Runs as rows, metrics as columns."""

    def __init__(
        self, engine: "Engine", numbers: Sequence[Number], asked: Sequence[str], percent: bool, drawn: "Method | None"
    ):
        """``drawn``: how intervals are drawn; None: without intervals."""
        self._numbers, self._asked, self._percent = numbers, asked, percent
        metrics = _metrics(numbers, asked)
        self.remarks = _add_intervals(engine, numbers, metrics, drawn) if drawn else []
        withdrawn = {(one["condition_id"], one["run_id"]): one["withdrawn"] for one in numbers if one["withdrawn"]}
        self.remarks += _undefined(numbers)
        self.remarks += [f"{where}: {run} is withdrawn ({why})." for (where, run), why in sorted(withdrawn.items())]
        if not numbers:
            said = "No number under these names. `tdtsql run list` shows the runs, `tdtsql score --long` all numbers."
            self.remarks.append(said)
        keys = [
            "condition_id",
            "profile_id",
            "run_id",
            *(["subset"] if len({one["subset"] for one in numbers}) > 1 else []),
        ]
        ends = {"": "value"} | ({"_low": "low", "_high": "high"} if drawn else {})
        super().__init__(_wide(engine, numbers, keys, metrics, ends, percent), self._boards)

    def shown(self, format_: str) -> list[Table]:
        if format_ not in PEOPLE:
            return super().shown(format_)
        return [replace(table, keep=table.columns) for table in self.tables()]

    def _boards(self, most: int | None) -> list[Table]:
        """Return a table per condition and profile."""
        boards = groupby(self._numbers, itemgetter("condition_id", "profile_id"))
        return [self._board(condition, profile, list(of), most) for (condition, profile), of in boards]

    def _board(self, condition: str, profile: str, numbers: Sequence[Number], most: int | None) -> Table:
        """Return the table of a board: metrics that none of its runs has are left out."""
        task, plan = numbers[0]["task"], numbers[0]["plan"]
        metrics = _metrics(numbers, self._asked)
        if not self._asked:  # of what is missing only where something is
            found = {number["metric"] for number in numbers if number["value"]}
            metrics = [metric for metric in metrics if not metric.endswith(".n_missing") or metric in found]
        defined = {number["metric"] for number in numbers if number["value"] is not None}
        metrics = [metric for metric in metrics if metric in defined] or metrics
        shown = [number for number in numbers if number["metric"] in metrics and number["value"] is not None]
        subsets = list(dict.fromkeys(number["subset"] for number in numbers))
        weightings, directions = ({number[name] for number in shown} for name in ("weighting", "best"))
        said = [
            condition,
            f"profile {profile}",
            _PLAN.get(plan or ""),
            f"subset {subsets[0]}" if len(subsets) == 1 else None,
            weighting_in_words(min(weightings), task) if len(weightings) == 1 and weightings != {"none"} else None,
            "in %" if self._percent else None,
            better(min(directions)) if len(directions) == 1 and directions != {"none"} else None,
        ]
        key = itemgetter("condition_id", "profile_id", "run_id", "subset", "metric")
        lines = pivot(
            ((_line(number, len(subsets)), number["metric"], self._cell(number)) for number in numbers), metrics
        )
        return Table(
            ("run", *(["subset"] if len(subsets) > 1 else []), *metrics),
            [(*map(Cell, key), *(cell or number_cell(None) for cell in cells)) for key, cells in lines.items()][:most],
            f"{', '.join(filter(None, said))}.",
            f"tab:{slug(f'{condition}-{profile}')}",
            "; ".join(f"{' '.join(key(one))}: {one['signature']}" for one in numbers if one["metric"] in metrics),
        )

    def _cell(self, number: Number) -> Cell:
        value, ends = number["value"], (number.get("low"), number.get("high"))
        is_whole = is_count(number["metric"]) and (value is None or value == int(value))
        decimals = 0 if is_whole else DECIMALS - 2 if self._percent else DECIMALS
        scale, bold = _scale(number, self._percent), bool(number["is_best"])
        return number_cell(value, ends, scale=scale, decimals=decimals, bold=bold)


def _line(number: Number, n_subset: int) -> tuple[str, ...]:
    run = number["run_id"] + (" (withdrawn)" if number["withdrawn"] else "")
    return (run, number["subset"]) if n_subset > 1 else (run,)


def _method(unit: str | None) -> "Method":
    from tdtsql.compare.settings import Method  # statistics take longer to import than scores to read

    return Method(unit=unit)


def _metrics(numbers: Sequence[Number], asked: Sequence[str]) -> list[str]:
    """Return the metrics of some numbers that are shown: those asked for, or the summary of each task."""
    there = dict.fromkeys(number["metric"] for number in numbers)
    if asked:
        return [metric for metric in dict.fromkeys(asked) if metric in there]
    by_task = {task: dict.fromkeys(one["metric"] for one in numbers if one["task"] == task) for task in TASKS}
    return list(dict.fromkeys(metric for task, of in by_task.items() if of for metric in TASKS[task].summary_of(of)))


def _wide(
    engine: "Engine",
    numbers: Sequence[Number],
    keys: Sequence[str],
    metrics: Sequence[str],
    ends: Mapping[str, str] | None = None,
    percent: bool = False,
) -> "Relation":
    """Return a row for each value of the keys, and for each metric a column of its number.

    Args:
        ends: what a column's name ends with -> the number that it has.
    """
    ends = ends or {"": "value"}
    lines: dict[tuple, dict[str, Any]] = {}
    for number in numbers:
        metric, scale = number["metric"], _scale(number, percent)
        line = lines.setdefault(tuple(number[key] for key in keys), {key: number[key] for key in keys})
        line |= {f"{metric}{suffix}": number.get(end) and number[end] * scale for suffix, end in ends.items()}
    names = [f"{metric}{suffix}" for metric in metrics for suffix in ends]
    return relation_of(engine, lines.values(), dict.fromkeys(keys, "varchar") | dict.fromkeys(names, "double"))


def _scale(number: Number, percent: bool) -> float:
    return 100 if percent and not is_count(number["metric"]) else 1


def _add_intervals(engine: "Engine", numbers: Sequence[Number], metrics: Sequence[str], method: "Method") -> list[str]:
    """Add the ends of the interval of each number that has one, ``low`` and ``high``; return notes on them."""
    from tdtsql.compare.rows import score_intervals

    notes: dict[str, None] = {}
    for (condition, profile, subset), of in groupby(numbers, itemgetter("condition_id", "profile_id", "subset")):
        here = list(of)
        for metric in metrics:
            values = {
                one["run_id"]: one["value"] for one in here if one["metric"] == metric and one["value"] is not None
            }
            task = here[0]["task"]
            ends, note = score_intervals(engine, task, condition, profile, metric, subset, values, method)
            for one in here:
                if one["metric"] == metric:
                    one["low"], one["high"] = ends.get(one["run_id"], (None, None))
            notes |= {note: None} if note else {}
    return list(notes)


def _undefined(numbers: Sequence[Number]) -> list[str]:
    """Return a sentence for each reason why numbers are NULL, with the metrics and runs that it is about."""
    found: dict[tuple, list[Number]] = {}
    for number in numbers:
        if number["value"] is None:
            found.setdefault((number["condition_id"], number["profile_id"], number["reason"]), []).append(number)
    return [
        f"{condition}, {profile}: no {', '.join(dict.fromkeys(one['metric'] for one in of))} of "
        f"{first_few(list(dict.fromkeys(one['run_id'] for one in of)))}: {why}."
        for (condition, profile, why), of in found.items()
    ]


def score_table(relation: "Relation", most: int | None, *, per_topic: bool = False) -> Table:
    """Return scores as a table: the caption has the values that all rows have in common; the run is always in the
    body.
    """
    keys = _TOPIC_KEY if per_topic else _SCORE_KEY
    common = ", ".join(f"case when count(distinct {name}) = 1 then min({name}) end as {name}" for name in keys)
    n_row, *values = relation.aggregate(f"count(*), {common}").fetchall()[0]
    said = {name: value for name, value in zip(keys, values, strict=True) if value is not None and name not in _IN_BODY}
    kept = [name for name in keys if name not in said]
    columns = [*kept, "value", *([] if per_topic else ["n"])]
    rows = (relation if most is None else relation.limit(most)).project(", ".join(columns)).fetchall()
    caption = "; ".join(f"{name.removesuffix('_id')} {value}" for name, value in said.items()) or "Scores"
    if n_row > len(rows):
        caption += (
            f". The first {len(rows)} of {n_row:,} rows: run=, metric=, subset=, weighting=, condition= and profile= "
            f"narrow them"
        )
    heads = [name.removesuffix("_id") for name in columns]
    align = "l" * len(kept) + "r" * (len(columns) - len(kept))
    return Table(heads, rows, f"{caption}.", "tab:scores", align=align)
