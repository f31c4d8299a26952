"""The ledger: what was done to the store; and the audit: what must hold in it, and whether it does."""

import json
from functools import partial
from time import monotonic

from tdtsql.audit.invariants import INVARIANTS, Result, checks
from tdtsql.errors import InvalidQuery
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import Content, escaped, facts, link, notice, section, table, tag

#: entries on a page
_MOST = 100
#: seconds that the invariants may take on one page
_PATIENCE = 8


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
    listed: list[list[Content]] = [
        [
            number,
            made_at,
            kind,
            subject,
            tag(
                "details",
                tag("summary", tag("code", sha256[:16])),
                tag("p", "before it: ", tag("code", previous)),
                tag("pre", _indented(detail)),
            ),
        ]
        for number, made_at, kind, subject, detail, previous, sha256 in rows
    ]
    older = tag("p", link("Older entries", "/ledger", before=rows[-1][0])) if rows and rows[-1][0] > 1 else None
    counts = ask.rows("select kind, count(*) from ledger.entry group by kind order by kind")
    state = section(
        "State",
        facts(
            [
                ("last entry", ask.server.entry),
                ("its hash", tag("code", ask.server.sha256)),
                *((kind, f"{count:,} {'entry' if count == 1 else 'entries'}") for kind, count in counts),
            ]
        ),
        tag(
            "p",
            "Save this hash to detect later changes: ",
            tag("code", "tdtsql ledger verify --head HASH"),
            ", which computes every number again too. ",
            link("The audit", "/audit"),
            " asks every invariant.",
        ),
    )
    entries = table(
        ["entry", "when", "what", "of", "hash and detail"],
        listed,
        caption="Entries of the ledger",
        numeric=[True] + [False] * 4,
    )
    return Page("Ledger", escaped([state, section("Entries, newest first", entries, older)]), "/ledger")


def _indented(detail: str) -> str:
    try:
        return json.dumps(json.loads(detail), indent=1, ensure_ascii=False)
    except ValueError:
        return detail


def audit_page(ask: PageRequest) -> Page:
    """Every invariant, those that are broken first; the chain of the ledger is one of them."""
    results, n_late = _audited(ask)
    n_error, n_warning = (
        sum(result.failed for result in results),
        sum(bool(result.n_bad) and not result.failed for result in results),
    )
    rows: list[list[Content]] = [
        [
            result.invariant.name,
            result.invariant.severity,
            "violated" if result.failed else "warning" if result.n_bad else "holds",
            f"{result.n_bad:,}",
            tag("span", result.invariant.title, class_="words"),
            tag("span", str(result.first or ""), class_="words"),
        ]
        for result in sorted(results, key=lambda result: (not result.failed, not result.n_bad, result.invariant.name))
    ]
    said = f"{len(results)} invariants: {n_error} violated, {n_warning} warnings."
    late = (
        notice(
            f"{n_late} more are unchecked: the page stops after {_PATIENCE} s. Reload it to continue, or run `tdtsql "
            f"audit`."
        )
        if n_late
        else None
    )
    return Page(
        "Audit",
        escaped(
            [
                notice(said) if n_error else tag("p", said),
                late,
                tag(
                    "p",
                    "Not checked: stored scores; ",
                    tag("code", "tdtsql ledger verify"),
                    " recomputes them.",
                    class_="soft",
                ),
                table(
                    ["invariant", "severity", "is", "rows", "what must hold", "first"],
                    rows,
                    caption="Invariants",
                    numeric=[False, False, False, True, False, False],
                ),
            ]
        ),
        "/ledger",
    )


def _audited(ask: PageRequest) -> tuple[list[Result], int]:
    """Return the results of the invariants, each cached, and the number of those that have to wait: for a large store
    all together take longer than the time limit of a page.
    """
    begin, results = monotonic(), []
    tried: set[int] = ask.server.cached(
        ("audit", "tried"), set
    )  # one that took too long before lets the others go first
    for place, make in sorted(enumerate(checks(ask.engine)), key=lambda check: check[0] in tried):
        left = _PATIENCE - (monotonic() - begin)
        result = ask.with_deadline(left, partial(ask.server.cached, ("audit", place), make)) if left > 0 else None
        if result is not None:
            results.append(result)
        elif left > 0:
            tried.add(place)
    n_late = len(INVARIANTS) + 1 - len(results)
    if n_late and not ask.cut:
        ask.cut.append("invariants")
    return results, n_late
