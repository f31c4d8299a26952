"""Charts: rows in, marks on axes out."""

import re
from xml.dom.minidom import parseString  # of our own output

import pytest

from tdtsql.show.charts import CHARTS, N_COLOUR, N_SHADE, axis_of, deviate, look, round_ticks, tree, xy
from tdtsql.show.figure import COLOURS, figure_of
from tdtsql.show.rendering import asset

LINES = {"x": "fa", "y": "miss", "series": "run", "mark": "mark"}
CELLS = {"x": "topic", "y": "run", "series": "run", "mark": "mark", "value": "value", "shade": "shade"}
RIBBONS = {"x": "g", "y": "c", "value": "n", "series": "s"}


def line(run="a", mark="line", points=((0.1, 0.4), (0.2, 0.3)), until=None):
    return [{"run": run, "mark": mark, "fa": x, "miss": y, "until": until} for x, y in points]


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 7, 5, [0, 2, 4, 6]),
        (-3, 12, 6, [0, 5, 10]),
        (2, 2, 6, [2]),
        (0, 3e-9, 3, [0, 1e-9, 2e-9, 3e-9]),
    ],
)
def test_ticks_are_round_numbers(low, high, most, ticks):
    assert round_ticks(low, high, most) == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("values", "kind", "place"),
    [
        ([0, 10], {}, {0: 0, 5: 50, 10: 100, 11: 100, -1: 0}),
        ([5, 10], {"zero": True}, {0: 0, 5: 50}),
        ([0.02, 0.4], {"scale": "probit"}, {0.02: 0, 0.4: 100, 0.5: 100}),
        ([], {}, {0: 0, 1: 100}),
    ],
)
def test_a_value_has_a_place_and_none_is_outside(values, kind, place):
    axis = axis_of(values, 0, 100, **kind)
    assert {value: axis(axis.within(value)) for value in place} == pytest.approx(place)


def test_normal_deviates_are_symmetric():
    assert deviate(0.5) == 0 and deviate(0.1) == pytest.approx(-deviate(0.9)) and -6.1 < deviate(0) < -5.9


@pytest.mark.parametrize(
    ("mark", "pattern", "n"),
    [
        ("line", '<path class="curve"', 1),
        ("least", 'stroke-dasharray="6 3"', 1),
        ("hull", '<path class="hull"', 1),
        ("minimum", '<path class="minimum"', 3),  # two, and that of the legend
        ("actual", '<path class="disc"', 3),
        ("vertical", '<path class="hull"', 2),
    ],
)
def test_every_mark_is_drawn(mark, pattern, n):
    drawn = str(xy(line(mark=mark), LINES, {"a": 0}))
    assert len(re.findall(pattern, drawn)) == n and 'data-run="a"' in drawn
    parseString(f"<div>{drawn}</div>".replace(" checked", ""))


def test_bands_bins_and_bars_reach_from_one_number_to_another():
    band = str(xy(line() + line(mark="band", until=0.5), LINES | {"until": "until"}, {"a": 0}))
    assert re.search(r'<path class="band"[^>]*d="M[^"]*Z"></path>', band)
    options = {"x": "fa", "y": "miss", "until": "until", "mark": "mark", "series": "run", "zero": "y"}
    rows = [{"run": "target", "mark": "area", "fa": x, "miss": 0.5, "until": x + 1} for x in (0, 2)]
    [path] = re.findall(r'<path class="area"[^>]*d="([^"]*)Z"', str(xy(rows, options, {})))
    assert path.count("L") == 7  # two bins, and nothing between them
    bars = [{"run": "", "mark": "bar", "fa": x, "miss": x, "until": x + 1} for x in (0, 1, 2)]
    assert str(xy(bars, options, {})).count('class="bar"') == 2  # none of no height


def test_a_run_has_its_look_everywhere_and_a_class_its_own():
    assert [look("a", {"a": at}) for at in (1, 8)] == [("c1", "7 3"), ("c1", "")]
    assert len({look("a", {"a": at}) for at in range(28)}) == 28
    assert look("target", {})[0] == "ink"
    assert xy(line(), LINES, {"a": 1}).count('stroke="var(--c1)"') == 2  # and in the legend
    # values of an attribute are no runs: colours by their order
    drawn = xy(line("x") + line("y"), LINES, {"a": 3})
    assert 'stroke="var(--c0)"' in drawn and 'stroke="var(--c1)"' in drawn


def test_a_panel_of_each_value_and_costs_within_the_axes():
    rows = [row | {"panel": panel} for panel in "pq" for row in line()]
    drawn = str(xy(rows, LINES | {"panel": "panel", "size": "300x170"}, {"a": 0}))
    assert drawn.count("<figure") == 2 and "<figcaption>q</figcaption>" in drawn
    costs = [
        {"run": "cost 1", "mark": "cost", "fa": 0.01 * n, "miss": 0.5 - 0.01 * n, "until": None} for n in range(60)
    ]
    assert 'class="iso"' in xy(line() + costs, LINES | {"scale": "probit"}, {"a": 0})


def test_a_curve_ends_where_its_data_end_and_a_point_is_at_the_edge():
    ends = ((0.0, 0.5), (1e-5, 0.4), (0.1, 0.3), (0.2, 0.0))
    rows = line(points=ends) + line(mark="minimum", points=((0.0, 0.3),))
    drawn = str(xy(rows, LINES | {"scale": "probit"}, {"a": 0}))
    [path] = re.findall(r'<path class="curve"[^>]*d="M([^"]*)"', drawn)
    assert path.count("L") == 1 and float(path.split()[0]) < 62  # from beyond the axis, which cuts it off
    assert '<svg x="62"' in drawn and 'class="iso equal"' in drawn and 'd="M62.0' in drawn


