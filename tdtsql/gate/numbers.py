"""Numbers of runs that a gate compares: of a store, of an archive, or released as a file.

A released set of numbers is what `tdtsql score --format json` prints (and, topic by topic, `tdtsql score --per-topic
--format json`, in the same file or in another): an array of rows, each with its signature. Of a row and its signature
the parts that both have must be the same.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tdtsql.audit.container import read
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidNumbers, truncate
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

#: columns of a released row, and of one on a topic
_SCORE = "condition_id run_id profile_id subset metric weighting value n version signature".split()
_BLOCK = "condition_id run_id profile_id subset block_id metric value version signature".split()


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

    def add(self, row: Mapping[str, Any], where: str = "a row") -> None:
        """Add a number of the run, or of the run on a topic: a row of report.score or report.block_score.

        Raises:
            InvalidNumbers: it is a duplicate, its value is not a number, or its signature has no hashes.
        """
        key = BlockKey(row["profile_id"], row["subset"], row["metric"])
        value = _value(row["value"], where)
        block, weighting = row.get("block_id"), row.get("weighting", "")
        if (block in self.blocks.get(key, {})) if "block_id" in row else (*key, weighting) in self.scores:
            said = f" on {block!r}" if "block_id" in row else f", {weighting}-weighted,"
            raise InvalidNumbers(f"{where}: {key[2]} of run {row['run_id']!r}{said} is duplicated. Keep one.")
        if "signature" in row:
            self.hashes.setdefault(key[0], _hashes(row["signature"], where))
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


def of_archive(path: Path) -> Numbers:
    """Return the numbers of an archive, after every byte of it was accounted for; they are not computed again.

    Raises:
        InvalidArchive: it is damaged; the message names the file in it.
        InvalidNumbers: its results cannot be read.
    """
    results = json.loads(read(path)["results.json"])
    found: Numbers = {}
    try:
        for row in [*results["scores"], *results["block_scores"]]:
            named = row | {f"{name}_id": row[name] for name in ("condition", "run", "profile", "block") if name in row}
            found.setdefault((row["condition"], row["run"]), RunNumbers()).add(named)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidNumbers(
            f"{path}: results.json in it cannot be read ({error}). Name an archive that `tdtsql archive pack` wrote."
        ) from None
    return found


def of_files(paths: Sequence[Path]) -> Numbers:
    """Return released numbers: what `tdtsql score --format json` printed, with and without --per-topic.

    Raises:
        InvalidNumbers: a row cannot be read, is a duplicate, or its signature is another number's.
    """
    found: Numbers = {}
    for path in paths:
        for number, row in enumerate(_rows(path), 1):
            where = f"{path}: row {number}"
            columns = _BLOCK if isinstance(row, dict) and "block_id" in row else _SCORE
            missing = [name for name in columns if not isinstance(row, dict) or name not in row]
            if missing:
                raise InvalidNumbers(
                    f"{where} has no {', '.join(missing)}. Take what `tdtsql score --format json` prints, with or "
                    f"without --per-topic."
                )
            if any(not isinstance(row[name], str) for name in columns if name not in ("value", "n")):
                raise InvalidNumbers(
                    f"{where}: names, version and signature are texts. Take what `tdtsql score --format json` prints."
                )
            _check_signature(where, row)
            found.setdefault((row["condition_id"], row["run_id"]), RunNumbers()).add(row, where)
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidNumbers(f"{path}: cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        rows = None
    if not isinstance(rows, list) or not rows:
        raise InvalidNumbers(
            f"{path}: is not a JSON array of numbers. Take what `tdtsql score --format json` prints, with or without "
            f"--per-topic."
        )
    return rows


def _check_signature(where: str, row: dict[str, Any]) -> None:
    """Refuse a row whose signature is another number's."""
    weighting = row.get("weighting", "block")
    head = f"{row['metric']}:{row['version']}|w:{weighting}|profile:{row['profile_id']}|subset:{row['subset']}|"
    head += (
        f"block:{row['block_id']}|"
        if weighting == "block"
        else f"topics:{row['n']}|"
        if weighting.startswith("topic")
        else f"n:{row['n']}|"
    )
    if not row["signature"].startswith(head):
        raise InvalidNumbers(
            f"{where} is {head.rstrip('|')!r}, and its signature is of {row['signature'].split('|sql:')[0]!r}. It is "
            f"not what was released."
        )


def _hashes(signature: str, where: str = "a row") -> dict[str, str]:
    found = _HASHES.search(signature)
    if found is None:
        raise InvalidNumbers(
            f"{where}: signature {truncate(signature)!r} has no hashes of definitions, judgments and run. Take what "
            f"`tdtsql score --format json` prints."
        )
    return found.groupdict()


def _value(value: Any, where: str = "a row") -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        raise InvalidNumbers(f"{where}: value {value!r} is not a number.") from None
