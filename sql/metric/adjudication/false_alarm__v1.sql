/*
title:    False alarms of each run, ranked by the system's confidence
formula:  rank = place by score among the run's false alarms in the block, highest first
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
    is_high     flag   1: surer than of half of the hits; 0 where there is no hit
edges:    Equal scores rank by trial.
class:    exact
see also: candidate__v1
*/
with

accepted as (

    select
        decision.run_no as run_no,
        decision.profile_no as profile_no,
        decision.block_no as block_no,
        decision.trial_no as trial_no,
        decision.score as score,
        decision.is_target as is_target
    from base.scored_decision__v1 as decision
    where decision.is_yes = 1

),

placed as (

    select
        accepted.run_no as run_no,
        accepted.profile_no as profile_no,
        accepted.block_no as block_no,
        accepted.trial_no as trial_no,
        accepted.score as score,
        accepted.is_target as is_target,
        sum(1 - accepted.is_target) over (
            partition by accepted.run_no, accepted.profile_no, accepted.block_no
            order by accepted.score desc, accepted.trial_no
            rows between unbounded preceding and current row
        ) as rank,
        -- hits of the same score stand behind a false alarm, so they are not below it
        sum(accepted.is_target) over (
            partition by accepted.run_no, accepted.profile_no, accepted.block_no
            order by accepted.score, accepted.is_target, accepted.trial_no
            rows between unbounded preceding and current row
        ) as n_hit_below,
        sum(accepted.is_target) over (partition by accepted.run_no, accepted.profile_no, accepted.block_no) as n_hit
    from accepted as accepted

)

select
    placed.run_no as run_no,
    placed.profile_no as profile_no,
    placed.block_no as block_no,
    placed.trial_no as trial_no,
    placed.score as score,
    cast(placed.rank as bigint) as rank,
    case when placed.n_hit > 0 and placed.n_hit_below * 2 >= placed.n_hit then 1 else 0 end as is_high
from placed as placed
where placed.is_target = 0
