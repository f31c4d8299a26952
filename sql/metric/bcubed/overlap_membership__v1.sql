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
        membership.run_no as run_no,
        membership.profile_no as profile_no,
        membership.story_no as story_no,
        membership.block_no as block_no,
        membership.is_response as is_response
    from metric.bcubed_membership__v1 as membership

),

story as (

    select
        membership.run_no as run_no,
        membership.profile_no as profile_no,
        membership.story_no as story_no,
        cast(sum(1 - membership.is_response) as bigint) as n_reference,
        cast(sum(membership.is_response) as bigint) as n_response
    from membership as membership
    group by membership.run_no, membership.profile_no, membership.story_no

),

kept as (

    select
        story.run_no as run_no,
        story.profile_no as profile_no,
        story.story_no as story_no,
        story.n_reference as n_reference,
        story.n_response as n_response
    from story as story
    inner join registry.profile as profile
        on profile.profile_no = story.profile_no
    where (story.n_reference > 1 or story.n_response > 1)
        and case
            when story.n_response = 0 and profile.b3_unassigned = 'drop' then 0
            when story.n_reference = 0 and profile.b3_unjudged = 'drop' then 0
            else 1
        end = 1

)

select
    membership.run_no as run_no,
    membership.profile_no as profile_no,
    membership.story_no as story_no,
    membership.block_no as block_no,
    membership.is_response as is_response,
    kept.n_reference as n_reference,
    kept.n_response as n_response
from membership as membership
inner join kept as kept
    on kept.run_no = membership.run_no
    and kept.profile_no = membership.profile_no
    and kept.story_no = membership.story_no
