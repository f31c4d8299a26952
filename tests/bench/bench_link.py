"""Link detection from files to curves, the whole process, for every way to say what the answers are.

    python tests/bench/bench_link.py [PAIRS...]

Prints wall and processor seconds and the peak of memory, asserts nothing.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_link import make

COMMAND = (sys.executable, "-m", "tdtsql", "evaluate")


def measured(bundle: Path, db: Path) -> tuple[float, float, float]:
    """Return wall seconds, processor seconds and GB of one evaluation into a new store."""
    begin = time.perf_counter()
    process = subprocess.Popen([*COMMAND, str(bundle), "--db", str(db)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{bundle}: evaluate ended with {status}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


def main(sizes: list[int]) -> None:
    for n_pair in sizes:
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), n_pair)
            for name in ("key", "index_key", "stories_key", "judgments"):
                wall, cpu, memory = measured(Path(folder) / f"{name}.toml", Path(folder) / f"{name}.duckdb")
                print(f"{n_pair:>10,} pairs  {name:12} {wall:6.2f} s  {cpu:6.2f} s of processor  {memory:5.2f} GB", flush=True)


if __name__ == "__main__":
    main([int(float(text)) for text in sys.argv[1:]] or [91_683, 1_000_000])
