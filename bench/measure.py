"""Processor seconds and peak memory of whole processes, beside peers that take turns with them in the same run.

    pip install -e '.[bench]'
    python bench/measure.py [--turns 5] [--only NAME ...] [--folder DIR]       # beside other programs (`peers.py`)
    python bench/measure.py --baseline ../basevenv/bin/tdtsql                  # and beside another installation

A bench is a command on data of `data.py`; rows are those of docs/measurements.md. Processor seconds are user and system
of the process and its children; they and the ratios are medians of the turns. A first turn that fills caches is not
counted (with one turn alone there is none).
"""

import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import data

#: an editable installation keeps its bytecode, as any other has it: compiling takes 0.2 to 0.3 s of each process
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
HERE = Path(__file__).resolve().parent
EVALUATE = "evaluate bundle.toml"
#: the installation that is measured
OURS = str(Path(sys.executable).with_name("tdtsql"))

#: pages of the web UI
PAGES = [
    "/",
    "/run?condition=large&run=R1&profile=tdt2004",
    "/topic?condition=large&topic=t1&profile=tdt2004",
    "/number?condition=large&run=R1&profile=tdt2004&metric=c_det_norm",
    "/compare?condition=large&profile=tdt2004&run=R1&run=R2",
    "/metrics",
]


@dataclass(frozen=True)
class Bench:
    """A command on a new store, or on one where the data were evaluated."""

    make: Callable[[Path], object]  #: writes bundle.toml and its files
    command: str = ""  #: on an evaluated store; empty: the evaluation itself; `{tdtsql}` is a program's argument
    peer: str = ""  #: function of `peers.py`: what others would run on the same data
    rc: int = 0


def copied(fixture: str, folder: Path) -> None:
    """Copy a bundle of the fixtures."""
    shutil.copytree(HERE.parent / "fixtures" / fixture, folder, dirs_exist_ok=True)


small, clusters = partial(copied, "bagga"), partial(copied, "example/clusters")


# one each: rows of the same data share their files and stores
TEXT = partial(data.write_tracking, n_topic=50, n_story=20_000, on_topic=0.01, yes=0.16)
SINGLES = partial(data.write_tidy, n_topic=50_000, n_story=50_000)
ONE, MANY, SOME = (partial(data.write_trials, n_trial=n, n_system=r) for n, r in ((10**6, 1), (10**6, 2), (200_000, 2)))
SUBSETS = partial(data.write_trials, n_trial=680_774, n_system=1, n_attack=16, n_codec=12)
METRICS = ("eer", "min_c_det_norm", "act_c_det_norm", "auc", "cllr", "min_cllr")

BENCHES = {
    "smallest bundle": Bench(small),
    "open a store, count its scores": Bench(small, "sql query 'select count(*) from report.score'", "duckdb_client"),
    "the slowest view of the examples, asked by hand": Bench(
        clusters, "sql query 'select * from metric.partition_expected_mi__v1'", "slowest_view"
    ),
    "tidy tracking, 10^5 decisions": Bench(data.write_tidy, peer="read_csv"),
    "tidy tracking, 50,000 topics of one story": Bench(SINGLES, peer="read_csv"),
    "tidy tracking with errors": Bench(data.write_errors, rc=1),
    "tidy tracking, 4 runs x 555,000 decisions, two profiles": Bench(data.write_runs),
    "the same again, nothing changed": Bench(data.write_runs, EVALUATE),
    "the same, one run changed": Bench(data.write_runs, "evaluate changed.toml"),
    "TDT text, 939,200 decisions": Bench(TEXT, peer="split_lines"),
    "link detection, 91,683 pairs": Bench(data.write_link),
    "hierarchy, 10,000 stories": Bench(data.write_hierarchy),
    "TREC run, 2 x 10^6 documents": Bench(data.write_trec),
    "TREC, 60 runs x 50,000 documents": Bench(data.write_trec_runs, peer="ir_measures"),
    "the same, compared with one process": Bench(data.write_trec_runs, peer="ir_measures_library"),
    "summarization, 20 runs x 20,000 updates": Bench(partial(data.write_track, tasks=("summarization",))),
    "value tracking, 20 runs x 5,000 values": Bench(partial(data.write_track, tasks=("value_tracking",))),
    "clustering, 10^5 items": Bench(data.write_clusters, peer="clusterings"),
    "trials, one system on 10^6": Bench(ONE, peer="scikit_learn"),
    "trials, two systems on 10^6": Bench(MANY, peer="scikit_learn"),
    "trials, 680,774 x 29 subsets": Bench(SUBSETS, peer="subsets"),
    "items, 100 runs x 10,000": Bench(data.write_items, peer="statsmodels"),
    "compare two runs of items": Bench(data.write_items, "compare r0 r1"),
    "leaderboard of 100 runs of items": Bench(data.write_items, "leaderboard"),
    "leaderboard of trials": Bench(SOME, "leaderboard"),
    "report of trials": Bench(SOME, "report make report.html"),
    "report of the smallest bundle": Bench(small, "report make report.html"),
    "web UI, six pages three times": Bench(small, f"{sys.executable} {__file__} --pages {{tdtsql}}"),
    **{f"compare 200,000 trials, {name}": Bench(SOME, f"compare system0 system1 -m {name}") for name in METRICS},
    "compare 200,000 trials, auc drawn": Bench(SOME, "compare system0 system1 -m auc --test bootstrap"),
    **{f"compare 10^6 trials, {name}": Bench(MANY, f"compare system0 system1 -m {name}") for name in METRICS[:2]},
}


