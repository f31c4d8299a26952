"""Requests and responses: which are answered, for how long, and what is shown where something goes wrong."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tdtsql.engine.duckdb import explain_error
from tdtsql.errors import TdtsqlError, UnknownName
from tdtsql.serve.pages import (
    LIMITS,
    MENU,
    OF_NAMES,
    PAGES,
    Ask,
    Page,
    cookbook_page,
    file_of,
    section_page,
    sql_page,
    without_option,
)

from tdtsql.serve.server import Server
from tdtsql.show.rendering import render
from tdtsql.version import __version__

#: no resource of another origin, no page in a frame, and no form that submits elsewhere
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action "
    "'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
#: format -> type of a file
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "parquet": "application/vnd.apache.parquet"}
_PIECE = 1 << 18
#: names of this machine that are always answered
OWN_NAMES = ("127.0.0.1", "localhost", "::1")
#: fields of an address
_FIELDS = 200
#: seconds between checks whether the client is still connected
_EVERY = 0.05
#: additional seconds for a page with queries: it shows the error next to the query
GRACE = 1.0
#: requests that are worked on at the same time; others wait
_WORKERS = 32


class ClientDisconnected(Exception):
    """The client has closed the page."""


class TimeLimitExceeded(Exception):
    """A response exceeded its time limit."""


class Guard:
    """Accepts only reading requests for this server, from its own pages or typed into a browser."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]):
        self.app = app
        self.hosts = {name.lower().strip("[]") for name in (*OWN_NAMES, *hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "etag" in headers:  # a file of the server, which a browser keeps and asks for changes of
                    headers["cache-control"] = "no-cache"
            await send(message)

        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await (self.refusal(Request(scope)) or self.app)(scope, receive, with_headers)

    def refusal(self, request: Request) -> Response | None:
        """Return the response that refuses a request; None for an allowed one."""
        if request.method not in ("GET", "HEAD"):
            reason = f"{request.method} is not allowed: the server is read-only.\n"
            return PlainTextResponse(reason, 405, {"allow": "GET, HEAD"})
        host, origin = (request.headers.get(name) for name in ("host", "origin"))
        site, mode, where = (request.headers.get(f"sec-fetch-{name}") for name in ("site", "mode", "dest"))
        if (_name(host or "") or "") not in self.hosts:
            status, reason = 421, "The host of this address is not allowed. `tdtsql serve --allow-host NAME` adds one."
        elif request.url.query.count("&") >= _FIELDS:
            status, reason = 400, f"The address has more than {_FIELDS} parameters. Remove some."
        elif origin is not None and urlsplit(origin).netloc.lower() != (host or "").lower():
            status, reason = 403, "Cross-origin request refused."
        elif site in ("cross-site", "same-site") and not (mode == "navigate" and where in (None, "document")):
            status, reason = 403, "Cross-site request refused. Only links to pages are allowed."
        else:
            return None
        return PlainTextResponse(f"{reason}\n", status)


def _name(host: str) -> str | None:
    """Return the name in a Host header, without its port; None without a name."""
    if set(host) & set("@/?#\\"):  # a name and a port are all that may stand there
        return None
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def fields(request: Request) -> dict[str, list[str]]:
    """Return the values of an address by name; `Guard` has refused those with too many."""
    return parse_qs(request.url.query, keep_blank_values=True)


def application(server: Server, hosts: Sequence[str] = (), seconds: float | None = LIMITS.seconds) -> ASGIApp:
    """Return the server as an ASGI application.

    Args:
        server: the open store.
        hosts: host names, in addition to those of this machine, for which requests are accepted.
        seconds: time limit of one response.
    """
    hidden = OF_NAMES if server.is_blind else ()
    shown: dict[str, Callable[[Ask], Page]] = {path: section_page for path in PAGES if path not in hidden}
    shown |= {"/sql": sql_page, "/cookbook": cookbook_page}
    menu = [(path, name) for path, name in MENU.items() if path in shown]
    workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="server")
    limit = seconds or float("inf")

    async def made(request: Request, make: Callable[[Ask], Any]) -> Any:
        """Return the result of ``make``, computed in another thread on a connection of its own; stop it at the time
        limit or when the client has gone.

        Raises:
            ClientDisconnected, TimeLimitExceeded: it was stopped.
        """
        engine, loop = server.connection(), asyncio.get_running_loop()
        why: BaseException | None = None
        try:
            ask = Ask(engine, request.url.path, fields(request), seconds, server)
            work, end = loop.run_in_executor(workers, make, ask), loop.time() + limit + GRACE
            while not work.done():
                try:
                    await asyncio.wait({work}, timeout=_EVERY)
                    if why is None and not work.done():
                        if loop.time() > end:
                            why = TimeLimitExceeded(
                                f"This took longer than {limit:g} s and was stopped. Narrow the request."
                            )
                        elif await request.is_disconnected():
                            why = ClientDisconnected()
                except asyncio.CancelledError as cancelled:
                    why = cancelled
                if why is not None:
                    engine.interrupt()  # repeatedly: between two statements there is nothing to stop
            if why is not None:
                work.exception()  # that it was interrupted is known
                raise why
            return work.result()
        finally:
            engine.close()

    def framed(page: Page) -> Response:
        text = render("frame.html", page=page, pages=menu, server=server, version=__version__)
        return Response(text, page.status, media_type="text/html; charset=utf-8")

    async def page(request: Request, make: Callable[[Ask], Page]) -> Response:
        try:
            return framed(await made(request, make))
        except Exception as error:
            return framed(failed(error))

    async def answer(request: Request) -> Response:
        """Give the rows of a query as a file, which is written first and gone when it is sent."""
        form = request.query_params.get("form", "csv")
        try:
            path = await made(request, partial(file_of, form=form))
        except (ClientDisconnected, TimeLimitExceeded, TdtsqlError) as error:
            status = 400 if isinstance(error, TdtsqlError) else failed(error).status
            return PlainTextResponse(f"{without_option(error)}\n", status)
        disposition = {"content-disposition": f'attachment; filename="answer.{form}"'}
        return StreamingResponse(pieces(path), media_type=TYPES[form], headers=disposition)

    async def lost(request: Request, error: Exception) -> Response:
        return framed(said("Not found", Markup('Page not found. <a href="/">The overview</a> has links to all.'), 404))

    routes: list[BaseRoute] = [Route(path, partial(page, make=make)) for path, make in shown.items()]
    assets = StaticFiles(packages=[(f"tdtsql.{name}", "assets") for name in ("show", "serve")])
    routes += [Route("/download", answer), Mount("/assets", assets)]
    return Guard(Starlette(routes=routes, exception_handlers={404: lost}), hosts)


def pieces(path: Path) -> Iterator[bytes]:
    """Yield a file, and remove it."""
    try:
        with path.open("rb") as file:
            yield from iter(partial(file.read, _PIECE), b"")
    finally:
        path.unlink(missing_ok=True)


def failed(error: Exception) -> Page:
    """Return the page that says what went wrong; a defect of tdtsql is raised again."""
    text = str(error)
    if isinstance(error, TdtsqlError):
        title, status = ("Not found", 404) if isinstance(error, UnknownName) else ("Invalid request", 400)
        text = error.message_for("web")
    elif isinstance(error, ClientDisconnected):  # nobody reads it
        title, status = "", 499
    else:
        title, status = "Stopped", 503
        if isinstance(error, MemoryError):
            advice = "Give it more (TDTSQL_MEMORY_LIMIT, ulimit -v), or ask for less."
            text = f"There is not enough memory for this page. {advice}"
        elif "duckdb" in type(error).__module__:
            text = explain_error(error)
        elif not isinstance(error, TimeLimitExceeded):
            raise error
    return said(title, text, status)


def said(title: str, text: str, status: int) -> Page:
    """Return a page with one message."""
    return Page(title, Markup('<p class="notice">{}</p>').format(text), status=status)
