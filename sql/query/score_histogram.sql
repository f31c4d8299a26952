/*
title:       Scores of a run in bins by class and attribute
question:    How are the scores of targets and non-targets distributed, by attack, codec, gender, ...?
about:       trials
inputs:      base.decision, base.verification_segment, base.verification_attribute, registry.run, registry.condition
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all keys of trials that it answers
    attribute  attribute  none    an attribute of the key, as attack; none: the classes alone
    bins       count      40      bins of equal width, from the lowest finite score of the run to the highest
grain:       condition_id, is_target, value, bin_no
columns:
    condition_id  key    evaluation condition
    is_target     key    1: targets; 0: non-targets
    value         key    of the attribute; NULL where a trial has none, and where no attribute is named
    bin_no        key    from 0; -1: scores of -infinity, and one more than the last bin: of infinity
    lower_end     score  where the bin begins
    upper_end     score  where it ends; its scores are below, in the last bin also just that
    n_trial       count  trials in it
    share         ratio [0, 1]  of the trials of this class and value
    mark          text   area
    series        text   the class with its trials, and how many of them have infinite scores
    panel         text   the value with its trials of both classes; NULL without a panel
order:       Targets first, values by name, bins in order.
show:        xy x=lower_end y=share until=upper_end series=series mark=mark panel=panel zero=y x_title=score
edges:       A bin without trials is not here. All classes and values have the same bins.
             Where all finite scores are equal there is one bin.
see also:    lowest_targets, highest_nontargets, report.score_histogram
*/
with

trial as (
    select condition_id, condition_no, segment_no, score
    from base.decision
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    where run_id = $run
        and condition_id = coalesce($condition, condition_id)
),

named as (
    select condition_no, segment_no, value
    from base.verification_attribute
    where attribute = $attribute
),

finite as (
    select
        condition_id,
        min(score) filter (where isfinite(score)) as low,
        max(score) filter (where isfinite(score)) as high
    from trial
    group by condition_id
),

-- halves: the difference of two scores may be too large for a number
placed as (
    select
        condition_id, is_target, value, low, high,
        case
            when score = cast('infinity' as double) then greatest($bins, 1)
            when score = cast('-infinity' as double) then -1
            when low = high then 0
            else least(floor((score / 2 - low / 2) / (high / 2 - low / 2) * greatest($bins, 1)), greatest($bins, 1) - 1)
        end as bin_no
    from trial
    join base.verification_segment using (condition_no, segment_no)
    join finite using (condition_id)
    left join named using (condition_no, segment_no)
),

counted as (
    select condition_id, is_target, value, low, high, cast(bin_no as bigint) as bin_no, count(*) as n_trial
    from placed
    group by all
)

select
    condition_id, is_target, value, bin_no,
    case
        when bin_no = -1 then cast('-infinity' as double)
        when bin_no = greatest($bins, 1) then cast('infinity' as double)
        else low + (high / greatest($bins, 1) - low / greatest($bins, 1)) * bin_no
    end as lower_end,
    case
        when bin_no = -1 then cast('-infinity' as double)
        when bin_no = greatest($bins, 1) then cast('infinity' as double)
        when low = high or bin_no = greatest($bins, 1) - 1 then high
        else low + (high / greatest($bins, 1) - low / greatest($bins, 1)) * (bin_no + 1)
    end as upper_end,
    n_trial,
    n_trial / sum(n_trial) over (partition by condition_id, is_target, value) as share, 'area' as mark,
    case is_target when 1 then 'target (' else 'non-target (' end || sum(n_trial) over class
    || coalesce(', ' || sum(n_trial) filter (bin_no = -1) over class || ' at -infinity', '')
    || coalesce(', ' || sum(n_trial) filter (bin_no = greatest($bins, 1)) over class || ' at infinity', '')
    || ')' as series,
    value || ' (' || sum(n_trial) over (partition by condition_id, value) || ')' as panel
from counted
window class as (partition by condition_id, is_target)
order by condition_id, is_target desc, value nulls first, bin_no
