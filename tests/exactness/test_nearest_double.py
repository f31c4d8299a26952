"""A sum in whole units becomes the nearest double in the engine itself (DuckDB 1.5 and 2.0.0 rounded twice)."""

from random import Random

import tdtsql


def test_sums_past_64_bits_are_the_nearest_doubles():
    random = Random(8)
    numbers = [60005172976730378442, -25000000000000123, -9007199254740993, 2**53 + 1, 0, 10**38 - 1]
    numbers += [
        sign * random.randrange(2**k, 2 ** (k + 1)) for k in range(50, 126) for sign in (1, -1) for _ in range(40)
    ]
    with tdtsql.connect(":memory:") as store:
        store.engine.execute("create temp table term (place integer, x decimal(38, 0))")
        rows = ", ".join(
            f"({place}, {part})" for place, number in enumerate(numbers) for part in (number - number // 3, number // 3)
        )
        store.engine.execute(f"insert into term values {rows}")
        found = store.engine.rows("select place, cast(sum(x) as double) as y from term group by place order by place")
    assert [y.hex() for _, y in found] == [float(number).hex() for number in numbers]
