/*
title:    Extended B-CUBED precision and recall of the stories that have several topics on a side
formula:  for stories e, f: own(e, f), other(e, f) = topics they share on the own side and on the other side
              ratio(e) = mean over the f (e included) with own(e, f) > 0 of min(own(e, f), other(e, f)) / own(e, f)
          precision: own is the response; recall: own is the reference
          only the f that share topics on both sides add to the sum; how many share how many is counted
              by inclusion and exclusion: m(i, j) = sum over the sets s of i reference topics and t of j system topics
                  of e of the stories that have every topic of s and of t;
              sum of a value v(reference(e, f), response(e, f)) over f = sum_ij m(i, j) w(i, j),
              w(i, j) = sum over a <= i, b <= j of (-1)^(i - a + j - b) C(i, a) C(j, b) v(a, b);
              pairs in which a story has more than 4 topics on a side are formed one by one
          an own-only story has 0; where it is a topic of one story on the other side (singleton), it shares that
          topic with itself only: 1 / own(e, e) / number of f
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (multiplicity precision and recall)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_side__v1, metric.bcubed_overlap_subset__v1, metric.bcubed_overlap_near__v1, metric.bcubed_side_cell__v1
grain:    run_no, profile_no, is_response, unit_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    is_response  key           1: precision; 0: recall
    unit_no      key           stories with the same topics, named by the least
    n_story      count         stories of the unit
    n_near       count         stories f that share an own topic; 0 where the ratio needs no count
    ratio        ratio [0, 1]  the same for each story of the unit
edges:    A unit has a row for a side only if its stories have a topic there.
          Gains are added in units of 1e-15.
class:    exact
see also: extended_side_topic__v1
*/
with

-- in one place: a view that is read twice is planned and computed twice
unit_topic as (

    select
        unit_topic.run_no as run_no,
        unit_topic.profile_no as profile_no,
        unit_topic.unit_no as unit_no,
        unit_topic.block_no as block_no,
        unit_topic.is_response as is_response
    from metric.bcubed_overlap_unit__v1 as unit_topic

),

subset as (

    select
        subset.run_no as run_no,
        subset.profile_no as profile_no,
        subset.is_response as is_response,
        subset.unit_no as unit_no,
        subset.subset_no as subset_no,
        subset.n_topic as n_topic
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
        side.n_other as n_other,
        side.is_asked as is_asked
    from metric.bcubed_overlap_side__v1 as side

),

-- units with topics on both sides: the only ones that gain
both_side as (

    select
        side.run_no as run_no,
        side.profile_no as profile_no,
        side.unit_no as unit_no,
        side.n_story as n_story,
        case when side.n_own > 4 or side.n_other > 4 then 1 else 0 end as is_large
    from side as side
    where side.is_response = 1
        and side.n_other > 0

),

subset_pair as (

    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        unit.n_story as n_story,
        reference.subset_no as reference_no,
        response.subset_no as response_no,
        reference.n_topic as n_reference,
        response.n_topic as n_response
    from both_side as unit
    inner join subset as reference
        on reference.run_no = unit.run_no
        and reference.profile_no = unit.profile_no
        and reference.unit_no = unit.unit_no
    inner join subset as response
        on response.run_no = unit.run_no
        and response.profile_no = unit.profile_no
        and response.unit_no = unit.unit_no
    where unit.is_large = 0
        and reference.is_response = 0
        and response.is_response = 1

),

holder as (

    select
        pair.run_no as run_no,
        pair.profile_no as profile_no,
        pair.reference_no as reference_no,
        pair.response_no as response_no,
        cast(sum(pair.n_story) as bigint) as n_holder
    from subset_pair as pair
    group by pair.run_no, pair.profile_no, pair.reference_no, pair.response_no

),

holder_sum as (

    select
        pair.run_no as run_no,
        pair.profile_no as profile_no,
        pair.unit_no as unit_no,
        pair.n_reference as n_reference,
        pair.n_response as n_response,
        cast(sum(holder.n_holder) as bigint) as n_holder
    from subset_pair as pair
    inner join holder as holder
        on holder.run_no = pair.run_no
        and holder.profile_no = pair.profile_no
        and holder.reference_no = pair.reference_no
        and holder.response_no = pair.response_no
    group by pair.run_no, pair.profile_no, pair.unit_no, pair.n_reference, pair.n_response

),

-- (-1)^(i - a) C(i, a)
signed_binomial as (

    select 1 as i, 1 as a, 1 as factor
    union all
    select 2 as i, 1 as a, -2 as factor
    union all
    select 2 as i, 2 as a, 1 as factor
    union all
    select 3 as i, 1 as a, 3 as factor
    union all
    select 3 as i, 2 as a, -3 as factor
    union all
    select 3 as i, 3 as a, 1 as factor
    union all
    select 4 as i, 1 as a, -4 as factor
    union all
    select 4 as i, 2 as a, 6 as factor
    union all
    select 4 as i, 3 as a, -4 as factor
    union all
    select 4 as i, 4 as a, 1 as factor

),

-- w(i, j) from v(a, b) = min(a, b) / own, in units of 1e-15, for precision (own is b) and recall (own is a)
weight as (

    select
        reference.i as n_reference,
        response.i as n_response,
        sum(
            case
                when reference.a >= response.a then cast(1000000000000000 as decimal(38, 0))
                when response.a > 0 then cast(floor(cast(reference.a as double) / response.a * 1e15 + 5e-1) as decimal(38, 0))
            end * cast(reference.factor * response.factor as decimal(38, 0))
        ) as precision_weight,
        sum(
            case
                when response.a >= reference.a then cast(1000000000000000 as decimal(38, 0))
                when reference.a > 0 then cast(floor(cast(response.a as double) / reference.a * 1e15 + 5e-1) as decimal(38, 0))
            end * cast(reference.factor * response.factor as decimal(38, 0))
        ) as recall_weight
    from signed_binomial as reference
    cross join signed_binomial as response
    group by reference.i, response.i

),

