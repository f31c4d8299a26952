"""Files compressed with gzip, and how far one may expand."""

import gzip
from pathlib import Path
from typing import BinaryIO, cast

#: first bytes of a gzip file
GZIP = b"\x1f\x8b"

#: largest text a compressed file may expand to, in bytes; guards against bombs
LARGEST_TEXT = 64 * 1024**3

#: a compressed file that expands to more than this many times its size, and to more than ``HARMLESS`` bytes, is a bomb:
#: text of decisions shrinks to a fifth or a twentieth, the same line over and over to a hundredth
LARGEST_RATIO = 200
HARMLESS = 2**28
#: what is wrong with a bomb
TOO_FAR = f"it expands to more than {LARGEST_RATIO} times its size"


def is_gzip(path: Path) -> bool:
    """Return whether a file is compressed with gzip.

    Raises:
        OSError: it cannot be opened.
    """
    with path.open("rb") as stream:
        return stream.read(len(GZIP)) == GZIP


def opened(path: Path) -> BinaryIO:
    """Return a stream of the uncompressed bytes of a file.

    Raises:
        OSError: it cannot be opened.
    """
    return cast(BinaryIO, gzip.open(path, "rb")) if is_gzip(path) else path.open("rb")


def expands_too_far(n_byte: int, n_compressed: int) -> bool:
    """Return whether a compressed file of so many bytes may not expand to so many."""
    return n_byte > min(LARGEST_TEXT, max(HARMLESS, LARGEST_RATIO * n_compressed))
