"""The ledger: an append-only log of all operations on a store. Each entry contains the hash of the previous one.

An edited, removed or inserted entry breaks the chain, or disagrees with the contents of the store; `ledger verify`
reports the first difference.
"""

import getpass
import hashlib
import json
import os
import socket
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, sql_list
from tdtsql.errors import ChangedContent, escape_control
from tdtsql.definitions.catalogue import filled_by
from tdtsql.definitions.table import tables
from tdtsql.definitions.hashes import digest
from tdtsql.store.contents import (
    ADDED_TO,
    NOTHING,
    REGISTERED,
    read_of,
    Contents,
    contents_of,
    contents_of_runs,
    current_inputs,
    derived_tables,
    owner_hash,
    owners,
    place_of,
    profiles_of,
    registered_hashes,
    rewritten,
    orphans,
)
from tdtsql.task import TASKS

GENESIS = "0" * 64
#: kinds of entries
KINDS = frozenset("define load content drop rename withdraw restore compute distribute unread reread".split())
#: subject of entries about scoring profiles
PROFILES = "profiles"
COLUMNS = "entry_no made_at kind subject detail previous_sha256 sha256".split()


def append(engine: Engine, kind: str, subject: str, detail: dict) -> None:
    """Append one entry, in the caller's transaction."""
    append_all(engine, kind, [(subject, detail)])


def append_all(engine: Engine, kind: str, entries: Iterable[tuple[str, dict]]) -> None:
    """Append entries (subject, detail) in this order, in the caller's transaction."""
    if kind not in KINDS:
        raise ValueError(f"an entry of the ledger of no known kind: {kind}")
    last, previous = head(engine)
    at, by, rows = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), who(engine), []
    for number, (subject, detail) in enumerate(entries, last + 1):
        text = json.dumps(detail | {"by": by}, sort_keys=True, ensure_ascii=False)
        row = [number, at, kind, subject, text, previous]
        previous = entry_hash(row)
        rows.append([*row, previous])
        if kind == "load":
            engine.verified_owners.add(subject)
    if len(rows) == 1:
        engine.execute("insert into ledger.entry values (?, ?, ?, ?, ?, ?, ?)", rows[0])
    else:
        engine.insert_rows("ledger.entry", COLUMNS, rows)


def who(engine: Engine) -> str:
    """Return the author of an entry: USER@HOST, after a name if one is set (``connect``, or TDTSQL_BY)."""
    login = _login()
    name = escape_control((engine.by or os.environ.get("TDTSQL_BY", "")).strip())
    return f"{name} ({login})" if name else login


def _login() -> str:
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # the user of the process has no name
        user = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    return f"{user}@{socket.gethostname()}"


def entry_detail(detail: str) -> Any:
    """Return the detail of an entry without its author."""
    found = json.loads(detail)
    if isinstance(found, dict):
        found.pop("by", None)
    return found


def head(engine: Engine) -> tuple[int, str]:
    """Return number and hash of the last entry, which covers all before it; (0, zeros) for an empty ledger."""
    [(number, sha256)] = engine.rows("select max(entry_no), max_by(sha256, entry_no) from ledger.entry")
    return (number, sha256) if number is not None else (0, GENESIS)


def entry_hash(row: list | tuple) -> str:
    """Return the hash of an entry's first six columns."""
    return digest(str(value) for value in row[:6])


def rows_hash(engine: Engine, table: str, where: str = "true") -> tuple[int, str]:
    """Return (rows, hash) of a table's rows, in a fixed order."""
    [found] = engine.rows(
        f"""select count(*), coalesce(sha256(string_agg(line, chr(10) order by line)), '')
        from (select {_line(table)} as line from {table} where {where})"""
    )
    return found


def _line(table: str) -> str:
    """Return SQL for a row as one unambiguous text, without the number of its computation. Each value is preceded by
    its length, and NULL is a word.
    """
    return "concat_ws('|', {})".format(
        ", ".join(
            f"coalesce(length({name}) || ':' || {name}, 'null')"
            if words[0] == "varchar"
            else f"coalesce(cast({name} as varchar), 'null')"
            for column, words in tables()[table].columns.items()
            if column != "computation_no"
            for name in [sql_identifier(column)]
        )
    )


def load_entry(
    engine: Engine, owner: str, place: tuple[str, int] | None = None, known: Contents | None = None
) -> tuple[str, dict]:
    """Return subject and detail of a load: the files in the registry, and the hashes of the tables (``place``,
    ``known``: as in `contents_of`).
    """
    place = place or owners(engine).get(owner)
    return load_entries(engine, {owner: contents_of(engine, owner, place, known=known) if place else {}})[0]


