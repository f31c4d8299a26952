"""What the server refuses: writing, files, settings, other hosts, other origins, long queries; and that ids are never
markup.
"""

import asyncio
import shutil
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest
from loads import unscored_loads
from server_client import client_of

import tdtsql
from tdtsql.engine.sandbox import Limits
from tdtsql.errors import NotAStore
from tdtsql.serve import pages
from tdtsql.serve.app import OWN_NAMES, POLICY, application
from tdtsql.serve.server import Server

ENDLESS = "select count(*) from range(1000000) a(x), range(1000000) b(y) where sin(x) * y < 0"

#: SQL that nobody gets an answer to
REFUSED = [
    *(Path(__file__).parents[1] / "support" / "refused.sql").read_text().splitlines()[::3],
    "copy (select 1) to '/tmp/tdtsql-serve.csv'",
    "export database '/tmp/tdtsql-serve'",
    "attach '/tmp/tdtsql-serve.duckdb'",
]


@pytest.mark.parametrize("sql", REFUSED)
@pytest.mark.sample(4)
def test_what_writes_or_touches_files_or_settings_is_refused(client, sql):
    before = set(Path("/tmp").glob("tdtsql-serve*"))
    assert client.get(f"/sql?q={quote(sql)}").status_code == 400
    for form in ("csv", "json", "parquet"):
        assert client.get(f"/download?form={form}&q={quote(sql)}").status_code == 400
    assert set(Path("/tmp").glob("tdtsql-serve*")) == before


def test_a_query_cannot_leave_the_brackets_that_it_is_put_in(client):
    for sql in (
        "select 1) as a, read_csv('/etc/passwd",
        "select 1) order by 1; drop table base.judgment --",
        "select 1 /*",
    ):
        assert client.get(f"/sql?q={quote(sql)}&sort=1").status_code == 400


def test_files_stay_out_of_reach_below_the_check_too(server):
    """The engine itself refuses, were a query to get past the look at its parse tree."""
    with closing(server.connection()) as engine:
        for sql in (
            "select * from read_csv('/etc/passwd')",
            "copy (select 1) to '/tmp/tdtsql-serve.csv'",
            "set enable_external_access = true",
            "create table t (x int)",
            "set allowed_directories = ['/']",
        ):
            with pytest.raises(Exception, match=r"disabled|locked|read-only|cannot be changed|Cannot"):
                engine.execute(sql)


def test_only_reading_methods_are_taken(client):
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        answer = client.request(method, "/")
        said = f"{method} is not allowed: the server is read-only.\n"
        assert (answer.status_code, answer.headers["allow"], answer.text) == (405, "GET, HEAD", said)
    assert client.head("/sql").status_code == 200


HOSTS = (
    "example.org 127.0.0.1.example.org evil:8420 localhost.example.org:8420 [::1 10.0.0.1 evil@localhost localhost/evil"
)


@pytest.mark.parametrize("host", ["", *HOSTS.split()])
def test_other_hosts_are_not_answered(client, host):
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("path", ["/", "/sql", "/download", "/lineage.svg", "/nothing"])
def test_an_address_with_too_many_fields_is_refused(client, path):
    answer = client.get(f"{path}?{'&'.join(f'f{number}=1' for number in range(201))}")

    assert (answer.status_code, answer.text) == (400, "The address has more than 200 parameters. Remove some.\n")


def test_own_names_and_named_hosts_are_answered(server):
    client = client_of(server, hosts=["desk.example.org"])

    own = [f"[{name}]" if ":" in name else name for name in OWN_NAMES]
    for name in (*own, "desk.example.org", "DESK.example.org:443", "localhost:1"):
        assert client.get("/sql", headers={"host": name}).status_code == 200, name
    assert client.get("/sql", headers={"host": "other.example.org"}).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://127.0.0.1:8420"}, 200),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "https://example.org"}, 403),
        ({"origin": "null"}, 403),
        ("cross-site navigate document", 200),
        ("cross-site no-cors image", 403),
        ("cross-site navigate iframe", 403),
        ("same-origin cors", 200),
        ("same-site cors", 403),
        ("none navigate document", 200),
    ],
)
def test_pages_of_other_origins_get_nothing(client, headers, status):
    if isinstance(headers, str):
        headers = dict(zip(("sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"), headers.split()))
    assert client.get("/sql", headers=headers).status_code == status


ADDRESSES = "/ /sql /nothing /sql?q=selec /assets/server.js /download?q=select+1 /download?q=selec"


@pytest.mark.parametrize("address", ADDRESSES.split())
def test_every_answer_has_the_headers(client, address):
    expected = {
        "content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
        "x-frame-options": "DENY", "cross-origin-resource-policy": "same-origin",
    }  # fmt: skip
    headers = client.get(address).headers
    assert {name: headers[name] for name in expected} == expected


