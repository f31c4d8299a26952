"""Write a run file of a whole track's size: the runs of a file over and over, under other names.

    python tests/bench/make_summarization.py RUNS.ssv TIMES OUT.ssv

Twenty-seven times the 111,200 updates of three runs of 2014 are 3,002,400, as many as all runs of that track
together. Then:

    tdtsql evaluate bundle.toml --db bench.duckdb      # files = ["OUT.ssv"], format = "ts"
"""

import sys
from pathlib import Path


def repeat(source: Path, times: int, out: Path) -> int:
    """Write ``times`` copies of the rows, each with run names of its own; returns the number of rows."""
    rows = [line.split() for line in source.read_text().splitlines()]
    with out.open("w") as stream:
        for number in range(times):
            stream.writelines(" ".join((*row[:2], f"{row[2]}_{number}", *row[3:])) + "\n" for row in rows)
    return len(rows) * times


if __name__ == "__main__":
    print(repeat(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])), "rows")
