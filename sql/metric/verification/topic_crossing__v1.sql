/*
title:    Where the curve of means over topics has equal error rates, and the area under it
formula:  eer: p_miss where the line between two neighbouring points meets p_miss = p_fa
          mean_area: sum over neighbouring points of the trapezoid (p_fa' - p_fa) * (p_hit + p_hit') / 2
source:   NIST speaker recognition evaluation 2016, scorer (curve of the means over partitions)
inputs:   metric.verification_weighted_point__v1
grain:    run_no, profile_no, subset_no
columns:
    run_no        key           run
    profile_no    key           scoring profile
    subset_no     key           subset; 0 is all
    interpolated  ratio [0, 1]  equal error rate
    mean_area     ratio [0, 1]  area
edges:    A subset without such a curve has no row.
class:    exact
see also: crossing__v1 (story), hull__v1
*/
-- each point and the next lower threshold
with rate as (
    select
        *, ratio(miss, total_target) as p_miss, ratio(false_alarm, total_nontarget) as p_fa,
        ratio(lead(cast(miss as decimal(38, 0))) over down, total_target) as p_miss_below,
        ratio(lead(cast(false_alarm as decimal(38, 0))) over down, total_nontarget) as p_fa_below
    from metric.verification_weighted_point__v1 where weighting = 'topic'
    window down as (partition by run_no, profile_no, subset_no order by point_no asc)
)

select
    run_no, profile_no, subset_no,
    max(
        case
            when p_miss_below <= p_fa_below and p_miss > p_fa then p_miss_below
                + (p_fa_below - p_miss_below) * ((p_miss - p_miss_below) / (p_miss - p_miss_below + p_fa_below - p_fa))
        end
    ) as interpolated,
    exact_sum((p_fa_below - p_fa) * (2 - p_miss - p_miss_below) / 2, 1e18) as mean_area
from rate where p_miss_below is not null group by all
