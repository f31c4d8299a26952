/*
title:    Overlap cells of runs in which no story has several topics
formula:  n_story(i, j) = |reference topic i n system topic j|
          unassigned stories of i: n(i, .) - sum_j n(i, j)
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 3 and 4
inputs:   metric.bcubed_reference__v1, metric.bcubed_response__v1
grain:    run_no, profile_no, reference_no, response_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    reference_no  key    reference topic; 0: unjudged stories
    response_no   key    system topic; 0: unassigned stories
    n_story       count  stories
edges:    A join finds the one topic on the other side; cell__v1 groups the stories
          of all other runs, to learn first which of them have several.
class:    exact
volume:   cells
see also: cell__v1
*/
with

reference as (

    select
        reference.run_no as run_no,
        reference.profile_no as profile_no,
        reference.story_no as story_no,
        reference.block_no as block_no
    from metric.bcubed_reference__v1 as reference
    where reference.is_partition = 1

),

assigned as (

    select
        response.run_no as run_no,
        response.profile_no as profile_no,
        coalesce(reference.block_no, 0) as reference_no,
        response.block_no as response_no,
        count(*) as n_story
    from metric.bcubed_response__v1 as response
    left join reference as reference
        on reference.run_no = response.run_no
        and reference.profile_no = response.profile_no
        and reference.story_no = response.story_no
    where response.is_partition = 1
    group by response.run_no, response.profile_no, coalesce(reference.block_no, 0), response.block_no

),

topic as (

    select
        reference.run_no as run_no,
        reference.profile_no as profile_no,
        reference.block_no as reference_no,
        count(*) as n_story
    from reference as reference
    group by reference.run_no, reference.profile_no, reference.block_no

),

found as (

    select
        assigned.run_no as run_no,
        assigned.profile_no as profile_no,
        assigned.reference_no as reference_no,
        cast(sum(assigned.n_story) as bigint) as n_story
    from assigned as assigned
    group by assigned.run_no, assigned.profile_no, assigned.reference_no

)

select
    assigned.run_no as run_no,
    assigned.profile_no as profile_no,
    assigned.reference_no as reference_no,
    assigned.response_no as response_no,
    assigned.n_story as n_story
from assigned as assigned
union all
select
    topic.run_no as run_no,
    topic.profile_no as profile_no,
    topic.reference_no as reference_no,
    0 as response_no,
    topic.n_story - coalesce(found.n_story, 0) as n_story
from topic as topic
left join found as found
    on found.run_no = topic.run_no
    and found.profile_no = topic.profile_no
    and found.reference_no = topic.reference_no
where topic.n_story > coalesce(found.n_story, 0)
