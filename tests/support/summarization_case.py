"""Small cases of temporal summarization as tidy tables, evaluated in one store."""

import csv
import json
from itertools import count
from pathlib import Path

_names = count(1)


def write_table(path: Path, header: str, rows: list[tuple]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header.split(), *rows])


class Case:
    """One condition with its runs: what the store says of it."""

    def __init__(self, store, condition: str):
        self.store = store
        self.condition = condition

    def event(self, run: str, event: str, profile: str | None = None, subset: str = "all") -> dict:
        """Return metric -> value of one event."""
        return dict(
            self.store.sql(f"""
            select metric, value from report.block_score
            where condition_id = '{self.condition}' and run_id = '{run}' and block_id = '{event}'
                and subset = '{subset}'
                    and profile_id = coalesce({json.dumps(profile).replace('"', "'")}, profile_id)""").fetchall()
        )

    def score(self, run: str, weighting: str = "topic", subset: str = "all") -> dict:
        """Return metric -> (value, n)."""
        return {
            row[0]: row[1:]
            for row in self.store.sql(f"""
            select metric, value, n from report.score where condition_id = '{self.condition}' and run_id = '{run}'
                and weighting = '{weighting}' and subset = '{subset}'""").fetchall()
        }

    def view(self, name: str, columns: str, order: str) -> list[tuple]:
        """Return rows of a metric view for this condition."""
        return self.store.sql(f"""
            select {columns} from metric.{name} as seen join registry.run as run on run.run_no = seen.run_no
            join registry.condition as condition on condition.condition_no = run.condition_no
            where condition.condition_id = '{self.condition}' order by {order}""").fetchall()


def summarize(
    store, folder: Path, *, nuggets, updates, matches, run, events=(), profile=("ts-seed",), profiles=None, tau=()
) -> Case:
    """Evaluate one condition.

    Args:
        nuggets: (event, nugget, time, importance, text).
        updates: (event, update, text) or (event, update, duplicate of, text).
        matches: (event, update, nugget, start, end).
        run: (run, event, update, time) or with a confidence.
        events: (event, start, end).
    """
    name = f"c{next(_names)}"
    folder = folder / name
    folder.mkdir()
    write_table(folder / "nuggets.csv", "event_id nugget_id time importance text", nuggets)
    write_table(
        folder / "updates.csv",
        "event_id update_id duplicate_of text",
        [row if len(row) == 4 else (*row[:2], "", row[2]) for row in updates],
    )
    write_table(folder / "matches.csv", "event_id update_id nugget_id start end", matches)
    write_table(
        folder / "run.csv",
        "run_id event_id update_id time confidence",
        [row if len(row) == 5 else (*row, 1) for row in run],
    )
    lines = [
        '[corpus]\nid = "k"',
        f'[[condition]]\nid = "{name}"\ntask = "summarization"',
        'nuggets = "nuggets.csv"',
        'updates = "updates.csv"',
        'matches = "matches.csv"',
        f"profile = {json.dumps(list(profile))}",
        f"tau = {json.dumps(list(tau))}",
    ]
    if events:
        write_table(folder / "events.csv", "event_id start end", events)
        lines.append('events = "events.csv"')
    for profile_id, columns in (profiles or {}).items():
        lines += [f"[profile.{profile_id}]", *(f"{key} = {json.dumps(value)}" for key, value in columns.items())]
    lines.append(f'[[run]]\ncondition = "{name}"\nfiles = ["run.csv"]\nformat = "tidy"')
    (folder / "bundle.toml").write_text("\n".join(lines) + "\n")
    store.evaluate(folder / "bundle.toml")
    return Case(store, name)
