/*
title:    Overlap cells: how many stories each reference topic shares with each system topic
formula:  n_story(i, j) = |reference topic i n system topic j|, over the stories with at most one topic on a side;
          stories with several topics on a side are counted apart (is_overlapping = 1, topics 0)
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 3 and 4 (all four numbers follow from these counts)
inputs:   metric.bcubed_membership__v1, metric.bcubed_partition_cell__v1, registry.profile
grain:    run_no, profile_no, is_overlapping, has_reference, has_response, reference_no, response_no
columns:
    run_no          key    run
    profile_no      key    scoring profile
    is_overlapping  key    1: stories with several topics on a side
    has_reference   key    1: stories of a reference topic; 0: unjudged stories
    has_response    key    1: stories of a system topic; 0: unassigned stories
    reference_no    key    reference topic; 0: no topic, or several
    response_no     key    system topic; 0: no topic, or several
    n_story         count  stories
edges:    b3_unassigned = drop: stories that the system puts nowhere are not here.
          b3_unjudged = drop: stories without a reference topic are not here.
          Stories on neither side are never counted.
class:    exact
see also: side_topic__v1, overlap_unit__v1
*/
-- topics of the reference as negative numbers: the lowest and the highest tell the sides apart
with story as (
    select
        run_no, profile_no, story_no, count(*) as n_topic,
        min(case when is_response = 1 then block_no else -block_no end) as lowest_no,
        max(case when is_response = 1 then block_no else -block_no end) as highest_no
    from metric.bcubed_membership__v1 group by all
),

-- few keys, because there is a row per story: -1 represents the topics of an overlapping story
class as (
    select
        run_no, profile_no, n_topic > 2 or (n_topic = 2 and (lowest_no > 0 or highest_no < 0)) as is_overlapping,
        case when lowest_no >= 0 then 0 when is_overlapping then -1 else -lowest_no end as reference_key,
        case when highest_no <= 0 then 0 when is_overlapping then -1 else highest_no end as response_key
    from story
),

cell as (
    select run_no, profile_no, reference_key, response_key, count(*) as n_story from class group by all
    union all
    select run_no, profile_no, reference_no as reference_key, response_no as response_key, n_story
    from metric.bcubed_partition_cell__v1
)

select
    run_no, profile_no, case when reference_key < 0 or response_key < 0 then 1 else 0 end as is_overlapping,
    case when reference_key <> 0 then 1 else 0 end as has_reference,
    case when response_key <> 0 then 1 else 0 end as has_response,
    case when reference_key > 0 then reference_key else 0 end as reference_no,
    case when response_key > 0 then response_key else 0 end as response_no, n_story
from cell join registry.profile using (profile_no)
where (response_key <> 0 or coalesce(b3_unassigned, '') <> 'drop')
    and (reference_key <> 0 or coalesce(b3_unjudged, '') <> 'drop')
