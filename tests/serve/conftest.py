"""The web UI over the example, without a socket."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from server_client import client_of

from tdtsql.serve.server import Server


@pytest.fixture(scope="session")
def server(example_store):
    server = Server(str(example_store))
    yield server
    server.close()


@pytest.fixture(scope="session")
def client(server):
    return client_of(server)
