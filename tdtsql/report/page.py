"""One self-contained HTML page from plain data: no network, no store, no clock.

The leaderboard, the comparisons and the notes are plain HTML and read without
JavaScript; the charts are drawn in the browser by D3, which is part of the
page. The data travel as JSON, gzip-compressed, in base64; the content security
policy forbids every request, so nothing can be loaded even by mistake.
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

from tdtsql.report.trials.priors import Priors, shown_priors
from tdtsql.report.trials.scores import Scores, shown_scores
from tdtsql.report.trials.subsets import SubsetGrid, shown_grid

#: significant digits of numbers per topic; numbers per run keep all 17
BLOCK_DIGITS = 8


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
class Standing:
    """One line of a leaderboard."""

    rank: int | None  #: None where the number is undefined
    run: int
    value: float | None
    n: int
    low: float | None  #: confidence interval of the mean over topics; None where there is none
    high: float | None
    letters: str  #: runs that share a letter do not differ significantly
    score: int | None  #: position in Report.scores, for the recipe
    withdrawn: str | None = None  #: why it is not ranked


@dataclass(slots=True)
class Leaderboard:
    """The runs of one board, best first, and how the letters were made."""

    board: int
    metric: str
    weighting: str
    best: str
    standings: list[Standing]
    note: str  #: test, correction, family size, seed: one sentence
    signature: str = ""  #: recipe of the comparisons
    comparisons: list[dict[str, Any]] = field(
        default_factory=list
    )  #: against the best run: run, difference, low, high, win, tie, loss, p, p_adjusted
    subset: str = "all"  #: attribute=NAME where each attribute has its own


@dataclass(slots=True)
class Report:
    """Everything on the page."""

    title: str
    facts: list[tuple[str, str]]  #: version, store, engine: for the foot of the page
    runs: list[dict[str, Any]]  #: id, system
    boards: list[Board]
    leaderboards: list[Leaderboard]
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
    flows: list[dict[str, Any]] = field(
        default_factory=list
    )  #: run, title, html: gold clusters beside those of the run
    grids: list[tuple[int, SubsetGrid]] = field(default_factory=list)  #: board, subsets of scored trials x runs
    trial_scores: list[tuple[int, Scores]] = field(
        default_factory=list
    )  #: run, its scores by class and by an attribute of the key
    priors: list[Priors] = field(default_factory=list)  #: error rates over priors, once a condition of scored trials
    weights: list[dict[str, Any]] = field(
        default_factory=list
    )  #: per board: corpus (what, value), bins (lower, upper, topics), prices of one threshold
    problems: list[dict[str, str]] = field(default_factory=list)  #: code, owner, place, message
    left_out: dict[str, list[str]] = field(
        default_factory=dict
    )  #: section -> sentences on what is not drawn there because it is too large, and how to have it; they name no run


#: what other teams' runs are called on the page of one team
ANOTHER = "another run"


def of_team(report: Report, names: Collection[str]) -> Report:
    """Return what the page of one team shows: its runs with all that is known of them, and where they stand among the
    others, which have no names.

    Args:
        names: ids of the team's runs.
    """
    own = {index for index, run in enumerate(report.runs) if run["id"] in names}
    shown = {index for index, board in enumerate(report.boards) if own & set(board.runs)}
    rows = [row for row, run in enumerate(report.scores["run"]) if run in own]
    moved = {row: place for place, row in enumerate(rows)}

    def of_own(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [entry for entry in entries if entry["run"] in own]

    return replace(
        report,
        runs=[run if index in own else {"id": ANOTHER, "system": None} for index, run in enumerate(report.runs)],
        boards=[replace(board, runs=[run for run in board.runs if run in own]) for board in report.boards],
        leaderboards=[
            replace(
                table,
                standings=[
                    replace(line, score=moved.get(line.score) if line.score is not None else None)
                    for line in table.standings
                ],
                comparisons=[
                    row | {name: row[name] if row[name] in names else ANOTHER for name in ("run", "baseline")}
                    for row in table.comparisons
                    if row["run"] in names or row["baseline"] in names
                ],
                signature="",  # it names all runs
            )
            for table in report.leaderboards
            if table.board in shown
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
        flows=of_own(report.flows),
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
    script = _asset("d3.min.js") + "\n" + _asset("page.js")
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
        ("weight", "Weight of a miss", _weights(report)),
        ("tau", "Over time", _TAU),
        ("hierarchy", "Hierarchies", _HIERARCHY),
        ("drawings", "Best vertices", _drawings(report)),
        ("flows", "Clusters", _flows(report)),
        ("compare", "Comparison", _comparisons(report)),
        ("numbers", "All numbers", _NUMBERS),
        ("problems", "Problems", _problems(report)),
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
<div class="controls screen"><span id="choose"></span><button class="plain" id="theme" type="button" hidden></button></div></header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main>
<noscript><p class="notice">The charts need JavaScript; the leaderboard, the comparison and the problems below do not.</p></noscript>
{bodies}
<footer><dl>{facts}</dl><p>Charts by D3, copyright Mike Bostock, ISC licence.</p></footer>
</main>
<dialog id="recipe"></dialog>
<div id="tip" class="tip" role="presentation" hidden></div>
<div id="live" class="visually-hidden" aria-live="polite"></div>
<script id="data" type="application/octet-stream">{_packed(report)}</script>
<script>{script}</script>
</body>
</html>
"""


