"""How long the report of 20 runs and 250 topics takes, and how large it gets.

Run it: `python tests/bench/report_speed.py`. The evaluation is made up, loaded and
scored first; only the report is timed. Promised: under 10 s, under 3 MB.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from small_bundle import write_small_bundle

import tdtsql


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bundle = write_small_bundle(Path(folder), n_run=20, n_topic=250, n_story=400)
        start = time.perf_counter()
        with tdtsql.evaluate(bundle, Path(folder) / "store.duckdb") as store:
            print(f"loaded and scored in {time.perf_counter() - start:.1f} s")
            start, used = time.perf_counter(), time.process_time()
            size = store.report(Path(folder) / "report.html")
            print(
                f"report written in {time.perf_counter() - start:.1f} s ({time.process_time() - used:.1f} s of "
                f"processor time), {size / 1e6:.2f} MB"
            )


if __name__ == "__main__":
    main()
