"""Lines of a run's own files that speak of one topic.

Of a system output the store keeps decisions, and of its files name, size and hash.
So the files are read again where they still lie, and only if they are what was
loaded. A line belongs to a trial where it names the trial's story (both stories of a
pair) in one of its fields, or points into the story (source file and record or time);
and to the topic where the line, or the head of the file, names it.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.text import numbered_lines
from tdtsql.task import TASKS

#: lines of files about a topic, and trials of it, that are shown
SHOWN_LINES = 50
_FIELD = re.compile(r"[^\s,;\"'<>=]+")


@dataclass(slots=True)
class RunLines:
    """What the files of a run say of a topic."""

    lines: list[tuple[str, int, str]] = field(default_factory=list)  #: path, line, text
    n_line: int = 0
    unread: list[str] = field(default_factory=list)  #: files whose lines cannot be located, each with the reason


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Location of a story in its source file, for files that point into the sources."""

    source_file: str
    record: tuple[float, float] | None
    second: tuple[float, float] | None


def run_lines(
    engine: Engine,
    owner: str,
    folders: Sequence[Path],
    *,
    task: str,
    block: str,
    names: Sequence[tuple[str, ...]],
) -> RunLines:
    """Return the lines of a run's files that decide about a topic.

    Args:
        engine: the store.
        owner: the run, as ``run:CONDITION/ID``.
        folders: where the paths of the store begin; the first that has a file as it was loaded counts.
        task, block: of the run; the topic.
        names: for each trial the ids of its stories; none: all lines that name the topic.
    """
    found = RunLines()
    locations = _source_locations(engine, owner, {name for ids in names for name in ids}) if names else {}
    for path, size, sha256 in engine.rows(
        "select path, n_byte, sha256 from registry.input_file where owner = ? order by input_file_no", [owner]
    ):
        there = [folder / path for folder in folders if (folder / path).is_file()]
        file = next((place for place in there if place.stat().st_size == size), there[0] if there else None)
        if file is None:
            looked = " or ".join(dict.fromkeys(str(folder.resolve()) for folder in folders))
            found.unread.append(f"{path}: not below {looked}. Name the bundle's folder with --source-dir.")
            continue
        try:
            data = file.read_bytes()
        except OSError as error:
            found.unread.append(f"{path}: cannot be read: {error.strerror}.")
            continue
        now = hashlib.sha256(data).hexdigest()
        if (len(data), now) != (size, sha256):
            found.unread.append(
                f"{path}: not what was loaded (loaded {size} bytes, sha256 {sha256[:16]}; now {len(data)} bytes, "
                f"{now[:16]}). Its lines are not shown."
            )
            continue
        run = owner.partition("/")[2] if _is_shared(engine, owner, path) else ""
        for line, text in _matching(list(numbered_lines(data, Problems(path))), task, block, names, locations):
            if run and not _says(run, _FIELD.findall(text)):
                continue
            found.n_line += 1
            if len(found.lines) < SHOWN_LINES:
                found.lines.append((path, line, " ".join(text.split())))
    return found


def _is_shared(engine: Engine, owner: str, path: str) -> bool:
    """Return True for a file of several runs, each of whose lines names its run."""
    return bool(
        engine.rows(
            """select 1 from registry.input_file where path = ? and owner like 'run:%' and owner <> ? and
            split_part(owner, '/', 1) = split_part(?, '/', 1)""",
            [path, owner, owner],
        )
    )


def _says(run: str, parts: list[str]) -> bool:
    """Return True where the fields of a line name a run: RUN, or TEAM and RUN of TEAM-RUN."""
    return run in parts or any(f"{team}-{name}" == run for team, name in pairwise(parts))


def _is_event(event: str, parts: list[str]) -> bool:
    """Return True where a line begins with an event, with or without the prefix of its year."""
    return bool(parts) and (parts[0] == event or event.endswith(f".{parts[0]}") or parts[0].endswith(f".{event}"))


def _source_locations(engine: Engine, owner: str, stories: set[str]) -> dict[str, SourceLocation]:
    """Return the locations of the stories in their source files."""
    rows = engine.rows(read_statement("explain/locations"), {"owner": owner, "stories": sorted(stories)})
    return {row[0]: SourceLocation(row[1], _span(row[2], row[3]), _span(row[4], row[5])) for row in rows}


def _span(begin: float | None, end: float | None) -> tuple[float, float] | None:
    return None if begin is None or end is None else (float(begin), float(end))


def _stem(name: str) -> str:
    return name.rpartition("/")[2].partition(".")[0]


def _matching(
    lines: list[tuple[int, str]],
    task: str,
    block: str,
    names: Sequence[tuple[str, ...]],
    locations: dict[str, SourceLocation],
) -> list[tuple[int, str]]:
    """Return the lines of one file that belong to the trials, or, without trials, to the topic."""
    fields = [(line, text, _FIELD.findall(text)) for line, text in lines]
    if TASKS[task].blocks != "topic":
        event, _, attribute = block.partition("/")
        return [
            (line, text)
            for line, text, parts in fields
            if _is_event(event, parts) and (not attribute or attribute in parts)
        ]
    wanted = {block}
    # a decision on a story or a pair, and a tree, is about all topics; an output for one topic names it in its head
    about_all = not TASKS[task].is_by_topic
    head = next((parts for _, text, parts in fields if parts and not text.startswith("#")), [])
    pointer = head[-1] if head and head[-1] in ("recid", "time") else None
    of_file = about_all or wanted <= set(head)
    if names and head and len(head) in (4, 5) and head[-1] in ("recid", "time", "docno") and not of_file:
        return []
    ids = {frozenset(trial) for trial in names}
    single = {name for trial in names if len(trial) == 1 for name in trial}
    pointed = _pointed(fields, pointer, locations) if pointer else {}
    found = []
    for line, text, parts in fields:
        here = set(parts)
        if not (of_file or wanted <= here):
            continue
        if (
            not names
            and wanted <= here
            or here & single
            or line in pointed
            or (len(parts) >= 2 and any(trial <= here for trial in ids if len(trial) > 1))
        ):
            found.append((line, text))
    return found


def _pointed(fields: list[tuple[int, str, list[str]]], pointer: str, locations: dict[str, SourceLocation]) -> set[int]:
    """Return the lines whose interval, from their position to that of the next line, overlaps one of the stories."""
    stretches: dict[str, list[tuple[float, int]]] = {}
    for line, _, parts in fields:
        if len(parts) >= 3:
            try:
                stretches.setdefault(_stem(parts[0]), []).append((float(parts[1]), line))
            except ValueError:
                continue
    found = set()
    for place in locations.values():
        span = place.record if pointer == "recid" else place.second
        records = sorted(stretches.get(place.source_file, []))
        if span is None or not records:
            continue
        begins = [position for position, _ in records]
        first = max(bisect_right(begins, span[0]) - 1, 0)
        found |= {line for position, line in records[first:] if position <= span[1]}
    return found
