"""From pointers to stories: what a recid or time output says about each story.

A record holds from its pointer to the next one. What comes before the first
record is covered by a pseudo record at 0: no, score -1e99. A story takes from
the records that touch it

    majority   the mean score, weighted by how much of the story each record
               covers; yes when at least half of the story is under yes
    impulse    the highest score, the first of equals, and that record's decision

    record     0        100 YES      152 NO         243 ...
               |----no---|-----yes-----|-----no------|
    story           |======== 85..140 ========|          in records 1 and 2

Recids are counted (both ends of a story belong to it, length E - B + 1), times
are measured (length E - B). With time and impulse a record that begins exactly
where a story ends touches it, and so does one that ends exactly where the story
begins, unless the story evaluated before has used it up: NIST's program counts
so. A story without positions, or with an empty or reversed span, says nothing:
no, score -9e99.

NIST's program stops when fractional seconds are not added exactly; here
they are accepted, and half a story is half within 1e-12.

Source: TDT3eval v2.6 as read (Find_system_score_for_doc); the plan, B.3.
"""

from bisect import bisect_right
from collections.abc import Sequence

from tdtsql.reader.field import OMITTED_SCORE

#: score of text before the first record of a source file
BEFORE_FIRST_SCORE = -1e99

#: how near to one half the covered part counts as half
_HALF = 0.5 - 1e-12


def shortened(score: float) -> float:
    """Return ``score`` with 15 significant digits, as NIST's tracking scorer keeps it.

    It hands scores on as text, so that equal means stay equal; its new event
    scorer does not.
    """
    return float(f"{score:.15g}")


def map_pointers(
    begins: Sequence[float | None],
    ends: Sequence[float | None],
    pointers: Sequence[float],
    is_yes: Sequence[bool],
    scores: Sequence[float],
    *,
    pointer_type: str,
    mapping: str,
    is_shortened: bool = True,
) -> list[tuple[float, bool]]:
    """Return (score, is_yes) of each of S stories of one source file.

    Args:
        begins: S positions where a story begins, in the order of the file; None: unknown.
        ends: S positions where it ends.
        pointers: R positions of the source file's records, rising.
        is_yes: R decisions.
        scores: R scores.
        pointer_type: recid or time.
        mapping: majority or impulse.
        is_shortened: keep 15 significant digits (tracking), or every bit (new event).
    """
    is_time = pointer_type == "time"
    starts = [0, *pointers]
    decisions = [False, *is_yes]
    values = [BEFORE_FIRST_SCORE, *scores]
    if len(starts) > 1 and starts[1] <= 0:  # a first record at 0 leaves nothing before it
        del starts[0], decisions[0], values[0]

    mapped: list[tuple[float, bool]] = []
    used_up = float("-inf")  # impulse by time: where the story evaluated before ended
    for begin, end in zip(begins, ends, strict=True):
        if begin is None or end is None or (length := end - begin if is_time else end - begin + 1) <= 0:
            mapped.append((OMITTED_SCORE, False))
            continue
        if mapping == "impulse":
            found = _impulse(starts, decisions, values, begin, end, is_time, used_up)
            used_up = max(used_up, end)
        else:
            found = _majority(starts, decisions, values, begin, end if is_time else end + 1, length)
        score, yes = found
        mapped.append((shortened(score) if is_shortened else score, yes))
    return mapped


def _majority(starts, decisions, values, begin, end, length) -> tuple[float, bool]:
    """Mean over the records in force within [begin, end), weighted by their share."""
    total = yes = 0.0
    last = len(starts) - 1
    for position in range(max(0, bisect_right(starts, begin) - 1), last + 1):
        start = starts[position]
        if start >= end:
            break
        stop = starts[position + 1] if position < last else end
        weight = min(stop, end) - max(start, begin)
        if weight <= 0:
            continue
        total += weight * values[position]
        if decisions[position]:
            yes += weight
    return total / length, yes / length >= _HALF


def _impulse(starts, decisions, values, begin, end, is_time, used_up) -> tuple[float, bool]:
    """The best of the records that touch the story."""
    first = max(0, bisect_right(starts, begin) - 1)
    if is_time and starts[first] == begin and first > 0 and begin > used_up:
        first -= 1  # it ends where the story begins
    after = bisect_right(starts, end)  # recid: E belongs to the story; time: the program counts it
    best = max(range(first, max(after, first + 1)), key=lambda position: values[position])
    return values[best], decisions[best]
