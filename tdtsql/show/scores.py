"""Numbers of runs as tables: rows as they are stored, and runs x metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from tdtsql.engine.quoting import sql_identifiers, sql_literal
from tdtsql.errors import InvalidQuery, check_known, first_few
from tdtsql.show.numbers import Number, add_intervals, numbers_of
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
    typed_columns,
)
from tdtsql.task import TASKS, weighting_in_words

if TYPE_CHECKING:
    from tdtsql.compare.settings import Method
    from tdtsql.engine.duckdb import Engine, Relation

#: what tells scores apart
_SCORE_KEY = "run_id subset metric weighting condition_id profile_id".split()
_TOPIC_KEY = "run_id block_id subset metric condition_id profile_id".split()
#: what is in every body
_IN_BODY = ("run_id", "block_id")
#: what a caption says of a condition of the evaluation plan
_PLAN = {"required": "required by the plan", "other": "not required by the plan"}
#: what of a number is in a table of runs x metrics
_NUMBER = typed_columns("""
    varchar  condition_id profile_id run_id subset metric
    double   value low high
""")


class ScoreTable(RowTable):
    """Rows of report.score, one per number; `pivot` has runs as rows and metrics as columns."""

    def __init__(self, engine: "Engine", query: str, chosen: Mapping[str, Sequence[str]], *, per_topic: bool = False):
        """``chosen``: column -> names that the rows were chosen by; none: all."""
        found = engine.relation(query)
        super().__init__(found, lambda most: [score_table(found, most, per_topic=per_topic)])
        self._engine, self._chosen, self._per_topic = engine, chosen, per_topic

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
        asked, subsets = self._chosen["metric"], self._chosen["subset"]
        if not self._per_topic:
            return _run_table(self._engine, self._numbers(), asked, percent, _method(unit) if interval else None)
        if percent or interval:
            raise InvalidQuery("--percent and --interval are of numbers of runs. Leave out --per-topic.")
        numbers = self.relation if subsets else self.relation.filter("subset = 'all'")
        shown = numbers.project("task, metric").distinct().order("metric").fetchall()
        metrics = _metrics([{"task": task, "metric": metric} for task, metric in shown], asked)
        keys = ["condition_id", "profile_id", "run_id", "block_id", *(["subset"] if subsets else [])]
        made = plain(_wide(numbers, keys, metrics), "Numbers of topics.")
        made.keep = ("run_id", "block_id", *metrics[:1])
        return made

    def paper(self, *, baseline: str | None = None, interval: bool = True, unit: str | None = None) -> RowTable:
        """Return the table of a paper for each condition and profile: runs in order of rank, metrics by the names of
        the field (an EER in per cent) with 95 % intervals; runs that share a letter do not differ significantly.

        Args:
            baseline: a run whose row comes first.
            unit: what is drawn, as `Store.compare` has it.

        Raises:
            UnknownName: the baseline is not among the runs.
        """
        from tdtsql.show.leaderboard import leaderboards, paper

        chosen, runs = self._chosen, self._chosen["run_id"]
        boards = leaderboards(
            self._engine,
            condition=chosen["condition_id"] or None,
            profile=chosen["profile_id"] or None,
            subset=chosen["subset"] or None,
            method=_method(unit),
            intervals=interval,
            beside=chosen["metric"],
        )
        boards = [
            replace(board, runs=[run for run in board.runs if not runs or run["run_id"] in [*runs, baseline]])
            for board in boards
        ]
        if baseline is not None:
            check_known("run", baseline, sorted({run["run_id"] for board in boards for run in board.runs}))
        return paper(self._engine, [board for board in boards if board.runs], baseline)

    def _numbers(self) -> list[Number]:
        """Return a number for each run and metric that is shown."""
        names = ("run_id", "condition_id", "profile_id", "metric", "subset", "weighting")
        numbers = numbers_of(self._engine, **{f"{name.removesuffix('_id')}s": self._chosen[name] for name in names})
        wanted = {
            task: _metrics([row for row in numbers if row["task"] == task], self._chosen["metric"])
            for task in {row["task"] for row in numbers}
        }
        return [row for row in numbers if row["metric"] in wanted[row["task"]]]


def _run_table(
    engine: "Engine", numbers: Sequence[Number], asked: Sequence[str], percent: bool, drawn: "Method | None"
) -> RowTable:
    """Return runs as rows and metrics as columns; ``drawn``: how intervals are drawn, None: without."""
    metrics = _metrics(numbers, asked)
    remarks = (
        add_intervals(engine, sorted(numbers, key=lambda one: metrics.index(one["metric"])), drawn, asked)
        if drawn
        else []
    )
    # a sentence for each reason why numbers are NULL, with the metrics and runs that it is about
    reasons: dict[tuple[str, ...], list[Number]] = {}
    for one in numbers:
        if one["value"] is None:
            reasons.setdefault((one["condition_id"], one["profile_id"], one["reason"]), []).append(one)
    remarks += [
        f"{condition}, {profile}: no {', '.join(dict.fromkeys(one['metric'] for one in of))} of "
        f"{first_few(list(dict.fromkeys(one['run_id'] for one in of)))}: {why}."
        for (condition, profile, why), of in reasons.items()
    ]
    withdrawn = {(one["condition_id"], one["run_id"], one["withdrawn"]) for one in numbers if one["withdrawn"]}
    remarks += [f"{where}: {run} is withdrawn ({why})." for where, run, why in sorted(withdrawn)]
    if not numbers:
        remarks.append(
            "No number under these names. `tdtsql run list` shows the runs, `tdtsql score --long` all numbers."
        )
    keys = [
        "condition_id",
        "profile_id",
        "run_id",
        *(["subset"] if len({one["subset"] for one in numbers}) > 1 else []),
    ]
    boards = [list(of) for _, of in groupby(numbers, itemgetter("condition_id", "profile_id"))]
    made = RowTable(
        _wide(relation_of(engine, numbers, _NUMBER), keys, metrics, ["", "_low", "_high"] if drawn else [""], percent),
        lambda most: [_board(of, asked, percent, most) for of in boards],
    )
    made.remarks, made.tabled = remarks, PEOPLE
    return made


def _board(numbers: Sequence[Number], asked: Sequence[str], percent: bool, most: int | None) -> Table:
    """Return the table of a condition and profile: metrics that none of its runs has are left out."""
    first, metrics = numbers[0], _metrics(numbers, asked)
    condition, profile = first["condition_id"], first["profile_id"]
    if not asked:  # of what is missing only where something is
        found = {one["metric"] for one in numbers if one["value"]}
        metrics = [metric for metric in metrics if not metric.endswith(".n_missing") or metric in found]
    defined = {one["metric"] for one in numbers if one["value"] is not None}
    metrics = [metric for metric in metrics if metric in defined] or metrics
    shown = [one for one in numbers if one["metric"] in metrics]
    subsets = list(dict.fromkeys(one["subset"] for one in numbers))
    weighting, best = (
        of.pop() if len(of := {one[name] for one in shown if one["value"] is not None}) == 1 else "none"
        for name in ("weighting", "best")
    )
    words = [
        condition,
        f"profile {profile}",
        _PLAN.get(first["plan"] or ""),
        f"subset {subsets[0]}" if len(subsets) == 1 else None,
        weighting_in_words(weighting, first["task"]) if weighting != "none" else None,
        "in %" if percent else None,
        better(best) if best != "none" else None,
    ]
    lines: dict[tuple[str, ...], list[Cell | None]] = pivot(
        (
            (
                (
                    one["run_id"] + (" (withdrawn)" if one["withdrawn"] else ""),
                    *([one["subset"]] if subsets[1:] else []),
                ),
                one["metric"],
                _cell(one, percent),
            )
            for one in numbers
        ),
        metrics,
    )
    heads = ("run", *(["subset"] if subsets[1:] else []), *metrics)
    key = itemgetter("condition_id", "profile_id", "run_id", "subset", "metric")
    return Table(
        heads,
        [(*map(Cell, key), *(cell or number_cell(None) for cell in cells)) for key, cells in lines.items()][:most],
        f"{', '.join(filter(None, words))}.",
        f"tab:{slug(f'{condition}-{profile}')}",
        "; ".join(f"{' '.join(key(one))}: {one['signature']}" for one in shown),
        keep=heads,
    )


def _cell(number: Number, percent: bool) -> Cell:
    metric, value = number["metric"], number["value"]
    is_whole = is_count(metric) and (value is None or value == int(value))
    decimals = 0 if is_whole else DECIMALS - 2 if percent else DECIMALS
    scale = 100 if percent and not is_count(metric) else 1
    ends = (number["low"], number["high"])
    return number_cell(value, ends, scale=scale, decimals=decimals, bold=bool(number["is_best"]))


def _method(unit: str | None) -> "Method":
    from tdtsql.compare.settings import Method  # statistics take longer to import than scores to read

    return Method(unit=unit)


def _metrics(numbers: Sequence[Number], asked: Sequence[str]) -> list[str]:
    """Return the metrics of some numbers that are shown: those requested, or the summary of each task."""
    there = dict.fromkeys(number["metric"] for number in numbers)
    if asked:
        return [metric for metric in dict.fromkeys(asked) if metric in there]
    by_task = {task: dict.fromkeys(one["metric"] for one in numbers if one["task"] == task) for task in TASKS}
    return list(dict.fromkeys(metric for task, of in by_task.items() if of for metric in TASKS[task].summary_of(of)))


def _wide(
    numbers: "Relation", keys: Sequence[str], metrics: Sequence[str], ends: Sequence[str] = ("",), percent: bool = False
) -> "Relation":
    """Return a row for each value of the keys, and for each metric a column of its number, and of what is at its
    ``ends``.
    """
    columns = [
        f"any_value({end[1:] or 'value'}) filter (metric = {sql_literal(metric)})"
        f"{' * 100' if percent and not is_count(metric) else ''} as {sql_identifiers([metric + end])}"
        for metric in metrics
        for end in ends
    ]
    names = ", ".join(keys)
    found = numbers.project("*, row_number() over () as place").aggregate(
        ", ".join([names, "min(place) as place", *columns]), names
    )
    return found.order("place").project("* exclude (place)")


def score_table(relation: "Relation", most: int | None, *, per_topic: bool = False) -> Table:
    """Return scores as a table: the caption has the values that all rows have in common; the run is always in the
    body.
    """
    keys = _TOPIC_KEY if per_topic else _SCORE_KEY
    common = ", ".join(f"case when count(distinct {name}) = 1 then min({name}) end" for name in keys)
    [(n_row, *values)] = relation.aggregate(f"count(*), {common}").fetchall()
    same = {name: value for name, value in zip(keys, values, strict=True) if value is not None and name not in _IN_BODY}
    kept = [name for name in keys if name not in same]
    columns = [*kept, "value", *([] if per_topic else ["n"])]
    rows = (relation if most is None else relation.limit(most)).project(", ".join(columns)).fetchall()
    caption = "; ".join(f"{name.removesuffix('_id')} {value}" for name, value in same.items()) or "Scores"
    if n_row > len(rows):
        caption += (
            f". The first {len(rows)} of {n_row:,} rows: run=, metric=, subset=, weighting=, condition= and profile= "
            f"narrow them"
        )
    heads = [name.removesuffix("_id") for name in columns]
    align = "l" * len(kept) + "r" * (len(columns) - len(kept))
    return Table(heads, rows, f"{caption}.", "tab:scores", align=align)
