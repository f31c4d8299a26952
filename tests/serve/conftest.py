"""The desk over the example, asked without a socket."""

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from desk_client import client_of

from tdtsql.serve.desk import Server


@pytest.fixture(scope="session")
def desk(example_store):
    desk = Server(str(example_store))
    yield desk
    desk.close()


@pytest.fixture(scope="session")
def client(desk):
    return client_of(desk)
