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
        membership.run_no as run_no,
        membership.profile_no as profile_no,
        membership.story_no as story_no,
        membership.block_no as block_no,
        membership.is_response as is_response,
        membership.n_reference as n_reference,
        membership.n_response as n_response
    from metric.bcubed_overlap_membership__v1 as membership

),

power as (

    select
        membership.run_no as run_no,
        membership.profile_no as profile_no,
        membership.story_no as story_no,
        membership.n_reference as n_reference,
        membership.n_response as n_response,
        case when membership.is_response = 0 then cast(membership.block_no as decimal(38, 0)) end as reference_no,
        case when membership.is_response = 1 then cast(membership.block_no as decimal(38, 0)) end as response_no
    from membership as membership

),

power_sum as (

    select
        power.run_no as run_no,
        power.profile_no as profile_no,
        power.story_no as story_no,
        power.n_reference as n_reference,
        power.n_response as n_response,
        case when power.n_reference > 6 or power.n_response > 6 then 1 else 0 end as is_large,
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

-- sets of many topics: compared topic by topic with those that look the same
alike as (

    select
        power_sum.run_no as run_no,
        power_sum.profile_no as profile_no,
        power_sum.story_no as story_no,
        min(power_sum.story_no) over (
            partition by
                power_sum.run_no, power_sum.profile_no, power_sum.n_reference, power_sum.n_response,
                power_sum.reference_min, power_sum.reference_max,
                power_sum.reference_1, power_sum.reference_2, power_sum.reference_3, power_sum.reference_4,
                power_sum.response_min, power_sum.response_max,
                power_sum.response_1, power_sum.response_2, power_sum.response_3, power_sum.response_4
            order by power_sum.story_no
            rows between unbounded preceding and current row
        ) as alike_no
    from power_sum as power_sum
    where power_sum.is_large = 1

),

alike_size as (

    select
        alike.run_no as run_no,
        alike.profile_no as profile_no,
        alike.alike_no as alike_no,
        count(*) as n_story
    from alike as alike
    group by alike.run_no, alike.profile_no, alike.alike_no

),

alike_topic as (

    select
        alike.run_no as run_no,
        alike.profile_no as profile_no,
        alike.alike_no as alike_no,
        membership.block_no as block_no,
        membership.is_response as is_response,
        count(*) as n_story
    from alike as alike
    inner join membership as membership
        on membership.run_no = alike.run_no
        and membership.profile_no = alike.profile_no
        and membership.story_no = alike.story_no
    group by alike.run_no, alike.profile_no, alike.alike_no, membership.block_no, membership.is_response

),

different as (

    select
        topic.run_no as run_no,
        topic.profile_no as profile_no,
        topic.alike_no as alike_no
    from alike_topic as topic
    inner join alike_size as size
        on size.run_no = topic.run_no
        and size.profile_no = topic.profile_no
        and size.alike_no = topic.alike_no
    where topic.n_story < size.n_story
    group by topic.run_no, topic.profile_no, topic.alike_no

),

apart as (

    select
        alike.run_no as run_no,
        alike.profile_no as profile_no,
        alike.story_no as story_no,
        1 as hit
    from alike as alike
    inner join different as different
        on different.run_no = alike.run_no
        and different.profile_no = alike.profile_no
        and different.alike_no = alike.alike_no

),

signature as (

    select
        power_sum.run_no as run_no,
        power_sum.profile_no as profile_no,
        power_sum.story_no as story_no,
        case when coalesce(apart.hit, 0) = 1 then power_sum.story_no else 0 end as own_no,
        power_sum.n_reference as n_reference,
        power_sum.n_response as n_response,
        power_sum.reference_min as reference_min,
        power_sum.reference_max as reference_max,
        power_sum.reference_1 as reference_1,
        power_sum.reference_2 as reference_2,
        power_sum.reference_3 as reference_3,
        power_sum.reference_4 as reference_4,
        power_sum.response_min as response_min,
        power_sum.response_max as response_max,
        power_sum.response_1 as response_1,
        power_sum.response_2 as response_2,
        power_sum.response_3 as response_3,
        power_sum.response_4 as response_4
    from power_sum as power_sum
    left join apart as apart
        on apart.run_no = power_sum.run_no
        and apart.profile_no = power_sum.profile_no
        and apart.story_no = power_sum.story_no

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
inner join membership as membership
    on membership.run_no = unit.run_no
    and membership.profile_no = unit.profile_no
    and membership.story_no = unit.unit_no
