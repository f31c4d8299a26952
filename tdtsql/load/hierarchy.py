"""The output of a hierarchical topic detection system: a graph of clusters in XML.

    <htd system="NAME" rootVertex="a">
      <vertexSet> <vertex name="b"> <story docID="s1"/> ... </vertex> ... </vertexSet>
      <edgeSet> <edge srcVertex="a" destVertex="b"/> ... </edgeSet>
    </htd>

The file is read as a stream without a tree. Its elements are rows; ``sql/load/hierarchy_xml`` makes vertices, lists and
edges of them and checks these, ``sql/load/hierarchy`` the stories. A DOCTYPE is accepted and never followed; entity
declarations are refused.

Source: The 2004 TDT evaluation plan, appendix B.4 (the DTD and figure B1).

Code   Meaning
E601   not well-formed XML
E602   an entity declaration or outside reference
E606   text between the elements
E607   elements nested too deeply

The codes of the graph as a whole are those of `tdtsql.hierarchy.dag`.
"""

from typing import Any
from xml.parsers.expat import ExpatError

import numpy
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.checks import execute, report_all
from tdtsql.files.text import plain_bytes
from tdtsql.hierarchy.dag import build_dag, check_lists
from tdtsql.load.plan import drop_tables
from tdtsql.scoring.hierarchy import Hierarchy

#: bytes handed to the parser at a time
CHUNK = 1 << 20
#: deepest nesting that is followed; the DTD needs four levels
DEEPEST = 16
#: elements whose rows are collected before they go to the engine
MOST_ROWS = 1 << 14
_NO_ATTRIBUTES = ("", "")
#: element -> its attributes
ATTRIBUTES = {
    "htd": ("system", "rootVertex"),
    "vertex": ("name", ""),
    "story": ("docID", ""),
    "edge": ("srcVertex", "destVertex"),
}
_COLUMNS = (
    "place bigint, line integer, at_column integer, element varchar, parent bigint, around varchar, value_1 varchar, "
    "value_2 varchar, others varchar"
).split(", ")


class _Stop(Exception):
    """Reading further makes no sense; the reason is already reported."""


class _Elements:
    """Callbacks of the parser: each element becomes a row, anything else a problem."""

    def __init__(self, engine: Engine, parser: Any, problems: Problems):
        self.engine, self.parser, self.problems = engine, parser, problems
        self.rows: list[tuple] = []
        self.open: list[tuple[int | None, str | None]] = [(None, None)]  #: number and name of the elements around
        self.n_row = 0

    def report(self, code: str, message: str, value: object, advice: str) -> None:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        self.problems.add(code, message, advice, line, column, value)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) > DEEPEST:
            said = f"elements are nested more than {DEEPEST} deep, a hierarchy needs four levels"
            self.report("E607", said, name, "Write vertices side by side in vertexSet, and their links as edges.")
            raise _Stop
        place, (one, two) = self.n_row, ATTRIBUTES.get(name, _NO_ATTRIBUTES)
        values = attributes.pop(one, None), attributes.pop(two, None), "\0".join(attributes) if attributes else None
        at = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        self.rows.append((place, *at, name, *self.open[-1], *values))
        self.open.append((place, name))
        self.n_row += 1
        if self.n_row % MOST_ROWS == 0:
            self.store()

    def end(self, name: str) -> None:
        self.open.pop()

    def text(self, text: str) -> None:
        if not text.isspace():
            said, advice = "text between the elements, expected elements only", "Remove the text; story ids belong in "
            self.report("E606", said, text.strip(), f"{advice}docID attributes.")

    def store(self) -> None:
        self.engine.insert_rows("xml_row", [column.split()[0] for column in _COLUMNS], self.rows)
        self.rows.clear()


