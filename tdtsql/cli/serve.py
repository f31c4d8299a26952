"""`tdtsql serve`: the web UI."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from tdtsql.cli.options import StoreOption
from tdtsql.cli.output import say
from tdtsql.errors import NotAStore, TdtsqlError


def serve(
    opened: StoreOption,
    *,
    host: str = "127.0.0.1",
    port: Annotated[int, 0, 65535] = 8420,
    allow_host: Sequence[str] = (),
    blind: bool = False,
) -> None:
    """Browse the store in a read-only web UI that works offline.

    Ends with Ctrl-C. While it runs, no other program can write to the store.

    Args:
        host: Bind address. For other addresses also pass --allow-host and use an authenticating proxy.
        port: The port; 0 for any that is free.
        allow_host: Answer requests to this name too, as that of a proxy in front; can be given several times.
    """
    import socket

    try:
        import uvicorn

        from tdtsql.serve.app import application
        from tdtsql.serve.server import Server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("uvicorn", "starlette"):
            raise
        raise NotAStore("serve needs starlette and uvicorn. Install them with `pip install tdtsql[serve]`.") from None

    server = Server(opened.path, trace=opened.trace, blind=blind)
    try:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        # the protocol is named, for asyncio lets only such sockets send the end of a page without waiting for its
        # beginning to be confirmed (40 ms)
        with socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((host, port))
            except OSError as error:
                raise TdtsqlError(
                    f"{host}:{port}: cannot listen there: {error.strerror or error}. Choose another --port."
                ) from None
            named = f"[{host}]" if ":" in host else host
            say(f"{server.name}, read-only: http://{named}:{listening.getsockname()[1]}/  Ctrl-C ends.", err=True)
            limit_memory()
            names = [*allow_host] if host in ("0.0.0.0", "::") else [host, *allow_host]
            config = uvicorn.Config(
                application(server, names),
                log_level="warning",
                access_log=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=2,
                ws="none",
                h11_max_incomplete_event_size=1 << 18,
            )
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        server.close()


#: GiB of address space that queries may take in addition to what the server has at its start: the engine's own limit
#: does not count what a single value takes
ROOM = 3
#: GiB of address space, for each processor, that the C library reserves for the memory of threads
ARENAS = 0.5


def limit_memory() -> None:
    """Limit the address space of this process, where the system can and TDTSQL_MEMORY_LIMIT names no other limit."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError):
        return
    if not os.environ.get("TDTSQL_MEMORY_LIMIT"):
        wanted = pages * resource.getpagesize() + int((ROOM + ARENAS * (os.cpu_count() or 1)) * 2**30)
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > wanted:
            resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
