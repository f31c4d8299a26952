"""A progress bar on stderr for steps of more than a second, at a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tdtsql.progress import Progress, silent

#: what ends the bar that is drawn at present
_ENDS: list[Callable[[], None]] = []


def end_progress() -> None:
    """Remove the bar, if any, before a line is printed."""
    while _ENDS:
        _ENDS.pop()()


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Yield a function (done, total, what) that reports progress."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    begin = time.monotonic()
    task = bar.add_task("", total=1)

    def show(done: int, total: int, what: str) -> None:
        if not bar.live.is_started and time.monotonic() - begin > 1:
            bar.start()
            _ENDS.append(bar.stop)
        bar.update(task, completed=done, total=max(total, 1), description=what)

    try:
        yield show
    finally:
        end_progress()
