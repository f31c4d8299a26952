"""Leaderboards: the runs of a condition by the primary metric of their task, with intervals and significance groups."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from tdtsql.compare.rows import FEWEST_TOPICS
from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.words import MOST_TRIALS, sentence, significance_groups
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Names, UnknownName, listed
from tdtsql.progress import Progress, silent
from tdtsql.show.numbers import Number, add_intervals, numbers_of
from tdtsql.show.section import records
from tdtsql.show.table import (
    HEADS,
    PEOPLE,
    PROGRAMS,
    Cell,
    RowTable,
    Table,
    better,
    field_cell,
    pivot,
    relation_of,
    slug,
    typed_columns,
)
from tdtsql.show.values import UNDEFINED
from tdtsql.store.registry import check_name
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
#: columns of boards with one metric as people read them; the last ones where they are not empty
_PRINTED = "condition_id profile_id rank run_id metric weighting value low high n group signature subset team".split()
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
    beside: dict[str, dict[str, Number]] = field(default_factory=dict)


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
        beside: the other metrics; empty: the summary of the task; None: that of scored trials only.

    Raises:
        UnknownName: no such condition or profile, or nothing under these names is up to date.
    """
    chosen = {"conditions": listed(condition), "profiles": listed(profile), "subsets": listed(subset)}
    for name in chosen["subsets"]:
        check_name(store, "subset", name)
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
    letters, note, signature = dict[str, str](), "Groups: off.", ""
    if groups:
        ranked = {name: (condition, name) for name in sorted(run["run_id"] for run in runs if run["withdrawn"] is None)}
        setting = Setting(ranked, task, profile, primary, subset, board["best"], is_by_trial)
        letters, note, signature = significance_groups(store, setting, method)
    for run in runs:
        run |= {"group": letters.get(run["run_id"], ""), "low": None, "high": None}
    is_enough = subset == "all" and max(run["n"] for run in runs) >= FEWEST_TOPICS
    if groups if is_by_trial else intervals and is_enough:
        words = add_intervals(store, runs, method)
        note += "" if is_by_trial or all(run["low"] is None for run in runs) else f" {words[0]}"
    others: dict[str, dict[str, Number]] = {}
    place = {"conditions": [condition], "profiles": [profile], "subsets": [subset], "weightings": [weighting]}
    for one in numbers_of(store, **place, metrics=beside or ()) if is_by_trial or beside is not None else ():
        if one["value"] is not None and one["metric"] != primary:
            others.setdefault(one["metric"], {})[one["run_id"]] = one
    for metric, of in others.items():
        most = MOST_SUMMED if metric.endswith("cllr") else MOST_TRIALS
        if intervals and not (is_by_trial and sum(run["n"] for run in runs) > most):
            add_intervals(store, list(of.values()), method)
    others = {name: others[name] for name in dict.fromkeys([*HEADS, *others]) if name in others}
    return Leaderboard(runs, note, signature or board["signature"], others)


def ranked(engine: Engine, boards: Sequence[Leaderboard]) -> RowTable:
    """Return the runs of conditions, best first, as rows; for people boards with several metrics are shown as in a
    paper, all others in one table.
    """
    tables = [leaderboard_table(board) for board in boards]
    made = _rows(engine, boards, tables)
    plain = [run for board in boards if not board.beside for run in board.runs]
    made.tabled = ("markdown", "latex")
    made.printed = [
        replace(table, keep=("rank", "run", "group"))
        for board, table in zip(boards, tables, strict=True)
        if board.beside
    ]
    if plain or not made.printed:
        empty = {name for name in ("low", "high", "team") if not any(run[name] for run in plain)}
        names = [name for name in _PRINTED if name not in empty]
        rows = [[{**run, "run_id": run["name"]}[name] for name in names] for run in plain]
        made.printed.append(Table(names, rows, keep=("run_id", "rank", "metric", "value", "group")))
    notes = [board.note for board in boards if not board.beside] + [run["gone"] for run in plain if run["gone"]]
    made.legend = [*dict.fromkeys(notes), *made.legend]
    return made


def paper(engine: Engine, boards: Sequence[Leaderboard], baseline: str | None) -> RowTable:
    """Return the tables of a paper; ``baseline``: a run whose row comes first."""
    made = _rows(engine, boards, [leaderboard_table(board, True, baseline) for board in boards])
    made.tabled = PEOPLE
    return made


def by_topic(engine: Engine, boards: Sequence[Leaderboard]) -> RowTable:
    """Return boards that are printed as tables of the primary metric of every run on every topic: condition_id,
    profile_id, metric, block_id, then the runs, best first; None where a run has no number on a topic.
    """
    tables = []
    for board in boards:
        first, runs = board.runs[0], [run["run_id"] for run in board.runs]
        place = [first[name] for name in ("condition_id", "profile_id", "metric")]
        numbers: list[tuple[str, str, float]] = engine.rows(
            "select block_id, run_id, value from report.block_score where condition_id = ? and profile_id = ? and "
            "metric = ? and subset = ? order by block_id, run_id",
            [*place, first["subset"]],
        )
        rows = [(*place, topic, *values) for topic, values in pivot(numbers, runs).items()]
        heads = ["condition_id", "profile_id", "metric", "block_id", *runs]
        tables.append(Table(heads, rows, f"{', '.join(place[:2])}: {place[2]}"))
    made = _rows(engine, boards, tables)
    made.tabled, made.printed = (*PROGRAMS, *PEOPLE), tables
    return made


def _rows(engine: Engine, boards: Sequence[Leaderboard], tables: Sequence[Table]) -> RowTable:
    runs = [run for board in boards for run in board.runs]
    made = RowTable(relation_of(engine, runs, COLUMNS), tables)
    made.legend = sorted({f"{run['alias']} is run {run['run_id']}." for run in runs if run["alias"]})
    return made


def leaderboard_table(board: Leaderboard, is_paper: bool = False, baseline: str | None = None) -> Table:
    """Return ranked runs with their significance groups; of boards with several metrics with all of them and their
    intervals, EER in percent.

    Args:
        is_paper: False: only boards of scored trials have intervals.
        baseline: a run whose row comes first, marked as the baseline.
    """
    first, is_paper = board.runs[0], is_paper or bool(board.beside)
    metric, best = first["metric"], better(first["best"])
    defined = [run for run in board.runs if run["withdrawn"] is None and run["value"] is not None]
    is_several = len(defined) > 1 and first["best"] != "none"
    rows, gone = [], ""
    for run in sorted(board.runs, key=lambda run: run["run_id"] != baseline):
        name, rank = run["name"], str(run["rank"] or "")
        if run["withdrawn"] is not None:
            rank, gone = UNDEFINED, f"{gone} Withdrawn: {name} ({run['withdrawn']})."
        rows.append(
            (
                Cell(rank, is_number=True),
                Cell(f"{name} (baseline)" if run["run_id"] == baseline else name),
                field_cell(run, bold=is_several and run["rank"] == 1, has_ends=is_paper),
                Cell(run["group"]),
                *(field_cell(of.get(run["run_id"], {"metric": name})) for name, of in board.beside.items()),
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
    caption = f"{title}: {how} {sentence(board.note)}{gone}"
    heads = ("rank", "run", head, "group", *(HEADS.get(name, name) for name in board.beside), "n")
    return Table(heads, rows, caption, f"tab:leaderboard-{slug(title)}", board.signature)
