"""Numbers of runs as tables: rows as they are stored, and runs x metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from tdtsql.engine.quoting import sql_identifier, sql_literal
from tdtsql.errors import InvalidQuery, check_known, first_few
from tdtsql.show.table import (
    DECIMALS,
    Cell,
    RowTable,
    Table,
    best_value,
    better,
    fixed,
    is_count,
    plain,
    relation_of,
    slug,
)
from tdtsql.task import TASKS, WEIGHTING, weighting_in_words

if TYPE_CHECKING:
    from tdtsql.compare.settings import Method
    from tdtsql.engine.duckdb import Engine, Relation
    from tdtsql.show.leaderboard import Leaderboards

#: weightings in the order in which a table of one number per metric prefers them
WEIGHTINGS = (WEIGHTING, "topic_all", "story", "group", "weight", "none")
#: what tells scores apart
_SCORE_KEY = "run_id subset metric weighting condition_id profile_id".split()
_TOPIC_KEY = "run_id block_id subset metric condition_id profile_id".split()
#: what a caption says of a condition of the evaluation plan
_PLAN = {"required": "required by the plan", "other": "not required by the plan"}

#: one number, as a row of `_numbers`
Number = dict[str, Any]


class ScoreTable(RowTable):
    """Rows of report.score, one per number; `pivot` has runs as rows and metrics as columns."""

    def __init__(self, engine: "Engine", query: str, given: Mapping[str, Sequence[str]], *, per_topic: bool = False):
        """``given``: column -> names that the rows were chosen by; none: all."""
        found = engine.relation(query)
        super().__init__(found, lambda most: [score_table(found, most, per_topic=per_topic)])
        self._engine, self._query, self._given, self._per_topic = engine, query, given, per_topic

    def pivot(
        self,
        *,
        percent: bool = False,
        interval: bool = False,
        unit: str | None = None,
        method: "Method | None" = None,
    ) -> RowTable:
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
        if self._per_topic and (percent or interval):
            raise InvalidQuery("--percent and --interval are of numbers of runs. Leave out --per-topic.")
        if self._per_topic:
            return self._topics()
        if unit is not None:
            from tdtsql.compare.settings import Method

            method = replace(method or Method(), unit=unit)
        return RunTable(self._engine, self._query, self._given, percent, interval, method)

    def paper(
        self,
        *,
        baseline: str | None = None,
        interval: bool = True,
        unit: str | None = None,
        method: "Method | None" = None,
    ) -> "Leaderboards":
        """Return the table of a paper for each condition and profile: runs in order of rank, metrics by the names of
        the field (an EER in per cent) with 95 % intervals; runs that share a letter do not differ significantly.

        Args:
            baseline: a run whose row comes first.
            unit: what is drawn, as `Store.compare` has it.

        Raises:
            UnknownName: the baseline is none of the runs.
        """
        from tdtsql.compare.settings import Method
        from tdtsql.show.leaderboard import Leaderboards, leaderboards

        if unit is not None:
            method = replace(method or Method(), unit=unit)
        runs = self._given["run_id"]
        boards = leaderboards(
            self._engine,
            condition=self._given["condition_id"] or None,
            profile=self._given["profile_id"] or None,
            subset=self._given["subset"] or None,
            method=method,
            intervals=interval,
            beside=self._given["metric"],
        )
        chosen = [
            replace(board, runs=[run for run in board.runs if not runs or run["run_id"] in [*runs, baseline]])
            for board in boards
        ]
        if baseline is not None:
            check_known("run", baseline, sorted({run["run_id"] for board in chosen for run in board.runs}))
        return Leaderboards(self._engine, [board for board in chosen if board.runs], is_paper=True, baseline=baseline)

    def _topics(self) -> RowTable:
        """Return a row per run, topic and subset, and a column per metric."""
        chosen = "true" if self._given["subset"] else "subset = 'all'"
        query = f"select distinct task, metric from ({self._query}) where {chosen} order by metric"
        metrics = _metrics(self._engine.rows(query), self._given["metric"])
        keys = ["condition_id", "profile_id", "run_id", "block_id", *(["subset"] if self._given["subset"] else [])]
        columns = [
            f"any_value(value) filter (metric = {sql_literal(metric)}) as {sql_identifier(metric)}"
            for metric in metrics
        ]
        relation = self._engine.relation(
            f"select {', '.join([*keys, *columns])} from ({self._query}) where {chosen} and metric in "
            f"({', '.join(map(sql_literal, metrics or ['']))}) group by {', '.join(keys)} order by all"
        )
        made = plain(relation, "Numbers of topics.")
        made.keep = ("run_id", "block_id", *metrics[:1])
        return made


class RunTable(RowTable):
    """Runs as rows, metrics as columns."""

    def __init__(
        self,
        engine: "Engine",
        query: str,
        given: Mapping[str, Sequence[str]],
        percent: bool,
        interval: bool,
        method: "Method | None",
    ):
        self.percent, self._asked = percent, given["metric"]
        numbers = _numbers(engine, query, given)
        self._facts = {number["condition_id"]: number for number in numbers}
        self._of = {number["metric"]: number for number in numbers}
        self._there = {(number["condition_id"], number["profile_id"], number["metric"]) for number in numbers}
        self.metrics = _metrics([(number["task"], number["metric"]) for number in numbers], self._asked)
        key = itemgetter("condition_id", "profile_id", "run_id", "subset", "metric")
        self.signatures = {key(number): number["signature"] for number in numbers}
        #: what a reader should know, one sentence each
        self.notes = _add_intervals(engine, numbers, self.metrics, method) if interval else []
        withdrawn = {(one["condition_id"], one["run_id"]): one["withdrawn"] for one in numbers if one["withdrawn"]}
        self._withdrawn = withdrawn.keys()
        self.notes += _undefined(numbers)
        self.notes += [f"{where}: {run} is withdrawn ({why})." for (where, run), why in sorted(withdrawn.items())]
        self.subsets = list(dict.fromkeys(number["subset"] for number in numbers))
        keys = ["condition_id", "profile_id", "run_id", *(["subset"] if len(self.subsets) > 1 else [])]
        suffixes = {"": "value"} | ({"_low": "low", "_high": "high"} if interval else {})
        names = [f"{metric}{suffix}" for metric in self.metrics for suffix in suffixes]
        lines: dict[tuple, dict[str, Any]] = {}
        for number in numbers:
            scale = 100 if percent and not is_count(number["metric"]) else 1
            line = lines.setdefault(tuple(number[name] for name in keys), {name: number[name] for name in keys})
            for suffix, end in suffixes.items():
                value = number.get(end)
                line[f"{number['metric']}{suffix}"] = None if value is None else value * scale
        kinds = dict.fromkeys(keys, "varchar") | dict.fromkeys(names, "double")
        wide = {name: [line.get(name) for line in lines.values()] for name in kinds}
        super().__init__(relation_of(engine, wide, kinds), self._by_condition)

    def _by_condition(self, most: int | None) -> list[Table]:
        """Return a table per condition and profile: metrics that none of its runs has are left out."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.fetchall()[:most]]
        boards = groupby(rows, itemgetter("condition_id", "profile_id"))
        return [self._board(condition, profile, list(of)) for (condition, profile), of in boards]

    def _board(self, condition: str, profile: str, rows: list[dict[str, Any]]) -> Table:
        facts = self._facts[condition]
        task = facts["task"]
        usual = list(self._asked)
        if not usual:  # of what is missing only where something is
            there = [metric for metric in self.metrics if (condition, profile, metric) in self._there]
            usual = [
                metric
                for metric in TASKS[task].summary_of(there)
                if not metric.endswith(".n_missing") or any(row[metric] for row in rows)
            ]
        metrics = [metric for metric in usual if any(row.get(metric) is not None for row in rows)]
        metrics = metrics or [metric for metric in usual if metric in self.metrics]
        subsets = list(dict.fromkeys(row.get("subset") for row in rows))
        ranked = [row for row in rows if (condition, row["run_id"]) not in self._withdrawn]
        top = {
            (metric, subset): best_value(
                [row[metric] for row in ranked if row.get("subset") == subset], self._of[metric]["best"]
            )
            for metric in metrics
            for subset in subsets
        }

        def cell(row: dict[str, Any], metric: str) -> Cell:
            number = row[metric]
            is_whole = is_count(metric) and (number is None or number == int(number))
            digits = 0 if is_whole else DECIMALS - 2 if self.percent else DECIMALS
            ends = [row.get(f"{metric}_{end}") for end in ("low", "high")]
            text = fixed(number, digits)
            text += "" if None in ends else f" [{fixed(ends[0], digits)}, {fixed(ends[1], digits)}]"
            is_best = number is not None and number == top[metric, row.get("subset")] and row in ranked
            return Cell(text, bold=is_best, is_number=True)

        several = len(subsets) > 1
        weightings = {self._of[metric]["weighting"] for metric in metrics}
        directions = {self._of[metric]["best"] for metric in metrics}
        said = [
            condition,
            f"profile {profile}",
            _PLAN.get(facts["plan"] or "") if facts["has_plan"] else None,
            None if several else f"subset {subsets[0] or self.subsets[0]}",
            weighting_in_words(min(weightings), task) if len(weightings) == 1 and weightings != {"none"} else None,
            "in %" if self.percent else None,
            better(min(directions)) if len(directions) == 1 and directions != {"none"} else None,
        ]
        return Table(
            ("run", *(["subset"] if several else []), *metrics),
            [
                (
                    Cell(row["run_id"] + ("" if row in ranked else " (withdrawn)")),
                    *([Cell(row["subset"])] if several else []),
                    *(cell(row, metric) for metric in metrics),
                )
                for row in rows
            ],
            f"{', '.join(filter(None, said))}.",
            f"tab:{slug(f'{condition}-{profile}')}",
        )