_LEGEND = '<ul class="legend" aria-label="Runs shown"></ul>'

_DET = f"""<h2>DET curves</h2>
<p>Miss against false-alarm probability on normal-deviate axes: a system whose scores are normally distributed draws a straight
line, and nearer to the lower left is better. A disc is the system's own decision (of scored trials that at the Bayes threshold), a triangle the point of least cost,
of scored trials a dotted line the convex hull, and the
shaded band <span id="det-band-width"></span> standard errors over topics, as the profile says (where there are any; switched on by itself for up to four runs).</p>
<div class="controls" id="det-controls"></div>{_LEGEND}
<figure><div id="det-chart"></div></figure>
<details><summary>The points as a table</summary><div id="det-points"></div></details>"""

_TOPICS = f"""<h2>Topics</h2><p>One row per topic. Click a header to sort, a number for the SQL behind it.</p>
<div class="controls" id="topic-controls"></div><details class="screen"><summary>Choose runs</summary>{_LEGEND}</details><div id="topic-table"></div>"""

_HEAT = '<h2>Topics by runs</h2><figure><div id="heat-chart"></div></figure>'

_SCORES = """<h2>Score distributions</h2>
<p>Share of the targets (solid, orange) and of the non-targets (dashed, blue) in each range of scores; trials without a score are
not drawn. The thin lines are the Gaussian and the exponential that fit them best; upright, the threshold they give (solid), the best
one on the data (dashed), and the score above which the fitted model must not be used (dotted).</p><div class="small" id="score-charts"></div>"""

_TAU = (
    f"<h2>Over time</h2>{_LEGEND}<div class='small' style='grid-template-columns:repeat(auto-fill,minmax(340px,1fr))' "
    f"id='tau-charts'></div>"
)

_HIERARCHY = """<h2>Hierarchies</h2><p class="soft" id="hierarchy-note"></p><div class="controls" id="hierarchy-controls"></div>
<div class="scroll tall" tabindex="0" role="region" aria-label="Hierarchy" id="hierarchy-chart"></div>"""

_NUMBERS = '<h2>All numbers</h2><div class="controls" id="number-controls"></div><div id="number-table"></div>'


def _drawings(report: Report) -> str:
    """The hierarchies around the best vertices of the costliest topics; empty where there are none."""
    if not report.drawings:
        return ""
    shown = "".join(
        f'<details data-board="{drawing["board"]}"><summary>{html.escape(drawing["title"])}</summary><div '
        f'class="scroll">{drawing["svg"]}</div></details>'
        for drawing in report.drawings
    )
    return (
        '<h2>Best vertices</h2><p class="soft">For the costliest topics of each run: what lies above, below and '
        "beside the best vertex "
        f"(orange), with the stories on the topic of all in it; blue holds some.</p>{shown}"
    )


def _flows(report: Report) -> str:
    """Who flows where, of each run of clusters; empty where there are none."""
    if not report.flows:
        return ""
    shown = "".join(
        f"<details{'' if place else ' open'}><summary>{html.escape(flow['title'])}</summary>{flow['html']}</details>"
        for place, flow in enumerate(report.flows)
    )
    return (
        '<h2>Clusters</h2><p class="soft">Where the items of each gold cluster went: a gold cluster with several '
        "ribbons was torn apart, a cluster of the run with several was "
        f"glued together.</p>{shown}"
    )


