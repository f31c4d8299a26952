"""The ledger: an append-only list of what was done to a store, each entry chained to the one before.

An edited, removed or inserted entry breaks the chain, or no longer agrees with
what the store holds; ``verify`` says where first.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime

from tdtsql.engine.duckdb import Engine
from tdtsql.metric.ddl import tables
from tdtsql.metric.fingerprint import digest

GENESIS = "0" * 64
COLUMNS = ("entry_no", "made_at", "kind", "subject", "detail", "previous_sha256", "sha256")


def append(engine: Engine, kind: str, subject: str, detail: dict) -> None:
    """Add one entry; the caller's transaction keeps or drops it with what it tells of."""
    last = engine.rows("select entry_no, sha256 from ledger.entry order by entry_no desc limit 1")
    number, previous = (last[0][0] + 1, last[0][1]) if last else (1, GENESIS)
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    row = [number, at, kind, subject, json.dumps(detail, sort_keys=True, ensure_ascii=False), previous]
    engine.execute("insert into ledger.entry values (?, ?, ?, ?, ?, ?, ?)", [*row, entry_hash(row)])


def entry_hash(row: list | tuple) -> str:
    """Return the hash of an entry's first six columns."""
    return digest(str(value) for value in row[:6])


def rows_hash(engine: Engine, table: str, columns: Iterable[str], where: str = "true") -> tuple[int, str]:
    """Return (rows, hash) of a table's rows, in a fixed order."""
    line = ", ".join(f"coalesce(cast({column} as varchar), 'null')" for column in columns)
    [found] = engine.rows(f"select count(*), coalesce(sha256(string_agg(line, chr(10) order by line)), '') "
                          f"from (select concat_ws('|', {line}) as line from {table} where {where})")
    return found


def load_entry(engine: Engine, owner: str) -> tuple[str, dict]:
    """Return subject and detail of a load, from what the registry says of it."""
    files = engine.rows(
        "select path, kind, n_byte, sha256, n_problem, reader_version from registry.input_file where owner = ? order by input_file_no", [owner])
    problems = engine.rows("select code, path, line, column_no, message, value from registry.problem where owner = ? order by all", [owner])
    codes: dict[str, int] = {}
    for problem in problems:
        codes[problem[0]] = codes.get(problem[0], 0) + 1
    return owner, {
        "files": [dict(zip(("path", "kind", "n_byte", "sha256", "n_problem", "reader"), row, strict=True)) for row in files],
        "problems": codes,
        "problems_sha256": digest(str(value) for problem in problems for value in problem),
    }


def computation_entry(engine: Engine, computation_no: int) -> tuple[str, dict]:
    """Return subject and detail of a computation, from what the ledger keeps of it; empty ones where its run is gone."""
    rows = engine.rows("""
        select condition.condition_id || '/' || run.run_id, profile.profile_id, computation.input_sha256, computation.profile_text,
            computation.definition_sha256, computation.n_value, computation.result_sha256, computation.tdtsql_version, computation.duckdb_version
        from ledger.computation as computation
        join registry.run as run on run.run_no = computation.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.profile as profile on profile.profile_no = computation.profile_no
        where computation.computation_no = ?""", [computation_no])
    if not rows:
        return "", {}
    [row] = rows
    names = ("profile", "input_sha256", "profile_sha256", "definition_sha256", "n_value", "result_sha256", "tdtsql", "duckdb")
    values = [row[1], row[2], digest([row[3]]), *row[4:]]
    return f"run:{row[0]}", {"computation_no": computation_no, **dict(zip(names, values, strict=True))}


#: tables of score distributions, fitted when somebody asks for them
DISTRIBUTIONS = ("ledger.result_distribution", "ledger.result_common_threshold", "ledger.result_histogram")


def distribution_entry(engine: Engine, computation_no: int) -> tuple[str, dict]:
    """Return subject and detail of the score distributions that are kept of a computation."""
    hashes = [rows_hash(engine, table, [column for column in tables()[table].columns if column != "computation_no"], f"computation_no = {computation_no}")
              for table in DISTRIBUTIONS]
    return computation_entry(engine, computation_no)[0], {
        "computation_no": computation_no, "n_row": sum(row[0] for row in hashes), "result_sha256": digest(row[1] for row in hashes)}