def load_entries(engine: Engine, contents: Mapping[str, Contents]) -> list[tuple[str, dict]]:
    """Return subject and detail of the loads of owners, from the contents of each and the files in the registry."""
    files = _files(engine, contents)
    return [(owner, {**files[owner], "tables": of_tables}) for owner, of_tables in contents.items()]


def _files(engine: Engine, owners: Collection[str]) -> dict[str, dict]:
    """Return owner -> the files and problems that the registry has of it, as its load says them."""
    files: dict[str, list[dict]] = {owner: [] for owner in owners}
    problems: dict[str, list[tuple]] = {owner: [] for owner in owners}
    for row in engine.records(
        """select owner, path, kind, n_byte, sha256, n_problem, reader_version as reader from registry.input_file
        where owner in (select unnest($owners)) order by input_file_no""",
        {"owners": list(owners)},
    ):
        files[row.pop("owner")].append(row)
    for owner, *problem in engine.rows(
        """select owner, code, path, line, column_no, message, value from registry.problem
        where owner in (select unnest($owners)) order by all""",
        {"owners": list(owners)},
    ):
        problems[owner].append(tuple(problem))
    return {
        owner: {
            "files": files[owner],
            "problems": dict(Counter(code for code, *_ in problems[owner])),
            "problems_sha256": digest(str(value) for problem in problems[owner] for value in problem),
        }
        for owner in owners
    }


def record_hash(engine: Engine, owner: str, names: Collection[str]) -> None:
    """Record the present hashes of these tables of a loaded owner, if they have changed."""
    before = recorded_hashes(engine, owner)
    if before is None:
        return  # its load is not recorded yet
    now = contents_of(engine, owner, place_of(engine, owner), names)
    changed = {name: now.get(name, NOTHING) for name in names if now.get(name, NOTHING) != before.get(name, NOTHING)}
    if changed:
        append(engine, "content", owner, {"tables": changed})


def record_profiles(engine: Engine, profiles: Iterable[str]) -> None:
    """Record the present hashes of these profiles, if they have changed."""
    before, now = _recorded_profiles(engine), profiles_of(engine)
    changed = {name: now[name] for name in profiles if before.get(name) != now[name]}
    if changed:
        append(engine, "content", PROFILES, {"profiles": changed})


def recorded_hashes(engine: Engine, owner: str) -> Contents | None:
    """Return the recorded hashes of the tables of an owner; None if it was not loaded."""
    return replay(engine, "subject = ?", [owner]).tables.get(owner)


@dataclass
class Recorded:
    """What the entries of a ledger say of the store: of each thing the last word."""

    made: dict = field(default_factory=dict)  #: what the store was made with
    #: user-defined metric or task package -> detail of its definition
    defined: dict[str, dict] = field(default_factory=dict)
    loads: dict[str, tuple[int, dict]] = field(default_factory=dict)  #: owner -> entry of its load, and its detail
    tables: dict[str, Contents] = field(default_factory=dict)  #: owner -> hashes of its tables, as last rewritten
    profiles: dict[str, str] = field(default_factory=dict)  #: profile -> hash of its values
    #: computation -> entry, subject, detail; of its numbers, and of its score distributions
    computed: dict[int, tuple[int, str, dict]] = field(default_factory=dict)
    fitted: dict[int, tuple[int, str, dict]] = field(default_factory=dict)


def replayed(entries: Iterable[Sequence]) -> Recorded:
    """Return what entries say, in order, columns as in COLUMNS; forged ones may lack parts (`_misused`)."""
    said, later = Recorded(), rewritten()
    for number, _, kind, subject, text, *_ in entries:
        detail = entry_detail(text)
        if not isinstance(detail, dict):
            continue
        computation_no = detail.get("computation_no", -1)
        if kind == "define" and subject == "store":
            said.made = detail
        elif kind == "define":
            said.defined[subject] = detail
        elif kind == "load":
            said.loads[subject], said.tables[subject] = (number, detail), _part(detail, "tables")
        elif kind == "drop":
            said.loads.pop(subject, None)
            said.tables.pop(subject, None)
            said.defined.pop(subject, None)
            said.computed = {key: value for key, value in said.computed.items() if value[1] != subject}
        elif kind == "content" and subject == PROFILES:
            said.profiles |= _part(detail, "profiles")
        elif kind == "content" and subject in said.tables:
            # an entry cannot verify tables that no command rewrites
            said.tables[subject] |= {name: now for name, now in _part(detail, "tables").items() if name in later}
        elif kind == "compute":
            said.computed[computation_no] = (number, subject, detail)
            said.fitted.pop(computation_no, None)  # a computation of a dropped run: its number was used again
        elif kind == "distribute":
            said.fitted[computation_no] = (number, subject, detail)
    return said


