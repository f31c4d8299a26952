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
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.end()


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


class _Bar:
    """Progress bar below the cell, removed on completion."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE
        self._handle = None

    def __call__(self, done: int, total: int, what: str) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + STEP
        from html import escape  # not above: only a notebook shows it

        self._draw(f'<progress value="{done}" max="{max(total, 1)}"></progress> {escape(escape_control(what))}')

    def end(self) -> None:
        if self._handle is not None:
            self._draw("")

    def _draw(self, text: str) -> None:
        from IPython.display import HTML, display

        if self._handle is None:
            self._handle = display(HTML(text), display_id=True)
        else:
            self._handle.update(HTML(text))
