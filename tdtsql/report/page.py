"""One self-contained HTML file from plain data: no network, no store, no clock.

Leaderboards, comparisons and notes are plain HTML (`templates/report.html`) and need no JavaScript. Charts are SVG,
drawn here; those of the condition that is shown are unpacked by the script from gzip in base64. The content security
policy forbids every request.
"""

import base64
import gzip
import hashlib
import json
import math
import re
from collections.abc import Collection
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from tdtsql.report import charts
from tdtsql.report.leaderboard import Leaderboard, RankedRun
from tdtsql.report.sections import drawn, part, render
from tdtsql.report.trials.priors import Priors
from tdtsql.report.trials.scores import Scores
from tdtsql.report.trials.subsets import SubsetGrid
from tdtsql.task import TASKS, topic_word, usual_weighting, weighting_in_words

#: significant digits of numbers per topic; numbers per run keep all 17
BLOCK_DIGITS = 8
#: cells of a heat map above which it is not drawn
MOST_CELLS = 20_000


#: what is on the page, each with the keys that are named where it is a field
Entries = list[dict[str, Any]]


@dataclass
class Board:
    """One condition under one scoring profile: runs that can be compared."""

    condition: str
    profile: str
    task: str
    metric: str  #: the primary metric of the task
    weighting: str
    runs: list[int]  #: positions in Report.runs
    cost: dict[str, float] | None  #: p_target, c_miss, c_fa, band_z; None where the task has no DET curve
    direction: dict[str, str]  #: metric -> lowest, highest or none
    plan: str | None = None  #: required or other, where the evaluation plan has the task


@dataclass(frozen=True)
class Section:
    """A table of what a task shows in addition; rows begin with the run."""

    title: str
    view: str
    columns: list[str]
    rows: list[tuple]
    n_row: int  #: of the view
    board: int = 0


@dataclass
class Report:
    """Everything on the page."""

    title: str
    facts: list[tuple[str, str]]  #: version, store, engine: for the foot of the page
    runs: Entries  #: id, system
    boards: list[Board]
    leaderboards: list[tuple[int, Leaderboard]]  #: board, the runs of it best first
    metrics: dict[str, str]  #: metric -> what it is
    relations: dict[str, dict[str, Any]]  #: relation -> title, sql, reads
    scores: dict[str, list]  #: columns run, board, metric, weighting, subset, value, n, signature, relation
    blocks: Entries  #: per board: blocks, metrics -> {values: {run: [...]}, relation, signature: {run: ...}}
    det: Entries  #: board, run, weighting, subset, curve
    det_relation: str = ""  #: view that makes the curves
    histograms: Entries = field(default_factory=list)
    tau: Entries = field(default_factory=list)
    hierarchies: Entries = field(default_factory=list)
    #: board, run, title, svg: hierarchies around a topic's best vertex
    drawings: Entries = field(default_factory=list)
    cluster_maps: Entries = field(default_factory=list)  #: run, condition, title, flow: cluster maps
    grids: list[tuple[int, SubsetGrid]] = field(default_factory=list)  #: board, subsets of scored trials x runs
    #: run, its scores by class and by an attribute of the key
    trial_scores: list[tuple[int, Scores]] = field(default_factory=list)
    priors: list[Priors] = field(default_factory=list)  #: error rates over priors, once a condition of scored trials
    #: per board: corpus (what, value), bins (lower, upper, topics), costs of one threshold
    weights: Entries = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    problems: list[dict[str, str]] = field(default_factory=list)  #: code, owner, location, message
    #: section -> sentences on what is not drawn there because it is too large, and how to have it; they name no run
    left_out: dict[str, list[str]] = field(default_factory=dict)
    _rows: dict[tuple, int] | None = field(default=None, init=False, repr=False)

    @property
    def looks(self) -> dict[str, int]:
        """Run -> number of its colour."""
        return charts.looks_of(run["id"] for run in self.runs)

    @property
    def topic(self) -> str:
        """What the page calls a topic: a word for all its tasks."""
        words = {topic_word(board.task) for board in self.boards}
        return words.pop() if len(words) == 1 else "topic"

    def row_of(self, at: int, table: Leaderboard, run: RankedRun) -> int | None:
        """Return the row of a ranked number in ``scores``."""
        if self._rows is None:
            columns = (self.scores[name] for name in ("board", "run", "metric", "weighting", "subset"))
            self._rows = {
                (where, self.runs[of]["id"], *rest): row
                for row, (where, of, *rest) in enumerate(zip(*columns, strict=True))
            }
        return self._rows.get((at, run.run, table.metric, table.weighting, table.subset))