def replay(engine: Engine, where: str = "true", parameters: Sequence = ()) -> Recorded:
    """Return what the entries of the ledger say, or those that a condition in SQL chooses."""
    return replayed(_entries(engine, where, parameters))


def _entries(engine: Engine, where: str = "true", parameters: Sequence = ()) -> list[tuple]:
    return engine.rows(f"select {', '.join(COLUMNS)} from ledger.entry where {where} order by entry_no", parameters)


def _part(detail: dict, name: str) -> dict:
    """Return a part of the detail of an entry; empty if a forged entry lacks it."""
    found = detail.get(name)
    return dict(found) if isinstance(found, dict) else {}


def _recorded_profiles(engine: Engine) -> dict[str, str]:
    return replay(engine, "subject = ?", [PROFILES]).profiles


def changed_profiles(engine: Engine, only: Collection[str] | None = None) -> list[str]:
    """Return a message for each profile (all by default) whose values differ from those loaded."""
    said, now = _recorded_profiles(engine), profiles_of(engine)
    found = []
    for name in sorted(said.keys() | now.keys() if only is None else only):
        if said.get(name) != now.get(name):
            what = (
                "is missing"
                if name not in now
                else "was added"
                if name not in said
                else f"has other values than were loaded (ledger {said[name][:8]}, now {now[name][:8]})"
            )
            found.append(f"registry.profile: {name} {what}.")
    return found


def changed_contents(engine: Engine, only: Collection[str] | None = None, *, but: Collection[str] = ()) -> list[str]:
    """Return a message for each table of owners (all by default) that differs from what was loaded.

    Args:
        only: owners to check.
        but: tables not to check.
    """
    said = replay(engine, "kind in ('load', 'drop', 'content')").tables
    found = []
    registered = registered_hashes(engine)
    wanted = {owner: place for owner, place in owners(engine).items() if only is None or owner in only}
    runs = contents_of_runs(engine, [number for column, number in wanted.values() if column == "run_no"])
    for owner, place in wanted.items():
        if owner not in said:
            found.append(f"{owner} is in the store, and no entry of the ledger says that it was loaded.")
            continue
        now = runs[place[1]] if place[0] == "run_no" else contents_of(engine, owner, place)
        n_found = len(found)
        for name in sorted(said[owner].keys() | now.keys() - set(but)):
            before, after = list(said[owner].get(name, NOTHING)), now.get(name, NOTHING)
            if before != after and name not in but:
                found.append(
                    f"{owner}: {name} does not hold what was loaded ({_counted(before)}; now {_counted(after)})."
                )
        name, sha256 = registered[owner]
        if len(found) == n_found and not {*but} & {*read_of(place[0])} and sha256 != owner_hash(place[0], name, now):
            found.append(
                f"{owner}: its hash in the registry ({sha256[:8]}) is not that of its rows "
                f"({owner_hash(place[0], name, now)[:8]})."
            )
    return found


def _counted(said: list) -> str:
    return f"{said[0]} rows, {said[1][:8]}" if said[0] else "no rows"


def _owners_of(engine: Engine, run_nos: Iterable[int]) -> set[str]:
    """Return the owners of these runs: the runs themselves, their conditions and corpora."""
    return {
        owner
        for row in engine.rows(f"""
        select 'run:' || condition.condition_id || '/' || run.run_id, 'condition:' || condition.condition_id,
            'corpus:' || corpus.corpus_id
        from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.corpus as corpus on corpus.corpus_no = condition.corpus_no
        where run.run_no in ({sql_list(run_nos)})""")
        for owner in row
    }


def check_contents(engine: Engine, run_nos: Collection[int], profile_nos: Collection[int]) -> None:
    """Refuse to score anything that differs from what was loaded: runs, their conditions and corpora, and profiles.

    Owners that this process loaded or verified are not checked again.

    Raises:
        ChangedContent: lists every table, with both hashes.
    """
    wanted = _owners_of(engine, run_nos) - engine.verified_owners
    profiles = engine.column(f"select profile_id from registry.profile where profile_no in ({sql_list(profile_nos)})")
    found = changed_profiles(engine, profiles) + (changed_contents(engine, wanted) if wanted else [])
    if found:
        raise ChangedContent(
            "\n".join(f"{engine.path}: {message}" for message in found)
            + "\nNothing was scored. Restore the file, or evaluate its bundle into a new store."
        )
    engine.verified_owners |= wanted


