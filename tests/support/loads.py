"""Loads of tests that compute no numbers."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import tdtsql.api
from tdtsql.engine.duckdb import Engine


@contextmanager
def unscored_loads() -> Iterator[None]:
    """Let loads compute no numbers meanwhile, which is half of the time of a small evaluation.

    Numbers are computed when they are requested (``Store.score``, ``Store.refresh``): those of several runs at once.
    """
    refresh = tdtsql.api.Store.refresh
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tdtsql.load.bundle.score_stale", lambda *_, **__: 0)
        # add_run asks for its condition, without progress
        patch.setattr(
            tdtsql.api.Store,
            "refresh",
            lambda store, *given, condition=None, **more: (
                refresh(store, *given, condition=condition, **more) if given or not condition else 0
            ),
        )
        yield


@contextmanager
def taken_back(engine: Engine) -> Iterator[None]:
    """Take back all that is written meanwhile: for a load into an empty store that others share.

    A store of its own takes 0.15 s to make and close. Transactions inside are part of this one, so none may fail.
    """

    @contextmanager
    def inside(*, keep: bool = True) -> Iterator[None]:
        assert keep, "inside this transaction nothing can be taken back by itself"
        yield

    with engine.transaction(keep=False), pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "transaction", inside)
        yield
