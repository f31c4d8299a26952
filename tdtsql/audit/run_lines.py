"""Lines of a run's own files that speak of one topic.

Of a system output the store keeps decisions, and of its files name, size and hash. So the files are read again where
they still lie, and only if they are what was loaded; `sql/explain/run_lines.sql` says which of their lines belong to
the topic.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problems
from tdtsql.files.text import numbered_lines

#: lines of files about a topic, and trials of it, that are shown
SHOWN_LINES = 50


@dataclass(slots=True)
class RunLines:
    """What the files of a run say of a topic."""

    lines: list[tuple[str, int, str]] = field(default_factory=list)  #: path, line, text
    n_line: int = 0
    unread: list[str] = field(default_factory=list)  #: files whose lines cannot be located, each with the reason


def run_lines(
    engine: Engine, run_no: int, folders: Sequence[Path], *, block: str, units: Sequence[Sequence[str]]
) -> RunLines:
    """Return the lines of a run's files that decide about a topic.

    Args:
        folders: where the paths of the store begin; the first that has a file as it was loaded counts.
        units: for each trial the ids of its stories; none: all lines that name the topic.
    """
    found = RunLines()
    for file_of_run in engine.records(read_statement("explain/run_files"), {"run_no": run_no}):
        path, size, sha256 = (file_of_run.pop(name) for name in ("path", "n_byte", "sha256"))
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
        lines, texts = zip(*numbered_lines(data, Problems(path)), strict=True)
        engine.insert_temporary("explained_line", {"line": list(lines), "text": list(texts)})
        wanted = {"block": block, "units": [list(names) for names in units], "most": SHOWN_LINES} | file_of_run
        rows = engine.rows(read_statement("explain/run_lines"), wanted)
        found.n_line += rows[0][2] if rows else 0
        found.lines = [*found.lines, *((path, line, text) for line, text, _ in rows)][:SHOWN_LINES]
    return found
