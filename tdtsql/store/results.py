"""Hashes over stored rows: the results of computations and their score distributions, for entries of the ledger."""

from collections.abc import Collection, Mapping, Sequence

from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.hashes import digest
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_identifier, sql_list
from tdtsql.store.recording import Entry

#: tables of score distributions, which are fitted on request
DISTRIBUTIONS = ("ledger.result_distribution", "ledger.result_common_threshold", "ledger.result_histogram")

#: computations that are hashed in one query: many queries take time, and hashing all rows at once takes memory
TOGETHER = 10

#: blocks that are hashed together
_PART = 256


def next_computation(engine: Engine) -> int:
    """Return the number of the next computation: above all that were ever made, of dropped runs too."""
    return engine.value(
        "select greatest(coalesce((select max(computation_no) from ledger.computation_made), 0), "
        "coalesce((select max(computation_no) from ledger.computation), 0)) + 1"
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
    wanted = {"computations": list(computation_nos)}
    owner_of = {number: owner for number, owner, *_ in engine.rows(read_statement("verify/computed"), wanted)}
    entries = {}
    for number in sorted(computation_nos):
        n_row, sha256 = made.get(number, (0, ""))
        detail = {"computation_no": number, "n_row": n_row, "result_sha256": sha256}
        entries[number] = "distribute", owner_of.get(number, ""), detail
    return entries


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
        n_row, sha256 = numbers.get(number, (0, ""))
        result[number] = n_row, digest([sha256, points[number].sha256 if number in points else ""])
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
