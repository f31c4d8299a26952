"""Origin of the columns of ``base``: columns of ``staging``, or files whose rows are loaded directly into ``base``.

The loaders are Python, so this is written by hand. A test compares it with the
tables: it has every column of every base table, except numbers assigned on loading.
"""

from collections.abc import Iterator

Place = tuple[str, str]  # relation (or a kind of file), column

#: kinds of files whose rows are not staged
RUN, EVENTS, ORDER, BUNDLE, VALUES = "file of the run", "events file", "document order", "bundle", "true values"
BOUNDARY_HEAD, DUPLICATES, GOLD, TRIAL_KEY, ITEMS = (
    "head of the boundary table",
    "duplicates file",
    "partition gold",
    "verification key",
    "list of items",
)

#: keys that the registry assigns
GIVEN = frozenset(("corpus_no", "condition_no", "run_no", "profile_no"))

_STORIES = "boundary.docno tidy_story.story_id qrel.document_id"
_ORDER = f"index_file.source_file boundary.line tidy_story.position {ORDER!r}"
_TOPICS = (
    "on_topic.topic_id index_file.topic_id tidy_topic.topic_id tidy_judgment.topic_id qrel.topic_id tidy_pair.topic_id"
)
_EVENTS = f"nugget.event update.event match.event {EVENTS!r} {VALUES!r}"
_BLOCKS = f"{_TOPICS} link_key.block_id {_EVENTS} {GOLD!r} {TRIAL_KEY!r} {ITEMS!r}"
_SOURCE = f"source_info.source tidy_story.source {BOUNDARY_HEAD!r}"
_LANGUAGE = f"source_info.language tidy_story.language {BOUNDARY_HEAD!r}"
_JUDGED = "on_topic.docno tidy_judgment.story_id qrel.document_id"
_PAIRS = "index_pair.story_id_1 index_pair.story_id_2 link_key.story_id_1 link_key.story_id_2"
_CELLS = (
    f"index_file.source_file index_file.begin_position boundary.doctype tidy_story.kind subset_file.source_file "
    f"{_SOURCE} {_LANGUAGE} {_PAIRS} {TRIAL_KEY!r} {ITEMS!r}"
)
_UPDATES = "update.update_id match.update_id"
_WORDS = "update.text match.begin_offset match.end_offset"

