"""What small commands take, as whole processes, beside DuckDB's own client in Python asking the same file.

    python tests/bench/bench_commands.py [--turns 7] [--processor]

Median seconds; the commands take turns, so that a busy machine slows all alike. `--processor` gives processor seconds.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from child import compile_package

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "select count(*) from report.score"
PEER = "import duckdb, sys; print(duckdb.connect(sys.argv[1], read_only=True).execute(sys.argv[2]).fetchall())"


def seconds(arguments: list[str], *, processor: bool) -> float:
    """Return what one process takes."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    if processor:
        return after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--processor", action="store_true")
    given = parser.parse_args()
    compile_package()
    command = [sys.executable, "-m", "tdtsql"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        subprocess.run([*command, "example", str(folder / "example")], check=True, stdout=subprocess.DEVNULL)
        example, store = folder / "example" / "bundle.toml", str(folder / "example.duckdb")
        subprocess.run([*command, "evaluate", str(example), "--db", store], check=True, stdout=subprocess.DEVNULL)
        fresh = folder / "fresh.duckdb"
        rows = {
            "Python alone": [sys.executable, "-c", "pass"],
            "DuckDB's client in Python, the same question": [sys.executable, "-c", PEER, store, QUESTION],
            f"sql query '{QUESTION}'": [*command, "sql", "query", QUESTION, "--db", store],
            "score of one run": [*command, "score", "osprey", "--metric", "c_det_norm", "--db", store],
            "leaderboard": [*command, "leaderboard", "--db", store],
            "evaluate, Bagga's bundle, a new store": [
                *command,
                "evaluate",
                str(ROOT / "fixtures" / "bagga" / "bundle.toml"),
                "--db",
                str(fresh),
            ],
            "evaluate, the example, a new store": [*command, "evaluate", str(example), "--db", str(fresh)],
            "evaluate, the example again": [*command, "evaluate", str(example), "--db", store],
            "report make, the example": [*command, "report", "make", str(folder / "report.html"), "--db", store],
        }
        taken: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(given.turns + 1):
            for name, arguments in rows.items():
                fresh.unlink(missing_ok=True)
                taken[name].append(seconds(arguments, processor=given.processor))
    print(
        "processor seconds" if given.processor else "seconds",
        "(median, least of the turns); load",
        f"{os.getloadavg()[0]:.1f}",
    )
    for name, values in taken.items():  # the first turn fills caches
        print(f"  {name:48} {statistics.median(values[1:]):7.3f} {min(values[1:]):7.3f}")


if __name__ == "__main__":
    main()
