"""The story-based conditions: which stories are tested for which topic, and how they fall into segments.

A segment is a largest set of stories that belong to the same test sets and the
same subsets. Counting trials per (topic, segment) replaces listing them: 111
topics x 208,000 stories are some thousand cells.

Code   Meaning
E810   a second index of one topic
E811   a training story of a topic that the corpus does not have
E812   a training story that the corpus does not have
E813   a trial of a topic that the corpus does not have
E814   a trial of a story that the corpus does not have
W863   a period without documents
E864   periods that are not ascending
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tdtsql.errors import counted, none_of, not_none
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.reader.field import natural
from tdtsql.reader.index import IndexFile
from tdtsql.files.find import Inputs
from tdtsql.files.lines import path_of
from tdtsql.loading.condition import Condition, left_out
from tdtsql.loading.corpus import Corpus
from tdtsql.load.plan import ConditionSpec, WrittenSpec, by_column, drop_tables, make_table


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
    blocks_of: Callable[[Condition, Corpus], list[Block]],
    write_trials: Callable[[Engine, int, Condition, Corpus, list[Block]], None],
    engine: Engine,
    condition: Condition,
    corpus: Corpus,
    *,
    has_subsets: bool = True,
) -> ConditionSpec:
    """Return the plan of a condition that comes down to its topics and the stories of the corpus.

    Args:
        write_trials: leaves the cells of the condition in the temporary table ``tested_cell``.
    """

    blocks = blocks_of(condition, corpus)

    def write(engine: Engine, condition_no: int) -> None:
        write_blocks(engine, condition_no, blocks, corpus)
        write_trials(engine, condition_no, condition, corpus, blocks)
        store_subsets(engine, condition_no, _subsets(condition, condition_no) if has_subsets else NO_SUBSETS)
        drop_tables(engine, "tested_cell", "set_file")

    return WrittenSpec([block.block_id for block in blocks], write)


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
        for topic in sorted(corpus.topic_no):
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
    return [block for _, block in sorted(blocks.items()) if (block.topic_id or block.block_id) in chosen]


def topic_blocks(condition: Condition, corpus: Corpus) -> list[Block]:
    """Return the topics of the corpus that the condition scores, in the order of their ids."""
    return [Block(topic, topic) for topic in sorted(chosen_topics(condition, corpus.topic_no))]


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
            f"topic_pattern matches no id of the {counted(len(topics), 'topic')} as a whole, expected to match ids "
            f"such as {min(topics)!r}",
            "Correct the pattern (.* stands for any text), or leave it out.",
            value=pattern,
        )
    return matched - left_out(condition, topics)


def write_own_trials(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]
) -> None:
    """Store the training stories and test segments of topics with their own trials."""
    trained = sorted({(number, story) for number, block in enumerate(blocks, 1) for story in block.training})
    engine.insert("base.training_story", {"condition_no": condition_no, **by_column(trained, "block_no", "story_no")})
    if condition.trials:
        _write_listed_pairs(engine, condition_no, condition, corpus)
    else:
        _write_implied_trials(engine, condition_no, condition, corpus, blocks)


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


def _rising_numbers(story_ids: Sequence[str]) -> list[int]:
    """Return the numbers that ids are; none where they are others, or do not rise."""
    numbers = [number for number in map(natural, story_ids) if number is not None]
    is_rising = len(numbers) == len(story_ids) and all(last < number for last, number in pairwise(numbers))
    return numbers if is_rising else []


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


# ---- test sets: which stories are tested, and the segments that they are in


def stories_of(engine: Engine, condition_no: int, corpus: Corpus, periods: Sequence[int] = ()) -> str:
    """Return a relation of the stories of a condition's corpus: story_no, story_id, language, source, day (empty where
    unknown), begin_recid, is_news, source_file (empty where there is none), is_excluded, sets (NULL without) and
    period (0 without).

    Args:
        periods: of every story, in their order.
    """
    sets: list[tuple[str, str | None]] = []
    for heading, members in corpus.sets:
        sets += [(heading, name) for name in members] or [(heading, None)]
    make_table(engine, "set_file", ("heading varchar", "source_file varchar"), sets)
    make_table(engine, "story_period", ("story_no integer", "period integer"), list(enumerate(periods, start=1)))
    return f"""(
        select story.story_no, story.story_id, story.language, story.source, story.begin_recid, story.is_news,
            coalesce(substr(cast(story.published_at as varchar), 1, 10), '') as day,
            coalesce(file.source_file, '') as source_file, coalesce(file.is_excluded, 0) as is_excluded, listed.sets,
            coalesce(story_period.period, 0) as period
        from (select * from base.story
            where corpus_no = (select corpus_no from registry.condition where condition_no = {condition_no})) as story
        left join base.source_file as file
            on file.corpus_no = story.corpus_no and file.source_file_no = story.source_file_no
        left join (select source_file, list(distinct heading order by heading) as sets from set_file
            group by source_file) as listed on listed.source_file = file.source_file
        left join story_period on story_period.story_no = story.story_no)"""


def write_segments(engine: Engine, condition_no: int, stories: str, keys: str) -> None:
    """Store the segments of tested stories, those with the same ``keys``, numbered by their first stories; the
    temporary table ``tested_story`` has the rows with the numbers of their segments.
    """
    engine.execute(f"""
        create or replace temp table tested_story as
        select *, dense_rank() over (order by first_story_no) as segment_no
        from (select *, min(story_no) over (partition by {keys}) as first_story_no from {stories})""")
    engine.execute(f"""
        insert into base.segment (condition_no, segment_no, n_trial)
        select {condition_no}, segment_no, count(*) from tested_story group by segment_no order by segment_no""")
    engine.execute(f"""
        insert into base.segment_story (condition_no, story_no, segment_no)
        select {condition_no}, story_no, segment_no from tested_story order by story_no""")


def write_test_set(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]
) -> None:
    """Store which news stories are tested, by segment; each block has all of them in ``tested_cell``.

    The stories of the index's source files (all stories without an index), of
    the condition's languages, excluded files apart; of a story list, those listed.
    """
    files = {entry.name for entries in condition.index_files for entry in entries}
    listed = {story for _, index in condition.indexes for story in index.story_ids}
    make_table(engine, "test_file", ("source_file varchar",), [(name,) for name in files])
    make_table(engine, "test_story", ("story_id varchar",), [(name,) for name in listed])
    stories = f"""(
        select * from {stories_of(engine, condition_no, corpus)} as story where {_tested(condition)}
        {"and source_file in (from test_file)" if condition.indexes else ""}
        {"and story_id in (from test_story)" if listed else ""})"""
    write_segments(engine, condition_no, stories, "language, source, sets")
    engine.execute(f"""
        create or replace temp table tested_cell as
        select distinct segment_no, language, source, sets, 0 as period, block_no
        from tested_story cross join (select unnest(range(1, {len(blocks) + 1})) as block_no)""")
    drop_tables(engine, "tested_story", "story_period", "test_file", "test_story")


def _tested(condition: Condition) -> str:
    """Return SQL: a story is news, of the condition's languages, and not in an excluded file."""
    languages = [sql_literal(name) for name in condition.spec.get("languages", ())]
    spoken = f" and upper(coalesce(language, '')) in (upper({'), upper('.join(languages)}))" if languages else ""
    return f"is_news = 1 and is_excluded = 0{spoken}"


