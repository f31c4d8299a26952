"""Pieces of work that need each other, several at a time."""

import threading

import pytest
from tdtsql.engine.run_parallel import run_parallel

from tdtsql.engine.duckdb import Engine, interrupt_all

NEEDS = {"a": (), "b": (), "c": ("a",), "d": ("c", "table that is there"), "e": ("b", "d")}


@pytest.mark.parametrize("n_worker", [1, 2, 5, 9])
def test_each_piece_is_done_once_and_after_what_it_needs(n_worker):
    done = []
    run_parallel(NEEDS, [done.append] * n_worker, lambda: None)
    assert sorted(done) == list("abcde")
    for piece, needs in NEEDS.items():
        assert all(done.index(need) < done.index(piece) for need in needs if need in NEEDS)


def test_what_the_longest_chain_waits_for_comes_first():
    done = []
    run_parallel({"x": (), "a": (), "b": ("a",), "c": ("b",)}, [done.append], lambda: None)
    assert done == ["a", "b", "x", "c"], "x and c have nobody behind them: as they came"


def test_two_pieces_are_under_way_together():
    meeting = threading.Barrier(2, timeout=20)
    run_parallel({"a": (), "b": ()}, [lambda piece: meeting.wait()] * 2, lambda: None)


def test_what_a_piece_raises_comes_out_and_no_other_is_begun():
    done, stopped = [], []

    def do(piece):
        if piece == "c":
            raise KeyError(piece)
        done.append(piece)

    for workers in (1, 3):
        done.clear()
        with pytest.raises(KeyError, match="c"):
            run_parallel(NEEDS, [do] * workers, lambda: stopped.append(True))
        assert not {"d", "e"} & set(done)
    assert stopped == [True, True]


def test_ctrl_c_stops_the_other_worker():
    begun, stop = threading.Event(), threading.Event()

    def interrupted(piece):
        begun.wait(20)
        raise KeyboardInterrupt

    def long(piece):
        begun.set()
        assert stop.wait(20)

    with pytest.raises(KeyboardInterrupt):
        run_parallel({"a": (), "b": ()}, [interrupted, long], stop.set)
    assert stop.is_set()


def test_an_engine_that_is_being_closed_keeps_no_other_from_being_stopped():
    closing, other = Engine(":memory:"), Engine(":memory:")
    closing.connection.close()
    interrupt_all()
    assert other.value("select 1") == 1
    other.close()
