"""What was found good before, by its hash, in the user's cache folder: so that it is not looked at again.

Nothing hangs on it but time: where the folder cannot be written, everything is looked at each time.
"""

import os
import tempfile
from functools import cache
from pathlib import Path

from tdtsql.metric.fingerprint import digest

#: hashes that are kept, each an empty file
LIMIT = 1000


@cache
def _own_place() -> str:
    return tempfile.mkdtemp(prefix="tdtsql-")


def cache_folder() -> Path:
    """Return the folder for what can be made again."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # a relative one is to be ignored: freedesktop.org, XDG Base Directory Specification
        return Path(named) / "tdtsql"
    home = os.path.expanduser("~")
    if not os.path.isabs(home):  # HOME='~', as some services are started: what the system knows of the user, else a place for this process
        try:
            import pwd

            home = pwd.getpwuid(os.getuid()).pw_dir
        except (ImportError, KeyError):
            home = _own_place()
    return Path(home) / ".cache" / "tdtsql"


def is_remembered(key: str) -> bool:
    """Return True when ``key`` was remembered on this machine."""
    return (cache_folder() / "good" / key[:40]).is_file()


def remember(key: str) -> None:
    """Remember that what ``key`` is the hash of was found good."""
    folder = cache_folder() / "good"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / key[:40]).touch()
        keep_newest(folder, "*", LIMIT)
    except OSError:
        pass


def keep_newest(folder: Path, pattern: str, limit: int) -> None:
    """Remove files of a folder from the oldest on, once there are more than ``limit``; half of it stay.

    Raises:
        OSError: one cannot be removed.
    """
    files = list(folder.glob(pattern))
    if len(files) > limit:
        for path in sorted(files, key=lambda path: path.stat().st_mtime_ns)[: -(limit // 2)]:
            path.unlink(missing_ok=True)


def file_state(path: str, *more: str) -> str | None:
    """Return a hash that changes whenever a store's file is written to; None where that cannot be said.

    Size, times and inode are asked, the file is not opened: on Unix closing it would
    give up the lock by which the engine holds it.
    """
    try:
        state = os.stat(path)
    except OSError:
        return None
    if Path(f"{path}.wal").exists():
        return None
    return digest(["file", str(Path(path).resolve()), *(str(number) for number in (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)), *more])
