"""Bytes of a text file to lines, with everything that can be wrong with a text file.

A file is compressed with gzip if its name ends in ``.gz`` or its content begins as gzip does. The text is UTF-8 (of
which ASCII is a part) unless the caller names another encoding. A byte-order mark and Windows line ends are accepted.
"""

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tdtsql.errors import Problems

#: first bytes of a gzip file
_GZIP = b"\x1f\x8b"

#: largest text a compressed file may expand to, in bytes; guards against bombs
LARGEST_TEXT = 64 * 1024**3

#: a compressed file that expands to more than this many times its size, and to more than ``HARMLESS`` bytes, is a bomb:
#: text of decisions shrinks to a fifth or a twentieth, the same line over and over to a hundredth
LARGEST_RATIO = 200
HARMLESS = 2**28


def is_gzip(path: Path) -> bool:
    """Return whether a file is compressed with gzip.

    Raises:
        OSError: it cannot be opened.
    """
    if path.name.endswith(".gz"):
        return True
    with path.open("rb") as stream:
        return stream.read(len(_GZIP)) == _GZIP


def opened(path: Path) -> BinaryIO:
    """Return a stream of the uncompressed bytes of a file.

    Raises:
        OSError: it cannot be opened.
    """
    return gzip.open(path, "rb") if is_gzip(path) else path.open("rb")


def plain_bytes(data: bytes, problems: Problems) -> bytes | None:
    """Return the uncompressed bytes of a file, or None after reporting why not.

    Reports E001 (empty file) and E002 (damaged gzip).
    """
    if problems.path.endswith(".gz") or data.startswith(_GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = _expanded(stream, len(data))
        except (EOFError, OSError, zlib.error) as error:
            problems.add("E002", f"not a complete gzip file: {error}", advice="Fetch or compress the file again.")
            return None
    if not data.strip():
        problems.add("E001", "the file is empty", advice="Give the file its content, or leave it out of the bundle.")
        return None
    return data


def is_readable(problems: Problems) -> bool:
    """Return whether the file had a text at all; if not (E001, E002, E006), what it lacks needs no second problem."""
    return not any(problem.code in ("E001", "E002", "E006") for problem in problems.found)


def _expanded(stream: gzip.GzipFile, n_compressed: int) -> bytes:
    """Return all bytes, read piece by piece: asking for the limit at once reserves that much memory."""
    text = io.BytesIO()  # gives its bytes without a second copy of them
    while piece := stream.read(2**24):
        text.write(piece)
        n_byte = text.tell()
        if n_byte > LARGEST_TEXT:
            raise OSError(f"it expands to more than {LARGEST_TEXT} bytes")
        if n_byte > max(HARMLESS, LARGEST_RATIO * n_compressed):
            raise OSError(f"it expands to more than {LARGEST_RATIO} times its size")
    return text.getvalue()


def numbered_lines(data: bytes, problems: Problems, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text without line end) of every line.

    Reports E001, E002, E003 (bytes that are not text in ``encoding``; that line
    is left out), E004 (NUL bytes: binary data; that line is left out) and E006
    (carriage returns where lines should end: the whole file would be one line).
    """
    plain = plain_bytes(data, problems)
    if plain is None:
        return
    plain = plain.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in plain.rstrip() and b"\n" not in plain.rstrip():
        problems.add(
            "E006",
            "the lines end with a carriage return alone, expected a line feed",
            line=1,
            column=plain.index(b"\r") + 1,
            advice="Save the file with Unix or Windows line ends.",
        )
        return
    if b"\0" not in plain:
        try:
            text = plain.decode(encoding)
        except UnicodeDecodeError:
            pass  # line by line, to say where
        else:
            lines = text.split("\n")
            yield from enumerate((line.removesuffix("\r") for line in lines) if "\r" in text else lines, start=1)
            return
    for number, raw in enumerate(plain.split(b"\n"), start=1):
        raw = raw.removesuffix(b"\r")
        if b"\0" in raw:
            problems.add(
                "E004",
                "the line holds NUL bytes: this is binary data, not text",
                line=number,
                column=raw.index(b"\0") + 1,
                advice="Name the text file.",
            )
            continue
        try:
            yield number, raw.decode(encoding)
        except UnicodeDecodeError as error:
            problems.add(
                "E003",
                f"not {encoding} text",
                line=number,
                column=error.start + 1,
                value=raw[error.start : error.start + 8],
                advice=f"Convert the file to {encoding}.",
            )


def fields_with_columns(text: str) -> list[tuple[int, str]]:
    """Return (column from 1, field) of the blank-separated fields of a line."""
    fields, position = [], 0
    for field in text.split():
        position = text.index(field, position)
        fields.append((position + 1, field))
        position += len(field)
    return fields
