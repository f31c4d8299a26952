"""The user's cache folder: what was found good before.

It saves time only: where the folder cannot be written, everything is checked each time. The folder must belong to this
user, and must not be writable by others.
"""

import os
import stat
import tempfile
from functools import cache
from pathlib import Path

from tdtsql.definitions.catalogue import compiled
from tdtsql.definitions.hashes import digest

#: device, inode, size, and times of its content and of its name, in nanoseconds
FileState = tuple[int, int, int, int, int]

#: stored hashes, each an empty file
LIMIT = 1000


@cache
def _own_place() -> str:
    return tempfile.mkdtemp(prefix="tdtsql-")


def cache_folder() -> Path:
    """Return the cache folder of this program; its contents can be recomputed."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # a relative one is to be ignored: freedesktop.org, XDG Base Directory Specification
        return Path(named) / "tdtsql"
    home = os.path.expanduser("~")
    # HOME='~', as some services start: use the user database, or else a folder of this process
    if not os.path.isabs(home):
        try:
            import pwd

            home = pwd.getpwuid(os.getuid()).pw_dir
        except (ImportError, KeyError):
            home = _own_place()
    return Path(home) / ".cache" / "tdtsql"


def installed_key() -> str:
    """Return one hash over the files of ``sql/`` that the definitions were compiled from, and the rows of the tasks."""
    return compiled()["key"]


def is_private(path: Path) -> bool:
    """Return True if a file or folder exists, belongs to this user (or root), is not a link, and is not writable by
    others.
    """
    try:
        said = path.lstat()
    except OSError:
        return False
    if os.name == "nt":  # the home folder's own rights hold there
        return not stat.S_ISLNK(said.st_mode)
    return not stat.S_ISLNK(said.st_mode) and said.st_uid in (os.getuid(), 0) and not said.st_mode & 0o022


def own_folder(folder: Path) -> bool:
    """Make a folder that only this user can write to, or look whether it is one.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_private(folder) and not folder.is_symlink() and os.name != "nt" and folder.stat().st_uid == os.getuid():
        folder.chmod(0o700)
    return is_private(folder)


def is_marked_valid(key: str) -> bool:
    """Return True when ``key`` was remembered on this machine."""
    path = cache_folder() / "good" / key[:40]
    return is_private(path) and is_private(path.parent)


def mark_valid(key: str) -> None:
    """Remember that what ``key`` is the hash of was found good."""
    folder = cache_folder() / "good"
    try:
        if not own_folder(cache_folder()) or not own_folder(folder):
            return
        (folder / key[:40]).touch(mode=0o600)
        prune_by_count(folder, "*", LIMIT)
    except OSError:
        pass


def prune_by_count(folder: Path, pattern: str, limit: int) -> None:
    """Remove files of a folder from the oldest on, once there are more than ``limit``; half of it stay.

    Raises:
        OSError: one cannot be removed.
    """
    files = list(folder.glob(pattern))
    if len(files) > limit:
        for path in sorted(files, key=lambda path: path.stat().st_mtime_ns)[: -(limit // 2)]:
            path.unlink(missing_ok=True)


def stat_of(path: str | Path) -> FileState | None:
    """Return a state that changes whenever a file is written to; None if the file does not exist."""
    try:
        said = os.stat(path)
    except OSError:
        return None
    return (
        (said.st_dev, said.st_ino, said.st_size, said.st_mtime_ns, said.st_ctime_ns)
        if stat.S_ISREG(said.st_mode)
        else None
    )


def file_state(path: str, *more: str) -> str | None:
    """Return a hash that changes whenever a store's file is written to; None if that cannot be determined.

    It uses size, times and inode and does not open the file: on Unix, closing it would
    give up the lock by which the engine holds it.
    """
    state = stat_of(path)
    if state is None or Path(f"{path}.wal").exists():
        return None
    return digest(["file", str(Path(path).resolve()), *map(str, state), *more])