def _subsets(report: Report) -> str:
    """Numbers of scored trials in every subset, runs beside each other; empty where there are none."""
    if not report.grids:
        return ""
    shown = "".join(
        f"<div "
        f"data-board='{board}'><h3>{html.escape(f'{grid.setting.metric}: {grid.setting.condition} · {grid.setting.profile}')}</h3>{shown_grid(grid)}</div>"
        for board, grid in report.grids
    )
    return (
        f"<h2>Subsets by runs</h2>{_left_out(report, 'subsets')}<p>All trials of a subset together. An attribute that "
        f"a whole class lacks, as bona fide speech has "
        f"no attack, restricts the other class alone: the counts show it. The best of a line is bold.</p>{shown}"
    )


def _trial_scores(report: Report) -> str:
    """Scores by class and by the attributes of the key, run by run; empty where there are none."""
    left_out = _left_out(report, "attributes")
    if not report.trial_scores and not left_out:
        return ""
    shown = "".join(
        f"<details{'' if place else ' open'}><summary>{html.escape(_of_attribute(report.runs[run]['id'], scores))}</summary>{shown_scores(scores)}</details>"
        for place, (run, scores) in enumerate(report.trial_scores)
    )
    return f"<h2>Scores by class and attribute</h2>{left_out}{shown}"


def _priors(report: Report) -> str:
    """Bayes-error plots of scored trials; empty where there are none."""
    left_out = _left_out(report, "priors")
    if not report.priors and not left_out:
        return ""
    return f"<h2>Error over priors</h2>{left_out}" + "".join(
        f"<h3>{html.escape(f'{priors.condition} · {priors.profile}')}</h3>{shown_priors(priors)}"
        for priors in report.priors
    )


def _left_out(report: Report, section: str) -> str:
    """What is not drawn in a section, and how to have it."""
    return "".join(f"<p class='soft'>{html.escape(text)}</p>" for text in report.left_out.get(section, []))


def _of_attribute(run: object, scores: Scores) -> str:
    return f"{run} ({scores.condition}), by {scores.attribute}"


def _weights(report: Report) -> str:
    """What false alarms a miss weighs on each corpus, P(rel) of its topics, and what one threshold for all of them
    costs.
    """
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
        "<h2>What a miss weighs</h2><p>Costs and the fixed prior of the profile make a miss weigh as many false "
        "alarms as the costs say only on a topic "
        "with that prior. Here is what it weighs on these topics (<code>report.corpus_table</code>), how their P(rel) "
        "spread "
        "(<code>report.p_rel_histogram</code>), and what it costs to use the best common threshold instead of each "
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
        f"height='{n * scale:.1f}' fill='var(--c0)'>"
        f"<title>P(rel) {number(lower)} to {number(upper)}: {_count(n, 'topic')}</title></rect>"
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
        f'<p class="soft">{_count(len(_named(report)), "run")} under {_count(_n_condition(report), "condition")}: '
        f"{html.escape(tasks)}</p>"
    )


def _summary(report: Report) -> str:
    n_topic = max((len(blocks["blocks"]) for blocks in report.blocks), default=0)
    n_error = len(report.problems)
    cards = [
        (_count(len(_named(report)), "run"), "evaluated"),
        (
            _count(_n_condition(report), "condition"),
            f"under {_count(len({board.profile for board in report.boards}), 'scoring profile')}",
        ),
        (f"{n_topic}", "topics, in the largest condition"),
        (f"{len(report.scores['value']):,}", "numbers, each with its SQL"),
        (f"{n_error:,}", "warnings while loading"),
    ]
    body = "".join(f'<div class="card"><b>{value}</b><span>{label}</span></div>' for value, label in cards)
    return (
        f'<h2>Leaderboard</h2><div class="cards">{body}</div><div class="boards">'
        + "".join(_leaderboard(report, table) for table in report.leaderboards)
        + "</div>"
    )


#: what a headline adds on a condition, where the data are those of the plan: it requires one of the conditions
_PLAN = {"required": ", required by the plan", "other": ", not the plan’s required condition", None: ""}


