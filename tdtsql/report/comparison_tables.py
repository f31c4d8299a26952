"""Comparisons, leaderboards and grids of subsets as results (`tdtsql.report.results`).

Best bold, significance marked, and a caption that names the test, the correction and the family, so that a table can
stand alone.
"""

import math
from typing import TYPE_CHECKING

from tdtsql.report.comparing import SIGNIFICANT, Compared, ComparedRuns
from tdtsql.report.leaderboard import COLUMNS, Leaderboard, as_columns
from tdtsql.report.results import RowTable, relation_of
from tdtsql.report.tables import (
    DECIMALS,
    HEADS,
    MARKS,
    SIGNS,
    UNDEFINED,
    Cell,
    Table,
    best_value,
    better,
    fixed,
    shown_values,
    slug,
    typed_columns,
)
from tdtsql.report.trials.comparing import shown_row
from tdtsql.report.trials.subsets import SubsetGrid
from tdtsql.task import weighting_in_words
from tdtsql.trials.subsets import Setting

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Engine
    from tdtsql.trials.subsets import Line


class Comparison(RowTable):
    """Runs compared with each other: a relation with one row per (run, baseline), which is a table for a paper too."""

    def __init__(self, engine: "Engine", made: Compared):
        rows, kinds = made.rows(), made.columns
        columns = {name: [row[name] for row in rows] for name in kinds}
        super().__init__(relation_of(engine, columns, kinds), lambda most: [comparison_table(made)])
        self.signature = made.signature


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


def trial_table(compared: Compared) -> Table:
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


def comparison_table(compared: Compared) -> Table:
    """Return runs with their mean, the difference from each baseline, its interval, win/tie/loss and p."""
    if not isinstance(compared, ComparedRuns):
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


def _caption(compared: Compared, marked: str = "") -> str:
    """Return what is compared, and how."""
    setting = compared.setting
    return (
        f"{setting.metric} ({better(setting.best)}) on {setting.condition}, subset {setting.subset}, profile "
        f"{setting.profile}. {marked}{' '.join([_sentence(compared.method_in_words()), *compared.notes()])}"
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
        value = shown_values(board.metric, run.value, *ends)
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
