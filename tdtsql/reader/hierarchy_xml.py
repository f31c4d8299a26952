"""The output of a hierarchical topic detection system: a graph of clusters in XML.

    <htd system="NAME" rootVertex="a">
      <vertexSet> <vertex name="b"> <story docID="s1"/> ... </vertex> ... </vertexSet>
      <edgeSet> <edge srcVertex="a" destVertex="b"/> ... </edgeSet>
    </htd>

The file is read as a stream without a tree. Stored are two integers and a
location per story or edge, so 300,000 stories in 500,000 vertices stay small.
A DOCTYPE is accepted and never followed; entity declarations are refused.

Source: The 2004 TDT evaluation plan, appendix B.4 (the DTD and figure B1).

Code   Meaning
E601   not well-formed XML
E602   an entity declaration or outside reference
E603   an element in the wrong position
E604   an attribute is missing or unknown
E605   a vertex name is empty or has blanks
E606   text between the elements
E607   elements nested too deeply
E608   a required element is missing
E610   a duplicate vertex
E611   an edge names an unknown vertex
E612   the root is not a vertex
E613   a duplicate story in one vertex

`tdtsql.hierarchy.dag` has the codes of the graph as a whole.
"""

from array import array
from dataclasses import dataclass
from xml.parsers.expat import ExpatError

import numpy
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from tdtsql.errors import Problems
from tdtsql.files.text import plain_bytes

#: bytes handed to the parser at a time
CHUNK = 1 << 20
#: deepest nesting that is followed; the DTD needs four levels
DEEPEST = 16

#: element -> (its parent element, its attributes)
GRAMMAR: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "htd": (None, ("system", "rootVertex")),
    "vertexSet": ("htd", ()),
    "vertex": ("vertexSet", ("name",)),
    "story": ("vertex", ("docID",)),
    "edgeSet": ("htd", ()),
    "edge": ("edgeSet", ("srcVertex", "destVertex")),
}


@dataclass(frozen=True, slots=True)
class HierarchyTable:
    """One system's hierarchy as its file gives it; vertices and stories are positions.

    Vertices and stories are numbered from 0 in the order of their first mention;
    an edge to an unknown vertex is reported and left out.
    """

    system: str
    root: int  #: position in ``vertex_name``
    vertex_name: list[str]
    vertex_line: numpy.ndarray  #: (V,)
    story_name: list[str]  #: S distinct story ids
    listed: numpy.ndarray  #: (4, L) one entry per <story>: the vertex, the story that it lists, line and column
    edges: numpy.ndarray  #: (4, E) source, target, line and column


class _Stop(Exception):
    """Reading further makes no sense; the reason is already reported."""


class _Collector:
    """The parser's callbacks: every element becomes a few integers or a problem."""

    def __init__(self, problems: Problems, parser):
        self.problems = problems
        self.parser = parser
        self.open: list[str] = []
        self.seen_sets: list[str] = []
        self.system = ""
        self.root_name: str | None = None
        self.root_place = (1, 1)
        self.vertex_at: dict[str, int] = {}
        self.vertex_name: list[str] = []
        self.vertex_line = array("i")
        self.vertex = -1
        self.story_at: dict[str, int] = {}
        self.listed = tuple(array("i") for _ in range(4))
        self.edges = tuple(array("i") for _ in range(4))

    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def report(self, code: str, message: str, value: object, advice: str, place: tuple[int, int] | None = None) -> None:
        line, column = place or self.place()
        self.problems.add(code, message, advice, line, column, value)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        around = self.open[-1] if self.open else None
        self.open.append(name)
        if len(self.open) > DEEPEST:
            self.report(
                "E607",
                f"elements are nested more than {DEEPEST} deep, a hierarchy needs four levels",
                name,
                "Write vertices side by side in vertexSet, and their links as edges.",
            )
            raise _Stop
        belongs = GRAMMAR.get(name)
        if belongs is None or belongs[0] != around:
            if around is None or around in GRAMMAR:  # what an unknown element holds is not reported again
                where = f"inside <{around}>" if around else "as the outermost element"
                self.report(
                    "E603",
                    f"<{name}> does not belong {where}, expected {self.expected(around)}",
                    None,
                    "Write the file as the plan's DTD has it (htd: vertexSet, then edgeSet).",
                )
            self.vertex = -1
            return
        for wanted in belongs[1]:
            if wanted not in attributes:
                self.report("E604", f"<{name}> misses the attribute {wanted}", None, "Add the attribute.")
        if len(attributes) > len(belongs[1]):
            for given in attributes.keys() - set(belongs[1]):
                self.report(
                    "E604",
                    f"<{name}> has an attribute that the plan's DTD does not know",
                    given,
                    "Leave the attribute out.",
                )
        if name == "story":
            story_id = attributes.get("docID")
            if story_id is not None and self.vertex >= 0:
                story = self.story_at.setdefault(story_id, len(self.story_at))
                for column, number in zip(self.listed, (self.vertex, story, *self.place()), strict=True):
                    column.append(number)
        elif name == "edge":
            if "srcVertex" in attributes and "destVertex" in attributes:
                self.add_edge(attributes["srcVertex"], attributes["destVertex"])
        elif name == "vertex":
            self.add_vertex(attributes.get("name"))
        elif name == "htd":
            self.system = attributes.get("system", "")
            self.root_name = attributes.get("rootVertex")
            self.root_place = self.place()
        else:
            if name in self.seen_sets or name == "vertexSet" and "edgeSet" in self.seen_sets:
                self.report(
                    "E603",
                    f"<{name}> comes too late, expected one vertexSet and then one edgeSet",
                    None,
                    "Put all vertices into one vertexSet and all edges into one edgeSet behind it.",
                )
            self.seen_sets.append(name)

    def expected(self, around: str | None) -> str:
        inside = [f"<{name}>" for name, (parent, _) in GRAMMAR.items() if parent == around]
        return " or ".join(inside) if inside else "nothing"

    def add_vertex(self, name: str | None) -> None:
        self.vertex = -1
        if name is None:
            return
        if not name or name.split() != [name]:
            self.report("E605", "a vertex name is one word without blanks", name, "Rename the vertex.")
            return
        if name in self.vertex_at:
            first = self.vertex_line[self.vertex_at[name]]
            self.report(
                "E610",
                f"this vertex was given already at line {first}",
                name,
                "Give every vertex a unique name, and list its stories once.",
            )
            return
        self.vertex = self.vertex_at[name] = len(self.vertex_name)
        self.vertex_name.append(name)
        self.vertex_line.append(self.parser.CurrentLineNumber)

    def add_edge(self, source_name: str, target_name: str) -> None:
        source, target = self.vertex_at.get(source_name), self.vertex_at.get(target_name)
        for attribute, name, vertex in (("srcVertex", source_name, source), ("destVertex", target_name, target)):
            if vertex is None:
                self.report(
                    "E611",
                    f"{attribute} names a vertex that vertexSet does not have",
                    name,
                    "Add the vertex, or drop the edge.",
                )
        if source is not None and target is not None:
            for column, number in zip(self.edges, (source, target, *self.place()), strict=True):
                column.append(number)

    def end(self, name: str) -> None:
        self.open.pop()
        if name == "vertex":
            self.vertex = -1

    def text(self, text: str) -> None:
        if not text.isspace():
            self.report(
                "E606",
                "text between the elements, expected elements only",
                text.strip(),
                "Remove the text; story ids belong in docID attributes.",
            )


