"""The ledger against the store: what its entries say, and where the store has something else.

An edited, removed or inserted entry breaks the chain, or disagrees with the contents of the store. Each thing that must
agree is a query of ``sql/verify``: it reads the views of ``sql/ledger``, and selects a message for each difference.
What the engine does not hash in SQL (contents of owners, stored results) is given to it as rows.
"""

import json
import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.errors import ChangedContent
from tdtsql.store.contents import (
    ADDED_TO,
    CHOSEN_PROFILES,
    PRODUCT,
    PRODUCTS,
    REGISTERED,
    contents_of,
    current_inputs,
    derived_tables,
    orphans,
    owner_hash,
    owners,
    profiles_of,
    rewritten,
)
from tdtsql.store.recording import (
    DISTRIBUTIONS,
    KINDS,
    PROFILES,
    TOGETHER,
    detail_text,
    distribution_entries,
    files_of,
    profile_owner,
    recorded_contents,
    result_fingerprints,
)

#: part of the message for stored results that differ from the computed ones
KEPT_DIFFER = "its stored scores are not"

#: the newest computation of each run and profile
_NEWEST = "select max(computation_no) from ledger.computation group by run_no, profile_no"


def _differences(engine: Engine, name: str, **parameters: Any) -> list[str]:
    """Return the messages of a query of ``sql/verify``; ``present`` are rows of what the store has now."""
    if "present" in parameters:
        parameters["present"] = json.dumps([*map(list, parameters["present"])])
    return engine.column(read_statement(f"verify/{name}"), parameters)


# ---- what was loaded


def changed_contents(
    engine: Engine, of: Collection[str], profiles: Collection[str] | None = None, *, but: Collection[str] = ()
) -> list[str]:
    """Return a message for each profile (all by default), and each table of owners, that differs from what was loaded.

    Args:
        of: owners to check.
        but: tables not to check.
    """
    places = {owner: place for owner, place in owners(engine).items() if owner in of}
    present: list[tuple] = [(PROFILES, name, None, sha256, "") for name, sha256 in profiles_of(engine).items()]
    recorded = recorded_contents(engine, of) if but else {}
    for owner, contents in contents_of(engine, dict.fromkeys(places), places).items():
        here = {name: rows for name, rows in contents.items() if name not in but}
        present += [(owner, name, *rows, "") for name, rows in here.items()]
        omitted = {name: rows for name, rows in recorded.get(owner, {}).items() if name in but}
        kind, _, name, sha256 = places[owner]
        present.append((owner, "", 0, owner_hash(kind, name, here | omitted), sha256))
    return _differences(
        engine,
        "content",
        present=present,
        later=sorted(rewritten()),
        but=sorted(but),
        every=profiles is None,
        profiles=sorted(profiles or ()),
    )


def _owners_of(engine: Engine, run_nos: Iterable[int]) -> set[str]:
    """Return the owners of these runs: the runs themselves, their conditions and corpora."""
    return {
        *engine.column(f"""
        select unnest([
            'run:' || condition_id || '/' || run_id, 'condition:' || condition_id, 'corpus:' || corpus_id
        ])
        from registry.run join registry.condition using (condition_no) join registry.corpus using (corpus_no)
        where run_no in ({sql_list(run_nos)})""")
    }


def check_contents(engine: Engine, run_nos: Collection[int], profile_nos: Collection[int]) -> None:
    """Refuse to score anything that differs from what was loaded: runs, their conditions and corpora, and profiles.

    What this process loaded or verified is not checked again.

    Raises:
        ChangedContent: lists every table, with both hashes.
    """
    owners = _owners_of(engine, run_nos) - engine.verified_owners
    ids = engine.column(f"select profile_id from registry.profile where profile_no in ({sql_list(profile_nos)})")
    profiles = [name for name in ids if profile_owner(name) not in engine.verified_owners]
    if not owners and not profiles:
        return
    if found := changed_contents(engine, owners, profiles):
        raise ChangedContent(
            "\n".join(f"{engine.path}: {message}" for message in found)
            + "\nNothing was scored. Restore the file, or evaluate its bundle into a new store."
        )
    engine.verified_owners.update(owners, map(profile_owner, profiles))


def _other_files(engine: Engine, of: Collection[str], unsaid: Collection[str] = ()) -> list[str]:
    """Return a message for each of these owners whose files or problems differ from those of its load.

    ``unsaid``: what the registry does not have of them.
    """
    present = ((owner, detail_text(detail)) for owner, detail in files_of(engine, of).items())
    return _differences(engine, "other_files", present=present, unsaid=["bundle", "by", "tables", *unsaid])


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
    held = [
        f"{owner} {name}"
        for owner, name, *before in engine.rows(read_statement("verify/added"), {"at": at, "added": ADDED_TO})
        if _holds(engine, owner, name, before)
    ]
    names = {"later": sorted(rewritten()), "follow": sorted(derived_tables() | set(REGISTERED.values()))}
    changed = _differences(engine, "since", at=at, head=expected[:8], added=ADDED_TO, held=held, **names)
    return Since(_differences(engine, "later", at=at), changed)


