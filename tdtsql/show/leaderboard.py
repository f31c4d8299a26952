"""Leaderboards: the runs of a condition by the primary metric of their task, with intervals and significance groups.

A board is a list of rows of the saved query ranking, best first, each with its group and the ends of its interval, and
what all of them share: note and signature (of the comparisons).
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from tdtsql.audit.published import check_published
from tdtsql.compare.settings import Correction, Method, Setting, metric_ids
from tdtsql.compare.words import MOST_TRIALS, significance_groups
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.errors import Names, UnknownName, check_known, listed
from tdtsql.progress import Progress, silent
from tdtsql.scoring.score import refresh
from tdtsql.show.numbers import add_intervals, numbers_of
from tdtsql.show.section import records
from tdtsql.show.table import HEADS, RowTable, relation_of, tables_of, typed_columns, wide_relation
from tdtsql.store.copy import blinded
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
    condition: Names = None,
    *,
    profile: Names = None,
    subset: Names = None,
    metric: Names = None,
    baseline: str | None = None,
    per_topic: bool = False,
    groups: bool = True,
    intervals: bool = True,
    correction: Correction = "holm",
    unit: str | None = None,
    blind: bool = False,
    permutations: int = 100_000,
    seed: int = 20040,
    progress: Progress = silent,
) -> RowTable:
    """Rank the runs of every condition by the primary metric of their task, best first.

    Args:
        condition: only this condition; repeatable.
        profile: only this scoring profile; repeatable.
        subset: only this subset, e.g. all or language=ENGLISH, or a product codec=C01,gender=female; repeatable.
        metric: other metrics next to the primary one (default: the summary of scored trials), in csv, tsv and json
            as further rows; repeatable.
        baseline: the run whose row comes first.
        per_topic: topics x runs instead: the primary metric of each run on each topic.
        groups: significance groups: runs that share a letter do not differ significantly.
        intervals: 95 % bootstrap intervals; of the primary metric only in conditions with at least 6 topics.
        permutations: of the randomisation test.

    Returns:
        A relation with ``to_latex()`` and ``to_markdown()``.

    Raises:
        UnknownName: no such condition, profile or subset, or no run under it has an up-to-date number.
    """
    where = {"conditions": listed(condition), "profiles": listed(profile), "subsets": listed(subset)}
    method = Method(correction=correction, n_permutation=permutations, seed=seed, unit=unit)
    refresh(engine, progress)
    check_published(engine, where["conditions"])
    # of a copy without names, which is closed then, the rows alone are kept
    with blinded(engine) if blind else nullcontext(engine) as shown:
        boards, rows = _boards(shown, where), list[dict[str, Any]]()
        if per_topic:
            return _by_topic(engine, shown, boards)
        beside = metric_ids(shown, metric) or None
        for number, board in enumerate(boards):
            progress(number, len(boards), f"comparing the runs of {board[0]['condition_id']}")
            others = _compare(shown, board, method, groups, intervals, beside)
            for row in [*board, *others]:
                head = HEADS.get(row["metric"], row["metric"]) if others else row["metric"]
                own = {"board_no": number, "head": head, "is_baseline": row["run_id"] == baseline}
                rows.append({"place": 0, **row, **own})
    check_known("run", baseline, sorted({row["run_id"] for row in rows if not row["place"]}))
    made = relation_of(engine, rows, COLUMNS | _TABLE)
    ranked = made.filter("place = 0") if beside is None else made
    return RowTable(ranked.project(sql_identifiers(COLUMNS)), tables_of(made, "leaderboard"))


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


def _by_topic(engine: Engine, shown: Engine, boards: Sequence[Board]) -> RowTable:
    """Return the primary metric of every run on every topic: condition_id, profile_id, metric, block_id, then the runs,
    best first; NULL where a run has no number on a topic.
    """
    runs = dict.fromkeys(run["run_id"] for board in boards for run in board)
    keys = ["condition_id", "profile_id", "metric", "block_id"]
    places = [[board[0][name] for name in (*keys[:3], "subset")] for board in boards]
    numbers = shown.relation(
        "select *, list_position($places, [condition_id, profile_id, metric, subset]) as place from report.block_score "
        "where place is not null order by place, block_id",
        {"places": places},
    )
    found = wide_relation(numbers, keys, "run_id", list(runs))
    if shown is not engine:
        kinds = dict(zip(found.columns, map(str, found.types), strict=True))
        found = relation_of(engine, [dict(zip(kinds, row, strict=True)) for row in found.fetchall()], kinds)
    return RowTable(found)