def next_computation(engine: Engine) -> int:
    """Return the number of the next computation: above all that were ever made, of dropped runs too."""
    return engine.value(
        "select greatest(coalesce((select max(computation_no) from ledger.computation_made), 0), "
        "coalesce((select max(computation_no) from ledger.computation), 0)) + 1"
    )


def computation_entries(engine: Engine, computation_nos: Collection[int]) -> dict[int, tuple[str, dict]]:
    """Return computation -> (subject, detail) of its entry, from its row in the ledger; without those whose run was
    dropped.
    """
    numbers = sql_list(computation_nos)
    rows = engine.records(f"""
        select computation_no, 'run:' || condition_id || '/' || run_id as owner, profile_id as profile, input_sha256,
            sha256(concat(strlen(profile_text), ':', profile_text)) as profile_sha256, -- as `digest` of one text
            definition_sha256, n_value, result_sha256, tdtsql_version as tdtsql,
            duckdb_version as duckdb, coalesce(of_all.sha256, '') as all_sha256
        from ledger.computation as computation
        left join ({_of_subset_all(f"computation_no in ({numbers})")}) as of_all using (computation_no)
        join registry.run using (run_no)
        join registry.condition using (condition_no)
        join registry.profile using (profile_no)
        where computation.computation_no in ({numbers})
        order by 1""")
    return {row["computation_no"]: (row.pop("owner"), row) for row in rows}


def _of_subset_all(where: str) -> str:
    """Return the query for the hash of the numbers of subset ``all`` of each computation, stored now or in the past."""
    columns = "computation_no, metric, weighting, value, n, version, null_reason"
    return f"""
        select computation_no, sha256(string_agg(line, chr(10) order by line)) as sha256
        from (
            select computation_no, concat_ws('|', metric, weighting, coalesce(cast(value as varchar), 'null'), n,
                version, null_reason) as line
            from (
                select {columns} from ledger.result_score where subset_no = 0 and {where}
                union all select {columns} from ledger.past_score where {where}))
        group by computation_no"""


def _other_past_scores(engine: Engine) -> list[str]:
    """Return a message for each earlier computation whose kept numbers are not those that were computed."""
    return [
        f"computation {number} ({owner}): its past numbers are not those of ledger.entry {entry} (ledger.past_score)."
        for number, owner, entry in engine.rows(f"""
            select computation_no, owner, entry_no
            from ledger.computation_made left join ({_of_subset_all("true")}) as of_all using (computation_no)
            where all_sha256 <> coalesce(of_all.sha256, '') and computation_no not in (
                select max(computation_no) from ledger.computation group by run_no, profile_no)
            union all
            select distinct computation_no, condition_id || '/' || run_id, 0 from ledger.past_score
            where computation_no not in (select computation_no from ledger.computation_made)
            order by 1""")
    ]


#: columns of a stored point of a curve, after its keys
POINT = "threshold p_miss p_fa p_miss_se p_fa_se c_det_norm n_block".split()

#: weightings with mean curves
_WEIGHTINGS = ("none", "story", "topic", "topic_all")

#: part of the message for stored results that differ from the computed ones
KEPT_DIFFER = "its stored scores are not"

#: tables of the results of a computation, except its distributions
KEPT = ("result_score", "result_block", "result_label", "result_det_point", "result_pairing")

#: rows that are hashed in one query, unless one computation has more: many queries take time, and hashing all rows at
#: once takes memory
_TOGETHER = 500_000

#: blocks that are hashed together
_PART = 256

#: tables of score distributions, which are fitted on request
DISTRIBUTIONS = ("ledger.result_distribution", "ledger.result_common_threshold", "ledger.result_histogram")


def result_fingerprint(engine: Engine, computation_no: int, kept: str = "ledger.result") -> tuple[int, str]:
    """Return (numbers, hash over them and the points of curves) of a computation's stored results, in a fixed order."""
    return result_fingerprints(engine, [computation_no], kept)[computation_no]


