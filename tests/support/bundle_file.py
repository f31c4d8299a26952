"""Write the bundles of a test: a TOML file and its tidy tables, in a separate folder."""

import csv
import json
import re
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path


def write_bundle(
    folder: Path,
    *,
    corpus: Mapping,
    conditions: Sequence[Mapping],
    runs: Sequence[Mapping],
    profiles: Mapping[str, Mapping] | None = None,
) -> Path:
    """Write ``bundle.toml`` into a folder and return its path; values are text, numbers, paths and lists of these."""
    lines = ['name = "test"', "[corpus]", *_pairs(corpus)]
    for name, columns in (profiles or {}).items():
        lines += [f"[profile.{json.dumps(name)}]", *_pairs(columns)]
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


def write_tables(folder: Path, **tables: tuple[str, Iterable[Sequence]]) -> dict[str, str]:
    """Write ``NAME.csv`` of each (columns in one text, rows); return name -> file, as a corpus has it."""
    for name, (columns, rows) in tables.items():
        write_csv(folder / f"{name}.csv", columns.split(), rows)
    return {name: f"{name}.csv" for name in tables}


def _pairs(table: Mapping) -> list[str]:
    return [f"{key} = {json.dumps(value, default=str)}" for key, value in table.items()]


def write_part(bundle: Path, folder: Path, conditions: Collection[str]) -> Path:
    """Copy a bundle and its files into ``folder``, with these conditions and their runs only; returns the
    copy's path.
    """
    shutil.copytree(bundle.parent, folder, dirs_exist_ok=True)
    head, *parts = re.split(r"(?m)^(?=\[\[(?:run|condition)\]\])", bundle.read_text(encoding="utf-8"))
    names = [re.search(r'(?m)^condition = "(.*?)"', part) or re.search(r'(?m)^id = "(.*?)"', part) for part in parts]
    path = folder / bundle.name
    path.write_text(
        head + "".join(part for part, name in zip(parts, names, strict=True) if name[1] in conditions), encoding="utf-8"
    )
    return path
