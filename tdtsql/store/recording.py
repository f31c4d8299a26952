"""What is written into the ledger: entries that a caller appends, and what a transaction changed of owners.

A transaction notes which owners it loads or changes, and records them together before it ends (`record`):
each table is hashed once, for all owners. The engine does not commit what was noted and not recorded. What was computed
is hashed with its rows (`result_fingerprints`).
"""

import json
import os
import socket
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, sql_list
from tdtsql.errors import Problem, escape_control
from tdtsql.store.contents import (
    NOTHING,
    REGISTERED,
    Contents,
    contents_of,
    owner_hash,
    owners,
    profiles_of,
    rewritten,
)
from tdtsql.version import __version__

if TYPE_CHECKING:
    from tdtsql.files.digest import InputFile

GENESIS = "0" * 64
#: kinds of entries
KINDS = frozenset("define load content drop rename withdraw restore compute distribute unread reread".split())
#: subject of entries about scoring profiles
PROFILES = "profiles"
COLUMNS = "entry_no made_at kind subject detail previous_sha256 sha256".split()

Entry = tuple[str, str, dict]  #: kind, subject, detail


def append(engine: Engine, *entries: Entry) -> None:
    """Append entries in this order, in the caller's transaction."""
    if not entries:
        return
    if unknown := {kind for kind, _, _ in entries} - KINDS:
        raise ValueError(f"an entry of the ledger of no known kind: {unknown}")
    at, by = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), {"by": who(engine)}
    rows = chained([(kind, subject, detail | by) for kind, subject, detail in entries], at, *head(engine))
    # not insert_rows, which needs numpy
    engine.execute("insert into ledger.entry select unnest(?, recursive := true)", [rows])
    engine.verified_owners.update(subject for kind, subject, _ in entries if kind == "load")


def chained(entries: Iterable[Entry], at: str, last: int = 0, previous: str = GENESIS) -> list[dict[str, Any]]:
    """Return the rows of entries that follow the entry with number ``last`` and this hash."""
    rows = []
    for number, (kind, subject, detail) in enumerate(entries, last + 1):
        row = [number, at, kind, subject, detail_text(detail), previous]
        previous = entry_hash(row)
        rows.append(dict(zip(COLUMNS, [*row, previous], strict=True)))
    return rows


def detail_text(detail: dict) -> str:
    """Return the detail of an entry as its column has it."""
    return json.dumps(detail, sort_keys=True, ensure_ascii=False)


def who(engine: Engine) -> str:
    """Return the author of an entry: USER@HOST, after a name if one is set (``connect``, or TDTSQL_BY)."""
    import getpass

    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # the user of the process has no name
        user = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    login = f"{user}@{socket.gethostname()}"
    name = escape_control((engine.by or os.environ.get("TDTSQL_BY", "")).strip())
    return f"{name} ({login})" if name else login


def head(engine: Engine) -> tuple[int, str]:
    """Return number and hash of the last entry, which covers all before it; (0, zeros) for an empty ledger."""
    query = "select coalesce(max(entry_no), 0), coalesce(max_by(sha256, entry_no), ?) from ledger.entry"
    return engine.rows(query, [GENESIS])[0]


def entry_hash(row: Sequence) -> str:
    """Return the hash of an entry's first six columns."""
    return digest(str(value) for value in row[:6])


# ---- what a transaction notes of owners


@dataclass(slots=True)
class Noted:
    """What a transaction did to an owner, to be recorded before it ends."""

    is_load: bool  #: else only some tables are others
    names: set[str]  #: these tables
    files: "Sequence[InputFile] | None" = None  #: of a load; None: they stay as the registry has them
    problems: Sequence[Problem] = ()  #: accepted warnings of a load
    known: Contents | None = None  #: what was read, where it was hashed just now (`read_of`)
    bundle: str = ""  #: name of the bundle of a load


def note_load(
    engine: Engine,
    owner: str,
    files: "Sequence[InputFile] | None" = None,
    problems: Sequence[Problem] = (),
    known: Contents | None = None,
    bundle: str = "",
) -> None:
    """Note that an owner was loaded, or that another load changed what was read of it; arguments: as in `Noted`."""
    before = engine.noted.get(owner)
    if before is not None and files is None:
        files, problems, bundle = before.files, before.problems, before.bundle
    engine.noted[owner] = Noted(True, set(), files, problems, known, bundle)


def note(engine: Engine, owner: str, names: Iterable[str]) -> None:
    """Note that some tables of an owner were written again."""
    engine.noted.setdefault(owner, Noted(False, set())).names.update(names)