def _metrics(found: Sequence[tuple[str, str]], asked: Sequence[str]) -> list[str]:
    """Return the metrics among (task, metric) that are shown: those asked for, or the summary of each task."""
    there = {metric for _, metric in found}
    by_task = {task: dict.fromkeys(metric for of, metric in found if of == task) for task in TASKS}
    usual = [metric for task, names in by_task.items() if names for metric in TASKS[task].summary_of(names)]
    return [metric for metric in dict.fromkeys(asked or usual) if metric in there]


def _numbers(engine: "Engine", query: str, given: Mapping[str, Sequence[str]]) -> list[Number]:
    """Return one number per metric: that of the task's weighting, or of the first of `WEIGHTINGS` that has a value;
    with the task, what the plan says of the condition, the metric's best end and why the run is withdrawn.
    """
    tasks = ", ".join(
        f"({sql_literal(name)}, {sql_literal(task.weighting)}, {task.is_by_trial}, {task.blocks == 'attribute'})"
        for name, task in TASKS.items()
    )
    where = ["true"]
    if not given["subset"]:  # what the blocks are attributes of has no unit over all of them
        where.append("(subset = 'all') <> by_attribute")
    if WEIGHTING not in given["weighting"]:  # trials without blocks have one, whose mean is what is pooled over them
        where.append(f"not (by_trial and n_block <= 1 and score.weighting = '{WEIGHTING}')")
    rows = engine.records(
        f"""
        with score as ({query})
        select condition_id, profile_id, run_id, subset, metric, value, weighting, signature, null_reason, score.task,
            facts.plan, (select bool_or(plan = 'required') from report.condition) as has_plan,
            coalesce(ends.best, 'none') as best, reason as withdrawn
        from score
        join (values {tasks}) as tasks(task, usual, by_trial, by_attribute) using (task)
        join report.condition as facts using (condition_id)
        left join (select metric, min(best) as best from registry.metric group by metric) as ends using (metric)
        left join (
            select condition_id, run_id, reason from registry.withdrawal join registry.run using (run_no)
            join registry.condition using (condition_no)
        ) as gone using (condition_id, run_id)
        where {" and ".join(where)}
        -- an undefined number comes last, unless its weighting was asked for
        qualify row_number() over (partition by condition_id, profile_id, run_id, subset, metric order by
            value is null and {not given["weighting"]}, weighting <> usual, list_position($weightings, weighting)) = 1
        order by condition_id, profile_id, list_position($subsets, subset) nulls last, subset,
            list_position($runs, run_id) nulls last, run_id, metric""",
        {"weightings": list(WEIGHTINGS), "subsets": list(given["subset"]), "runs": list(given["run_id"])},
    )
    found = [(row["task"], row["metric"]) for row in rows]
    wanted = {task: _metrics([pair for pair in found if pair[0] == task], given["metric"]) for task in dict(found)}
    return [row for row in rows if row["metric"] in wanted[row["task"]]]


