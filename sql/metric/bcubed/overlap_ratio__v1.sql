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
        run_no, profile_no, unit_no, block_no, is_response
    from metric.bcubed_overlap_unit__v1
),

subset as (
    select
        run_no, profile_no, is_response, unit_no, subset_no, n_topic
    from metric.bcubed_overlap_subset__v1
),

side as (
    select
        run_no, profile_no, is_response, unit_no, n_story, n_own, n_other, is_asked
    from metric.bcubed_overlap_side__v1
),

-- units with topics on both sides: the only ones that gain
both_side as (
    select
        run_no, profile_no, unit_no, n_story,
        case when n_own > 4 or n_other > 4 then 1 else 0 end as is_large
    from side
    where is_response = 1
        and n_other > 0
),

subset_pair as (
    select
        run_no, profile_no, unit_no, n_story,
        reference.subset_no as reference_no,
        response.subset_no as response_no,
        reference.n_topic as n_reference,
        response.n_topic as n_response
    from both_side
    join subset as reference using (run_no, profile_no, unit_no)
    join subset as response using (run_no, profile_no, unit_no)
    where is_large = 0
        and reference.is_response = 0
        and response.is_response = 1
),

holder as (
    select
        run_no, profile_no, reference_no, response_no,
        cast(sum(n_story) as bigint) as n_holder
    from subset_pair
    group by run_no, profile_no, reference_no, response_no
),

holder_sum as (
    select
        run_no, profile_no, unit_no, n_reference, n_response,
        cast(sum(n_holder) as bigint) as n_holder
    from subset_pair
    join holder using (run_no, profile_no, reference_no, response_no)
    group by run_no, profile_no, unit_no, n_reference, n_response
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
        run_no, profile_no, unit_no, n_story, is_large,
        reference.block_no as reference_no,
        response.block_no as response_no
    from both_side
    join unit_topic as reference using (run_no, profile_no, unit_no)
    join unit_topic as response using (run_no, profile_no, unit_no)
    where reference.is_response = 0
        and response.is_response = 1
),

-- pairs of units of which one has many topics
shared_crossing as (
    select
        run_no, profile_no, unit.unit_no,
        near.unit_no as near_no,
        near.n_story, reference_no
    from crossing as unit
    join crossing as near using (run_no, profile_no, reference_no, response_no)
    where near.is_large = 1
    union all
    select
        run_no, profile_no, unit.unit_no,
        near.unit_no as near_no,
        near.n_story, reference_no
    from crossing as unit
    join crossing as near using (run_no, profile_no, reference_no, response_no)
    where unit.is_large = 1
        and near.is_large = 0
),

shared_reference as (
    select
        run_no, profile_no, unit_no, near_no,
        max(n_story) as n_story,
        count(*) as n_response
    from shared_crossing
    group by run_no, profile_no, unit_no, near_no, reference_no
),

large_pair as (
    select
        run_no, profile_no, unit_no, near_no,
        max(n_story) as n_story,
        count(*) as n_reference,
        max(n_response) as n_response
    from shared_reference
    group by run_no, profile_no, unit_no, near_no
),

gain as (
    select
        run_no, profile_no, unit_no,
        cast(n_holder as decimal(38, 0)) * precision_weight as precision_gain,
        cast(n_holder as decimal(38, 0)) * recall_weight as recall_gain
    from holder_sum
    join weight using (n_reference, n_response)
    union all
    select
        run_no, profile_no, unit_no,
        case
            when n_reference >= n_response then cast(1000000000000000 as decimal(38, 0))
            when n_response > 0 then cast(floor(cast(n_reference as double) / n_response * 1e15 + 5e-1) as decimal(38, 0))
        end * cast(n_story as decimal(38, 0)) as precision_gain,
        case
            when n_response >= n_reference then cast(1000000000000000 as decimal(38, 0))
            when n_reference > 0 then cast(floor(cast(n_response as double) / n_reference * 1e15 + 5e-1) as decimal(38, 0))
        end * cast(n_story as decimal(38, 0)) as recall_gain
    from large_pair
    union all
    -- stories with one topic on each side share one on each at most
    select
        crossing.run_no, crossing.profile_no, unit_no,
        cast(1000000000000000 as decimal(38, 0)) * cast(cell.n_story as decimal(38, 0)) as precision_gain,
        cast(1000000000000000 as decimal(38, 0)) * cast(cell.n_story as decimal(38, 0)) as recall_gain
    from crossing
    join metric.bcubed_side_cell__v1 as cell
        on cell.run_no = crossing.run_no
        and cell.profile_no = crossing.profile_no
        and own_no = response_no
        and other_no = reference_no
    where is_response = 1
),

total as (
    select
        run_no, profile_no, unit_no,
        sum(precision_gain) as precision_gain,
        sum(recall_gain) as recall_gain
    from gain
    group by run_no, profile_no, unit_no
)

select
    run_no, profile_no, is_response, unit_no, n_story,
    coalesce(n_near, 0) as n_near,
    case
        when is_asked = 0 then cast(0 as double)
        when n_other = 0 then cast(1 as double) / (n_own * n_near)
        when n_near > 0
            then cast(case when is_response = 1 then precision_gain else recall_gain end as double) / (1e15 * n_near)
    end as ratio
from side
left join metric.bcubed_overlap_near__v1 using (run_no, profile_no, is_response, unit_no)
left join total using (run_no, profile_no, unit_no)