def _leaderboard(report: Report, table: Leaderboard) -> str:
    board = report.boards[table.board]
    is_planned = any(other.plan == "required" for other in report.boards)
    rows = []
    for line in table.standings:
        run = html.escape(str(report.runs[line.run]["id"]))
        value = number(line.value)
        if line.score is not None:
            value = f'<button class="value" type="button" data-score="{line.score}">{value}</button>'
        interval = "–" if line.low is None else f"{number(line.low)} … {number(line.high)}"
        best = ' class="best"' if line.rank == 1 else ""
        rank = line.rank or "–"
        if line.withdrawn is not None:
            rank = f'<abbr title="{html.escape(line.withdrawn)}">withdrawn</abbr>'
        rows.append(
            f"<tr{best}><th scope='row'>{run}</th><td class='number'>{rank}</td><td "
            f"class='number'>{value}</td>"
            f"<td class='number'>{interval}</td><td>{html.escape(line.letters) or '–'}</td><td "
            f"class='number'>{line.n}</td></tr>"
        )
    better = {"lowest": "lower is better", "highest": "higher is better"}.get(table.best, "")
    caption = ", ".join(
        part
        for part in (table.metric, "" if table.subset == "all" else table.subset, f"{table.weighting}-weighted", better)
        if part
    )
    return (
        f"<div class='board'><h3>{html.escape(board.condition)} · {html.escape(board.profile)} "
        f"({html.escape(board.task.replace('_', ' '))}{_PLAN[board.plan] if is_planned else ''})</h3>"
        f"<details "
        f"class='soft'><summary>{html.escape(caption)}</summary><p>{html.escape(table.note)}</p></details><div "
        f"class='scroll'><table class='leaderboard'><thead><tr><th scope='col'>run</th>"
        "<th scope='col' class='number'>rank</th><th scope='col' class='number'>value</th><th scope='col' "
        "class='number'>95 % interval</th>"
        f"<th scope='col'>group</th><th scope='col' "
        f"class='number'>n</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def _named(report: Report) -> list[dict[str, Any]]:
    return [run for run in report.runs if run["id"] != ANOTHER]


def _n_condition(report: Report) -> int:
    return len({board.condition for board in report.boards if board.runs})


def _wins(row: dict) -> str:
    return "–" if row["win"] is None else f"{row['win']}/{row['tie']}/{row['loss']}"


def _comparisons(report: Report) -> str:
    parts = []
    for table in report.leaderboards:
        if not table.comparisons:
            continue
        board = report.boards[table.board]
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(row['run'])}</th><td>{html.escape(row['baseline'])}</td><td "
            f"class='number'>{number(row['difference'])}</td>"
            f"<td class='number'>{number(row['low'])} … {number(row['high'])}</td><td "
            f"class='number'>{_wins(row)}</td>"
            f"<td class='number'>{number(row['p'])}</td><td class='number'>{number(row['p_adjusted'])}</td></tr>"
            for row in table.comparisons
        )
        parts.append(
            f"<div data-board='{table.board}'><h3>{html.escape(board.condition)} · "
            f"{html.escape(board.profile)}</h3><p class='soft'>{html.escape(table.note)}</p>"
            + (f"<p class='soft signature'><code>{html.escape(table.signature)}</code></p>" if table.signature else "")
            + "<div class='scroll'><table>"
            "<thead><tr><th scope='col'>run</th><th scope='col'>against</th><th scope='col' "
            "class='number'>difference</th><th scope='col' class='number'>95 % interval</th>"
            "<th scope='col' class='number'>win/tie/loss</th><th scope='col' class='number'>p</th><th scope='col' "
            "class='number'>p corrected</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div></div>"
        )
    if not parts:
        return ""
    return (
        "<h2>Comparison with the best run</h2><p>Differences of the primary metric; the note of each table states the unit.</p>"
        + "".join(parts)
    )


def _problems(report: Report) -> str:
    if not report.problems:
        return "<h2>Problems found while loading</h2><p>None.</p>"
    return (
        f"<h2>Problems found while loading</h2><p>{_count(len(report.problems), 'warning')}: the data were stored, "
        f"and these were accepted.</p>"
        '<div id="problem-table"></div>'
    )


def number(value: float | None, digits: int = 4) -> str:
    """Return a number for a person: four decimals, an en dash where it is undefined."""
    if value is None or math.isnan(value):
        return "–"
    if value != 0.0 and (abs(value) < 10.0**-digits or abs(value) >= 1e6):
        return f"{value:.2e}"
    return f"{value:.{digits}f}"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _packed(report: Report) -> str:
    # what is left out is static
    data = {
        field.name: getattr(report, field.name)
        for field in fields(report)
        if field.name
        not in ("leaderboards", "drawings", "flows", "grids", "priors", "trial_scores", "weights", "left_out")
    }
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
    data["scores"] = {name: _dictionary(column) for name, column in report.scores.items()}
    text = json.dumps(_finite(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")


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
