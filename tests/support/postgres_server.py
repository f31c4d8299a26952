"""A PostgreSQL server for tests: in a temporary folder, on a free port of the loopback, gone afterwards."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)

#: what was installed without a server and psql cannot run
MISSING = "PostgreSQL is not installed (Debian: apt install postgresql)"

ADMIN = "postgres"


class Server:
    """A server that accepts every user without a password."""

    def __init__(self, folder: Path, port: int):
        self.folder = folder
        self.port = port
        self._number = count(1)

    def address(self, database: str) -> str:
        return f"postgresql://127.0.0.1:{self.port}/{database}"

    def psql(self, statements: str, database: str = ADMIN, user: str = ADMIN) -> str:
        """Run statements with psql and return what it prints."""
        done = subprocess.run(
            [
                "psql",
                "-h",
                str(self.folder),
                "-p",
                str(self.port),
                "-U",
                user,
                "-qAt",
                "-v",
                "ON_ERROR_STOP=1",
                database,
            ],
            input=statements,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def database(self) -> str:
        """Make a database and return its name."""
        name = f"store_{next(self._number)}"
        self.psql(f"create database {name}")
        return name


@contextmanager
def running() -> Iterator[Server]:
    """Start a server, and stop it."""
    assert PROGRAMS is not None, MISSING
    folder = Path(tempfile.mkdtemp(prefix="tdtsql-pg-"))
    folder.chmod(0o755)
    become = []
    if os.getuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, ADMIN)
        become = ["su", ADMIN, "-c"]

    def call(command: str) -> None:
        subprocess.run(
            [*become, command] if become else ["sh", "-c", command],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    call(f"{PROGRAMS}/initdb -D {folder}/data -A trust -U {ADMIN} --locale=C.UTF-8 -E UTF8")
    call(
        f'{PROGRAMS}/pg_ctl -D {folder}/data -o "-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off" -l '
        f"{folder}/log -w start"
    )
    try:
        yield Server(folder, port)
    finally:
        call(f"{PROGRAMS}/pg_ctl -D {folder}/data -m immediate stop")
        shutil.rmtree(folder, ignore_errors=True)
