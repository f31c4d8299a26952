"""The ledger: an append-only log of all operations on a store. Each entry contains the hash of the previous one.

An edited, removed or inserted entry breaks the chain, or disagrees with the contents of the store; `ledger verify`
reports the first difference. What the entries say is read by views of ``sql/ledger``: loads and definitions with the
entries that end them, recorded contents, computations.
"""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tdtsql.definitions.catalogue import filled_by
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.errors import ChangedContent
from tdtsql.store.contents import (
    ADDED_TO,
    CHOSEN_PROFILES,
    NOTHING,
    REGISTERED,
    Place,
    contents_of,
    current_inputs,
    derived_tables,
    orphans,
    owner_hash,
    owners,
    profiles_of,
    read_of,
    registered_hashes,
    rewritten,
)
from tdtsql.store.recording import KINDS, PROFILES, END, files_of, in_force, recorded_contents, recorded_profiles
from tdtsql.store.results import (
    COMPUTED,
    DISTRIBUTIONS,
    KEPT,
    batches,
    distribution_entries,
    of_subset_all,
    result_fingerprints,
)
from tdtsql.task import TASKS

#: part of the message for stored results that differ from the computed ones
KEPT_DIFFER = "its stored scores are not"

#: the newest computation of each run and profile
_NEWEST = "select max(computation_no) from ledger.computation group by run_no, profile_no"


# ---- what was loaded


def changed_profiles(engine: Engine, only: Collection[str] | None = None) -> list[str]:
    """Return a message for each profile (all by default) whose values differ from those loaded."""
    then, now = recorded_profiles(engine), profiles_of(engine)
    found = []
    for name in sorted(then.keys() | now.keys() if only is None else only):
        if then.get(name) != now.get(name):
            what = (
                "is missing"
                if name not in now
                else "was added"
                if name not in then
                else f"has other values than were loaded (ledger {then[name][:8]}, now {now[name][:8]})"
            )
            found.append(f"registry.profile: {name} {what}.")
    return found


def changed_contents(engine: Engine, only: Collection[str] | None = None, *, but: Collection[str] = ()) -> list[str]:
    """Return a message for each table of owners (all by default) that differs from what was loaded.

    Args:
        only: owners to check.
        but: tables not to check.
    """
    places = owners(engine)
    wanted = [owner for owner in places if only is None or owner in only]
    recorded, registered = recorded_contents(engine, wanted), registered_hashes(engine)
    present = contents_of(engine, {owner: None for owner in wanted if owner in recorded}, places)
    found = []
    for owner in wanted:
        if owner not in recorded:
            found.append(f"{owner} is in the store, and no entry of the ledger says that it was loaded.")
            continue
        then, now, kind = recorded[owner], present[owner], places[owner][0]
        odd = [
            name
            for name in sorted((then.keys() | now.keys()) - set(but))
            if then.get(name, NOTHING) != now.get(name, NOTHING)
        ]
        found += [
            f"{owner}: {name} does not hold what was loaded ({_counted(then.get(name, NOTHING))}; now "
            f"{_counted(now.get(name, NOTHING))})."
            for name in odd
        ]
        name, sha256 = registered[owner]
        if not odd and not {*but} & {*read_of(kind)} and sha256 != owner_hash(kind, name, now):
            found.append(
                f"{owner}: its hash in the registry ({sha256[:8]}) is not that of its rows "
                f"({owner_hash(kind, name, now)[:8]})."
            )
    return found


def _counted(content: list) -> str:
    return f"{content[0]} rows, {content[1][:8]}" if content[0] else "no rows"


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


def _other_files(engine: Engine, of: Collection[str], unsaid: Collection[str] = ()) -> list[str]:
    """Return a message for each of these owners whose files or problems differ from those of its load.

    ``unsaid``: what the registry does not have of them.
    """
    loads = {owner: load for owner, load in _loads(engine).items() if owner in of}
    found = []
    for owner, now in sorted(files_of(engine, loads).items()):
        number, detail = loads[owner]
        unlike = [name for name in detail.keys() | now.keys() if detail.get(name) != now.get(name)]
        if {*unlike} - {"by", "tables", *unsaid}:
            found.append(
                f"{owner}: its input files or problems in the registry are not those of ledger.entry {number} "
                f"(registry.input_file, registry.problem)."
            )
    return found


