"""tdtsql: the evaluation database for topic detection and tracking, filtering and temporal summarization."""

from typing import TYPE_CHECKING, Any

from tdtsql.version import __version__

if TYPE_CHECKING:  # for editors and type checkers
    from tdtsql.api import Store, connect, evaluate, signature, verify
    from tdtsql.errors import InvalidInput, TdtsqlError

__all__ = ["InvalidInput", "Store", "TdtsqlError", "__version__", "connect", "evaluate", "signature", "verify"]


def __getattr__(name: str) -> Any:
    # the engine is loaded when it is needed: `tdtsql --help` does not need it
    if name in ("connect", "evaluate", "Store", "signature", "verify"):
        from tdtsql import api

        return getattr(api, name)
    if name in ("TdtsqlError", "InvalidInput"):
        from tdtsql import errors

        return getattr(errors, name)
    raise AttributeError(f"module 'tdtsql' has no attribute {name!r}")
