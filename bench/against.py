"""Two installations of tdtsql on the same work, in turns: processor seconds and peak memory of whole processes.

    git worktree add ../base a351464f && python -m venv ../basevenv && ../basevenv/bin/pip install ../base    # once
    python bench/against.py ../basevenv/bin/tdtsql .venv/bin/tdtsql [--turns 5] [--only NAME ...] [--folder DIR]

A row is a command on data of the other programs of this folder (`--list` names them). Processor seconds are user and
system of the process and its children; they and their ratio are medians of the turns, which begin with either
installation alternately. A first turn that fills caches is not counted (with one turn alone there is none). Both must
end with the exit code of the row.
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
from pathlib import Path

import duckdb

import bench_partition
import bench_subsets
import bench_tidy
import data
import items_against_pandas

ROOT = Path(__file__).resolve().parents[1]
#: an editable installation keeps its bytecode, as any other has it: compiling takes 0.2 to 0.3 s of each process
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

#: pages of the web UI
PAGES = [
    "/",
    "/run?condition=large&run=R1&profile=tdt2004",
    "/topic?condition=large&topic=t1&profile=tdt2004",
    "/number?condition=large&run=R1&profile=tdt2004&metric=c_det_norm",
    "/compare?condition=large&profile=tdt2004&run=R1&run=R2",
    "/metrics",
]


def small(folder: Path) -> None:
    """Copy the smallest bundle."""
    shutil.copytree(ROOT / "fixtures" / "bagga", folder, dirs_exist_ok=True)


def tidy(folder: Path) -> None:
    """Write 10^5 tidy decisions of 111 topics and 20,000 stories."""
    bench_tidy.make(folder, 111, 20_000, 50_000)


def singles(folder: Path) -> None:
    """Write 10^5 tidy decisions of 50,000 topics of one story each."""
    bench_tidy.make(folder, *bench_tidy.SHAPES["singles"])


def errors(folder: Path) -> None:
    """Write the tidy decisions, one of 1,000 with a decision that is none."""
    tidy(folder)
    lines = (folder / "run.csv").read_text().splitlines()
    lines[500::1000] = [line.replace(",yes,", ",maybe,").replace(",no,", ",maybe,") for line in lines[500::1000]]
    (folder / "run.csv").write_text("\n".join(lines) + "\n")


def text(folder: Path) -> None:
    """Write 939,200 decisions in the official formats of TDT."""
    data.write_tracking(folder, 50, 20_000, distinct=False, on_topic=0.01, yes=0.16)


def items(folder: Path) -> None:
    """Write 100 runs of 10,000 items in clusters of five."""
    (folder / "bundle.toml").write_text(items_against_pandas.BUNDLE)
    duckdb.execute(
        "copy (select 'r' || r as run_id, 'i' || i as item_id, cast(hash(r, i) % 10 < 6 as double) as score, "
        f"'p' || (i // 5) as passage from range(100) as a(r), range(10000) as b(i)) to '{folder / 'scores.parquet'}'"
    )


def trials(n_trial: int, n_attack: int = 1, n_codec: int = 0, n_system: int = 2) -> Callable[[Path], object]:
    """Return a function that writes so many scored trials."""
    return lambda folder: bench_subsets.write_trials(folder, n_trial, n_attack, n_system, 0, n_codec)


def partition(folder: Path) -> None:
    """Write a clustering of 10^5 items."""
    bench_partition.make(folder, 100_000)


def summarization(folder: Path) -> None:
    """Write 20 runs of 20,000 updates."""
    data.write_track(folder, 20, ("summarization",))


def value_tracking(folder: Path) -> None:
    """Write 20 runs of 5,000 values."""
    data.write_track(folder, 20, ("value_tracking",))


def link(folder: Path) -> None:
    """Write 91,683 pairs of stories with index and key."""
    data.write_link(folder)
    (folder / "stories_key.toml").rename(folder / "bundle.toml")


@dataclass(frozen=True)
class Bench:
    """A command, on a new store or on one where the data were evaluated."""

    make: Callable[[Path], object]  #: writes bundle.toml and its files
    command: str = ""  #: on an evaluated store; empty: the evaluation itself; `{tdtsql}` is a program's argument
    rc: int = 0


# one each: rows of the same data share their files and stores
MANY, SOME, SUBSETS = trials(1_000_000), trials(200_000), trials(680_774, 16, 12, 1)
BENCHES = {
    "smallest bundle": Bench(small),
    "open a store": Bench(small, "sql query 'select count(*) from report.score'"),
    "tidy decisions, 10^5": Bench(tidy),
    "tidy, 50,000 single-story topics": Bench(singles),
    "tidy with errors": Bench(errors, rc=1),
    "TREC run, 2 x 10^6 documents": Bench(data.write_trec),
    "TREC, 60 runs x 50,000 documents": Bench(data.write_trec_runs),
    "TDT text, 939,200 decisions": Bench(text),
    "link, 91,683 pairs": Bench(link),
    "hierarchy, 10,000 stories": Bench(data.write_hierarchy),
    "clustering, 10^5 items": Bench(partition),
    "summarization, 20 runs x 20,000 updates": Bench(summarization),
    "value tracking, 20 runs x 5,000 values": Bench(value_tracking),
    "trials, 10^6 x 2": Bench(MANY),
    "trials, 680,774 x 29 subsets": Bench(SUBSETS),
    "items, 100 runs x 10,000": Bench(items),
    "compare items": Bench(items, "compare r0 r1"),
    "leaderboard of items": Bench(items, "leaderboard"),
    "leaderboard of trials": Bench(SOME, "leaderboard"),
    "report of trials": Bench(SOME, "report make report.html"),
    "report of Bagga's bundle": Bench(small, "report make report.html"),
    "web UI, six pages three times": Bench(small, f"{sys.executable} {__file__} --pages {{tdtsql}}"),
    **{
        f"compare 200,000 trials, {metric}": Bench(SOME, f"compare system0 system1 --metric {metric}")
        for metric in ("eer", "min_c_det_norm", "act_c_det_norm", "auc", "cllr", "min_cllr")
    },
    "compare 200,000 trials, auc drawn": Bench(SOME, "compare system0 system1 --metric auc --test bootstrap"),
    **{
        f"compare 10^6 trials, {metric}": Bench(MANY, f"compare system0 system1 --metric {metric}")
        for metric in ("eer", "min_c_det_norm")
    },
}


def ask_pages(tdtsql: str) -> None:
    """Start `serve` of the store of Bagga's bundle, ask for each page once and twice more, and stop it."""
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