def read_hierarchy_xml(engine: Engine, data: bytes, problems: Problems) -> str | None:
    """Put the hierarchy of a system's XML file into temporary tables; return the name of the system.

    Args:
        data: the bytes of the file, compressed with gzip or not.
        problems: gets E601 to E613, each with line and column.
    """
    engine.make_rows("xml_row", _COLUMNS)
    found, plain = Problems(problems.path), plain_bytes(data, problems)
    is_complete = plain is not None and _parse(engine, plain, found)
    execute(engine, "hierarchy_xml/elements")
    report_all(engine, "hierarchy_xml", {0: found}, {"is_complete": is_complete})
    problems.found += sorted(found.found, key=lambda problem: (problem.line or 0, problem.column or 0))
    return engine.value("select value_1 from xml_element where element = 'htd' and belongs")


def _parse(engine: Engine, data: bytes, problems: Problems) -> bool:
    """Put the elements of a file into ``xml_row``; return whether it was read to its end."""
    parser = XMLParser(forbid_dtd=False, forbid_entities=True, forbid_external=True).parser
    elements = _Elements(engine, parser, problems)
    parser.ordered_attributes = False
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = elements.start, elements.end
    parser.CharacterDataHandler = elements.text
    try:
        for begin in range(0, len(data), CHUNK):
            parser.Parse(data[begin : begin + CHUNK], False)
        parser.Parse(b"", True)
        return True
    except ExpatError as error:
        said = f"not well-formed XML: {str(error).rsplit(': line', 1)[0]}"
        problems.add("E601", said, "Write the file again with an XML library.", error.lineno, error.offset + 1)
    except DefusedXmlException as error:
        said = "the file declares an entity or refers to another file, which is refused"
        name = getattr(error, "name", None) or getattr(error, "sysid", None)
        elements.report("E602", said, name, "Write ids out instead of entities; a DOCTYPE alone is fine.")
    except (LookupError, ValueError) as error:
        problems.add("E601", f"not readable XML: {error}", "Write the file in UTF-8.", 1, 1)
    except _Stop:
        pass
    finally:
        elements.store()
    return False


def check_hierarchy(engine: Engine, condition_no: int, problems: Problems) -> Hierarchy | None:
    """Return the hierarchy in the temporary tables, sound and over the condition's collection, or None; drops them.

    Args:
        problems: the reader's; every further defect is added.
    """
    parameters = {"condition_no": condition_no}
    execute(engine, "hierarchy/story", parameters, "xml_story")
    report_all(engine, "hierarchy", {0: problems}, parameters)
    names = engine.column("select name from xml_vertex order by vertex")
    root = engine.value(
        "select vertex from xml_element join xml_vertex on value_2 = name where element = 'htd' and belongs"
    )
    hierarchy = None
    if root is not None and all(problem.code in ("E630", "E631") for problem in problems.errors):
        vertex_line = _columns(engine, "select line from xml_vertex order by vertex")[0]
        edges = _columns(engine, "select source, target, line, at_column from xml_edge order by place")
        listed = _columns(
            engine,
            "select vertex, story, story_no, listed.line, listed.at_column from xml_listed as listed "
            "join xml_story using (story) order by place",
        )
        places = {"problems": problems, "names": names, "vertex_line": vertex_line}
        dag = build_dag(len(names), root, (edges[0], edges[1]), edge_place=edges[2:], **places)
        if dag is not None:
            stories = engine.column("select story_id from xml_story order by story")
            check_lists(dag, *listed[:2], story_names=stories, listed_place=listed[3:], **places)
        if dag is not None and not problems.errors:
            is_inside = listed[2] > 0
            hierarchy = Hierarchy(dag, names, listed[0][is_inside], listed[2][is_inside])
    engine.execute("drop view xml_element")
    drop_tables(engine, "xml_row", "xml_grammar", "xml_vertex", "xml_listed", "xml_edge", "xml_story")
    return hierarchy


def _columns(engine: Engine, sql: str) -> numpy.ndarray:
    """Return the columns of a query of whole numbers."""
    return numpy.array(list(engine.query(sql).fetchnumpy().values()), dtype=numpy.int64)
