/*
title:       Error over priors
question:    Which error rate does each run have at each prior of a target, and which is the least it could have?
about:       trials
inputs:      base.decision, base.verification_segment, report.det_point, registry.run, registry.condition,
             registry.task
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
grain:       condition_id, series, mark, log_odds
columns:
    condition_id  key     evaluation condition
    series        key     the run; by default: no scores
    mark          key     line: of the decisions that log-likelihood ratios make; least; prior: by default
    log_odds      key     natural logarithm of the odds of a target, from -10 to 10
    error         ratio   error rate, costs of one; NULL where undefined
order:       Conditions and runs by name, priors in order.
show:        xy x=log_odds y=error series=series mark=mark zero=y size=620x320 x_title=log_odds_of_a_target
    y_title=error_rate
pages:       report 80 run 33
edges:       Solid: of the decisions that the scores make, where they are log-likelihood ratios; dashed: least; dotted:
             by default. The least error is that of the corners of the stored curve over all trials.
see also:    curves_by_attribute, error_counts
*/
with

grid as (
    select
        prior_no, cast(prior_no * 0.25 - 10 as double) as log_odds, 1 / (1 + exp(-log_odds)) as p_target,
        1 / (1 + exp(log_odds)) as p_other
    from (select unnest(range(0, 81)) as prior_no)
),

-- thresholds that accept a score: those up to it
placed as (
    select
        condition_id, run_id, is_target,
        case
            when score >= 10 then 81 when score < -10 then 0 else cast(floor((score + 10) * 4) as bigint) + 1
        end as n_accepted,
        count(*) as n
    from base.decision
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join base.verification_segment using (condition_no, segment_no)
    where score_kind = 'llr'
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
    group by all
),

actual as (
    select
        condition_id, run_id, log_odds,
        p_target * sum(case when is_target = 1 and n_accepted <= 80 - prior_no then n else 0 end)
            / nullif(sum(case when is_target = 1 then n else 0 end), 0)
        + p_other * sum(case when is_target = 0 and n_accepted > 80 - prior_no then n else 0 end)
            / nullif(sum(case when is_target = 0 then n else 0 end), 0) as error
    from placed
    cross join grid
    group by condition_id, run_id, log_odds, p_target, p_other
),

corner as (
    select distinct condition_id, run_id, p_fa, p_miss
    from report.det_point
    join registry.condition using (condition_id, task)
    join registry.task using (task)
    where weighting = 'story'
        and subset = 'all'
        and block_id is null
        and decides_on = 'trial'
        and p_fa is not null
        and p_miss is not null
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
),

least as (
    select condition_id, run_id, log_odds, min(p_target * p_miss + p_other * p_fa) as error
    from corner
    cross join grid
    group by all
),

drawn as (
    select condition_id, run_id as series, 'line' as mark, log_odds, error from actual
    union all
    select condition_id, run_id, 'least', log_odds, error from least
    union all
    select condition_id, 'by default', 'prior', log_odds, least(p_target, p_other)
    from (select distinct condition_id from corner)
    cross join grid
)

select condition_id, series, mark, log_odds, error
from drawn
order by condition_id, mark, series, log_odds
