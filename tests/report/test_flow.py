"""Cluster map: gold clusters beside the clusters of a run, drawn and as a table.

gold   x = a b c d   y = e f   z = g        run   1 = a b e   2 = c   3 = d f   4 = h;  g is in none, h has no gold
"""

import re
from itertools import pairwise
from xml.dom.minidom import parseString  # of our own output

import pytest

from loads import unscored_loads

import tdtsql
from tdtsql.report.clusters.cluster_map import Node, drawn_flow, cluster_map_of
from tdtsql.report.sections import part
from tdtsql.report.write import write_report

NAMES = {"x": "<x & co>", "y": "y", "z": "z"}
GOLD = {"item_id": list("abcdefg"), "cluster_id": [NAMES[name] for name in "xxxxyyz"]}
RUN = {"item_id": list("abcdefh"), "cluster_id": list("1123134")}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a store: one condition without blocks, one with the same clusters in two blocks."""
    path = tmp_path_factory.mktemp("flow") / "flow.duckdb"
    with unscored_loads(), tdtsql.connect(path) as store:
        store.add_corpus("k")
        store.add_condition("one", corpus="k", task="partition", gold=GOLD, profile=["partition", "conll"])
        store.add_condition(
            "two",
            corpus="k",
            task="partition",
            gold={name: values * 2 for name, values in GOLD.items()} | {"block_id": ["p"] * 7 + ["q"] * 7},
        )
        store.add_run("mine <b>", condition="one", decisions=RUN)
        store.add_run("theirs", condition="one", decisions={"item_id": ["a", "b"], "cluster_id": ["secret", "secret"]})
        store.add_run("mine <b>", condition="two", decisions=RUN | {"block_id": ["p"] * 7})
        store.refresh()
    return path


@pytest.fixture(scope="module")
def store(path):
    with tdtsql.connect(path, read_only=True) as opened:
        yield opened


def test_every_item_is_there(store):
    flow = cluster_map_of(store.engine, "one", "mine <b>")

    assert flow.gold == [
        Node("<x & co>", 4, True),
        Node("y", 2, True),
        Node("z", 1, True),
        Node("no gold cluster", 1, False),
    ]
    assert flow.system == [
        Node("1", 3, True),
        Node("3", 2, True),
        Node("2", 1, True),
        Node("4", 1, True),
        Node("no cluster of the run", 1, False),
    ]
    named = {(flow.gold[g].name, flow.system[s].name): n for g, s, n in flow.cells}
    assert named == {
        ("<x & co>", "1"): 2,
        ("<x & co>", "2"): 1,
        ("<x & co>", "3"): 1,
        ("y", "1"): 1,
        ("y", "3"): 1,
        ("z", "no cluster of the run"): 1,
        ("no gold cluster", "4"): 1,
    }


def test_smaller_clusters_are_together_with_their_number(store):
    flow = cluster_map_of(store.engine, "one", "mine <b>", most=1)

    assert [(node.name, node.n_item) for node in flow.gold] == [
        ("<x & co>", 4),
        ("2 other clusters", 3),
        ("no gold cluster", 1),
    ]
    assert [(node.name, node.n_item) for node in flow.system] == [
        ("1", 3),
        ("3 other clusters", 4),
        ("no cluster of the run", 1),
    ]
    assert sorted(flow.cells) == [(0, 0, 2), (0, 1, 2), (1, 0, 1), (1, 1, 1), (1, 2, 1), (2, 1, 1)]
    assert (
        "8 items, 1 gold cluster and 1 of the run by themselves; 2 other clusters of the gold and 3 other clusters of "
        "the run are drawn together" in part("flow", flow)
    )
    assert cluster_map_of(store.engine, "one", "mine <b>", most=2).gold[2].name == "1 other cluster"


def test_clusters_of_several_blocks_are_named_with_them(store):
    both, one = (
        cluster_map_of(store.engine, "two", "mine <b>"),
        cluster_map_of(store.engine, "two", "mine <b>", block="q"),
    )

    assert [node.name for node in both.gold][:2] == ["p: <x & co>", "q: <x & co>"] and sum(
        n for *_, n in both.cells
    ) == 15
    assert [(node.name, node.n_item) for node in one.system] == [("no cluster of the run", 7)]
    assert [node.name for node in one.gold] == ["<x & co>", "y", "z"]


def test_the_drawing_is_complete_and_nothing_overlaps(store):
    flow = cluster_map_of(store.engine, "one", "mine <b>")
    svg = parseString(drawn_flow(flow)).documentElement

    assert svg.getAttribute("role") == "img" and "8 items" in svg.getAttribute("aria-label")
    assert len(svg.getElementsByTagName("path")) == len(flow.cells)
    bars = [
        (float(rect.getAttribute("x")), float(rect.getAttribute("y")), float(rect.getAttribute("height")))
        for rect in svg.getElementsByTagName("rect")
    ]
    assert len(bars) == len(flow.gold) + len(flow.system)
    bottom = float(svg.getAttribute("viewBox").split()[3])
    for x in {x for x, _, _ in bars}:
        side = sorted((y, y + tall) for at, y, tall in bars if at == x)
        assert all(end <= begin for (_, end), (begin, _) in pairwise(side)) and side[-1][1] <= bottom
    # a ribbon is as thick as its share of the items: 2 of 8
    first = next(
        path
        for path in svg.getElementsByTagName("path")
        if path.getElementsByTagName("title")[0].firstChild.data == "<x & co> to 1: 2"
    )
    top, low = re.search(r"M\S+ (\S+)C", first.getAttribute("d"))[1], re.search(r" (\S+)Z", first.getAttribute("d"))[1]
    assert float(low) - float(top) == pytest.approx(400 * 2 / 8, abs=0.2)


def test_many_clusters_are_the_largest_ones_and_the_rest():
    """649 gold clusters: twelve by themselves and one for the others; no colour is that of a run."""
    items = [f"{cluster}-{item}" for cluster in range(649) for item in range(1 + (cluster < 30) * (30 - cluster))]
    gold = {"item_id": items, "cluster_id": [name.split("-")[0] for name in items]}
    run = gold | {"cluster_id": [str(min(int(name), 640)) for name in gold["cluster_id"]]}
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("many")
        store.add_condition("many", corpus="many", task="partition", gold=gold, profile=["partition"])
        store.add_run("run", condition="many", decisions=run)
        flow = cluster_map_of(store.engine, "many", "run")

    svg = drawn_flow(flow)
    assert [len(flow.gold), len(flow.system)] == [13, 13] and flow.gold[-1].name == "637 other clusters"
    assert sum(node.n_item for node in flow.gold) == len(items) == sum(n for *_, n in flow.cells)
    assert float(re.search(r'viewBox="0 0 860 (\d+)"', svg)[1]) < 700
    assert "var(--c" not in svg and "drawn together. Neutral: the largest part" in flow.caption


def test_the_table_says_the_same_and_names_are_escaped(store):
    html = part("flow", cluster_map_of(store.engine, "one", "mine <b>"))

    assert html.count("<tr>") == 1 + 7
    assert (
        '<th scope="row">&lt;x &amp; co&gt;</th><td>1</td><td class="number">2</td>\n<td class="number">50.0 %</td>\n'
        '<td class="number">66.7 %</td>' in html
    )
    assert "<x" not in html and "<b>" not in html
    assert 'tabindex="0"' in html


def test_the_page_of_the_report_has_it_once_for_each_run(store, tmp_path):
    store.report(tmp_path / "all.html")
    text = (tmp_path / "all.html").read_text()
    [section] = re.findall(r'<section id="flows">.*?</section>', text, re.DOTALL)

    assert section.count("<svg") == 3 and "secret" in section  # two profiles of condition one
    assert "mine &lt;b&gt; (one)" in section and "mine <b>" not in section


def test_the_page_of_one_team_has_its_own_clusters_alone(store, tmp_path):
    write_report(store.engine, tmp_path / "mine.html", runs=["mine <b>"])
    text = (tmp_path / "mine.html").read_text()

    assert text.count("Show data") == 2 and "secret" not in text


def test_the_desk_shows_it_and_one_block_of_it(path):
    pytest.importorskip("starlette")
    pytest.importorskip("httpx")
    from server_client import client_of

    from tdtsql.serve.server import Server

    server = Server(str(path))
    try:
        client = client_of(server)
        one, two, block, unknown = (
            client.get("/run", params={"run": "mine <b>", **params})
            for params in (
                {"condition": "one"},
                {"condition": "two"},
                {"condition": "two", "block": "q"},
                {"condition": "two", "block": "r"},
            )
        )
    finally:
        server.close()

    assert part("flow", flow_of_path(path, "one")) in one.text and 'name="block"' not in one.text
    assert part("flow", flow_of_path(path, "two")) in two.text and 'name="block"' in two.text
    assert part("flow", flow_of_path(path, "two", block="q")) in block.text
    assert unknown.status_code == 404 and "block &#39;r&#39; is not in condition" in unknown.text


def flow_of_path(path, condition, **words):
    with tdtsql.connect(path, read_only=True) as opened:
        return cluster_map_of(opened.engine, condition, "mine <b>", **words)
