"""Differences between two archives, and their causes.

Archives are compared by their contents: names, hashes, values. The cause of a different number is its run, its
condition (corpus, judgments, parameters), the profile, the definitions of its task, or the versions of the programs;
all causes are listed. Either archive may be public, and of any release whose archives have the same tables.
"""

import json
from typing import Any
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from tdtsql.audit.container import check_rows, read
from tdtsql.audit.release import read_release
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import sql_identifier, parquet_source
from tdtsql.errors import InvalidArchive
from tdtsql.intake.fingerprint import fingerprint
from tdtsql.metric.ddl import tables
from tdtsql.task import TASKS

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
#: topics of a change that are named
_LISTED = 10
_VERSIONS = ("tdtsql", "duckdb", "python", "numpy", "libc", "machine", "system")


@dataclass(slots=True)
class _Side:
    """One archive, as it is compared."""

    tag: str | None
    environment: dict[str, str]
    definitions: dict[str, str] = field(default_factory=dict)  #: relation -> hash of it and of all it reads
    own: dict[str, str] = field(default_factory=dict)  #: relation -> hash of its tokens
    tasks: dict[str, str] = field(default_factory=dict)  #: task -> hash of its published views
    profiles: dict[str, dict[str, object]] = field(default_factory=dict)
    corpora: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)
    task_of: dict[str, str] = field(default_factory=dict)
    runs: dict[tuple[str, str], str] = field(default_factory=dict)
    n_row: dict[tuple[str, str], int] = field(default_factory=dict)
    settings: dict[str, dict[str, object]] = field(default_factory=dict)  #: condition -> its parameters
    blocks: dict[str, list[str]] = field(default_factory=dict)  #: condition -> topics, events, ... that are scored
    excluded: dict[tuple[str, str], str] = field(default_factory=dict)  #: (condition, topic) -> why it is left out
    files: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)  #: run -> path -> hash
    tables: dict[tuple[str, str], dict] = field(default_factory=dict)  #: run -> the ledger's record of its loaded data
    withdrawn: dict[tuple[str, str], str] = field(default_factory=dict)  #: run -> why
    #: (corpus, set, topic, story) -> label; None if the archive does not have them
    judgments: dict[tuple, str] | None = None
    #: (condition, run, profile, subset, weighting, block, metric) -> bits
    numbers: dict[tuple, str | None] = field(default_factory=dict)


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
    for name, change in _changes(one.conditions, other.conditions, _hashes):
        found.append(("condition", name, _condition(one, other, name) or change, ""))
    return found + _runs(one, other) + _numbers(one, other)


def different_numbers(old: Path, new: Path) -> list[tuple]:
    """Return every number that differs between two archives, columns as in NUMBER_COLUMNS. A number that only one
    archive has is None on the other side.
    """
    one, other = _side(old), _side(new)
    _rename(one, _renamed(one, other))
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
            for row in rows("registry.profile", ", ".join(sql_identifier(name) for name in ["profile_id", *names])):
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
            runs = {}
            for run_no, number, run, sha256, n_row in rows(
                "registry.run", "run_no, condition_no, run_id, content_sha256, n_row"
            ):
                name = runs[run_no] = (names_of[number], run)
                side.runs[name], side.n_row[name] = sha256, n_row
            side.withdrawn = {runs[run_no]: reason for run_no, reason in rows("registry.withdrawal", "run_no, reason")}
            for owner, path_, sha256 in rows("registry.input_file", "owner, path, sha256"):
                if (of_run := _run_of(owner)) is not None:
                    side.files.setdefault(of_run, {})[path_] = sha256
            for owner, detail in (
                rows("ledger.entry", "subject, detail") if "table/ledger.entry.parquet" in files else ()
            ):
                if (of_run := _run_of(owner)) is not None and "tables" in (said := json.loads(detail)):
                    side.tables[of_run] = {key: now for key, now in said["tables"].items() if key.startswith("base.")}
            for number, block in rows("base.block", "condition_no, block_id"):
                side.blocks.setdefault(names_of[number], []).append(block)
            side.excluded = {
                (names_of[number], topic): reason
                for number, topic, reason in rows("registry.excluded_topic", "condition_no, topic_id, reason")
            }
            if "table/registry.condition.parquet" in files:
                columns = [name for name in tables()["registry.condition"].columns if name not in _NO_SETTINGS]
                for name, *values in rows("registry.condition", ", ".join(["condition_id", *columns])):
                    side.settings[name] = dict(zip(columns, values, strict=True))
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
    """Yield (name, change) of entries that one dictionary lacks, or that differ; ``said`` formats a change."""
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