#: what other teams' runs are called on the page of one team
ANOTHER = "another run"


#: fields of a Report with entries of a run each
_OF_RUNS = "det histograms tau hierarchies drawings cluster_maps".split()


def redact_for_team(report: Report, names: Collection[str]) -> Report:
    """Return what the page of one team shows: its runs with all that is known of them, and where they stand among the
    others, which have no names.

    Args:
        names: ids of the team's runs.
    """
    own = {index for index, run in enumerate(report.runs) if run["id"] in names}
    shown = {index for index, board in enumerate(report.boards) if own & set(board.runs)}
    rows = [row for row, run in enumerate(report.scores["run"]) if run in own]

    of_runs: dict[str, Any] = {
        name: [entry for entry in getattr(report, name) if entry["run"] in own] for name in _OF_RUNS
    }
    return replace(
        report,
        runs=[run if index in own else {"id": ANOTHER, "system": None} for index, run in enumerate(report.runs)],
        boards=[replace(board, runs=[run for run in board.runs if run in own]) for board in report.boards],
        leaderboards=[
            (
                at,
                replace(
                    board,
                    runs=tuple(
                        run if run.run in names else replace(run, run=ANOTHER, signature="") for run in board.runs
                    ),
                    against_best=[
                        row | {name: row[name] if row[name] in names else ANOTHER for name in ("run", "baseline")}
                        for row in board.against_best
                        if row["run"] in names or row["baseline"] in names
                    ],
                    signature="",  # it names all runs
                    note=_without_names(board.note, {run.run for run in board.runs} - set(names)),
                ),
            )
            for at, board in report.leaderboards
            if at in shown
        ],
        scores={name: [column[row] for row in rows] for name, column in report.scores.items()},
        blocks=[
            {
                **blocks,
                "metrics": {
                    metric: {
                        **entry,
                        **{
                            what: {run: entry[what][run] for run in entry[what] if run in own}
                            for what in ("values", "signature")
                        },
                    }
                    for metric, entry in blocks["metrics"].items()
                },
            }
            for blocks in report.blocks
        ],
        **of_runs,
        grids=[(board, grid.of(names)) for board, grid in report.grids if board in shown],
        trial_scores=[(run, scores) for run, scores in report.trial_scores if run in own],
        priors=[mine for priors in report.priors if (mine := priors.of(names)).rows],
        weights=[
            {**weight, "prices": [row for row in weight["prices"] if row[0] in names]}
            for weight in report.weights
            if weight["board"] in shown
        ],
        sections=[
            replace(section, rows=kept, n_row=len(kept))
            for section in report.sections
            if (kept := [row for row in section.rows if row[0] in names])
        ],
        problems=[
            problem
            for problem in report.problems
            if not problem["owner"].startswith("run:") or problem["owner"].rpartition("/")[2] in names
        ],
    )


def _without_names(note: str, runs: Collection[str]) -> str:
    """Return a note without the sentences that name one of these runs."""
    named = [re.compile(rf"(?<![\w-]){re.escape(run)}(?![\w-])") for run in runs]
    sentences = re.split(r"(?<=\.) ", note)
    return " ".join(text for text in sentences if not any(name.search(text) for name in named))


def render_page(report: Report) -> str:
    """Return the page as HTML text; the same report gives the same text."""
    script = _asset("common.js") + "\n" + _asset("page.js")
    page = render(
        "report.html",
        report=report,
        script=Markup(script),
        style=Markup(_asset("page.css")),
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        data=Markup(_packed(report)),
    )
    return str(page)


#: fields of a Report that the script needs; the others are in the HTML or drawn
_DATA = "facts runs boards metrics relations problems det_relation".split()


