"""What differs between two archives, and why numbers do.

Archives are compared by what they say: names, hashes, values. A number differs because its run is another one, or its
condition (corpus, judgments, parameters), or the profile, or the definitions of its task, or the versions it was made
with; all that apply are named. Either archive may be public, and of any release whose archives have the same tables.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from tdtsql.audit.container import check_rows, read
from tdtsql.audit.release import read_release
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import InvalidArchive
from tdtsql.intake.fingerprint import fingerprint

COLUMNS = ("what", "name", "change", "because")
NUMBER_COLUMNS = (
    "condition_id",
    "run_id",
    "profile_id",
    "subset",
    "weighting",
    "block_id",
    "metric",
    "old",
    "new",
    "because",
)

#: keys of a number in results.json
_SCORE = ("condition", "run", "profile", "subset", "weighting", "metric")
_BLOCK = ("condition", "run", "profile", "subset", "block", "metric")
_VERSIONS = ("tdtsql", "duckdb", "python", "numpy", "libc", "machine", "system")


@dataclass(slots=True)
class _Side:
    """One archive, as it is compared."""

    tag: str | None
    environment: dict[str, str]
    definitions: dict[str, str] = field(default_factory=dict)  #: relation -> hash of it and of all it reads
    own: dict[str, str] = field(default_factory=dict)  #: relation -> hash of its own words
    tasks: dict[str, str] = field(default_factory=dict)  #: task -> hash of its published views
    profiles: dict[str, dict[str, object]] = field(default_factory=dict)
    corpora: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)
    task_of: dict[str, str] = field(default_factory=dict)
    runs: dict[tuple[str, str], str] = field(default_factory=dict)
    n_row: dict[tuple[str, str], int] = field(default_factory=dict)
    judgments: dict[tuple, str] | None = None  #: (corpus, set, topic, story) -> label; None where they are not in it
    numbers: dict[tuple, str | None] = field(
        default_factory=dict
    )  #: (condition, run, profile, subset, weighting, block, metric) -> bits


def differences(old: Path, new: Path) -> list[tuple[str, str, str, str]]:
    """Return (what, name, change, because) of everything that differs between two archives, the causes first.

    Raises:
        InvalidArchive: one of them is damaged, or has other tables.
    """
    one, other = _side(old), _side(new)
    found: list[tuple[str, str, str, str]] = []
    if one.tag != other.tag:
        found.append(("release", other.tag or "", f"{one.tag or 'no tag'} -> {other.tag or 'no tag'}", ""))
    found += [
        ("version", name, f"{one.environment.get(name)} -> {other.environment.get(name)}", "")
        for name in _VERSIONS
        if one.environment.get(name) != other.environment.get(name)
    ]
    found += _definitions(one, other)
    found += [("profile", name, change, "") for name, change in _changes(one.profiles, other.profiles, _values)]
    found += [("corpus", name, change, "") for name, change in _changes(one.corpora, other.corpora, _hashes)]
    found += _judgments(one, other)
    found += [("condition", name, change, "") for name, change in _changes(one.conditions, other.conditions, _hashes)]
    found += [("run", "/".join(name), change, "") for name, change in _changes(one.runs, other.runs, _hashes)]
    return found + _numbers(one, other)


def different_numbers(old: Path, new: Path) -> list[tuple]:
    """Return every number that differs between two archives, columns as in NUMBER_COLUMNS; of one that is there once
    the other side is None.
    """
    one, other = _side(old), _side(new)
    return [
        (*key, _value(one.numbers.get(key)), _value(other.numbers.get(key)), _because(one, other, key))
        for key in _different(one, other)
    ]


def _side(path: Path) -> _Side:
    files = read(path)
    release = read_release(path, files)
    engine = Engine(":memory:")
    try:
        side = _Side(release["tag"] if release else None, json.loads(files["environment.json"]))
        with TemporaryDirectory() as folder:

            def rows(table: str, columns: str) -> list[tuple]:
                data = files.get(f"table/{table}.parquet")
                if data is None:
                    return []
                part = Path(folder) / "part.parquet"
                part.write_bytes(data)
                check_rows(engine, part)
                return engine.rows(f"select {columns} from {parquet_source(part)} order by all")

            for relation, own, whole in rows("registry.definition", "relation, token_sha256, closure_sha256"):
                side.own[relation], side.definitions[relation] = own, whole
            side.tasks = dict(rows("registry.task_definition", "task, sha256"))
            names = _columns(engine, files, folder)
            for row in rows("registry.profile", ", ".join(["profile_id", *names])):
                side.profiles[row[0]] = dict(zip(names, row[1:], strict=True))
            corpora = rows("registry.corpus", "corpus_no, corpus_id, content_sha256")
            side.corpora = {name: sha256 for _, name, sha256 in corpora}
            of_corpus = {number: sha256 for number, _, sha256 in corpora}
            conditions = rows("registry.condition", "condition_no, condition_id, task, content_sha256, corpus_no")
            # with its corpus, as in signatures
            side.conditions = {
                name: fingerprint(of_corpus.get(number), sha256) for _, name, _, sha256, number in conditions
            }
            side.task_of = {name: task for _, name, task, *_ in conditions}
            names_of = {number: name for number, name, *_ in conditions}
            for number, run, sha256, n_row in rows("registry.run", "condition_no, run_id, content_sha256, n_row"):
                side.runs[names_of[number], run], side.n_row[names_of[number], run] = sha256, n_row
            if "table/base.judgment.parquet" in files:
                corpus = {number: name for number, name, _ in corpora}
                topics = {row[:2]: row[2] for row in rows("base.topic", "corpus_no, topic_no, topic_id")}
                stories = {row[:2]: row[2] for row in rows("base.story", "corpus_no, story_no, story_id")}
                side.judgments = {
                    (
                        corpus[number],
                        judgment_set,
                        topics.get((number, topic), str(topic)),
                        stories.get((number, story), str(story)),
                    ): label
                    for number, judgment_set, topic, story, label in rows(
                        "base.judgment", "corpus_no, judgment_set, topic_no, story_no, label"
                    )
                }
        results = json.loads(files["results.json"])
        for row in results["scores"]:
            side.numbers[(*(row[name] for name in _SCORE[:5]), None, row["metric"])] = row["hex"]
        for row in results["block_scores"]:
            side.numbers[(*(row[name] for name in _BLOCK[:4]), None, row["block"], row["metric"])] = row["hex"]
    except (duckdb.Error, KeyError, TypeError, ValueError) as error:
        raise InvalidArchive(
            f"{path}: it cannot be compared: {first_line(error)}. Is it of another release? `tdtsql archive verify` "
            f"says which one packed it."
        ) from None
    finally:
        engine.close()
    return side


def _changes(one: dict, other: dict, said) -> Iterable[tuple]:
    """Yield (name, change) of what is only in one of two dictionaries, or another in each; ``said`` tells how."""
    for name in sorted(one.keys() | other.keys()):
        if name not in one:
            yield name, "added"
        elif name not in other:
            yield name, "removed"
        elif one[name] != other[name]:
            yield name, said(one[name], other[name])


def _hashes(one: str, other: str) -> str:
    return f"changed ({one[:8]} -> {other[:8]})"


def _values(one: dict, other: dict) -> str:
    return ", ".join(
        f"{name}: {one.get(name)} -> {other.get(name)}"
        for name in dict.fromkeys((*one, *other))
        if one.get(name) != other.get(name)
    )


def _definitions(one: _Side, other: _Side) -> list[tuple[str, str, str, str]]:
    """Return the views that are others, and those that read them as one line."""
    found = [("definition", name, change, "") for name, change in _changes(one.own, other.own, _hashes)]
    indirect = [
        name
        for name in one.own.keys() & other.own.keys()
        if one.own[name] == other.own[name] and one.definitions[name] != other.definitions[name]
    ]
    if indirect:
        found.append(
            (
                "definition",
                f"{len(indirect)} views",
                "read one that changed",
                ", ".join(sorted(name for _, name, _, _ in found)[:3]),
            )
        )
    return found


def _judgments(one: _Side, other: _Side) -> list[tuple[str, str, str, str]]:
    """Return a line for each corpus and judgment set whose judgments differ."""
    if one.judgments is None or other.judgments is None:
        return []
    counts: dict[tuple[str, int], list[int]] = {}
    first: dict[tuple[str, int], str] = {}
    for key in sorted(one.judgments.keys() | other.judgments.keys(), key=str):
        before, after = one.judgments.get(key), other.judgments.get(key)
        if before != after:
            place = (key[0], key[1])
            counts.setdefault(place, [0, 0, 0])[0 if before is None else 1 if after is None else 2] += 1
            first.setdefault(place, f"first {key[2]} {key[3]}: {before or 'none'} -> {after or 'none'}")
    return [
        (
            "judgments",
            corpus if number == 1 else f"{corpus}, set {number}",
            f"{added:,} added, {gone:,} removed, {changed:,} changed",
            first[corpus, number],
        )
        for (corpus, number), (added, gone, changed) in counts.items()
    ]


def _numbers(one: _Side, other: _Side) -> list[tuple[str, str, str, str]]:
    """Return a line for each run, profile and metric with numbers that differ."""
    grouped: dict[tuple[str, str, str, str], list[tuple]] = {}
    for key in _different(one, other):
        grouped.setdefault((key[0], key[1], key[2], key[6]), []).append(key)
    total: dict[tuple[str, str, str, str], int] = {}
    for key in one.numbers.keys() | other.numbers.keys():
        place = (key[0], key[1], key[2], key[6])
        total[place] = total.get(place, 0) + 1
    found = []
    for place, keys in sorted(grouped.items()):
        condition, run, profile, metric = place
        sizes = [
            (abs(after - before), key)
            for key in keys
            if (before := _value(one.numbers.get(key))) is not None
            and (after := _value(other.numbers.get(key))) is not None
        ]
        largest = ""
        if sizes:
            _, key = max(sizes, key=lambda size: (size[0], [str(part) for part in size[1]]))
            where = ", ".join(str(part) for part in (key[3], key[4], key[5]) if part is not None)
            largest = f", largest {_value(one.numbers[key]):.6g} -> {_value(other.numbers[key]):.6g} ({where})"
        found.append(
            (
                "number",
                f"{condition}/{run}, {profile}: {metric}",
                f"{len(keys):,} of {total[place]:,} differ{largest}",
                _because(one, other, keys[0]),
            )
        )
    return found


def _different(one: _Side, other: _Side) -> list[tuple]:
    keys = one.numbers.keys() | other.numbers.keys()
    return sorted(
        (
            key
            for key in keys
            if (key in one.numbers) != (key in other.numbers) or one.numbers.get(key) != other.numbers.get(key)
        ),
        key=lambda key: [str(part) for part in key],
    )


def _because(one: _Side, other: _Side, key: tuple) -> str:
    """Return all that a number hangs on and that is another one."""
    condition, run, profile = key[:3]
    for side, there in ((one, "old"), (other, "new")):
        if (condition, run) not in side.runs:
            return f"the run is not in the {there} archive"
    causes = []
    if one.runs[condition, run] != other.runs[condition, run]:
        causes.append("run")
    if one.conditions.get(condition) != other.conditions.get(condition):
        causes.append("condition or judgments")
    if one.profiles.get(profile) != other.profiles.get(profile):
        causes.append("profile")
    task = other.task_of[condition]
    if one.tasks.get(task) != other.tasks.get(task):
        causes.append("definitions")
    if not causes and (one.environment.get("tdtsql"), one.environment.get("duckdb")) != (
        other.environment.get("tdtsql"),
        other.environment.get("duckdb"),
    ):
        causes.append("versions")
    others = {name for where, name in one.runs.keys() ^ other.runs.keys() if where == condition} | {
        name
        for where, name in one.runs.keys() & other.runs.keys()
        if where == condition and one.runs[where, name] != other.runs[where, name]
    }
    if not causes and others:
        causes.append(f"other runs of the condition ({', '.join(sorted(others)[:3])})")
    return ", ".join(causes) or "it was asked for in one of them only"


def _columns(engine: Engine, files: dict[str, bytes], folder: str) -> list[str]:
    part = Path(folder) / "profile.parquet"
    part.write_bytes(files["table/registry.profile.parquet"])
    return [
        row[0] for row in engine.rows(f"describe select * exclude (profile_no, profile_id) from {parquet_source(part)}")
    ]


def _value(bits: str | None) -> float | None:
    return None if bits is None else float.fromhex(bits)
