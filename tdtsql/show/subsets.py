"""Subsets of scored trials x runs: a number, and beside it the bootstrap interval where draws were made
(`tdtsql.trials.subsets`).
"""

from collections import Counter
from collections.abc import Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.show.table import (
    HEADS,
    Cell,
    RowTable,
    Table,
    best_value,
    better,
    field_units,
    number_cell,
    pivot,
    relation_of,
    slug,
    typed_columns,
)
from tdtsql.trials.subsets import Line, Setting

#: columns of numbers in subsets
_SUBSETS = typed_columns("""
    varchar  subset run_id
    double   value low high
    bigint   n_target n_nontarget
    varchar  reason condition_id profile_id metric
    double   level
    varchar  unit
    bigint   n_unit n_resample seed
""")


class SubsetTable(RowTable):
    """Numbers of runs in subsets with their intervals: a relation, which is a table of subsets x runs for a paper
    too.
    """

    def __init__(self, engine: Engine, setting: Setting, lines: Sequence[Line], by: str = ""):
        """``by``: an attribute, or two between a comma; empty: all."""
        self._setting, self._by = setting, [name.strip() for name in by.split(",")]
        self._lines = sorted(lines, key=lambda line: (line.subset != "all", line.subset, line.run))
        self._best = engine.value("select min(best) from registry.metric where metric = ?", [setting.metric])
        of_all = {"condition_id": setting.condition, "profile_id": setting.profile}
        rows = [
            vars(setting) | of_all | vars(line) | {"run_id": line.run, "reason": line.reason or None}
            for line in self._lines
        ]
        super().__init__(
            relation_of(engine, rows, _SUBSETS),
            lambda most: self._crossed(*self._by) if len(self._by) == 2 else [self._by_run()],
        )

    def _cells(self, *, has_best: bool = False) -> dict[tuple[str, str], Cell]:
        """Return (subset, run) -> its number with its interval in brackets; ``has_best``: the best one in bold."""
        of: dict[str, list[float | None]] = {}
        for line in self._lines:
            of.setdefault(line.subset, []).append(line.value)
        tops = {subset: best_value(values, self._best) if has_best else None for subset, values in of.items()}
        return {
            (line.subset, line.run): number_cell(
                line.value,
                (line.low, line.high),
                bold=line.value is not None and line.value == tops[line.subset],
                **field_units(self._setting.metric),
            )
            for line in self._lines
        }

    def _caption(self, of: str = "") -> str:
        setting = self._setting
        metric = f"{HEADS.get(setting.metric, setting.metric)} ({better(self._best)})"
        return f"{metric}{of} on {setting.condition} under {setting.profile}, pooled over the trials"

    def _by_run(self) -> Table:
        """Return a line per subset and a column per run."""
        cells, runs = self._cells(has_best=True), list(dict.fromkeys(line.run for line in self._lines))
        counts = {line.subset: (line.n_target, line.n_nontarget) for line in self._lines}
        lines = pivot(((subset, run, cell) for (subset, run), cell in cells.items()), runs)
        rows = [(Cell(subset), *counts[subset], *of) for subset, of in lines.items()]
        best = " Best of a line in bold." if len(runs) > 1 else ""
        caption = " ".join([f"{self._caption()} of a subset.{best}", *self._notes()])
        heads = ("subset", "targets", "non-targets", *runs)
        return Table(heads, rows, caption, f"tab:subsets-{slug(self._setting.metric)}")

    def _crossed(self, first: str, second: str) -> list[Table]:
        """Return a table per run: values of one attribute as rows, of the other as columns, and both margins."""
        tables: dict[str, list[tuple[str, str, Cell]]] = {}
        for (subset, run), cell in self._cells().items():
            line, _, column = subset.partition(f",{second}=")
            if subset.startswith(f"{second}="):
                line, column = "all", subset.removeprefix(f"{second}=")
            tables.setdefault(run, []).append((line.removeprefix(f"{first}="), column or "all", cell))
        return [
            Table(
                (f"{first} \\ {second}", *(columns := dict.fromkeys(column for _, column, _ in cells))),
                [(Cell(line), *of) for line, of in pivot(cells, list(columns)).items()],
                f"{self._caption(f' of {run}')} of both.",
                f"tab:{slug(f'{run}-{first}-{second}')}",
            )
            for run, cells in tables.items()
        ]

    def _notes(self) -> list[str]:
        """Return sentences on the table: the draws with their seed, what has no interval and why."""
        setting, notes = self._setting, []
        if any(line.low is not None for line in self._lines):
            drawn = f"{setting.n_unit:,} clusters of trials (by {setting.unit}), each whole"
            if setting.unit == "trial":
                drawn = f"{setting.n_unit:,} trials"
            notes.append(
                f"{setting.level * 100:g} % intervals: percentiles of {setting.n_resample:,} resamples of {drawn}, "
                f"with replacement, the same resamples for all runs and subsets (seed {setting.seed})."
            )
        elif not setting.n_resample:
            notes.append("Without intervals: no resamples. `tdtsql stats subsets --resamples 1000` makes them.")
        reasons = Counter(
            line.reason for line in self._lines if setting.n_resample and line.low is None and line.reason
        )
        return notes + [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]
