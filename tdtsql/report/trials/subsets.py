"""Subsets of scored trials x runs: a number, and below it the bootstrap interval where draws were made
(`tdtsql.trials.subsets`).
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from tdtsql.engine.duckdb import Engine
from tdtsql.progress import Progress
from tdtsql.report.tables import best_value
from tdtsql.trials.subsets import Line, Setting, subset_table

#: default resamples of the intervals of an HTML report
DRAWS = 200
#: trials times runs of a condition up to which intervals are computed by default: more take longer than the rest of the
#: report
MOST_DRAWN = 500_000
#: an attribute with more values has a table only on request
MOST_VALUES = 40


@dataclass(slots=True)
class SubsetGrid:
    """One number of a condition's runs in every subset."""

    setting: Setting  #: n_resample 0: no intervals
    best: str  #: lowest, highest or none
    runs: list[str]
    lines: dict[str, dict[str, Line]]  #: subset, all first -> run -> number
    left_out: list[tuple[str, int]] = field(default_factory=list)  #: attribute, its values: too many for this table

    def of(self, runs: Collection[str]) -> "SubsetGrid":
        """Return the table of some of its runs."""
        return SubsetGrid(
            self.setting,
            self.best,
            [run for run in self.runs if run in runs],
            {
                subset: {run: line for run, line in of_runs.items() if run in runs}
                for subset, of_runs in self.lines.items()
            },
            self.left_out,
        )

    def top(self, subset: str) -> float | None:
        """Return the best number of a subset."""
        return best_value([line.value for line in self.lines[subset].values()], self.best)

    def notes(self) -> list[str]:
        """Return sentences on the table: the draws with their seed, what has no interval and why, what is left out."""
        setting = self.setting
        notes = []
        lines = [line for of_runs in self.lines.values() for line in of_runs.values()]
        if any(line.low is not None for line in lines):
            drawn = (
                f"{setting.n_unit:,} trials"
                if setting.unit == "trial"
                else f"{setting.n_unit:,} clusters of trials (by {setting.unit}), each whole"
            )
            notes.append(
                f"Below each number its {setting.level * 100:g} % interval: percentiles of {setting.n_resample:,} "
                f"draws of {drawn}, with replacement, the same draws for all runs and subsets "
                f"(seed {setting.seed})."
            )
        elif not setting.n_resample:
            notes.append(
                "Without intervals: no draws were made. `tdtsql report make --resamples 200` or `tdtsql stats subsets` "
                "makes them."
            )
        if setting.n_resample:
            reasons: dict[str, int] = {}
            for line in lines:
                if line.low is None and line.reason:
                    reasons[line.reason] = reasons.get(line.reason, 0) + 1
            notes += [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]
        notes += [
            f"Attribute {name} has {n_value:,} values: `tdtsql stats subsets --by {name}` prints its table."
            for name, n_value in self.left_out
        ]
        return notes


def attributes_of(store: Engine, condition: str) -> dict[str, int]:
    """Return attribute -> how many values of it are subsets, by name."""
    return dict(
        store.rows(
            """
        select attribute, count(distinct value) from base.verification_attribute
            join registry.condition using (condition_no)
        where condition_id = ? and attribute || '=' || value in (select subset from base.subset
        where subset.condition_no = condition.condition_no)
        group by attribute order by attribute""",
            [condition],
        )
    )


def default_draws(store: Engine, condition: str) -> int:
    """Return the default number of resamples of a report."""
    return DRAWS if trials_of_runs(store, condition) <= MOST_DRAWN else 0


def trials_of_runs(store: Engine, condition: str) -> int:
    """Return the trials of a condition times its runs."""
    [(n_trial, n_run)] = store.rows(
        """
        select (select coalesce(sum(n_trial), 0) from base.verification_segment as segment
        where segment.condition_no = condition.condition_no),
            (select count(*) from registry.run as run where run.condition_no = condition.condition_no)
        from registry.condition as condition where condition_id = ?""",
        [condition],
    )
    return n_trial * n_run


def grid_of(
    store: Engine, setting: Setting, *, best: str, by: Collection[str] | None = None, progress: Progress | None = None
) -> SubsetGrid | None:
    """Return the table of a condition's runs; None where it has no subsets but all.

    Args:
        setting: with n_resample 0 the table has no intervals.
        by: attributes whose values are the subsets; None: all that have at most ``MOST_VALUES``.
    """
    known = attributes_of(store, setting.condition)
    chosen = [name for name, n_value in known.items() if n_value <= MOST_VALUES] if by is None else list(by)
    if not chosen:
        return None
    made, lines = subset_table(store, (), setting, by=chosen, progress=progress)
    grid = SubsetGrid(
        made,
        best,
        list(dict.fromkeys(line.run for line in lines)),
        {},
        [(name, n_value) for name, n_value in known.items() if by is None and n_value > MOST_VALUES],
    )
    for line in lines:
        grid.lines.setdefault(line.subset, {})[line.run] = line
    return grid if len(grid.lines) > 1 and grid.runs else None


def has_values(grid: SubsetGrid) -> bool:
    return any(line.value is not None for of_runs in grid.lines.values() for line in of_runs.values())