def read_hierarchy_xml(data: bytes, problems: Problems) -> HierarchyTable | None:
    """Return the hierarchy of a system's XML file, or None where no vertex could be read.

    Args:
        data: the bytes of the file, compressed with gzip or not.
        problems: gets E601 to E613, each with line and column.
    """
    plain = plain_bytes(data, problems)
    if plain is None:
        return None
    guard = XMLParser(forbid_dtd=False, forbid_entities=True, forbid_external=True)
    parser = guard.parser
    collector = _Collector(problems, parser)
    parser.ordered_attributes = False
    parser.buffer_text = True
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    try:
        for begin in range(0, len(plain), CHUNK):
            parser.Parse(plain[begin : begin + CHUNK], False)
        parser.Parse(b"", True)
    except ExpatError as error:
        message = str(error).rsplit(": line", 1)[0]
        problems.add(
            "E601",
            f"not well-formed XML: {message}",
            "Write the file again with an XML library.",
            getattr(error, "lineno", parser.CurrentLineNumber),
            getattr(error, "offset", 0) + 1,
        )
    except DefusedXmlException as error:
        name = getattr(error, "name", None) or getattr(error, "sysid", None)
        collector.report(
            "E602",
            "the file declares an entity or refers to another file, which is refused",
            name,
            "Write ids out instead of entities; a DOCTYPE alone is fine.",
        )
    except (LookupError, ValueError) as error:
        problems.add("E601", f"not readable XML: {error}", "Write the file in UTF-8.", 1, 1)
    except _Stop:
        pass
    else:
        _check_complete(collector)
    if not collector.vertex_name:
        return None
    root = collector.vertex_at.get(collector.root_name or "", -1)
    if root < 0 and collector.root_name is not None:
        collector.report(
            "E612",
            "rootVertex names a vertex that vertexSet does not have",
            collector.root_name,
            "Add the vertex, or correct the root.",
            collector.root_place,
        )
    vertex_line, listed, edges = (
        numpy.array(numbers, dtype=numpy.int32)
        for numbers in (collector.vertex_line, collector.listed, collector.edges)
    )
    names = collector.vertex_name, vertex_line, list(collector.story_at)
    table = HierarchyTable(collector.system, root, *names, listed, edges)
    _check_lists(table, problems)
    return table


def _check_complete(collector: _Collector) -> None:
    if collector.root_name is None:
        return
    for name in ("vertexSet", "edgeSet"):
        if name not in collector.seen_sets:
            collector.report(
                "E608", f"<htd> misses <{name}>", None, "Add the element, empty if need be.", collector.root_place
            )
    if "vertexSet" in collector.seen_sets and not collector.vertex_name:
        collector.report(
            "E608", "<vertexSet> misses its vertices", None, "Add at least the root.", collector.root_place
        )


def _check_lists(table: HierarchyTable, problems: Problems) -> None:
    """Report E613 for every story that a vertex lists a second time."""
    key = table.listed[0].astype(numpy.int64) * max(1, len(table.story_name)) + table.listed[1]
    order = numpy.argsort(key, kind="stable")
    again = order[1:][key[order[1:]] == key[order[:-1]]]
    for vertex, story, line, column in table.listed[:, numpy.sort(again)].T.tolist():
        said = f"vertex {table.vertex_name[vertex]!r} lists this story twice"
        problems.add("E613", said, "List a story once per vertex.", line, column, table.story_name[story])
