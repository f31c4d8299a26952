"""One process of Python, measured by what the system says of it when it has ended."""

import compileall
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tdtsql


class Child(NamedTuple):
    seconds: float  #: on the clock
    busy: float  #: of the processor
    peak: int  #: bytes at most
    printed: str  #: its standard output


def child(*arguments: object) -> Child:
    """Run Python with these arguments to its end.

    Raises:
        SystemExit: it failed.
    """
    compile_package()
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    printed = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(map(str, arguments))} ended with {status}")
    return Child(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, printed)


@cache
def compile_package() -> None:
    """Leave the package as an installer does: where writing bytecode is switched off, a checkout would be compiled at
    every start.
    """
    compileall.compile_dir(Path(tdtsql.__file__).parent, quiet=2)