def _add_intervals(
    engine: "Engine", numbers: Sequence[Number], metrics: Sequence[str], method: "Method | None"
) -> list[str]:
    """Add the ends of the interval of each number that has one, ``low`` and ``high``; return notes on them."""
    from tdtsql.compare.rows import score_intervals
    from tdtsql.compare.settings import Method  # statistics take longer to import than scores to read

    notes: dict[str, None] = {}
    place = itemgetter("condition_id", "profile_id", "subset")
    for where in dict.fromkeys(map(place, numbers)):
        for metric in metrics:
            here = [number for number in numbers if place(number) == where and number["metric"] == metric]
            values = {number["run_id"]: number["value"] for number in here if number["value"] is not None}
            condition, profile, subset = where
            task = next(number["task"] for number in numbers if place(number) == where)
            ends, note = score_intervals(engine, task, condition, profile, metric, subset, values, method or Method())
            for number in here:
                number["low"], number["high"] = ends.get(number["run_id"], (None, None))
            notes |= {note: None} if note else {}
    return list(notes)


def _undefined(numbers: Sequence[Number]) -> list[str]:
    """Return a sentence for each reason why numbers are NULL, with the metrics and runs that it is about."""
    found: dict[tuple, list[Number]] = {}
    for number in numbers:
        if number["value"] is None:
            found.setdefault((number["condition_id"], number["profile_id"], number["null_reason"]), []).append(number)

    def names(those: list[Number], column: str) -> list[str]:
        return list(dict.fromkeys(number[column] for number in those))

    return [
        f"{condition}, {profile}: no {', '.join(names(those, 'metric'))} of {first_few(names(those, 'run_id'))}: {why}."
        for (condition, profile, why), those in found.items()
    ]


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
