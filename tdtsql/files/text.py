"""Bytes of a text file to lines, with everything that can be wrong with a text file.

A file is compressed with gzip if its content begins as gzip does, whatever its name: browsers unpack a ``.gz`` file and
leave its name. The text is UTF-8 (of which ASCII is a part) unless the caller names another encoding. A byte-order mark
and Windows line ends are accepted.

Code   Meaning
E001   an empty file
E002   a gzip file that is not complete, or that expands too far
E003   bytes that are not UTF-8, once per file
E004   a line with NUL bytes: binary data, not text
E006   lines that end with a carriage return alone
E007   a file that is not UTF-8 text as a whole: compressed, in another encoding, or of another kind
W008   lines that begin with # and are skipped as comments, and may hold an id
"""

import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from tdtsql.engine.packed import GZIP, TOO_FAR, expands_too_far, opened
from tdtsql.errors import Problems

#: first bytes -> what the file is, of files that are no text
_FOREIGN = {
    GZIP: "compressed with gzip twice",  # it was unpacked once
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ\x00": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\x04\x22\x4d\x18": "compressed with lz4",
    b"\x1f\x9d": "compressed with compress (.Z)",
    b"\x5d\x00\x00": "compressed with lzma",
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy file",
    b"\x80\x04\x95": "a pickled Python object",
    b"\xd0\xcf\x11\xe0": "an Excel file",
    b"%PDF-": "a PDF file",
}
#: byte order marks; UTF-16 last, whose mark begins that of UTF-32
_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
#: a line of CoNLL that is not a comment
_DOCUMENT = re.compile(r"#\s*begin document")
#: bytes that show what a file is
_HEAD = 1024


