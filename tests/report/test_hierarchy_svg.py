"""The drawing of a hierarchy: every box and edge is there, children stand below parents, nothing overlaps."""

import re
from xml.dom.minidom import parseString  # of our own output

from tdtsql.report.hierarchy_svg import HEIGHT, WIDTH, Box, draw_hierarchy

EDGES = ["ab", "ac", "bd", "be", "bf", "cf", "cg", "fh", "fi", "gi", "gj"]


def drawing(best="h"):
    boxes = [
        Box(name, 10, int(name in "acfh"), 0.5 if name in "ah" else None, name == best, 3) for name in "abcdefghij"
    ]
    return draw_hierarchy(boxes, [tuple(edge) for edge in EDGES], title="figure A1 & <topic t1>")


def test_the_drawing_is_complete_and_layered():
    svg = parseString(drawing())
    boxes = {
        group.getElementsByTagName("text")[0].firstChild.data: group.getElementsByTagName("rect")[0]
        for group in svg.getElementsByTagName("g")
    }
    place = {name: (float(rect.getAttribute("x")), float(rect.getAttribute("y"))) for name, rect in boxes.items()}
    assert sorted(place) == list("abcdefghij")
    assert len(svg.getElementsByTagName("path")) == len(EDGES)
    assert all(place[parent][1] + HEIGHT < place[child][1] for parent, child in EDGES)
    names = sorted(place)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            assert abs(place[a][0] - place[b][0]) >= WIDTH or abs(place[a][1] - place[b][1]) >= HEIGHT, (a, b)
    assert [name for name, rect in boxes.items() if "best" in rect.getAttribute("class")] == ["h"]


def test_the_cheapest_walk_is_drawn_thick():
    svg = draw_hierarchy(
        [Box(name, 1, 0, None, False, 1) for name in "abc"],
        [("a", "b"), ("a", "c"), ("b", "c")],
        title="x",
        walk=[("a", "c")],
    )
    assert svg.count('class="edge walk"') == 1 and svg.count('class="edge"') == 2


def test_the_same_data_give_the_same_drawing():
    assert drawing() == drawing()


def test_a_root_alone_and_hidden_children():
    svg = draw_hierarchy([Box("only<one", 5, 1, 3.2, True, 7)], [], title="x")
    assert "+7 more" in svg and "only&lt;one" in svg and re.search(r'viewBox="0 0 \d+ \d+"', svg)
