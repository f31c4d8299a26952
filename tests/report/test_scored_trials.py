"""Scored trials in report and web UI: tables of subsets x runs with intervals, scores by class and attribute.

key   12 trials of bona fide speech without an attack, 24 of attacks A1 and <A2>, each in codec C0 or C1
"""

import base64
import gzip
import html
import json
import re

import pytest
from click.testing import CliRunner

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from browser import chromium, complaints
from server_client import Tables, client_of

import tdtsql
from loads import unscored_loads
from tdtsql.cli.main import cli
from tdtsql.report.curves import attribute_curves
from tdtsql.report.gather import gather
from tdtsql.report.page import render_page
from tdtsql.report.sections import drawn as drawn_chart, part
from tdtsql.show.table import HEADS, fixed
from tdtsql.report.trials.scores import N_BIN, scores_of
from tdtsql.report.trials.subsets import attributes_of
from tdtsql.report.write import write_report
from tdtsql.report import charts
from tdtsql.serve.server import Server


def data_of(page: str) -> dict:
    """Return what a page carries for its script."""
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


N = 36
KEY = {
    "trial_id": [f"t{number:02}" for number in range(N)],
    "label": ["target" if number % 3 == 0 else "nontarget" for number in range(N)],
    "attack": [None if number % 3 == 0 else "A1" if number % 3 == 1 else "<A2>" for number in range(N)],
    "codec": [f"C{number // 3 % 2}" for number in range(N)],
    "file": [f"f{number}" for number in range(N)],
}
#: a tie of everything in ``flat``, an infinite score in ``mine``
SYSTEMS = {
    "mine & co": [float("inf") if number == 0 else number % 7 - (number % 3) * 1.5 for number in range(N)],
    "flat": [0.0] * N,
}


@pytest.fixture(scope="module", autouse=True)
def few_values():
    """File names are an attribute with too many values for the page."""
    with pytest.MonkeyPatch.context() as patch:
        for place in ("tdtsql.report.trials.subsets", "tdtsql.report.gather", "tdtsql.serve.run"):
            patch.setattr(f"{place}.MOST_VALUES", 30)
        yield


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("trials") / "trials.duckdb"
    with unscored_loads(), tdtsql.connect(path) as store:
        store.add_corpus("k")
        store.add_condition("la", corpus="k", task="verification", key=KEY, profile=["voxsrc", "kaldi"])
        for name, scores in SYSTEMS.items():
            store.add_run(name, condition="la", scores={"trial_id": KEY["trial_id"], "score": scores})
        store.add_condition(
            "plain",
            corpus="k",
            task="verification",
            key={name: KEY[name] for name in ("trial_id", "label")},
            profile=["voxsrc"],
        )
        store.add_run("flat", condition="plain", scores={"trial_id": KEY["trial_id"], "score": SYSTEMS["flat"]})
        store.refresh()
    return path


