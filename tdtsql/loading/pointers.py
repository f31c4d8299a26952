"""Decisions on positions in source files (record numbers or seconds): from records to the stories of the test set."""

from tdtsql.errors import not_none
from collections import defaultdict
from typing import Any

from tdtsql.loading.plan import StoredCondition
from tdtsql.reader.decision import Output
from tdtsql.reader.field import OMITTED_SCORE, source_name
from tdtsql.reader.pointer_mapping import map_pointers

#: (story, first and last recid, first and last second)
Span = tuple[Any, ...]


def records_by_source(output: Output) -> dict[str, list[int]]:
    """Return source file -> its rows of an output file."""
    records: dict[str, list[int]] = defaultdict(list)
    for row, source in enumerate(output.sources):
        records[source_name(source)].append(row)
    return records


def stories_tested(target: StoredCondition, block_no: int | None = None) -> dict[str, list[Span]]:
    """Return source file ('' where a story has none) -> the stories of the test set, of one block or of all."""
    tested = (
        ""
        if block_no is None
        else (
            f"and member.segment_no in (select segment_no from base.test_segment where condition_no = "
            f"{target.condition_no} and block_no = {block_no})"
        )
    )
    found: dict[str, list[Span]] = defaultdict(list)
    for source, *span in target.engine.rows(f"""
            select coalesce(file.source_file, ''), story.story_id, story.begin_recid, story.end_recid, story.begin_sec,
                story.end_sec
            from base.segment_story as member
            join base.story as story on story.corpus_no = {target.corpus_no} and story.story_no = member.story_no
            left join base.source_file as file on file.corpus_no = story.corpus_no
                and file.source_file_no = story.source_file_no
            where member.condition_no = {target.condition_no} {tested}
            order by story.story_no"""):
        found[source].append(tuple(span))
    return found


def add_mapped(
    target: StoredCondition,
    decided: list[tuple[str, bool, float]],
    output: Output,
    rows: list[int],
    stories: list[Span],
    *,
    is_shortened: bool,
) -> bool:
    """Add (story, decision, score) of the stories of one source file, as its rows say; False: pointers in seconds, and
    no story has any.

    Args:
        is_shortened: as in `map_pointers`.
    """
    first = 3 if output.pointer_type == "time" else 1
    begins = [story[first] for story in stories]
    if output.pointer_type == "time" and stories and all(begin is None for begin in begins):
        return False
    mapped = map_pointers(
        begins,
        [story[first + 1] for story in stories],
        [output.pointers[row] for row in rows],
        [output.is_yes[row] for row in rows],
        [output.scores[row] for row in rows],
        pointer_type=not_none(output.pointer_type),
        mapping=target.mapping,
        is_shortened=is_shortened,
    )
    for (story, *_), (score, is_yes) in zip(stories, mapped, strict=True):
        decided.append((story, is_yes, max(OMITTED_SCORE, min(-OMITTED_SCORE, score))))
    return True
