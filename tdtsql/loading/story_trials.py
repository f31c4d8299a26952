"""The story-based conditions: which stories are tested for which topic, and how they fall into segments.

A segment is a largest set of stories that belong to the same test sets and the
same subsets. Counting trials per (topic, segment) replaces listing them: 111
topics x 208,000 stories are some thousand cells.

    W863  a period without documents
    E864  periods that are not ascending
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tdtsql.errors import not_none
from tdtsql.engine.duckdb import Engine
from tdtsql.reader.index import IndexFile
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus, multilingual_topics
from tdtsql.loading.plan import by_column, ConditionSpec, WrittenSpec


@dataclass(slots=True)
class Block:
    """One topic of a condition."""

    block_id: str
    topic_id: str | None
    files: list[IndexFile] | None = None  #: source files to test; None: by position
    training: list[int] = field(default_factory=list)  #: story numbers
    first_test: int = 1  #: first story that may be tested
    given_in: str = ""  #: the file that says so


def topic_plan(
    condition: Condition,
    corpus: Corpus,
    blocks: list[Block],
    write: Callable[[Engine, int, Condition, Corpus, list[Block]], None],
) -> ConditionSpec:
    """Return the plan of a condition that comes down to its topics and the stories of the corpus."""
    return WrittenSpec(
        [block.block_id for block in blocks],
        lambda engine, condition_no: write(engine, condition_no, condition, corpus, blocks),
    )


def tracking_blocks(condition: Condition, corpus: Corpus) -> list[Block]:
    """Return the topics of a tracking or filtering condition, in the order of their ids."""
    blocks: dict[str, Block] = {}
    for given, index in condition.indexes:
        if index.topic_id is None:
            continue
        block_id = index.topic_id + (index.nt_variant or "")
        if block_id in blocks:
            condition.inputs.add(
                "E810",
                given,
                f"a second index of topic {block_id}, the first is {blocks[block_id].given_in}",
                "Keep one of the two.",
                1,
            )
            continue
        block = blocks[block_id] = Block(block_id, index.topic_id, index.files, given_in=given)
        wanted = index.training
        if condition.nt and condition.nt.isdigit():
            wanted = wanted[-int(condition.nt) :]  # plan, B.3: only the last Nt of these stories are to be used
        block.training = [corpus.story_no[story.docno] for story in wanted if story.docno in corpus.story_no]
    if not condition.indexes:
        for topic in sorted(corpus.topics):
            blocks[topic] = Block(topic, topic)
        for topic, story, path, line in condition.training:
            if topic not in blocks:
                condition.inputs.add(
                    "E811",
                    path,
                    "a training story of a topic that the corpus does not have",
                    "Add the topic to the topics or the judgments.",
                    line,
                    topic,
                )
            elif story not in corpus.story_no:
                condition.inputs.add(
                    "E812",
                    path,
                    "a training story that the corpus does not have",
                    "Add the story to the stories file.",
                    line,
                    story,
                )
            else:
                blocks[topic].training.append(corpus.story_no[story])
        for block in blocks.values():
            block.first_test = max(block.training, default=0) + 1
    chosen = chosen_topics(condition, {block.topic_id or block.block_id for block in blocks.values()})
    kept = [block for _, block in sorted(blocks.items()) if (block.topic_id or block.block_id) in chosen]
    for block in kept:
        corpus.topics.setdefault(not_none(block.topic_id), {})
    return kept


def topic_blocks(condition: Condition, corpus: Corpus) -> list[Block]:
    """Return the topics of the corpus that the condition scores, in the order of their ids."""
    return [Block(topic, topic) for topic in sorted(chosen_topics(condition, corpus.topics))]


def chosen_topics(condition: Condition, topics: Collection[str]) -> set[str]:
    """Return the topics that the condition's ``topic_pattern`` matches, all without one, but those that
    ``exclude_topics`` leaves out; reports E817 where the pattern matches none.
    """
    pattern = condition.spec.get("topic_pattern")
    matched = {topic for topic in topics if pattern is None or re.fullmatch(pattern, topic)}
    if topics and not matched:
        condition.inputs.add(
            "E817",
            f"condition '{condition.spec['id']}'",
            f"topic_pattern matches none of its {len(topics)} topics whole, such as {min(topics)}",
            "Correct the pattern, or leave it out.",
            value=pattern,
        )
    return matched - left_out(condition, topics)


def write_tracking_condition(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]
) -> None:
    """Store the blocks, test segments and subsets of a tracking or filtering condition."""
    write_blocks(engine, condition_no, blocks, corpus)
    trained = sorted({(number, story) for number, block in enumerate(blocks, 1) for story in block.training})
    engine.insert(
        "base.training_story",
        {"condition_no": condition_no, **by_column(trained, "block_no", "story_no")},
    )
    if condition.trials:
        tested = _listed_pairs(engine, condition_no, condition, corpus, blocks)
    else:
        tested = _implied_trials(engine, condition_no, condition, corpus, blocks)
    write_subsets(engine, condition_no, condition, corpus, blocks, tested)


def story_periods(condition: Condition, corpus: Corpus) -> list[int]:
    """Return the period of every story, 0 where the condition has none."""
    if not condition.spec.get("periods"):
        return [0] * len(corpus.stories)
    return periods_of(
        [story[0] for story in corpus.stories],
        condition.spec["periods"],
        condition.inputs,
        f"condition {condition.spec['id']}",
    )


def periods_of(story_ids: Sequence[str], cuts: Sequence[float], inputs: Inputs, where: str) -> list[int]:
    """Return the period (from 1) of every story, in chronological order.

    A cut is the last document of its period. Where all ids are whole numbers
    that rise with the order (as in RCV1) and the cuts lie among them, a cut is
    such an id; elsewhere it is a position in the order, from 1.
    """
    if list(cuts) != sorted(set(cuts)):
        inputs.add(
            "E864",
            where,
            "the periods do not rise",
            "Give the last document of each period but the last, in order.",
            value=list(cuts),
        )
        return [1] * len(story_ids)
    numbers = _rising_numbers(story_ids)
    if numbers and all(numbers[0] <= cut < numbers[-1] for cut in cuts):
        return [bisect_left(cuts, number) + 1 for number in numbers]
    outside = [cut for cut in cuts if not 1 <= cut < len(story_ids)]
    if outside:
        inputs.add(
            "W863",
            where,
            f"a period ends outside the {len(story_ids)} documents, so that one is empty",
            "Give positions in the document order, or document ids where these are rising numbers.",
            value=outside[0],
        )
    return [bisect_left(cuts, position) + 1 for position in range(1, len(story_ids) + 1)]


def _rising_numbers(story_ids: Sequence[str]) -> list[int] | None:
    if not story_ids or not all(
        name.isascii() and name.isdigit() and len(name) < 19 for name in (story_ids[0], story_ids[-1])
    ):
        return None
    numbers = []
    last = -1
    for name in story_ids:
        if not (name.isascii() and name.isdigit() and len(name) < 19) or (number := int(name)) <= last:
            return None
        numbers.append(number)
        last = number
    return numbers


class Segment(NamedTuple):
    """What the stories of a segment have in common."""

    language: str | None
    source: str | None
    sets: frozenset[str]
    blocks: int  #: bit b: tested for block b (from 0)
    period: int = 0  #: part of the document order, from 1; 0 where there are no periods


def _write_tested(
    engine: Engine,
    condition_no: int,
    condition: Condition,
    corpus: Corpus,
    tested_by: Callable[[int, tuple, str], tuple[int, int] | None],
) -> dict[Segment, int]:
    """Store the news stories of the condition's languages that are tested, excluded files apart; returns segments and
    their numbers.

    Args:
        tested_by: number, story and source file -> the blocks and the period of a segment; None: not tested.
    """
    wanted = {language.upper() for language in condition.spec.get("languages", [])}
    sets_of = sets_of_files(corpus)
    segments: dict[Segment, int] = {}
    members: list[tuple[int, int]] = []
    for number, story in enumerate(corpus.stories, start=1):
        name = corpus.file_names[story[1] - 1] if story[1] else ""
        if not story[5] or name in corpus.excluded_files or (wanted and (story[3] or "").upper() not in wanted):
            continue
        by = tested_by(number, story, name)
        if by is not None:
            segment = Segment(story[3], story[2], sets_of.get(name, frozenset()), *by)
            members.append((number, segments.setdefault(segment, len(segments) + 1)))
    write_segments_of_stories(engine, condition_no, members)
    return segments


def _implied_trials(engine, condition_no, condition, corpus, blocks) -> dict[int, tuple[Segment, list[int]]]:
    masks, periods = _block_masks(corpus, blocks), story_periods(condition, corpus)

    def tested_by(number: int, story: tuple, name: str) -> tuple[int, int] | None:
        return (masks[number - 1], periods[number - 1]) if masks[number - 1] else None

    segments = _write_tested(engine, condition_no, condition, corpus, tested_by)
    tested = {
        number: (segment, [b for b in range(len(blocks)) if segment.blocks >> b & 1])
        for segment, number in segments.items()
    }
    cells = [(block + 1, number) for number, (_, inside) in tested.items() for block in inside]
    engine.insert(
        "base.test_segment",
        {"condition_no": condition_no, **by_column(cells, "block_no", "segment_no")},
    )
    return tested


def write_blocks(engine: Engine, condition_no: int, blocks: list[Block], corpus: Corpus) -> None:
    """Store the blocks of a condition."""
    topic_no = corpus.topic_no
    engine.insert(
        "base.block",
        {
            "condition_no": condition_no,
            "block_no": list(range(1, len(blocks) + 1)),
            "block_id": [block.block_id for block in blocks],
            "topic_no": [topic_no.get(block.topic_id or "") for block in blocks],
            "first_test_story_no": [block.first_test for block in blocks],
            "is_scored": 1,
        },
    )


def write_test_set(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus) -> dict[Segment, int]:
    """Store which news stories are tested, by segment, and return the segments' numbers.

    The stories of the index's source files (all stories without an index), of
    the condition's languages, excluded files apart; of a story list, those listed.
    """
    files = {entry.name for entries in condition.index_files for entry in entries}
    listed = {story for _, index in condition.indexes for story in index.story_ids}

    def tested_by(number: int, story: tuple, name: str) -> tuple[int, int] | None:
        is_tested = (not condition.indexes or name in files) and (not listed or story[0] in listed)
        return (0, 0) if is_tested else None

    return _write_tested(engine, condition_no, condition, corpus, tested_by)


def write_segments(engine: Engine, condition_no: int, sizes: Sequence[int]) -> None:
    """Store the segments of a condition, numbered from 1, by how many stories or pairs each has."""
    engine.insert(
        "base.segment",
        {
            "condition_no": condition_no,
            "segment_no": list(range(1, len(sizes) + 1)),
            "n_trial": list(sizes),
        },
    )


def write_segments_of_stories(engine: Engine, condition_no: int, members: Sequence[tuple[int, int]]) -> None:
    """Store the segments of a condition and their stories: pairs of story and segment, segments numbered from 1 without
    a gap.
    """
    sizes = Counter(segment_no for _, segment_no in members)
    write_segments(engine, condition_no, [sizes[number] for number in range(1, len(sizes) + 1)])
    engine.insert(
        "base.segment_story",
        {"condition_no": condition_no, **by_column(members, "story_no", "segment_no")},
    )


def _block_masks(corpus, blocks) -> list[int]:
    """Return for each story a number whose bit b says that block b tests it (by file and position)."""
    masks = [0] * len(corpus.stories)
    if any(block.files is not None for block in blocks):
        by_file: dict[str, int] = defaultdict(int)
        late: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for bit, block in enumerate(blocks):
            for entry in block.files or []:
                if entry.begin > 1:
                    late[entry.name].append((bit, entry.begin))
                else:
                    by_file[entry.name] |= 1 << bit
        for number, story in enumerate(corpus.stories):
            name = corpus.file_names[story[1] - 1] if story[1] else ""
            mask = by_file.get(name, 0)
            for bit, begin in late.get(name, ()):
                # the program compares with the recid under time pointers too; every official index begins at the start
                if story[6] is None or story[6] >= begin:
                    mask |= 1 << bit
            masks[number] = mask
        return masks
    order = sorted((block.first_test, bit) for bit, block in enumerate(blocks))
    mask, place = 0, 0
    for number in range(1, len(masks) + 1):
        while place < len(order) and order[place][0] <= number:
            mask |= 1 << order[place][1]
            place += 1
        masks[number - 1] = mask
    return masks


def sets_of_files(corpus: Corpus) -> dict[str, frozenset[str]]:
    sets_of: dict[str, set[str]] = defaultdict(set)
    for heading, members in corpus.sets:
        for name in members:
            sets_of[name].add(heading)
    return {name: frozenset(headings) for name, headings in sets_of.items()}


def _listed_pairs(engine, condition_no, condition, corpus, blocks) -> dict[int, tuple[Segment, list[int]]]:
    number_of = {block.block_id: number for number, block in enumerate(blocks, start=1)}
    sets_of = sets_of_files(corpus)
    segments: dict[Segment, int] = {}
    inside: dict[int, set[int]] = defaultdict(set)
    periods = story_periods(condition, corpus)
    rows = []
    for topic, story, path, line in condition.trials:
        if story not in corpus.story_no:
            condition.inputs.add(
                "E813",
                path,
                "a trial on a story that the corpus does not have",
                "Add the story to the stories file.",
                line,
                story,
            )
        elif topic not in corpus.topics:
            condition.inputs.add(
                "E814",
                path,
                "a trial of a topic that the corpus does not have",
                "Add the topic to the topics or the judgments.",
                line,
                topic,
            )
        elif topic in number_of:
            row = corpus.stories[corpus.story_no[story] - 1]
            name = corpus.file_names[row[1] - 1] if row[1] else ""
            if not row[5] or name in corpus.excluded_files:
                continue
            segment_no = segments.setdefault(
                Segment(row[3], row[2], sets_of.get(name, frozenset()), 0, periods[corpus.story_no[story] - 1]),
                len(segments) + 1,
            )
            inside[segment_no].add(number_of[topic] - 1)
            rows.append((number_of[topic], corpus.story_no[story], segment_no))
    for code, place, known, kind in (
        ("E813", 1, corpus.story_no, "on a story"),
        ("E814", 0, corpus.topics, "of a topic"),
    ):
        if condition.trials and known and not any(trial[place] in known for trial in condition.trials):
            message = f"none of the {len(condition.trials):,} trials is {kind} of the corpus"
            first = condition.trials[0]
            condition.inputs.say_unmatched(code, first[2], message, first[place], next(iter(known)))
    engine.insert(
        "base.listed_pair",
        {"condition_no": condition_no, **by_column(rows, "block_no", "trial_no", "segment_no")},
    )
    return {number: (segment, sorted(inside[number])) for segment, number in segments.items()}


def write_subsets(
    engine: Engine,
    condition_no: int,
    condition: Condition,
    corpus: Corpus,
    blocks: list[Block],
    tested: dict[int, tuple[Segment, list[int]]],
) -> None:
    """Store the subsets of a condition and the cells they consist of.

    Args:
        tested: segment number -> what its stories have in common, and the blocks (from 0) that test it.
    """
    cells: dict[tuple[str, str], list[tuple[int, int]]] = {("all", "all"): []}
    for heading, _ in corpus.sets:
        cells[("set", heading)] = []
    multilingual = multilingual_topics(corpus)
    native = _training_languages(condition, corpus, blocks)
    for number, (segment, inside) in sorted(tested.items()):
        for block in inside:
            cell = (block + 1, number)
            if segment.language:
                cells.setdefault(("language", f"language={segment.language}"), []).append(cell)
            if segment.source:
                cells.setdefault(("source", f"source={segment.source}"), []).append(cell)
            for heading in segment.sets:
                cells[("set", heading)].append(cell)
            if segment.period:
                cells.setdefault(("period", f"period={segment.period}"), []).append(cell)
            if native[block] and segment.language:
                crossing = "same" if segment.language in native[block] else "cross"
                cells.setdefault(("crossing", f"crossing={crossing}"), []).append(cell)
            kind = multilingual.get(blocks[block].topic_id or "")
            if kind is not None:
                cells.setdefault(("topics", f"topics={'multilingual' if kind else 'monolingual'}"), []).append(cell)
    store_subsets(engine, condition_no, cells)


def store_subsets(engine: Engine, condition_no: int, cells: dict[tuple[str, str], list[tuple[int, int]]]) -> None:
    """Store subsets given as (kind, name) -> cells (block, segment); the first is subset 0, all."""
    order = [("all", "all"), *sorted(key for key in cells if key != ("all", "all"))]
    engine.insert(
        "base.subset",
        {
            "condition_no": condition_no,
            "subset_no": list(range(len(order))),
            **by_column(order, "kind", "subset"),
        },
    )
    rows = [(number, *cell) for number, key in enumerate(order) if number for cell in cells[key]]
    engine.insert(
        "base.subset_cell",
        {"condition_no": condition_no, **by_column(rows, "subset_no", "block_no", "segment_no")},
    )
    engine.insert("base.curve_request", {"condition_no": [condition_no], "subset_no": [0], "all_points": [0]})


def _training_languages(condition: Condition, corpus: Corpus, blocks: list[Block]) -> list[set[str]]:
    """Return for each block the language of its training: as the condition says, or of its training stories."""
    if condition.training_language:
        spoken = {story[3] for story in corpus.stories if story[3]}
        named = {language for language in spoken if language.upper() == condition.training_language.upper()}
        return [named or {condition.training_language}] * len(blocks)
    return [
        {corpus.stories[story - 1][3] for story in block.training if corpus.stories[story - 1][3]} for block in blocks
    ]
