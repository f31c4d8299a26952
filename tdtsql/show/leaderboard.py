"""Leaderboards: the runs of a condition by the primary metric of their task, with intervals and significance groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from tdtsql.compare.rows import FEWEST_TOPICS, score_intervals
from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.words import MOST_TRIALS, compare_everything, sentence
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Names, UnknownName, listed
from tdtsql.progress import Progress, silent
from tdtsql.show.section import records
from tdtsql.show.table import (
    HEADS,
    PEOPLE,
    UNDEFINED,
    Cell,
    RowTable,
    Table,
    better,
    field_units,
    number_cell,
    pivot,
    relation_of,
    slug,
    typed_columns,
)
from tdtsql.task import TASKS, weighting_in_words

#: what the runs of a leaderboard have in common
_BOARD = itemgetter("condition_id", "profile_id", "subset", "weighting")
#: columns of leaderboards as rows
COLUMNS = typed_columns("""
    varchar  condition_id profile_id
    bigint   rank
    varchar  run_id metric weighting
    double   value low high
    bigint   n
    varchar  group signature subset withdrawn team alias
""")
#: trials times runs above which Cllr, whose resamples use every trial, has no interval here
MOST_SUMMED = 100_000


@dataclass(frozen=True)
class Leaderboard:
    """The runs of one condition under one profile; where blocks are attributes, those of one attribute."""

    #: rows of the saved query ranking with low, high and group, best first; what is undefined and then what is
    #: withdrawn comes last
    runs: list[dict[str, Any]]
    note: str = ""  #: how groups and intervals were computed
    signature: str = ""  #: of the comparisons, or of the first number
    #: other metrics of a paper's table -> run -> its number and the ends of its interval
    beside: dict[str, dict[str, tuple[float | None, ...]]] = field(default_factory=dict)


def leaderboards(
    store: Engine,
    *,
    condition: Names = None,
    profile: Names = None,
    subset: Names = None,
    method: Method | None = None,
    groups: bool = True,
    intervals: bool = False,
    beside: Sequence[str] | None = None,
    progress: Progress = silent,
) -> list[Leaderboard]:
    """Return one table per condition and profile (and attribute, where these are the blocks), from
    `report.leaderboard`; in the order in which conditions were loaded.

    Args:
        condition, profile, subset: names; none: all.
        beside: other metrics; none: the summary of the task; None: that of scored trials only.

    Raises:
        UnknownName: no such condition or profile, or nothing under these names is up to date.
    """
    chosen = {"conditions": listed(condition), "profiles": listed(profile), "subsets": listed(subset)}
    rows = records(store, "ranking", {name: names or None for name, names in chosen.items()})
    wanted = [name for names in chosen.values() for name in names]
    if wanted and not rows:
        raise UnknownName(f"no run has a number under {', '.join(wanted)}. `tdtsql run list` shows the runs.")
    boards = [list(of) for _, of in groupby(rows, _BOARD)]
    made = []
    for done, runs in enumerate(boards):
        progress(done, len(boards), f"comparing the runs of {runs[0]['condition_id']}")
        made.append(_compared(store, runs, method or Method(), groups, intervals, beside))
    return made


def _compared(
    store: Engine,
    runs: list[dict[str, Any]],
    method: Method,
    groups: bool,
    intervals: bool,
    beside: Sequence[str] | None,
) -> Leaderboard:
    """Return a board with its groups, intervals and other metrics."""
    board = runs[0]
    condition, profile, subset, weighting = _BOARD(board)
    task, primary, is_by_trial = board["task"], board["metric"], TASKS[board["task"]].is_by_trial
    compared, note, others = None, "Groups: off.", {}
    if groups:
        ranked = {name: (condition, name) for name in sorted(run["run_id"] for run in runs if run["withdrawn"] is None)}
        setting = Setting(ranked, task, profile, primary, subset, board["best"], is_by_trial)
        compared, note = compare_everything(store, setting, method)
    letters = compared.groups() if compared else {}

    def ranges(metric: str, values: Mapping[str, float | None]) -> tuple[Mapping[str, tuple[float, float]], str]:
        printed = {run: value for run, value in values.items() if value is not None}
        return score_intervals(store, task, condition, profile, metric, subset, printed, method)

    ends: Mapping[str, tuple[float | None, ...]] = {}
    is_enough = subset == "all" and max(run["n"] for run in runs) >= FEWEST_TOPICS
    if groups if is_by_trial else intervals and is_enough:
        ends, words = ranges(primary, {run["run_id"]: run["value"] for run in runs})
        note += f" {words}" if ends and not is_by_trial else ""
    shown = list(beside or (TASKS[task].summary if is_by_trial or beside is not None else ()))
    for metric in sorted(shown, key=lambda metric: [*HEADS, metric].index(metric)):
        values = dict(
            store.rows(
                "select run_id, value from report.score where condition_id = ? and profile_id = ? and subset = ? and "
                "weighting = ? and metric = ? and value is not null",
                [condition, profile, subset, weighting, metric],
            )
        )
        most = MOST_SUMMED if metric.endswith("cllr") else MOST_TRIALS
        is_drawn = intervals and not (is_by_trial and sum(run["n"] for run in runs) > most)
        drawn = ranges(metric, values)[0] if is_drawn and values else {}
        if values and metric != primary:
            others[metric] = {run: (value, *drawn.get(run, (None, None))) for run, value in values.items()}
    made = []
    for run in runs:
        low, high = ends.get(run["run_id"], (None, None))
        made.append(run | {"group": letters.get(run["run_id"], ""), "low": low, "high": high})
    return Leaderboard(made, note, compared.signature if compared else board["signature"], others)


def topic_matrix(store: Engine, board: Leaderboard) -> Table:
    """Return the primary metric of every run of a leaderboard on every topic: condition_id, profile_id, metric,
    block_id, then the runs, best first; None where a run has no number on a topic.
    """
    first, runs = board.runs[0], [run["run_id"] for run in board.runs]
    place = [first[name] for name in ("condition_id", "profile_id", "metric")]
    values = store.rows(
        "select block_id, run_id, value from report.block_score where condition_id = ? and profile_id = ? and metric = "
        "? and subset = ? order by block_id",
        [*place, first["subset"]],
    )
    blocks: dict[str, list[float | None]] = pivot(values, runs)
    rows = [[*place, block, *of] for block, of in blocks.items()]
    heads = ["condition_id", "profile_id", "metric", "block_id", *runs]
    return Table(heads, rows, f"{', '.join(place[:2])}: {place[2]}")


class Leaderboards(RowTable):
    """Runs of conditions, best first: a relation, which is a table per condition and profile for a paper too."""

    def __init__(
        self,
        engine: Engine,
        boards: list[Leaderboard],
        matrices: Sequence[Table] = (),
        *,
        is_paper: bool = False,
        baseline: str | None = None,
    ):
        """``matrices``: topics x runs, which are shown instead; ``is_paper``, ``baseline``: as `ScoreTable.paper`."""
        self._rows = [run for board in boards for run in board.runs]
        super().__init__(
            relation_of(engine, self._rows, COLUMNS),
            lambda most: list(matrices) or [leaderboard_table(board, is_paper, baseline) for board in boards],
        )
        self.boards, self.matrices = boards, matrices
        self.tabled = PEOPLE if is_paper else ("markdown", "latex")
        self._plain = [] if matrices or is_paper else [board for board in boards if not board.beside]
        self.legend = list(dict.fromkeys(board.note for board in self._plain))
        self.legend += [
            f"{', '.join(_BOARD(run)[:2])}: run {_name(run)} is withdrawn, not ranked: {run['withdrawn']}."
            for board in self._plain
            for run in board.runs
            if run["withdrawn"] is not None
        ]
        named = {f"{run['alias']} is run {run['run_id']}." for board in boards for run in board.runs if run["alias"]}
        self.legend += sorted(named)

    def shown(self, format_: str) -> list[Table]:
        if self.matrices:
            return [table if format_ == "table" else replace(table, caption="") for table in self.matrices]
        if format_ != "table" or format_ in self.tabled:
            return super().shown(format_)
        # boards with several metrics as a paper shows them, and one table of all others
        tables = [
            replace(leaderboard_table(board), keep=("rank", "run", "group")) for board in self.boards if board.beside
        ]
        rows = [run | {"run_id": _name(run)} for board in self._plain for run in board.runs]
        if rows or not tables:
            optional = {name for name in ("low", "high", "team") if not any(row[name] for row in self._rows)}
            last = ["team"] if "team" not in optional else []
            names = [name for name in COLUMNS if name not in ("withdrawn", "alias", "team", *optional)] + last
            keep = ("run_id", "rank", "metric", "value", "group")
            tables.append(Table(names, [[row[name] for name in names] for row in rows], keep=keep))
        return tables


def _name(run: dict[str, Any]) -> str:
    return run["alias"] or run["run_id"]


def leaderboard_table(board: Leaderboard, is_paper: bool = False, baseline: str | None = None) -> Table:
    """Return ranked runs with their significance groups; of boards with several metrics with all of them and their
    intervals, EER in percent.

    Args:
        is_paper: False: only boards of scored trials have intervals.
        baseline: a run whose row comes first, marked as the baseline.
    """
    first, is_paper = board.runs[0], is_paper or bool(board.beside)
    metric, best = first["metric"], better(first["best"])
    ranked = [run for run in board.runs if run["withdrawn"] is None]
    is_several = sum(run["value"] is not None for run in ranked) > 1 and first["best"] != "none"
    rows = []
    for run in sorted(board.runs, key=lambda run: run["run_id"] != baseline):
        others = [(name, of.get(run["run_id"], (None,))) for name, of in board.beside.items()]
        ends = (run["low"], run["high"]) if is_paper else ()
        bold = is_several and run["rank"] == 1
        rows.append(
            (
                Cell(UNDEFINED if run["withdrawn"] is not None else str(run["rank"] or ""), is_number=True),
                Cell(_name(run) + (" (baseline)" if run["run_id"] == baseline else "")),
                number_cell(run["value"], ends, bold=bold, **field_units(metric)),
                Cell(run["group"]),
                *(number_cell(value, ends, **field_units(name)) for name, (value, *ends) in others),
                run["n"],
            )
        )
    title = ", ".join(
        [first["condition_id"], first["profile_id"], *([first["subset"]] if first["subset"] != "all" else [])]
    )
    head = HEADS.get(metric, metric) if is_paper else metric
    how = f"{head} ({best}). Best in bold."
    if is_paper:
        how = f"ranked by {head} ({best}), {weighting_in_words(first['weighting'], first['task'])}."
    gone = "".join(f" Withdrawn: {_name(run)} ({run['withdrawn']})." for run in board.runs if run not in ranked)
    caption = f"{title}: {how} {sentence(board.note)}{gone}"
    heads = ("rank", "run", head, "group", *(HEADS.get(name, name) for name in board.beside), "n")
    return Table(heads, rows, caption, f"tab:leaderboard-{slug(title)}", board.signature)
