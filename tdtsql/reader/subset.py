"""SSD files: named sets of source files, for subset scores and for exclusion.

    <source_subset>
    <set title="NWT Subset, English Subset" heading="NWT English">
    <source_file filename="20030401_0000_2000_NYT_NYT">
    </set>
    </source_subset>

An empty set is kept. Names lose directory and extension.

Code   Meaning
E130   no source_subset element: not an SSD file
E131   a source_file outside any set
E132   a set without heading, or a source_file without filename
E133   a set that is not closed, or a closing tag without a set
E134   two sets with the same heading
E135   not a well-formed tag, or an element of another kind of file
W136   a duplicate source file in one set

Source: TDT3eval v2.6 as read.
"""

from typing import NamedTuple

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.tag import tags
from tdtsql.files.text import is_readable

_KNOWN = frozenset({"source_subset", "set", "source_file"})


class SubsetSet(NamedTuple):
    """One set."""

    line: int
    title: str
    heading: str


class SubsetFile(NamedTuple):
    """One source file in one set."""

    line: int
    title: str
    heading: str
    source_file: str


class Subsets(NamedTuple):
    """The sets of an SSD file, and their members; an empty set is only in ``sets``."""

    sets: list[SubsetSet]
    files: list[SubsetFile]


def read_subsets(data: bytes, problems: Problems) -> Subsets:
    """Return sets and members in the order of the file."""
    sets: list[SubsetSet] = []
    files: list[SubsetFile] = []
    first_line: dict[str, int] = {}
    members: set[str] = set()
    open_set: SubsetSet | None = None
    is_subset_file = False

    for tag in tags(data, problems, code="E135", known=_KNOWN):
        if tag.name == "source_subset":
            is_subset_file = True
        elif tag.name == "set" and tag.is_closing:
            if open_set is None:
                problems.add(
                    "E133",
                    "</set> without an open set",
                    "Remove it, or add the <set ...> it closes.",
                    *tag.place,
                )
            open_set = None
        elif tag.name == "set":
            if open_set is not None:
                problems.add(
                    "E133",
                    f"the set of line {open_set.line} is still open, expected </set> before the next",
                    "Add </set>.",
                    *tag.place,
                    open_set.heading,
                )
            heading, title = tag.attributes.get("heading", ""), tag.attributes.get("title", "")
            if not heading:
                problems.add(
                    "E132",
                    'set has no heading, expected heading="NAME"',
                    "Add the attribute: it names the subset in every table.",
                    *tag.place,
                )
            open_set = SubsetSet(tag.line, title, heading)
            members = set()
            earlier = first_line.setdefault(heading, tag.line)
            if earlier != tag.line and heading:
                problems.add(
                    "E134",
                    f"heading is already on line {earlier}, expected every set to have its own",
                    "Rename one of the two sets.",
                    *tag.place_of("heading"),
                    heading,
                )
            sets.append(open_set)
        elif not tag.is_closing:
            name = field.source_name(tag.attributes.get("filename", ""))
            if not name:
                problems.add(
                    "E132",
                    'source_file has no filename, expected filename="NAME"',
                    "Add the attribute.",
                    *tag.place,
                )
            elif open_set is None:
                problems.add(
                    "E131",
                    "source_file outside a set",
                    "Put it between <set ...> and </set>.",
                    *tag.place,
                    name,
                )
            elif name in members:
                problems.add(
                    "W136",
                    f"source file is already in the set of line {open_set.line}",
                    "It counts once.",
                    *tag.place_of("filename"),
                    name,
                )
            else:
                members.add(name)
                files.append(SubsetFile(tag.line, open_set.title, open_set.heading, name))

    if open_set is not None:
        problems.add(
            "E133", "the set is not closed, expected </set>", "Add </set>.", open_set.line, 1, open_set.heading
        )
    if not is_subset_file and is_readable(problems):
        problems.add(
            "E130",
            "no source_subset element, expected an SSD file",
            "Name the SSD file, or wrap its sets in <source_subset>.",
            1,
            1,
        )
    return Subsets(sets, files)
