/*
title:    How many stories share a topic with the stories of a unit
formula:  stories in one of the topics o of the unit: sum over the sets s of own topics within o of (-1)^(|s| + 1) n(s),
          n(s) = stories that have every topic of s (inclusion and exclusion), as far as unit and story have 6 own topics at most;
          the others are paired
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (the stories averaged over)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_side__v1, metric.bcubed_overlap_subset__v1, metric.bcubed_side_cell__v1
grain:    run_no, profile_no, is_response, unit_no
columns:
    run_no       key    run
    profile_no   key    scoring profile
    is_response  key    1: system topics; 0: reference topics
    unit_no      key    unit
    n_near       count  stories that share an own topic with those of the unit, these included
edges:    Only units whose ratio needs it (is_asked) have a row.
class:    exact
see also: overlap_ratio__v1
*/
with

-- in one place: a view that is read twice is planned and computed twice
subset as (
    select
        run_no, profile_no, is_response, unit_no, subset_no, n_topic, n_story
    from metric.bcubed_overlap_subset__v1
),

side as (
    select
        run_no, profile_no, is_response, unit_no, n_story, n_own, is_asked
    from metric.bcubed_overlap_side__v1
),

-- stories that have all topics of a set
holder as (
    select
        run_no, profile_no, is_response, subset_no,
        cast(sum(n_story) as bigint) as n_holder
    from subset
    group by run_no, profile_no, is_response, subset_no
),

own_topic as (
    select
        run_no, profile_no, is_response, unit_no, block_no, side.n_story, is_asked,
        case when n_own > 6 then 1 else 0 end as is_large
    from side
    join metric.bcubed_overlap_unit__v1 using (run_no, profile_no, unit_no, is_response)
),

asked_topic as (
    select
        run_no, profile_no, is_response, unit_no, block_no, is_large
    from own_topic
    where is_asked = 1
),

-- one row for each topic that two units share, where one of them has many topics
shared_topic as (
    select
        run_no, profile_no, is_response, asked.unit_no,
        near.unit_no as near_no,
        n_story
    from asked_topic as asked
    join own_topic as near using (run_no, profile_no, is_response, block_no)
    where near.is_large = 1
    union all
    select
        run_no, profile_no, is_response, asked.unit_no,
        near.unit_no as near_no,
        n_story
    from asked_topic as asked
    join own_topic as near using (run_no, profile_no, is_response, block_no)
    where asked.is_large = 1
        and near.is_large = 0
),

pair as (
    select
        run_no, profile_no, is_response, unit_no, near_no,
        max(n_story) as n_story
    from shared_topic
    group by run_no, profile_no, is_response, unit_no, near_no
),

-- stories with one topic on the own side
single as (
    select
        run_no, profile_no, is_response, own_no,
        cast(sum(n_story) as bigint) as n_story
    from metric.bcubed_side_cell__v1
    group by run_no, profile_no, is_response, own_no
),

part as (
    select
        run_no, profile_no, is_response, unit_no,
        case when n_topic in (1, 3, 5) then n_holder else - n_holder end as n_story
    from subset
    join side using (run_no, profile_no, is_response, unit_no)
    join holder using (run_no, profile_no, is_response, subset_no)
    where is_asked = 1
    union all
    select
        run_no, profile_no, is_response, unit_no, n_story
    from pair
    union all
    select
        asked.run_no, asked.profile_no, asked.is_response, unit_no, n_story
    from asked_topic as asked
    join single
        on single.run_no = asked.run_no
        and single.profile_no = asked.profile_no
        and single.is_response = asked.is_response
        and own_no = block_no
)

select
    run_no, profile_no, is_response, unit_no,
    cast(sum(n_story) as bigint) as n_near
from part
group by run_no, profile_no, is_response, unit_no