def result_fingerprints(
    engine: Engine, computation_nos: Collection[int], kept: str = "ledger.result"
) -> dict[int, tuple[int, str]]:
    """Return computation -> (numbers, hash), as `result_fingerprint`, for several in two queries."""
    chosen = f"where computation_no in ({sql_list(computation_nos)})"
    # hash parts of some blocks each, so that no sort is long, and then the hashes
    found = engine.rows(f"""
        with line as (
            select computation_no, 'score' as kind, 0 as part_no,
                {_line("ledger.result_score")} as line
            from {kept}_score {chosen}
            union all
            select computation_no, 'block', block_no // {_PART},
                {_line("ledger.result_block")}
            from {kept}_block {chosen}
            union all
            select computation_no, 'label', block_no // {_PART},
                {_line("ledger.result_label")}
            from {kept}_label {chosen}
            union all
            select computation_no, 'pairing', block_no // {_PART},
                {_line("ledger.result_pairing")}
            from {kept}_pairing {chosen}
        ),
        part as (
            select computation_no, kind, part_no, count(*) as n_row,
                sha256(array_to_string(list_sort(list(line)), chr(10))) as part_sha256
            from line group by computation_no, kind, part_no
        )
        select computation_no, cast(coalesce(sum(n_row) filter (kind <> 'pairing'), 0) as bigint),
            sha256(string_agg(concat_ws('|', kind, part_no, part_sha256), chr(10) order by kind, part_no))
        from part group by computation_no order by computation_no""")
    named = {number: (count, text) for number, count, text in found}
    points = _point_hashes(engine, chosen, kept)
    return {
        number: (named.get(number, (0, ""))[0], digest([named.get(number, (0, ""))[1], points.get(number, "")]))
        for number in computation_nos
    }


def _point_hashes(engine: Engine, chosen: str, kept: str) -> dict[int, str]:
    """Return computation -> hash of its points of curves, from their stored binary values in the order of their keys.

    There may be millions of points, and converting doubles to text would dominate the time.
    """
    import numpy as np  # imported late: reading a store needs no numpy

    from tdtsql.engine.arrow import columns

    keys = ("subset_no", "weighting", "block_no", "point_no")
    # a weighting is its index in the list; an unknown one is NULL, which differs from each of them
    named = ", ".join(
        f"list_position({list(_WEIGHTINGS)}, weighting) as weighting"
        if name == "weighting"
        else f"cast({name} as {'double' if name in POINT else 'bigint'}) as {name}"
        for name in (*keys, *POINT)
    )
    kinds = {name: "<f8" if name in POINT else "<i8" for name in (*keys, *POINT)}
    hashes: dict[int, Any] = {}
    for rows in columns(
        engine,
        f"select computation_no, {named} from {kept}_det_point {chosen} order by computation_no, {', '.join(keys)}",
    ):
        numbers = rows["computation_no"].values
        values = np.zeros(len(numbers), dtype=[*kinds.items(), ("absent", "<i8")])
        for place, name in enumerate(kinds):
            column = rows[name]
            values[name] = column.values if column.absent is None else np.where(column.absent, 0, column.values)
            if column.absent is not None:
                values["absent"] |= column.absent.astype(np.int64) << place
        edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
        for first, end in pairwise(edges):
            hashes.setdefault(int(numbers[first]), hashlib.sha256()).update(values[first:end].tobytes())
    return {number: found.hexdigest() for number, found in hashes.items()}


def _batches(engine: Engine, computation_nos: Collection[int]) -> Iterator[list[int]]:
    """Yield lists of computations, in order, each with about ``_TOGETHER`` stored rows."""
    kept = " union all ".join(f"select computation_no from ledger.{table}" for table in KEPT)
    n_row = dict(engine.rows(f"select computation_no, count(*) from ({kept}) group by computation_no"))
    batch: list[int] = []
    n_batch = 0
    for number in computation_nos:
        if batch and n_batch + n_row.get(number, 0) > _TOGETHER:
            yield batch
            batch, n_batch = [], 0
        batch.append(number)
        n_batch += n_row.get(number, 0)
    if batch:
        yield batch


def distribution_entries(engine: Engine, computation_nos: Collection[int]) -> dict[int, tuple[str, dict]]:
    """Return computation -> (subject, detail) of the entry on its stored score distributions."""
    numbers = sql_list(computation_nos)
    hashes = []
    for table in DISTRIBUTIONS:
        line = _line(table)
        hashes.append(
            {
                number: found
                for number, *found in engine.rows(
                    f"""select computation_no, count(*), sha256(string_agg(line, chr(10) order by line))
                    from (select computation_no, {line} as line from {table} where computation_no in ({numbers}))
                    group by computation_no"""
                )
            }
        )
    entries = computation_entries(engine, computation_nos)
    made = {}
    for number in computation_nos:
        of_tables = [table.get(number, (0, "")) for table in hashes]
        made[number] = (
            entries.get(number, ("", {}))[0],
            {
                "computation_no": number,
                "n_row": sum(row[0] for row in of_tables),
                "result_sha256": digest(row[1] for row in of_tables),
            },
        )
    return made


