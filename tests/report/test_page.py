"""The page as text: complete in itself, safe with hostile names, the same bytes for the same report."""

import base64
import gzip
import json
import math
import re
from dataclasses import replace

import pytest
from made_up_report import synthetic_report

from tdtsql.report import charts
from tdtsql.report.leaderboard import Leaderboard, RankedRun
from tdtsql.report.page import ANOTHER, Board, Report, redact_for_team, render_page
from tdtsql.show.table import fixed


def data_of(page: str) -> dict:
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def tiny(**changes) -> Report:
    """Return a report of one run, one topic, one number."""
    fields = {
        "title": "tiny",
        "facts": [("tdtsql", "0.1.0")],
        "runs": [{"id": "A"}],
        "boards": [Board("c", "tdt2004", "tracking", "p_miss", "topic", [0], None, {"p_miss": "lowest"})],
        "leaderboards": [
            (
                0,
                Leaderboard(
                    "c",
                    "tdt2004",
                    "tracking",
                    "p_miss",
                    "topic",
                    "lowest",
                    "all",
                    (RankedRun(1, "A", 0.25, 1, "a"),),
                    "One run.",
                ),
            )
        ],
        "metrics": {"p_miss": "Miss probability"},
        "relations": {"metric.x__v1": {"title": "x", "sql": "select 1", "reads": []}},
        "scores": {
            "run": [0],
            "board": [0],
            "metric": ["p_miss"],
            "weighting": ["topic"],
            "subset": ["all"],
            "value": [0.25],
            "n": [1],
            "signature": ["p_miss:v1"],
            "relation": ["metric.x__v1"],
        },
        "blocks": [
            {
                "blocks": ["T1"],
                "metrics": {"p_miss": {"relation": "metric.x__v1", "signature": {}, "values": {0: [0.25]}}},
            }
        ],
        "det": [],
    }
    return Report(**(fields | changes))


def test_the_page_asks_for_nothing_from_outside():
    page = render_page(synthetic_report(3, 5))
    own = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)

    assert "default-src 'none'" in own
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!#|data:)""", own)
    assert "@import" not in own
    assert "url(" not in own


@pytest.mark.full
def test_twenty_runs_and_250_topics_stay_under_three_megabytes():
    assert len(render_page(synthetic_report()).encode()) < 3_000_000


def test_the_same_report_gives_the_same_bytes():
    assert render_page(synthetic_report(3, 5)) == render_page(synthetic_report(3, 5))


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a&b", "</script><b>"])
def test_a_name_is_text_and_never_markup(name):
    report = tiny(title=name, runs=[{"id": name}])
    page = render_page(report)

    assert name not in page
    assert data_of(page)["runs"][0]["id"] == name


def test_numbers_of_a_run_keep_all_their_digits_and_undefined_ones_are_null():
    third = 1 / 3
    report = tiny()
    report.scores["value"] = [third]
    report.blocks[0]["metrics"]["p_miss"]["values"] = {0: [math.nan]}
    data = data_of(render_page(report))

    assert data["scores"]["value"] == [third]
    assert data["blocks"][0]["metrics"]["p_miss"]["values"]["0"] == [None]


def test_the_leaderboard_reads_without_javascript():
    page = render_page(tiny())

    assert '<th scope="row">A</th>\n<td class="number">1</td>' in page
    assert ">0.2500</button>" in page


def test_every_section_of_the_menu_is_there():
    page = render_page(synthetic_report(2, 3))
    targets = re.findall(r'<a href="#(\w+)">', page)

    assert targets
    assert all(f'<section id="{target}">' in page for target in targets)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (math.nan, "–"), (0.0, "0.0000"), (0.12345, "0.1235"), (3e-7, "3.00e-07"), (-2.5e9, "-2.50e+09")],
)
def test_numbers_for_a_person(value, text):
    assert fixed(value) == text


def test_every_signature_can_be_put_together_again():
    """The beginning of a signature is in the columns of its score; the script joins both."""
    report = synthetic_report(2, 3)
    data = data_of(render_page(report))
    scores = data["scores"]
    joined = [
        f"{metric}:{version}|w:{weighting}|profile:tdt2004|subset:{subset}|topics:{n}{tail}"
        for metric, version, weighting, subset, n, tail in zip(
            *(scores[name] for name in ("metric", "version", "weighting", "subset", "n", "tail")), strict=True
        )
        if weighting.startswith("topic")
    ]
    assert joined == [
        text
        for text, weighting in zip(report.scores["signature"], scores["weighting"], strict=True)
        if weighting.startswith("topic")
    ]


def test_charts_are_drawn_on_the_server_with_the_same_colour_for_a_run_everywhere():
    data = data_of(render_page(synthetic_report(3, 5)))
    tracking, summary, tree = data["charts"]

    assert set(tracking["det"]) == {f"{w}|{s}" for w in ("topic", "story") for s in ("all", "language=ENGLISH")}
    curves = re.findall(
        r'<g data-run="(\w+)">.*?<path d="[^"]*" class="curve" stroke="(var\(--c\d\))"', tracking["det"]["topic|all"]
    )
    assert curves == [(f"System0{run}", f"var(--c{run})") for run in range(3)]
    assert [re.search(r"var\(--c\d\)", data["swatches"][run])[0] for run in range(3)] == [c for _, c in curves]
    assert tracking["heat"]["c_det_norm"].count("data-topic") == 15 and tracking["scores"].count("<svg") == 3
    assert summary["tau"].count('class="curve"') == 4 and tree["hierarchy"].count("<li>") == 61