def verify_chain(engine: Engine) -> list[str]:
    """Return what is wrong with the entries themselves and with what they say of the store, the first divergence first."""
    rows = engine.rows(f"select {', '.join(COLUMNS)} from ledger.entry order by entry_no")
    found: list[str] = []
    previous = GENESIS
    for number, row in enumerate(rows, start=1):
        if row[0] != number:
            found.append(f"ledger.entry {number} is missing: after {number - 1} comes {row[0]}.")
            break
        if row[5] != previous:
            found.append(f"ledger.entry {number} ({row[2]} {row[3]}) does not follow {number - 1} (chain {row[5][:8]}, entry before {previous[:8]}).")
            break
        if entry_hash(row) != row[6]:
            found.append(f"ledger.entry {number} ({row[2]} {row[3]}) was edited (hash {row[6][:8]}, content {entry_hash(row)[:8]}).")
            break
        previous = row[6]
    if found:
        return found
    return _against_store(engine, [(row[0], row[2], row[3], json.loads(row[4])) for row in rows])


def _against_store(engine: Engine, entries: list[tuple[int, str, str, dict]]) -> list[str]:
    """Return where the entries and the store do not say the same."""
    found: list[str] = []
    loaded: dict[str, tuple[int, dict]] = {}
    computed: dict[int, tuple[int, str, dict]] = {}
    defined: dict = {}
    fitted: dict[int, tuple[int, str, dict]] = {}
    for number, kind, subject, detail in entries:
        if kind == "define":
            defined = detail
        elif kind == "load":
            loaded[subject] = (number, detail)
        elif kind == "drop":
            loaded.pop(subject, None)
            computed = {key: value for key, value in computed.items() if value[1] != subject}
        elif kind == "compute":
            computed[detail["computation_no"]] = (number, subject, detail)
            fitted.pop(detail["computation_no"], None)  # of an earlier computation that was dropped: its number is given again
        elif kind == "distribute":
            fitted[detail["computation_no"]] = (number, subject, detail)
    made = dict(engine.rows("select item, value from registry.made_with where item <> 'catalog'"))
    if made != defined:
        found.append("registry.made_with is not what the last 'define' entry of the ledger says.")
    owners = {row[0] for row in engine.rows("""
        select 'corpus:' || corpus_id from registry.corpus
        union all select 'condition:' || condition_id from registry.condition
        union all select 'run:' || condition.condition_id || '/' || run.run_id
        from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no
        union all select owner from registry.input_file""")}
    for owner in sorted(owners - loaded.keys()):
        found.append(f"{owner} is in the store, and no entry of the ledger says that it was loaded.")
    for owner in sorted(loaded.keys() - owners):
        found.append(f"ledger.entry {loaded[owner][0]} says that {owner} was loaded; it is not in the store, and no entry says that it was dropped.")
    for owner in sorted(owners & loaded.keys()):
        if load_entry(engine, owner)[1] != loaded[owner][1]:
            found.append(f"{owner}: its input files or problems in the registry are not those of ledger.entry {loaded[owner][0]}.")
    kept = [row[0] for row in engine.rows("select computation_no from ledger.computation order by computation_no")]
    for number in kept:
        if number not in computed:
            found.append(f"computation {number} is in the store, and no entry of the ledger says that it was made.")
        elif computation_entry(engine, number) != computed[number][1:]:
            found.append(f"computation {number} ({computed[number][1]}) is not what ledger.entry {computed[number][0]} says.")
    # numbers of a computation that a later one replaced are gone, and its distributions with them
    newest = {row[0] for row in engine.rows("select max(computation_no) from ledger.computation group by run_no, profile_no")}
    there = {row[0] for table in DISTRIBUTIONS for row in engine.rows(f"select distinct computation_no from {table}")}
    for number in sorted((there | newest) & (there | fitted.keys())):
        if number not in fitted:
            found.append(f"score distributions of computation {number} are in the store, and no entry of the ledger says that they were fitted.")
        elif number in newest | there and distribution_entry(engine, number) != fitted[number][1:]:
            found.append(f"score distributions of computation {number} ({fitted[number][1]}) are not what ledger.entry {fitted[number][0]} says.")
    for number in sorted(computed.keys() - set(kept)):
        found.append(f"ledger.entry {computed[number][0]} says that computation {number} ({computed[number][1]}) was made; it is not in the store.")
    return found