def verify_chain(engine: Engine, *, expected: str | None = None, only: Collection[str] | None = None) -> list[str]:
    """Return the differences within the entries and between entries and store, the first one first.

    Args:
        expected: hash (or its first digits) of an entry that was saved elsewhere, as returned by ``head``. Anyone with
            write access can rebuild all entries, which changes this hash, or append entries that replace loaded data
            (`since`).
        only: the tables that exist, where others were omitted on purpose (a public archive); None: all.
    """
    rows = _entries(engine)
    if not rows and not owners(engine) and expected is None:
        return [
            f"{engine.path}: the store is empty: what created it ended before its first entry. `tdtsql evaluate "
            "BUNDLE.toml` completes it, or remove the file."
        ]
    found = _breaks(rows)
    if expected is not None and not found and not any(row[6].startswith(expected) for row in rows):
        found.append(
            f"no ledger.entry has the hash {expected[:16]}: the {len(rows)} entries differ from the given hash, or "
            f"entries were removed."
        )
    found = found or _misused(rows)
    if found:
        return found
    if expected is not None:
        found = since(engine, expected).changed
    return found + _against_store(engine, only, replayed(rows))


def _misused(rows: list[tuple]) -> list[str]:
    """Return the entries that no command writes."""
    found = []
    loaded: set[str] = set()
    later = rewritten()
    for number, _, kind, subject, detail, *_ in rows:
        entry = f"ledger.entry {number} ({kind} {subject})"
        content = entry_detail(detail)
        if kind not in KINDS or not isinstance(content, dict):
            found.append(f"{entry} was added: no command writes such an entry.")
        elif kind == "load":
            loaded.add(subject)
        elif kind == "drop":
            loaded.discard(subject)
        elif kind == "content" and subject != PROFILES:
            if subject not in loaded:
                found.append(f"{entry} was added: it records contents of what is not loaded.")
            odd = sorted(content.get("tables", {}).keys() - later)
            if odd or content.keys() != {"tables"}:
                found.append(
                    f"{entry} was added: no command rewrites {', '.join(odd) or 'what it tells of'} after the load."
                )
    return found


class Since(NamedTuple):
    """Entries after an entry whose hash was saved elsewhere."""

    entries: list[str]  #: one line per entry
    changed: list[str]  #: loaded data and definitions before it that have changed


def since(engine: Engine, expected: str) -> Since:
    """Return the entries after the one with this hash (or its first digits), and the earlier data that they changed.

    Tables that derive from other rows may change with later loads; `audit.derived` recomputes them. Rows in the
    registry say how something was loaded last, and follow from what is compared here. What commands add later
    (profiles, facts of a run, its withdrawal) is no change of what was there.
    """
    rows = _entries(engine)
    place = next((place for place, row in enumerate(rows, 1) if row[6].startswith(expected)), len(rows))
    was, now, after = replayed(rows[:place]), replayed(rows), rows[place:]
    last = {(row[2], row[3]): row[0] for row in after}
    changed = []

    def where(subject: str, *kinds: str) -> str:
        number = max((last[kind, subject] for kind in kinds if (kind, subject) in last), default=0)
        return f"ledger.entry {number}, after the head {expected[:8]}"

    follow = derived_tables() | set(REGISTERED.values())
    for owner, tables_then in was.tables.items():
        if owner not in now.tables:
            changed.append(f"{owner} was dropped ({where(owner, 'drop')}).")
            continue
        names = sorted(
            name
            for name in (tables_then.keys() | now.tables[owner].keys()) - follow
            if (then := list(tables_then.get(name, NOTHING))) != (later := list(now.tables[owner].get(name, NOTHING)))
            and not (name in ADDED_TO and later[0] > then[0])
        )
        if names:
            changed.append(
                f"{owner}: {', '.join(names)} changed ({where(owner, 'load', 'content')}): it is not what was loaded."
            )
        if _read_of_files(was.loads[owner][1]) != _read_of_files(now.loads[owner][1]):
            changed.append(f"{owner}: its input files or warnings changed ({where(owner, 'load')}).")
    changed += [
        f"profile {name} has other values ({where(PROFILES, 'content')})."
        for name, sha256 in sorted(was.profiles.items())
        if now.profiles[name] != sha256
    ]
    changed += [
        f"{subject} has another definition ({where(subject, 'define')})."
        if subject in now.defined
        else f"{subject} was dropped ({where(subject, 'drop')})."
        for subject, then in sorted(was.defined.items())
        if _but_path(then) != _but_path(now.defined.get(subject, {}))
    ]
    if any(was.made.get(item) != now.made.get(item) for item in ("definitions", "lock", "lineage")):
        changed.append(
            f"the definitions are others ({where('store', 'define')}): created by tdtsql {was.made.get('tdtsql')}, now "
            f"{now.made.get('tdtsql')}."
        )
    after.sort(key=lambda row: row[2] in ("compute", "distribute"))  # the list may be cut
    return Since([f"entry {row[0]}: {row[2]} {row[3]}{_more_of(row)}" for row in after], changed)