def test_the_policy_lets_nothing_in_from_elsewhere():
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert (rules["default-src"], rules["frame-ancestors"]) == ("'none'", "'none'")
    assert {source for rule in rules.values() for source in rule.split()} == {"'none'", "'self'", "data:"}


# ---- limits


def too_large(ask):
    raise MemoryError  # as where a name in the store has 200 MB


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (lambda ask: ask.engine.rows(ENDLESS), "This took longer than 0.3 s and was stopped. Narrow the request."),
        (too_large, "There is not enough memory for this page."),
    ],
)
def test_a_page_without_a_query_of_its_own_is_stopped(server, monkeypatch, page, said):
    monkeypatch.setattr("tdtsql.serve.app.GRACE", 0.0)
    monkeypatch.setattr("tdtsql.serve.app.cookbook_page", page)
    answer = client_of(server, seconds=0.3).get("/cookbook")
    assert answer.status_code == 503 and said in answer.text


def test_the_limits_are_those_that_are_promised():
    assert Limits(seconds=10, rows=10_000, memory="1GB", spill="1GB") == pages.LIMITS
    assert Limits(seconds=10, rows=5_000_000, memory="1GB", spill="1GB") == pages.DOWNLOAD


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_nothing_is_left_of_files(server, form):
    client = client_of(server, seconds=0.3)
    for query in ("select 1 as a", "selec", ENDLESS):
        client.get(f"/download?form={form}&q={quote(query)}")

    assert not list(server.store.engine.downloads.iterdir())


def test_an_answer_of_too_many_rows_is_no_file(server, monkeypatch):
    monkeypatch.setattr("tdtsql.serve.pages.DOWNLOAD", replace(pages.DOWNLOAD, rows=1000))
    client = client_of(server)

    for form in ("csv", "json", "parquet"):
        assert client.get(f"/download?form={form}&q=from+range(1000)").status_code == 200
        refused = client.get(f"/download?form={form}&q=from+range(1001)")
        assert refused.status_code == 400 and "more than 1,000 rows" in refused.text


def test_a_page_has_at_most_so_many_rows(client):
    assert client.get("/sql?q=from+range(100000)").text.count("<tr>") == pages.SHOWN_ROWS + 1


def test_memory_and_disk_are_limited(server):
    with closing(server.connection()) as engine:
        [[memory, disk, external, locked]] = engine.rows(
            "select current_setting('memory_limit'), current_setting('max_temp_directory_size'), "
            "current_setting('enable_external_access'), current_setting('lock_configuration')"
        )

    assert (external, locked) == (False, True)
    assert memory in ("953.6 MiB", "1.0 GB", "953.7 MiB") and disk == memory


#: a request of the endless query, as a server gives it to the application
SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/sql",
    "raw_path": b"/sql",
    "root_path": "",
    "query_string": f"q={quote(ENDLESS)}".encode(),
    "headers": [(b"host", b"127.0.0.1")],
    "client": ("127.0.0.1", 1),
    "server": ("127.0.0.1", 8420),
}