def _write_implied_trials(
    engine: Engine, condition_no: int, condition: Condition, corpus: Corpus, blocks: list[Block]
) -> None:
    """Store the segments of the stories that blocks test: those of their source files from a record on, or all from a
    story on.
    """
    by_file = any(block.files is not None for block in blocks)
    begins = [
        # the program compares with the recid under time pointers too; every official index begins at the start
        (number, entry.name, entry.begin if entry.begin > 1 else 0)
        for number, block in enumerate(blocks, 1)
        for entry in block.files or ()
    ]
    begins = begins if by_file else [(number, "", block.first_test) for number, block in enumerate(blocks, 1)]
    make_table(engine, "test_begin", ("block_no integer", "name varchar", "begin double"), begins)
    name = "source_file" if by_file else "''"
    place = "coalesce(cast(begin_recid as double), 'infinity')" if by_file else "story_no"
    # the blocks that test a story follow from the last begin before it
    engine.execute("""
        create or replace temp table test_mask as
        select *, dense_rank() over (order by blocks) as mask_no
        from (
            select given.name, given.begin, list(distinct earlier.block_no order by earlier.block_no) as blocks
            from (select distinct name, begin from test_begin) as given
            join test_begin as earlier on earlier.name = given.name and earlier.begin <= given.begin
            group by given.name, given.begin)""")
    stories = f"""(
        select story.*, mask.mask_no
        from (select *, {name} as name, cast({place} as double) as place
            from {stories_of(engine, condition_no, corpus, _periods(condition, corpus))}
            where {_tested(condition)}) as story
        asof join test_mask as mask on mask.name = story.name and mask.begin <= story.place)"""
    write_segments(engine, condition_no, stories, "language, source, sets, period, mask_no")
    engine.execute("""
        create or replace temp table tested_cell as
        select segment_no, language, source, sets, period, unnest(blocks) as block_no
        from (select distinct segment_no, language, source, sets, period, mask_no from tested_story)
        join (select distinct mask_no, blocks from test_mask) using (mask_no)""")
    engine.execute(f"""
        insert into base.test_segment (condition_no, block_no, segment_no)
        select {condition_no}, block_no, segment_no from tested_cell order by segment_no, block_no""")
    drop_tables(engine, "tested_story", "test_begin", "test_mask", "story_period")


