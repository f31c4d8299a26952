"""The indented tree of a hierarchy: a line per vertex, children below their parent, several parents named."""

import re
from xml.dom.minidom import parseString  # of our own output

import tdtsql
from inside import neighbourhood
from tdtsql.report.charts import Box, tree_of
from tdtsql.report.sections import drawn


def tree(boxes, edges, *, title, path=()):
    return str(drawn("tree", tree_of(boxes, edges, path), title))


EDGES = ["ab", "ac", "bd", "be", "bf", "cf", "cg", "fh", "fi", "gi", "gj"]


def drawing(best="h"):
    boxes = [
        Box(name, 10, int(name in "acfh"), 0.5 if name in "ah" else None, name == best, 3) for name in "abcdefghij"
    ]
    return tree(
        boxes,
        [tuple(edge) for edge in EDGES],
        title="figure A1 & <topic t1>",
        path=[("a", "c"), ("c", "f"), ("f", "h")],
    )


def test_every_vertex_is_there_once_below_one_of_its_parents():
    svg = parseString(drawing())
    place = {}
    for group in svg.getElementsByTagName("g"):
        circle = group.getElementsByTagName("circle")[0]
        name = group.getElementsByTagName("tspan")[0].firstChild.data
        place[name] = (int(circle.getAttribute("cx")), int(circle.getAttribute("cy")), circle.getAttribute("class"))
    assert sorted(place) == list("abcdefghij") and len({y for _, y, _ in place.values()}) == 10
    parents = {child: [parent for parent, other in EDGES if other == child] for child in "bcdefghij"}
    for child, of in parents.items():
        assert any(place[parent][1] < place[child][1] and place[parent][0] < place[child][0] for parent in of), child
    assert [name for name, (_, _, kind) in place.items() if "best" in kind] == ["h"]


def test_the_path_is_thick_and_decides_below_which_parent_a_vertex_is_drawn():
    boxes = [Box(name, 1, 0, None, False, 2) for name in "abcv"]
    svg = tree(boxes, [("a", "b"), ("a", "c"), ("b", "v"), ("c", "v")], title="x", path=[("a", "c"), ("c", "v")])
    assert svg.count('class="edge path"') == 2 and svg.count('class="edge"') == 1
    assert "also below b" in svg and "also below c" not in svg


def test_the_same_data_give_the_same_drawing():
    assert drawing() == drawing()


def test_a_root_alone_and_hidden_children():
    svg = tree([Box("only<one", 5, 1, 3.2, True, 7)], [], title="x")
    assert "+7 more" in svg and "only&lt;one" in svg and re.search(r'viewBox="0 0 \d+ \d+"', svg)


def test_what_is_drawn_around_a_best_vertex_comes_by_name(example_store):
    with tdtsql.connect(example_store, read_only=True) as store:
        best = store.engine.rows(
            "select run_no, profile_no, block_no from metric.hierarchy_best__v1 where best_vertex_no is not null"
        )
        found = {row: [name for name, *_ in neighbourhood(store.engine, *row)[0]] for row in best}

    assert found and all(names == sorted(names) and "all" in names for names in found.values())
