"""Leaderboards: the runs of a condition by the primary metric of their task, with intervals and significance groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tdtsql.compare.rows import FEWEST_TOPICS, Ends, score_intervals, turned
from tdtsql.compare.settings import Method, Setting
from tdtsql.compare.words import Compared, compare_everything, sentence
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import Names, UnknownName, listed
from tdtsql.progress import Progress, silent
from tdtsql.show.table import RowTable, relation_of
from tdtsql.show.table import HEADS, UNDEFINED, Cell, Table, best_value, better, shown_values, slug, typed_columns
from tdtsql.report.trials.subsets import MOST_DRAWN, trials_of_runs
from tdtsql.store.registry import check_name
from tdtsql.task import TASKS, weighting_in_words

#: trials times runs above which only the ranking metric has an interval, and not Cllr, whose resamples use every trial
MOST_SUMMED = 100_000
#: a value and the ends of its interval, None if missing
ValueInterval = tuple[float | None, float | None, float | None]


@dataclass(frozen=True)
class RankedRun:
    """One run; equal values share a rank."""

    rank: int | None  #: None where the number is undefined
    run: str
    value: float | None
    n: int
    group: str = ""  #: runs that share a letter do not differ significantly
    signature: str = ""
    low: float | None = None  #: confidence interval of the value; None if missing
    high: float | None = None
    withdrawn: str | None = None  #: why it is not ranked
    team: str | None = None
    alias: str | None = None  #: the name that is shown

    @property
    def name(self) -> str:
        return self.alias or self.run


@dataclass(frozen=True)
class Leaderboard:
    """The runs of one condition under one profile, best first; for value tracking those of one attribute."""

    condition: str
    profile: str
    task: str
    metric: str
    weighting: str
    best: str  #: lowest, highest or none
    subset: str  #: all; attribute=NAME where each attribute has its own
    runs: tuple[RankedRun, ...]
    note: str  #: how groups and intervals were computed
    signature: str = ""  #: of the comparisons, or of the first number
    against_best: list[dict[str, Any]] = field(default_factory=list)  #: comparisons with the best run as the baseline
    #: of scored trials: other metric -> run -> number
    other_metrics: dict[str, dict[str, ValueInterval]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return max((line.n for line in self.runs), default=0)

    @property
    def is_few(self) -> bool:
        """A rank says little: the page sets no number in bold."""
        return self.n < FEWEST_TOPICS

    @property
    def heads(self) -> list[str]:
        """The other metrics as a column's head."""
        return [HEADS.get(metric, metric) for metric in self.other_metrics]

    def other_metric_of(self, metric: str, run: str) -> list[str]:
        """Return another number of a run and the ends of its interval."""
        return shown_values(metric, *self.other_metrics[metric].get(run, (None, None, None)))


def leaderboards(
    store: Engine,
    *,
    condition: Names = None,
    profile: Names = None,
    subset: Names = None,
    method: Method | None = None,
    groups: bool = True,
    intervals: bool = False,
    most_trials: int | None = None,
    progress: Progress = silent,
) -> list[Leaderboard]:
    """Return one table per condition and profile (and attribute, where these are the blocks), from
    `report.leaderboard`; in the order in which conditions were loaded.

    Args:
        condition, profile, subset: names; none: all.
        most_trials: trials times runs above which scored trials are not compared; None: always.

    Raises:
        UnknownName: no such condition or profile, or nothing under these names is up to date.
    """
    method = method or Method()
    given = {"condition_id": listed(condition), "profile_id": listed(profile), "subset": listed(subset)}
    filters = [f"{column} in ({', '.join(map(sql_literal, names))})" for column, names in given.items() if names]
    rows = store.rows(
        "select condition_id, profile_id, leaderboard.task, metric, subset, weighting, run_id, value, n, signature, "
        "withdrawn from "
        "report.leaderboard as leaderboard join registry.condition as condition using (condition_id) join "
        "registry.profile as profile using (profile_id) "
        f"where {' and '.join(filters) or 'true'} order by condition_no, profile_no, subset, weighting, run_id"
    )
    _check_names(store, given, bool(rows))
    best_of = dict(store.rows("select metric, min(best) from registry.metric group by metric"))
    tables: dict[tuple, list[tuple]] = {}
    for row in rows:
        tables.setdefault(row[:6], []).append(row[6:])
    made = []
    labels = _labels(store)
    for done, ((where, under, task, metric, of, weighting), runs) in enumerate(tables.items()):
        progress(done, len(tables), f"comparing the runs of {where}")
        best = best_of.get(metric, "none")
        is_by_trial = TASKS[task].is_by_trial
        leader = _best_first(runs, best)[0][0]
        ranked_names = {run: (where, run) for run, *_, withdrawn in runs if withdrawn is None}
        setting = Setting(ranked_names, task, under, metric, of, best, is_by_trial)
        compared, note, said = None, "Groups: off.", ""
        ends: Ends = {}
        if groups and most_trials is not None and is_by_trial and trials_of_runs(store, where) > most_trials:
            note = "Groups: off for so many trials. `tdtsql leaderboard` computes them."
        elif groups:
            compared, ends, note = compare_everything(store, setting, method)
        if intervals and not is_by_trial and of == "all" and max(n for _, _, n, *_ in runs) >= FEWEST_TOPICS:
            printed = {run: value for run, value, *_ in runs if value is not None}
            ends, said = score_intervals(store, task, where, under, metric, of, printed, method)
            said = f" {said}" if ends else ""
        groups_of = compared.groups() if compared else {}
        ranked = ranked_runs(runs, best, groups_of, ends, labels.get(where, {}))
        has_intervals = intervals and most_trials is None
        made.append(
            Leaderboard(
                where,
                under,
                task,
                metric,
                weighting,
                best,
                of,
                ranked,
                note + said,
                compared.signature if compared else runs[0][3],
                _against_best(compared, leader) if compared else [],
                _beside(store, setting, weighting, method, has_intervals) if is_by_trial else {},
            )
        )
    return made


