"""Output files: written to a temporary name in the same folder and renamed, so that a full disk, an error or an
interrupt leaves the previous file unchanged.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from tdtsql.errors import CannotWrite

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: how the name of an unfinished file or folder ends
UNFINISHED = ".partial"


def check_writable(path: Path) -> None:
    """Check before the work that a file can be written to this path.

    Raises:
        CannotWrite: its folder does not exist, or it is a folder itself, or a store.
    """
    if not path.parent.is_dir():
        raise CannotWrite(f"{path}: the folder {path.parent} does not exist. Create it, or name another path.")
    if path.is_dir():
        raise CannotWrite(f"{path}: this is a folder. Name a file in it.")
    if path.is_file() and os.access(path, os.R_OK):
        with path.open("rb") as stream:
            if stream.read(12)[8:] == b"DUCK":
                raise CannotWrite(f"{path}: this is a DuckDB database, which would be lost. Name another file.")


def check_page(path: Path) -> None:
    """Check as `check_writable` a path of an HTML page.

    Raises:
        CannotWrite: as ``check_writable``, or its name is that of another kind of file.
    """
    check_writable(path)
    if path.suffix.lower() not in ("", ".html", ".htm") and (path.is_file() or not path.exists()):
        raise CannotWrite(f"{path}: the report is an HTML page. Name a file that ends in .html.")


def write_whole(path: Path, content: bytes) -> int:
    """Write a file atomically: readers see the old content or the new. Return its size in bytes.

    Raises:
        CannotWrite: as ``check_writable``, or the disk is full or read-only.
    """
    with written_beside(path) as unfinished:
        unfinished.write_bytes(content)
    return len(content)


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder, which replaces ``path`` at the end unless an exception is raised.

    Raises:
        CannotWrite: as ``write_whole``.
    """
    check_writable(path)
    if path.exists() and not path.is_file():  # /dev/stdout, a pipe
        yield path
        return
    target = path.resolve()  # a link stays a link
    try:
        with unfinished_folder(target) as folder:
            unfinished = folder / f"{target.name}{UNFINISHED}"
            yield unfinished
            os.replace(unfinished, target)
    except OSError as error:
        raise _cannot_write(path, error) from None


@contextmanager
def unfinished_folder(target: Path) -> Iterator[Path]:
    """Yield a new hidden folder next to ``target``; it is removed afterwards, as are those that killed processes left
    there.

    Raises:
        OSError: it cannot be made.
    """
    beginning = f".{target.name[:50]}."  # a name has 255 bytes at most
    for left in target.parent.glob(f"{escape(beginning)}*{UNFINISHED}"):
        with suppress(OSError), _locked(left, wait=False):
            shutil.rmtree(left)
    with ExitStack() as held:
        while True:
            folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=beginning, suffix=UNFINISHED))
            held.callback(shutil.rmtree, folder, ignore_errors=True)
            with suppress(OSError):  # a file system without locks, where no folder counts as left
                held.enter_context(_locked(folder, wait=True))
            if folder.exists():  # otherwise another process took it for one that was left
                break
        yield folder


@contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[None]:
    """Lock a folder as long as this process lives.

    Raises:
        OSError: another process that lives has locked it; or whether one lives cannot be known.
    """
    if fcntl is None:
        if not wait:
            raise OSError(f"{folder}: locks of folders are unknown here")
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """Yield a new folder that replaces ``path``, which is empty or does not exist, unless an exception is raised.

    Raises:
        CannotWrite: the disk is full or read-only.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(target) as outer:
            inner = outer / target.name  # mkdtemp makes folders that only the owner reads
            inner.mkdir()
            yield inner
            os.replace(inner, target)
    except OSError as error:
        raise _cannot_write(path, error) from None


def _cannot_write(path: Path, error: OSError) -> CannotWrite:
    return CannotWrite(
        f"{path}: cannot be written: {error.strerror or error}. The previous file is unchanged. Free space, or pass "
        f"another path."
    )


@dataclass(frozen=True)
class Written:
    """A file that was written."""

    path: Path
    size: int  #: in bytes

    @property
    def remarks(self) -> tuple[str]:
        return (f"Wrote {self.path} ({self.size / 1000:.0f} kB).",)