def run(command: str, folder: Path, store: Path, rc: int) -> tuple[float, float]:
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


def measure(bench: Bench, installations: list[str], folder: Path, n_turn: int) -> list[list[tuple[float, float]]]:
    """Return what each installation took in each turn."""
    stores = [folder / f"store{number}.duckdb" for number in range(len(installations))]
    evaluate, taken = "{tdtsql} evaluate bundle.toml", [[] for _ in installations]
    n_unused = int(n_turn > 1)
    for turn in range(n_turn + n_unused):
        for number in (0, 1) if turn % 2 else (1, 0):
            tdtsql, evaluated = installations[number], stores[number]
            store = folder / "store.duckdb"
            store.unlink(missing_ok=True)
            if bench.command:
                if not evaluated.exists():
                    run(evaluate.format(tdtsql=tdtsql), folder, evaluated, 0)
                shutil.copyfile(evaluated, store)  # what an earlier turn stored must not serve this one
            command = bench.command or evaluate
            command = command.format(tdtsql=tdtsql) if "{" in command else f"{tdtsql} {command}"
            taken[number].append(run(command, folder, store, bench.rc))
    return [turns[n_unused:] for turns in taken]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("baseline", nargs="?", help="command of the first installation")
    parser.add_argument("other", nargs="?", help="command of the second")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="rows whose name contains one of these")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--pages", metavar="TDTSQL", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help="where data are made (and removed)")
    options = parser.parse_args()
    if options.pages:
        ask_pages(options.pages)
        return
    chosen = {
        name: bench for name, bench in BENCHES.items() if not options.only or any(part in name for part in options.only)
    }
    if options.list or not options.other or not chosen:
        sys.exit("\n".join(["Rows:", *BENCHES]))
    installations = [str(Path(name).absolute()) for name in (options.baseline, options.other)]
    print("| bench | CPU s, baseline | CPU s | ratio | MiB, baseline | MiB | ratio |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        folders: dict[Callable[[Path], object], Path] = {}
        for name, bench in chosen.items():
            if bench.make not in folders:
                folders[bench.make] = Path(temporary) / str(len(folders))
                folders[bench.make].mkdir()
                bench.make(folders[bench.make])
            turns = measure(bench, installations, folders[bench.make], options.turns)
            first, second = ([statistics.median(column) for column in zip(*one, strict=True)] for one in turns)
            (busy, peak), (other_busy, other_peak) = first, second
            print(
                f"| {name} | {busy:.2f} | {other_busy:.2f} | {other_busy / busy:.2f} | {peak:.0f} | {other_peak:.0f} | "
                f"{other_peak / peak:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
