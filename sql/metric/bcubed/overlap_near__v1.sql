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
        subset.run_no as run_no,
        subset.profile_no as profile_no,
        subset.is_response as is_response,
        subset.unit_no as unit_no,
        subset.subset_no as subset_no,
        subset.n_topic as n_topic,
        subset.n_story as n_story
    from metric.bcubed_overlap_subset__v1 as subset

),

side as (

    select
        side.run_no as run_no,
        side.profile_no as profile_no,
        side.is_response as is_response,
        side.unit_no as unit_no,
        side.n_story as n_story,
        side.n_own as n_own,
        side.is_asked as is_asked
    from metric.bcubed_overlap_side__v1 as side

),

-- stories that have all topics of a set
holder as (

    select
        subset.run_no as run_no,
        subset.profile_no as profile_no,
        subset.is_response as is_response,
        subset.subset_no as subset_no,
        cast(sum(subset.n_story) as bigint) as n_holder
    from subset as subset
    group by subset.run_no, subset.profile_no, subset.is_response, subset.subset_no

),

own_topic as (

    select
        side.run_no as run_no,
        side.profile_no as profile_no,
        side.is_response as is_response,
        side.unit_no as unit_no,
        unit.block_no as block_no,
        side.n_story as n_story,
        side.is_asked as is_asked,
        case when side.n_own > 6 then 1 else 0 end as is_large
    from side as side
    inner join metric.bcubed_overlap_unit__v1 as unit
        on unit.run_no = side.run_no
        and unit.profile_no = side.profile_no
        and unit.unit_no = side.unit_no
        and unit.is_response = side.is_response

),

asked_topic as (

    select
        own.run_no as run_no,
        own.profile_no as profile_no,
        own.is_response as is_response,
        own.unit_no as unit_no,
        own.block_no as block_no,
        own.is_large as is_large
    from own_topic as own
    where own.is_asked = 1

),

-- one row for each topic that two units share, where one of them has many topics
shared_topic as (

    select
        asked.run_no as run_no,
        asked.profile_no as profile_no,
        asked.is_response as is_response,
        asked.unit_no as unit_no,
        near.unit_no as near_no,
        near.n_story as n_story
    from asked_topic as asked
    inner join own_topic as near
        on near.run_no = asked.run_no
        and near.profile_no = asked.profile_no
        and near.is_response = asked.is_response
        and near.block_no = asked.block_no
    where near.is_large = 1
    union all
    select
        asked.run_no as run_no,
        asked.profile_no as profile_no,
        asked.is_response as is_response,
        asked.unit_no as unit_no,
        near.unit_no as near_no,
        near.n_story as n_story
    from asked_topic as asked
    inner join own_topic as near
        on near.run_no = asked.run_no
        and near.profile_no = asked.profile_no
        and near.is_response = asked.is_response
        and near.block_no = asked.block_no
    where asked.is_large = 1
        and near.is_large = 0

),

pair as (

    select
        shared.run_no as run_no,
        shared.profile_no as profile_no,
        shared.is_response as is_response,
        shared.unit_no as unit_no,
        shared.near_no as near_no,
        max(shared.n_story) as n_story
    from shared_topic as shared
    group by shared.run_no, shared.profile_no, shared.is_response, shared.unit_no, shared.near_no

),

-- stories with one topic on the own side
single as (

    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        cell.is_response as is_response,
        cell.own_no as own_no,
        cast(sum(cell.n_story) as bigint) as n_story
    from metric.bcubed_side_cell__v1 as cell
    group by cell.run_no, cell.profile_no, cell.is_response, cell.own_no

),

part as (

    select
        subset.run_no as run_no,
        subset.profile_no as profile_no,
        subset.is_response as is_response,
        subset.unit_no as unit_no,
        case when subset.n_topic in (1, 3, 5) then holder.n_holder else - holder.n_holder end as n_story
    from subset as subset
    inner join side as side
        on side.run_no = subset.run_no
        and side.profile_no = subset.profile_no
        and side.is_response = subset.is_response
        and side.unit_no = subset.unit_no
    inner join holder as holder
        on holder.run_no = subset.run_no
        and holder.profile_no = subset.profile_no
        and holder.is_response = subset.is_response
        and holder.subset_no = subset.subset_no
    where side.is_asked = 1
    union all
    select
        pair.run_no as run_no,
        pair.profile_no as profile_no,
        pair.is_response as is_response,
        pair.unit_no as unit_no,
        pair.n_story as n_story
    from pair as pair
    union all
    select
        asked.run_no as run_no,
        asked.profile_no as profile_no,
        asked.is_response as is_response,
        asked.unit_no as unit_no,
        single.n_story as n_story
    from asked_topic as asked
    inner join single as single
        on single.run_no = asked.run_no
        and single.profile_no = asked.profile_no
        and single.is_response = asked.is_response
        and single.own_no = asked.block_no

)

select
    part.run_no as run_no,
    part.profile_no as profile_no,
    part.is_response as is_response,
    part.unit_no as unit_no,
    cast(sum(part.n_story) as bigint) as n_near
from part as part
group by part.run_no, part.profile_no, part.is_response, part.unit_no