def _loads(engine: Engine, at: int = END) -> dict[str, tuple[int, dict]]:
    """Return owner -> entry of its load, and its detail, of what was loaded after an entry."""
    rows = engine.rows(f"select owner, entry_no, detail from ledger.load where {in_force('entry_no', at)}")
    return {owner: (number, _object(detail)) for owner, number, detail in rows}


def _object(detail: str) -> dict[str, Any]:
    """Return a detail; a forged entry may have none."""
    found = json.loads(detail)
    return found if isinstance(found, dict) else {}


def definitions(engine: Engine, at: int = END) -> dict[str, dict]:
    """Return subject -> what the ledger says was defined of it, without its author, after an entry."""
    rows = engine.rows(f"select subject, detail from ledger.definition where {in_force('entry_no', at)}")
    return {subject: {key: value for key, value in _object(detail).items() if key != "by"} for subject, detail in rows}


# ---- the chain of entries


def _breaks(engine: Engine) -> list[str]:
    """Return the first break in the chain of all entries."""
    for number, kind, subject, place, previous, before, sha256, content in engine.rows(
        "select * from ledger.broken_link order by entry_no limit 1"
    ):
        if number != place:
            return [f"ledger.entry {place} is missing: after {place - 1} comes {number}."]
        entry = f"ledger.entry {number} ({kind} {subject})"
        if previous != before:
            return [f"{entry} does not follow {number - 1} (chain {previous[:8]}, entry before {before[:8]})."]
        return [f"{entry} was edited (hash {sha256[:8]}, content {content[:8]})."]
    return []


def _misused(engine: Engine) -> list[str]:
    """Return the entries that no command writes."""
    rows = engine.rows(
        """
        with said as (
            select entry_no, kind, subject, case when json_valid(detail) then detail end as detail from ledger.entry
        ),
        odd as (
            select entry_no, list(name order by name) as names from ledger.content
            where entry_no <> load_no and not list_contains($later, name) group by entry_no
        )
        select entry_no, kind, subject, names,
            not list_contains($kinds, kind) or detail is null or json_type(detail) <> 'OBJECT' as is_unknown,
            not exists (
                from ledger.load where owner = subject and load.entry_no < said.entry_no
                    and coalesce(until_no > said.entry_no, true)) as is_unloaded,
            len(list_filter(json_keys(detail), lambda key: not list_contains(['by', 'tables'], key))) > 0 as has_more
        from said left join odd using (entry_no)
        where is_unknown or (kind = 'content' and subject <> $profiles
            and (is_unloaded or has_more or names is not null or json_type(detail, '$.tables') is null))
        order by entry_no""",
        {"later": sorted(rewritten()), "kinds": sorted(KINDS), "profiles": PROFILES},
    )
    found = []
    for number, kind, subject, names, is_unknown, is_unloaded, _ in rows:
        entry = f"ledger.entry {number} ({kind} {subject}) was added"
        if is_unknown:
            found.append(f"{entry}: no command writes such an entry.")
        elif is_unloaded:
            found.append(f"{entry}: it records contents of what is not loaded.")
        else:
            what = ", ".join(names or ()) or "what it tells of"
            found.append(f"{entry}: no command rewrites {what} after the load.")
    return found


class Since(NamedTuple):
    """Entries after an entry whose hash was saved elsewhere."""

    entries: list[str]  #: one line per entry
    changed: list[str]  #: loaded data and definitions before it that have changed