#: columns of a condition that are no parameters of it
_NO_SETTINGS = (
    "condition_no",
    "condition_id",
    "corpus_no",
    "base_condition_no",
    "content_sha256",
    "source_sha256",
    "is_partition",
)


def _run_of(owner: str) -> tuple[str, str] | None:
    """Return condition and run of ``run:CONDITION/RUN``; None for another owner."""
    kind, _, name = owner.partition(":")
    condition, _, run = name.partition("/")
    return (condition, run) if kind == "run" else None


def _condition(one: _Side, other: _Side, name: str) -> str:
    """Return what changed in a condition of both archives, in words; empty where it was added or removed, or nothing is
    known.
    """
    if name not in one.settings or name not in other.settings:
        return ""
    changes = [
        f"{key}: {before if before is not None else 'none'} -> {now if now is not None else 'none'}"
        for key, before in one.settings[name].items()
        if (now := other.settings[name].get(key)) != before
    ]
    what = {"event": "event", "topic": "topic"}.get(TASKS[one.task_of[name]].blocks, "block")
    for done, here, there in (("removed", one, other), ("added", other, one)):
        blocks = sorted(set(here.blocks.get(name, ())) - set(there.blocks.get(name, ())))
        listed = [
            f"{block} ({there.excluded[name, block]})" if (name, block) in there.excluded else block
            for block in blocks[:_LISTED]
        ]
        if blocks:
            more = f" and {len(blocks) - _LISTED:,} more" if len(blocks) > _LISTED else ""
            changes.append(f"{what}{'' if len(blocks) == 1 else 's'} {', '.join(listed)}{more} {done}")
    for topic in sorted(
        topic
        for condition, topic in one.excluded.keys() ^ other.excluded.keys()
        if condition == name and topic in one.blocks.get(name, ()) and topic in other.blocks.get(name, ())
    ):
        reason = other.excluded.get((name, topic))
        changes.append(f"{what} {topic} " + ("counts again" if reason is None else f"removed ({reason})"))
    return "; ".join(changes)


