"""Tables of the LDC: SGML of the 1990s, one or several complete tags on a line.

    <BOUNDSET fileid=F collect_src=S collect_date=D src_lang=L>                    boundary table: the stories of a
    <BOUNDARY docno=N doctype=NEWS Bsec=0.00 Esec=16.31 Brecid=1 Erecid=49>        source file, and where each is
    <ONTOPIC topicid=55001 level=YES docno=N fileid=F comments="NO">               topic relevance table
    <set title="NWT Subset" heading="NWT"> <source_file filename="F"> </set>       SSD file: sets of source files

Names are in any case, values bare or in double quotes; a bare value may hold blanks and ends where the next ``name=``
begins. There are no entities. Positions are seconds of the recording and record numbers (words, from 1, both ends
belong to the story); either pair may be absent. Levels are read in any case (NIST's program reads upper case only).
Names of source files lose directory and extension. An empty set is kept.

The tags of all files of a call are one table; ``sql/load/boundary``, ``relevance`` and ``subset`` make rows of it and
check them.

Code   Meaning
E104   boundary table: not a well-formed tag, or an element of another kind of file
E114   topic relevance table: the same
E135   SSD file: the same

Source: LDC TDT corpora; TDT3eval v2.6 as read.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tdtsql.toml_file import toml_beside
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.checks import Finding, execute, report_all
from tdtsql.files.find import Inputs
from tdtsql.files.lines import Source, open_texts, path_of, report

# possessive quantifiers: no backtracking on any line. They apply to single characters only, because Python before
# 3.11.5 evaluates those of a group wrongly (https://github.com/python/cpython/issues/106052); a repeated group can
# match in one way only
_TAG = re.compile(r'\s*+<(/?)([A-Za-z_][\w.-]*+)([^"<>]*+(?:"[^"]*+"[^"<>]*+)*)>')
_IGNORED = re.compile(r"\s*+(?:<!--.*?-->|<[!?](?!--)[^<>]*+>)")
#: name, its value in quotes or bare; or what is not an attribute, up to the end
_ATTRIBUTE = re.compile(
    r'\s++([A-Za-z_][\w.:-]*+)\s*+=\s*+(?:"([^"]*+)"|((?:[^\s"]++|\s++(?![A-Za-z_][\w.:-]*+\s*+=)(?!$))*))'
    r"|\s*+(\S.*+)"
)


class TagFile(NamedTuple):
    """A kind of file of tags."""

    folder: str  #: of its SQL, below ``sql/load``
    code: str  #: of what is not a tag of it
    attributes: Mapping[str, Sequence[str]]  #: element -> the attributes that are read
    tables: Sequence[str]  #: that its SQL makes of the tags, in this order
    staging: str  #: the table of their rows
    staged: str  #: a query of its columns but the owner


_SAID = toml_beside(__file__)
BOUNDARY, RELEVANCE, SUBSET = (TagFile(**_SAID[name]) for name in ("BOUNDARY", "RELEVANCE", "SUBSET"))


def read_tags(engine: Engine, inputs: Inputs, of: TagFile, files: Sequence[Source], kind: str) -> dict[str, str]:
    """Put the rows of files of tags into temporary tables, until they are staged; return name, of ``of.tables``, ->
    table. Every problem goes to ``inputs``.
    """
    texts = open_texts(inputs, files, kind)
    tags = [(text.file, *tag) for text in texts for tag in _tags(text.head(), text.problems, of)]
    columns = "place bigint", "file integer", "line bigint", "element varchar", "said varchar", "at_column integer"
    engine.make_rows("tag_text", columns, [(place, *tag) for place, tag in enumerate(tags)])
    execute(engine, "tag", {}, "tag")
    for table in of.tables:
        execute(engine, f"{of.folder}/{table}", {}, f"read_{table}")
    report_all(engine, of.folder, {text.file: text.problems for text in texts}, {}, texts, _column_of)
    for text in texts:
        report(inputs, text.problems, text.digest, kind)
    kept = {table: engine.unused_name(f"kept_{table}") for table in of.tables}
    for table, name in kept.items():
        engine.execute(f"alter table read_{table} rename to {name}")
        inputs.tables.append(name)
    path = path_of([given for given, _ in files])
    inputs.staged.append((of.staging, of.staged.format(path=path, **kept)))
    return kept


def _tags(lines: Iterable[tuple[int, str]], problems: Problems, of: TagFile) -> Iterator[tuple[int, str, str, int]]:
    """Yield line, element (``/`` before it closes), the values of its attributes that are read with NUL between them,
    and column, of every tag.
    """
    known, in_comment = of.attributes, False

    def wrong(line: int, column: int, value: str, said: str, advice: str) -> None:
        problems.add(of.code, said, advice, line, column, value)

    for line, text in lines:
        position = 0
        if in_comment:
            end = text.find("-->")
            if end < 0:
                continue
            in_comment, position = False, end + 3
        while position < len(text):
            match = _TAG.match(text, position)
            if match is None:
                rest = text[position:].lstrip()
                if not rest:
                    break
                if ignored := _IGNORED.match(text, position):
                    position = ignored.end()
                    continue
                in_comment = rest.startswith("<!--")
                if not in_comment:
                    said, advice = "text outside a tag, expected '<'", "Write one complete tag per line."
                    if rest.startswith("<"):
                        said = "the tag does not end with '>' on its line"
                        advice = "Write one complete tag per line, values with blanks in quotes."
                    wrong(line, len(text) - len(rest) + 1, rest, said, advice)
                break
            closing, name, body = match.groups()
            column, position, element = match.start(1), match.end(), name.lower()
            if element not in known:
                expected = " or ".join(sorted(word.upper() for word in known))
                said = f"element {name} does not belong in this file, expected {expected}"
                wrong(line, column, name, said, "Name the right file, or drop the tag.")
                continue
            found = _ATTRIBUTE.findall(body)
            values = {key.lower(): quoted or bare for key, quoted, bare, _ in reversed(found)}
            if (len(values) < len(found) or "" in values) and (odd := _no_attribute(body)) is not None:
                said = f"not an attribute of {name}, expected name=value once"
                advice = "Quote the value, or drop the repeated attribute."
                wrong(
                    line,
                    match.start(3) + 1 + odd.start(1 if odd[1] else 4),
                    (odd[1] or odd[4]).strip(),
                    said,
                    advice,
                )
            yield line, closing + element, "\0".join([values.get(key, "") for key in known[element]]), column


def _no_attribute(body: str) -> re.Match | None:
    """Return the first attribute of the body of a tag that is repeated, or what is not one."""
    names = set()
    for found in _ATTRIBUTE.finditer(body):
        if found[1] is None and found[4].strip() != "/" or found[1] and found[1].lower() in names:
            return found
        names.add((found[1] or "").lower())
    return None


def _column_of(found: Finding, line: str) -> int:
    """Return the column of the value of an attribute of a tag on a line; that of the tag without it."""
    column = found.column or 1
    tag = _TAG.match(line, column - 1) if found.field else None
    for one in _ATTRIBUTE.finditer(tag[3]) if tag else ():
        if one[1] and one[1].lower() == found.field.lower():
            return tag.start(3) + one.start(3 if one[2] is None else 2) + 1  # type: ignore[union-attr]  # it is one
    return column
