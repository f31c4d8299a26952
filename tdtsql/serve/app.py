"""Requests and responses: allowed requests, time limits, error pages."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache, partial
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tdtsql.engine.duckdb import Engine, explain_error
from tdtsql.errors import TdtsqlError, UnknownName
from tdtsql.report.sections import address, render
from tdtsql.serve import compare, cookbook, download, ledger, metric, number, overview, query, run, subsets, topic
from tdtsql.serve.query import without_option
from tdtsql.serve.server import HASH_DIGITS, LIMITS, Page, PageRequest, Server
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
#: names of this machine that are always answered
OWN_NAMES = ("127.0.0.1", "localhost", "::1")
#: fields of an address
_FIELDS = 200
#: seconds between checks whether the client is still connected
_EVERY = 0.05
#: additional seconds for a page with queries: it shows the error next to the query
_GRACE = 1.0
#: requests that are worked on at the same time; others wait
_WORKERS = 32

#: address -> what makes its page
PAGES: dict[str, Callable[[PageRequest], Page]] = {
    "/": overview.page,
    "/run": run.page,
    "/topics": topic.index,
    "/topic": topic.page,
    "/number": number.page,
    "/metrics": metric.index,
    "/metric": metric.page,
    "/compare": compare.page,
    "/subsets": subsets.page,
    "/sql": query.page,
    "/cookbook": cookbook.index,
    "/question": cookbook.page,
    "/ledger": ledger.page,
    "/audit": ledger.audit_page,
}
#: pages whose address says of which data its answer is: these make it so
QUERIES = {"/sql": "q", "/question": "name", "/compare": "run"}


#: pages on the history of the store, which names runs: a server without names does not have them
_OF_NAMES = ("/ledger", "/audit")
#: the pages that every page links to
MENU = (
    ("/", "Overview"),
    ("/topics", "Topics"),
    ("/metrics", "Metrics"),
    ("/compare", "Compare"),
    ("/sql", "SQL"),
    ("/cookbook", "Cookbook"),
    ("/ledger", "Ledger"),
)


def said(title: str, text: str, status: int) -> Page:
    """Return a page with one message."""
    return Page(title, Markup('<p class="notice">{}</p>').format(text), status=status)


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
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        request = Request(scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in known),
                ]
            await send(message)

        refused = self.refusal(request)
        await (
            self.app
            if refused is None
            else PlainTextResponse(refused[1] + "\n", refused[0], {"allow": "GET, HEAD"} if refused[0] == 405 else None)
        )(scope, receive, with_headers)

    def refusal(self, request: Request) -> tuple[int, str] | None:
        """Return status and reason for refusing a request; None for an allowed one."""
        if request.method not in ("GET", "HEAD"):
            return 405, f"{request.method} is not allowed: the server is read-only."
        host = request.headers.get("host", "")
        if (_name(host) or "") not in self.hosts:
            return (421, "The host of this address is not allowed. `tdtsql serve --allow-host NAME` adds one.")
        if request.url.query.count("&") >= _FIELDS:
            return 400, f"The address has more than {_FIELDS} parameters. Remove some."
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "Cross-origin request refused."
        site, mode, where = (request.headers.get(f"sec-fetch-{name}") for name in ("site", "mode", "dest"))
        if site in ("cross-site", "same-site") and not (mode == "navigate" and where in (None, "document")):
            return 403, "Cross-site request refused. Only links to pages are allowed."
        return None


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
    shown = {path: make for path, make in PAGES.items() if not (server.is_blind and path in _OF_NAMES)}
    workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="server")
    limit = seconds or float("inf")

    async def made(request: Request, make: Callable[[PageRequest], Any], own: Engine | None = None) -> Any:
        """Return the result of ``make``, computed in another thread; stop it at the time limit or when the client has
        gone.

        ``own``: the connection to use, which stays open; without it one that is closed.

        Raises:
            ClientDisconnected, TimeLimitExceeded: it was stopped.
        """
        loop = asyncio.get_running_loop()
        with server.engine() if own is None else nullcontext(own) as engine:
            ask = PageRequest(server, engine, request.url.path, fields(request), seconds)
            work = loop.run_in_executor(workers, make, ask)
            end = loop.time() + limit + _GRACE
            why: TimeLimitExceeded | ClientDisconnected | None = None
            try:
                while not (await asyncio.wait({work}, timeout=_EVERY))[0]:
                    if why is None and loop.time() > end:
                        why = TimeLimitExceeded(
                            f"This took longer than {limit:g} s and was stopped. Narrow the request."
                        )
                    elif why is None and await request.is_disconnected():
                        why = ClientDisconnected()
                    if why is not None:
                        engine.interrupt()  # repeatedly: between two statements there is nothing to stop
            except asyncio.CancelledError:
                while not work.done():
                    engine.interrupt()
                    await asyncio.sleep(_EVERY)
                raise
            if why is not None:
                work.exception()  # that it was interrupted is known
                raise why
            return work.result()

    words = {word.capitalize() + "s" for word in server.topics.values()}
    of_topics = words.pop() if len(words) == 1 else "Topics"
    menu = [
        (path, of_topics if path == "/topics" else name)
        for path, name in MENU
        if path in shown and (server.topics or path != "/topics")
    ]

    def framed(page: Page, notes: Sequence[str] = ()) -> Response:
        text = render(
            "frame.html",
            page=page,
            pages=menu,
            server=server,
            assets=_assets_hash(),
            version=__version__,
            notes=[*server.notes, *notes],
        )
        return Response(text, page.status, media_type="text/html; charset=utf-8")

    async def page(request: Request, make: Callable[[PageRequest], Page]) -> Response:
        path, given = request.url.path, request.query_params.get("data")
        if given is None and request.query_params.get(QUERIES.get(path, "")):
            # a link to an answer says of which data it is
            return RedirectResponse(address(path, **fields(request), data=server.head), 302)
        notes = [other] if (other := changed(given)) else []
        try:
            return framed(await made(request, make), notes)
        except ClientDisconnected:
            return Response(status_code=499)
        except TimeLimitExceeded as late:
            return framed(said("Stopped", str(late), 503), notes)
        except UnknownName as error:
            return framed(said("Not found", error.message_for("web"), 404), notes)
        except TdtsqlError as error:
            return framed(said("Invalid request", error.message_for("web"), 400), notes)
        except MemoryError:
            advice = "Give it more (TDTSQL_MEMORY_LIMIT, ulimit -v), or ask for less."
            text = f"There is not enough memory for this page. {advice}"
            return framed(said("Stopped", text, 503), notes)
        except Exception as error:
            if "duckdb" not in type(error).__module__:  # a defect of tdtsql
                raise
            return framed(said("Stopped", explain_error(error), 503), notes)

    def changed(given: str | None) -> str | None:
        """Return a message if an address was created for other data; otherwise None."""
        if not given or given[:HASH_DIGITS] == server.head:
            return None
        return (
            f"The data have changed since this address was made: they were those of ledger hash "
            f"{given[:HASH_DIGITS]}, and are those of {server.head}."
        )

    async def answer(request: Request) -> Response:
        """Give the rows of a query as a file, as they come."""
        if other := changed(request.query_params.get("data")):  # a file cannot show the message
            return PlainTextResponse(f"{other} Without data= in the address, the file is of the data of now.\n", 409)
        form = request.query_params.get("form", "csv")
        engine = server.connection()  # open until the last row is fetched
        try:
            first, more = await made(request, partial(download.begin, form=form), engine)
        except BaseException as error:
            engine.close()
            if isinstance(error, ClientDisconnected):
                return Response(status_code=499)
            if isinstance(error, TimeLimitExceeded | TdtsqlError):
                return PlainTextResponse(
                    f"{without_option(error)}\n", 503 if isinstance(error, TimeLimitExceeded) else 400
                )
            raise
        return download.response(engine, form, first, more, workers, limit)

    async def drawing(request: Request) -> Response:
        try:
            text = await made(request, metric.lineage_drawing)
        except (ClientDisconnected, TimeLimitExceeded, TdtsqlError) as error:
            return PlainTextResponse(f"{error}\n", 404)
        # a drawing has its style in itself
        return Response(
            text,
            media_type="image/svg+xml",
            headers={"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"},
        )

    async def asset(request: Request) -> Response:
        found = _assets().get(request.path_params["name"])
        if found is None:
            return PlainTextResponse("File not found.\n", 404)
        return Response(found[1], media_type=found[0], headers={"cache-control": "max-age=86400"})

    async def lost(request: Request, error: Exception) -> Response:
        overview = Markup('Page not found. <a href="/">The overview</a> has links to all.')
        return framed(said("Not found", overview, 404))

    routes = [Route(path, partial(page, make=make)) for path, make in shown.items()]
    routes += [
        Route("/download", answer),
        Route("/lineage.svg", drawing),
        Route("/assets/{name}", asset),
    ]
    return Guard(Starlette(routes=routes, exception_handlers={404: lost}), hosts)


@cache
def _assets() -> dict[str, tuple[str, bytes]]:
    """Return name -> (type, content) of the files that pages need: the style of the report, and that of the server."""
    report, own = (files(package).joinpath("assets") for package in ("tdtsql.report", "tdtsql.serve"))
    return {
        "page.css": ("text/css", report.joinpath("page.css").read_bytes()),
        "server.css": ("text/css", own.joinpath("server.css").read_bytes()),
        "common.js": ("text/javascript", report.joinpath("common.js").read_bytes()),
        "server.js": ("text/javascript", own.joinpath("server.js").read_bytes()),
    }


@cache
def _assets_hash() -> str:
    return hashlib.sha256(b"".join(content for _, content in _assets().values())).hexdigest()[:8]
