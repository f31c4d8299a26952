"""Texts as one relation of numbered lines, the only source of delimited text.

`texts` opens files; `lines` is SQL of the relation (file, line, text) of all their lines: the engine reads plain texts
(with one column an empty line is a NULL row, so the number of a row is that of its line), `numbered_lines` the others.

Code   Meaning
E009   a line of more than 64 MB
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import accumulate
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.packed import is_gzip, opened
from tdtsql.engine.quoting import sql_literal, text_source
from tdtsql.errors import Problems
from tdtsql.files.digest import LONGEST_LINE, FileDigest
from tdtsql.files.find import Inputs
from tdtsql.files.text import numbered_lines

#: a file: (its name in messages, its path or columns given in Python)
Source = tuple[str, object]
#: what makes numbered lines of the bytes of a file
ReadLines = Callable[[bytes, Problems], Iterable[tuple[int, str]]]


@dataclass(slots=True)
class Text:
    """The text of one file."""

    file: int  #: its number among the files of a call, from 0
    given: str  #: its name in messages
    path: Path
    digest: FileDigest
    problems: Problems  #: of the file
    lines: list[tuple[int, str]] | None = None  #: of a text that is not plain
    skip: int = 0  #: the line after which the rows begin
    header_line: int | None = None
    places: list[tuple[int, int]] = field(default_factory=list)  #: line and column of each name of the header

    def head(self) -> Iterator[tuple[int, str]]:
        """Yield (line, text) from the first line on."""
        if self.lines is not None:
            yield from self.lines
            return
        with opened(self.path) as stream, TextIOWrapper(stream, "utf-8-sig", newline="\n") as text:
            for line, said in enumerate(text, 1):
                yield line, said.removesuffix("\n").removesuffix("\r")

    def has(self, mark: str) -> bool:
        """Whether the text may have a mark: ``"`` or ``#``."""
        return self.lines is not None or self.digest.has(mark)


def open_text(
    inputs: Inputs, file: int, given: str, path: Any, kind: str, read: ReadLines = numbered_lines
) -> Text | None:
    """Return a text; None after reporting that it has no lines (E001 to E007, E009).

    Args:
        read: bytes and problems -> numbered lines, of a text that is not plain.
    """
    digest, problems = inputs.digest(given, path, kind), Problems(given)
    text = Text(file, given, path, digest, problems)
    if digest.long_line is not None:
        said = f"a line of more than {LONGEST_LINE >> 20} MB"
        problems.add("E009", said, "Is this the right file? End the lines with line feeds.", digest.long_line)
    elif not digest.is_of_lines:
        text.lines = list(read(path.read_bytes(), problems))
    return text if digest.long_line is None and text.lines != [] else report(inputs, problems, digest, kind)


def open_texts(inputs: Inputs, files: Sequence[Source], kind: str) -> list[Text]:
    """Return the texts that have lines."""
    texts = (open_text(inputs, file, given, path, kind) for file, (given, path) in enumerate(files))
    return [text for text in texts if text is not None]


def report(inputs: Inputs, problems: Problems, digest: FileDigest, kind: str) -> None:
    """Keep what was found in a file, and that it was read as a kind of file."""
    inputs.problems += sorted(problems.found, key=lambda problem: problem.line or 0)
    inputs.note_digest(digest, problems.path, kind, len(problems.warnings))


def lines(engine: Engine, texts: Collection[Text]) -> str:
    """Return SQL of the relation file, line, text of the lines of texts behind their headers; the text of
    an empty line may be NULL.
    """
    alike: dict[bool, list[Text]] = {}
    for text in texts:
        if text.lines is None:
            alike.setdefault(is_gzip(text.path), []).append(text)
    parts = [_read_by_engine(some) for some in alike.values()]
    other = [(text.file, *row) for text in texts if text.lines is not None for row in text.lines if row[0] > text.skip]
    if other or not parts:
        columns = "file integer", "line bigint", "text varchar"
        parts.append(f"select * from {engine.make_rows(engine.unused_name('other_line'), columns, other)}")
    return f"({' union all '.join(parts)})"


def _read_by_engine(texts: Sequence[Text]) -> str:
    """Return a query of the lines of plain texts, all packed or none."""
    source = text_source([text.path for text in texts], LONGEST_LINE + 2)
    if len(texts) == 1:
        numbered = f"select {texts[0].file} as file, row_number() over () as line, text from {source}"
    else:  # the rows of all files are numbered; how many each has is known
        starts = list(accumulate((text.digest.n_line for text in texts[:-1]), initial=0))
        index = "cast(file_index as integer) + 1"
        numbered = (
            f"select {_of_file([text.file for text in texts], index)} as file, "
            f"row_number() over () - {_of_file(starts, index)} as line, text from {source}"
        )
    skips = [text.skip for text in texts]
    if not any(skips):
        return numbered
    skipped = (
        str(skips[0]) if len(set(skips)) == 1 else _of_file(skips, f"list_position({[t.file for t in texts]}, file)")
    )
    return f"select * from ({numbered}) where line > {skipped}"


def _of_file(values: Iterable[int], index: str) -> str:
    """Return SQL of the value of a file."""
    return f"list_extract({list(values)}, {index})"


def path_of(paths: Sequence[str]) -> str:
    """Return SQL of the name of a file, by its number ``file``."""
    return f"list_extract([{', '.join(map(sql_literal, paths)) or sql_literal('')}], file + 1)"


def texts_on(engine: Engine, relation: str, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Return (file, line) -> the text on it, of a few lines of a relation (file, line, text), in SQL; empty: none."""
    if not places or not relation:
        return {}
    table = engine.make_rows(engine.unused_name("wanted_line"), ("file integer", "line bigint"), list(places))
    found = engine.rows(f"select file, line, text from {relation} semi join {table} using (file, line)")
    engine.execute(f"drop table {table}")
    return {(file, line): text for file, line, text in found}
