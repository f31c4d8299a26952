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
from tdtsql.show.table import (
    HEADS,
    PEOPLE,
    UNDEFINED,
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
from tdtsql.store.registry import check_name
from tdtsql.task import TASKS, weighting_in_words

#: what the runs of a leaderboard have in common
_BOARD = "condition_id profile_id task metric subset weighting best".split()
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
_RANKED = """
    select condition_id, profile_id, leaderboard.task, metric, subset, weighting, coalesce(best, 'none') as best,
        case when value is not null then position end as rank, run_id, value, n, signature, withdrawn, team, alias
    from report.leaderboard
    join registry.condition as condition using (condition_id)
    join registry.profile as profile using (profile_id)
    left join (select metric, min(best) as best from registry.metric group by metric) as ends using (metric)
    left join (
        select condition_no, run_id, max(value) filter (name = 'alias') as alias,
            coalesce(max(value) filter (name = 'team'), max(value) filter (name = 'actor.team')) as team
        from registry.run join registry.run_fact using (run_no)
        where name = 'actor.team' or path = '' and name in ('team', 'alias') group by all
    ) as label using (condition_no, run_id)
    where (len($conditions) = 0 or list_contains($conditions, condition_id))
        and (len($profiles) = 0 or list_contains($profiles, profile_id))
        and (len($subsets) = 0 or list_contains($subsets, subset))
    order by condition_no, profile_no, subset, weighting, withdrawn is not null, value is null, position, run_id"""


@dataclass(frozen=True)
class Leaderboard:
    """The runs of one condition under one profile; where blocks are attributes, those of one attribute."""

    condition_id: str
    profile_id: str
    task: str
    metric: str
    subset: str
    weighting: str
    best: str  #: lowest, highest or none
    runs: list[
        dict[str, Any]
    ]  #: `COLUMNS` of each, best first; what is undefined and then what is withdrawn comes last
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
    method = method or Method()
    chosen = {"condition_id": listed(condition), "profile_id": listed(profile), "subset": listed(subset)}
    rows = store.records(_RANKED, dict(zip(("conditions", "profiles", "subsets"), chosen.values(), strict=True)))
    wanted = [(column, name) for column, names in chosen.items() for name in names]
    for column, name in wanted:
        check_name(store, column, name)
    if wanted and not rows:
        names = ", ".join(name for _, name in wanted)
        raise UnknownName(f"no run has a number under {names}. `tdtsql run list` shows the runs.")
    boards = [(key, list(of)) for key, of in groupby(rows, itemgetter(*_BOARD))]
    made = []
    for done, (key, runs) in enumerate(boards):
        progress(done, len(boards), f"comparing the runs of {key[0]}")
        made.append(
            _compared(
                store, Leaderboard(**dict(zip(_BOARD, key, strict=True)), runs=runs), method, groups, intervals, beside
            )
        )
    return made


def _compared(
    store: Engine, board: Leaderboard, method: Method, groups: bool, intervals: bool, beside: Sequence[str] | None
) -> Leaderboard:
    """Return a board with its groups, intervals and other metrics."""
    place = (store, board.task, board.condition_id, board.profile_id)
    names = sorted(run["run_id"] for run in board.runs if run["withdrawn"] is None)
    ranked = {name: (board.condition_id, name) for name in names}
    is_by_trial = TASKS[board.task].is_by_trial
    setting = Setting(ranked, board.task, board.profile_id, board.metric, board.subset, board.best, is_by_trial)
    compared, note = None, "Groups: off."
    ends: Mapping[str, tuple[float | None, ...]] = {}
    if groups:
        compared, note = compare_everything(store, setting, method)
    is_enough = board.subset == "all" and max(run["n"] for run in board.runs) >= FEWEST_TOPICS
    if groups if is_by_trial else intervals and is_enough:
        printed = {run["run_id"]: run["value"] for run in board.runs if run["value"] is not None}
        ends, words = score_intervals(*place, board.metric, board.subset, printed, method)
        note += f" {words}" if ends and not is_by_trial else ""
    letters = compared.groups() if compared else {}
    runs = [
        run
        | {"group": letters.get(run["run_id"], ""), "rank": run["rank"] if run["withdrawn"] is None else None}
        | dict(zip(("low", "high"), ends.get(run["run_id"], (None, None)), strict=True))
        for run in board.runs
    ]
    others: dict[str, dict[str, tuple[float | None, ...]]] = {}
    shown = list(beside or (TASKS[board.task].summary if is_by_trial or beside is not None else ()))
    for metric in sorted(shown, key=lambda metric: [*HEADS, metric].index(metric)):
        values = dict(
            store.rows(
                "select run_id, value from report.score where condition_id = ? and profile_id = ? and subset = ? and "
                "metric = ? and weighting = ? and value is not null",
                [board.condition_id, board.profile_id, board.subset, metric, board.weighting],
            )
        )
        most = MOST_SUMMED if metric.endswith("cllr") else MOST_TRIALS
        is_drawn = intervals and not (is_by_trial and sum(run["n"] for run in board.runs) > most)
        ranges = score_intervals(*place, metric, board.subset, values, method)[0] if is_drawn and values else {}
        if values and metric != board.metric:
            others[metric] = {run: (value, *ranges.get(run, (None, None))) for run, value in values.items()}
    signature = compared.signature if compared else board.runs[0]["signature"]
    return replace(board, runs=runs, note=note, signature=signature, beside=others)


def topic_matrix(store: Engine, board: Leaderboard) -> Table:
    """Return the primary metric of every run of a leaderboard on every topic: condition_id, profile_id, metric,
    block_id, then the runs, best first; None where a run has no number on a topic.
    """
    values: dict[str, dict[str, float | None]] = {}
    for block, run, value in store.rows(
        "select block_id, run_id, value from report.block_score where condition_id = ? and profile_id = ? and metric = "
        "? and subset = ? order by block_id",
        [board.condition_id, board.profile_id, board.metric, board.subset],
    ):
        values.setdefault(block, {})[run] = value
    runs, place = [run["run_id"] for run in board.runs], [board.condition_id, board.profile_id, board.metric]
    rows = [[*place, block, *(of.get(run) for run in runs)] for block, of in values.items()]
    return Table(
        ["condition_id", "profile_id", "metric", "block_id", *runs], rows, f"{', '.join(place[:2])}: {place[2]}"
    )


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
        rows = [vars(board) | run for board in boards for run in board.runs]
        self.values = {name: [row[name] for row in rows] for name in COLUMNS}
        super().__init__(
            relation_of(engine, self.values, COLUMNS),
            lambda most: list(matrices) or [leaderboard_table(board, is_paper, baseline) for board in boards],
        )
        self.boards, self.matrices = boards, matrices
        self.tabled = PEOPLE if is_paper else ("markdown", "latex")
        plain = [] if matrices or is_paper else [board for board in boards if not board.beside]
        self.legend = list(dict.fromkeys(board.note for board in plain))
        self.legend += [
            f"{board.condition_id}, {board.profile_id}: run {_name(run)} is withdrawn, not ranked: {run['withdrawn']}."
            for board in plain
            for run in board.runs
            if run["withdrawn"] is not None
        ]
        named = {f"{run['alias']} is run {run['run_id']}." for board in boards for run in board.runs if run["alias"]}
        self.legend += sorted(named)

    def shown(self, format_: str) -> list[Table]:
        if self.matrices:
            return [table if format_ == "table" else replace(table, caption="") for table in self.matrices]
        is_mixed = format_ == "table" and format_ not in self.tabled
        return self._for_people() if is_mixed else super().shown(format_)

    def _for_people(self) -> list[Table]:
        """Return boards with several metrics as a paper shows them, and one table of all others."""
        tables = [
            replace(leaderboard_table(board), keep=("rank", "run", "group")) for board in self.boards if board.beside
        ]
        rows = [
            vars(board) | run | {"run_id": _name(run)}
            for board in self.boards
            if not board.beside
            for run in board.runs
        ]
        if rows or not tables:
            optional = {name for name in ("low", "high", "team") if not any(self.values[name])}
            names = [name for name in COLUMNS if name not in ("withdrawn", "alias", "team", *optional)]
            names += ["team"] if "team" not in optional else []
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
    ranked = [run for run in board.runs if run["withdrawn"] is None]
    top = best_value([run["value"] for run in ranked], board.best)
    is_paper = is_paper or bool(board.beside)

    def cell(metric: str, values: Sequence[float | None], *, bold: bool = False) -> Cell:
        value, *ends = shown_values(metric, *values)
        return Cell(value + ("" if UNDEFINED in ends else f" [{', '.join(ends)}]"), bold=bold, is_number=True)

    rows = []
    for run in sorted(board.runs, key=lambda run: run["run_id"] != baseline):
        is_best = run in ranked and run["value"] is not None and run["value"] == top
        values = (run["value"], run["low"], run["high"]) if is_paper else (run["value"], None, None)
        rows.append(
            (
                Cell(str(run["rank"] or "") if run in ranked else UNDEFINED, is_number=True),
                Cell(_name(run) + (" (baseline)" if run["run_id"] == baseline else "")),
                cell(board.metric, values, bold=is_best),
                Cell(run["group"]),
                *(cell(metric, of.get(run["run_id"], (None, None, None))) for metric, of in board.beside.items()),
                run["n"],
            )
        )
    title = ", ".join([board.condition_id, board.profile_id, *([board.subset] if board.subset != "all" else [])])
    name = HEADS.get(board.metric, board.metric) if is_paper else board.metric
    how = f"ranked by {name} ({better(board.best)}), {weighting_in_words(board.weighting, board.task)}."
    if not is_paper:
        how = f"{name} ({better(board.best)}). Best in bold."
    gone = "".join(f" Withdrawn: {_name(run)} ({run['withdrawn']})." for run in board.runs if run not in ranked)
    caption = f"{title}: {how} {sentence(board.note)}{gone}"
    heads = ("rank", "run", name, "group", *(HEADS.get(metric, metric) for metric in board.beside), "n")
    return Table(heads, rows, caption, f"tab:leaderboard-{slug(title)}", board.signature)
