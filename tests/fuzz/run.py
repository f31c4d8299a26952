"""Every reader, and the whole of `tdtsql evaluate --check`, on files with something wrong in them, for as long as you
like.

    python tests/fuzz/run.py --seconds 120                 as .ci/run does
    python tests/fuzz/run.py --again SEED KIND NUMBER      one input once more, with its traceback

Two processes: one spoils files and gives them to their reader (`support/spoiling.py`), one spoils a file of a bundle of
fixtures/ and checks the bundle. Printed at the end: inputs, tracebacks and hangs (an input that takes more than 20 s of
the processor). The exit code is 1 where anything was found; each finding is written to the folder of --keep, to be
mended and put into tests/fuzz/corpus. `tests/fuzz/test_*.py` look for the smallest such file.
"""

import argparse
import collections
import contextlib
import io
import secrets
import signal
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

from spoiling import ALL_KINDS, check, spoilt_file
from spoilt_bundles import Bundles

HANG = 20  #: s of the processor for one input


def hang(*_) -> None:
    raise TimeoutError(f"more than {HANG} s of the processor")


def attempt(kind: str, seed: str, bundles: Bundles, said: list[bytes]) -> None:
    """Make and try one input of a kind, which is the last of ``said``."""
    chance = Random(seed)
    if kind == "bundle of many files":
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            said.append(bundles.spoil(chance))
            bundles.check()
    else:
        data, path = spoilt_file(kind, chance)
        said.append(data)
        check(kind, data, path)


def work(kinds: list[str], seed: int, seconds: float, keep: Path) -> tuple[collections.Counter, list[str]]:
    """Return (inputs by kind, findings) of so many seconds."""
    signal.signal(signal.SIGPROF, hang)
    end, number = time.monotonic() + seconds, 0
    made: collections.Counter = collections.Counter()
    found: dict[tuple, str] = {}  # by kind and place of the exception: one defect is found many times
    with tempfile.TemporaryDirectory() as name:
        bundles = Bundles(Path(name))
        while time.monotonic() < end:
            for kind in kinds:
                said: list[bytes] = []
                signal.setitimer(signal.ITIMER_PROF, HANG)
                try:
                    attempt(kind, f"{seed} {kind} {number}", bundles, said)
                except Exception as error:
                    signal.setitimer(signal.ITIMER_PROF, 0)
                    frame = traceback.extract_tb(error.__traceback__)[-1]
                    text = "".join(traceback.format_exception(error)[-6:])
                    again = f"python tests/fuzz/run.py --again {seed} '{kind}' {number}"
                    if found.setdefault((kind, frame.filename, frame.lineno), f"{again}\n{text}") is not None:
                        keep.mkdir(parents=True, exist_ok=True)
                        (keep / f"{kind}-{seed}-{number}").write_bytes(b"".join(said))
                signal.setitimer(signal.ITIMER_PROF, 0)
                made[kind] += 1
            number += 1
    return made, [*found.values()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="how long, by the clock")
    parser.add_argument("--seed", type=int, default=None, help="that of an earlier run; left out: a new one")
    default = Path(tempfile.gettempdir()) / "tdtsql-fuzz"
    parser.add_argument("--keep", type=Path, default=default, help="where findings are written")
    parser.add_argument("--again", nargs=3, metavar=("SEED", "KIND", "NUMBER"), help="one input of an earlier run")
    asked = parser.parse_args()
    if asked.again:
        with tempfile.TemporaryDirectory() as folder:
            attempt(asked.again[1], " ".join(asked.again), Bundles(Path(folder)), [])
        return 0
    seed = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    with ProcessPoolExecutor(2) as pool:
        parts = [
            pool.submit(work, kinds, seed, asked.seconds, asked.keep) for kinds in (ALL_KINDS, ["bundle of many files"])
        ]
        results = [part.result() for part in parts]  # a process that dies is an error
    findings = [text for _, found in results for text in found]
    for kind, n in sorted(sum((made for made, _ in results), collections.Counter()).items()):
        print(f"{kind:28}{n:>12,}")
    print(f"{'findings':28}{len(findings):>12,}", *findings, sep="\n")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
