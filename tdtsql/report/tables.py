"""Scores, comparisons and leaderboards as tables for papers and notebooks: LaTeX (booktabs), markdown, HTML.

Best bold, significance marked, and a caption that names the test, the
correction, the family and the signature, so that a table can stand alone.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from tdtsql.errors import shown, visible
from tdtsql.report.comparing import SIGNIFICANT, ComparedRuns, method_in_words, notes
from tdtsql.report.trials.comparing import ComparedTrials, shown_row

if TYPE_CHECKING:
    from tdtsql.engine.duckdb import Relation

#: marks of the first, second ... baseline
MARKS = ("dagger", "ddagger", "S", "P")
_SIGNS = {"dagger": "†", "ddagger": "‡", "S": "§", "P": "¶"}

#: rows of a table that a notebook shows
MOST_SHOWN = 60
#: what tells scores apart
_SCORE_KEY = ("run_id", "subset", "metric", "weighting", "condition_id", "profile_id")

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "§": r"\S{}",
    "¶": r"\P{}",
    "–": "--",
    "…": r"\ldots{}",
}

#: what begins a cell, code, a link or HTML in markdown, or takes that away
_MARKDOWN = re.compile(r"[\\|`<\[]")


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry: its text, and how it is set."""

    text: str
    bold: bool = False
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table that stands alone."""

    header: tuple[str, ...]
    align: str  #: l or r per column
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    label: str
    signature: str = (
        ""  #: what the caption of a paper ends with; a notebook shows it where the mouse rests on the caption
    )


def escape_latex(text: str) -> str:
    """Return ``text`` so that LaTeX sets it as it is."""
    return "".join(_SPECIAL.get(letter, letter) for letter in visible(text))


def escape_markdown(text: str) -> str:
    """Return ``text`` so that a cell of a markdown table shows it as it is: no cell, code, link or HTML begins in
    it.
    """
    return _MARKDOWN.sub(r"\\\g<0>", visible(text))


class RowTable:
    """A relation (``.df() .pl() .arrow() .fetchall()``) that is a table for a paper and for a notebook too."""

    def __init__(self, relation: "Relation", table: Callable[[int | None], PaperTable]):
        """``table``: at most so many of its rows (None: all) as a person reads them."""
        self.relation = relation
        self._table = table

    def to_latex(self) -> str:
        """Return the table as a LaTeX float; needs the package booktabs."""
        return latex(self._table(None))

    def to_markdown(self) -> str:
        """Return the table as markdown, the caption below it."""
        return markdown(self._table(None))

    def _repr_html_(self) -> str:
        """Return the table as a notebook shows it."""
        return html(self._table(MOST_SHOWN))

    def __repr__(self) -> str:
        return repr(self.relation)

    def __len__(self) -> int:
        return len(self.relation)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.relation.__arrow_c_stream__(requested_schema)

    def __getattr__(self, name: str):
        # .df() .pl() .arrow() .fetchall() .columns, and all else that relations of the engine can do; not how they show
        # themselves
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.relation, name)


class Comparison(RowTable):
    """Runs compared with each other: a relation with one row per (run, baseline), which is a table for a paper too."""

    def __init__(self, relation: "Relation", made: ComparedRuns | ComparedTrials):
        super().__init__(relation, lambda most: comparison_table(made))
        self.signature = made.signature


class ScoreTable(RowTable):
    """Rows of report.score: a relation, which is a table for a paper too."""

    def __init__(self, relation: "Relation"):
        super().__init__(relation, lambda most: score_table(relation, most))


class SubsetTable(RowTable):
    """Numbers of runs in subsets with their intervals: a relation, which is a table of subsets x runs for a paper
    too.
    """

    def __init__(self, relation: "Relation", best: str):
        super().__init__(relation, lambda most: subset_table(relation, best))


def subset_table(relation: "Relation", best: str, *, digits: int = 4) -> PaperTable:
    """Return a line a subset and a column a run: the number, and its interval in brackets."""
    rows = relation.project(
        "subset, run_id, value, low, high, n_target, n_nontarget, metric, condition_id, profile_id, level, unit, "
        "n_unit, n_resample, seed"
    ).fetchall()
    runs, subsets = sorted({row[1] for row in rows}), list(dict.fromkeys(row[0] for row in rows))
    cell = {row[:2]: row for row in rows}
    lines = []
    for subset in subsets:
        of_runs = [cell[subset, run] for run in runs]
        top = best_value([row[2] for row in of_runs if row[2] is not None], best)
        lines.append(
            (
                Cell(subset),
                Cell(f"{of_runs[0][5]:,}"),
                Cell(f"{of_runs[0][6]:,}"),
                *(
                    Cell(
                        _text(row[2], digits)
                        + ("" if row[3] is None else f" [{_text(row[3], digits)}, {_text(row[4], digits)}]"),
                        bold=row[2] is not None and row[2] == top and len(runs) > 1,
                    )
                    for row in of_runs
                ),
            )
        )
    metric, condition, profile, level, unit, n_unit, n_resample, seed = rows[0][7:]
    drawn = f"{n_unit:,} trials" if unit == "trial" else f"{n_unit:,} clusters of trials (by {unit}), each whole"
    caption = (
        f"{metric} ({_better(best)}) on {condition} under {profile}, all trials of a subset together. "
        f"{'Best of a line in bold. ' if len(runs) > 1 else ''}"
        f"In brackets {level * 100:g} % percentile intervals of {n_resample:,} draws of {drawn}, the same for all "
        f"runs and subsets (seed {seed})."
    )
    return PaperTable(
        ("subset", "targets", "non-targets", *runs),
        "lrr" + "r" * len(runs),
        tuple(lines),
        caption,
        f"tab:subsets-{_slug(metric)}",
    )


def score_table(relation: "Relation", most: int | None) -> PaperTable:
    """Return scores as a table: what all rows have in common is said once, in the caption."""
    wanted = ", ".join((*_SCORE_KEY, "value", "n"))
    rows = relation.project(wanted).fetchall() if most is None else relation.limit(most).project(wanted).fetchall()
    counted = relation.aggregate(
        f"count(*), {', '.join(f'count(distinct {name}), min({name})' for name in _SCORE_KEY)}"
    ).fetchall()[0]
    n_row, kinds = counted[0], dict(zip(_SCORE_KEY, zip(counted[1::2], counted[2::2], strict=True), strict=True))
    kept = [place for place, name in enumerate(_SCORE_KEY) if kinds[name][0] != 1]
    said = [f"{name.removesuffix('_id')} {value}" for name, (n_value, value) in kinds.items() if n_value == 1]
    cells = tuple((*(Cell(row[place]) for place in kept), Cell(shown(row[-2])), Cell(shown(row[-1]))) for row in rows)
    caption = f"{'; '.join(said)}." if said else "Scores."
    if n_row > len(rows):
        caption += (
            f" The first {len(rows)} of {n_row:,} rows: run=, metric=, subset=, weighting=, condition= and profile= "
            f"narrow them."
        )
    return PaperTable(
        (*(_SCORE_KEY[place].removesuffix("_id") for place in kept), "value", "n"),
        "l" * len(kept) + "rr",
        cells,
        caption,
        "tab:scores",
    )


def html(table: PaperTable) -> str:
    """Return the table as HTML without styles of its own."""

    def cell(entry: Cell) -> str:
        text = escape(visible(entry.text)) + "".join(f"<sup>{_SIGNS[mark]}</sup>" for mark in entry.marks)
        return f"<b>{text}</b>" if entry.bold else text

    head = "".join(f"<th>{escape(visible(name))}</th>" for name in table.header)
    rows = "".join("<tr>" + "".join(f"<td>{cell(entry)}</td>" for entry in row) + "</tr>" for row in table.rows)
    title = f' title="{escape(visible(table.signature))}"' if table.signature else ""
    return f"<table><caption{title}>{escape(visible(table.caption))}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _whole_caption(table: PaperTable) -> str:
    return f"{table.caption} Signature: {table.signature}" if table.signature else table.caption


def latex(table: PaperTable) -> str:
    """Return the table as a LaTeX float; needs the package booktabs."""

    def cell(entry: Cell) -> str:
        text = escape_latex(entry.text)
        text = rf"\textbf{{{text}}}" if entry.bold else text
        marks = "".join(rf"\{mark}" for mark in entry.marks)
        return text + (rf"$^{{{marks}}}$" if marks else "")

    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escape_latex(_whole_caption(table))}}}",
        rf"  \label{{{table.label}}}",
        rf"  \begin{{tabular}}{{{table.align}}}",
        r"    \toprule",
        "    " + " & ".join(escape_latex(name) for name in table.header) + r" \\",
        r"    \midrule",
        *("    " + " & ".join(cell(entry) for entry in row) + r" \\" for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def markdown(table: PaperTable) -> str:
    """Return the table as markdown, its caption below."""

    def cell(entry: Cell) -> str:
        text = escape_markdown(entry.text)
        text = f"**{text}**" if entry.bold else text
        return text + "".join(_SIGNS[mark] for mark in entry.marks)

    rule = ["---:" if side == "r" else ":---" for side in table.align]
    lines = ["| " + " | ".join(table.header) + " |", "| " + " | ".join(rule) + " |"]
    lines += ["| " + " | ".join(cell(entry) for entry in row) + " |" for row in table.rows]
    return "\n".join([*lines, "", _whole_caption(table)]) + "\n"


def trial_table(compared: ComparedTrials) -> PaperTable:
    """Return runs with their number, the difference from each baseline, intervals and corrected p."""
    setting, family = compared.setting, compared.family
    caption = (
        f"{setting.metric} ({_better(setting.best)}) on {setting.condition}, subset {setting.subset}, profile "
        f"{setting.profile}. {' '.join([_sentence(method_in_words(compared)), *notes(compared)])}"
    )
    return PaperTable(
        ("run", "against", "value", "difference", "p", "p corrected"),
        "llrrrr",
        tuple(tuple(Cell("" if text is None else str(text)) for text in shown_row(row, family)) for row in family.rows),
        caption,
        f"tab:compare-{_slug(setting.metric)}",
        compared.signature,
    )


def comparison_table(
    compared: ComparedRuns | ComparedTrials, *, level: float = SIGNIFICANT, digits: int = 4
) -> PaperTable:
    """Return runs with their mean, the difference from each baseline, its interval and corrected p."""
    if isinstance(compared, ComparedTrials):
        return trial_table(compared)
    setting, family = compared.setting, compared.family
    baselines = list(dict.fromkeys(row.baseline for row in family.rows))
    means = {run: compared.matrix.values[:, index] for index, run in enumerate(compared.matrix.runs)}
    means = {run: math.fsum(values) / len(values) for run, values in means.items()}
    top = best_value(list(means.values()), setting.best)
    marks: dict[str, tuple[str, ...]] = dict.fromkeys(means, ())
    for row in family.rows:
        if row.p_adjusted < level and len(baselines) <= len(MARKS):
            marks[row.run] += (MARKS[baselines.index(row.baseline)],)

    def run_cells(run: str) -> tuple[Cell, Cell]:
        return Cell(run), Cell(_text(means[run], digits), bold=means[run] == top, marks=marks[run])

    rows = []
    compared_first = {row.run for row in family.rows}
    for run in compared.matrix.runs:
        if run not in compared_first:
            rows.append((*run_cells(run), *(Cell("") for _ in range(5))))
    for row in family.rows:
        rows.append(
            (
                *run_cells(row.run),
                Cell(row.baseline),
                Cell(_text(row.difference, digits, signed=True)),
                Cell(f"[{_text(row.low, digits, signed=True)}, {_text(row.high, digits, signed=True)}]"),
                Cell(f"{row.win}/{row.tie}/{row.loss}"),
                Cell(_text(row.p_adjusted, digits)),
            )
        )
    marked = "; ".join(
        f"{_SIGNS[MARKS[index]]} differs from {name}"
        for index, name in enumerate(baselines)
        if len(baselines) <= len(MARKS)
    )
    caption = (
        f"{setting.metric} ({_better(setting.best)}) on {setting.condition}, subset {setting.subset}, profile "
        f"{setting.profile}. "
        f"Best in bold{f'; {marked} (p < {level:g})' if marked else ''}. "
        f"{' '.join([_sentence(method_in_words(compared)), *notes(compared)])}"
    )
    return PaperTable(
        (
            "run",
            "mean",
            "against",
            "difference",
            f"{family.method.level * 100:g} % interval",
            "win/tie/loss",
            "p corrected",
        ),
        "lrlrrrr",
        tuple(rows),
        caption,
        f"tab:compare-{_slug(setting.metric)}",
        compared.signature,
    )


@dataclass(frozen=True, slots=True)
class RankedRun:
    """One line of a leaderboard."""

    run: str
    value: float | None
    n: int
    letters: str
    withdrawn: str | None = None  #: why it is not ranked


def leaderboard_table(
    title: str, metric: str, best: str, runs: Sequence[RankedRun], *, note: str, signature: str, digits: int = 4
) -> PaperTable:
    """Return ranked runs with their significance groups, and behind them those that were withdrawn."""
    top = best_value([run.value for run in runs if run.value is not None and run.withdrawn is None], best)
    note += "".join(f" Withdrawn: {run.run} ({run.withdrawn})." for run in runs if run.withdrawn is not None)
    rows = tuple(
        (
            Cell("–" if run.withdrawn is not None else str(rank)),
            Cell(run.run),
            Cell(_text(run.value, digits), bold=run.withdrawn is None and run.value is not None and run.value == top),
            Cell(run.letters),
            Cell(str(run.n)),
        )
        for rank, run in enumerate(runs, start=1)
    )
    caption = (
        f"{title}: {metric} ({_better(best)}). Best in bold; runs that share a letter do not differ significantly. "
        f"{_sentence(note)}"
    )
    return PaperTable(
        ("rank", "run", metric, "group", "n"), "rlrlr", rows, caption, f"tab:leaderboard-{_slug(title)}", signature
    )


def best_value(values: Sequence[float], best: str) -> float | None:
    """Return the value at the better end, None where neither end is better."""
    if not values or best == "none":
        return None
    return min(values) if best == "lowest" else max(values)


def _text(value: float | None, digits: int, *, signed: bool = False) -> str:
    if value is None or math.isnan(value):
        return "–"
    if value != 0.0 and abs(value) < 0.5 * 10.0**-digits and not signed:
        return f"<{10.0**-digits:.{digits}f}"
    return f"{value:{'+' if signed else ''}.{digits}f}"


def _better(best: str) -> str:
    return {"lowest": "lower is better", "highest": "higher is better"}.get(best, "neither end is better")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text).strip("-")