#: base table -> column -> origins; "*" means all other columns
_ORIGINS: dict[str, dict[str, str]] = {
    "base.source_file": {
        "source_file_no": _ORDER,
        "source_file": "index_file.source_file tidy_story.source_file",
        "source": _SOURCE,
        "language": _LANGUAGE,
        "collected_at": f"source_info.date {BOUNDARY_HEAD!r}",
        "is_excluded": "subset_file.source_file",
    },
    "base.story": {
        "story_no": _ORDER,
        "story_id": _STORIES,
        "source_file_no": "index_file.source_file tidy_story.source_file",
        "source": _SOURCE,
        "language": _LANGUAGE,
        "kind": "boundary.doctype tidy_story.kind",
        "is_news": "boundary.doctype tidy_story.kind",
        "begin_recid": "boundary.begin_recid",
        "end_recid": "boundary.end_recid",
        "begin_sec": "boundary.begin_sec",
        "end_sec": "boundary.end_sec",
        "published_at": f"source_info.date {BOUNDARY_HEAD!r}",
    },
    "base.topic": {
        "topic_no": _TOPICS,
        "topic_id": _TOPICS,
        "title": "tidy_topic.title",
        "languages": "tidy_topic.languages",
        "is_multilingual": "tidy_topic.languages",
        "is_complete": "tidy_topic.topic_id",
    },
    "base.judgment": {
        "judgment_set": repr(BUNDLE),
        "topic_no": "on_topic.topic_id tidy_judgment.topic_id qrel.topic_id",
        "story_no": _JUDGED,
        "label": "on_topic.level tidy_judgment.label qrel.grade",
    },
    "base.subset": {
        "*": f"subset_file.heading subset_file.title {_SOURCE} {_LANGUAGE} tidy_topic.languages {TRIAL_KEY!r} "
        f"{ITEMS!r} "
        f"{BUNDLE!r}"
    },
    "base.block": {
        "first_test_story_no": "index_file.begin_position training_story.docno tidy_pair.story_id",
        "is_scored": f"{_BLOCKS} {BUNDLE!r}",
        "*": _BLOCKS,
    },
    "base.training_story": {
        "block_no": "training_story.topic_id tidy_pair.topic_id",
        "story_no": "training_story.docno tidy_pair.story_id",
    },
    "base.segment": {"*": _CELLS},
    "base.segment_story": {"story_no": _STORIES, "segment_no": _CELLS},
    "base.test_segment": {"block_no": _BLOCKS, "segment_no": _CELLS},
    "base.subset_cell": {
        "subset_no": f"subset_file.heading {_SOURCE} {_LANGUAGE} tidy_topic.languages {TRIAL_KEY!r} {ITEMS!r}",
        "block_no": _BLOCKS,
        "segment_no": _CELLS,
    },
    "base.curve_request": {"*": repr(BUNDLE)},
    "base.listed_pair": {"block_no": "tidy_pair.topic_id", "trial_no": "tidy_pair.story_id", "segment_no": _CELLS},
    "base.decision": {"segment_no": _CELLS, "*": repr(RUN)},
    "base.unlisted_document": {"*": repr(RUN)},
    "base.carried_threshold": {
        "from_condition_id": repr(BUNDLE),
        "*": f"{_JUDGED} link_key.kind {TRIAL_KEY!r} {RUN!r} {BUNDLE!r}",
    },
    "base.link_pair": {"segment_no": _CELLS, "*": _PAIRS},
    "base.link_answer": {"block_no": "link_key.block_id", "trial_no": _PAIRS, "answer": "link_key.kind"},
    "base.event": {
        "title": repr(EVENTS),
        "kind": repr(EVENTS),
        "start_time": repr(EVENTS),
        "end_time": repr(EVENTS),
        "n_pool_row": "update.event",
        "n_match_row": "match.event",
        "*": _EVENTS,
    },
    "base.nugget": {
        "block_no": "nugget.event",
        "nugget_no": "nugget.nugget",
        "nugget_id": "nugget.nugget",
        "row_no": "nugget.line",
        "nugget_time": "nugget.time",
        "importance": "nugget.importance",
        "length_column": "nugget.length",
        "*": "nugget.text",
    },
    "base.known_update": {
        "block_no": "update.event match.event",
        "update_no": _UPDATES,
        "update_id": _UPDATES,
        "is_pooled": "update.update_id",
        "length_column": "update.length",
        "duplicate_no": "update.duplicate",
        "twin_no": repr(DUPLICATES),
        "*": "update.text",
    },
    "base.nugget_match": {
        "block_no": "match.event",
        "match_no": "match.line",
        "update_no": "match.update_id",
        "nugget_no": "match.nugget",
        "span_start": "match.begin_offset",
        "span_end": "match.end_offset",
        "has_span": "match.begin_offset match.end_offset",
        "*": _WORDS,
    },
    "base.run_update": {"update_no": f"{_UPDATES} {RUN!r}", "*": repr(RUN)},
    "base.run_event": {"*": repr(RUN)},
    "base.condition_tau": {"*": repr(BUNDLE)},
    "base.attribute": {"subset_no": repr(VALUES), "*": f"{EVENTS!r} {VALUES!r}"},
    "base.true_value": {"*": repr(VALUES)},
    "base.submitted_value": {"*": repr(RUN)},
    "base.value_distance": {"*": f"{RUN!r} {VALUES!r}"},
    "base.vertex": {"*": repr(RUN)},
    "base.vertex_edge": {"*": repr(RUN)},
    "base.vertex_list": {"*": repr(RUN)},
    "base.vertex_story": {"story_no": f"{_JUDGED} {RUN!r}", "*": repr(RUN)},
    "base.vertex_travel": {"*": f"{RUN!r} {BUNDLE!r}"},
    "base.partition_item": {"story_no": f"{_STORIES} {GOLD!r}", "*": repr(GOLD)},
    "base.partition_gold_cluster": {"*": repr(GOLD)},
    "base.partition_gold": {"*": repr(GOLD)},
    "base.partition_document": {"*": repr(GOLD)},
    "base.partition_window": {"*": f"source_info.date {GOLD!r} {BUNDLE!r}"},
    "base.partition_extra_item": {"story_no": f"{_STORIES} {RUN!r}", "*": f"{GOLD!r} {RUN!r}"},
    "base.partition_extra_block": {"*": f"{GOLD!r} {RUN!r}"},
    "base.partition_cluster": {"*": repr(RUN)},
    "base.partition_answer": {"*": f"{GOLD!r} {RUN!r}"},
    "base.verification_segment": {"*": repr(TRIAL_KEY)},
    "base.verification_attribute": {"*": repr(TRIAL_KEY)},
    "base.verification_trial": {"*": repr(TRIAL_KEY)},
    "base.item": {"*": f"{ITEMS!r} {RUN!r}"},
    "base.item_attribute": {"*": f"{ITEMS!r} {RUN!r}"},
    "base.item_measure": {"*": f"{RUN!r} {BUNDLE!r}"},
    "base.item_k": {"*": repr(BUNDLE)},
    "base.item_score": {"*": repr(RUN)},
    "base.item_of_measure": {"*": f"{ITEMS!r} {RUN!r}"},
    "base.item_baseline": {"*": repr(RUN)},
    "base.item_pass": {"*": repr(RUN)},
    "base.travel_price": {"*": repr(BUNDLE)},
    "base.expected_travel": {"block_no": _BLOCKS, "*": f"{_JUDGED} {RUN!r} {BUNDLE!r}"},
}


def origins(relation: str, column: str) -> list[Place]:
    """Return the origin of a column of a base table; empty for keys that the registry assigns."""
    if column in GIVEN or relation not in _ORIGINS:
        return []
    columns = _ORIGINS[relation]
    return sorted(dict.fromkeys(_places(columns.get(column, columns.get("*", "")))))


def _places(text: str) -> Iterator[Place]:
    for number, part in enumerate(text.split("'")):
        if number % 2:
            yield part, ""
        else:
            for name in part.split():
                table, column = name.split(".")
                yield f"staging.{table}", column
