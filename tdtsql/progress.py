"""How far a long step is, and a bar that shows it in a notebook where it takes over a second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tdtsql.errors import escape_control

#: callback for progress of a long step: (done, total, name of the step)
Progress = Callable[[int, int, str], None]


def silent(done: int, total: int, what: str) -> None:
    """Show nothing."""


#: seconds until a bar is drawn, and between two of its states
PATIENCE = 1.0
STEP = 0.2


@contextmanager
def shown_progress(given: Progress | None) -> Iterator[Progress]:
    """Yield the callback for progress: ``given``, or where that is missing, or the default of all methods (`silent`), a
    progress bar in a notebook.
    """
    if given not in (None, silent) or not _is_notebook():
        yield given or silent
        return
    from html import escape

    from IPython.display import HTML, DisplayHandle

    handle, draw, after = DisplayHandle(), None, time.monotonic() + PATIENCE

    def show(done: int, total: int, what: str) -> None:
        nonlocal draw, after
        if time.monotonic() >= after:
            draw, after = handle.update if draw else handle.display, time.monotonic() + STEP
            bar = f'<progress value="{done}" max="{max(total, 1)}"></progress>'
            draw(HTML(f"{bar} {escape(escape_control(what))}"))

    try:
        yield show
    finally:
        if draw:
            handle.update(HTML(""))


def counting(progress: Progress, total: int, what: str) -> Callable[[int], None]:
    """Return a callback that takes how much was just done."""
    done = 0

    def step(n: int) -> None:
        nonlocal done
        done += n
        progress(min(done, total), total, what)

    return step


def _is_notebook() -> bool:
    """Return whether a Jupyter kernel runs this process (a terminal with IPython is not one)."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None
