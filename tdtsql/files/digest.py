"""What one pass over the bytes of a file shows: its hash, and whether the engine may read its lines.

A text is *plain* if it is UTF-8 without NUL, with one kind of line ends and no line of more than 64 MB: then the engine
reads it. Any other is read by `tdtsql.files.text.numbered_lines`, which says what is wrong and where.
"""

import hashlib
import os
import zlib
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tdtsql.engine.packed import expands_too_far, is_gzip, opened

#: what a text is asked for: quotes, comments, NUL, which no plain text has, and blanks that are none of lines
_MARKS = b'"#\0\t\v\f\x1c\x1d\x1e\x1f'
#: stands for all that is not ASCII
_OTHER = 128

#: bytes hashed at a time
_CHUNK = 1 << 22
#: the most bytes of a line; the engine keeps whole lines in memory
LONGEST_LINE = 1 << 26


@dataclass(slots=True)
class InputFile:
    """One file that was read."""

    path: str  #: as given in the bundle or on the command line
    kind: str  #: the reader that read it
    n_byte: int
    sha256: str
    n_problem: int = 0


@dataclass(frozen=True, slots=True)
class FileDigest:
    """What one pass over the bytes of a file shows; the text is that in a compressed file."""

    file: InputFile
    n_line: int = 0  #: of the text
    marks: frozenset[int] = frozenset()  #: those of ``_MARKS`` and `_OTHER` that the text has
    is_bomb: bool = False  #: it expands too far
    is_of_lines: bool = False  #: the engine may read the lines
    long_line: int | None = None  #: the first line of more than `LONGEST_LINE`

    def has(self, mark: str) -> bool:
        """Whether the text has a mark: ``"`` or ``#``."""
        return ord(mark) in self.marks

    @property
    def has_blanks_only(self) -> bool:
        """Whether nothing but blanks and line ends can separate words."""
        return self.is_of_lines and not self.marks - {*b'"#'}


@contextmanager
def digest_threads() -> Iterator[Executor]:
    """Yield threads that compute digests; what they have not begun at the end is left out."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        try:
            yield threads
        finally:
            threads.shutdown(cancel_futures=True)


def digest_file(given: str, path: Path, kind: str) -> FileDigest:
    """Return what one pass over the bytes of a file shows.

    Raises:
        OSError: it cannot be read.
    """
    digest, n_byte, is_compressed = hashlib.sha256(), path.stat().st_size, is_gzip(path)
    n_feed, n_return, n_line_end, n_text, last, is_blank = 0, 0, 0, 0, b"\n", True
    marks, n_in_line, long_line = set[int](), 0, None
    text: IncrementalDecoder | None = getincrementaldecoder("utf-8")()
    if is_compressed:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    try:
        with opened(path) as stream:
            while chunk := stream.read(_CHUNK):
                if not is_compressed:
                    digest.update(chunk)
                n_in_line += (end := chunk.find(b"\n")) if b"\n" in chunk else len(chunk)
                if n_in_line > LONGEST_LINE and long_line is None:
                    long_line = n_feed + 1
                if b"\n" in chunk and end >= 0:
                    n_in_line = len(chunk) - chunk.rfind(b"\n") - 1
                n_feed += _count(chunk, b"\n")
                marks |= {mark for mark in _MARKS if mark in chunk} | ({_OTHER} if not chunk.isascii() else set())
                if n_return or b"\r" in chunk:
                    n_return += _count(chunk, b"\r")
                    n_line_end += (last + chunk).count(b"\r\n")
                text = _after(text, chunk)
                is_blank = is_blank and chunk.isspace()
                last, n_text = chunk[-1:], n_text + len(chunk)
                if is_compressed and expands_too_far(n_text, n_byte):
                    return FileDigest(InputFile(given, kind, n_byte, digest.hexdigest()), is_bomb=True)
    except (OSError, EOFError, zlib.error):
        if not is_compressed:
            raise
        text = None  # the reader reports it
    is_plain = not is_blank and long_line is None and 0 not in marks and _after(text, b"", final=True) is not None
    return FileDigest(
        InputFile(given, kind, n_byte, digest.hexdigest()),
        n_feed + (last != b"\n"),
        frozenset(marks),
        is_of_lines=is_plain and (not n_return or n_return == n_line_end == n_feed),
        long_line=long_line,
    )


def _count(chunk: bytes, byte: bytes) -> int:
    """Return how often a byte occurs. NumPy counts as fast as memory is read, and in several threads."""
    import numpy  # here: who only asks a store needs none

    return int(numpy.count_nonzero(numpy.frombuffer(chunk, numpy.uint8) == ord(byte)))


def _after(decoder: IncrementalDecoder | None, chunk: bytes, *, final: bool = False) -> IncrementalDecoder | None:
    """Return the decoder after more bytes of a text; None if these or earlier ones are not UTF-8."""
    if decoder is None or chunk.isascii() and decoder.getstate() == (b"", 0) and not final:
        return decoder
    try:
        decoder.decode(chunk, final)
    except UnicodeError:
        return None
    return decoder
