/*
title:    False alarms of each run, ranked by the system's confidence
formula:  rank by score among the run's false alarms in the block, highest first
          is_high = 1 if the score is above that of at least half of the run's hits in the block
source:   The 2004 TDT evaluation plan, section 6 (false alarm errors are re-examined; criterion e)
inputs:   base.scored_decision__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    block_no    key    block (topic)
    trial_no    key    story, or number of the pair
    score       score  the system's confidence
    rank        count  1 is the surest false alarm of the run in the block
    is_high     flag   1: scored higher than half of the hits; 0 without hits
edges:    Equal scores rank by trial.
class:    exact
see also: candidate__v1
*/
-- hits of the same score sort after a false alarm, so they are not below it
with placed as (
    select
        *,
        cast(sum(1 - is_target) over (
            partition by run_no, profile_no, block_no order by score desc, trial_no
            rows between unbounded preceding and current row
        ) as bigint) as rank,
        sum(is_target) over (
            partition by run_no, profile_no, block_no order by score, is_target, trial_no
            rows between unbounded preceding and current row
        ) as n_hit_below,
        sum(is_target) over (partition by run_no, profile_no, block_no) as n_hit
    from base.scored_decision__v1 where is_yes = 1
)

select
    run_no, profile_no, block_no, trial_no, score, rank,
    case when n_hit > 0 and n_hit_below * 2 >= n_hit then 1 else 0 end as is_high
from placed where is_target = 0
