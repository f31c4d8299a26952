"""From pointers to stories of the test set: what a recid or time output says about each story.

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
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.load.outputs import Header
from tdtsql.load.plan import StoredCondition

#: score of a story that the system said nothing about (plan, B.3)
OMITTED_SCORE = -9e99
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


#: (story, first and last recid, first and last second)
Span = tuple[Any, ...]
#: (line, pointer, decision, score)
Record = tuple[int, float, bool, float]


class Mapped:
    """Decisions on stories that follow from records, in a temporary table: file, line, story_id, is_yes, score."""

    def __init__(self, engine: Engine):
        self._engine, self.table, self.rows = engine, "mapped_decision", list[tuple]()
        engine.execute(
            f"create or replace temp table {self.table} "
            "(file integer, line bigint, story_id varchar, is_yes boolean, score double)"
        )

    def records(self, file: int) -> dict[str, list[Record]]:
        """Return source file -> its records in ``read_output``, in the order of the file."""
        found: dict[str, list[Record]] = defaultdict(list)
        for source, *record in self._engine.rows(
            "select source, line, coalesce(recid, seconds), is_yes, score from read_output where file = ? "
            "order by line",
            [file],
        ):
            found[source].append(tuple(record))
        return found

    def store(self) -> None:
        """Put what was decided since into the table."""
        self._engine.insert_rows(self.table, ("file", "line", "story_id", "is_yes", "score"), self.rows)
        self.rows.clear()


def stories_tested(target: StoredCondition, block_no: int | None = None) -> dict[str, list[Span]]:
    """Return source file ('' where a story has none) -> the stories of the test set, of one block or of all."""
    found: dict[str, list[Span]] = defaultdict(list)
    for source, *span in target.engine.rows(
        """
        select coalesce(source_file, ''), story_id, begin_recid, end_recid, begin_sec, end_sec
        from (select story_no, segment_no from base.segment_story where condition_no = $condition)
        join (select * from base.story where corpus_no = $corpus) using (story_no)
        left join base.source_file using (corpus_no, source_file_no)
        where $block is null or segment_no in (
            select segment_no from base.test_segment where condition_no = $condition and block_no = $block)
        order by story_no""",
        {"condition": target.condition_no, "corpus": target.corpus_no, "block": block_no},
    ):
        found[source].append(tuple(span))
    return found


def map_records(
    target: StoredCondition,
    mapped: Mapped,
    file: int,
    head: Header,
    records: Sequence[Record],
    stories: Sequence[Span],
    *,
    is_shortened: bool,
) -> bool:
    """Decide on the stories of one source file, as its records say; False: pointers in seconds, and no story has any.

    Args:
        is_shortened: as in `map_pointers`.
    """
    first = 3 if head.pointer_type == "time" else 1
    begins = [story[first] for story in stories]
    if head.pointer_type == "time" and stories and all(begin is None for begin in begins):
        return False
    _, pointers, is_yes, scores = zip(*records, strict=True)
    decided = map_pointers(
        begins,
        [story[first + 1] for story in stories],
        pointers,
        is_yes,
        scores,
        pointer_type=str(head.pointer_type),
        mapping=target.mapping,
        is_shortened=is_shortened,
    )
    for (story, *_), (score, said) in zip(stories, decided, strict=True):
        mapped.rows.append((file, head.line or 1, story, said, max(-9e99, min(9e99, score))))
    return True
