"""Which engine an address means."""

from collections.abc import Callable
from importlib import import_module

#: how an address of another engine begins -> the module of tdtsql.remote that opens it
ELSEWHERE = {"postgresql://": "postgres", "postgres://": "postgres", "spark://": "spark", "spark-local[": "spark"}


def opener(address: object) -> Callable | None:
    """Return what opens an address of another engine: ``open(address, read_only=, trace=, ...)``; None for a file."""
    module = next((module for start, module in ELSEWHERE.items() if str(address).startswith(start)), None)
    if type(address).__module__.split(".")[0] == "pyspark":
        module = "spark"
    return import_module(f"tdtsql.remote.{module}").open if module else None