def test_an_interval_is_a_bar_with_a_dot():
    rows = [{"r": run, "v": v, "lo": v - 1, "hi": v + 1, "m": "interval"} for run, v in (("a", 0.5), ("b", 2.0))]
    options = {"x": "v", "y": "r", "low": "lo", "until": "hi", "series": "r", "mark": "m"}
    drawn = str(xy(rows, options, {"a": 0, "b": 1}))
    assert drawn.count('class="disc"') == 2 and "b: [1.0000, 3.0000]" in drawn and 'class="iso"' in drawn
    assert "b: 2.0000" in drawn and "<svg" not in xy([{**rows[0], "v": None}], options, {})
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    [axes] = figure_of(rows, options, {"a": 0, "b": 1}, "").axes
    assert {line.get_gid(): line.get_xdata().tolist() for line in axes.lines if line.get_gid()} == {
        "zero-0": [0, 0],
        "interval-0": [-0.5, 1.5],
        "interval-1": [1, 3],
    }
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"]


def channel(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", range(3), ids=("light", "dark by the system", "dark"))
def test_every_colour_of_a_chart_has_a_contrast_of_3_to_1(theme):
    """The ratio of WCAG 2.2, 1.4.11: (lighter + 0.05) / (darker + 0.05), of relative luminances."""
    text = asset("page.css")
    colours = dict(re.findall(r"--([\w-]+): (#\w{6});", re.findall(r"--paper[^}]*", text)[theme]))
    for name in ("ink", "soft", "accent", "warn", *(f"c{at}" for at in range(N_COLOUR))):
        lighter, darker = sorted((channel(colours[name]), channel(colours["paper"])), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= (4.5 if name in ("ink", "soft") else 3), name
    if theme == 0:
        assert [colours[f"c{at}"] for at in range(N_COLOUR)] == list(COLOURS.values())[:N_COLOUR]
        assert all(COLOURS[name] == colours[name] for name in ("ink", "soft", "warn"))


def test_names_are_text_in_every_chart():
    name = "<b>\"&'</b>"
    cells = [{"run": name, "topic": name, "value": None, "shade": None, "mark": "cell"}]
    vertices = [{"v": name, "p": None, "label": name, "note": name, "shade": "best"}]
    shares = [{"g": name, "c": name, "n": 2, "s": "split off", "thickness": 400, "gold_y": 4, "cluster_y": 4}]
    for drawn in (
        xy(line(name), LINES | {"x_title": name}, {name: 0}),
        xy(cells, CELLS, {}),
        tree(vertices, {"row": "v", "parent": "p", "label": "label", "note": "note", "shade": "shade"}, {}),
        CHARTS["ribbons"](shares, RIBBONS, {}),
    ):
        assert "<title>" in drawn and "<desc>" in drawn
        assert "<b>" not in drawn and "&lt;b&gt;" in drawn
        parseString(f"<div>{drawn}</div>".replace(" checked", ""))


def test_a_heat_map_has_the_order_of_its_rows_and_light_is_good():
    rows = [
        {"run": run, "topic": topic, "value": value, "shade": value, "mark": "cell"}
        for run, values in (("good", (1.0, 0.5)), ("bad", (0.0, None)))
        for topic, value in zip("xy", values, strict=True)
    ]
    drawn = str(xy(rows, CELLS, {}))
    assert drawn.index("good on x: 1.0000") < drawn.index("bad on x: 0.0000")
    shades = re.findall(r'<path class="(cell[^"]*)" d="[^"]*"><title>', drawn)
    assert shades == [f"cell h{N_SHADE - 1}", f"cell h{N_SHADE // 2}", "cell h0", "cell"]
    fills = re.findall(r"\.h(\d+) { fill: (#\w{6}); }", asset("page.css"))
    assert (
        [int(at) for at, _ in fills] == list(range(N_SHADE)) and fills[0][1] == "#002051" and fills[-1][1] == "#fdea45"
    )
    lightness = [channel(fill) for _, fill in fills]
    assert lightness == sorted(lightness)


def test_a_tree_has_children_below_their_parent():
    options = {"row": "v", "parent": "p", "label": "label", "note": "note", "shade": "shade"}
    shades = {"a": "path", "b": "none", "c": "best", "d": "hit"}
    rows = [
        {"v": v, "p": p, "label": f"{v}1", "note": None, "shade": shades[v]}
        for v, p in (("a", None), ("b", "a"), ("c", "a"), ("d", "b"))
    ]
    drawn = str(tree(rows, options, {}))
    assert re.findall(r'font-weight="bold">(\w)<', drawn) == ["a", "b", "d", "c"]
    assert drawn.count('class="edge"') == 2 and drawn.count('class="edge path"') == 1
    assert 'class="vertex best"' in drawn and 'class="vertex hit"' in drawn
    parseString(drawn)


def test_ribbons_are_as_thick_as_what_is_shared():
    rows = [
        {"g": g, "c": c, "n": n, "s": s, "thickness": 50 * n, "gold_y": y, "cluster_y": z}
        for g, c, n, s, y, z in (
            ("A", "x", 3, "largest part", 4, 4),
            ("A", "y", 1, "split off", 154, 158),
            ("B", "y", 4, "largest part", 208, 208),
        )
    ]
    drawn = str(CHARTS["ribbons"](rows, RIBBONS, {}))
    assert "A to x: 3" in drawn and re.findall(r"\w \((\d)\)", drawn) == ["4", "4", "3", "5"]
    heights = [float(tall) for tall in re.findall(r'<rect [^>]*height="([\d.]+)"', drawn)]
    assert heights == [200, 200, 150, 250]
    assert 'fill="var(--warn)"' in drawn
