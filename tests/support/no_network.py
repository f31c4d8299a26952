"""A process without network access: no route where the system allows it, and an error in Python for every
attempt.

`sitecustomize` is imported by every Python below the folder that `write_guard` fills.
"""

import shutil
import subprocess
from functools import cache
from pathlib import Path

GUARD = '''
import sys


def _refuse(event, arguments):
    """Raise where a socket or a name look-up would leave this machine; Unix sockets stay."""
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request", "http.client.connect"):
        raise RuntimeError(f"the network is used: {event} {arguments!r}")
    if event in ("socket.connect", "socket.sendto") and not isinstance(arguments[1], (str, bytes)):
        raise RuntimeError(f"the network is used: {event} {arguments[1]!r}")


sys.addaudithook(_refuse)
'''


def write_guard(folder: Path) -> Path:
    """Write the guard into a folder for PYTHONPATH, and return that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(GUARD)
    return folder


@cache
def without_network() -> list[str]:
    """Return the command prefix that takes the network away from a command, if this machine allows it."""
    if shutil.which("unshare") and subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0:
        return ["unshare", "-rn"]
    return []