def test_a_section_without_data_is_not_on_the_page():
    """What no condition has is left out, with its link, instead of an empty heading."""
    page = render_page(tiny())
    whole = render_page(synthetic_report(2, 4))

    of = {name: [f'<section id="{name}">' in text for text in (page, whole)] for name in ("det", "scores", "tau")}
    assert of == {"det": [False, True], "scores": [False, True], "tau": [False, True]}
    assert 'href="#hierarchy"' not in page and 'href="#hierarchy"' in whole and "flows" not in page


def test_the_weight_of_a_miss_is_drawn_and_listed_without_javascript():
    weight = {
        "board": 0,
        "corpus": [("topics", 3), ("P(rel)", 0.05)],
        "bins": [[0.0, 0.05, 1], [0.05, 0.1, 0], [0.1, 0.15, 2]],
        "prices": [["<A>", "own", None, 0.5, 0.25, 0.25, 3]],
    }
    page = render_page(tiny(weights=[weight]))
    section = page[page.index('<section id="weight">') : page.index('<section id="numbers">')]

    assert '<tr><th scope="row">topics</th><td class="number">3</td></tr>' in section
    assert section.count("<rect") == 2 and "P(rel) 0.1000 to 0.1500: 2 topics" in section
    assert (
        '<th scope="row">&lt;A&gt;</th><td>own</td><td class="number">–</td>'
        '<td class="number">0.5000</td><td class="number">0.2500</td><td class="number">0.2500</td>'
        '<td class="number">3</td>'
    ) in section
    assert '<section id="weight">' not in render_page(tiny())
    assert "weights" not in data_of(page)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("required", "(tracking, required by the plan)"),
        ("other", "not the plan’s required condition)"),
        (None, "(tracking)"),
    ],
)
def test_a_headline_says_whether_the_plan_requires_the_condition(plan, words):
    """Where the data are those of the plan: it requires one of the conditions."""
    boards = [
        Board("c", "tdt2004", "tracking", "p_miss", "topic", [0], None, {"p_miss": "lowest"}, plan),
        Board("d", "tdt2004", "tracking", "p_miss", "topic", [0], None, {"p_miss": "lowest"}, "required"),
    ]

    assert words in render_page(tiny(boards=boards, blocks=tiny().blocks * 2))


def test_nothing_is_said_of_a_plan_that_requires_none_of_the_conditions():
    page = render_page(
        tiny(boards=[Board("c", "tdt2004", "tracking", "p_miss", "topic", [0], None, {"p_miss": "lowest"}, "other")])
    )

    assert "(tracking)</h3>" in page and "required" not in re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)


def test_the_page_of_one_team_shows_its_runs_and_names_no_others():
    report = synthetic_report(3, 5)
    own = report.runs[1]["id"]
    others = [run["id"] for run in report.runs if run["id"] != own]
    [(at, board)] = report.leaderboards
    notes = (f"Means are over 5 topics: {own} 0.2500 over 5, {others[0]} 0.5000 over 4.", "Groups: a paired test.")
    report = replace(report, leaderboards=[(at, replace(board, note=" ".join(notes)))])
    page = redact_for_team(report, [own])
    text = render_page(page)
    data = json.dumps(data_of(text))

    assert own in text and own in data
    assert not [
        name
        for name in others
        if re.search(rf"\b{re.escape(name)}\b", re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL))
        or f'"{name}"' in data
    ]
    assert [run["id"] for run in page.runs] == [own if index == 1 else ANOTHER for index in range(len(report.runs))]
    assert [board.runs for board in page.boards] == [[1] if 1 in board.runs else [] for board in report.boards]
    [(_, all_runs)], [(_, mine)] = report.leaderboards, page.leaderboards
    assert [(line.rank, line.value) for line in mine.runs] == [(line.rank, line.value) for line in all_runs.runs]
    assert mine.note == notes[1]  # the other sentence names a run of another team
    assert [line.run for line in mine.runs] == [own if line.run == own else ANOTHER for line in all_runs.runs]
    assert [bool(line.signature) for line in mine.runs] == [line.run == own for line in mine.runs]
    assert set(page.scores["run"]) == {1} and len(page.scores["value"]) == report.scores["run"].count(1)
    assert {run for blocks in page.blocks for entry in blocks["metrics"].values() for run in entry["values"]} == {1}
    assert {curve["run"] for curve in page.det} <= {1}


def test_the_colours_of_few_values_reach_the_largest():
    """Of two values both ends are colours; of a hundred the two largest share one."""
    few = charts.heat_map(["a", "b"], ["t"], {"a": [0.8], "b": [0.5]}, "b3_f1", "highest")
    assert (few.least, few.most, few.is_cut) == (0.5, 0.8, False)
    names = [str(number) for number in range(100)]
    many = charts.heat_map(["a"], names, {"a": [float(number) for number in range(100)]}, "b3_f1", "highest")
    assert (many.least, many.most, many.is_cut) == (0.0, 98.0, True)
