/*
title:    Extended B-CUBED precision and recall of the stories that have several topics on a side
formula:  for stories e, f: own(e, f), other(e, f) = topics they share on the own side and on the other side
              ratio(e) = mean over the f (e included) with own(e, f) > 0 of min(own(e, f), other(e, f)) / own(e, f)
          precision: own is the response; recall: own is the reference
          an own-only story has 0; where it is a topic of one story on the other side (singleton), it shares that
          topic with itself only: 1 / own(e, e) / number of f
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (multiplicity precision and recall)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_side_cell__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, is_response, unit_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    is_response  key           1: precision; 0: recall
    unit_no      key           stories with the same topics, named by the least
    n_story      count         stories of the unit
    n_near       count         stories f that share an own topic; 0 where the ratio needs no count
    ratio        ratio [0, 1]  the same for each story of the unit; NULL where the run has too many pairs
edges:    A unit has a row for a side only if its stories have a topic there.
          Pairs of units are joined only here, and only where the ratio can differ from 0.
          A run with more than 10^8 of them (most stories on many topics each)
          has no extended B-CUBED: it is NULL.
class:    exact
see also: extended_side_topic__v1
*/
with

-- each unit from both sides
sided as (

    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        max(unit.n_story) as n_story,
        1 as is_response,
        max(unit.n_response) as n_own,
        max(unit.n_reference) as n_other
    from metric.bcubed_overlap_unit__v1 as unit
    group by unit.run_no, unit.profile_no, unit.unit_no
    union all
    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        max(unit.n_story) as n_story,
        0 as is_response,
        max(unit.n_reference) as n_own,
        max(unit.n_response) as n_other
    from metric.bcubed_overlap_unit__v1 as unit
    group by unit.run_no, unit.profile_no, unit.unit_no

),

-- is_asked: the ratio needs the neighbours; otherwise it is 0
side as (

    select
        sided.run_no as run_no,
        sided.profile_no as profile_no,
        sided.unit_no as unit_no,
        sided.n_story as n_story,
        sided.is_response as is_response,
        sided.n_own as n_own,
        sided.n_other as n_other,
        case when sided.n_other > 0 or outside.own_singleton = 1 then 1 else 0 end as is_asked
    from sided as sided
    inner join metric.bcubed_outside__v1 as outside
        on outside.run_no = sided.run_no
        and outside.profile_no = sided.profile_no
        and outside.is_response = sided.is_response
    where sided.n_own > 0

),

own_topic as (

    select
        side.run_no as run_no,
        side.profile_no as profile_no,
        side.is_response as is_response,
        side.unit_no as unit_no,
        unit.block_no as block_no,
        side.n_story as n_story,
        side.is_asked as is_asked
    from side as side
    inner join metric.bcubed_overlap_unit__v1 as unit
        on unit.run_no = side.run_no
        and unit.profile_no = side.profile_no
        and unit.unit_no = side.unit_no
        and unit.is_response = side.is_response

),

topic_pair as (

    select
        own.run_no as run_no,
        own.profile_no as profile_no,
        count(*) * sum(own.is_asked) as n_pair
    from own_topic as own
    group by own.run_no, own.profile_no, own.is_response, own.block_no

),

feasible as (

    select
        topic_pair.run_no as run_no,
        topic_pair.profile_no as profile_no,
        1 as hit
    from topic_pair as topic_pair
    group by topic_pair.run_no, topic_pair.profile_no
    having sum(topic_pair.n_pair) <= 100000000

),

asked_topic as (

    select
        own.run_no as run_no,
        own.profile_no as profile_no,
        own.is_response as is_response,
        own.unit_no as unit_no,
        own.block_no as block_no
    from own_topic as own
    inner join feasible as feasible
        on feasible.run_no = own.run_no
        and feasible.profile_no = own.profile_no
    where own.is_asked = 1

),

own_pair as (

    select
        asked.run_no as run_no,
        asked.profile_no as profile_no,
        asked.is_response as is_response,
        asked.unit_no as unit_no,
        near.unit_no as near_no,
        max(near.n_story) as n_story,
        count(*) as n_own
    from asked_topic as asked
    inner join own_topic as near
        on near.run_no = asked.run_no
        and near.profile_no = asked.profile_no
        and near.is_response = asked.is_response
        and near.block_no = asked.block_no
    group by asked.run_no, asked.profile_no, asked.is_response, asked.unit_no, near.unit_no

),