def since(engine: Engine, expected: str) -> Since:
    """Return the entries after the one with this hash (or its first digits), and the earlier data that they changed.

    Tables that derive from other rows may change with later loads; `audit.derived` recomputes them. Rows in the
    registry say how something was loaded last, and follow from what is compared here. What commands add later
    (profiles, facts of a run, its withdrawal) does not change what was there.
    """
    at = engine.value("select min(entry_no) from ledger.entry where starts_with(sha256, ?)", [expected])
    if at is None:
        return Since([], [])
    # computations last: the list may be cut
    after = engine.rows(
        """select entry_no, kind, subject, detail from ledger.entry where entry_no > ?
        order by kind in ('compute', 'distribute'), entry_no""",
        [at],
    )
    last = {(kind, subject): number for number, kind, subject, _ in sorted(after)}
    changed = []

    def where(subject: str, *kinds: str) -> str:
        number = max((last[kind, subject] for kind in kinds if (kind, subject) in last), default=0)
        return f"ledger.entry {number}, after the head {expected[:8]}"

    loads, loads_then = _loads(engine), _loads(engine, at)
    contents, follow = recorded_contents(engine), derived_tables() | set(REGISTERED.values())
    places = owners(engine)
    for owner, then in recorded_contents(engine, at=at).items():
        if owner not in contents:
            changed.append(f"{owner} was dropped ({where(owner, 'drop')}).")
            continue
        now = contents[owner]
        names = sorted(
            name
            for name in (then.keys() | now.keys()) - follow
            if (before := then.get(name, NOTHING)) != (later := now.get(name, NOTHING))
            and not (name in ADDED_TO and later[0] > before[0] and _holds(engine, places[owner], name, before))
        )
        if names:
            changed.append(
                f"{owner}: {', '.join(names)} changed ({where(owner, 'load', 'content')}): it is not what was loaded."
            )
        if _read_of_files(loads_then[owner][1]) != _read_of_files(loads[owner][1]):
            changed.append(f"{owner}: its input files or warnings changed ({where(owner, 'load')}).")
    profiles = recorded_profiles(engine)
    changed += [
        f"profile {name} has other values ({where(PROFILES, 'content')})."
        for name, sha256 in sorted(recorded_profiles(engine, at).items())
        if profiles[name] != sha256
    ]
    defined, defined_then = definitions(engine), definitions(engine, at)
    made, made_then = (of.pop("store", {}) for of in (defined, defined_then))
    changed += [
        f"{subject} has another definition ({where(subject, 'define')})."
        if subject in defined
        else f"{subject} was dropped ({where(subject, 'drop')})."
        for subject, then in sorted(defined_then.items())
        if {**then, "path": ""} != {**defined.get(subject, {}), "path": ""}
    ]
    if any(made_then.get(item) != made.get(item) for item in ("definitions", "lock", "lineage")):
        changed.append(
            f"the definitions are others ({where('store', 'define')}): created by tdtsql {made_then.get('tdtsql')}, "
            f"now {made.get('tdtsql')}."
        )
    return Since(
        [f"entry {number}: {kind} {subject}{_more_of(kind, text)}" for number, kind, subject, text in after], changed
    )


def _holds(engine: Engine, place: Place, name: str, before: Sequence) -> bool:
    """Return whether the rows that an owner had in a table to which commands add rows are among its present ones: the
    first facts, some of the profiles (not compared where these can be chosen in more than 10,000 ways).
    """
    from tdtsql.files.row_hash import content  # not above: who only reads a store needs no numpy

    column, number = place
    key = next(one for one in tables()[name].columns if one != column)
    keys = engine.column(f"select {key} from {name} where {column} = ? order by 1", [number])
    chosen = [tuple(keys[: before[0]])] if name not in CHOSEN_PROFILES else combinations(keys, before[0])
    is_much = name in CHOSEN_PROFILES and math.comb(len(keys), before[0]) > 10_000
    return (
        before == NOTHING
        or is_much
        or any(
            list(content(engine, name, {column: number}, where=f"{key} in ({sql_list(some)})")) == before
            for some in chosen
        )
    )


def _more_of(kind: str, text: str) -> str:
    """Return what a line about an entry says beside its subject: rewritten tables, why a run was withdrawn."""
    if kind == "content":
        detail = _object(text)
        return f" ({', '.join(sorted(detail.get('tables') or detail.get('profiles') or ()))})"
    return f" ({_object(text).get('reason')})" if kind == "withdraw" else ""


def _read_of_files(detail: Mapping) -> list:
    """Return what was read of files, wherever they are and by whatever version: hashes, and numbers of problems."""
    files = [[file.get(name) for name in ("kind", "n_byte", "sha256", "n_problem")] for file in detail.get("files", [])]
    return [sorted(files, key=str), detail.get("problems")]


# ---- what was computed


def _other_computations(engine: Engine, numbers: Collection[int] | None = None) -> list[str]:
    """Return a message for each computation (default: all) that is not what the ledger says was made. The hash of its
    numbers of subset ``all`` is compared by `_other_past_scores`.
    """
    return [
        f"computation {number} is in the store, and no entry of the ledger says that it was made."
        if entry is None
        else f"computation {number} ({owner}) is not what ledger.entry {entry} says."
        for number, owner, entry in engine.rows(f"""
            select computation_no, made.owner, entry_no
            from ledger.computation left join ledger.computation_made as made using (computation_no)
            where {"true" if numbers is None else f"computation_no in ({sql_list(numbers)})"} and not exists (
                from ({COMPUTED}) as now
                where now.computation_no = computation.computation_no
                    and row(now.owner, profile, now.input_sha256, now.profile_sha256, now.definition_sha256,
                        now.n_value, now.result_sha256, tdtsql, duckdb)
                    = row(made.owner, profile_id, made.input_sha256, made.profile_sha256, made.definition_sha256,
                        made.n_value, made.result_sha256, made.tdtsql_version, made.duckdb_version))
            order by 1""")
    ]


