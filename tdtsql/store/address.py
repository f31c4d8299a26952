"""Which engine an address means."""

from collections.abc import Callable
from importlib import import_module

#: how an address of another engine begins -> the module below tdtsql.store that opens it
ELSEWHERE = {"postgresql://": "shared", "postgres://": "shared", "spark://": "lake", "spark-local[": "lake"}


def opener(address: object) -> Callable | None:
    """Return what opens an address of another engine: ``open(address, read_only=, trace=, ...)``; None for a file."""
    module = next((module for start, module in ELSEWHERE.items() if str(address).startswith(start)), None)
    if type(address).__module__.split(".")[0] == "pyspark":
        module = "lake"
    return import_module(f"tdtsql.store.{module}").open if module else None