def _labels(store: Engine) -> dict[str, dict[str, dict[str, str]]]:
    """Return condition -> run -> its team and alias; of a team that its metadata names, that."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for condition, run, name, value in store.rows(
        "select condition_id, run_id, name, value from registry.run_fact join registry.run using (run_no) "
        "join registry.condition using (condition_no) "
        "where name = 'actor.team' or path = '' and name in ('team', 'alias') order by name"
    ):
        found.setdefault(condition, {}).setdefault(run, {})[name.removeprefix("actor.")] = value
    return found


def _beside(
    store: Engine, setting: Setting, weighting: str, method: Method, with_intervals: bool
) -> dict[str, dict[str, ValueInterval]]:
    """Return the other summary metrics of the runs of a leaderboard of scored trials."""
    found: dict[str, dict[str, ValueInterval]] = {}
    n_trial = trials_of_runs(store, setting.condition) if with_intervals else 0
    for metric in TASKS[setting.task].summary:
        if metric == setting.metric:
            continue
        values = dict(
            store.rows(
                "select run_id, value from report.score where condition_id = ? and profile_id = ? and subset = ? and "
                "metric = ? and weighting = ? and value is not null",
                [setting.condition, setting.profile, setting.subset, metric, weighting],
            )
        )
        drawn = with_intervals and n_trial <= (MOST_SUMMED if metric.endswith("cllr") else MOST_DRAWN)
        names = (store, setting.task, setting.condition, setting.profile, metric, setting.subset)
        ends = score_intervals(*names, values, method)[0] if drawn and values else {}
        if values:
            found[metric] = {run: (value, *ends.get(run, (None, None))) for run, value in values.items()}
    order = list(HEADS)
    return dict(sorted(found.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))


def _check_names(store: Engine, given: Mapping[str, Sequence[str]], is_found: bool) -> None:
    """Raise UnknownName for a name that does not exist, and if names are given that have no numbers together."""
    for column, names in given.items():
        for name in names:
            check_name(store, column, name)
    wanted = [name for names in given.values() for name in names]
    if wanted and not is_found:
        raise UnknownName(f"no run has a number under {', '.join(wanted)}. `tdtsql run list` shows the runs.")


def ranked_runs(
    runs: list[tuple],
    best: str,
    groups: Mapping[str, str],
    ends: Mapping[str, tuple[float, float]],
    labels: Mapping[str, Mapping[str, str]],
) -> tuple[RankedRun, ...]:
    """Return (run, value, n, signature, withdrawn) rows best first; undefined and then withdrawn ones come last and
    have no rank.
    """
    found: list[RankedRun] = []
    for at, (run, value, n, signature, withdrawn) in enumerate(_best_first(runs, best)):
        rank = None if value is None else found[-1].rank if at and value == found[-1].value else at + 1
        rank = rank if withdrawn is None else None
        low, high = ends.get(run, (None, None))
        team, alias = (labels.get(run, {}).get(name) for name in ("team", "alias"))
        group = groups.get(run, "")
        found.append(RankedRun(rank, run, value, n, group, signature, low, high, withdrawn, team, alias))
    return tuple(found)


def _best_first(runs: list[tuple], best: str) -> list[tuple]:
    """Return rows of `ranked_runs` in their order."""
    sign = -1.0 if best == "highest" else 1.0
    return sorted(runs, key=lambda run: (run[4] is not None, run[1] is None, sign * (run[1] or 0.0), run[0]))


def _against_best(compared: Compared, best: str) -> list[dict]:
    """Return the pairs with the best run, turned so that it is the baseline."""
    rows = []
    for row in compared.rows:
        if best in (row["run"], row["baseline"]) and row["p_adjusted"] is not None:
            other = row["baseline"] if row["run"] == best else row["run"]
            row = (turned(row) if row["run"] == best else row) | {"run": other, "baseline": best}
            names = "run baseline difference low high win tie loss p p_adjusted".split()
            rows.append({name: row[name] for name in names})
    return sorted(rows, key=lambda row: (row["p_adjusted"], row["run"]))


def topic_matrix(store: Engine, board: Leaderboard) -> Table:
    """Return the primary metric of every run of a leaderboard on every topic: condition_id, profile_id, metric,
    block_id, then the runs, best first; None where a run has no number on a topic.
    """
    values: dict[str, dict[str, float | None]] = {}
    for block, run, value in store.rows(
        "select block_id, run_id, value from report.block_score where condition_id = ? and profile_id = ? and metric = "
        "? and subset = ? order by block_id",
        [board.condition, board.profile, board.metric, board.subset],
    ):
        values.setdefault(block, {})[run] = value
    runs = [run.run for run in board.runs]
    rows = [
        [board.condition, board.profile, board.metric, block, *(found.get(run) for run in runs)]
        for block, found in values.items()
    ]
    heads = ["condition_id", "profile_id", "metric", "block_id", *runs]
    return Table(heads, rows, f"{board.condition}, {board.profile}: {board.metric}")


#: columns of leaderboards as rows
COLUMNS = typed_columns("""
    varchar  condition_id profile_id
    bigint   rank
    varchar  run_id metric weighting
    double   value low high
    bigint   n
    varchar  group signature subset withdrawn team alias