def _packed(report: Report) -> str:
    data = {name: getattr(report, name) for name in _DATA}
    data["blocks"] = [
        {
            **blocks,
            "metrics": {
                metric: {
                    **entry,
                    "values": {run: [_rounded(value) for value in values] for run, values in entry["values"].items()},
                }
                for metric, entry in blocks["metrics"].items()
            },
        }
        for blocks in report.blocks
    ]
    scores = dict(report.scores)
    # what begins a signature is in the other columns; what ends it many scores share
    heads = [text.partition("|sql:") for text in scores.pop("signature")]
    scores["tail"] = [mark + tail for _, mark, tail in heads]
    scores["version"] = [head.split("|")[0].rpartition(":")[2] for head, _, _ in heads]
    data["scores"] = scores
    data["topic"] = [topic_word(board.task) for board in report.boards]
    data["weightings"] = [_weightings(report, at) for at in range(len(report.boards))]
    data["trial_scores"] = [part("scores", scores) for _, scores in report.trial_scores]
    data["charts"] = [_charts(report, at) for at in range(len(report.boards))]
    data["swatches"] = [drawn("swatch", report.looks[run["id"]]) for run in report.runs]
    text = json.dumps(_finite(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")


def _weightings(report: Report, at: int) -> list[tuple[str, str]]:
    """Return the weightings of a board's curves, in words: the usual one of its task first."""
    task = report.boards[at].task
    words = {"topic": "topic: every topic counts the same", "story": "story: every trial counts the same"}
    found = {curve["weighting"] for curve in report.det if curve["board"] == at}
    return [
        (name, weighting_in_words(name, task) if TASKS[task].is_by_trial else words.get(name, name))
        for name in sorted(found, key=lambda name: (name != usual_weighting(task), name))
    ]


def _charts(report: Report, at: int) -> dict[str, Any]:
    """Return the charts of a board as SVG: det by weighting and subset, heat by metric, scores, tau and hierarchy."""
    board = report.boards[at]
    names = {run: str(report.runs[run]["id"]) for run in board.runs}
    looks = report.looks
    det: dict[str, list[charts.Curve]] = {}
    for found in sorted((found for found in report.det if found["board"] == at), key=lambda found: found["run"]):
        curve = replace(found["curve"], run=names[found["run"]])
        det.setdefault(f"{found['weighting']}|{found['subset']}", []).append(curve)
    blocks = report.blocks[at]
    is_small = len(blocks["blocks"]) * len(board.runs) <= MOST_CELLS
    heat = {}
    for metric, entry in blocks["metrics"].items() if is_small else ():
        values = {names[run]: entry["values"][run] for run in board.runs if run in entry["values"]}
        best = board.direction.get(metric, "none")
        heat[metric] = drawn("heat", charts.heat_map(list(values), blocks["blocks"], values, metric, best))
    over_time: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for curve in report.tau:
        if curve["board"] == at:
            hours = [tau / 3600 for tau in curve["tau"]]
            points = list(zip(hours, curve["value"], strict=True))
            over_time.setdefault(curve["metric"], {})[names[curve["run"]]] = points
    made = {
        "det": {
            key: drawn("det", curves, looks, board.cost, f"DET curves of {len(curves)} runs, {key}")
            for key, curves in det.items()
        },
        "heat": heat,
        "scores": drawn("run_histograms", [found for found in report.histograms if found["board"] == at], names),
        "tau": drawn("over_time", over_time, looks),
        "hierarchy": drawn("outlines", [tree for tree in report.hierarchies if tree["board"] == at], names),
    }
    return {key: value for key, value in made.items() if value or key in ("det", "heat")}


def _rounded(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    short = float(f"{value:.{BLOCK_DIGITS}g}")
    return int(short) if short == int(short) else short


def _finite(data: Any) -> Any:
    """Return ``data`` as JSON has it: rows by name, infinities and NaN as None."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if is_dataclass(data):
        return {field.name: _finite(getattr(data, field.name)) for field in fields(data)}
    return data


def _asset(name: str) -> str:
    text = files("tdtsql.report").joinpath("assets", name).read_text(encoding="utf-8")
    if "</script" in text.lower() or "</style" in text.lower():
        raise ValueError(f"{name} would end the element it is put in")
    return text