def _periods(condition: Condition, corpus: Corpus) -> list[int]:
    """Return the period of every story; empty where the condition has none."""
    cuts, where = condition.spec.get("periods"), f"condition {condition.spec['id']}"
    return periods_of(list(corpus.story_no), cuts, condition.inputs, where) if cuts else []


def _write_listed_pairs(engine: Engine, condition_no: int, condition: Condition, corpus: Corpus) -> None:
    """Store the pairs of topic and story that files list; a pair counts as base.trial__v1 says: with a story of the
    condition's test set, and not before the end of the topic's training.
    """
    trials = not_none(condition.trials)
    listed = f"""(
        select row_number() over (order by file, line) as row_no, topic_id, story_id, line,
            {path_of(trials.paths)} as path
        from {trials.table})"""
    engine.execute(f"""
        create or replace temp table tested_pair as
        select trial.*, topic.topic_id is not null as is_topic, block.block_no, block.first_test_story_no,
            story.* exclude (story_id)
        from {listed} as trial
        left join {stories_of(engine, condition_no, corpus, _periods(condition, corpus))} as story
            on story.story_id = trial.story_id
        left join (select topic_id from base.topic join registry.condition using (corpus_no)
            where condition_no = {condition_no}) as topic on topic.topic_id = trial.topic_id
        left join base.block as block on block.condition_no = {condition_no} and block.block_id = trial.topic_id""")
    for topic, story, path, line, has_story in engine.rows("""
            select topic_id, story_id, path, line, story_no is not null from tested_pair
            where story_no is null or not is_topic order by row_no"""):
        condition.inputs.add(
            "E814" if has_story else "E813",
            path,
            f"a trial {'of a topic' if has_story else 'on a story'} that the corpus does not have",
            f"Add the {'topic to the topics or the judgments' if has_story else 'story to the stories file'}.",
            line,
            topic if has_story else story,
        )
    [(n_trial, n_story, n_topic, topic, story, path)] = engine.rows("""
        select count(*), count(story_no), count(*) filter (is_topic), arg_min(topic_id, row_no),
            arg_min(story_id, row_no), arg_min(path, row_no)
        from tested_pair""")
    for code, value, known, n_found, kind in (
        ("E813", story, corpus.story_no, n_story, "on a story"),
        ("E814", topic, corpus.topic_no, n_topic, "of a topic"),
    ):
        if known and not n_found:
            message = f"{none_of(n_trial, 'trials')} {kind} of the corpus"
            condition.inputs.say_unmatched(code, path, message, value, next(iter(known)))
    engine.execute(f"""
        create or replace temp table counted_pair as
        select *, dense_rank() over (order by first_row_no) as segment_no
        from (select *, min(row_no) over (partition by language, source, sets, period) as first_row_no
        from tested_pair where block_no is not null and story_no >= first_test_story_no and {_tested(condition)})""")
    engine.execute(f"""
        insert into base.listed_pair (condition_no, block_no, trial_no, segment_no)
        select {condition_no}, block_no, story_no, segment_no from counted_pair order by row_no""")
    engine.execute("""
        create or replace temp table tested_cell as
        select distinct segment_no, language, source, sets, period, block_no from counted_pair""")
    drop_tables(engine, "tested_pair", "counted_pair", "story_period")


