"""The ledger: what was done to the store; and the audit: what must hold in it, and whether it does."""

import json
from time import monotonic

from tdtsql.audit.invariants import checks
from tdtsql.errors import InvalidQuery, counted
from tdtsql.serve.server import PATIENCE, Page, PageRequest
from tdtsql.store.stored_results import Result

#: entries on a page
_MOST = 100


def page(ask: PageRequest) -> Page:
    """The entries, newest first; ``before`` continues below one."""
    before = ask.get("before")
    if before is not None and not (before.isascii() and before.isdigit() and len(before) < 18):
        raise InvalidQuery(f"before is {before!r}, expected the number of an entry.")
    rows = ask.rows(
        "select entry_no, made_at, kind, subject, detail, previous_sha256, sha256 from ledger.entry where entry_no < "
        "? order by entry_no desc limit ?",
        int(before) if before else 2**62,
        _MOST,
    )
    counts = ask.rows("select kind, count(*) from ledger.entry group by kind order by kind")
    return ask.page(
        "Ledger",
        "ledger.html",
        "/ledger",
        entries=[(*row[:4], _indented(row[4]), *row[5:]) for row in rows],
        counts=[(kind, counted(count, "entry")) for kind, count in counts],
    )


def _indented(detail: str) -> str:
    try:
        return json.dumps(json.loads(detail), indent=1, ensure_ascii=False)
    except ValueError:
        return detail


def audit_page(ask: PageRequest) -> Page:
    """Every invariant, those that are broken first; the chain of the ledger is one of them."""
    results, n_late = _audited(ask)
    return ask.page(
        "Audit",
        "audit.html",
        "/ledger",
        results=sorted(results, key=lambda result: (not result.failed, not result.n_bad, result.invariant.name)),
        n_error=sum(result.failed for result in results),
        n_warning=sum(bool(result.n_bad) and not result.failed for result in results),
        n_late=n_late,
    )


def _audited(ask: PageRequest) -> tuple[list[Result], int]:
    """Return the results of the invariants, and the number of those for which the page has no time: for a large store
    all together take longer than its limit.
    """
    begin, made = monotonic(), checks(ask.engine)
    results = []
    for check in made:
        left = PATIENCE - (monotonic() - begin)
        if left > 0 and (result := ask.with_deadline(left, check)) is not None:
            results.append(result)
    return results, len(made) - len(results)