def _holds(engine: Engine, owner: str, name: str, before: list) -> bool:
    """Return whether the rows that an owner had in a table to which commands add rows are among its present ones: the
    first facts, some of the profiles (not compared where these can be chosen in more than 10,000 ways).
    """
    from tdtsql.files.row_hash import content  # not above: who only reads a store needs no numpy

    column, number, *_ = owners(engine).get(owner, ("run_no", -1))
    key = next(one for one in tables()[name].columns if one != column)
    keys = engine.column(f"select {key} from {name} where {column} = ? order by 1", [number])
    is_chosen = name in CHOSEN_PROFILES
    if is_chosen and math.comb(len(keys), before[0]) > 10_000:
        return True
    return any(
        list(content(engine, name, {column: number}, where=f"{key} in ({sql_list(some)})")) == before
        for some in (combinations(keys, before[0]) if is_chosen else [keys[: before[0]]])
    )


# ---- what was computed


def _other_results(engine: Engine, numbers: Sequence[int]) -> list[str]:
    """Return a message for each of these computations whose stored numbers are others than were computed."""
    present = [
        (number, *made)
        for at in range(0, len(numbers), TOGETHER)
        for number, made in result_fingerprints(engine, numbers[at : at + TOGETHER]).items()
    ]
    return _differences(engine, "result", present=present)


def _other_past_scores(engine: Engine) -> list[str]:
    """Return a message for each earlier computation whose numbers are not those that were computed."""
    made = engine.column("select computation_no from ledger.computation_made")
    query = read_statement("verify/past_score").replace("subset_all", f"({read_statement('verify/subset_all')})")
    return engine.column(query, {"computations": made})


def _other_distributions(engine: Engine, newest: Collection[int]) -> list[str]:
    """Return a message for each computation whose score distributions are not those that were fitted."""
    there = " union ".join(f"select computation_no from {table}" for table in DISTRIBUTIONS)
    present = [
        (number, owner, detail["n_row"], detail["result_sha256"])
        for number, (_, owner, detail) in distribution_entries(engine, {*engine.column(there), *newest}).items()
    ]
    return _differences(engine, "distribution", present=present)


# ---- all of it


def _broken_entries(engine: Engine, expected: str | None = None) -> list[str]:
    """Return the first break in the chain of all entries, or that none has a hash, or the entries that no command
    writes.
    """
    return (
        _differences(engine, "link")
        or _differences(engine, "head", head=expected or "")
        or _differences(engine, "entry", later=sorted(rewritten()), kinds=sorted(KINDS))
    )


def verify_chain(engine: Engine, *, expected: str | None = None, only: Collection[str] | None = None) -> list[str]:
    """Return the differences within the entries and between entries and store, the first one first.

    Args:
        expected: hash (or its first digits) of an entry that was saved elsewhere, as returned by ``head``. Anyone with
            write access can rebuild all entries, which changes this hash, or append entries that replace loaded data
            (`since`).
        only: the tables that exist, where others were omitted on purpose (a public archive); None: all.
    """
    there = owners(engine)
    if not there and not expected and not engine.rows("select 1 from ledger.entry limit 1"):
        return [
            f"{engine.path}: the store is empty: what created it ended before its first entry. `tdtsql evaluate "
            "BUNDLE.toml` completes it, or remove the file."
        ]
    if found := _broken_entries(engine, expected):
        return found
    found = since(engine, expected).changed if expected else []
    loaded = engine.column("select owner from ledger.load where until_no is null")
    has_problems = only is None or "registry.problem" in only
    newest = engine.column(_NEWEST)
    computed = engine.column("select computation_no from ledger.computation")
    found += _differences(engine, "made_with")
    found += _differences(engine, "load", owners=[*there])
    found += _other_files(engine, there, () if has_problems else ("problems", "problems_sha256"))
    every = () if only is None else (*tables(), *PRODUCTS)
    but = [name for name in every if name.removesuffix(f".{PRODUCT}") not in (only or ())]
    found += changed_contents(engine, loaded, but=but)
    found += orphans(engine) if only is None else []
    found += _other_inputs(engine)
    found += _differences(engine, "computation", computations=computed)
    if only is None:
        found += _other_results(engine, newest) + _other_past_scores(engine) + _differences(engine, "comparison")
    found += _differences(engine, "kept")
    found += _other_distributions(engine, newest) if only is None else []
    # of a profile that its condition no longer has: its past numbers are compared above
    return found + _differences(engine, "lost", has_past=only is None)


def _other_inputs(engine: Engine) -> list[str]:
    """Return a message where the hashes of the inputs of runs are not those of now."""
    if dict(engine.rows("from registry.current_input")) == current_inputs(engine):
        return []
    return ["registry.current_input is not what the hashes of runs, conditions and corpora make."]


def verify_dependencies(engine: Engine, pairs: Iterable[tuple[int, str]]) -> list[tuple[str, list[str]]]:
    """Return three pairs (check, differences) for the numbers of some runs under some profiles.

    Args:
        pairs: run number and profile id.
    """
    pairs = sorted(set(pairs))
    run_nos, profiles = [number for number, _ in pairs], [name for _, name in pairs]
    wanted = _owners_of(engine, run_nos)
    newest = engine.column(
        """select max(computation_no) from ledger.computation join registry.profile using (profile_no)
        where (run_no, profile_id) in (select unnest(?), unnest(?)) group by run_no, profile_no order by 1""",
        [run_nos, profiles],
    )
    return [
        ("chain of the ledger", _broken_entries(engine)),
        (
            "stored scores",
            _differences(engine, "computation", computations=newest) + _other_results(engine, newest),
        ),
        (
            "loaded rows",
            _other_files(engine, wanted) + changed_contents(engine, wanted, profiles),
        ),
    ]