def record(engine: Engine) -> None:
    """Record what was noted: files and warnings of loads, hashes of what was read, and an entry for each owner that
    was loaded or that has other contents than recorded.
    """
    noted, engine.noted = engine.noted, {}
    if not noted:
        return
    loads = {owner: one for owner, one in noted.items() if one.is_load}
    places = owners(engine)
    _write_inputs(engine, {owner: one for owner, one in loads.items() if one.files is not None})
    known = {owner: one.known for owner, one in loads.items() if one.known is not None}
    wanted = {owner: None if one.is_load else one.names for owner, one in noted.items()}
    now = contents_of(engine, wanted, places, known)
    for owner in [owner for owner in loads if owner not in known]:
        column, number, name, _ = places[owner]
        sha256 = owner_hash(column, name, now[owner])
        engine.execute(f"update {REGISTERED[column]} set content_sha256 = ? where {column} = ?", [sha256, number])
    files = files_of(engine, loads)
    before = recorded_contents(engine, noted.keys() - loads.keys())
    entries: list[Entry] = []
    for owner, one in noted.items():
        if one.is_load:
            named = {"bundle": one.bundle} if one.bundle else {}
            entries.append(("load", owner, {**named, **files[owner], "tables": now[owner]}))
        elif owner in before:  # else it was never loaded by a command
            then = before[owner]
            tables = {name: now[owner].get(name, NOTHING) for name in sorted(one.names)}
            changed = {name: found for name, found in tables.items() if found != then.get(name, NOTHING)}
            entries += [("content", owner, {"tables": changed})] if changed else []
    append(engine, *entries)


def forget_inputs(engine: Engine, owners: Iterable[str]) -> None:
    """Delete what the registry has of files and warnings of owners."""
    for table in ("registry.input_file", "registry.problem"):
        engine.execute(f"delete from {table} where owner in (select unnest(?))", [list(owners)])


def _write_inputs(engine: Engine, loads: Mapping[str, Noted]) -> None:
    """Write the names, sizes and hashes of the files of loads, and their warnings."""
    if not loads:
        return
    forget_inputs(engine, loads)
    start = (engine.value("select max(input_file_no) from registry.input_file") or 0) + 1
    files = [
        (owner, file.kind, file.path, file.n_byte, file.sha256, file.n_problem, __version__)
        for owner, load in loads.items()
        for file in load.files or ()
    ]
    engine.insert_rows(
        "registry.input_file",
        "input_file_no owner kind path n_byte sha256 n_problem reader_version".split(),
        [(number, *file) for number, file in enumerate(files, start)],
    )
    engine.insert_rows(
        "registry.problem",
        "owner code path line column_no message value".split(),
        [
            (owner, one.code, one.path, one.line, one.column, one.message + more, one.value)
            for owner, load in loads.items()
            for one in load.problems
            for more in ("" if one.n == 1 else f"; the last of {one.n:,} more",)
        ],
    )


def files_of(engine: Engine, owners: Collection[str]) -> dict[str, dict]:
    """Return owner -> the files and problems that the registry has of it, as the entry of its load says them."""
    rows = engine.records(read_statement("verify/files"), {"owners": list(owners)}) if owners else []
    return {row.pop("owner"): row for row in rows}


# ---- what was recorded


def recorded_contents(engine: Engine, owners: Collection[str]) -> dict[str, Contents]:
    """Return owner -> recorded hashes of its tables; of `PROFILES` those of the values of profiles."""
    found: dict[str, Contents] = {}
    # an entry cannot verify tables that no command rewrites
    query = """
        select owner, name, max_by(n_row, entry_no), max_by(sha256, entry_no) from ledger.content
        where until_no is null and (coalesce(entry_no = load_no, true) or list_contains($later, name))
            and list_contains($owners, owner)
        group by all order by all"""
    parameters = {"later": sorted(rewritten()), "owners": list(owners)}
    for owner, name, *content in engine.rows(query, parameters) if owners else ():
        found.setdefault(owner, {})[name] = content
    return found


def record_profiles(engine: Engine, profiles: Collection[str], *more: Entry) -> None:
    """Record the present hashes of those of these profiles that have changed, and append further entries."""
    before, now = recorded_contents(engine, [PROFILES]).get(PROFILES, {}), profiles_of(engine)
    changed = {name: now[name] for name in profiles if name in now and before.get(name, NOTHING)[1] != now[name]}
    engine.verified_owners.update(map(profile_owner, changed))
    append(engine, *([("content", PROFILES, {"profiles": changed})] if changed else []), *more)


def profile_owner(name: str) -> str:
    """Return how a profile is called among the owners that a process has verified."""
    return f"{PROFILES}:{name}"


# ---- results of computations