# ---- subsets

#: the names of the subsets that are sets, in the relation that `store_subsets` takes
SETS = "select 'set' as kind, heading as subset, null as block_no, null as segment_no from set_file"
#: the same of a condition without subsets
NO_SUBSETS = "select '' as kind, '' as subset, 0 as block_no, 0 as segment_no limit 0"


def _subsets(condition: Condition, condition_no: int) -> str:
    """Return the subsets of a condition, for `store_subsets`: what its cells, in ``tested_cell``, have in common."""
    if condition.training_language:
        language = sql_literal(condition.training_language)
        native = f"""(
            select block_no, list(distinct language) filter (upper(language) = upper({language})) as spoken
            from tested_cell group by block_no)"""
    else:
        native = f"""(
            select block_no, list(distinct language) as spoken
            from base.training_story join registry.condition using (condition_no)
            join base.story using (corpus_no, story_no)
            where condition_no = {condition_no} and language <> '' group by block_no)"""
    return f"""
        {SETS} union all select 'set', unnest(sets), block_no, segment_no from tested_cell
        union all select 'language', 'language=' || language, block_no, segment_no from tested_cell where language <> ''
        union all select 'source', 'source=' || source, block_no, segment_no from tested_cell where source <> ''
        union all select 'period', 'period=' || period, block_no, segment_no from tested_cell where period > 0
        union all select 'crossing', 'crossing=' || if(list_contains(spoken, language), 'same', 'cross'), block_no,
            segment_no
        from tested_cell join {native} using (block_no) where language <> ''
        union all select 'topics', 'topics=' || if(is_multilingual = 1, 'multilingual', 'monolingual'), block_no,
            segment_no
        from tested_cell join (
            select block_no, is_multilingual from base.block join registry.condition using (condition_no)
            join base.topic using (corpus_no, topic_no)
            where condition_no = {condition_no} and is_multilingual is not null) using (block_no)"""


def store_subsets(engine: Engine, condition_no: int, rows: str = NO_SUBSETS) -> None:
    """Store subsets given as a relation of kind, subset, block_no and segment_no; block_no is NULL where a row is only
    the name of a subset, which may have no cells. Subset 0 is all.
    """
    engine.execute(f"""
        insert into base.subset (condition_no, subset_no, subset, kind)
        select {condition_no}, 0, 'all', 'all'
        union all
        select {condition_no}, row_number() over (order by kind, subset), subset, kind
        from (select distinct kind, subset from ({rows})) order by 2""")
    engine.execute(f"""
        insert into base.subset_cell (condition_no, subset_no, block_no, segment_no)
        select {condition_no}, subset_no, block_no, segment_no
        from ({rows}) join (select * from base.subset where condition_no = {condition_no}) using (kind, subset)
        where block_no is not null order by subset_no, segment_no, block_no""")
    engine.insert("base.curve_request", {"condition_no": [condition_no], "subset_no": [0], "all_points": [0]})
