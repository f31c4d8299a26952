"""A progress bar on stderr for what takes over a second, if a person is looking."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar() -> Iterator:
    """Yield a function (done, total, what) to call as work goes on."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress
    from rich.console import Console

    bar = Progress(console=Console(stderr=True), transient=True)
    begin = time.monotonic()
    task = bar.add_task("", total=1)

    def show(done: int, total: int, what: str) -> None:
        if not bar.live.is_started and time.monotonic() - begin > 1:
            bar.start()
        bar.update(task, completed=done, total=max(total, 1), description=what)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