#: tables of score distributions, which are fitted on request
DISTRIBUTIONS = ("ledger.result_distribution", "ledger.result_common_threshold", "ledger.result_histogram")

#: computations that are hashed in one query: many queries take time, and hashing all rows at once takes memory
TOGETHER = 10

#: blocks that are hashed together
_PART = 256


def next_computation(engine: Engine) -> int:
    """Return the number of the next computation: above all that were ever made, of dropped runs too."""
    return engine.value(
        """select coalesce(max(computation_no), 0) + 1 from
        (select computation_no from ledger.computation_made union all select computation_no from ledger.computation)"""
    )


def rows_hashes(engine: Engine, of: Mapping[str, str]) -> list[str]:
    """Return the hash of the rows of each table of which a condition holds (table -> condition), in a fixed order."""
    return engine.column(
        " union all ".join(
            f"select coalesce(sha256(string_agg(line, chr(10) order by line)), '') as sha256, {place} as place "
            f"from (select {_line(table)} as line from {table} where {where})"
            for place, (table, where) in enumerate(of.items())
        )
        + " order by place"
    )


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


def computation_entries(engine: Engine, computation_nos: Collection[int]) -> dict[int, Entry]:
    """Return computation -> its entry, from its row in the ledger; without those whose run was dropped."""
    rows = engine.records(
        f"""select made.*, coalesce(of_all.sha256, '') as all_sha256 from ({read_statement("verify/computed")}) as made
        left join ({read_statement("verify/subset_all")}) as of_all using (computation_no) order by 1""",
        {"computations": list(computation_nos)},
    )
    return {row["computation_no"]: ("compute", row.pop("owner"), row) for row in rows}


def distribution_entries(engine: Engine, computation_nos: Collection[int]) -> dict[int, Entry]:
    """Return computation -> the entry on its stored score distributions."""
    kinds = [table.removeprefix("ledger.result_") for table in DISTRIBUTIONS]
    made = _fingerprints(engine, computation_nos, "ledger.result", kinds)
    computed = engine.rows(read_statement("verify/computed"), {"computations": list(computation_nos)})
    owner_of = {number: owner for number, owner, *_ in computed}
    names = ("computation_no", "n_row", "result_sha256")
    details = [
        dict(zip(names, (number, *made.get(number, NOTHING)), strict=True)) for number in sorted(computation_nos)
    ]
    return {one["computation_no"]: ("distribute", owner_of.get(one["computation_no"], ""), one) for one in details}


def result_fingerprints(
    engine: Engine, computation_nos: Collection[int], kept: str = "ledger.result"
) -> dict[int, tuple[int, str]]:
    """Return computation -> (numbers, hash over them and the points of curves) of stored results, in a fixed order."""
    from tdtsql.files.row_hash import contents  # not above: who only reads a store needs no numpy

    numbers = _fingerprints(engine, computation_nos, kept, ("score", "block", "label", "pairing"))
    # there may be millions of points: converting doubles to text would dominate the time
    table, columns_of = f"{kept}_det_point", "ledger.result_det_point"
    points = contents(engine, table, "computation_no", computation_nos, columns_of=columns_of)
    result = {}
    for number in computation_nos:
        (n_row, sha256), point = numbers.get(number, (0, "")), points.get(number)
        result[number] = n_row, digest([sha256, point.sha256 if point else ""])
    return result


def _fingerprints(
    engine: Engine, computation_nos: Collection[int], kept: str, kinds: Sequence[str]
) -> dict[int, tuple[int, str]]:
    """Return computation -> (rows except pairings, hash over all rows) of the tables ``kept``_KIND, which have the
    columns of ``ledger.result_KIND``; without computations that have no row.
    """
    lines = " union all ".join(
        f"select computation_no, '{kind}' as kind, "
        f"{f'block_no // {_PART}' if 'block_no' in tables()[f'ledger.result_{kind}'].columns else '0'} as part_no, "
        f"{_line(f'ledger.result_{kind}')} as line from {kept}_{kind}"
        for kind in kinds
    )
    # hash parts of some blocks each, so that no sort is long, and then the hashes
    found = engine.rows(f"""
        with part as (
            select computation_no, kind, part_no, count(*) as n_row,
                sha256(array_to_string(list_sort(list(line)), chr(10))) as part_sha256
            from ({lines}) where computation_no in ({sql_list(computation_nos)})
            group by computation_no, kind, part_no
        )
        select computation_no, cast(coalesce(sum(n_row) filter (kind <> 'pairing'), 0) as bigint),
            sha256(string_agg(concat_ws('|', kind, part_no, part_sha256), chr(10) order by kind, part_no))
        from part group by computation_no order by computation_no""")
    return {number: (n_row, sha256) for number, n_row, sha256 in found}
