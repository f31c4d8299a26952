"""tdtsql: the evaluation database for topic detection and tracking, filtering and temporal summarization."""

from tdtsql.version import __version__  # noqa: F401 - what every package has


def __getattr__(name: str):
    # the engine is loaded when it is needed: `tdtsql --help` does not need it
    if name in ("connect", "evaluate", "Store", "signature", "verify"):
        from tdtsql import api

        return getattr(api, name)
    raise AttributeError(f"module 'tdtsql' has no attribute {name!r}")
