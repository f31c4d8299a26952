"""One self-contained HTML file from plain data: no network, no store, no clock.

Leaderboards, comparisons and notes are plain HTML and need no JavaScript. Charts are SVG, drawn here; those of the
condition that is shown are unpacked by the script from gzip in base64. The content security policy forbids every
request.
"""

import base64
import gzip
import hashlib
import html
import json
import math
from collections.abc import Collection
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from tdtsql.errors import counted
from tdtsql.report import charts, sections
from tdtsql.report.charts import escaped, tag
from tdtsql.report.leaderboard import Leaderboard, RankedRun
from tdtsql.report.tables import fixed as number
from tdtsql.report.trials.priors import Priors, shown_priors
from tdtsql.report.trials.scores import Scores, shown_scores
from tdtsql.report.trials.subsets import SubsetGrid, shown_grid

#: significant digits of numbers per topic; numbers per run keep all 17
BLOCK_DIGITS = 8
#: cells of a heat map above which it is not drawn
MOST_CELLS = 20_000


@dataclass(slots=True)
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


@dataclass(slots=True)
class Report:
    """Everything on the page."""

    title: str
    facts: list[tuple[str, str]]  #: version, store, engine: for the foot of the page
    runs: list[dict[str, Any]]  #: id, system
    boards: list[Board]
    leaderboards: list[tuple[int, Leaderboard]]  #: board, the runs of it best first
    metrics: dict[str, str]  #: metric -> what it is
    relations: dict[str, dict[str, Any]]  #: relation -> title, sql, reads
    scores: dict[str, list]  #: columns run, board, metric, weighting, subset, value, n, signature, relation
    blocks: list[
        dict[str, Any]
    ]  #: per board: blocks, metrics -> {values: {run: [...]}, relation, signature: {run: ...}}
    det: list[dict[str, Any]]
    det_relation: str = ""  #: view that makes the curves
    histograms: list[dict[str, Any]] = field(default_factory=list)
    tau: list[dict[str, Any]] = field(default_factory=list)
    hierarchies: list[dict[str, Any]] = field(default_factory=list)
    drawings: list[dict[str, Any]] = field(
        default_factory=list
    )  #: board, run, title, svg: hierarchies around a topic's best vertex
    cluster_maps: list[dict[str, Any]] = field(default_factory=list)  #: run, title, html: cluster maps
    grids: list[tuple[int, SubsetGrid]] = field(default_factory=list)  #: board, subsets of scored trials x runs
    trial_scores: list[tuple[int, Scores]] = field(
        default_factory=list
    )  #: run, its scores by class and by an attribute of the key
    priors: list[Priors] = field(default_factory=list)  #: error rates over priors, once a condition of scored trials
    weights: list[dict[str, Any]] = field(
        default_factory=list
    )  #: per board: corpus (what, value), bins (lower, upper, topics), costs of one threshold
    problems: list[dict[str, str]] = field(default_factory=list)  #: code, owner, location, message
    left_out: dict[str, list[str]] = field(
        default_factory=dict
    )  #: section -> sentences on what is not drawn there because it is too large, and how to have it; they name no run


#: what other teams' runs are called on the page of one team
ANOTHER = "another run"


def redact_for_team(report: Report, names: Collection[str]) -> Report:
    """Return what the page of one team shows: its runs with all that is known of them, and where they stand among the
    others, which have no names.

    Args:
        names: ids of the team's runs.
    """
    own = {index for index, run in enumerate(report.runs) if run["id"] in names}
    shown = {index for index, board in enumerate(report.boards) if own & set(board.runs)}
    rows = [row for row, run in enumerate(report.scores["run"]) if run in own]

    def of_own(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [entry for entry in entries if entry["run"] in own]

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
        det=of_own(report.det),
        histograms=of_own(report.histograms),
        tau=of_own(report.tau),
        hierarchies=of_own(report.hierarchies),
        drawings=of_own(report.drawings),
        cluster_maps=of_own(report.cluster_maps),
        grids=[(board, grid.of(names)) for board, grid in report.grids if board in shown],
        trial_scores=[(run, scores) for run, scores in report.trial_scores if run in own],
        priors=[mine for priors in report.priors if (mine := priors.of(names)).rows],
        weights=[
            {**weight, "prices": [row for row in weight["prices"] if row[0] in names]}
            for weight in report.weights
            if weight["board"] in shown
        ],
        problems=[
            problem
            for problem in report.problems
            if not problem["owner"].startswith("run:") or problem["owner"].rpartition("/")[2] in names
        ],
    )


