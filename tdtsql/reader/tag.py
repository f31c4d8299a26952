"""Tags of the LDC tables: SGML of the 1990s, one or several complete tags on a line.

``<BOUNDARY docno=ABC19981001.1830.0000 doctype=NEWS Bsec=0.00>``: names in any
case, values bare or in double quotes, a bare value may hold blanks and ends
where the next ``name=`` begins. No entities, no nesting checks here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import overload

from tdtsql.errors import Problems
from tdtsql.files.text import numbered_lines

# possessive quantifiers: no backtracking on any line. They apply to single characters only, because Python before
# 3.11.5 evaluates those of a group wrongly (https://github.com/python/cpython/issues/106052); a repeated group can
# match in one way only
_TAG = re.compile(r'\s*+<(/?)([A-Za-z_][\w.-]*+)([^"<>]*+(?:"[^"]*+"[^"<>]*+)*)>')
_IGNORED = re.compile(r"\s*+(?:<!--.*?-->|<[!?](?!--)[^<>]*+>)")
_ATTRIBUTE = re.compile(
    r'\s++([A-Za-z_][\w.:-]*+)\s*+=\s*+(?:"([^"]*+)"|((?:[^\s"]++|\s++(?![A-Za-z_][\w.:-]*+\s*+=)(?!$))*))'
)


@dataclass(slots=True)
class Tag:
    """One tag: its lower-case name, whether it closes, its attributes by lower-case name."""

    line: int
    column: int
    name: str
    is_closing: bool
    _body: str
    _start: int  #: of the body in the line
    attributes: dict[str, str] = field(default_factory=dict)

    def parse(self) -> tuple[int, str] | None:
        """Fill ``attributes``; return (column, text) of the first part that is not an attribute."""
        position, body, attributes = 0, self._body, self.attributes
        wrong = None
        while match := _ATTRIBUTE.match(body, position):
            name, quoted, bare = match.groups()
            if name.lower() in attributes:
                wrong = wrong or (self._start + match.start(1) + 1, name)
            attributes.setdefault(name.lower(), quoted if quoted is not None else bare)
            position = match.end()
        rest = body[position:].strip()
        if rest and rest != "/":
            wrong = wrong or (self._start + body.index(rest, position) + 1, rest)
        return wrong

    @property
    def place(self) -> tuple[int, int]:
        """Line and column."""
        return self.line, self.column

    def place_of(self, name: str) -> tuple[int, int]:
        """Return line and column where the value of attribute ``name`` begins, else those of the tag."""
        return self.line, self.column_of(name)

    def column_of(self, name: str) -> int:
        """Return the column where the value of attribute ``name`` begins, else the tag's column."""
        for match in _ATTRIBUTE.finditer(self._body):
            if match.group(1).lower() == name:
                return self._start + match.start(2 if match.group(2) is not None else 3) + 1
        return self.column


@overload
def tags(data: bytes, problems: Problems, *, code: str, known: frozenset[str]) -> Iterator[Tag]: ...


@overload
def tags(
    data: bytes, problems: Problems, *, code: str, known: frozenset[str], usual: re.Pattern
) -> Iterator[Tag | tuple[int, re.Match]]: ...


def tags(
    data: bytes, problems: Problems, *, code: str, known: frozenset[str], usual: re.Pattern | None = None
) -> Iterator[Tag | tuple[int, re.Match]]:
    """Yield every well-formed tag of a file whose name is in ``known``.

    A line that matches ``usual`` as a whole is yielded as (line, match) instead,
    which is much faster.

    Reports ``code`` for text outside tags, tags that do not end on their line,
    parts of a tag that are not ``name=value``, and elements not in ``known``.
    """
    in_comment = False
    for line, text in numbered_lines(data, problems):
        position = 0
        if usual is not None and not in_comment and (match := usual.fullmatch(text)) is not None:
            yield line, match
            continue
        if in_comment:
            end = text.find("-->")
            if end < 0:
                continue
            in_comment, position = False, end + 3
        while text[position:].strip():
            if match := _IGNORED.match(text, position):
                position = match.end()
                continue
            match = _TAG.match(text, position)
            if match is None:
                rest = text[position:].lstrip()
                column = len(text) - len(rest) + 1
                if rest.startswith("<!--"):
                    in_comment = True
                elif rest.startswith("<"):
                    problems.add(
                        code,
                        "the tag does not end with '>' on its line",
                        "Write one complete tag per line, values with blanks in quotes.",
                        line,
                        column,
                        rest,
                    )
                else:
                    problems.add(
                        code, "text outside a tag, expected '<'", "Write one complete tag per line.", line, column, rest
                    )
                break
            closing, name, body = match.groups()
            tag = Tag(line, match.start(1), name.lower(), bool(closing), body, match.start(3))
            position = match.end()
            if tag.name not in known:
                problems.add(
                    code,
                    f"element {name} does not belong in this file, expected "
                    + " or ".join(sorted(word.upper() for word in known)),
                    "Name the right file, or drop the tag.",
                    line,
                    tag.column,
                    name,
                )
                continue
            wrong = tag.parse()
            if wrong is not None:
                problems.add(
                    code,
                    f"not an attribute of {name}, expected name=value once",
                    "Quote the value, or drop the repeated attribute.",
                    line,
                    wrong[0],
                    wrong[1],
                )
            yield tag