@pytest.fixture(scope="module")
def store(path):
    with tdtsql.connect(path, read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def made(store):
    """Return the report of the store, and its page."""
    report = gather(store.engine, title="t", facts=[])
    return report, render_page(report)


@pytest.fixture(scope="module")
def client(path):
    server = Server(str(path))
    yield client_of(server)
    server.close()


def cells(text: str, profile: str = "voxsrc", metric: str = "eer") -> list[list[str]]:
    """Return the rows of a table of subsets, its head first."""
    [start] = [
        found.start()
        for found in re.finditer(re.escape(f"{HEADS[metric]} of la under {profile}, subsets by runs</caption>"), text)
    ]
    return Tables("<table>" + text[start : text.index("</table>", start)] + "</table>").tables[0]


def expected(store, draws: int, metric: str = "eer", profile: str = "voxsrc") -> list[list[str]]:
    """Return the same rows by the library's own table."""
    rows = (
        store.subset_table(condition="la", profile=profile, metric=metric, resamples=draws)
        .project("subset, run_id, value, low, high, n_target, n_nontarget")
        .fetchall()
    )
    of = {(subset, run): (value, low, high) for subset, run, value, low, high, *_ in rows}
    found = []
    for subset, n_target, n_nontarget in dict.fromkeys(
        (row[0], *row[5:]) for row in rows if not row[0].startswith("file=")
    ):
        scale, digits = (100, 2) if metric == "eer" else (1, 4)  # an EER in percent
        texts = [
            f"{value * scale:.{digits}f}"
            + ("" if low is None else f"{low * scale:.{digits}f} … {high * scale:.{digits}f}")
            for value, low, high in (of[subset, run] for run in ("flat", "mine & co"))
        ]
        found.append([subset, str(n_target), str(n_nontarget), *texts])
    return found


def test_the_page_has_the_table_of_the_library(store, made):
    report, text = made

    assert [(grid.setting.condition, grid.setting.profile, grid.setting.metric) for _, grid in report.grids] == [
        ("la", *of) for of in (("kaldi", "eer"), ("voxsrc", "eer"), ("voxsrc", "min_c_det_norm"))
    ]  # the plain key has no subsets
    for metric in ("eer", "min_c_det_norm"):
        head, *rows = cells(text, metric=metric)
        assert head == ["subset", "targets", "non-targets", "flat", "mine & co"]
        assert rows == expected(store, 200, metric)
        assert [row[:3] for row in rows] == [
            ["all", "12", "24"],
            ["attack=<A2>", "12", "12"],
            ["attack=A1", "12", "12"],
            ["codec=C0", "6", "12"],
            ["codec=C1", "6", "12"],
        ]
    assert cells(text)[1][3] == "50.0050.00 … 50.00"  # a system that says nothing
    assert (
        "percentiles of 200 resamples of 36 trials, with replacement, the same resamples for all runs and subsets "
        "(seed 20040)" in text
    )
    assert (
        "Attribute file has 36 values: `tdtsql stats subsets --by file` prints its table." in text
        and "file=" not in text.replace("--by file", "")
    )
    assert "without an interval" not in text


def test_the_best_of_a_line_is_bold_and_names_are_text(store, made):
    _, text = made
    under = text[text.index('<caption class="visually-hidden">EER, % of la under voxsrc') :]
    row = under[under.index("attack=&lt;A2&gt;</th>") :]

    assert "<A2>" not in text
    assert re.findall(r"<b>([\d.]+)</b>", row[: row.index("</tr>")]) == [
        f"{value * 100:.2f}"
        for [value] in store.sql(
            "select min(value) from report.score where condition_id = 'la' and profile_id = 'voxsrc' and metric = "
            "'eer' and weighting = 'story' and subset = 'attack=<A2>'"
        ).fetchall()
    ]


@pytest.mark.full
def test_draws_are_as_many_as_are_asked_for(store, tmp_path, monkeypatch):
    write_report(store.engine, tmp_path / "some.html", draws=40)
    write_report(store.engine, tmp_path / "none.html", draws=0)
    some, none = ((tmp_path / name).read_text() for name in ("some.html", "none.html"))

    assert cells(some)[1:] == expected(store, 40) and "percentiles of 40 resamples" in some
    assert cells(none)[1:] == [
        row[:3] + [re.match(r"\d+\.\d\d", value)[0] for value in row[3:]] for row in expected(store, 40)
    ]
    assert "Without intervals: no resamples." in none
    monkeypatch.setattr("tdtsql.report.trials.subsets.MOST_DRAWN", 71)
    assert {grid.setting.n_resample for _, grid in gather(store.engine, title="t", facts=[]).grids} == {0}


@pytest.mark.full
def test_what_is_too_large_is_said_where_it_would_be_and_on_stderr(path, tmp_path, monkeypatch):
    """36 trials of 2 runs of ``la``, 36 of one of ``plain``."""
    large = "its trials times runs are 72, more than 71."
    intervals, priors = (
        f"The numbers of la have no intervals: {large}",
        f"The error over priors of la is not drawn: {large}",
    )
    attribute = "The scores of la by file are not drawn: it has 36 values, more than 30."

    def made(*options: str) -> tuple[str, str]:
        done = CliRunner().invoke(cli, ["report", "make", str(tmp_path / "page.html"), "--db", str(path), *options])
        assert done.exit_code == 0, done.output
        assert done.stdout == ""
        return html.unescape((tmp_path / "page.html").read_text()), done.stderr

    page, said = made()
    assert "la · kaldi" in page[page.index("<h2>Error over priors</h2>") :] and "not drawn: its trials" not in page
    assert attribute in page and attribute in said and said.count("not drawn") == 1
    monkeypatch.setattr("tdtsql.report.trials.subsets.MOST_DRAWN", 71)
    page, said = made()
    assert all(text in page and text in said for text in (intervals, priors, attribute))
    section = page[page.index('<section id="priors">') : page.index("</section>", page.index('<section id="priors">'))]
    assert priors in section and "plain · voxsrc" in section and "la · " not in section
    page, said = made("--resamples", "0")  # nobody wants them
    assert priors in said and "have no intervals" not in page + said and "Without intervals: no resamples." in page
    page, said = made("--resamples", "40", "--run", "flat")
    assert priors in page and "have no intervals" not in page + said and "percentiles of 40 resamples" in page


@pytest.mark.full
def test_the_page_of_a_team_has_its_own_column(store, tmp_path):
    write_report(store.engine, tmp_path / "mine.html", runs=["mine & co"])
    text = (tmp_path / "mine.html").read_text()

    assert [
        row[:3] + row[4:] for row in [["subset", "targets", "non-targets", "flat", "mine & co"], *expected(store, 200)]
    ] == cells(text)
    assert "flat" not in re.sub(r"<script.*", "", text, flags=re.DOTALL)


def test_bins_are_the_counts_of_the_scores(store):
    scores = scores_of(store.engine, "la", "mine & co", "attack")

    finite = sorted(score for score in SYSTEMS["mine & co"] if score < float("inf"))
    assert (scores.low, scores.high, scores.every, scores.values()) == (finite[0], finite[-1], 1, ["<A2>", "A1"])
    wanted = {}
    for score, label, attack in zip(SYSTEMS["mine & co"], KEY["label"], KEY["attack"], strict=True):
        place = N_BIN - 1 if score >= scores.high else int((score - scores.low) / (scores.high - scores.low) * N_BIN)
        wanted.setdefault((int(label == "target"), attack), [0] * N_BIN)[place] += 1
    assert scores.counts == wanted
    # a class without the attribute is in every drawing of it
    assert scores.of(1, "A1") == scores.of(1, None) == wanted[1, None] and scores.of(0, "A1") == wanted[0, "A1"]
    assert sum(scores.of(0, None)) == 24
    by_codec = scores_of(store.engine, "la", "mine & co", "codec")
    assert [sum(by_codec.of(is_target, "C1")) for is_target in (1, 0)] == [6, 12]
    equal = scores_of(store.engine, "la", "flat", None)
    assert (equal.low, equal.high, list(equal.counts), equal.of(1, None)[N_BIN // 2]) == (
        -0.5,
        0.5,
        [(1, None), (0, None)],
        12,
    )


def test_drawings_and_table_say_the_same(store):
    text = part("scores", scores_of(store.engine, "la", "mine & co", "attack"))

    assert re.findall(r'<figcaption>(.*?) <span class="range">(.*?)</span>', text) == [
        ("all", "12 targets, 24 non-targets"),
        ("attack=&lt;A2&gt;", "12 targets, 12 non-targets"),
        ("attack=A1", "12 targets, 12 non-targets"),
    ]
    head, *rows = Tables(text).tables[0]
    assert head == ["from", "to", "target", "non-target, <A2>", "non-target, A1"] and len(rows) == N_BIN
    assert [sum(int(row[place]) for row in rows) for place in (2, 3, 4)] == [12, 12, 12]
    # the highest bin of a class is as tall as its share of the highest share: 102 units
    heights = [
        [float(y) for y in re.findall(r"L[\d.]+ ([\d.]+)", path)][:-1:2]
        for path in re.findall(r'<path d="(M[^"]*Z)"[^>]* data-part', text)
    ][:2]
    counts = [[sum(int(row[place]) for place in places) for row in rows] for places in ((3, 4), (2,))]
    shares = [[count / sum(some) for count in some] for some in counts]
    most = max(map(max, shares))
    for drawn, share in zip(heights, shares, strict=True):
        assert drawn == pytest.approx([110 - 102 * part / most for part in share], abs=0.051)


def test_large_runs_are_sampled_and_it_is_said(store, monkeypatch):
    monkeypatch.setattr("tdtsql.report.trials.scores.LARGEST_SAMPLE", 12)
    scores = scores_of(store.engine, "la", "mine & co", None)

    assert scores.every == 3 and sum(map(sum, scores.counts.values())) == 12
    assert "Sample: every 3th trial." in part("scores", scores)


def test_attributes_are_those_with_subsets(store):
    assert (
        attributes_of(store.engine, "la") == {"attack": 2, "codec": 2, "file": 36}
        and attributes_of(store.engine, "plain") == {}
    )


def test_the_desk_has_the_table_of_the_library(client, store):
    text = client.get("/subsets?condition=la&profile=voxsrc").text
    assert cells(text)[1:] == expected(store, 200)
    assert len(cells(client.get("/subsets?condition=la&profile=voxsrc&by=file&draws=100").text)) == 38
    asked = client.get("/subsets?condition=la&profile=voxsrc&metric=min_c_det_norm&by=attack&draws=100").text
    assert cells(asked, metric="min_c_det_norm")[1:] == [
        row for row in expected(store, 100, "min_c_det_norm") if not row[0].startswith("codec=")
    ]
    assert "percentiles of 100 resamples of 36 trials" in asked and '<option value="100" selected>' in asked
    assert "percentiles" not in client.get("/subsets?condition=la&draws=0").text
    assert (
        "clusters of trials (by codec)" in client.get("/subsets?condition=la&profile=voxsrc&by=attack&unit=codec").text
    )


def test_a_hull_is_straight_in_probabilities():
    """The staircase (0, 1) (0, 1/2) (1/2, 1/2) (1/2, 0) (1, 0) has the hull (0, 1) (0, 1/2) (1/2, 0) (1, 0); the middle
    of its long side is (1/4, 1/4).
    """
    points = [(0.0, 1.0), (0.0, 0.5), (0.5, 0.5), (0.5, 0.0), (1.0, 0.0)]
    p_fa, p_miss = zip(*points, strict=True)
    hull_points = [(0.0, 1.0), (0.0, 0.5), (0.5, 0.0), (1.0, 0.0)]
    curve = charts.Curve("s", p_fa, p_miss, actual=(0.25, 0.25), hull=hull_points)
    drawn = str(drawn_chart("det", [curve], {"s": 0}))
    [hull] = re.findall(r'<path d="([^"]*)"[^>]*stroke-dasharray="1 3"[^>]*><title>s: convex hull', drawn)
    [(across, up)] = re.findall(r'<circle cx="([0-9.]+)" cy="([0-9.]+)"[^>]*><title>s: decisions', drawn)
    assert hull.count("L") == 3 * 24 and f"L{across} {up}" in hull
    assert "convex hull" not in str(drawn_chart("det", [charts.Curve("s", p_fa, p_miss)], {"s": 0}))


def test_compared_runs_are_drawn_with_hulls_and_what_they_decide(client, store):
    answer = client.get("/compare?condition=la&profile=voxsrc&run=mine+%26+co&run=flat").text
    assert answer.count("<title>mine &amp; co: convex hull") == 1 and "Dotted: convex hull" in answer
    decided = store.engine.value(
        "select count(distinct run_id) from report.score where condition_id = 'la' and profile_id = 'voxsrc' and "
        "metric = 'act_p_miss' and value is not null"
    )
    assert answer.count(": decisions") == decided


def test_the_desk_says_what_it_does_not_show(client, monkeypatch):
    for address, status, said in (
        ("/subsets?condition=lb", 404, "has no key of trials"),
        ("/subsets?condition=la&draws=9999", 400, "draws is &#39;9999&#39;, expected a whole number up to 1,000"),
        ("/subsets?condition=la&profile=voxsrc&unit=enrolled", 400, "enrolled is of two"),
        ("/subsets?condition=plain", 200, "has no attribute with two values"),
        ("/subsets?condition=la&by=codex", 404, "codex"),
        ("/run?condition=la&run=flat&by=codex", 404, "attribute &#39;codex&#39; makes no subsets"),
    ):
        answer = client.get(address)
        assert (answer.status_code, said in answer.text) == (status, True), (address, answer.text[-1500:])
    monkeypatch.setattr("tdtsql.serve.subsets.MOST_HELD", 100)
    few = client.get("/subsets?condition=la&profile=voxsrc&draws=1000").text
    assert "36 trials of 2 runs in 41 subsets are too many to resample on a page" in few and "percentiles" not in few


def test_draws_that_take_too_long_end(path):
    server = Server(str(path))
    answer = client_of(server, seconds=1e-9).get("/subsets?condition=la&profile=voxsrc&draws=1000")
    server.close()

    assert answer.status_code == 400 and re.search("[0-9,]+ of [0-9,]+ resamples took 1e-09 s", answer.text)


def test_the_page_of_a_run_has_its_scores(client):
    first, asked = (
        client.get("/run?condition=la&run=mine+%26+co").text,
        client.get("/run?condition=la&run=mine+%26+co&by=codec").text,
    )

    assert "attack=A1 <span" in first and "codec=C1 <span" in asked and "attack=A1 <span" not in asked
    assert "/subsets?condition=la" in client.get("/").text and "/subsets?condition=la&amp;by=codec" in asked
    assert "all <span" in client.get("/run?condition=plain&run=flat").text


@pytest.mark.full
def test_errors_over_priors_are_those_of_the_library(client, store, tmp_path):
    report = gather(store.engine, title="t", facts=[])
    rows = {
        run: store.bayes_error(run, condition="la", profile="kaldi")
        .project("log_odds, actual, minimum, default_error")
        .fetchall()
        for run in SYSTEMS
    }

    assert [(priors.condition, priors.profile, priors.rows) for priors in report.priors] == [
        ("la", "kaldi", {run: rows[run] for run in ("flat", "mine & co")}),
        (
            "plain",
            "voxsrc",
            {
                "flat": store.bayes_error("flat", condition="plain")
                .project("log_odds, actual, minimum, default_error")
                .fetchall()
            },
        ),
    ]
    text = render_page(report)
    table = next(
        table
        for table in Tables(text).tables
        if table[0]
        == ["log odds", "by the prior", "flat, actual", "flat, least", "mine & co, actual", "mine & co, least"]
    )
    assert (
        table[1:]
        == [
            [
                f"{odds:g}",
                fixed(alone),
                *(part for run in ("flat", "mine & co") for part in ("–", fixed(rows[run][place][2]))),
            ]
            for place, (odds, _, _, alone) in enumerate(rows["flat"])
        ]
        and len(table) == 82
    )
    assert "the scores are no likelihood ratios" in text and text.count('class="priors"') == 2
    write_report(store.engine, tmp_path / "mine.html", runs=["mine & co"])
    mine = (tmp_path / "mine.html").read_text()
    assert mine.count('class="priors"') == 1 and "flat, least" not in mine
    of_run = next(
        table
        for table in Tables(client.get("/run?condition=la&run=flat&profile=kaldi").text).tables
        if table[0] == ["log odds", "by the prior", "flat, actual", "flat, least"]
    )
    assert [row[3] for row in of_run[1:]] == [fixed(row[2]) for row in rows["flat"]]


@pytest.mark.full
def test_curves_of_scored_trials_have_their_hull_and_the_bayes_threshold(store, tmp_path):
    curve = next(
        found["curve"]
        for found in gather(store.engine, title="t", facts=[]).det
        if found["weighting"] == "story" and found["subset"] == "all" and found["run"] == 1
    )
    wanted = (
        store.hull("mine & co", condition="la", profile="kaldi", weighting="story").project("p_fa, p_miss").fetchall()
    )

    assert curve.hull == wanted == [(0, 1), (0, 7 / 12), (1 / 6, 1 / 3), (1 / 3, 1 / 6), (7 / 12, 0), (1, 0)]
    # scores that are no likelihood ratios have no Bayes threshold; those of a condition that says llr have
    assert curve.actual is None
    with tdtsql.connect(":memory:") as other:
        other.add_corpus("k")
        other.add_condition("la", corpus="k", task="verification", key=KEY, profile=["voxsrc"], scores="llr")
        other.add_run("mine", condition="la", scores={"trial_id": KEY["trial_id"], "score": SYSTEMS["mine & co"]})
        other.refresh()
        report = gather(other.engine, title="t", facts=[])
        act = dict(other.score(run="mine", subset="all", weighting="story").project("metric, value").fetchall())
    found = next(found["curve"] for found in report.det if (found["weighting"], found["subset"]) == ("story", "all"))
    assert found.actual == (act["act_p_fa"], act["act_p_miss"]) and None not in found.actual
    assert "solid: of the decisions that the scores make" in render_page(report)


driver = pytest.fixture(scope="module")(chromium)


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_in_a_browser_all_is_drawn_and_nothing_runs_off_the_side(driver, path, tmp_path, width, theme):
    """The page by itself, and the pages of the web UI saved with their style."""
    with tdtsql.connect(path, read_only=True) as store:
        write_report(store.engine, tmp_path / "report.html", draws=40)
    server = Server(str(path))
    client = client_of(server)
    style = "".join(client.get(f"/assets/{name}.css").text for name in ("page", "server"))
    for name, address in (
        ("subsets", "/subsets?condition=la&profile=voxsrc&draws=40"),
        ("run", "/run?condition=la&run=mine+%26+co"),
    ):
        (tmp_path / f"{name}.html").write_text(
            re.sub(r"<link rel=\"stylesheet\"[^>]*>|<script.*?</script>", "", client.get(address).text).replace(
                "</head>", f"<style>{style}</style></head>"
            )
        )
    server.close()
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    found = {}
    for name in ("report", "subsets", "run"):
        driver.get((tmp_path / f"{name}.html").as_uri())
        driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        found[name] = driver.execute_script("""
            const seen = (selector) =>
                [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility()).length;
            const cell = document.querySelector("td .range");
            return [document.documentElement.scrollWidth - document.documentElement.clientWidth,
                    seen("figure svg[aria-label^='Scores of'] path[fill-opacity]"), seen("td .range"),
                    cell ? getComputedStyle(cell).color : null]""")
        if name == "report":
            assert driver.execute_script(
                "return [document.querySelectorAll('#det-chart path.hull').length, document.querySelectorAll('.priors "
                "svg path').length]"
            ) == [2, 5]
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert complaints(driver) == []
    soft = {"light": "rgb(90, 100, 117)", "dark": "rgb(164, 174, 189)"}[theme]
    # the first run is open: three drawings of two classes; the first board, kaldi, has intervals of its costs alone
    assert found == {"report": [0, 6, 10, soft], "subsets": [0, 0, 10, soft], "run": [0, 6, 0, None]}


# ---- figures and tables of subsets


def lines(figure):
    return {line.get_gid(): line for line in figure.axes[0].lines if line.get_gid()}


def test_a_det_plot_is_square_with_the_diagonal_of_equal_rates_and_a_legend_of_marks(store):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    figure = store.det_plot("mine & co", condition="la", profile="voxsrc", hull=True)
    [axes] = figure.axes
    assert axes.get_box_aspect() == 1
    assert lines(figure)["equal"].get_xdata().tolist() == lines(figure)["equal"].get_ydata().tolist()
    assert lines(figure).keys() == {"curve-0", "hull-0", "equal"}
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert said == ["mine & co", "equal rates", "minimum cost", "convex hull"]
    assert axes.get_title() == "la, voxsrc, pooled over trials"
    figure = store.det_plot("mine & co", condition="la", profile="voxsrc", points=False)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["mine & co", "equal rates"]


def test_a_curve_for_each_subset(store):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    figure = store.det_plot("mine & co", condition="la", profile="voxsrc", by="codec")
    assert [lines(figure)[f"curve-{n}"].get_label() for n in range(2)] == ["codec=C0", "codec=C1"]
    figure = store.det_plot(condition="la", profile="voxsrc", subset=["all", "attack=A1"])
    assert [lines(figure)[f"curve-{n}"].get_label() for n in range(4)] == [
        "flat, all",
        "mine & co, all",
        "flat, attack=A1",
        "mine & co, attack=A1",
    ]
    with pytest.raises(
        tdtsql.errors.InvalidComparison, match="no subsets by 'language'. Attributes: attack, codec, file"
    ):
        store.det_plot(condition="la", profile="voxsrc", by="language")
    with pytest.raises(tdtsql.errors.InvalidSetting, match="by 'codec' and subset 'attack=A1' exclude each other"):
        store.det_plot(condition="la", profile="voxsrc", by="codec", subset="attack=A1")


@pytest.mark.full
def test_an_attribute_of_one_trial_for_each_value_has_no_curve(store):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    with pytest.raises(tdtsql.errors.InvalidComparison, match="no DET curve under la, voxsrc"):
        store.det_plot(condition="la", profile="voxsrc", by="file")


def test_a_value_without_a_class_has_no_curve_beside_those_of_the_others():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        key = {"trial_id": list("abcd"), "label": [1, 0, 0, 0], "codec": ["x", "x", "y", "y"]}
        store.add_condition("c", corpus="k", task="verification", key=key, profile=["voxsrc"])
        store.add_run("a", condition="c", scores={"trial_id": list("abcd"), "score": [2.0, 1.0, 0.5, 3.0]})
        store.score()
        assert lines(store.det_plot("a", by="codec")).keys() == {"curve-0", "equal"}


def test_two_attributes_are_crossed(store):
    table = store.subset_table("mine & co", condition="la", profile="voxsrc", by="attack,codec")
    values = {row[0]: row[1] for row in table.relation.project("subset, value").fetchall()}
    assert len(values) == 3 * 3
    # bona fide trials have no attack: those of the codec count against each attack
    chosen = [n for n in range(N) if KEY["codec"][n] == "C1" and KEY["attack"][n] in (None, "A1")]
    scores = {
        label: [SYSTEMS["mine & co"][n] for n in chosen if KEY["label"][n] == label] for label in set(KEY["label"])
    }
    area = sum(
        (target > other) + (target == other) / 2 for target in scores["target"] for other in scores["nontarget"]
    ) / (len(scores["target"]) * len(scores["nontarget"]))
    auc = store.subset_table("mine & co", condition="la", profile="voxsrc", by="attack,codec", metric="auc")
    found = {row[0]: row[1:] for row in auc.relation.project("subset, value, n_target, n_nontarget, low").fetchall()}
    assert found["attack=A1,codec=C1"] == (pytest.approx(area, abs=1e-15), 6, 6, None)
    [shown] = table.tables()
    assert shown.columns == ("attack \\ codec", "all", "C0", "C1")
    assert [str(row[0].text) for row in shown.rows] == ["all", "<A2>", "A1"]
    assert shown.rows[2][3].text == f"{values['attack=A1,codec=C1'] * 100:.2f}"
    drawn = store.subset_table("mine & co", condition="la", profile="voxsrc", by="attack,codec", resamples=50)
    assert all(low <= high for low, high in drawn.relation.project("low, high").fetchall())
    with pytest.raises(tdtsql.errors.InvalidSetting, match="not two attributes"):
        store.subset_table(condition="la", by="attack,attack")


def test_the_command_prints_the_matrix_and_speaks_of_trials(path):
    result = CliRunner().invoke(
        cli, ["stats", "subsets", "mine & co", "--condition", "la", "--by", "attack,codec", "--db", str(path)]
    )
    assert result.exit_code == 0 and "attack \\ codec" in result.output and "C1" in result.output
    result = CliRunner().invoke(cli, ["score", "flat", "--condition", "la", "--profile", "voxsrc", "--db", str(path)])
    assert "pooled over trials" in result.output and "topic" not in result.output


def test_the_words_of_the_field_are_taken_where_a_metric_is_named(path):
    asked = ["explain", "flat", "EER", "--condition", "la", "--profile", "voxsrc", "--db", str(path)]
    result = CliRunner().invoke(cli, asked)
    assert result.exit_code == 0 and "eer" in result.output


def test_a_leaderboard_has_the_other_metrics_beside_the_one_that_ranks(path, store):
    asked = ["leaderboard", "--condition", "la", "-p", "voxsrc", "--db", str(path)]
    result = CliRunner().invoke(cli, asked)
    head, first = result.output.splitlines()[1:3]
    assert head.split() == ["rank", "run", "minDCF", "group", "EER,", "%", "min", "Cllr", "n"]
    assert "ranked by minDCF" in result.output and "topic" not in result.output
    board = store.leaderboard("la", profile="voxsrc").boards[0]
    value, low, high = board.other_metrics["eer"][board.runs[0].run]
    assert f"{100 * value:.2f} [{100 * low:.2f}, {100 * high:.2f}]" in first
    rows = CliRunner().invoke(cli, [*asked, "--format", "csv"]).output.splitlines()
    assert rows[0].startswith("condition_id,profile_id,rank,run_id,metric,weighting,value,low,high,n,group")


def test_a_question_takes_the_word_of_a_metric(store):
    asked = [store.ask("runs_by_subset", metric=word, condition="la").fetchall() for word in ("EER", "eer")]
    assert asked[0] == asked[1] != []


@pytest.mark.full
def test_the_page_has_the_other_metrics_in_its_leaderboards(made):
    _, page = made
    found = {}
    for start in (one.start() for one in re.finditer("Leaderboard of la", page)):
        end = page.find("</table>", start)
        heads, first, *_ = Tables("<table>" + page[start:end] + "</table>").tables[0]
        found[tuple(heads[-2:])] = first[-2:]
    assert found.keys() == {("EER, %", "min Cllr"), ("minDCF", "min Cllr")}, "under voxsrc, and under kaldi"
    assert re.fullmatch(r"\d+\.\d\d", found["EER, %", "min Cllr"][0])


@pytest.mark.full
def test_report_and_web_ui_overlay_the_curves_of_an_attribute(store, client):
    """One drawing of a run per attribute: the curves that det_plot(by=...) draws."""
    report = gather(store.engine, title="t", facts=[], draws=0)
    packed = "".join(data_of(render_page(report))["trial_scores"])
    shown = client.get("/run?condition=la&run=mine+%26+co&by=attack").text
    for text in (packed, shown):
        drawn = text[text.index("DET curves of mine &amp; co by attack") :]
        assert re.findall(r'data-run="([^"]*)"', drawn)[:2] == ["attack=&lt;A2&gt;", "attack=A1"]
        points = {
            name: d.count("L") + 1 for name, d in re.findall(r'data-run="([^"]*)">\s*<path d="(M[^"]*)"', drawn)[:2]
        }
        assert points == {
            html.escape(curve.run): len(curve.p_fa)
            for curve in attribute_curves(store.engine, "la", "voxsrc", "mine & co", "attack")
        }
    assert "DET curves of mine &amp; co by file" not in packed  # too many values
    assert {curve["subset"] for curve in report.det} == {"all", "attack=<A2>", "attack=A1", "codec=C0", "codec=C1"}


def test_a_report_of_scored_trials_speaks_of_trials_and_is_pooled(made):
    """Trials without blocks are no topic, have one weighting, and no wins or losses."""
    report, page = made
    data = data_of(page)

    assert "<b>36 trials</b>" in page and "topics</b>" not in page and "over topics" not in page
    assert data["weightings"] == [[["story", "pooled over trials"]]] * 3
    assert {curve["weighting"] for curve in report.det} == {"story"} and report.histograms == []
    assert "win/tie/loss" not in page and '<th scope="col" class="number">p corrected</th>' in page
    # trials without attributes have one drawing, of the classes
    [plain] = [
        text for text, (_, made) in zip(data["trial_scores"], report.trial_scores, strict=True) if not made.attribute
    ]
    assert re.findall(r"<figcaption>(\w+) ", plain) == ["all"] and "(plain)</summary>" in page


def test_an_attribute_with_one_value_is_drawn_where_some_trials_lack_it():
    """All trials have quality 0, which is the subset all again; some have no codec."""
    with tdtsql.connect(":memory:") as one:
        one.add_corpus("k")
        key = {name: KEY[name] for name in ("trial_id", "label", "attack")}
        key |= {"quality": ["0"] * N, "codec": ["C1" if number % 2 else "" for number in range(N)]}
        one.add_condition("la", corpus="k", task="verification", key=key, profile=["voxsrc"])

        assert attributes_of(one.engine, "la") == {"attack": 2, "codec": 1}


def test_the_web_ui_has_no_topics_of_trials_without_blocks(client):
    start = client.get("/").text
    assert 'href="/topics' not in start and "Subsets of la" not in start
    run = client.get("/run?condition=la&run=flat").text
    assert "<h2>Topics</h2>" not in run and {row[1] for row in Tables(run).tables[0][1:]} == {"story"}
    answer = client.get("/topics")
    assert answer.status_code == 404 and "no condition of this store has topics" in answer.text
    shown = client.get("/compare?condition=la&run=flat&run=mine+%26+co").text
    assert "Pooled over trials; lower left" in shown and "Mean over blocks" not in shown
