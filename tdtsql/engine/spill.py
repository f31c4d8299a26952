"""Private folders that the engine spills to while it answers a query, and what killed processes left of them.

Each is below ``<temporary folder>/tdtsql-spill-<user>``, which only this user may
enter, and is locked while its process runs. A folder without a lock
belonged to a process that has ended: the next one removes it.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: no lock shows which processes have ended, so nothing of others is removed
    fcntl = None  # type: ignore[assignment]

_LOCK = "held"


class SpillFolder:
    """A folder of this process, gone with ``close`` or, after a kill, when another is made."""

    def __init__(self, parent: Path | None = None):
        """Make the folder below ``parent`` (by default one of this user's own in the temporary folder).

        Raises:
            OSError: it cannot be made, or the parent is another user's.
        """
        parent = parent or _own_parent()
        _remove_left_behind(parent)
        self.path = Path(tempfile.mkdtemp(prefix="query-", dir=parent))
        self._lock: IO[bytes] | None = (self.path / _LOCK).open("wb")
        if fcntl is not None:
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    @property
    def room(self) -> Path:
        """Where the engine may write: inside, because it removes its folder itself."""
        return self.path / "spilled"

    def close(self) -> None:
        if self._lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            self._lock.close()
            self._lock = None


def _own_parent() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    parent = Path(tempfile.gettempdir()) / f"tdtsql-spill-{user}"
    parent.mkdir(mode=0o700, exist_ok=True)
    found = parent.lstat()
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or parent.is_symlink() or found.st_mode & 0o077):
        return Path(tempfile.mkdtemp(prefix="tdtsql-spill-"))  # another process created it first: do not use it
    return parent


def _remove_left_behind(parent: Path) -> None:
    """Remove the folders below ``parent`` whose process has ended."""
    for folder in parent.glob("query-*") if fcntl is not None else ():
        try:
            with (folder / _LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # held, just being made, or removed by another