def _lost_computations(engine: Engine, where: str = "true") -> list[str]:
    """Return a message for each computation that is no longer in the store, and whose run was not dropped after it."""
    return [
        f"ledger.entry {entry} says that computation {number} ({owner}) was made; it is not in the store."
        for number, owner, entry in engine.rows(f"""
            select computation_no, owner, entry_no
            from ledger.computation_made as made anti join ledger.computation using (computation_no)
            where {where} and not exists (
                from ledger.entry as dropped
                where kind = 'drop' and subject = made.owner and dropped.entry_no > made.entry_no)
            order by 1""")
    ]


def _other_past_scores(engine: Engine) -> list[str]:
    """Return a message for each earlier computation whose kept numbers are not those that were computed."""
    return [
        f"computation {number} ({owner}): its past numbers are not those of ledger.entry {entry} (ledger.past_score)."
        for number, owner, entry in engine.rows(f"""
            select computation_no, owner, entry_no
            from ledger.computation_made left join ({of_subset_all()}) as of_all using (computation_no)
            where all_sha256 <> coalesce(of_all.sha256, '') and computation_no not in ({_NEWEST})
            union all
            select distinct computation_no, condition_id || '/' || run_id, 0 from ledger.past_score
            where computation_no not in (select computation_no from ledger.computation_made)
            order by 1""")
    ]


def _other_results(engine: Engine, numbers: Collection[int]) -> list[str]:
    """Return a message for each of these computations whose stored numbers are others than were computed."""
    made = {
        number: row
        for number, *row in engine.rows(f"""
            select computation_no, entry_no, owner, n_value, result_sha256 from ledger.computation_made
            where computation_no in ({sql_list(numbers)}) order by 1""")
    }
    return [
        f"computation {number} ({owner}): {KEPT_DIFFER} those of ledger.entry {entry} ({then} numbers, "
        f"{then_sha256[:8]}; now {now}, {sha256[:8]}; {', '.join(f'ledger.{table}' for table in KEPT)})."
        for batch in batches(engine, made)
        for number, (now, sha256) in result_fingerprints(engine, batch).items()
        for entry, owner, then, then_sha256 in [made[number]]
        if (now, sha256) != (then, then_sha256)
    ]


def _other_distributions(engine: Engine, newest: Collection[int]) -> list[str]:
    """Return a message for each computation whose score distributions are not those that were fitted. Those of a
    computation that a later one replaced were deleted with its numbers.
    """
    rows = engine.rows("select entry_no, subject, detail from ledger.entry where kind = 'distribute' order by entry_no")
    fitted = {
        detail.get("computation_no", -1): (number, subject, {key: detail[key] for key in detail if key != "by"})
        for number, subject, text in rows
        for detail in [_object(text)]
    }
    there = {row[0] for table in DISTRIBUTIONS for row in engine.rows(f"select distinct computation_no from {table}")}
    found = []
    for number, (_, *now) in distribution_entries(engine, sorted(there | fitted.keys() & newest)).items():
        if number not in fitted:
            found.append(
                f"score distributions of computation {number} are in the store, and no entry of the ledger says that "
                f"they were fitted."
            )
        elif now != [*fitted[number][1:]]:
            entry, subject, _ = fitted[number]
            found.append(
                f"score distributions of computation {number} ({subject}) are not what ledger.entry {entry} says "
                f"({', '.join(DISTRIBUTIONS)})."
            )
    return found


# ---- all of it