""")
#: of them, those of the leaderboard as a whole
_OF_BOARD = ("condition_id", "profile_id", "metric", "weighting", "subset")


def as_columns(boards: list[Leaderboard]) -> dict[str, list]:
    """Return leaderboards as columns of `COLUMNS`."""
    return {
        name: [
            getattr(board if name in _OF_BOARD else run, name.removesuffix("_id"))
            for board in boards
            for run in board.runs
        ]
        for name in COLUMNS
    }


class Leaderboards(RowTable):
    """Runs of conditions, best first: a relation, which is a table per condition and profile for a paper too."""

    def __init__(self, engine: Engine, boards: list[Leaderboard], matrices: Sequence[Table] = ()):
        """``matrices``: topics x runs, which are shown instead."""
        self.values = as_columns(boards)
        super().__init__(
            relation_of(engine, self.values, COLUMNS),
            lambda most: list(matrices) or [leaderboard_table(board) for board in boards],
        )
        self.boards, self.matrices = boards, matrices
        plain = [] if matrices else [board for board in boards if not board.other_metrics]
        self.legend = [
            *dict.fromkeys(board.note for board in plain),
            *(
                f"{board.condition}, {board.profile}: run {run.name} is withdrawn, not ranked: {run.withdrawn}."
                for board in plain
                for run in board.runs
                if run.withdrawn is not None
            ),
        ]

    def shown(self, format_: str) -> list[Table]:
        if self.matrices:
            return [table if format_ == "table" else replace(table, caption="") for table in self.matrices]
        if format_ in ("markdown", "latex"):
            return self.tables()
        return self._for_people() if format_ == "table" else super().shown(format_)

    def _for_people(self) -> list[Table]:
        """Return boards of scored trials as a paper shows them, and one table of all others."""
        tables = [
            replace(leaderboard_table(board), keep=("rank", "run", "group"))
            for board in self.boards
            if board.other_metrics
        ]
        others = as_columns([board for board in self.boards if not board.other_metrics])
        others["run_id"] = [alias or run for run, alias in zip(others["run_id"], others["alias"], strict=True)]
        optional = ("low", "high", "group", "team")
        names = [name for name in COLUMNS if name not in ("withdrawn", "alias", "team")] + ["team"]
        names = [
            name
            for name in names
            if name not in optional or any(value not in (None, "") or name == "group" for value in self.values[name])
        ]
        if others["rank"] or not tables:
            keep = ("run_id", "rank", "metric", "value", "group")
            rows = list(zip(*(others[name] for name in names), strict=True))
            tables.append(Table(names, rows, keep=keep))
        return tables


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
        f"significantly. {sentence(board.note)}{withdrawn}"
    )
    heads = ("rank", "run", name, "group", *board.heads, "n")
    return Table(heads, rows, caption, f"tab:leaderboard-{slug(title)}", board.signature)
