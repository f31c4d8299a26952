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
    reference_no    key    reference topic; 0 is none, or several
    response_no     key    system topic; 0 is none, or several
    n_story         count  stories
edges:    b3_unassigned = drop: stories that the system puts nowhere are not here.
          b3_unjudged = drop: stories without a reference topic are not here.
          Stories on neither side are never counted.
class:    exact
see also: side_topic__v1, overlap_membership__v1
*/
with

-- topics of the reference as negative numbers: the lowest and the highest tell the sides apart
story as (

    select
        membership.run_no as run_no,
        membership.profile_no as profile_no,
        membership.story_no as story_no,
        count(*) as n_topic,
        min(case when membership.is_response = 1 then membership.block_no else -membership.block_no end) as lowest_no,
        max(case when membership.is_response = 1 then membership.block_no else -membership.block_no end) as highest_no
    from metric.bcubed_membership__v1 as membership
    group by membership.run_no, membership.profile_no, membership.story_no

),

overlap as (

    select
        story.run_no as run_no,
        story.profile_no as profile_no,
        case when story.lowest_no < 0 then -story.lowest_no else 0 end as reference_no,
        case when story.highest_no > 0 then story.highest_no else 0 end as response_no,
        case
            when story.n_topic > 2 then 1
            when story.n_topic = 2 and (story.lowest_no > 0 or story.highest_no < 0) then 1
            else 0
        end as is_overlapping
    from story as story

),

-- few keys, because there is a row per story: -1 stands for the topics of an overlapping story
class as (

    select
        overlap.run_no as run_no,
        overlap.profile_no as profile_no,
        case when overlap.reference_no > 0 and overlap.is_overlapping = 1 then -1 else overlap.reference_no end as reference_key,
        case when overlap.response_no > 0 and overlap.is_overlapping = 1 then -1 else overlap.response_no end as response_key
    from overlap as overlap

),

cell as (

    select
        class.run_no as run_no,
        class.profile_no as profile_no,
        class.reference_key as reference_key,
        class.response_key as response_key,
        count(*) as n_story
    from class as class
    group by class.run_no, class.profile_no, class.reference_key, class.response_key
    union all
    select
        partition.run_no as run_no,
        partition.profile_no as profile_no,
        partition.reference_no as reference_key,
        partition.response_no as response_key,
        partition.n_story as n_story
    from metric.bcubed_partition_cell__v1 as partition

)

select
    cell.run_no as run_no,
    cell.profile_no as profile_no,
    case when cell.reference_key < 0 or cell.response_key < 0 then 1 else 0 end as is_overlapping,
    case when cell.reference_key <> 0 then 1 else 0 end as has_reference,
    case when cell.response_key <> 0 then 1 else 0 end as has_response,
    case when cell.reference_key > 0 then cell.reference_key else 0 end as reference_no,
    case when cell.response_key > 0 then cell.response_key else 0 end as response_no,
    cell.n_story as n_story
from cell as cell
inner join registry.profile as profile
    on profile.profile_no = cell.profile_no
where
    case
        when cell.response_key = 0 and profile.b3_unassigned = 'drop' then 0
        when cell.reference_key = 0 and profile.b3_unjudged = 'drop' then 0
        else 1
    end = 1
