"""What is published (scores, leaderboards, comparisons, reports, exports, pages) rests on stored scores: these must be
those whose hash the ledger recorded when they were computed.
"""

from collections.abc import Sequence

from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import ChangedContent
from tdtsql.store.recording import result_fingerprints


def check_published(engine: Engine, conditions: Sequence[str] = ()) -> None:
    """Refuse to publish scores that were changed since they were computed.

    Args:
        conditions: those that are published; none: all.

    Raises:
        ChangedContent: names the first run whose stored scores have another hash.
    """
    rows = engine.rows(read_statement("explain/recorded_results"), {"conditions": list(conditions)})
    now = result_fingerprints(engine, [row[0] for row in rows]) if rows else {}
    for number, run, profile, entry, n_value, sha256 in rows:
        if now[number] != (n_value, sha256):
            raise ChangedContent(
                f"{engine.path}: the stored scores of {run} under {profile} are not those of the ledger (entry "
                f"{entry}): they were changed since they were computed. Restore the file, or evaluate its bundle into "
                "a new store; `tdtsql ledger verify` names the scores."
            )
