"""Stores: opening, loading, scoring."""

from tdtsql.store.evaluate import evaluate
from tdtsql.store.store import Store, connect

__all__ = ["Store", "connect", "evaluate"]
