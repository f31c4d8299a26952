"""`tdtsql serve` of a store: how long each page takes, the first time and again, and with many people at once.

    python tests/bench/bench_serve.py STORE [--people 20] [--rounds 5]
    python tests/bench/bench_many_runs.py --keep FOLDER      # FOLDER/store.duckdb: 20 runs of the size of TDT5

Takes the first condition with the most runs, and of it a run in the middle, its first topic and its primary metric. A
page is asked
for once after a start (what is kept of earlier pages is there), and twice more. Prints seconds on the clock, processor
seconds of the
serving process, and sizes; asserts nothing.
"""

import argparse
import http.client
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import tdtsql
from tdtsql.task import TASKS

TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument(
        "--rounds", type=int, default=5, help="pages that each of them asks for, times the number of pages"
    )
    given = parser.parse_args()
    pages = pages_of(given.store)
    process = subprocess.Popen(
        [sys.executable, "-m", "tdtsql", "serve", "--db", str(given.store), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        port = int(re.search(r":(\d+)/", process.stderr.readline())[1])
        each_page(process.pid, port, pages)
        large_answer(process.pid, port)
        many_people(port, [address for _, address in pages], given.people, given.rounds)
    finally:
        process.terminate()
        process.wait()


def pages_of(path: Path) -> list[tuple[str, str]]:
    """Return (what it is, address) of a page of each kind."""
    with tdtsql.connect(path, read_only=True) as store:
        [condition, task], *_ = store.engine.rows(
            "select condition_id, task from registry.condition join registry.run using (condition_no) group by all "
            "order by count(*) desc, condition_id"
        )
        runs = [
            run
            for [run] in store.engine.rows(
                "select run_id from registry.run join registry.condition using (condition_no) where condition_id = ? "
                "order by 1",
                [condition],
            )
        ]
        profile = store.engine.value("select min(profile_id) from report.score where condition_id = ?", [condition])
        topic = store.engine.value("select min(block_id) from report.block_score where condition_id = ?", [condition])
    run, metric = runs[len(runs) // 2], TASKS[task].primary
    of_run = {"condition": condition, "run": run, "profile": profile}
    score = f"select * from report.score where condition_id = '{condition}' and metric = '{metric}'"
    pages = [
        ("overview", "/", {}),
        ("a run", "/run", of_run),
        ("a topic", "/topic", {"condition": condition, "topic": topic, "profile": profile}),
        ("a number of a run", "/number", {**of_run, "metric": metric}),
        ("a number of a topic", "/number", {**of_run, "metric": metric, "topic": topic}),
        ("metrics", "/metrics", {}),
        ("a metric", "/metric", {"name": metric, "task": task}),
        ("its lineage", "/lineage.svg", {"name": metric, "task": task}),
        ("compare, two runs", "/compare", {"condition": condition, "profile": profile, "run": runs[:2]}),
        ("compare, all runs with the first", "/compare", {"condition": condition, "profile": profile, "run": runs}),
        ("SQL, no query", "/sql", {}),
        ("SQL, report.score", "/sql", {"q": score}),
        ("SQL, the same as bars", "/sql", {"q": score, "chart": "bars", "x": "run_id", "y": "value"}),
        ("SQL, all of report.block_score, sorted", "/sql", {"q": "select * from report.block_score", "sort": "7"}),
        ("names for the editor", "/names.json", {}),
        ("cookbook", "/cookbook", {}),
        ("a question", "/question", {"name": "worst_topics", "run": run}),
        ("a question of all runs", "/question", {"name": "hard_topics"}),
        ("ledger", "/ledger", {}),
        ("audit", "/audit", {}),
    ]
    return [(what, f"{path}?{urlencode(state, doseq=True)}") for what, path, state in pages]


def asked(connection: http.client.HTTPConnection, address: str) -> tuple[int, int, float]:
    """Return status, bytes and seconds of a page; a page that leads to its address with data= is one with it."""
    began = time.perf_counter()
    while True:
        connection.request("GET", address)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 302:
            return answer.status, len(text), time.perf_counter() - began
        address = answer.getheader("location")


def each_page(pid: int, port: int, pages: list[tuple[str, str]]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    while True:
        try:
            connection.connect()
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    print(f"{'page':42} {'first':>8} {'processor':>10} {'again':>8} {'KiB':>8}   status")
    for what, address in pages:
        before = processor(pid)
        status, size, first = asked(connection, address)
        busy = processor(pid) - before
        again = min(asked(connection, address)[2] for _ in range(2))
        print(f"{what:42} {first:8.2f} {busy:10.2f} {again:8.3f} {size / 1024:8.0f}   {status}", flush=True)


def large_answer(pid: int, port: int) -> None:
    """Take a million rows as CSV, and tell how much more memory that took at most."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    query = urlencode(
        {
            "q": "select range as n, 'a text of some forty letters in each row ' || range as words, random() as value "
            "from range(1000000)"
        }
    )
    before, began = peak(pid), time.perf_counter()
    connection.request("GET", f"/download?form=csv&{query}")
    answer = connection.getresponse()
    size = sum(len(piece) for piece in iter(lambda: answer.read(1 << 16), b""))
    print(
        f"10^6 rows as CSV: {time.perf_counter() - began:.1f} s, {size / 2**20:.0f} MiB; "
        f"{(peak(pid) - before) / 1024:.0f} MiB more memory at most"
    )


def peak(pid: int) -> int:
    """Return the most memory that a process has had, in KiB."""
    return int(re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def processor(pid: int) -> float:
    """Return the processor seconds that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def many_people(port: int, addresses: list[str], n_people: int, n_round: int) -> None:
    """Ask for every page, each of ``n_people`` beginning at another one, and tell how long a page took."""
    seconds: list[float] = []
    statuses: list[int] = []

    def person(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        for place in range(n_round * len(addresses)):
            status, _, took = asked(connection, addresses[(place + number) % len(addresses)])
            seconds.append(took)
            statuses.append(status)

    people = [threading.Thread(target=person, args=(number,)) for number in range(n_people)]
    for thread in people:
        thread.start()
    for thread in people:
        thread.join()
    cut = statistics.quantiles(seconds, n=20)
    print(
        f"{n_people} people, {len(seconds):,} pages: median {statistics.median(seconds):.3f} s, 95 % below "
        f"{cut[18]:.3f} s; not answered {sum(status != 200 for status in statuses)}; "
        f"load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
