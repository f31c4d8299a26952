"""Leaderboards: the runs of a condition by the primary metric of their task, with intervals and significance groups.

A board is a list of rows of the saved query ranking, best first, each with its group and the ends of its interval; and
what all of them share: note, signature (of the comparisons) and ``beside``: other metric -> run -> its number.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.words import MOST_TRIALS, sentence, significance_groups
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import UnknownName, check_known
from tdtsql.progress import Progress, silent
from tdtsql.show.numbers import Number, add_intervals, numbers_of
from tdtsql.show.section import records
from tdtsql.show.table import (
    HEADS,
    Cell,
    RowTable,
    Table,
    better,
    field_cell,
    relation_of,
    slug,
    typed_columns,
    wide_relation,
)
from tdtsql.task import TASKS, weighting_in_words

Board = list[dict[str, Any]]
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


def leaderboards(
    store: Engine,
    *,
    conditions: Sequence[str] = (),
    profiles: Sequence[str] = (),
    subsets: Sequence[str] = (),
    method: Method,
    groups: bool = True,
    intervals: bool = False,
    beside: Sequence[str] | None = None,
    progress: Progress = silent,
) -> list[Board]:
    """Return one board per condition and profile (and attribute, where these are the blocks), in the order in which
    conditions were loaded.

    Args:
        conditions, profiles, subsets: names; none: all.
        beside: the other metrics; empty: the summary of the task; None: that of scored trials only.

    Raises:
        UnknownName: no such condition, profile or subset, or nothing under these names is up to date.
    """
    wanted = {"conditions": conditions, "profiles": profiles, "subsets": subsets}
    rows = records(store, "ranking", {name: names or None for name, names in wanted.items()})
    if (names := [*conditions, *profiles, *subsets]) and not rows:
        raise UnknownName(f"no run has a number under {', '.join(names)}. `tdtsql run list` shows the runs.")
    boards = [list(of) for _, of in groupby(rows, _BOARD)]
    for done, runs in enumerate(boards):
        progress(done, len(boards), f"comparing the runs of {runs[0]['condition_id']}")
        _compare(store, runs, method, groups, intervals, beside)
    return boards


def _compare(
    store: Engine, runs: Board, method: Method, groups: bool, intervals: bool, beside: Sequence[str] | None
) -> None:
    """Add groups, intervals and other metrics to a board."""
    board = runs[0]
    condition, profile, subset, weighting = _BOARD(board)
    task, primary, is_by_trial = board["task"], board["metric"], TASKS[board["task"]].is_by_trial
    letters, note, signature = dict[str, str](), "Groups: off.", ""
    if groups:
        ranked = {name: (condition, name) for name in sorted(run["run_id"] for run in runs if run["withdrawn"] is None)}
        setting = Setting(ranked, task, profile, primary, subset, board["best"], is_by_trial)
        letters, note, signature = significance_groups(store, setting, method)
    others: dict[str, dict[str, Number]] = {}
    shared = {"low": None, "high": None, "beside": others, "board_signature": signature or board["signature"]}
    for run in runs:
        run |= {**shared, "group": letters.get(run["run_id"], "")}
    if groups if is_by_trial else intervals and board["is_enough"]:
        words = add_intervals(store, runs, method)
        note += "" if is_by_trial or all(run["low"] is None for run in runs) else f" {words[0]}"
    place = {"conditions": [condition], "profiles": [profile], "subsets": [subset], "weightings": [weighting]}
    numbers = numbers_of(store, **place, metrics=beside or ()) if is_by_trial or beside is not None else []
    numbers = [one for one in numbers if one["value"] is not None and one["metric"] != primary]
    known = dict.fromkeys(one["metric"] for one in numbers)
    for metric in sorted(known, key=[*HEADS, *known].index):
        of = others[metric] = {one["run_id"]: one for one in numbers if one["metric"] == metric}
        most = MOST_SUMMED if metric.endswith("cllr") else MOST_TRIALS
        if intervals and not (is_by_trial and sum(run["n"] for run in runs) > most):
            add_intervals(store, list(of.values()), method)
    for run in runs:
        run["note"] = note


def ranked(
    engine: Engine,
    boards: Sequence[Board],
    *,
    runs: Sequence[str] = (),
    baseline: str | None = None,
) -> RowTable:
    """Return the runs of conditions, best first, as rows; for people a table for each board.

    Args:
        runs: none: all.
        baseline: a run whose row comes first, marked as the baseline.

    Raises:
        UnknownName: the baseline is not among the runs.
    """
    chosen = [[run for run in board if not runs or run["run_id"] in [*runs, baseline]] for board in boards]
    rows = [run for board in chosen for run in board]
    check_known("run", baseline, sorted({run["run_id"] for run in rows}))
    tables = [board_table(board, baseline) for board in chosen if board]
    return RowTable(relation_of(engine, rows, COLUMNS), tables)


def by_topic(engine: Engine, boards: Sequence[Board]) -> RowTable:
    """Return the primary metric of every run on every topic: condition_id, profile_id, metric, block_id, then the runs,
    best first; NULL where a run has no number on a topic.
    """
    runs = dict.fromkeys(run["run_id"] for board in boards for run in board)
    places = [[board[0][name] for name in ("condition_id", "profile_id", "metric", "subset")] for board in boards]
    numbers = engine.relation(
        "select *, list_position($places, [condition_id, profile_id, metric, subset]) as place from report.block_score "
        "where place is not null order by place, block_id",
        {"places": places},
    )
    return RowTable(wide_relation(numbers, ["condition_id", "profile_id", "metric", "block_id"], "run_id", list(runs)))


def board_table(board: Board, baseline: str | None) -> Table:
    """Return ranked runs with intervals and significance groups, and the other metrics of the board, where it has
    some: then all have the names of the field.
    """
    first, others, title = board[0], board[0]["beside"], board[0]["title"]
    teams = ["team"] if any(run["team"] for run in board) else []
    metric, *names = [HEADS.get(name, name) if others else name for name in (first["metric"], *others)]
    rows = [
        (
            Cell(run["rank_text"], is_number=True),
            Cell(f"{run['name']} (baseline)" if run["run_id"] == baseline else run["name"]),
            field_cell(run, bold=bool(run["is_best"])),
            Cell(run["group"]),
            *map(run.get, teams),
            *(field_cell(of.get(run["run_id"], {"metric": name})) for name, of in others.items()),
            run["n"],
        )
        for run in sorted(board, key=lambda run: run["run_id"] != baseline)
    ]
    how = f"ranked by {metric} ({better(first['best'])}), {weighting_in_words(first['weighting'], first['task'])}"
    caption = f"{title}: {how}. {sentence(first['note'])}{''.join(run['facts'] for run in board)}"
    heads, label = ("rank", "run", metric, "group", *teams, *names, "n"), f"tab:leaderboard-{slug(title)}"
    return Table(heads, rows, caption, label, first["board_signature"], keep=("rank", "run", "group"))
