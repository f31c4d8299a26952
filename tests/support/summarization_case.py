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

    def view(self, name: str, columns: str, order: str) -> list[tuple]:
        """Return rows of a metric view for this condition."""
        return self.store.sql(f"""
            select {columns} from metric.{name} as seen join registry.run as run on run.run_no = seen.run_no
            join registry.condition as condition on condition.condition_no = run.condition_no
            where condition.condition_id = '{self.condition}' order by {order}""").fetchall()


def summarize(store, folder: Path, **case) -> Case:
    """Evaluate one condition, which has

    nuggets: (event, nugget, time, importance, text).
    updates: (event, update, text) or (event, update, duplicate of, text).
    matches: (event, update, nugget, start, end).
    run: (run, event, update, time) or with a confidence.
    events: (event, start, end).
    tau: those of the condition.
    """
    condition = f"c{next(_names)}"
    path = folder / f"{condition}.toml"
    path.write_text("\n".join(['[corpus]\nid = "k"', *_condition(folder, condition, **case)]) + "\n")
    store.evaluate(path)
    return Case(store, condition)


def _condition(folder: Path, name: str, *, nuggets, updates, matches, run, events, tau) -> list[str]:
    """Write the files of a condition below the folder; return its lines of a bundle."""
    (folder / name).mkdir()
    tables = {
        "nuggets": ("event_id nugget_id time importance text", nuggets),
        "updates": (
            "event_id update_id duplicate_of text",
            [row if len(row) == 4 else (*row[:2], "", row[2]) for row in updates],
        ),
        "matches": ("event_id update_id nugget_id start end", matches),
    }
    if events:
        tables["events"] = ("event_id start end", events)
    lines = [
        f'[[condition]]\nid = "{name}"\ntask = "summarization"',
        'profile = ["ts-seed"]',
        f"tau = {json.dumps(list(tau))}",
    ]
    for table, (header, rows) in tables.items():
        write_table(folder / name / f"{table}.csv", header, rows)
        lines.append(f'{table} = "{name}/{table}.csv"')
    write_table(
        folder / name / "run.csv",
        "run_id event_id update_id time confidence",
        [row if len(row) == 5 else (*row, 1) for row in run],
    )
    return [*lines, f'[[run]]\ncondition = "{name}"\nfiles = ["{name}/run.csv"]\nformat = "tidy"']
