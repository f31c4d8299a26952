/*
title:       Scores by class and attribute
question:    How are the scores of scored trials distributed, by class and by the values of an attribute?
about:       trials
inputs:      base.decision, base.verification_segment, base.verification_value__v1, registry.run, registry.condition
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    attribute  attribute  none  one attribute of the key; none: all of at most 20 values
grain:       condition_id, run_id, attribute, value, series, score
columns:
    condition_id  key    evaluation condition
    run_id        key    run
    attribute     key    attribute of the key; class: all trials
    value         key    of the attribute, with its trials; a class that lacks it is with each value
    series        key    target or non-target
    mark          text   area
    score         key    where the bin begins
    share         ratio  of the class and value that the bin has
    until         score  where the bin ends
    n_trial       count  trials in the bin
order:       Conditions and runs by name; all trials, then attributes and values by name; bins in order.
show:        xy x=score y=share until=until series=series mark=mark panel=value zero=y size=300x170 by=run_id,attribute
pages:       report 70 run 31
edges:       40 bins of equal width, the same for all values; the outermost thousandth of the scores on either side, and
             infinite scores, are in the bins at the ends. Of a run with more than a million scores every k-th.
see also:    score_histogram, curves_by_attribute
*/
with

trial as (
    select condition_id, condition_no, run_id, run_no, segment_no, is_target, score
    from base.decision
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join base.verification_segment using (condition_no, segment_no)
    where trial_no % greatest(1, cast(ceil(n_row / 1e6) as bigint)) = 0
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
),

ends as (
    select
        run_no, quantile_disc(score, 0.001) as least, quantile_disc(score, 0.999) as most,
        case when least < most then least else least - 0.5 end as low,
        case when least < most then most else most + 0.5 end as high
    from trial
    where isfinite(score)
    group by run_no
),

counted as (
    select
        condition_id, condition_no, run_id, run_no, segment_no, is_target, low, high / 40 - low / 40 as step,
        cast(
            case
                when score <= low then 0 when score >= high then 39
                else least(floor((score / 2 - low / 2) / (high / 2 - low / 2) * 40), 39)
            end as bigint
        ) as bin_no,
        count(*) as n
    from trial
    join ends using (run_no)
    group by all
),

placed as (
    select condition_id, run_id, 'class' as attribute, 'all' as value, is_target, low, step, bin_no, sum(n) as n
    from counted
    group by all
    union all
    select condition_id, run_id, attribute, value, is_target, low, step, bin_no, sum(n) as n
    from counted
    join base.verification_value__v1 using (condition_no, segment_no)
    where attribute = coalesce($attribute, attribute)
    group by all
)

select
    condition_id, run_id, attribute,
    value || ' (' || cast(sum(is_target * n) over picture as bigint) || ' targets, '
        || cast(sum((1 - is_target) * n) over picture as bigint) || ' non-targets)' as value,
    case is_target when 1 then 'target' else 'non-target' end as series, 'area' as mark, low + step * bin_no as score,
    n / sum(n) over (partition by condition_id, run_id, attribute, value, is_target) as share,
    low + step * (bin_no + 1) as until, cast(n as bigint) as n_trial
from placed
window picture as (partition by condition_id, run_id, attribute, placed.value)
order by condition_id, run_id, attribute <> 'class', attribute, value, series, score