def _renamed(one: _Side, other: _Side) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the runs that are in both archives under another name of the same condition, with the same rows."""
    gone, new = sorted(one.runs.keys() - other.runs.keys()), sorted(other.runs.keys() - one.runs.keys())
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for name in gone:
        same = [
            twin
            for twin in new
            if twin[0] == name[0] and one.tables.get(name) and one.tables[name] == other.tables.get(twin)
        ]
        if len(same) == 1 and same[0] not in found.values():
            found[name] = same[0]
    return found


def _rename(side: _Side, names: dict[tuple[str, str], tuple[str, str]]) -> None:
    """Rename runs of an archive to their names in the other one."""
    of_runs: tuple[dict[tuple[str, str], Any], ...] = (
        side.runs,
        side.n_row,
        side.files,
        side.tables,
        side.withdrawn,
    )
    for known in of_runs:
        for name, new in names.items():
            if name in known:
                known[new] = known.pop(name)
    side.numbers = {(*names.get(key[:2], key[:2]), *key[2:]): value for key, value in side.numbers.items()}


def _runs(one: _Side, other: _Side) -> list[tuple[str, str, str, str]]:
    """Return a line for each run that came, went, was renamed, withdrawn or restored, or has other rows."""
    names = _renamed(one, other)
    found = [("run", "/".join(name), f"renamed to {new[1]}", "") for name, new in names.items()]
    _rename(one, names)
    for new in names.values():
        one.runs[new] = other.runs[new]  # its hash covers the name
    n_number = [Counter(key[:2] for key in side.numbers) for side in (one, other)]
    for name in sorted(one.runs.keys() | other.runs.keys()):
        changes = []
        if name not in one.runs:
            changes.append(f"added, {n_number[1][name]:,} numbers")
        elif name not in other.runs:
            changes.append(f"removed, with its {n_number[0][name]:,} numbers")
        elif one.runs[name] != other.runs[name]:
            before, now = one.files.get(name, {}), other.files.get(name, {})
            if before and sorted(before.values()) == sorted(now.values()):
                if one.conditions.get(name[0]) == other.conditions.get(name[0]):
                    changes.append("the same files, other rows")
            else:
                sides = [", ".join(sorted(paths)[:3]) or "columns" for paths in (before, now)]
                changes.append(
                    f"file {sides[0]} -> {sides[1]}, {one.n_row[name]:,} -> {other.n_row[name]:,} rows"
                    if sides[0] != sides[1]
                    else f"{sides[0]} changed, {one.n_row[name]:,} -> {other.n_row[name]:,} rows"
                )
        if name in one.runs and name in other.runs and one.withdrawn.get(name) != other.withdrawn.get(name):
            reason = other.withdrawn.get(name)
            changes.append("restored" if reason is None else f"withdrawn: {reason}")
        found += [("run", "/".join(name), "; ".join(changes), "")] if changes else []
    return found


def _numbers(one: _Side, other: _Side) -> list[tuple[str, str, str, str]]:
    """Return a line for each run of both archives and profile with different numbers: their count, and the primary
    metric, or else the one with the largest change.
    """
    grouped: dict[tuple[str, str, str], list[tuple]] = {}
    for key in _different(one, other):
        if key[:2] in one.runs and key[:2] in other.runs:
            grouped.setdefault(key[:3], []).append(key)
    total = Counter(key[:3] for key in one.numbers.keys() | other.numbers.keys())
    found = []
    for place, keys in sorted(grouped.items()):
        condition, run, profile = place
        primary = TASKS[other.task_of[condition]].primary
        sizes = [
            (abs(after - before), key)
            for key in keys
            if (before := _value(one.numbers.get(key))) is not None
            and (after := _value(other.numbers.get(key))) is not None
        ]
        largest = ""
        if sizes:
            _, key = max(
                sizes,
                key=lambda size: (
                    size[1][6] == primary,
                    size[1][3] == "all",
                    size[1][4] == "topic",
                    size[0],
                    [str(part) for part in size[1]],
                ),
            )
            where = ", ".join(str(part) for part in (key[3], key[4], key[5]) if part is not None)
            largest = f": {key[6]} {_value(one.numbers[key]):.6g} -> {_value(other.numbers[key]):.6g} ({where})"
        n_metric = len({key[6] for key in keys})
        found.append(
            (
                "number",
                f"{condition}/{run}, {profile}",
                f"{len(keys):,} of {total[place]:,} differ, of {n_metric} metrics{largest}",
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
    """Return every dependency of a number that differs."""
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
    return ", ".join(causes) or "it was requested in one of them only"


def _columns(engine: Engine, files: dict[str, bytes], folder: str) -> list[str]:
    part = Path(folder) / "profile.parquet"
    part.write_bytes(files["table/registry.profile.parquet"])
    return [
        row[0] for row in engine.rows(f"describe select * exclude (profile_no, profile_id) from {parquet_source(part)}")
    ]


def _value(bits: str | None) -> float | None:
    return None if bits is None else float.fromhex(bits)