def ask_pages(tdtsql: str) -> None:
    """Start `serve` of the store of Bagga's bundle, ask for each page three times, and stop it."""
    process = subprocess.Popen(
        [tdtsql, "serve", "--port", "0", "--db", os.environ["TDTSQL_DB"]], stderr=subprocess.PIPE, text=True
    )
    try:
        port = int(re.search(r":(\d+)/", process.stderr.readline())[1])
        while True:  # it prints its address before it accepts connections
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.02)
        for page in PAGES * 3:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{page}") as answer:
                answer.read()
    finally:
        process.terminate()
        process.wait()


def run(command: str, folder: Path, store: Path, rc: int = 0) -> tuple[float, float]:
    """Return processor seconds and peak memory (MiB) of a command.

    Raises:
        SystemExit: it ended with another code than ``rc``; its last lines are in the message.
    """
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=folder,
            env={**ENVIRONMENT, "TDTSQL_DB": str(store)},
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != rc:
            printed.seek(0)
            raise SystemExit(f"{command}: exit code {process.returncode}, expected {rc}\n{printed.read()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def turn(bench: Bench, program: str, folder: Path) -> tuple[float, float]:
    """Return what one turn of an installation or of a peer takes; ``program``: its command."""
    is_peer, store = program.startswith(sys.executable), folder / "store.duckdb"
    tdtsql = OURS if is_peer else program
    store.unlink(missing_ok=True)
    if bench.command:
        evaluated = folder / f"{tdtsql.replace('/', '_')}.duckdb"
        if not evaluated.exists():
            run(f"{tdtsql} {EVALUATE}", folder, evaluated)
        shutil.copyfile(evaluated, store)  # what an earlier turn stored must not serve this one
    if is_peer:
        return run(program, folder, store)
    command = bench.command if "{" in bench.command else f"{{tdtsql}} {bench.command or EVALUATE}"
    return run(command.format(tdtsql=program), folder, store, bench.rc)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baseline", metavar="TDTSQL", help="command of another installation")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="benches whose name contains one of these")
    parser.add_argument("--folder", type=Path, help="where data are made (and removed)")
    parser.add_argument("--pages", metavar="TDTSQL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pages:
        ask_pages(options.pages)
        return
    chosen = [name for name in BENCHES if not options.only or any(part in name for part in options.only)]
    if not chosen:
        sys.exit("\n".join(["No such bench. They are:", *BENCHES]))
    n_unused = int(options.turns > 1)
    print("| what | CPU s | MiB | peer | CPU s | MiB | times the CPU s |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        folders: dict[Callable[[Path], object], Path] = {}
        for name in chosen:
            bench = BENCHES[name]
            peers = {bench.peer: f"{sys.executable} {HERE / 'peers.py'} {bench.peer}"} if bench.peer else {}
            if options.baseline:
                peers["baseline"] = str(Path(options.baseline).absolute())
            if not peers:
                continue
            if bench.make not in folders:
                folders[bench.make] = Path(temporary) / str(len(folders))
                folders[bench.make].mkdir()
                bench.make(folders[bench.make])
            programs, taken = [OURS, *peers.values()], {}
            for number in range(options.turns + n_unused):
                for program in programs if number % 2 else programs[::-1]:
                    taken.setdefault(program, []).append(turn(bench, program, folders[bench.make]))
            (busy, peak), *others = (
                [statistics.median(column) for column in zip(*taken[program][n_unused:], strict=True)]
                for program in programs
            )
            for peer, (other, memory) in zip(peers, others, strict=True):
                print(
                    f"| {name} | {busy:.2f} | {peak:.0f} | {peer} | {other:.2f} | {memory:.0f} | {busy / other:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