def _more_of(row: Sequence) -> str:
    """Return what a line about an entry says beside its subject: rewritten tables, why a run was withdrawn."""
    detail = entry_detail(row[4])
    if row[2] == "content":
        return f" ({', '.join(sorted(_part(detail, 'tables') or _part(detail, 'profiles')))})"
    return f" ({detail.get('reason')})" if row[2] == "withdraw" else ""


def _read_of_files(detail: dict) -> list:
    """Return what was read of files, wherever they are and by whatever version: hashes, and numbers of problems."""
    files = [[file.get(name) for name in ("kind", "n_byte", "sha256", "n_problem")] for file in detail.get("files", [])]
    return [sorted(files, key=str), detail.get("problems")]


def _but_path(definition: dict) -> dict:
    return {name: value for name, value in definition.items() if name != "path"}


def _files_of(detail: dict, unsaid: Collection[str] = ()) -> dict:
    """Return what the entry of a load says of the files of its owner, without ``unsaid``."""
    return {name: value for name, value in detail.items() if name != "tables" and name not in unsaid}


def _breaks(rows: list[tuple]) -> list[str]:
    """Return the first break in the chain of all entries."""
    previous = GENESIS
    for number, row in enumerate(rows, start=1):
        if row[0] != number:
            return [f"ledger.entry {number} is missing: after {number - 1} comes {row[0]}."]
        if row[5] != previous:
            return [
                f"ledger.entry {number} ({row[2]} {row[3]}) does not follow {number - 1} (chain {row[5][:8]}, entry "
                f"before {previous[:8]})."
            ]
        if entry_hash(row) != row[6]:
            return [
                f"ledger.entry {number} ({row[2]} {row[3]}) was edited (hash {row[6][:8]}, content "
                f"{entry_hash(row)[:8]})."
            ]
        previous = row[6]
    return []


def verify_dependencies(engine: Engine, pairs: Iterable[tuple[int, str]]) -> list[tuple[str, list[str]]]:
    """Return three pairs (check, differences) for the numbers of some runs under some profiles.

    Args:
        pairs: run number and profile id.
    """
    profile_of = sorted(set(pairs))
    run_nos = [number for number, _ in profile_of]
    rows = _entries(engine)
    said, wanted = replayed(rows), _owners_of(engine, run_nos)
    newest = [
        number
        for number, *pair in engine.rows(f"""
            select max(computation_no), run_no, profile_id from ledger.computation join registry.profile
            using (profile_no) where run_no in ({sql_list(run_nos)}) group by all order by 1""")
        if tuple(pair) in profile_of
    ]
    return [
        ("chain of the ledger", _breaks(rows) or _misused(rows)),
        ("stored scores", _other_computations(engine, said, newest) + _other_results(engine, said, newest)),
        (
            "loaded rows",
            _other_files(engine, said, wanted)
            + changed_contents(engine, wanted)
            + changed_profiles(engine, {name for _, name in profile_of}),
        ),
    ]


def _other_files(engine: Engine, said: Recorded, of: Collection[str], unsaid: Collection[str] = ()) -> list[str]:
    """Return a message for each of these owners whose files or problems differ from those of its load.

    ``unsaid``: what the registry does not have of them.
    """
    found = []
    for owner, now in sorted(_files(engine, said.loads.keys() & of).items()):
        number, detail = said.loads[owner]
        if _files_of(detail, unsaid) != _files_of(now, unsaid):
            found.append(
                f"{owner}: its input files or problems in the registry are not those of ledger.entry {number} "
                f"(registry.input_file, registry.problem)."
            )
    return found


def _without_all(entry: tuple[str, dict] | None) -> object:
    """Return subject and detail of a computation without the hash that `_other_past_scores` compares."""
    return entry and (entry[0], {name: value for name, value in entry[1].items() if name != "all_sha256"})


def _other_computations(engine: Engine, said: Recorded, numbers: Collection[int]) -> list[str]:
    """Return a message for each of these computations that is not what the ledger says was made."""
    found, now = [], computation_entries(engine, numbers)
    for number in numbers:
        if number not in said.computed:
            found.append(f"computation {number} is in the store, and no entry of the ledger says that it was made.")
        elif _without_all(now.get(number)) != _without_all(said.computed[number][1:]):
            entry, subject, _ = said.computed[number]
            found.append(f"computation {number} ({subject}) is not what ledger.entry {entry} says.")
    return found


