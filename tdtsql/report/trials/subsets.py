"""Subsets of scored trials x runs: a number, and below it the bootstrap interval where draws were made
(`tdtsql.trials.subsets`).
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from tdtsql.engine.duckdb import Engine
from tdtsql.progress import Progress, silent
from tdtsql.show.table import RowTable, relation_of
from tdtsql.show.table import HEADS, Cell, Table, best_value, better, shown_values, slug, typed_columns
from tdtsql.trials.subsets import Line, Setting, subset_table

#: default resamples of the intervals of an HTML report
DRAWS = 200
#: trials times runs of a condition up to which intervals are computed by default: more take longer than the rest of the
#: report
MOST_DRAWN = 500_000
#: an attribute with more values has a table, drawings and curves only on request
MOST_VALUES = 20


@dataclass(frozen=True)
class SubsetGrid:
    """One number of a condition's runs in every subset."""

    setting: Setting  #: n_resample 0: no intervals
    best: str  #: lowest, highest or none
    lines: list[Line]  #: of each subset, all first, a line per run
    left_out: list[tuple[str, int]] = field(default_factory=list)  #: attribute, its values: too many for this table

    @property
    def runs(self) -> list[str]:
        return sorted({line.run for line in self.lines})

    @property
    def named(self) -> str:
        """The metric as captions name it."""
        return HEADS.get(self.setting.metric, self.setting.metric)

    def of(self, runs: Collection[str]) -> "SubsetGrid":
        """Return the table of some of its runs."""
        return replace(self, lines=[line for line in self.lines if line.run in runs])

    @property
    def table(self) -> Table:
        """A line per subset and a column per run: the number, and its interval in brackets."""
        setting, of = self.setting, {(line.subset, line.run): line for line in self.lines}
        rows = []
        for subset in dict.fromkeys(line.subset for line in self.lines):
            of_runs = [of[subset, run] for run in self.runs]
            top = best_value([line.value for line in of_runs], self.best)
            cells = [
                number_cell(setting.metric, line, bold=line.value is not None and line.value == top) for line in of_runs
            ]
            rows.append((Cell(subset), of_runs[0].n_target, of_runs[0].n_nontarget, *cells))
        caption = (
            f"{self.named} ({better(self.best)}) on {setting.condition} under {setting.profile}, pooled over the "
            f"trials of a subset.{' Best of a line in bold.' if len(self.runs) > 1 else ''}"
        )
        return Table(
            ("subset", "targets", "non-targets", *self.runs),
            rows,
            " ".join([caption, *self.notes()]),
            f"tab:subsets-{slug(setting.metric)}",
        )

    def crossed_tables(self, first: str, second: str) -> list[Table]:
        """Return a table per run: values of one attribute as rows, of the other as columns, and both margins."""
        setting, of = self.setting, {(line.subset, line.run): line for line in self.lines}

        def of_attribute(name: str) -> list[str]:
            known = [subset for subset, _ in of if subset.startswith(f"{name}=") and not subset.startswith(f"{name}=,")]
            return ["all", *dict.fromkeys(subset for subset in known if f",{second}=" not in subset)]

        def cell(line: str, column: str, run: str) -> Cell:
            name = column if line == "all" else line if column == "all" else f"{line},{column}"
            return number_cell(setting.metric, of[name, run])

        lines, columns = of_attribute(first), of_attribute(second)
        return [
            Table(
                (f"{first} \\ {second}", *(column.removeprefix(f"{second}=") for column in columns)),
                [
                    (Cell(line.removeprefix(f"{first}=")), *(cell(line, column, run) for column in columns))
                    for line in lines
                ],
                f"{self.named} ({better(self.best)}) of {run} on {setting.condition} under {setting.profile}, "
                "pooled over the trials of both.",
                f"tab:{slug(f'{run}-{first}-{second}')}",
            )
            for run in dict.fromkeys(line.run for line in self.lines)
        ]

    def notes(self) -> list[str]:
        """Return sentences on the table: the draws with their seed, what has no interval and why, what is left out."""
        setting = self.setting
        notes = []
        if any(line.low is not None for line in self.lines):
            drawn = (
                f"{setting.n_unit:,} trials"
                if setting.unit == "trial"
                else f"{setting.n_unit:,} clusters of trials (by {setting.unit}), each whole"
            )
            notes.append(
                f"{setting.level * 100:g} % intervals: percentiles of {setting.n_resample:,} resamples of {drawn}, "
                f"with replacement, the same resamples for all runs and subsets (seed {setting.seed})."
            )
        elif not setting.n_resample:
            notes.append(
                "Without intervals: no resamples. `tdtsql report make --resamples 200` or `tdtsql stats subsets` "
                "makes them."
            )
        reasons = Counter(line.reason for line in self.lines if setting.n_resample and line.low is None and line.reason)
        notes += [f"{count} without an interval: {reason}." for reason, count in sorted(reasons.items())]
        notes += [
            f"Attribute {name} has {n_value:,} values: `tdtsql stats subsets --by {name}` prints its table."
            for name, n_value in self.left_out
        ]
        return notes


def number_cell(metric: str, line: Line, *, bold: bool = False) -> Cell:
    """Return a number with its interval in brackets."""
    value, low, high = shown_values(metric, line.value, line.low, line.high)
    return Cell(value if line.low is None else f"{value} [{low}, {high}]", bold=bold, is_number=True)


def attributes_of(store: Engine, condition: str) -> dict[str, int]:
    """Return attribute -> how many values of it are subsets, by name; without those whose one value all trials have."""
    return dict(
        store.rows(
            """
        select attribute, count(distinct subset) as n_value
        from base.verification_attribute as attribute
            join registry.condition as condition on condition.condition_no = attribute.condition_no
            left join base.subset as subset on subset.condition_no = attribute.condition_no
                and subset = attribute || '=' || value
        where condition_id = ?
        group by attribute
        having count(distinct subset) > 1 or count(distinct subset) = 1 and count(subset) < count(*)
        order by attribute""",
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
    store: Engine, setting: Setting, *, best: str, by: Collection[str] | None = None, progress: Progress = silent
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
    left_out = [(name, n_value) for name, n_value in known.items() if by is None and n_value > MOST_VALUES]
    return SubsetGrid(made, best, lines, left_out) if any(line.subset != "all" for line in lines) else None


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

    def __init__(self, engine: Engine, setting: Setting, lines: list[Line], by: str = ""):
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
