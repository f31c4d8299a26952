"""Clusters of mentions in CoNLL columns.

    #begin document (NAME); part 000
    NAME 0 0 word (1
    NAME 0 1 word 1)|(2)
    #end document

The last column says which mentions begin and end in the line: ``(3)`` one line, ``(3`` opens, ``3)`` closes, the latest
open mention of a number first; ``-`` or ``_`` nothing. A mention is its first and last line, counted from 0 in the
document without empty lines. Work across documents writes two columns, a mention and ``(cluster)``: there a line is an
item, called by its first column.

Code   Meaning
E911   an invalid last column
E912   a mention that is closed but was not opened
E913   a mention that is not closed in its document
E914   a line outside of a document, or a document within a document
E915   a duplicate document
E916   a mention in two clusters
W916   a mention in two clusters of the gold, where every profile keeps the first
E917   a document that does not end

Source: S. Pradhan et al., CoNLL-2012 shared task, section 4.3 (data format); the file checks of the CoNLL scorer 8.01.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from tdtsql.errors import Problems
from tdtsql.files.lines import Text

_BEGIN = re.compile(r"#\s*begin document\s*\(?(.*?)\)?\s*;?\s*(?:;\s*)?(part\s+\S+)?\s*$")
#: a line that begins a document, and one that ends it; the CoNLL scorer takes blanks behind the sign
_BEGINS, _ENDS = re.compile(r"#\s*begin document"), re.compile(r"#\s*end document")
_PART = re.compile(r"\(([^()|\s]+)\)|\(([^()|\s]+)|([^()|\s]+)\)|\|")
_NOTHING = ("-", "_", "*")


@dataclass(slots=True)
class _Document:
    """One document under way."""

    name: str
    line: int  #: where it begins
    n_line: int = 0
    #: cluster -> (line in the document, line, column, order)
    opened: dict[str, list[tuple[int, int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    mentions: list[tuple[int, str, str, int]] = field(default_factory=list)  #: (order of opening, item, cluster, line)
    n_opened: int = 0

    def open(self, cluster: str, line: int, column: int) -> None:
        self.opened[cluster].append((self.n_line, line, column, self.n_opened))
        self.n_opened += 1

    def close(self, cluster: str) -> bool:
        if not self.opened[cluster]:
            return False
        first, line, _, order = self.opened[cluster].pop()
        self.mentions.append((order, f"{first}-{self.n_line}", cluster, line))
        return True


@dataclass(slots=True)
class Mentions:
    """M memberships of a file, in the order in which mentions open."""

    #: (line, item_id, cluster_id (None: in no cluster) and block_id)
    records: list[tuple[int, dict[str, str | None]]] = field(default_factory=list)
    n_line: dict[str, int] = field(default_factory=dict)  #: lines of documents whose items are spans of lines


def read_conll(text: Text, *, may_repeat: bool = False, is_gold: bool = False) -> Mentions:
    """Return the memberships of a file; what is wrong goes to its problems, see the module.

    Args:
        may_repeat: a mention may be in several clusters. In gold the first one keeps it, with a warning; the CoNLL
            scorer prints a warning and keeps it in all. Of a run all memberships are returned, in their order.
        is_gold: the file is the gold.
    """
    lines, problems = [(line, said) for line, said in text.head() if said.strip()], text.problems
    is_listed, found = _is_listed(lines), Mentions()
    document: _Document | None = None
    seen: dict[str, int] = {}
    for line, said in lines:
        if _BEGINS.match(said):
            if document is not None and not is_listed:
                problems.add(
                    "E914",
                    f"a document begins within the one of line {document.line}",
                    "End each with #end document.",
                    line,
                    1,
                    said,
                )
            if document is not None:
                _finish(document, found, problems, may_repeat, is_gold, is_listed)
            document = _Document(_name(said), line)
            if document.name in seen:
                problems.add(
                    "E915",
                    f"the document is already on line {seen[document.name]}",
                    "Give each part its own name: #begin document (NAME); part 001.",
                    line,
                    1,
                    document.name,
                )
            seen.setdefault(document.name, line)
        elif _ENDS.match(said):
            if document is None:
                problems.add(
                    "E914", "a document ends that did not begin", "Begin it with #begin document (NAME).", line, 1, said
                )
            else:
                _finish(document, found, problems, may_repeat, is_gold, is_listed)
            document = None
        elif said.startswith("#"):
            continue
        elif document is None:
            problems.add(
                "E914", "a line outside of a document", "Begin the document with #begin document (NAME).", line, 1, said
            )
        elif is_listed:
            _listed(document, line, said)
        else:
            _spans(document, line, said, problems)
            document.n_line += 1
    if document is not None:
        if not is_listed:
            problems.add(
                "E917",
                "the document does not end",
                "Is the file cut off? End it with #end document.",
                document.line,
                1,
                document.name,
            )
        _finish(document, found, problems, may_repeat, is_gold, is_listed)
    return found


def _name(text: str) -> str:
    match = _BEGIN.match(text)
    parts = [match[1].strip(" ;()"), match[2]] if match else [_BEGINS.sub("", text).strip(), None]
    return "; ".join(part for part in parts if part) or "document"


def _is_listed(lines: list[tuple[int, str]]) -> bool:
    """Return whether each line is an item: two columns, a mention and one cluster or nothing; not the name of the
    document again and again.
    """
    rows = [text.split() for _, text in lines if not text.startswith("#")]
    if not rows or any(
        len(row) != 2 or not (row[1] in _NOTHING or ((part := _PART.fullmatch(row[1])) and part[1])) for row in rows
    ):
        return False
    documents: list[set[str]] = []
    for _, text in lines:
        if _BEGINS.match(text):
            documents.append(set())
        elif not text.startswith("#") and documents:
            documents[-1].add(text.split(maxsplit=1)[0])
    return sum(map(len, documents)) > len(documents)


def _listed(document: _Document, line: int, text: str) -> None:
    item, part = text.split()
    match = _PART.fullmatch(part)
    document.mentions.append((len(document.mentions), item, match[1] if match else "", line))


def _spans(document: _Document, line: int, text: str, problems: Problems) -> None:
    last = text.rsplit(maxsplit=1)[-1]
    if last in _NOTHING:
        return
    start = text.rindex(last)
    position = 0
    while position < len(last):
        match = _PART.match(last, position)
        if match is None:
            problems.add(
                "E911",
                "the last column cannot be read, expected - or parts such as (3), (3 and 3) joined by |",
                "Correct the line.",
                line,
                start + position + 1,
                last,
            )
            return
        whole, opens, closes = match.groups()
        if opens or whole:
            document.open(opens or whole, line, start + match.start() + 1)
        if (closes or whole) and not document.close(closes or whole):
            problems.add(
                "E912",
                f"mention {closes} is closed and was not opened",
                f"Open it with ({closes}, or remove it.",
                line,
                start + match.start() + 1,
                last,
            )
        position = match.end()


def _finish(
    document: _Document, found: Mentions, problems: Problems, may_repeat: bool, is_gold: bool, is_listed: bool
) -> None:
    """Keep the mentions of a document, and report what is wrong with them."""
    for cluster, opened in document.opened.items():
        for _, line, column, _ in opened:
            problems.add(
                "E913",
                f"mention {cluster} is not closed before the document ends",
                f"Close it with {cluster}).",
                line,
                column,
                f"({cluster}",
            )
    first: dict[str, tuple[str, int]] = {}
    for _, item, cluster, line in sorted(document.mentions):
        earlier = first.setdefault(item, (cluster, line))
        if earlier[0] != cluster and (is_gold or not may_repeat):
            problems.add(
                "W916" if may_repeat else "E916",
                f"mention {item} of {document.name} is in cluster {earlier[0]} (line {earlier[1]}) and in another",
                "The first one counts."
                if may_repeat
                else "Keep one."
                if is_gold
                else 'Keep one, or let a profile with repeated_item = "first" keep the first of a run.',
                line,
                value=cluster,
            )
            if may_repeat:
                continue
        found.records.append((line, {"item_id": item, "cluster_id": cluster or None, "block_id": document.name}))
    if not is_listed:
        found.n_line[document.name] = document.n_line
