/*
title:    Extended B-CUBED precision of each system topic and recall of each reference topic, one row a side
formula:  own topic x: ratio = mean of ratio(e) over its stories e
          stories with one topic at most on each side, by cells as in side_topic__v1:
              sum of ratio(e) = sum_y n(x, y) N(x, y) / N(x)
          N(x), N(x, y): all stories of topic x, of x and y; n(x, y): those of them with one topic at most on each side
          stories with several topics: overlap_ratio__v1, summed in units of 1e-15
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics,
          section 5;
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 6 (the mean per topic)
inputs:   metric.bcubed_side_cell__v1, metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_ratio__v1,
          metric.bcubed_overlap_work__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, is_response, block_no
columns:
    run_no        key           run
    profile_no    key           scoring profile
    is_response   key           1: precision of a system topic; 0: recall of a reference topic
    block_no      key           topic
    n_story       count         stories of the topic
    single_sum    fixed 1e-15   sum of the ratios of its stories with one topic at most on each side
    ratio         ratio [0, 1]  the mean
edges:    Without stories on several topics it is side_topic__v1 bitwise.
          Runs whose numbers are not made (overlap_work__v1) have no rows.
class:    exact
see also: extended_topic__v1, extended_score__v1
*/
-- once: a view that is read twice is planned and computed twice
with unit_topic as (
    select *
    from metric.bcubed_overlap_unit__v1 join metric.bcubed_overlap_work__v1 using (run_no, profile_no)
    where is_made = 1
),

-- all stories of a cell, counted by units: only where a story of the run has several topics
shared as (
    select
        own.run_no, own.profile_no, own.is_response, own.block_no as own_no, other.block_no as other_no,
        whole_sum(own.n_story) as n_shared
    from unit_topic as own
    join unit_topic as other
        on other.run_no = own.run_no and other.profile_no = own.profile_no and other.unit_no = own.unit_no
        and other.is_response = 1 - own.is_response
    where own.n_other > 0 and other.n_other > 0
    group by all
),

part as (
    select
        run_no, profile_no, is_response, own_no as block_no, n_story,
        case
            when other_no > 0 then n_story * coalesce(n_shared, n_story) when own_singleton = 1 then n_story else 0
        end as n_square,
        cast(0 as decimal(38, 0)) as gain, 0 as is_overlapping
    from metric.bcubed_side_cell__v1 join metric.bcubed_outside__v1 using (run_no, profile_no, is_response)
    left join shared using (run_no, profile_no, is_response, own_no, other_no)
    left join metric.bcubed_overlap_work__v1 using (run_no, profile_no)
    where coalesce(is_made, 1) = 1
    union all
    select
        run_no, profile_no, is_response, block_no, unit_topic.n_story, cast(0 as bigint) as n_square,
        whole_units(ratio) * cast(unit_topic.n_story as decimal(38, 0)) as gain, 1 as is_overlapping
    from unit_topic join metric.bcubed_overlap_ratio__v1 using (run_no, profile_no, is_response, unit_no)
    where ratio is not null
)

-- n_square / n_story in units of 1e-15: the whole part exactly, the rest rounded
select
    run_no, profile_no, is_response, block_no, whole_sum(part.n_story) as n_story,
    ratio_units(whole_sum(n_square), whole_sum(part.n_story)) as single_sum,
    case
        when max(is_overlapping) = 0 then ratio(whole_sum(n_square), whole_sum(part.n_story) * whole_sum(part.n_story))
        else ratio(cast(single_sum + sum(gain) as double), 1e15 * whole_sum(part.n_story))
    end as ratio
from part group by all
