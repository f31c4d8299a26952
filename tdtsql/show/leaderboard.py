"""Leaderboards: the runs of a condition by the primary metric of their task, with intervals and significance groups.

A board is a list of rows of the saved query ranking, best first, each with its group and the ends of its interval, and
what all of them share: note and signature (of the comparisons).
"""

from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.words import MOST_TRIALS, significance_groups
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import UnknownName, check_known
from tdtsql.progress import Progress, silent
from tdtsql.show.numbers import add_intervals, numbers_of
from tdtsql.show.section import records
from tdtsql.show.table import HEADS, RowTable, relation_of, tables_of, typed_columns, wide_relation
from tdtsql.task import TASKS, weighting_in_words

Board = list[dict[str, Any]]
#: conditions, profiles, subsets -> names
Where = Mapping[str, Sequence[str]]
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
#: what only their tables show; ``place`` of a metric on a board: 0 is the primary one
_TABLE = typed_columns("""
    bigint   board_no place is_best
    varchar  head name title rank_text best facts note board_signature weighting_in_words
    boolean  is_baseline
""")
#: trials times runs above which Cllr, whose resamples use every trial, has no interval here
MOST_SUMMED = 100_000


def leaderboard(
    engine: Engine,
    where: Where,
    *,
    method: Method,
    groups: bool = True,
    intervals: bool = False,
    beside: Sequence[str] | None = None,
    baseline: str | None = None,
    progress: Progress = silent,
) -> RowTable:
    """Return the runs of conditions, best first, as rows; for people a table for each condition and profile (and
    attribute, where these are the blocks), in the order in which conditions were loaded.

    Args:
        where: names of conditions, profiles and subsets; none: all.
        beside: the other metrics; None: the summary of scored trials.
        baseline: a run whose row comes first, marked as the baseline.

    Raises:
        UnknownName: no such condition, profile or subset, or nothing under these names is up to date; the baseline is
            not among the runs.
    """
    boards, rows = _boards(engine, where), list[dict[str, Any]]()
    for number, board in enumerate(boards):
        progress(number, len(boards), f"comparing the runs of {board[0]['condition_id']}")
        others = _compare(engine, board, method, groups, intervals, beside)
        for row in [*board, *others]:
            head = HEADS.get(row["metric"], row["metric"]) if others else row["metric"]
            rows.append({"place": 0, **row, "board_no": number, "head": head, "is_baseline": row["run_id"] == baseline})
    check_known("run", baseline, sorted({row["run_id"] for row in rows if not row["place"]}))
    made = relation_of(engine, rows, COLUMNS | _TABLE)
    shown = made.filter("place = 0") if beside is None else made
    return RowTable(shown.project(sql_identifiers(COLUMNS)), tables_of(made, "leaderboard"))


def _boards(engine: Engine, where: Where) -> list[Board]:
    rows = records(engine, "ranking", {name: names or None for name, names in where.items()})
    if not rows and any(where.values()):
        named = ", ".join(chain.from_iterable(where.values()))
        raise UnknownName(f"no run has a number under {named}. `tdtsql run list` shows the runs.")
    return [list(of) for _, of in groupby(rows, _BOARD)]


def _compare(
    engine: Engine, runs: Board, method: Method, groups: bool, intervals: bool, beside: Sequence[str] | None
) -> list[dict[str, Any]]:
    """Add groups and intervals to a board; return the numbers of its other metrics."""
    board = runs[0]
    condition, profile, subset, weighting = _BOARD(board)
    task, primary, is_by_trial = board["task"], board["metric"], TASKS[board["task"]].is_by_trial
    letters, note, signature = dict[str, str](), "Groups: off.", ""
    if groups:
        ranked = {name: (condition, name) for name in sorted(run["run_id"] for run in runs if run["withdrawn"] is None)}
        setting = Setting(ranked, task, profile, primary, subset, board["best"], is_by_trial)
        letters, note, signature = significance_groups(engine, setting, method)
    for run in runs:
        run |= {"low": None, "high": None, "group": letters.get(run["run_id"], "")}
    if groups if is_by_trial else intervals and board["is_enough"]:
        words = add_intervals(engine, runs, method)
        note += "" if is_by_trial or all(run["low"] is None for run in runs) else f" {words[0]}"
    shared = {"note": note, "board_signature": signature or board["signature"]}
    shared["weighting_in_words"] = weighting_in_words(weighting, task)
    for run in runs:
        run |= shared
    place = {"conditions": [condition], "profiles": [profile], "subsets": [subset], "weightings": [weighting]}
    numbers = numbers_of(engine, **place, metrics=beside or ()) if is_by_trial or beside is not None else []
    numbers = [one for one in numbers if one["value"] is not None and one["metric"] != primary]
    known = dict.fromkeys(one["metric"] for one in numbers)
    for at, metric in enumerate(sorted(known, key=[*HEADS, *known].index), 1):
        of = [one for one in numbers if one["metric"] == metric]
        for one in of:
            one["place"] = at
        most = MOST_SUMMED if metric.endswith("cllr") else MOST_TRIALS
        if intervals and not (is_by_trial and sum(run["n"] for run in runs) > most):
            add_intervals(engine, of, method)
    return numbers


def by_topic(engine: Engine, where: Where) -> RowTable:
    """Return the primary metric of every run on every topic: condition_id, profile_id, metric, block_id, then the runs,
    best first; NULL where a run has no number on a topic.
    """
    boards = _boards(engine, where)
    runs = dict.fromkeys(run["run_id"] for board in boards for run in board)
    places = [[board[0][name] for name in ("condition_id", "profile_id", "metric", "subset")] for board in boards]
    numbers = engine.relation(
        "select *, list_position($places, [condition_id, profile_id, metric, subset]) as place from report.block_score "
        "where place is not null order by place, block_id",
        {"places": places},
    )
    return RowTable(wide_relation(numbers, ["condition_id", "profile_id", "metric", "block_id"], "run_id", list(runs)))
