"""Origin of the columns of ``base``: columns of ``staging``, or files whose rows are loaded directly into ``base``.

The loaders are Python, so this is written by hand. A test compares it with the
tables: it has every column of every base table, except numbers assigned on loading.
"""

import tomllib
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

#: a table for each base table, "*" means all other columns; words are columns of staging, shared lists or _KINDS
_TEXT = '''
[shared]
STORIES     = "boundary.docno tidy_story.story_id qrel.document_id"
ORDER_OF    = "index_file.source_file boundary.line tidy_story.position ORDER"
TOPICS      = """
    on_topic.topic_id index_file.topic_id tidy_topic.topic_id tidy_judgment.topic_id qrel.topic_id
    tidy_pair.topic_id"""
EVENT_IDS   = "nugget.event update.event match.event EVENTS VALUES"
BLOCKS      = "TOPICS link_key.block_id EVENT_IDS GOLD TRIAL_KEY ITEMS"
SOURCE      = "source_info.source tidy_story.source BOUNDARY_HEAD"
LANGUAGE    = "source_info.language tidy_story.language BOUNDARY_HEAD"
JUDGED      = "on_topic.docno tidy_judgment.story_id qrel.document_id"
PAIRS       = "index_pair.story_id_1 index_pair.story_id_2 link_key.story_id_1 link_key.story_id_2"
CELLS       = """
    index_file.source_file index_file.begin_position boundary.doctype tidy_story.kind subset_file.source_file
    SOURCE LANGUAGE PAIRS TRIAL_KEY ITEMS"""
UPDATES     = "update.update_id match.update_id"
WORDS       = "update.text match.begin_offset match.end_offset"

["base.source_file"]
source_file_no = "ORDER_OF"
source_file    = "index_file.source_file tidy_story.source_file"
source         = "SOURCE"
language       = "LANGUAGE"
collected_at   = "source_info.date BOUNDARY_HEAD"
is_excluded    = "subset_file.source_file"

["base.story"]
story_no       = "ORDER_OF"
story_id       = "STORIES"
source_file_no = "index_file.source_file tidy_story.source_file"
source         = "SOURCE"
language       = "LANGUAGE"
kind           = "boundary.doctype tidy_story.kind"
is_news        = "boundary.doctype tidy_story.kind"
begin_recid    = "boundary.begin_recid"
end_recid      = "boundary.end_recid"
begin_sec      = "boundary.begin_sec"
end_sec        = "boundary.end_sec"
published_at   = "source_info.date BOUNDARY_HEAD"

["base.topic"]
topic_no        = "TOPICS"
topic_id        = "TOPICS"
title           = "tidy_topic.title"
languages       = "tidy_topic.languages"
is_multilingual = "tidy_topic.languages"
is_complete     = "tidy_topic.topic_id"

["base.judgment"]
judgment_set = "BUNDLE"
topic_no     = "on_topic.topic_id tidy_judgment.topic_id qrel.topic_id"
story_no     = "JUDGED"
label        = "on_topic.level tidy_judgment.label qrel.grade"

["base.subset"]
"*" = "subset_file.heading subset_file.title SOURCE LANGUAGE tidy_topic.languages TRIAL_KEY ITEMS BUNDLE"

["base.block"]
first_test_story_no = "index_file.begin_position training_story.docno tidy_pair.story_id"
is_scored           = "BLOCKS BUNDLE"
"*"                 = "BLOCKS"

["base.training_story"]
block_no = "training_story.topic_id tidy_pair.topic_id"
story_no = "training_story.docno tidy_pair.story_id"

["base.segment"]
"*" = "CELLS"

["base.segment_story"]
story_no   = "STORIES"
segment_no = "CELLS"

["base.test_segment"]
block_no   = "BLOCKS"
segment_no = "CELLS"

["base.subset_cell"]
subset_no  = "subset_file.heading SOURCE LANGUAGE tidy_topic.languages TRIAL_KEY ITEMS"
block_no   = "BLOCKS"
segment_no = "CELLS"

["base.curve_request"]
"*" = "BUNDLE"

["base.listed_pair"]
block_no   = "tidy_pair.topic_id"
trial_no   = "tidy_pair.story_id"
segment_no = "CELLS"

["base.decision"]
segment_no = "CELLS"
"*"        = "RUN"

["base.unlisted_document"]
"*" = "RUN"

["base.carried_threshold"]
from_condition_id = "BUNDLE"
"*"               = "JUDGED link_key.kind TRIAL_KEY RUN BUNDLE"

["base.link_pair"]
segment_no = "CELLS"
"*"        = "PAIRS"

["base.link_answer"]
block_no = "link_key.block_id"
trial_no = "PAIRS"
answer   = "link_key.kind"

["base.event"]
title       = "EVENTS"
kind        = "EVENTS"
start_time  = "EVENTS"
end_time    = "EVENTS"
n_pool_row  = "update.event"
n_match_row = "match.event"
"*"         = "EVENT_IDS"

["base.nugget"]
block_no      = "nugget.event"
nugget_no     = "nugget.nugget"
nugget_id     = "nugget.nugget"
row_no        = "nugget.line"
nugget_time   = "nugget.time"
importance    = "nugget.importance"
length_column = "nugget.length"
"*"           = "nugget.text"

["base.known_update"]
block_no      = "update.event match.event"
update_no     = "UPDATES"
update_id     = "UPDATES"
is_pooled     = "update.update_id"
length_column = "update.length"
duplicate_no  = "update.duplicate"
twin_no       = "DUPLICATES"
"*"           = "update.text"

["base.nugget_match"]
block_no   = "match.event"
match_no   = "match.line"
update_no  = "match.update_id"
nugget_no  = "match.nugget"
span_start = "match.begin_offset"
span_end   = "match.end_offset"
has_span   = "match.begin_offset match.end_offset"
"*"        = "WORDS"

["base.run_update"]
update_no = "UPDATES RUN"
"*"       = "RUN"

["base.run_event"]
"*" = "RUN"

["base.condition_tau"]
"*" = "BUNDLE"

["base.attribute"]
subset_no = "VALUES"
"*"       = "EVENTS VALUES"

["base.true_value"]
"*" = "VALUES"

["base.submitted_value"]
"*" = "RUN"

["base.value_distance"]
"*" = "RUN VALUES"

["base.vertex"]
"*" = "RUN"

["base.vertex_edge"]
"*" = "RUN"

["base.vertex_list"]
"*" = "RUN"

["base.vertex_story"]
story_no = "JUDGED RUN"
"*"      = "RUN"

["base.vertex_travel"]
"*" = "RUN BUNDLE"

["base.partition_item"]
story_no = "STORIES GOLD"
"*"      = "GOLD"

["base.partition_gold_cluster"]
"*" = "GOLD"

["base.partition_gold"]
"*" = "GOLD"

["base.partition_document"]
"*" = "GOLD"

["base.partition_window"]
"*" = "source_info.date GOLD BUNDLE"

["base.partition_extra_item"]
story_no = "STORIES RUN"
"*"      = "GOLD RUN"

["base.partition_extra_block"]
"*" = "GOLD RUN"

["base.partition_cluster"]
"*" = "RUN"

["base.partition_answer"]
"*" = "GOLD RUN"

["base.verification_segment"]
"*" = "TRIAL_KEY"

["base.verification_attribute"]
"*" = "TRIAL_KEY"

["base.verification_trial"]
"*" = "TRIAL_KEY"

["base.item"]
"*" = "ITEMS RUN"

["base.item_attribute"]
"*" = "ITEMS RUN"

["base.run_attribute"]
"*" = "RUN"

["base.item_prompt"]
"*" = "RUN"

["base.item_measure"]
"*" = "RUN BUNDLE"

["base.item_k"]
"*" = "BUNDLE"

["base.item_score"]
"*" = "RUN"

["base.item_of_measure"]
"*" = "ITEMS RUN"

["base.item_baseline"]
"*" = "RUN"

["base.item_pass"]
"*" = "RUN"

["base.travel_price"]
"*" = "BUNDLE"

["base.expected_travel"]
block_no = "BLOCKS"
"*"      = "JUDGED RUN BUNDLE"
'''
_KINDS = {
    "RUN": RUN,
    "EVENTS": EVENTS,
    "ORDER": ORDER,
    "BUNDLE": BUNDLE,
    "VALUES": VALUES,
    "BOUNDARY_HEAD": BOUNDARY_HEAD,
    "DUPLICATES": DUPLICATES,
    "GOLD": GOLD,
    "TRIAL_KEY": TRIAL_KEY,
    "ITEMS": ITEMS,
}
_ORIGINS: dict[str, dict[str, str]] = tomllib.loads(_TEXT)
_SHARED = _ORIGINS.pop("shared")


def origins(relation: str, column: str) -> list[Place]:
    """Return the origin of a column of a base table; empty for keys that the registry assigns."""
    if column in GIVEN or relation not in _ORIGINS:
        return []
    columns = _ORIGINS[relation]
    return sorted(dict.fromkeys(_places(columns.get(column, columns.get("*", "")))))


def _places(text: str) -> Iterator[Place]:
    for word in text.split():
        if word in _SHARED:
            yield from _places(_SHARED[word])
        elif word in _KINDS:
            yield _KINDS[word], ""
        else:
            table, column = word.split(".")
            yield f"staging.{table}", column
