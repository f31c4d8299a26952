"""What exactness costs: means in fixed point against plain ``avg``, over many groups.

    python tests/bench/bench_exactness.py [--rows 20000000] [--groups 1000] [--repeat 3]

The rule is that of every mean of ratios in ``sql/metric``. Beside the time it tells how many
groups get other bits from plain ``avg`` when the same rows are read by another number of threads.
"""

import argparse
from time import perf_counter

import duckdb

PLAIN = "avg(number.value)"
FIXED = "cast(sum(cast(floor(number.value * 1e15 + 5e-1) as decimal(38, 0))) as double) / 1e15 / count(number.value)"


def means(connection: duckdb.DuckDBPyConnection, expression: str) -> list[tuple]:
    return connection.execute(
        f"select number.group_no, {expression} from number group by number.group_no order by 1"
    ).fetchall()


def timed(connection: duckdb.DuckDBPyConnection, expression: str, repeat: int) -> float:
    """Return the least time of some repetitions, in seconds."""
    times = []
    for _ in range(repeat):
        begin = perf_counter()
        means(connection, expression)
        times.append(perf_counter() - begin)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--groups", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    connection = duckdb.connect()
    connection.execute(
        "create table number as select cast(hash(range) % ? as integer) as group_no, cast(hash(range + 7) % 1000003 "
        "as double) / 1000003 as value from range(?)",
        [given.groups, given.rows],
    )
    plain, fixed = timed(connection, PLAIN, given.repeat), timed(connection, FIXED, given.repeat)
    print(
        f"{given.rows:,} rows, {given.groups:,} groups, DuckDB {duckdb.__version__}, "
        f"{connection.execute('select current_setting($$threads$$)').fetchone()[0]} threads"
    )
    print(f"plain avg {plain:.3f} s, fixed point {fixed:.3f} s: {fixed / plain:.1f} times")
    for name, expression in (("plain avg", PLAIN), ("fixed point", FIXED)):
        found = []
        for threads in (1, 2, 8):
            connection.execute(f"set threads = {threads}")
            found.append(means(connection, expression))
        differing = sum(len({value for _, value in group}) > 1 for group in zip(*found, strict=True))
        print(f"{name}: {differing} of {len(found[0])} groups have other bits under 1, 2 or 8 threads")


if __name__ == "__main__":
    main()
