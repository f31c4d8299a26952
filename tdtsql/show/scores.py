"""Numbers of runs as tables: rows as they are stored, and runs x metrics."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from tdtsql.compare.settings import Method
from tdtsql.errors import InvalidQuery
from tdtsql.show.numbers import Number, add_intervals, numbers_of
from tdtsql.show.table import RowTable, Table, relation_of, tables_of, typed_columns, wide_relation

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine

#: what tells scores apart
_SCORE_KEY = "run_id subset metric weighting condition_id profile_id".split()
_TOPIC_KEY = "run_id block_id subset metric condition_id profile_id".split()
#: what is in every body
_IN_BODY = ("run_id", "block_id")
#: what of a number is in a table of runs x metrics
_NUMBER = typed_columns("""
    varchar  condition_id profile_id run_id subset metric
    double   value low high
    bigint   metric_no is_shown is_best
    varchar  name signed setting direction
    boolean  percent
""")


class ScoreTable(RowTable):
    """Rows of report.score, one per number; `pivot` has runs as rows and metrics as columns."""

    def __init__(self, engine: "Engine", query: str, chosen: Mapping[str, Sequence[str]], *, per_topic: bool = False):
        """``chosen``: column -> names that the rows were chosen by; none: all."""
        super().__init__(engine.relation(query))
        self._engine, self.chosen, self._per_topic = engine, chosen, per_topic

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
        return [Table(heads, rows, f"{caption}.", "tab:scores")]

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
        asked, subsets = self.chosen["metric"], self.chosen["subset"]
        names = {f"{name.removesuffix('_id')}s": of for name, of in self.chosen.items()}
        runs = numbers_of(self._engine, **names)
        if not self._per_topic:
            return _run_table(self._engine, runs, asked, percent, interval, unit)
        if percent or interval:
            raise InvalidQuery("--percent and --interval are of numbers of runs. Leave out --per-topic.")
        numbers = self.relation if subsets else self.relation.filter("subset = 'all'")
        known = {metric for (metric,) in numbers.project("metric").distinct().fetchall()}
        metrics = [metric for metric in _metrics(runs) if metric in known]
        keys = ["condition_id", "profile_id", "run_id", "block_id", *(["subset"] if subsets else [])]
        keep = ("run_id", "block_id", *metrics[:1])
        return RowTable(wide_relation(numbers, keys, "metric", metrics), caption="Numbers of topics.", keep=keep)


def _metrics(numbers: Iterable[Number]) -> list[str]:
    """Return the metrics of numbers in their order."""
    return list(dict.fromkeys(one["metric"] for one in sorted(numbers, key=itemgetter("metric_no"))))


def _run_table(
    engine: "Engine", numbers: Sequence[Number], asked: Sequence[str], percent: bool, interval: bool, unit: str | None
) -> RowTable:
    """Return runs as rows and metrics as columns; see `ScoreTable.pivot`."""
    metrics = _metrics(numbers)
    in_order = sorted(numbers, key=itemgetter("metric_no"))
    remarks = add_intervals(engine, in_order, Method(unit=unit), asked) if interval else []
    # sentences on what is NULL, and on runs that are withdrawn
    remarks += dict.fromkeys(one[name] for name in ("missing", "gone") for one in numbers if one[name])
    if not numbers:
        remarks.append(
            "No number under these names. `tdtsql run list` shows the runs, `tdtsql score --long` all numbers, "
            "--per-topic those that only topics have."
        )
    is_one = len({one["subset"] for one in numbers}) <= 1
    ends = ["", "_low", "_high"] if interval else [""]
    keys = ["condition_id", "profile_id", "run_id", *([] if is_one else ["subset"])]
    rows = relation_of(engine, [one | {"percent": percent} for one in numbers], _NUMBER)
    wide = wide_relation(rows, keys, "metric", metrics, ends, percent)
    return RowTable(wide, tables_of(rows, "scores"), remarks=remarks)
