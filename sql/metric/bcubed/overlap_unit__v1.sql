/*
title:    Stories with several topics, those with the same topics on both sides as one unit
formula:  two stories are one unit if their sets of reference topics are equal and their sets of system topics are equal;
          a set of up to 6 numbers is determined by its size, least, greatest and first four power sums (Newton's identities),
          so these are compared; where stories have more topics on a side, those alike in these numbers are one unit
          if every topic of one is a topic of all, and a unit each otherwise
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (the ratio of a story depends on its topics only)
inputs:   metric.bcubed_overlap_membership__v1
grain:    run_no, profile_no, unit_no, block_no, is_response
columns:
    run_no       key    run
    profile_no   key    scoring profile
    unit_no      key    unit: the least story of it
    block_no     key    topic of its stories
    is_response  key    1: system topic; 0: reference topic
    n_story      count  stories of the unit
    n_reference  count  reference topics of each
    n_response   count  system topics of each
class:    exact
see also: overlap_ratio__v1
*/
with

-- in one place: a view that is read twice is planned and computed twice
membership as (
    select
        run_no, profile_no, story_no, block_no, is_response, n_reference, n_response
    from metric.bcubed_overlap_membership__v1
),

power as (
    select
        run_no, profile_no, story_no, n_reference, n_response,
        case when is_response = 0 then cast(block_no as decimal(38, 0)) end as reference_no,
        case when is_response = 1 then cast(block_no as decimal(38, 0)) end as response_no
    from membership
),

power_sum as (
    select
        run_no, profile_no, story_no, n_reference, n_response,
        case when n_reference > 6 or n_response > 6 then 1 else 0 end as is_large,
        coalesce(min(reference_no), 0) as reference_min,
        coalesce(max(reference_no), 0) as reference_max,
        coalesce(sum(reference_no), 0) as reference_1,
        coalesce(sum(reference_no * reference_no), 0) as reference_2,
        coalesce(sum(reference_no * reference_no * reference_no), 0) as reference_3,
        coalesce(sum(reference_no * reference_no * reference_no * reference_no), 0) as reference_4,
        coalesce(min(response_no), 0) as response_min,
        coalesce(max(response_no), 0) as response_max,
        coalesce(sum(response_no), 0) as response_1,
        coalesce(sum(response_no * response_no), 0) as response_2,
        coalesce(sum(response_no * response_no * response_no), 0) as response_3,
        coalesce(sum(response_no * response_no * response_no * response_no), 0) as response_4
    from power
    group by run_no, profile_no, story_no, n_reference, n_response
),

-- sets of many topics: compared topic by topic with those that look the same
alike as (
    select
        run_no, profile_no, story_no,
        min(story_no) over (
            partition by
                run_no, profile_no, n_reference, n_response,
                reference_min, reference_max,
                reference_1, reference_2, reference_3, reference_4,
                response_min, response_max,
                response_1, response_2, response_3, response_4
            order by story_no
            rows between unbounded preceding and current row
        ) as alike_no
    from power_sum
    where is_large = 1
),

alike_size as (
    select
        run_no, profile_no, alike_no,
        count(*) as n_story
    from alike
    group by run_no, profile_no, alike_no
),

alike_topic as (
    select
        run_no, profile_no, alike_no, block_no, is_response,
        count(*) as n_story
    from alike
    join membership using (run_no, profile_no, story_no)
    group by run_no, profile_no, alike_no, block_no, is_response
),

different as (
    select
        run_no, profile_no, alike_no
    from alike_topic as topic
    join alike_size as size using (run_no, profile_no, alike_no)
    where topic.n_story < size.n_story
    group by run_no, profile_no, alike_no
),

apart as (
    select
        run_no, profile_no, story_no,
        1 as hit
    from alike
    join different using (run_no, profile_no, alike_no)
),

signature as (
    select
        run_no, profile_no, story_no,
        case when coalesce(hit, 0) = 1 then story_no else 0 end as own_no,
        n_reference, n_response, reference_min, reference_max, reference_1, reference_2, reference_3, reference_4,
        response_min, response_max, response_1, response_2, response_3, response_4
    from power_sum
    left join apart using (run_no, profile_no, story_no)
),

unit as (
    select
        run_no, profile_no,
        min(story_no) as unit_no,
        count(*) as n_story
    from signature
    group by
        run_no, profile_no, own_no, n_reference, n_response,
        reference_min, reference_max,
        reference_1, reference_2, reference_3, reference_4,
        response_min, response_max,
        response_1, response_2, response_3, response_4
)

select
    unit.run_no, unit.profile_no, unit_no, block_no, is_response, n_story, n_reference, n_response
from unit
join membership
    on membership.run_no = unit.run_no
    and membership.profile_no = unit.profile_no
    and story_no = unit_no