-- the topics a pair shares on the other side are those it shares as own ones there
other_pair as (

    select
        pair.run_no as run_no,
        pair.profile_no as profile_no,
        1 - pair.is_response as is_response,
        pair.unit_no as unit_no,
        pair.near_no as near_no,
        pair.n_own as n_other
    from own_pair as pair

),

near_unit as (

    select
        pair.run_no as run_no,
        pair.profile_no as profile_no,
        pair.is_response as is_response,
        pair.unit_no as unit_no,
        pair.n_story as n_near,
        case
            when coalesce(other.n_other, 0) >= pair.n_own then cast(1000000000000000 as decimal(38, 0))
            when pair.n_own > 0 then cast(floor(cast(coalesce(other.n_other, 0) as double) / pair.n_own * 1e15 + 5e-1) as decimal(38, 0))
        end * cast(pair.n_story as decimal(38, 0)) as gain
    from own_pair as pair
    left join other_pair as other
        on other.run_no = pair.run_no
        and other.profile_no = pair.profile_no
        and other.is_response = pair.is_response
        and other.unit_no = pair.unit_no
        and other.near_no = pair.near_no

),

-- stories with one topic on the own side at most share one topic at most
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

near as (

    select
        near_unit.run_no as run_no,
        near_unit.profile_no as profile_no,
        near_unit.is_response as is_response,
        near_unit.unit_no as unit_no,
        near_unit.n_near as n_near,
        near_unit.gain as gain
    from near_unit as near_unit
    union all
    select
        asked.run_no as run_no,
        asked.profile_no as profile_no,
        asked.is_response as is_response,
        asked.unit_no as unit_no,
        single.n_story as n_near,
        cast(0 as decimal(38, 0)) as gain
    from asked_topic as asked
    inner join single as single
        on single.run_no = asked.run_no
        and single.profile_no = asked.profile_no
        and single.is_response = asked.is_response
        and single.own_no = asked.block_no
    union all
    select
        asked.run_no as run_no,
        asked.profile_no as profile_no,
        asked.is_response as is_response,
        asked.unit_no as unit_no,
        cast(0 as bigint) as n_near,
        cast(1000000000000000 as decimal(38, 0)) * cast(cell.n_story as decimal(38, 0)) as gain
    from asked_topic as asked
    inner join metric.bcubed_overlap_unit__v1 as other
        on other.run_no = asked.run_no
        and other.profile_no = asked.profile_no
        and other.unit_no = asked.unit_no
        and other.is_response = 1 - asked.is_response
    inner join metric.bcubed_side_cell__v1 as cell
        on cell.run_no = asked.run_no
        and cell.profile_no = asked.profile_no
        and cell.is_response = asked.is_response
        and cell.own_no = asked.block_no
        and cell.other_no = other.block_no

),

total as (

    select
        near.run_no as run_no,
        near.profile_no as profile_no,
        near.is_response as is_response,
        near.unit_no as unit_no,
        cast(sum(near.n_near) as bigint) as n_near,
        sum(near.gain) as gain
    from near as near
    group by near.run_no, near.profile_no, near.is_response, near.unit_no

)

select
    side.run_no as run_no,
    side.profile_no as profile_no,
    side.is_response as is_response,
    side.unit_no as unit_no,
    side.n_story as n_story,
    coalesce(total.n_near, 0) as n_near,
    case
        when coalesce(feasible.hit, 0) = 0 then null
        when side.is_asked = 0 then cast(0 as double)
        when side.n_other = 0 then cast(1 as double) / (side.n_own * total.n_near)
        when total.n_near > 0 then cast(total.gain as double) / (1e15 * total.n_near)
    end as ratio
from side as side
left join feasible as feasible
    on feasible.run_no = side.run_no
    and feasible.profile_no = side.profile_no
left join total as total
    on total.run_no = side.run_no
    and total.profile_no = side.profile_no
    and total.is_response = side.is_response
    and total.unit_no = side.unit_no