def plain_bytes(data: bytes, problems: Problems) -> bytes | None:
    """Return the uncompressed bytes of a file, or None after reporting why not.

    Reports E001 (empty file), E002 (damaged gzip) and E007 (not UTF-8 text as a whole: compressed in another way, in
    another encoding, or of another kind).
    """
    if data.startswith(GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = _expanded(stream, len(data))
        except (EOFError, OSError, zlib.error) as error:
            problems.add("E002", f"not a complete gzip file: {error}", "Fetch or compress the file again.")
            return None
    if (wrong := _not_text(data)) is not None:
        problems.add("E007", wrong[0], wrong[1])
        return None
    if not data.strip():
        problems.add("E001", "the file is empty", "Give the file its content, or leave it out of the bundle.")
        return None
    return data


def _not_text(data: bytes) -> tuple[str, str] | None:
    """Return what a file is that cannot be text in UTF-8, and the advice; None where nothing shows it."""
    head = data[:_HEAD]
    kind = next((kind for mark, kind in _FOREIGN.items() if head.startswith(mark)), None)
    if kind is not None and (b"\0" in head or not _is_utf8(head)):
        packed = kind.startswith("compressed") or "archive" in kind
        advice = (
            "Unpack it, or compress the text with gzip." if packed else "Name a text file (or .parquet for Parquet)."
        )
        return f"the file is {kind}, expected text or gzip", advice
    encoding = next((name for mark, name in _MARKS.items() if head.startswith(mark)), None)
    if encoding is None and len(head) > 3 and b"\0" in head:  # letters of ASCII in pairs of bytes, without a mark
        halves = [head[start::2].count(0) * 2 / len(head) for start in (0, 1)]
        encoding = "UTF-16" if max(halves) > 0.8 and min(halves) < 0.1 else None
    return None if encoding is None else (f"the file is {encoding}, expected UTF-8", "Save it as UTF-8.")


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and len(head) == _HEAD  # a letter that the end of the head cuts
    return True


def is_readable(problems: Problems) -> bool:
    """Return whether the file had a text with a first line; if not (E001, E002, E004, E006, E007), what it lacks
    needs no second problem.
    """
    return not any(
        problem.code in ("E001", "E002", "E006", "E007") or problem.code == "E004" and problem.line == 1
        for problem in problems.found
    )


def _expanded(stream: gzip.GzipFile, n_compressed: int) -> bytes:
    """Return all bytes, read piece by piece: asking for the limit at once reserves that much memory."""
    text = io.BytesIO()  # gives its bytes without a second copy of them
    while piece := stream.read(2**24):
        text.write(piece)
        n_byte = text.tell()
        if expands_too_far(n_byte, n_compressed):
            raise OSError(TOO_FAR)
    return text.getvalue()


def has_line_feeds(plain: bytes, problems: Problems) -> bool:
    """Return whether a text has lines; False after reporting E006, where only carriage returns are between them."""
    if b"\r" not in plain.rstrip() or b"\n" in plain.rstrip():
        return True
    problems.add(
        "E006",
        "the lines end with a carriage return alone, expected a line feed",
        "Save the file with Unix or Windows line ends.",
        1,
        plain.index(b"\r") + 1,
    )
    return False


def numbered_lines(data: bytes, problems: Problems, latin: list[int] | None = None) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text without line end) of every line.

    Reports E001, E002, E007, E003 (bytes that are not UTF-8), E004 (NUL bytes: binary data, of
    which nothing is read if the first line has some), each of these two once with the first line and the number of the
    others, which are left out. And E006 (carriage returns where lines should end: the whole file would be one line).

    Args:
        latin: lines that are not UTF-8 are read as Latin-1, and their numbers appended to it, in place of E003.
    """
    plain = plain_bytes(data, problems)
    if plain is None:
        return
    plain = plain.removeprefix(b"\xef\xbb\xbf")
    if not has_line_feeds(plain, problems):
        return
    n_wrong: Counter[str] = Counter()
    first: dict[str, tuple[int, int, str | None]] = {}  #: code -> line, column and value
    for number, raw in enumerate(chain(io.BytesIO(plain), [b""] * plain.endswith(b"\n")), start=1):
        raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        if b"\0" in raw:
            n_wrong["E004"] += 1
            first.setdefault("E004", (number, raw.index(b"\0") + 1, None))
            continue
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            if latin is not None:
                latin.append(number)
                yield number, raw.decode("latin-1")
                continue
            n_wrong["E003"] += 1
            first.setdefault("E003", (number, error.start + 1, f"byte 0x{raw[error.start]:02X}"))
            continue
        if first.get("E004", (0,))[0] != 1:
            yield number, line
    for code, (at, column, value) in first.items():
        message, advice = (
            ("the line holds NUL bytes: this is binary data, not text", "Name the text file.")
            if code == "E004"
            else ("not utf-8 text", "Convert the file to utf-8.")
        )
        more = f" ({n_wrong[code]} such lines)" if n_wrong[code] > 1 else ""
        problems.add(code, message + more, advice, at, column, value)


def first_lines(path: Path, most: int = 100) -> list[str]:
    """Return the first lines of a file that are neither blank nor comments; empty if it is not text.

    ``#begin document`` of CoNLL is not a comment.
    """
    try:
        with opened(path) as stream:
            head = stream.read(1 << 16)
    except (OSError, EOFError, zlib.error):
        return []
    if _not_text(head) is not None:
        return []
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").splitlines()
    chosen = (line for line in lines if line.strip() and (not line.lstrip().startswith("#") or _DOCUMENT.match(line)))
    return list(islice(chosen, most))


def fields_with_columns(text: str) -> list[tuple[int, str]]:
    """Return (column from 1, field) of the blank-separated fields of a line."""
    fields, position = [], 0
    for field in text.split():
        position = text.index(field, position)
        fields.append((position + 1, field))
        position += len(field)
    return fields


#: a word and no number
_WORD = re.compile(r"[^\d\s]*[A-Za-z][^\d\s]*")


def looks_like_header(values: Sequence[str]) -> bool:
    """Return whether words stand where numbers should: ``score``, ``rank``, ``decision_time``."""
    return len(values) > 1 and all(
        _WORD.fullmatch(value) and value.lower() not in ("nan", "inf", "infinity") for value in values
    )
