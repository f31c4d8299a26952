"""`tdtsql compare --fail-if`: a gate for continuous evaluation."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdtsql.cli.output import say

if TYPE_CHECKING:
    from tdtsql.compare.paired import Method


def run_gate(
    db: str,
    trace: bool,
    format_: str,
    *,
    runs: Sequence[str],
    rules: Sequence[str],
    conditions: Sequence[str],
    profiles: Sequence[str],
    subsets: Sequence[str],
    baseline_run: str | None,
    method: "Method",
    alpha: float,
    missing: str,
    files: Mapping[str, Path | None],
) -> None:
    """Ask a gate, write and print what it found, and end with 1 where a rule is broken.

    Args:
        files: where to write it as markdown, json and junit; written before anything is printed.
    """
    from tdtsql.api import connect_current
    from tdtsql.cli.output import print_rows
    from tdtsql.cli.progress import progress_bar
    from tdtsql.gate import told
    from tdtsql.gate.gate import gate
    from tdtsql.gate.rule import parse_rule
    from tdtsql.report.write import check_place, write_whole

    parsed = [parse_rule(text) for text in dict.fromkeys(rules)]
    for path in files.values():
        if path is not None:
            check_place(path)  # before the work, not after it
    with connect_current(db, trace=trace) as store, progress_bar() as progress:
        store.refresh(progress)
        done = 0

        def count(n: int) -> None:
            nonlocal done
            done += n
            if progress is not None:
                progress(done, max(done, method.n_permutation + method.n_resample), "comparing")

        found = gate(
            store.engine,
            runs[0],
            runs[1:],
            parsed,
            conditions=conditions,
            profiles=profiles,
            subsets=subsets,
            baseline_run=baseline_run,
            method=method,
            alpha=alpha,
            missing=missing,
            progress=count,
        )
    for form, write in (("markdown", told.markdown), ("json", told.as_json), ("junit", told.junit)):
        if files[form] is not None:
            write_whole(files[form], write(found).encode())
    rows = [told.as_row(check) for check in found.checks]
    columns = told.SHORT if format_ == "table" else told.COLUMNS
    print_rows(
        columns,
        [[row[name] for name in columns] for row in rows],
        format_,
        keep=("verdict", "condition_id", "rule", "difference", "p_adjusted"),
    )
    for check in found.checks:
        if check.reasons:
            say(f"{told.heading(check)}: {told.sentence(check)}.", err=True)
    for note in found.notes:
        say(note, err=True)
    say(found.summary, err=True)
    if found.failed:
        raise click.exceptions.Exit(1)
