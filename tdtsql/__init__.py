"""tdtsql: the evaluation database for topic detection and tracking, filtering and temporal summarization."""

__version__ = "0.1.0"


def __getattr__(name: str):
    # the engine is loaded when it is needed: `tdtsql --help` does not need it
    if name in ("connect", "evaluate", "Store"):
        from tdtsql import api

        return getattr(api, name)
    if name == "signature":
        from tdtsql.audit.signature import signature

        return signature
    if name == "verify":
        from tdtsql.report.verifying import verify

        return verify
    raise AttributeError(f"module 'tdtsql' has no attribute {name!r}")