-- a row for each reference topic and each system topic of a unit
crossing as (

    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        unit.n_story as n_story,
        unit.is_large as is_large,
        reference.block_no as reference_no,
        response.block_no as response_no
    from both_side as unit
    inner join unit_topic as reference
        on reference.run_no = unit.run_no
        and reference.profile_no = unit.profile_no
        and reference.unit_no = unit.unit_no
    inner join unit_topic as response
        on response.run_no = unit.run_no
        and response.profile_no = unit.profile_no
        and response.unit_no = unit.unit_no
    where reference.is_response = 0
        and response.is_response = 1

),

-- pairs of units of which one has many topics
shared_crossing as (

    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        near.unit_no as near_no,
        near.n_story as n_story,
        unit.reference_no as reference_no
    from crossing as unit
    inner join crossing as near
        on near.run_no = unit.run_no
        and near.profile_no = unit.profile_no
        and near.reference_no = unit.reference_no
        and near.response_no = unit.response_no
    where near.is_large = 1
    union all
    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        near.unit_no as near_no,
        near.n_story as n_story,
        unit.reference_no as reference_no
    from crossing as unit
    inner join crossing as near
        on near.run_no = unit.run_no
        and near.profile_no = unit.profile_no
        and near.reference_no = unit.reference_no
        and near.response_no = unit.response_no
    where unit.is_large = 1
        and near.is_large = 0

),

shared_reference as (

    select
        shared.run_no as run_no,
        shared.profile_no as profile_no,
        shared.unit_no as unit_no,
        shared.near_no as near_no,
        max(shared.n_story) as n_story,
        count(*) as n_response
    from shared_crossing as shared
    group by shared.run_no, shared.profile_no, shared.unit_no, shared.near_no, shared.reference_no

),

large_pair as (

    select
        shared.run_no as run_no,
        shared.profile_no as profile_no,
        shared.unit_no as unit_no,
        shared.near_no as near_no,
        max(shared.n_story) as n_story,
        count(*) as n_reference,
        max(shared.n_response) as n_response
    from shared_reference as shared
    group by shared.run_no, shared.profile_no, shared.unit_no, shared.near_no

),

gain as (

    select
        held.run_no as run_no,
        held.profile_no as profile_no,
        held.unit_no as unit_no,
        cast(held.n_holder as decimal(38, 0)) * weight.precision_weight as precision_gain,
        cast(held.n_holder as decimal(38, 0)) * weight.recall_weight as recall_gain
    from holder_sum as held
    inner join weight as weight
        on weight.n_reference = held.n_reference
        and weight.n_response = held.n_response
    union all
    select
        pair.run_no as run_no,
        pair.profile_no as profile_no,
        pair.unit_no as unit_no,
        case
            when pair.n_reference >= pair.n_response then cast(1000000000000000 as decimal(38, 0))
            when pair.n_response > 0 then cast(floor(cast(pair.n_reference as double) / pair.n_response * 1e15 + 5e-1) as decimal(38, 0))
        end * cast(pair.n_story as decimal(38, 0)) as precision_gain,
        case
            when pair.n_response >= pair.n_reference then cast(1000000000000000 as decimal(38, 0))
            when pair.n_reference > 0 then cast(floor(cast(pair.n_response as double) / pair.n_reference * 1e15 + 5e-1) as decimal(38, 0))
        end * cast(pair.n_story as decimal(38, 0)) as recall_gain
    from large_pair as pair
    union all
    -- stories with one topic on each side share one on each at most
    select
        crossing.run_no as run_no,
        crossing.profile_no as profile_no,
        crossing.unit_no as unit_no,
        cast(1000000000000000 as decimal(38, 0)) * cast(cell.n_story as decimal(38, 0)) as precision_gain,
        cast(1000000000000000 as decimal(38, 0)) * cast(cell.n_story as decimal(38, 0)) as recall_gain
    from crossing as crossing
    inner join metric.bcubed_side_cell__v1 as cell
        on cell.run_no = crossing.run_no
        and cell.profile_no = crossing.profile_no
        and cell.own_no = crossing.response_no
        and cell.other_no = crossing.reference_no
    where cell.is_response = 1

),

total as (

    select
        gain.run_no as run_no,
        gain.profile_no as profile_no,
        gain.unit_no as unit_no,
        sum(gain.precision_gain) as precision_gain,
        sum(gain.recall_gain) as recall_gain
    from gain as gain
    group by gain.run_no, gain.profile_no, gain.unit_no

)

select
    side.run_no as run_no,
    side.profile_no as profile_no,
    side.is_response as is_response,
    side.unit_no as unit_no,
    side.n_story as n_story,
    coalesce(near.n_near, 0) as n_near,
    case
        when side.is_asked = 0 then cast(0 as double)
        when side.n_other = 0 then cast(1 as double) / (side.n_own * near.n_near)
        when near.n_near > 0
            then cast(case when side.is_response = 1 then total.precision_gain else total.recall_gain end as double) / (1e15 * near.n_near)
    end as ratio
from side as side
left join metric.bcubed_overlap_near__v1 as near
    on near.run_no = side.run_no
    and near.profile_no = side.profile_no
    and near.is_response = side.is_response
    and near.unit_no = side.unit_no
left join total as total
    on total.run_no = side.run_no
    and total.profile_no = side.profile_no
    and total.unit_no = side.unit_no
