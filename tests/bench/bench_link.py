"""Link detection from files to curves, the whole process, for every way to say what the answers are.

    python tests/bench/bench_link.py [PAIRS...]

Prints wall and processor seconds and the peak of memory, asserts nothing.
"""

import sys
import tempfile
from pathlib import Path

from child import child
from make_link import make


def main(sizes: list[int]) -> None:
    for n_pair in sizes:
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), n_pair)
            for name in ("key", "index_key", "stories_key", "judgments"):
                one = child(
                    "-m", "tdtsql", "evaluate", Path(folder) / f"{name}.toml", "--db", Path(folder) / f"{name}.duckdb"
                )
                print(
                    f"{n_pair:>10,} pairs  {name:12} {one.seconds:6.2f} s  {one.busy:6.2f} s of processor  "
                    f"{one.peak / 1e9:5.2f} GB",
                    flush=True,
                )


if __name__ == "__main__":
    main([int(float(text)) for text in sys.argv[1:]] or [91_683, 1_000_000])