def verify_chain(engine: Engine, *, expected: str | None = None, only: Collection[str] | None = None) -> list[str]:
    """Return the differences within the entries and between entries and store, the first one first.

    Args:
        expected: hash (or its first digits) of an entry that was saved elsewhere, as returned by ``head``. Anyone with
            write access can rebuild all entries, which changes this hash, or append entries that replace loaded data
            (`since`).
        only: the tables that exist, where others were omitted on purpose (a public archive); None: all.
    """
    n_entry = engine.value("select count(*) from ledger.entry")
    if not n_entry and not owners(engine) and expected is None:
        return [
            f"{engine.path}: the store is empty: what created it ended before its first entry. `tdtsql evaluate "
            "BUNDLE.toml` completes it, or remove the file."
        ]
    found = _breaks(engine)
    if (
        expected is not None
        and not found
        and not engine.rows("select 1 from ledger.entry where starts_with(sha256, ?)", [expected])
    ):
        found = [
            f"no ledger.entry has the hash {expected[:16]}: the {n_entry} entries differ from the given hash, or "
            f"entries were removed."
        ]
    found = found or _misused(engine)
    if found:
        return found
    return (since(engine, expected).changed if expected is not None else []) + _against_store(engine, only)


def verify_dependencies(engine: Engine, pairs: Iterable[tuple[int, str]]) -> list[tuple[str, list[str]]]:
    """Return three pairs (check, differences) for the numbers of some runs under some profiles.

    Args:
        pairs: run number and profile id.
    """
    profile_of = sorted(set(pairs))
    run_nos = [number for number, _ in profile_of]
    wanted = _owners_of(engine, run_nos)
    newest = [
        number
        for number, *pair in engine.rows(f"""
            select max(computation_no), run_no, profile_id from ledger.computation join registry.profile
            using (profile_no) where run_no in ({sql_list(run_nos)}) group by all order by 1""")
        if tuple(pair) in profile_of
    ]
    return [
        ("chain of the ledger", _breaks(engine) or _misused(engine)),
        ("stored scores", _other_computations(engine, newest) + _other_results(engine, newest)),
        (
            "loaded rows",
            _other_files(engine, wanted)
            + changed_contents(engine, wanted)
            + changed_profiles(engine, {name for _, name in profile_of}),
        ),
    ]


def _against_store(engine: Engine, only: Collection[str] | None) -> list[str]:
    """Return the differences between the entries and the store; ``only`` lists the tables to compare if others were
    omitted.
    """
    found: list[str] = []
    made = dict(engine.rows("select item, value from registry.made_with where item <> 'catalog'"))
    if made != definitions(engine).get("store", {}):
        found.append("registry.made_with is not what the last 'define' entry of the ledger says.")
    loads = _loads(engine)
    there = owners(engine).keys() | set(
        engine.column("select owner from registry.input_file union select owner from registry.problem")
    )
    for owner in sorted(there - loads.keys()):
        found.append(f"{owner} is in the store, and no entry of the ledger says that it was loaded.")
    for owner in sorted(loads.keys() - there):
        found.append(
            f"ledger.entry {loads[owner][0]} says that {owner} was loaded; it is not in the store, and no entry says "
            f"that it was dropped."
        )
    has_problems = only is None or "registry.problem" in only
    found += _other_files(engine, there, () if has_problems else ("problems", "problems_sha256"))
    found += changed_profiles(engine)
    found += changed_contents(engine, loads.keys(), but=() if only is None else tables().keys() - set(only))
    found += [] if only is not None else orphans(engine)
    recorded, now = dict(engine.rows("select run_no, sha256 from registry.current_input")), current_inputs(engine)
    if only is not None:  # without the rows that follow from runs the hash cannot be made again
        lacking = [task for task, facts in TASKS.items() if not {*filled_by(facts.follows)} <= {*only}]
        runs = engine.rows("select run_no, task from registry.run join registry.condition using (condition_no)")
        recorded |= {run_no: now[run_no] for run_no, task in runs if task in lacking and run_no in recorded}
    if recorded != now:
        found.append("registry.current_input is not what the hashes of runs, conditions and corpora make.")
    found += _other_computations(engine)
    newest = engine.column(_NEWEST)
    found += _other_results(engine, newest) + _other_past_scores(engine) if only is None else []
    rows = " union all ".join(f"select distinct '{table}', computation_no from ledger.{table}" for table in KEPT)
    found += [
        f"ledger.{table}: rows of computation {number}, whose scores are no longer stored."
        for table, number in engine.rows(f"select * from ({rows}) as kept(name, number) order by all")
        if number not in newest
    ]
    if only is None:
        found += _other_distributions(engine, newest)
        # of a profile that its condition no longer has: its past numbers are compared above
        past = "select computation_no from ledger.past_score"
        found += _lost_computations(engine, f"computation_no not in ({past})")
    else:
        found += _lost_computations(engine)
    return found
