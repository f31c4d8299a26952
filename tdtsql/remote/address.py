"""Find the plugin of another engine from the address of a store."""

import os
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points

#: entry points of engines: ``SCHEME = "module:open"``; ``open(address, read_only=, trace=, ...)`` returns an engine
GROUP = "tdtsql.engines"


@cache
def _schemes() -> dict[str, Callable[[], Callable]]:
    return {point.name: point.load for point in entry_points(group=GROUP)}


def _scheme(address: object) -> str | None:
    """Return the scheme of an address, ``SCHEME://...`` or ``SCHEME[...]...``; None for a file and anything else."""
    if type(address).__module__.split(".")[0] == "pyspark":
        return "spark"
    found = re.match(r"([a-z][a-z0-9+-]*)(?:://|\[)", str(address))
    return found[1] if found and not os.path.isfile(str(address)) else None


def is_elsewhere(address: object) -> bool:
    """Return whether an address names a store in another engine; False for a file and for ``:memory:``."""
    scheme = _scheme(address)
    return scheme is not None and scheme in _schemes()


def opener(address: object) -> Callable | None:
    """Return the function that opens an address of another engine: ``open(address, read_only=, trace=, ...)``; None
    for a file.
    """
    return _schemes()[_scheme(address) or ""]() if is_elsewhere(address) else None
