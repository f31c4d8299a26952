"""Decisions on positions in source files (record numbers or seconds): from records to the stories of the test set."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.load.outputs import Header
from tdtsql.load.plan import StoredCondition
from tdtsql.reader.pointer_mapping import map_pointers

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
