"""Numbers of runs as tables: rows as they are stored, and runs x metrics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from tdtsql.engine.quoting import sql_identifiers, sql_literal
from tdtsql.errors import InvalidQuery, check_known, first_few
from tdtsql.show.numbers import Number, add_intervals, numbers_of
from tdtsql.show.table import (
    PEOPLE,
    Cell,
    RowTable,
    Table,
    better,
    field_cell,
    is_count,
    number_cell,
    pivot,
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
        super().__init__(engine.relation(query))
        self._engine, self._chosen, self._per_topic = engine, chosen, per_topic

    def tables(self, most: int | None = None) -> list[Table]:
        """Return the table of the rows: the caption has the values that all rows have in common; the run is always in
        the body.
        """
        relation, keys = self.relation, _TOPIC_KEY if self._per_topic else _SCORE_KEY
        common = ", ".join(f"case when count(distinct {name}) = 1 then min({name}) end" for name in keys)
        [(n_row, *values)] = relation.aggregate(f"count(*), {common}").fetchall()
        same = dict(zip(keys, values, strict=True))
        kept = [name for name in keys if same[name] is None or name in _IN_BODY]
        columns = [*kept, "value", *([] if self._per_topic else ["n"])]
        rows = (relation if most is None else relation.limit(most)).project(", ".join(columns)).fetchall()
        caption = "; ".join(f"{name.removesuffix('_id')} {same[name]}" for name in keys if name not in kept) or "Scores"
        if n_row > len(rows):
            caption += (
                f". The first {len(rows)} of {n_row:,} rows: run=, metric=, subset=, weighting=, condition= and "
                f"profile= narrow them"
            )
        heads = [name.removesuffix("_id") for name in columns]
        align = "l" * len(kept) + "r" * (len(columns) - len(kept))
        return [Table(heads, rows, f"{caption}.", "tab:scores", align=align)]

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
            names = {f"{name.removesuffix('_id')}s": of for name, of in self._chosen.items()}
            return _run_table(self._engine, numbers_of(self._engine, **names), asked, percent, interval, unit)
        if percent or interval:
            raise InvalidQuery("--percent and --interval are of numbers of runs. Leave out --per-topic.")
        numbers = self.relation if subsets else self.relation.filter("subset = 'all'")
        metrics = _metrics(numbers.project("task, metric").distinct().order("metric").fetchall(), asked)[1]
        keys = ["condition_id", "profile_id", "run_id", "block_id", *(["subset"] if subsets else [])]
        made = RowTable(_wide(numbers, keys, metrics), caption="Numbers of topics.")
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


def _metrics(there: Iterable[tuple[str, str]], asked: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return task -> its metrics that are shown, in order, and those of all tasks: the requested ones, or the summary
    of each task.

    Args:
        there: task and metric of some numbers.
    """
    of_task: dict[str, dict[str, None]] = {task: {} for task in TASKS}
    for task, metric in there:
        of_task[task][metric] = None
    shown = {task: [*asked] if asked else TASKS[task].summary_of(of) for task, of in of_task.items() if of}
    known = {metric for of in of_task.values() for metric in of}
    return shown, [metric for metric in dict.fromkeys(chain(*shown.values())) if metric in known]


def _run_table(
    engine: "Engine", numbers: Sequence[Number], asked: Sequence[str], percent: bool, interval: bool, unit: str | None
) -> RowTable:
    """Return runs as rows and metrics as columns; see `ScoreTable.pivot`."""
    of_task, metrics = _metrics([(one["task"], one["metric"]) for one in numbers], asked)
    numbers = [one for one in numbers if one["metric"] in of_task[one["task"]]]
    remarks: list[str] = []
    if interval:
        ordered = sorted(numbers, key=lambda one: metrics.index(one["metric"]))
        remarks = add_intervals(engine, ordered, _method(unit), asked)
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
    subsets = dict.fromkeys(one["subset"] for one in numbers)
    keys = ["condition_id", "profile_id", "run_id", *(["subset"] if len(subsets) > 1 else [])]
    boards = [list(of) for _, of in groupby(numbers, itemgetter("condition_id", "profile_id"))]
    made = RowTable(
        _wide(
            relation_of(engine, numbers, _NUMBER), keys, metrics, ["", "_low", "_high"] if interval else [""], percent
        ),
        [_board(of, of_task[of[0]["task"]], bool(asked), percent) for of in boards],
    )
    made.remarks, made.tabled = remarks, PEOPLE
    return made


def _board(numbers: Sequence[Number], metrics: Sequence[str], is_asked: bool, percent: bool) -> Table:
    """Return the table of a condition and profile: metrics that none of its runs has are left out."""
    first, defined = numbers[0], [one for one in numbers if one["value"] is not None]
    # unless requested, what is missing only where something is
    found = {one["metric"] for one in numbers if is_asked or one["value"] or not one["metric"].endswith(".n_missing")}
    metrics = [metric for metric in metrics if metric in found]
    metrics = [metric for metric in metrics if metric in {one["metric"] for one in defined}] or metrics
    subsets = list(dict.fromkeys(one["subset"] for one in numbers))
    weighting, best = (
        of.pop() if len(of := {one[name] for one in defined if one["metric"] in metrics}) == 1 else "none"
        for name in ("weighting", "best")
    )
    words = [
        first["condition_id"],
        f"profile {first['profile_id']}",
        _PLAN.get(first["plan"] or ""),
        f"subset {subsets[0]}" if len(subsets) == 1 else None,
        weighting_in_words(weighting, first["task"]) if weighting != "none" else None,
        "in %" if percent else None,
        better(best) if best != "none" else None,
    ]
    key = itemgetter("condition_id", "profile_id", "run_id", "subset", "metric")
    cells, signatures = [], []
    for one in numbers:
        name = f"{one['run_id']} (withdrawn)" if one["withdrawn"] else one["run_id"]
        line = (name, one["subset"]) if len(subsets) > 1 else (name,)
        cells.append((line, one["metric"], field_cell(one, percent=percent, bold=bool(one["is_best"]))))
        if one["metric"] in metrics:
            signatures.append(f"{' '.join(key(one))}: {one['signature']}")
    heads = ("run", "subset", *metrics) if len(subsets) > 1 else ("run", *metrics)
    rows = [
        (*map(Cell, line), *(cell or number_cell(None) for cell in of)) for line, of in pivot(cells, metrics).items()
    ]
    label = f"tab:{slug('-'.join(key(first)[:2]))}"
    return Table(heads, rows, f"{', '.join(filter(None, words))}.", label, "; ".join(signatures), keep=heads)


def _method(unit: str | None) -> "Method":
    from tdtsql.compare.settings import Method  # statistics take longer to import than scores to read

    return Method(unit=unit)


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
