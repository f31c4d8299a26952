/*
title:    Extended B-CUBED precision of each system topic and recall of each reference topic, one row a side
formula:  own topic x: ratio = mean of ratio(e) over its stories e
          stories with one topic at most on each side, by cells as in side_topic__v1:
              sum of ratio(e) = sum_y n(x, y) N(x, y) / N(x)
          N(x), N(x, y): all stories of topic x, of x and y; n(x, y): those of them with one topic at most on each side
          stories with several topics: overlap_ratio__v1, summed in units of 1e-15
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5;
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 6 (the mean per topic)
inputs:   metric.bcubed_side_cell__v1, metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_ratio__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, is_response, block_no
columns:
    run_no        key           run
    profile_no    key           scoring profile
    is_response   key           1: precision of a system topic; 0: recall of a reference topic
    block_no      key           topic
    n_story       count         stories of the topic
    single_sum    fixed 1e-15   sum of the ratios of its stories with one topic at most on each side
    ratio         ratio [0, 1]  the mean
edges:    Without stories on several topics it is side_topic__v1 to the last bit.
class:    exact
see also: extended_topic__v1, extended_score__v1
*/
with

-- in one place: a view that is read twice is planned and computed twice
unit_topic as (

    select
        unit_topic.run_no as run_no,
        unit_topic.profile_no as profile_no,
        unit_topic.unit_no as unit_no,
        unit_topic.block_no as block_no,
        unit_topic.is_response as is_response,
        unit_topic.n_story as n_story
    from metric.bcubed_overlap_unit__v1 as unit_topic

),

-- stories of several topics in a cell, counted once per cell
shared as (

    select
        own.run_no as run_no,
        own.profile_no as profile_no,
        own.is_response as is_response,
        own.block_no as own_no,
        other.block_no as other_no,
        cast(sum(own.n_story) as bigint) as n_shared
    from unit_topic as own
    inner join unit_topic as other
        on other.run_no = own.run_no
        and other.profile_no = own.profile_no
        and other.unit_no = own.unit_no
        and other.is_response = 1 - own.is_response
    group by own.run_no, own.profile_no, own.is_response, own.block_no, other.block_no

),

part as (

    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        cell.is_response as is_response,
        cell.own_no as block_no,
        cell.n_story as n_story,
        case
            when cell.other_no > 0 then cell.n_story * (cell.n_story + coalesce(shared.n_shared, 0))
            when outside.own_singleton = 1 then cell.n_story
            else 0
        end as n_square,
        cast(0 as decimal(38, 0)) as gain,
        0 as is_overlapping
    from metric.bcubed_side_cell__v1 as cell
    inner join metric.bcubed_outside__v1 as outside
        on outside.run_no = cell.run_no
        and outside.profile_no = cell.profile_no
        and outside.is_response = cell.is_response
    left join shared as shared
        on shared.run_no = cell.run_no
        and shared.profile_no = cell.profile_no
        and shared.is_response = cell.is_response
        and shared.own_no = cell.own_no
        and shared.other_no = cell.other_no
    union all
    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.is_response as is_response,
        unit.block_no as block_no,
        unit.n_story as n_story,
        cast(0 as bigint) as n_square,
        cast(floor(value.ratio * 1e15 + 5e-1) as decimal(38, 0)) * cast(unit.n_story as decimal(38, 0)) as gain,
        1 as is_overlapping
    from unit_topic as unit
    inner join metric.bcubed_overlap_ratio__v1 as value
        on value.run_no = unit.run_no
        and value.profile_no = unit.profile_no
        and value.is_response = unit.is_response
        and value.unit_no = unit.unit_no

),

total as (

    select
        part.run_no as run_no,
        part.profile_no as profile_no,
        part.is_response as is_response,
        part.block_no as block_no,
        cast(sum(part.n_story) as bigint) as n_story,
        cast(sum(part.n_square) as bigint) as n_square,
        sum(part.gain) as gain,
        max(part.is_overlapping) as is_overlapping
    from part as part
    group by part.run_no, part.profile_no, part.is_response, part.block_no

),

whole as (

    select
        total.run_no as run_no,
        total.profile_no as profile_no,
        total.is_response as is_response,
        total.block_no as block_no,
        total.n_story as n_story,
        total.n_square as n_square,
        total.gain as gain,
        total.is_overlapping as is_overlapping,
        case when total.n_story > 0 then cast(floor(cast(total.n_square as double) / total.n_story) as bigint) end as n_whole
    from total as total

),

-- n_square / n_story in units of 1e-15: the whole part exactly, the rest rounded
fixed as (

    select
        whole.run_no as run_no,
        whole.profile_no as profile_no,
        whole.is_response as is_response,
        whole.block_no as block_no,
        whole.n_story as n_story,
        whole.n_square as n_square,
        whole.gain as gain,
        whole.is_overlapping as is_overlapping,
        cast(whole.n_whole as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0))
        + case
            when whole.n_story > 0
                then cast(floor(cast(whole.n_square - whole.n_whole * whole.n_story as double) / whole.n_story * 1e15 + 5e-1) as decimal(38, 0))
        end as single_sum
    from whole as whole

)

select
    fixed.run_no as run_no,
    fixed.profile_no as profile_no,
    fixed.is_response as is_response,
    fixed.block_no as block_no,
    fixed.n_story as n_story,
    fixed.single_sum as single_sum,
    case
        when fixed.is_overlapping = 0 and fixed.n_story > 0 then cast(fixed.n_square as double) / (fixed.n_story * fixed.n_story)
        when fixed.n_story > 0 then cast(fixed.single_sum + fixed.gain as double) / (1e15 * fixed.n_story)
    end as ratio
from fixed as fixed
