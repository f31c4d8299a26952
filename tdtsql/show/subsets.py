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
    relation_of,
    shown_values,
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
        self._setting = setting
        self._of = {(line.subset, line.run): line for line in sorted(lines, key=_order)}
        self._best = engine.value("select min(best) from registry.metric where metric = ?", [setting.metric])
        columns = {
            name: [getattr(line if hasattr(line, key) else setting, key) for line in self._of.values()]
            for name, key in ((name, name.removesuffix("_id")) for name in _SUBSETS)
        }
        columns["reason"] = [reason or None for reason in columns["reason"]]
        crossed = [name.strip() for name in by.split(",")]
        super().__init__(
            relation_of(engine, columns, _SUBSETS),
            lambda most: self._crossed(*crossed) if len(crossed) == 2 else [self._by_run()],
        )

    @property
    def _runs(self) -> list[str]:
        return list(dict.fromkeys(run for _, run in self._of))

    def _caption(self, of: str = "") -> str:
        setting = self._setting
        metric = f"{HEADS.get(setting.metric, setting.metric)} ({better(self._best)})"
        return f"{metric}{of} on {setting.condition} under {setting.profile}, pooled over the trials"

    def _cell(self, subset: str, run: str, top: float | None = None) -> Cell:
        """Return a number with its interval in brackets."""
        line = self._of[subset, run]
        value, low, high = shown_values(self._setting.metric, line.value, line.low, line.high)
        is_best = line.value is not None and line.value == top
        return Cell(value if line.low is None else f"{value} [{low}, {high}]", bold=is_best, is_number=True)

    def _by_run(self) -> Table:
        """Return a line per subset and a column per run."""
        rows = []
        for subset in dict.fromkeys(subset for subset, _ in self._of):
            of_runs = [self._of[subset, run] for run in self._runs]
            top = best_value([line.value for line in of_runs], self._best)
            cells = [self._cell(subset, run, top) for run in self._runs]
            rows.append((Cell(subset), of_runs[0].n_target, of_runs[0].n_nontarget, *cells))
        best = " Best of a line in bold." if len(self._runs) > 1 else ""
        caption = " ".join([f"{self._caption()} of a subset.{best}", *self._notes()])
        label = f"tab:subsets-{slug(self._setting.metric)}"
        return Table(("subset", "targets", "non-targets", *self._runs), rows, caption, label)

    def _crossed(self, first: str, second: str) -> list[Table]:
        """Return a table per run: values of one attribute as rows, of the other as columns, and both margins."""

        def values(name: str) -> list[str]:
            is_own = (subset for subset, _ in self._of if subset.startswith(f"{name}=") and f",{second}=" not in subset)
            return ["all", *dict.fromkeys(is_own)]

        def product(line: str, column: str) -> str:
            return column if line == "all" else line if column == "all" else f"{line},{column}"

        columns = values(second)
        return [
            Table(
                (f"{first} \\ {second}", *(column.removeprefix(f"{second}=") for column in columns)),
                [
                    (Cell(line.removeprefix(f"{first}=")), *(self._cell(product(line, one), run) for one in columns))
                    for line in values(first)
                ],
                f"{self._caption(f' of {run}')} of both.",
                f"tab:{slug(f'{run}-{first}-{second}')}",
            )
            for run in self._runs
        ]

    def _notes(self) -> list[str]:
        """Return sentences on the table: the draws with their seed, what has no interval and why."""
        setting, lines, notes = self._setting, self._of.values(), []
        if any(line.low is not None for line in lines):
            drawn = f"{setting.n_unit:,} clusters of trials (by {setting.unit}), each whole"
            if setting.unit == "trial":
                drawn = f"{setting.n_unit:,} trials"
            notes.append(
                f"{setting.level * 100:g} % intervals: percentiles of {setting.n_resample:,} resamples of {drawn}, "
                f"with replacement, the same resamples for all runs and subsets (seed {setting.seed})."
            )
        elif not setting.n_resample:
            notes.append("Without intervals: no resamples. `tdtsql stats subsets --resamples 1000` makes them.")
        reasons = Counter(line.reason for line in lines if setting.n_resample and line.low is None and line.reason)
        return notes + [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]


def _order(line: Line) -> tuple[bool, str, str]:
    return line.subset != "all", line.subset, line.run