def _other_results(engine: Engine, said: Recorded, numbers: Collection[int]) -> list[str]:
    """Return a message for each of these computations whose stored numbers are others than were computed."""
    found = []
    for batch in _batches(engine, sorted(said.computed.keys() & numbers)):
        for number, (n_value, sha256) in result_fingerprints(engine, batch).items():
            entry, subject, detail = said.computed[number]
            if (n_value, sha256) != (detail["n_value"], detail["result_sha256"]):
                found.append(
                    f"computation {number} ({subject}): {KEPT_DIFFER} those of ledger.entry {entry} "
                    f"({detail['n_value']} numbers, {detail['result_sha256'][:8]}; now {n_value}, {sha256[:8]}; "
                    f"{', '.join(f'ledger.{table}' for table in KEPT)})."
                )
    return found


def _other_distributions(engine: Engine, said: Recorded, newest: Collection[int]) -> list[str]:
    """Return a message for each computation whose score distributions are not those that were fitted."""
    found = []
    there = {row[0] for table in DISTRIBUTIONS for row in engine.rows(f"select distinct computation_no from {table}")}
    # those of a computation that a later one replaced were deleted with its numbers
    looked_at = sorted(there | said.fitted.keys() & newest)
    for number, now in distribution_entries(engine, looked_at).items():
        if number not in said.fitted:
            found.append(
                f"score distributions of computation {number} are in the store, and no entry of the ledger says that "
                f"they were fitted."
            )
        elif now != said.fitted[number][1:]:
            entry, subject, _ = said.fitted[number]
            found.append(
                f"score distributions of computation {number} ({subject}) are not what ledger.entry {entry} says "
                f"({', '.join(DISTRIBUTIONS)})."
            )
    return found


def _against_store(engine: Engine, only: Collection[str] | None, said: Recorded) -> list[str]:
    """Return the differences between the entries and the store; ``only`` lists the tables to compare if others were
    omitted.
    """
    found: list[str] = []
    if dict(engine.rows("select item, value from registry.made_with where item <> 'catalog'")) != said.made:
        found.append("registry.made_with is not what the last 'define' entry of the ledger says.")
    there = owners(engine).keys() | set(
        engine.column("select owner from registry.input_file union select owner from registry.problem")
    )
    for owner in sorted(there - said.loads.keys()):
        found.append(f"{owner} is in the store, and no entry of the ledger says that it was loaded.")
    for owner in sorted(said.loads.keys() - there):
        found.append(
            f"ledger.entry {said.loads[owner][0]} says that {owner} was loaded; it is not in the store, and no entry "
            f"says that it was dropped."
        )
    has_problems = only is None or "registry.problem" in only
    found += _other_files(engine, said, there, () if has_problems else ("problems", "problems_sha256"))
    found += changed_profiles(engine)
    found += changed_contents(engine, said.loads.keys(), but=() if only is None else tables().keys() - set(only))
    found += [] if only is not None else orphans(engine)
    recorded, made = dict(engine.rows("select run_no, sha256 from registry.current_input")), current_inputs(engine)
    if only is not None:  # without the rows that follow from runs the hash cannot be made again
        lacking = [task for task, facts in TASKS.items() if not {*filled_by(facts.follows)} <= {*only}]
        runs = engine.rows("select run_no, task from registry.run join registry.condition using (condition_no)")
        recorded |= {run_no: made[run_no] for run_no, task in runs if task in lacking and run_no in recorded}
    if recorded != made:
        found.append("registry.current_input is not what the hashes of runs, conditions and corpora make.")
    kept = engine.column("select computation_no from ledger.computation order by computation_no")
    found += _other_computations(engine, said, kept)
    newest = engine.column("select max(computation_no) from ledger.computation group by run_no, profile_no")
    found += _other_results(engine, said, newest) + _other_past_scores(engine) if only is None else []
    for table in KEPT:
        found += [
            f"ledger.{table}: rows of computation {number}, whose scores are no longer stored."
            for [number] in engine.rows(f"select distinct computation_no from ledger.{table} order by 1")
            if number not in newest
        ]
    found += _other_distributions(engine, said, newest) if only is None else []
    # of a profile that its condition no longer has: its past numbers are compared above
    past = set(engine.column("select distinct computation_no from ledger.past_score")) if only is None else set()
    for number in sorted(said.computed.keys() - {*kept} - past):
        entry, subject, _ = said.computed[number]
        found.append(
            f"ledger.entry {entry} says that computation {number} ({subject}) was made; it is not in the store."
        )
    return found
