/*
title:    Stories with several topics, those with the same topics on both sides as one unit
formula:  two stories are one unit if their sets of reference topics are equal and their sets of system topics are equal;
          a set of up to 6 numbers is determined by its size, least, greatest and first four power sums (Newton's identities),
          so these are compared; a story with more topics on a side is a unit of its own
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

power as (

    select
        membership.run_no as run_no,
        membership.profile_no as profile_no,
        membership.story_no as story_no,
        membership.n_reference as n_reference,
        membership.n_response as n_response,
        case when membership.is_response = 0 then cast(membership.block_no as decimal(38, 0)) end as reference_no,
        case when membership.is_response = 1 then cast(membership.block_no as decimal(38, 0)) end as response_no
    from metric.bcubed_overlap_membership__v1 as membership

),

signature as (

    select
        power.run_no as run_no,
        power.profile_no as profile_no,
        power.story_no as story_no,
        power.n_reference as n_reference,
        power.n_response as n_response,
        case when power.n_reference > 6 or power.n_response > 6 then power.story_no else 0 end as own_no,
        coalesce(min(power.reference_no), 0) as reference_min,
        coalesce(max(power.reference_no), 0) as reference_max,
        coalesce(sum(power.reference_no), 0) as reference_1,
        coalesce(sum(power.reference_no * power.reference_no), 0) as reference_2,
        coalesce(sum(power.reference_no * power.reference_no * power.reference_no), 0) as reference_3,
        coalesce(sum(power.reference_no * power.reference_no * power.reference_no * power.reference_no), 0) as reference_4,
        coalesce(min(power.response_no), 0) as response_min,
        coalesce(max(power.response_no), 0) as response_max,
        coalesce(sum(power.response_no), 0) as response_1,
        coalesce(sum(power.response_no * power.response_no), 0) as response_2,
        coalesce(sum(power.response_no * power.response_no * power.response_no), 0) as response_3,
        coalesce(sum(power.response_no * power.response_no * power.response_no * power.response_no), 0) as response_4
    from power as power
    group by power.run_no, power.profile_no, power.story_no, power.n_reference, power.n_response

),

unit as (

    select
        signature.run_no as run_no,
        signature.profile_no as profile_no,
        min(signature.story_no) as unit_no,
        count(*) as n_story
    from signature as signature
    group by
        signature.run_no, signature.profile_no, signature.own_no, signature.n_reference, signature.n_response,
        signature.reference_min, signature.reference_max,
        signature.reference_1, signature.reference_2, signature.reference_3, signature.reference_4,
        signature.response_min, signature.response_max,
        signature.response_1, signature.response_2, signature.response_3, signature.response_4

)

select
    unit.run_no as run_no,
    unit.profile_no as profile_no,
    unit.unit_no as unit_no,
    membership.block_no as block_no,
    membership.is_response as is_response,
    unit.n_story as n_story,
    membership.n_reference as n_reference,
    membership.n_response as n_response
from unit as unit
inner join metric.bcubed_overlap_membership__v1 as membership
    on membership.run_no = unit.run_no
    and membership.profile_no = unit.profile_no
    and membership.story_no = unit.unit_no