def test_a_query_ends_when_its_page_goes_away(server):
    """The application is told that the other side is gone, and stops the query; nobody is answered."""
    app = application(server, seconds=60)
    sent, gone = [], threading.Event()

    async def ask() -> float:
        begin = time.monotonic()

        async def receive():
            if not gone.is_set():
                gone.set()
                return {"type": "http.request", "body": b"", "more_body": False}
            while time.monotonic() - begin < 0.5:
                await asyncio.sleep(0.05)
            return {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        await app(SCOPE, receive, send)
        return time.monotonic() - begin

    assert asyncio.run(ask()) < 20
    assert sent[0]["status"] == 499


def test_a_query_ends_when_the_server_gives_its_request_up(server):
    """A server that is stopped cancels what it is at: the query ends with it, and the connection can be closed."""
    stopped = []

    class Watched:
        def __getattr__(self, name):
            return getattr(server, name)

        def connection(self):
            engine = server.connection()
            real = engine.interrupt
            engine.interrupt = lambda: (stopped.append(time.monotonic()), real())
            return engine

    async def ask() -> float:
        said = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive():
            while not said:
                await asyncio.sleep(60)
            return said.pop()

        async def send(message):
            raise AssertionError(message)

        task = asyncio.ensure_future(application(Watched(), seconds=60)(SCOPE, receive, send))
        await asyncio.sleep(1)
        begin = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - begin

    assert asyncio.run(ask()) < 20
    assert stopped


# ---- what is served


def test_only_a_file_is_served(tmp_path):
    with pytest.raises(NotAStore, match="serve opens a store that is a file"):
        Server(":memory:")
    with pytest.raises(NotAStore):
        Server(str(tmp_path / "nothing.duckdb"))


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(2)</script>',
    "'; drop table base.judgment; --",
    "a&b=c#d?e/../f",
    "javascript:alert(3)",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A store whose corpus, condition, runs, topics and stories have names that would be markup, SQL or addresses."""
    path = tmp_path_factory.mktemp("hostile") / "hostile<b>.duckdb"
    stories = {"story_id": [f"{HOSTILE[0]}{n}" for n in range(6)], "position": list(range(1, 7))}
    topics = {"topic_id": HOSTILE[:3], "title": [HOSTILE[1], HOSTILE[0], HOSTILE[2]]}
    judged = {
        "topic_id": [HOSTILE[0], HOSTILE[0], HOSTILE[1], HOSTILE[2]],
        "story_id": [stories["story_id"][n] for n in (1, 2, 3, 4)],
        "label": ["yes"] * 4,
    }
    with unscored_loads(), tdtsql.connect(path) as store:
        store.add_corpus(HOSTILE[1], stories=stories, topics=topics, judgments=judged)
        store.add_condition(HOSTILE[0], corpus=HOSTILE[1], task="tracking", profile=["tdt2004"])
        for name in HOSTILE:
            pairs = [(topic, story) for topic in topics["topic_id"] for story in stories["story_id"]]
            store.add_run(
                name,
                condition=HOSTILE[0],
                decisions={
                    "topic_id": [topic for topic, _ in pairs],
                    "story_id": [story for _, story in pairs],
                    "decision": ["yes", "no"] * 9,
                    "score": [float(n) for n in range(18)],
                },
            )
        store.refresh()
    server = Server(str(path))
    yield client_of(server)
    server.close()


@pytest.mark.full
def test_ids_are_never_markup(hostile):
    """Every page that a link leads to, from the first one on: nothing of an id is an element, and each id is there as
    text.
    """
    from server_client import Tables

    waiting, seen = (
        ["/", "/sql?q=select+*+from+report.trial", f"/compare?condition={quote(HOSTILE[0])}&run={quote(HOSTILE[1])}"],
        set(),
    )
    while waiting and len(seen) < 80:
        address = waiting.pop(0)
        if address in seen:
            continue
        seen.add(address)
        answer = hostile.get(address)
        assert answer.status_code == 200, (address, answer.text[-1500:])
        if "text/html" in answer.headers["content-type"]:
            assert (
                "<img src=x" not in answer.text
                and "<script>" not in answer.text
                and 'onerror=alert(1)"' not in answer.text
            ), address
            links = Tables(answer.text).links
            assert not [link for link in links if not link.startswith(("/", "#"))], address
            waiting += [link for link in links if link.startswith(("/run", "/topic", "/number", "/compare", "/sql"))]
    assert "&lt;img src=x onerror=alert(1)&gt;" in hostile.get("/").text
    assert {address.partition("?")[0] for address in seen} >= {"/", "/run", "/topic", "/number", "/compare"}


def test_the_server_limits_its_address_space(monkeypatch):
    """One value may take more than the engine's limit of memory, which does not count it."""
    resource = pytest.importorskip("resource")
    from tdtsql.cli import serve

    given = []
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: given.append((what, limits[0])))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    monkeypatch.delenv("TDTSQL_MEMORY_LIMIT", raising=False)
    serve.limit_memory()
    [(what, limit)] = given
    assert what == resource.RLIMIT_AS and limit > serve.ROOM << 30
    monkeypatch.setenv("TDTSQL_MEMORY_LIMIT", "8GB")
    serve.limit_memory()
    assert len(given) == 1


@pytest.mark.filterwarnings("ignore::tdtsql.errors.OtherDefinitions")
def test_a_store_of_other_definitions_has_the_same_limits_and_downloads(example_store, tmp_path):
    path = tmp_path / "other.duckdb"
    shutil.copy(example_store, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("update registry.made_with set value = repeat('f', 64) where item = 'definitions'")
        connection.execute("delete from registry.made_with where item = 'catalog'")
    server = Server(str(path))
    try:
        limits = server.store.engine.rows(
            "select current_setting('memory_limit'), current_setting('lock_configuration'), "
            "current_setting('enable_external_access')"
        )
        assert limits == [("953.6 MiB", True, False)]  # 10^9 bytes: STRICT
        answer = client_of(server).get("/download?q=select+42+as+n&form=parquet")
        assert answer.status_code == 200 and answer.content[:4] == b"PAR1"
    finally:
        server.close()
