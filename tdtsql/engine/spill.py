"""Private folders that the engine spills to while it answers a query, and what killed processes left of them.

Each may be entered by its user alone, and is locked while its process runs. A folder without a lock belonged to a
process that has ended: the next one of the same user removes it.
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

_LOCK, _PREFIX = "held", "tdtsql-spill-"


class SpillFolder:
    """A folder of this process, gone with ``close`` or, after a kill, when another is made."""

    def __init__(self, parent: Path | None = None):
        """Make the folder below ``parent`` (by default the temporary folder).

        Raises:
            OSError: it cannot be made.
        """
        parent = parent or Path(tempfile.gettempdir())
        _remove_left_behind(parent)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
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


def _remove_left_behind(parent: Path) -> None:
    """Remove the folders below ``parent`` whose process, of this user, has ended."""
    for folder in parent.glob(f"{_PREFIX}*") if fcntl is not None else ():
        try:
            if folder.lstat().st_uid != os.getuid():
                continue  # what others give this name is not looked into
            with (folder / _LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # held, just being made, or removed by another
