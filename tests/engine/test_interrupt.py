"""Ctrl-C stops the engines that are open."""

from tdtsql.engine.duckdb import Engine, interrupt_all


def test_an_engine_that_is_being_closed_keeps_no_other_from_being_stopped():
    closing, other = Engine(":memory:"), Engine(":memory:")
    closing.connection.close()
    interrupt_all()
    assert other.value("select 1") == 1
    other.close()
