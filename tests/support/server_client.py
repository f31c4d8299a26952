"""A test client of the web UI without a socket, and a parser of its pages."""

from html.parser import HTMLParser

from starlette.testclient import TestClient

from tdtsql.serve.app import application


def client_of(server, **kind) -> TestClient:
    """Return a client of the server at its usual address; ``kind``: as for ``application``."""
    return TestClient(application(server, **kind), base_url="http://127.0.0.1:8420")


class Tables(HTMLParser):
    """The cells of the tables of a page, and its links."""

    def __init__(self, text: str):
        super().__init__()
        self.tables, self.links, self.ids, self._cell = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = ""
        elif tag == "a" and of.get("href"):
            self.links.append(of["href"])
        if "id" in of:
            self.ids.append(of["id"])

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append(self._cell.strip())
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell += data
