/*
title:    Memberships of the stories that have several topics on a side
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (overlapping clustering)
inputs:   metric.bcubed_membership__v1, registry.profile
grain:    run_no, profile_no, story_no, block_no, is_response
columns:
    run_no       key    run
    profile_no   key    scoring profile
    story_no     key    story
    block_no     key    topic
    is_response  key    1: the system puts the story in the topic; 0: the reference does
    n_reference  count  reference topics of the story
    n_response   count  system topics of the story
edges:    Stories that a drop policy removes are not here.
          Runs that are known to have no such stories (run__v1) are not read.
class:    exact
see also: overlap_unit__v1
*/
with

-- in one place: a view that is read twice is planned and computed twice
membership as (
    select
        run_no, profile_no, story_no, block_no, is_response
    from metric.bcubed_membership__v1
),

story as (
    select
        run_no, profile_no, story_no,
        cast(sum(1 - is_response) as bigint) as n_reference,
        cast(sum(is_response) as bigint) as n_response
    from membership
    group by run_no, profile_no, story_no
),

kept as (
    select
        run_no, profile_no, story_no, n_reference, n_response
    from story
    join registry.profile using (profile_no)
    where (n_reference > 1 or n_response > 1)
        and case
            when n_response = 0 and b3_unassigned = 'drop' then 0
            when n_reference = 0 and b3_unjudged = 'drop' then 0
            else 1
        end = 1
)

select
    run_no, profile_no, story_no, block_no, is_response, n_reference, n_response
from membership
join kept using (run_no, profile_no, story_no)
