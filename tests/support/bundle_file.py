"""Write the bundles of a test: a TOML file and its tidy tables, in a folder of its own."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def write_bundle(folder: Path, *, corpus: Mapping, conditions: Sequence[Mapping], runs: Sequence[Mapping],
                 profiles: Mapping[str, Mapping] | None = None) -> Path:
    """Write ``bundle.toml`` into a folder and return its path; values are text, numbers and lists of these."""
    lines = ['name = "test"', "[corpus]", *_pairs(corpus)]
    for name, columns in (profiles or {}).items():
        lines += [f"[profile.{name}]", *_pairs(columns)]
    for kind, tables in (("condition", conditions), ("run", runs)):
        for table in tables:
            lines += [f"[[{kind}]]", *_pairs(table)]
    path = folder / "bundle.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence]) -> None:
    """Write a CSV file with a header; doubles keep all their digits."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def _pairs(table: Mapping) -> list[str]:
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]
