/*
title:    The items of a partition run that are stories of its corpus, and what subsets they are in
formula:  an item is the story that has its id; a segment is what stories of the same language, source, sets and day are
source:   Our own: subsets depend on stories, as in the other tasks
inputs:   registry.run, base.partition_item, base.partition_extra_item, base.segment_story
grain:    run_no, item_no
columns:
    run_no        key    run
    item_no       key    item
    condition_no  count  condition of the run
    block_no      count  block of the item
    segment_no    count  segment of the story
edges:    An item that is not a story is missing here: it counts in subset 0 alone.
class:    exact
see also: partition_subset_cell__v1
*/
with item as (
    select run_no, item_no, condition_no, block_no, story_no
    from registry.run join base.partition_item using (condition_no)
    union all
    select run_no, item_no, condition_no, block_no, story_no
    from registry.run join base.partition_extra_item using (run_no)
)

select run_no, item_no, condition_no, block_no, segment_no
from item join base.segment_story using (condition_no, story_no)
where story_no > 0
