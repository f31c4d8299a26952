"""Reading the XML of a hierarchical topic detection system."""

import pytest

from tdtsql.errors import Problems
from tdtsql.reader.hierarchy_xml import read_hierarchy_xml

GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE htd SYSTEM "htd.dtd">
<htd system="CDM_P05-8.v37" rootVertex="a">
<vertexSet>
  <vertex name="a"> </vertex>
  <vertex name="b"> <story docID="s1"/> <story docID="s2"/> </vertex>
  <vertex name="c"><story docID="s2"/></vertex>
</vertexSet>
<!-- a comment -->
<edgeSet>
  <edge srcVertex="a" destVertex="b"> </edge>
  <edge srcVertex="a" destVertex="c"/>
</edgeSet>
</htd>
"""
DTD = """[<!ELEMENT htd ( vertexSet, edgeSet ) > <!ATTLIST htd system NMTOKEN #REQUIRED>
<!ELEMENT story EMPTY > <!ATTLIST story docID NMTOKEN #REQUIRED >]"""


def read(text):
    problems = Problems("sys.xml")
    table = read_hierarchy_xml(text.encode(), problems)
    return table, [str(problem) for problem in problems.found]


@pytest.mark.parametrize("doctype", ['SYSTEM "htd.dtd"', 'PUBLIC "x" "http://example.org/htd.dtd"', DTD])
def test_a_good_file(doctype):
    table, problems = read(GOOD.replace('SYSTEM "htd.dtd"', doctype))
    assert problems == []
    assert (table.system, table.root, table.vertex_name) == ("CDM_P05-8.v37", 0, ["a", "b", "c"])
    assert table.story_name == ["s1", "s2"]
    assert list(zip(*table.listed[:2])) == [(1, 0), (1, 1), (2, 1)]
    assert list(zip(*table.edges[:2])) == [(0, 1), (0, 2)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "</edgeSet>",
            "",
            "sys.xml:14:3: E601 not well-formed XML: mismatched tag. Write the file again with an XML library.",
        ),
        (
            'SYSTEM "htd.dtd"',
            '[<!ENTITY bomb "x">]',
            "sys.xml:2:30: E602 the file declares an entity or refers to another file, "
            "which is refused ('bomb'). Write ids out instead of entities; a DOCTYPE alone is fine.",
        ),
        (
            "<!-- a comment -->",
            "<note/>",
            "sys.xml:9:1: E603 <note> does not belong inside <htd>, expected <vertexSet> or <edgeSet>. "
            "Write the file as the plan's DTD has it (htd: vertexSet, then edgeSet).",
        ),
        (
            "<!-- a comment -->",
            "<vertexSet/>",
            "sys.xml:9:1: E603 <vertexSet> comes too late, expected one vertexSet and then one edgeSet. "
            "Put all vertices into one vertexSet and all edges into one edgeSet behind it.",
        ),
        (' destVertex="c"', "", "sys.xml:12:3: E604 <edge> misses the attribute destVertex. Add the attribute."),
        (
            'docID="s1"',
            'docID="s1" id="7"',
            "sys.xml:6:21: E604 <story> has an attribute that the plan's DTD does not know ('id'). "
            "Leave the attribute out.",
        ),
        (
            '<vertex name="c">',
            '<vertex name="c d">',
            "sys.xml:7:3: E605 a vertex name is one word without blanks ('c d'). Rename the vertex.",
        ),
        (
            "<!-- a comment -->",
            "s4",
            "sys.xml:10:1: E606 text between the elements, expected elements only ('s4'). "
            "Remove the text; story ids belong in docID attributes.",
        ),
        (
            '<vertex name="c">',
            '<vertex name="b">',
            "sys.xml:7:3: E610 this vertex was given already at line 6 ('b'). "
            "Give every vertex a unique name, and list its stories once.",
        ),
        (
            'destVertex="c"',
            'destVertex="x"',
            "sys.xml:12:3: E611 destVertex names a vertex that vertexSet does not have ('x'). "
            "Add the vertex, or drop the edge.",
        ),
        (
            'rootVertex="a"',
            'rootVertex="r"',
            "sys.xml:3:1: E612 rootVertex names a vertex that vertexSet does not have ('r'). "
            "Add the vertex, or correct the root.",
        ),
        (
            '"s2"/> </vertex>',
            '"s1"/> </vertex>',
            "sys.xml:6:41: E613 vertex 'b' lists this story twice ('s1'). List a story once per vertex.",
        ),
    ],
)
def test_each_refusal_names_its_place(old, new, message):
    assert old in GOOD
    assert read(GOOD.replace(old, new, 1))[1][0] == message


def test_every_problem_is_found_in_one_pass():
    _, problems = read(
        GOOD.replace(' destVertex="c"', "").replace('name="c"', 'name="b"').replace("<!-- a comment -->", "<x/>")
    )
    assert [problem.split()[1] for problem in problems] == ["E610", "E603", "E604"]


def test_an_empty_set_is_said():
    _, problems = read('<htd system="s" rootVertex="a"><vertexSet/></htd>')
    assert [problem.split(": ", 1)[1] for problem in problems] == [
        "E608 <htd> misses <edgeSet>. Add the element, empty if need be.",
        "E608 <vertexSet> misses its vertices. Add at least the root.",
    ]


def test_figure_b1_with_its_doubled_start_tag_is_refused():
    _, problems = read('<htd system="s">\n<htd rootVertex="a">\n' + GOOD.split('rootVertex="a">\n')[1])
    assert "E603 <htd> does not belong inside <htd>" in problems[1]
    assert any("E601" in problem for problem in problems)


def test_nesting_without_end_stops_early():
    _, problems = read("<a>" * 200_000)
    assert [problem.split()[1] for problem in problems] == ["E603", "E607"]


def test_an_entity_bomb_two_hundred_deep_is_refused_at_its_first_line():
    bomb = "\n".join(f'<!ENTITY e{i} "&e{i - 1};&e{i - 1};">' for i in range(1, 201))
    _, problems = read(f'<!DOCTYPE htd [<!ENTITY e0 "x">\n{bomb}]>\n<htd system="&e200;" rootVertex="a"/>')
    assert [problem.split(":")[1:4] for problem in problems] == [
        [
            "1",
            "28",
            " E602 the file declares an entity or refers to another file, "
            "which is refused ('e0'). Write ids out instead of entities; a DOCTYPE alone is fine.",
        ]
    ]


@pytest.mark.parametrize(
    "text", ["", "hello", "\0\1\2", "<htd", "<?xml version='1.0' encoding='klingon'?><htd/>", "﻿<htd/>"]
)
def test_junk_is_a_problem_and_never_a_traceback(text):
    assert read(text)[1]
