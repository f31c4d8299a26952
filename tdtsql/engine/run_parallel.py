"""Pieces of work that need each other, several at a time."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence


def run_parallel(
    needs: Mapping[str, Collection[str]], workers: Sequence[Callable[[str], None]], stop: Callable[[], None]
) -> None:
    """Do each piece of work after all that it needs, those first that the longest chain of others waits for.

    Args:
        needs: piece -> what it needs, which is among the pieces before it or there already.
        workers: each does one piece at a time; the first of them in this thread.
        stop: called when a piece has failed, to stop what the other workers are at.

    Raises:
        BaseException: what the first piece that failed raised; no other is begun then.
    """
    behind = dict.fromkeys(needs, 0)  # how many wait for a piece one after another
    for piece in reversed(list(needs)):
        for need in needs[piece]:
            behind[need] = max(behind.get(need, 0), behind[piece] + 1)
    waiting, missing = sorted(needs, key=behind.__getitem__, reverse=True), set(needs)
    failed: list[BaseException] = []
    changed = threading.Condition()

    def next_piece() -> str | None:
        with changed:
            while waiting and not failed:
                for piece in waiting:
                    if missing.isdisjoint(needs[piece]):
                        waiting.remove(piece)
                        return piece
                changed.wait()
        return None

    def work(do: Callable[[str], None]) -> None:
        try:
            while (piece := next_piece()) is not None:
                do(piece)
                with changed:
                    missing.discard(piece)
                    changed.notify_all()
        except BaseException as error:  # also Ctrl-C, which comes to this thread alone
            with changed:
                failed.append(error)
                changed.notify_all()
            stop()

    others = [threading.Thread(target=work, args=(do,), daemon=True) for do in workers[1 : len(waiting)]]
    for other in others:
        other.start()
    work(workers[0])
    for other in others:
        other.join()
    if failed:
        raise failed[0]
