"""Reading the XML of a hierarchical topic detection system."""

import pytest

from tdtsql.errors import Problems
from rows_of_files import read_hierarchy

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
    table = read_hierarchy(text.encode(), problems)
    return table, [str(problem) for problem in problems.found]


@pytest.mark.parametrize("doctype", ['SYSTEM "htd.dtd"', 'PUBLIC "x" "http://example.org/htd.dtd"', DTD])
def test_a_good_file(doctype):
    table, problems = read(GOOD.replace('SYSTEM "htd.dtd"', doctype))
    assert problems == []
    assert table == ("CDM_P05-8.v37", "a", ["a", "b", "c"], [("b", "s1"), ("b", "s2"), ("c", "s2")], [(0, 1), (0, 2)])


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


@pytest.mark.parametrize("text", ["", "hello", "<?xml version='1.0' encoding='klingon'?><htd/>", "﻿<htd/>"])
def test_junk_is_a_problem(text):
    assert read(text)[1]