def render_page(report: Report) -> str:
    """Return the page as HTML text; the same report gives the same text."""
    script = _asset("common.js") + "\n" + _asset("page.js")
    style = _asset("page.css")
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    sections = [
        ("summary", "Leaderboard", _summary(report)),
        ("det", "DET curves", _DET),
        ("topics", "Topics", _TOPICS),
        ("heat", "Heat map", _HEAT),
        ("scores", "Scores", _SCORES + _left_out(report, "scores")),
        ("subsets", "Subsets", _subsets(report)),
        ("attributes", "Scores by attribute", _trial_scores(report)),
        ("priors", "Error over priors", _priors(report)),
        ("weight", "Effective cost ratio", _effective_costs(report)),
        ("tau", "Over time", _TAU),
        ("hierarchy", "Hierarchies", _HIERARCHY),
        ("drawings", "Best vertices", _drawings(report)),
        ("flows", "Clusters", _cluster_maps(report)),
        ("compare", "Comparison", _comparisons(report)),
        ("numbers", "All scores", _NUMBERS),
        ("problems", "Warnings", _problems(report)),
    ]
    links = "".join(f'<li><a href="#{name}">{label}</a></li>' for name, label, body in sections if body)
    bodies = "\n".join(f'<section id="{name}">{body}</section>' for name, _, body in sections if body)
    facts = "".join(f"<dt>{html.escape(key)}</dt><dd>{html.escape(value)}</dd>" for key, value in report.facts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">
<meta name="generator" content="tdtsql">
<title>{html.escape(report.title)}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<a class="skip" href="#summary">Skip to the results</a>
<header class="page"><div><h1>{html.escape(report.title)}</h1>{_headline(report)}</div>
<div class="controls screen"><button class="plain" id="theme" type="button" hidden></button></div></header>
<nav aria-label="Sections"><span id="choose" class="controls screen"></span><ul>{links}</ul></nav>
<main>
<noscript><p class="notice">The charts need JavaScript; the leaderboard, the comparison and the problems below do not.
</p></noscript>
{bodies}
</main>
<footer><dl>{facts}</dl></footer>
<dialog id="recipe"></dialog>
<div id="live" class="visually-hidden" aria-live="polite"></div>
<script id="data" type="application/octet-stream">{_packed(report)}</script>
<script>{script}</script>
</body>
</html>
"""


_LEGEND = '<ul class="legend" aria-label="Runs shown"></ul>'

_DET = f"""<h2>DET curves <span class="scope soft"></span></h2>
<p>Miss against false-alarm probability on normal-deviate axes; lower left is better. Disc: the run's decisions (of
scored trials those at the Bayes threshold). Triangle: minimum cost. Dotted: convex hull of scored trials. Bands, for up
to four runs: standard errors over topics, as many as the profile says. Grey lines: equal normalised cost.</p>
<div class="controls" id="det-controls"></div>{_LEGEND}
<figure><div class="scroll-x" id="det-chart"></div></figure>
<details><summary>Show data</summary><div id="det-points"></div></details>"""

_TOPICS = f"""<h2>Topics <span class="scope soft"></span></h2>
<p>One row per topic. Click a header to sort, a number for its SQL.</p><div class="controls" id="topic-controls"></div>
<details class="screen"><summary>Choose runs</summary>{_LEGEND}</details><div id="topic-table"></div>"""

_HEAT = """<h2>Topics by runs <span class="scope soft"></span></h2><figure><div class="scroll-x" id="heat-chart"></div>
<figcaption>Topics from left to right, easiest first; runs from top to bottom, best first. Light is better, grey is
undefined. Click a cell for its SQL.</figcaption></figure>"""

_SCORES = """<h2>Score distributions <span class="scope soft"></span></h2>
<p>Share of the targets (black) and of the non-targets (grey, dashed) in each range of scores; trials without a score
are not drawn. Thin lines: the best-fitting Gaussian and exponential. Vertical lines: fitted threshold (solid), best
threshold on the data (dashed), upper limit of the model (dotted).</p><div class="small" id="score-charts"></div>"""

_TAU = f"""<h2>Over time <span class="scope soft"></span></h2>{_LEGEND}<div class="small wide" id="tau-charts"></div>"""

_HIERARCHY = """<h2>Hierarchies <span class="scope soft"></span></h2>
<p class="soft">The topmost vertices; a vertex with several parents is listed below its first.</p>
<div id="hierarchy-chart"></div>"""

_NUMBERS = """<h2>All scores <span class="scope soft"></span></h2>
<div class="controls" id="number-controls"></div><div id="number-table"></div>"""


def _drawings(report: Report) -> str:
    """The hierarchies around the best vertices of the costliest topics; empty without hierarchies."""
    if not report.drawings:
        return ""
    shown = "".join(
        f'<details data-board="{drawing["board"]}"><summary>{html.escape(drawing["title"])}</summary><div '
        f'class="scroll">{drawing["svg"]}</div></details>'
        for drawing in report.drawings
    )
    return (
        '<h2>Best vertices</h2><p class="soft">For the costliest topics of each run: the ancestors, descendants and '
        "siblings of the best vertex "
        f"(orange), with the stories on the topic of all in it; blue holds some.</p>{shown}"
    )


def _cluster_maps(report: Report) -> str:
    """The cluster map of each run of clusters; empty without such runs."""
    if not report.cluster_maps:
        return ""
    shown = "".join(
        f"<details{'' if place else ' open'}><summary>{html.escape(flow['title'])}</summary>{flow['html']}</details>"
        for place, flow in enumerate(report.cluster_maps)
    )
    return (
        '<h2>Clusters</h2><p class="soft">Where the items of each gold cluster went: a gold cluster with several '
        "ribbons was split, a cluster of the run with several was "
        f"merged.</p>{shown}"
    )


def _subsets(report: Report) -> str:
    """Numbers of scored trials in every subset, one column per run; empty without subsets."""
    if not report.grids:
        return ""
    shown = "".join(
        f"<div data-board='{board}'><h3>"
        + html.escape(f"{grid.setting.metric}: {grid.setting.condition} · {grid.setting.profile}")
        + f"</h3>{shown_grid(grid)}</div>"
        for board, grid in report.grids
    )
    return (
        f"<h2>Subsets by runs</h2>{_left_out(report, 'subsets')}<p>All trials of a subset together. An attribute that "
        f"a whole class lacks, as bona fide speech has "
        f"no attack, restricts the other class alone: the counts show it. The best of a line is bold.</p>{shown}"
    )


def _trial_scores(report: Report) -> str:
    """Scores by class and by the attributes of the key, run by run; empty without scores."""
    left_out = _left_out(report, "attributes")
    if not report.trial_scores and not left_out:
        return ""
    shown = "".join(
        f"<details{'' if place else ' open'}>"
        f"<summary>{html.escape(_of_attribute(report.runs[run]['id'], scores))}</summary>"
        f"{shown_scores(scores)}</details>"
        for place, (run, scores) in enumerate(report.trial_scores)
    )
    return f"<h2>Scores by class and attribute</h2>{left_out}{shown}"


def _priors(report: Report) -> str:
    """Bayes-error plots of scored trials; empty without such trials."""
    left_out = _left_out(report, "priors")
    if not report.priors and not left_out:
        return ""
    looks = charts.looks_of(str(run["id"]) for run in report.runs)
    return f"<h2>Error over priors</h2>{left_out}" + "".join(
        f"<h3>{html.escape(f'{priors.condition} · {priors.profile}')}</h3>{shown_priors(priors, looks)}"
        for priors in report.priors
    )


def _left_out(report: Report, section: str) -> str:
    """What is not drawn in a section, and how to have it."""
    return "".join(f"<p class='soft'>{html.escape(text)}</p>" for text in report.left_out.get(section, []))


def _of_attribute(run: object, scores: Scores) -> str:
    return f"{run} ({scores.condition}), by {scores.attribute}"


def _effective_costs(report: Report) -> str:
    """The effective cost ratio on each corpus, P(rel) of its topics, and the cost of a common threshold."""
    if not report.weights:
        return ""
    parts = []
    for weight in report.weights:
        board = report.boards[weight["board"]]
        name = f"{html.escape(board.condition)} · {html.escape(board.profile)}"
        facts = "".join(
            f"<tr><th scope='row'>{html.escape(what)}</th><td class='number'>{_fact(value)}</td></tr>"
            for what, value in weight["corpus"]
        )
        parts.append(
            f"<div class='board' data-board='{weight['board']}'><h3>{name}</h3>{_p_rel_histogram(weight['bins'])}"
            f"<div class='scroll'><table><tbody>{facts}</tbody></table></div>{_prices(weight['prices'])}</div>"
        )
    return (
        "<h2>Effective cost ratio</h2><p>The nominal ratio of the costs holds only for topics whose target share "
        "equals the prior. The effective ratio on these topics (<code>report.corpus_table</code>), the distribution of "
        "their target shares P(rel) "
        "(<code>report.p_rel_histogram</code>), and the cost of the best common threshold compared with each "
        "topic's best "
        f"(<code>report.common_threshold</code>; with the profile's prior, and with each topic's own).</p><div "
        f"class='boards'>{''.join(parts)}</div>"
    )


def _fact(value: float | None) -> str:
    return f"{value:,}" if isinstance(value, int) else number(value)


def _p_rel_histogram(bins: list[list]) -> str:
    """Return the histogram of P(rel) over topics as SVG (Manmatha, Feng, Allan, figure 1)."""
    if not bins:
        return ""
    width, height, left, foot, top = 420, 150, 30, 32, 14
    step, most = (width - left - 8) / len(bins), max(1, *(n for *_, n in bins))
    scale = (height - top - foot) / most
    bars = "".join(
        f"<rect x='{left + place * step:.1f}' y='{height - foot - n * scale:.1f}' width='{step - 1:.1f}' "
        f"height='{n * scale:.1f}' fill='var(--soft)'>"
        f"<title>P(rel) {number(lower)} to {number(upper)}: {counted(n, 'topic')}</title></rect>"
        for place, (lower, upper, n) in enumerate(bins)
        if n
    )
    ends = "".join(
        f"<text x='{left + share * (width - left - 8):.1f}' y='{height - foot + 14}' "
        f"text-anchor='{anchor}'>{number(value)}</text>"
        for share, anchor, value in (
            (0, "start", bins[0][0]),
            (0.5, "middle", bins[len(bins) // 2][0]),
            (1, "end", bins[-1][1]),
        )
    )
    return (
        f"<figure style='max-width:{width}px'><svg class='chart' viewBox='0 0 {width} {height}' role='img' "
        f"aria-label='Histogram of P(rel) over {sum(n for *_, n in bins)} topics'>{bars}"
        f"<path d='M{left} {height - foot}H{width - 8}' stroke='var(--rule)'/><text x='{left - 6}' y='{top + 4}' "
        f"text-anchor='end'>{most}</text>"
        f"<text x='{left - 6}' y='{height - foot}' text-anchor='end'>0</text>{ends}<text x='{(left + width) / 2:.0f}' "
        f"y='{height - 3}' text-anchor='middle'>P(rel)</text></svg>"
        "<figcaption>Topics by their share of targets among the trials</figcaption></figure>"
    )


def _prices(prices: list[list]) -> str:
    if not prices:
        return ""
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(run)}</th><td>{html.escape(prior)}</td><td "
        f"class='number'>{number(threshold)}</td><td class='number'>{number(cost)}</td>"
        f"<td class='number'>{number(own)}</td><td class='number'>{number(price)}</td><td class='number'>{n}</td></tr>"
        for run, prior, n, threshold, cost, own, price in prices
    )
    heads = "".join(
        f"<th scope='col' class='number'>{name}</th>"
        for name in ("best threshold", "cost with it", "with each topic's", "price", "n")
    )
    return (
        f"<h4>One threshold for all topics</h4><div class='scroll'><table><thead><tr><th scope='col'>run</th><th "
        f"scope='col'>prior</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _headline(report: Report) -> str:
    tasks = ", ".join(sorted({board.task.replace("_", " ") for board in report.boards if board.runs}))
    return (
        f'<p class="soft">{counted(len(_named(report)), "run")} under {counted(_n_condition(report), "condition")}: '
        f"{html.escape(tasks)}</p>"
    )


def _summary(report: Report) -> str:
    n_topic = max((len(blocks["blocks"]) for blocks in report.blocks), default=0)
    n_error = len(report.problems)
    cards = [
        (counted(len(_named(report)), "run"), "evaluated"),
        (
            counted(_n_condition(report), "condition"),
            f"under {counted(len({board.profile for board in report.boards}), 'scoring profile')}",
        ),
        (f"{n_topic}", "topics, in the largest condition"),
        (f"{len(report.scores['value']):,}", "numbers, each with its SQL"),
        (f"{n_error:,}", "warnings while loading"),
    ]
    body = "".join(f'<div class="card"><b>{value}</b><span>{label}</span></div>' for value, label in cards)
    return (
        f'<h2>Leaderboard</h2><div class="cards">{body}</div><div class="boards">'
        + "".join(_leaderboard(report, at, table) for at, table in report.leaderboards)
        + "</div>"
    )


#: what a headline adds on a condition, where the data are those of the plan: it requires one of the conditions
_PLAN = {"required": ", required by the plan", "other": ", not the plan’s required condition", None: ""}


def _leaderboard(report: Report, at: int, table: Leaderboard) -> str:
    board = report.boards[at]
    is_planned = any(other.plan == "required" for other in report.boards)
    columns = zip(*(report.scores[name] for name in ("board", "run", "metric", "weighting", "subset")), strict=True)
    row_of = {(where, report.runs[run]["id"], *rest): row for row, (where, run, *rest) in enumerate(columns)}

    def value(run: RankedRun) -> Markup:
        row = row_of.get((at, run.run, table.metric, table.weighting, table.subset))
        text = number(run.value)
        return escaped(text) if row is None else tag("button", text, class_="value", type="button", data_score=row)

    return str(
        sections.leaderboard(
            table,
            title=f"{board.condition} · {board.profile} ({board.task.replace('_', ' ')}"
            f"{_PLAN[board.plan] if is_planned else ''})",
            run=lambda run: run.run,
            value=value,
        )
    )


def _named(report: Report) -> list[dict[str, Any]]:
    return [run for run in report.runs if run["id"] != ANOTHER]


def _n_condition(report: Report) -> int:
    return len({board.condition for board in report.boards if board.runs})


def _comparisons(report: Report) -> str:
    parts = [
        tag(
            "div",
            tag("h3", f"{report.boards[at].condition} · {report.boards[at].profile}"),
            tag("p", board.note, class_="soft"),
            sections.signature(board.signature) if board.signature else None,
            sections.comparisons(board.against_best, run=str),
            data_board=at,
        )
        for at, board in report.leaderboards
        if board.against_best
    ]
    if not parts:
        return ""
    return (
        "<h2>Comparison with the best run</h2><p>Differences of the primary metric; the note of each table states the "
        "unit.</p>" + "".join(parts)
    )


def _problems(report: Report) -> str:
    if not report.problems:
        return ""
    return (
        f"<h2>Warnings while loading</h2><p>{counted(len(report.problems), 'warning')}: the data were stored, "
        f"and these were accepted.</p>"
        '<div id="problem-table"></div>'
    )


#: fields of a Report that the script needs; the others are in the HTML or drawn
_DATA = ("facts", "runs", "boards", "metrics", "relations", "problems", "det_relation")


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
    data["scores"] = {name: _dictionary(column) for name, column in scores.items()}
    data["charts"] = [_charts(report, at) for at in range(len(report.boards))]
    looks = charts.looks_of(run["id"] for run in report.runs)
    data["swatches"] = [charts.swatch(looks[run["id"]]) for run in report.runs]
    text = json.dumps(_finite(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")


def _charts(report: Report, at: int) -> dict[str, Any]:
    """Return the charts of a board as SVG: det by weighting and subset, heat by metric, scores, tau and hierarchy."""
    board = report.boards[at]
    names = {run: str(report.runs[run]["id"]) for run in board.runs}
    looks = charts.looks_of(run["id"] for run in report.runs)
    det: dict[str, list[charts.Curve]] = {}
    for curve in sorted((curve for curve in report.det if curve["board"] == at), key=lambda curve: curve["run"]):
        minimum, actual = (
            None if None in (pair := (curve[name]["p_fa"], curve[name]["p_miss"])) else pair
            for name in ("minimum", "actual")
        )
        det.setdefault(f"{curve['weighting']}|{curve['subset']}", []).append(
            charts.Curve(
                names[curve["run"]],
                curve["p_fa"],
                curve["p_miss"],
                curve["threshold"],
                curve["p_miss_se"],
                minimum,
                actual,
                curve.get("hull", ()),
            )
        )
    blocks = report.blocks[at]
    heat = {
        metric: charts.heat(
            [names[run] for run in board.runs if run in entry["values"]],
            blocks["blocks"],
            {names[run]: entry["values"][run] for run in board.runs if run in entry["values"]},
            metric,
            board.direction.get(metric, "none"),
        )
        for metric, entry in blocks["metrics"].items()
        if len(blocks["blocks"]) * len(board.runs) <= MOST_CELLS
    }
    scores = [
        tag(
            "figure",
            tag("figcaption", names[h["run"]] + (f", every {h['every']}th trial" if h["every"] > 1 else "")),
            charts.histogram(
                f"Scores of {names[h['run']]}: {sum(h['target']):,} targets, {sum(h['nontarget']):,} non-targets",
                h["low"],
                h["high"],
                h["target"],
                h["nontarget"],
                h["fit"],
            ),
            data_run=names[h["run"]],
        )
        for h in report.histograms
        if h["board"] == at
    ]
    over_time: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for curve in report.tau:
        if curve["board"] == at:
            hours = [tau / 3600 for tau in curve["tau"]]
            points = list(zip(hours, curve["value"], strict=True))
            over_time.setdefault(curve["metric"], {})[names[curve["run"]]] = points
    tau = [
        tag(
            "figure",
            tag("figcaption", metric),
            charts.lines(series, looks, x_title="hours after the event's start", y_title=metric),
        )
        for metric, series in over_time.items()
    ]
    trees = [
        tag(
            "details",
            tag("summary", f"{names[tree['run']]}: {len(tree['vertices'])} of {tree['n_vertex']} vertices"),
            charts.outline(tree["vertices"], f"Hierarchy of {names[tree['run']]}"),
        )
        for tree in report.hierarchies
        if tree["board"] == at
    ]
    made = {
        "det": {
            key: charts.det(curves, looks, cost=board.cost, label=f"DET curves of {len(curves)} runs, {key}")
            for key, curves in det.items()
        },
        "heat": heat,
        "scores": escaped(scores) or None,
        "tau": escaped(tau) or None,
        "hierarchy": escaped(trees) or None,
    }
    return {key: value for key, value in made.items() if value is not None}


def _rounded(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    short = float(f"{value:.{BLOCK_DIGITS}g}")
    return int(short) if short == int(short) else short


def _dictionary(column: list) -> list | dict[str, list]:
    """Return a column as it is, or as its distinct values and where they stand if that is shorter."""
    values = list(dict.fromkeys(column))
    if len(values) * 2 > len(column):
        return column
    place = {value: index for index, value in enumerate(values)}
    return {"of": values, "at": [place[value] for value in column]}


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


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
