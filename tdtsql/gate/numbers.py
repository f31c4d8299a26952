"""Numbers of runs that a gate compares: of the store, of the file of another store, or of an archive."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tdtsql.audit.container import read, records
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidNumbers, NotAStore, truncate
from tdtsql.store.opening import open_file
from tdtsql.task import WEIGHTINGS

#: (profile_id, subset, metric, weighting)
ScoreKey = tuple[str, str, str, str]


class BlockKey(NamedTuple):
    """What a number of a run on a topic is of."""

    profile: str
    subset: str
    metric: str


#: the tail of a signature, short or long
_HASHES = re.compile(r"\|sql:(?P<sql>[0-9a-f]{8,})\|judgments:(?P<judgments>[0-9a-f]{8,})\|run:(?P<run>[0-9a-f]{8,})\|")


@dataclass(frozen=True)
class Score:
    """One printed number."""

    value: float | None
    n: int | None
    version: str
    signature: str


@dataclass
class RunNumbers:
    """All that is known of one run under one condition."""

    scores: dict[ScoreKey, Score] = field(default_factory=dict)
    blocks: dict[BlockKey, dict[str, float | None]] = field(default_factory=dict)  #: numbers by topic
    versions: dict[BlockKey, str] = field(default_factory=dict)
    #: profile -> hashes sql, judgments and run, from signatures
    hashes: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a number of the run, or of the run on a topic: a row of report.score or report.block_score.

        Raises:
            InvalidNumbers: it is a duplicate, its value is not a number, or its signature has no hashes.
        """
        key = BlockKey(row["profile_id"], row["subset"], row["metric"])
        value = _value(row["value"])
        block, weighting = row.get("block_id"), row.get("weighting", "")
        if (block in self.blocks.get(key, {})) if "block_id" in row else (*key, weighting) in self.scores:
            said = f" on {block!r}" if "block_id" in row else f", {weighting}-weighted,"
            raise InvalidNumbers(f"{key[2]} of run {row['run_id']!r}{said} is duplicated. Keep one.")
        if "signature" in row:
            self.hashes.setdefault(key[0], _hashes(row["signature"]))
        if "block_id" in row:
            self.blocks.setdefault(key, {})[row["block_id"]] = value
            self.versions[key] = row["version"]
        else:
            self.scores[*key, weighting] = Score(value, row["n"], row["version"], row["signature"])

    def printed(self, key: BlockKey) -> tuple[str, Score] | None:
        """Return the weighting and the number that is printed of a metric: topic-weighted where there is one."""
        for weighting in WEIGHTINGS:
            score = self.scores.get((*key, weighting))
            if score is not None and score.value is not None:
                return weighting, score
        return None

    def version(self, key: BlockKey) -> str | None:
        """Return the version of the definition of a metric's numbers."""
        printed = self.printed(key)
        return self.versions.get(key) or (printed[1].version if printed else None)


#: (condition_id, run_id) -> its numbers
Numbers = dict[tuple[str, str], RunNumbers]


def of_store(engine: Engine, runs: Sequence[tuple[str, str]]) -> Numbers:
    """Return the numbers of some runs (condition_id, run_id) that are up to date in a store."""
    found: Numbers = {where: RunNumbers() for where in runs}
    for where, numbers in found.items():
        for relation in ("report.score", "report.block_score"):
            rows = engine.relation(
                f"select * from {relation} where condition_id = $condition and run_id = $run",
                {"condition": where[0], "run": where[1]},
            )
            for row in rows.order("profile_id, subset, metric").fetchall():
                numbers.add(dict(zip(rows.columns, row, strict=True)))
    return found


def of_store_file(path: Path) -> Numbers:
    """Return the up-to-date numbers of all runs in the file of another store.

    Raises:
        NotAStore: the file does not exist, or is no store.
    """
    if not path.is_file():
        raise NotAStore(f"{path}: file not found. Name the file of a store.")
    other = open_file(str(path), read_only=True)
    try:
        runs = other.rows("select condition_id, run_id from registry.run join registry.condition using (condition_no)")
        return of_store(other, runs)
    finally:
        other.close()


def of_archive(path: Path) -> Numbers:
    """Return the numbers of an archive, after every byte of it was accounted for; they are not computed again.

    Raises:
        InvalidArchive: it is damaged; the message names the file in it.
        InvalidNumbers: its results cannot be read.
    """
    files, found = read(path), Numbers()
    try:
        for name in ("result/score.parquet", "result/block_score.parquet"):
            for row in records(files, name):
                found.setdefault((row["condition_id"], row["run_id"]), RunNumbers()).add(row)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidNumbers(
            f"{path}: its numbers cannot be read ({error}). Name an archive that `tdtsql archive pack` wrote."
        ) from None
    return found


def _hashes(signature: str) -> dict[str, str]:
    found = _HASHES.search(signature)
    if found is None:
        raise InvalidNumbers(
            f"signature {truncate(signature)!r} has no hashes of definitions, judgments and run. Name an archive that "
            f"`tdtsql archive pack` wrote."
        )
    return found.groupdict()


def _value(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        raise InvalidNumbers(f"value {value!r} of an archive is not a number.") from None
