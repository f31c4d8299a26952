"""What one pass over the bytes of a file shows: its hash, and whether the engine may read its lines.

A text is *plain* if it is UTF-8 without NUL, with one kind of line ends and no line of more than 64 MB: then the engine
reads it. Any other is read by `tdtsql.files.text.numbered_lines`, which says what is wrong and where.
"""

import hashlib
import os
import zlib
from codecs import IncrementalDecoder, getincrementaldecoder
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tdtsql.engine.packed import expands_too_far, is_gzip, opened

#: bytes that separate fields and lines, and those that no plain text has: quotes, NUL, what is a blank to Python and
#: not to the engine
SEPARATORS, ODD_BYTES = b" \n,\t\r", b'"\0\x0b\x0c\x1c\x1d\x1e\x1f'
_FEED, _RETURN = b"\n\r"
_MARKS = SEPARATORS + ODD_BYTES + b"#"
_USUAL_MARKS = b" \n,\t"

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
    n_mark: Mapping[int, int] = field(default_factory=dict)  #: separator or unexpected byte -> how many the text has
    n_line_end: int = 0  #: carriage returns that a line feed follows
    is_bomb: bool = False  #: it expands too far
    is_utf8: bool = False
    is_blank: bool = False  #: without a letter
    long_line: int | None = None  #: the first line of more than `LONGEST_LINE`

    def has(self, mark: str) -> bool:
        """Whether the text has a mark: a separator, ``"`` or ``#``."""
        return bool(self.n_mark[ord(mark)])

    @property
    def is_of_lines(self) -> bool:
        """Whether the engine may read the lines."""
        n_return = self.n_mark[_RETURN]
        return (
            self.is_utf8
            and not self.is_blank
            and self.long_line is None
            and not self.n_mark[0]
            and (not n_return or n_return == self.n_line_end == self.n_mark[_FEED])
        )


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
    n_mark, n_line_end, n_text, last, is_blank = Counter[int](), 0, 0, b"\n", True
    n_in_line, long_line = 0, None
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
                    long_line = n_mark[_FEED] + 1
                if b"\n" in chunk and end >= 0:
                    n_in_line = len(chunk) - chunk.rfind(b"\n") - 1
                n_mark += _marks(chunk)
                n_line_end += (last + chunk).count(b"\r\n") if n_mark[_RETURN] else 0
                text = _after(text, chunk)
                is_blank = is_blank and chunk.isspace()
                last, n_text = chunk[-1:], n_text + len(chunk)
                if is_compressed and expands_too_far(n_text, n_byte):
                    return FileDigest(InputFile(given, kind, n_byte, digest.hexdigest()), is_bomb=True)
    except (OSError, EOFError, zlib.error):
        if not is_compressed:
            raise
        text = None  # the reader reports it
    return FileDigest(
        InputFile(given, kind, n_byte, digest.hexdigest()),
        n_mark[_FEED] + (last != b"\n"),
        n_mark,
        n_line_end,
        is_utf8=_after(text, b"", final=True) is not None,
        is_blank=is_blank,
        long_line=long_line,
    )


def _marks(chunk: bytes) -> Counter[int]:
    """Count the bytes of ``_MARKS``. NumPy counts one byte as fast as memory is read, and in several threads."""
    import numpy  # here: who only asks a store needs none

    codes = numpy.frombuffer(chunk, numpy.uint8)
    found = Counter({byte: int(numpy.count_nonzero(codes == byte)) for byte in _USUAL_MARKS})
    is_low = codes < ord("$")
    if numpy.count_nonzero(is_low) > found.total() - found[ord(",")]:
        of_low = numpy.bincount(codes[is_low], minlength=ord("$"))
        found |= Counter({byte: int(of_low[byte]) for byte in _MARKS if byte < ord("$")})
    return found


def _after(decoder: IncrementalDecoder | None, chunk: bytes, *, final: bool = False) -> IncrementalDecoder | None:
    """Return the decoder after more bytes of a text; None if these or earlier ones are not UTF-8."""
    if decoder is None or chunk.isascii() and decoder.getstate() == (b"", 0) and not final:
        return decoder
    try:
        decoder.decode(chunk, final)
    except UnicodeError:
        return None
    return decoder
