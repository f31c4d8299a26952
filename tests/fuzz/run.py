"""Every reader, and the whole of `tdtsql evaluate --check`, on files with something wrong in them, for as long as you
like.

    python tests/fuzz/run.py --seconds 120                    as .ci/run does
    python tests/fuzz/run.py --seconds 3600 --plain           by hand, many more inputs
    python tests/fuzz/run.py --only bundles --plain           one of the two processes alone
    python tests/fuzz/run.py --again SEED KIND NUMBER --plain  one input once more, with its traceback

Two processes: one spoils files and gives them to their reader (`support/spoiling.py`), one spoils a file of a bundle of
fixtures/ and checks the bundle. Hypothesis chooses what is spoilt, and shows the smallest such input that it finds;
with --plain it is `random`, about ten times as fast. Printed at the end: inputs by reader, bundles, tracebacks, hangs
(an input that takes
more than 20 s of the processor,) and the peak memory of both processes. The exit code is 1
where anything was found; each finding is written to the folder of --keep, to be mended and put into tests/fuzz/corpus.
"""

import argparse
import collections
import contextlib
import io
import multiprocessing
import resource
import secrets
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from spoiling import ALL_KINDS, check, spoilt_file
from spoilt_bundles import Bundles

HANG = 20  #: s of the processor for one input
BATCH = {"readers": 100, "bundles": 10}  #: inputs of one kind before it is the next one's turn


class Hang(Exception):
    """An input took too long."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="how long, by the clock")
    parser.add_argument(
        "--seed", type=int, default=None, help="that of an earlier run, to repeat it; left out: a new one"
    )
    parser.add_argument("--plain", action="store_true", help="by random and not by hypothesis")
    parser.add_argument("--only", choices=tuple(BATCH), help="only the files of readers, or only bundles")
    parser.add_argument(
        "--keep", type=Path, default=Path(tempfile.gettempdir()) / "tdtsql-fuzz", help="where findings are written"
    )
    parser.add_argument("--again", nargs=3, metavar=("SEED", "KIND", "NUMBER"), help="one input of a --plain run")
    asked = parser.parse_args()
    if asked.again:
        number, kind, at = int(asked.again[0]), asked.again[1], int(asked.again[2])
        with tempfile.TemporaryDirectory() as folder:
            one_of(kind, Path(folder))(Random(f"{number} {kind} {at}"))
        return 0
    first = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    parts = [asked.only] if asked.only else list(BATCH)
    how = ("--plain " if asked.plain else "") + (f"--only {asked.only} " if asked.only else "")
    print(
        f"seed {first}; to repeat: python tests/fuzz/run.py {how}--seconds {asked.seconds:g} --seed {first}", flush=True
    )
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    workers = {
        part: context.Process(target=work, args=(part, first, asked.seconds, asked.plain, asked.keep, said))
        for part in parts
    }
    for worker in workers.values():
        worker.start()
    results = {}
    while workers and (len(results) < len(workers)):
        try:
            part, result = said.get(timeout=5)
            results[part] = result
        except Exception:  # queue.Empty: has one died, or does it hang in the engine
            dead = [part for part, worker in workers.items() if part not in results and not worker.is_alive()]
            if dead and said.empty():
                for part in dead:
                    results[part] = {
                        "n": {},
                        "found": [f"{part}: the process ended with code {workers[part].exitcode}"],
                        "hangs": 1,
                        "peak": 0,
                    }
    for worker in workers.values():
        worker.join()
    return report(results)


def report(results: dict) -> int:
    """Print what was done and found; return the exit code."""
    for part, result in results.items():
        if part == "readers":
            for kind, n in sorted(result["n"].items()):
                print(f"{kind:28}{n:>12,}")
            print(f"{'inputs by reader, least':28}{min(result['n'].values(), default=0):>12,}")
        print(f"{part:28}{sum(result['n'].values()):>12,}")
        print(f"{part + ': tracebacks':28}{len(result['found']) - result['hangs']:>12,}")
        print(f"{part + ': hangs':28}{result['hangs']:>12,}")
        print(f"{part + ': peak memory, MiB':28}{result['peak']:>12,.0f}")
    found = [text for result in results.values() for text in result["found"]]
    for text in found:
        print(f"\n{text}")
    return 1 if found else 0


def work(part: str, first: int, seconds: float, plain: bool, keep: Path, said) -> None:
    """Do one part until the time is over, and report through the queue ``said``."""
    signal.signal(signal.SIGPROF, _hang)
    end = time.monotonic() + seconds
    n: collections.Counter = collections.Counter()
    found: dict[tuple, str] = {}  # by kind and place of the exception: one defect is found many times
    hangs = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = {kind: one_of(kind, folder) for kind in (ALL_KINDS if part == "readers" else ["check"])}
        batch = 0
        while time.monotonic() < end:
            for kind, one in kinds.items():
                for place, text, data in (_plain if plain else _by_hypothesis)(
                    kind, one, first, batch, BATCH[part], n, end
                ):
                    if (kind, place) not in found:
                        hangs += "Hang" in place[0]
                        found[kind, place] = text
                        keep.mkdir(parents=True, exist_ok=True)
                        (keep / f"{kind}-{first}-{len(found)}").write_bytes(data)
                if time.monotonic() > end:
                    break
            batch += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    said.put((part, {"n": dict(n), "found": list(found.values()), "hangs": hangs, "peak": peak}))


def one_of(kind: str, folder: Path):
    """Return the function that makes and tries one input of a kind; it remembers the input as ``last``."""
    if kind == "check":
        bundles = Bundles(folder)

        def one(chance: Random) -> None:
            one.last = b""
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                one.last = bundles.spoil(chance)
                bundles.check()
    else:

        def one(chance: Random) -> None:
            one.last = b""
            one.last, path = spoilt_file(kind, chance)
            check(kind, one.last, path)

    return one


def _plain(kind, one, first, batch, size, n, end):
    for at in range(batch * size, (batch + 1) * size):
        if time.monotonic() > end:
            return
        n[kind] += 1
        try:
            _timed(one, Random(f"{first} {kind} {at}"))
        except Exception as error:
            yield (
                _place(error),
                f"{kind}: python tests/fuzz/run.py --plain --again {first} {kind} {at}\n{_text(error)}",
                one.last,
            )


def _by_hypothesis(kind, one, first, batch, size, n, _end):
    @seed(f"{first} {batch}")
    @settings(
        max_examples=size,
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
    )
    @given(st.randoms(use_true_random=False))
    def search(chance):
        n[kind] += 1
        _timed(one, chance)

    try:
        search()
    except Exception as error:
        yield (
            _place(error),
            f"{kind}: seed {first}, batch {batch}, smallest input {one.last[:300]!r}\n{_text(error)}",
            one.last,
        )


def _timed(one, chance) -> None:
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        one(chance)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _hang(*_) -> None:
    raise Hang(f"more than {HANG} s of the processor")


def _place(error: Exception) -> tuple:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return type(error).__name__, frame.filename, frame.lineno


def _text(error: Exception) -> str:
    return "".join(traceback.format_exception(error)[-6:])


if __name__ == "__main__":
    sys.exit(main())
