/*
title:    Counts of a detection run per block and subset
formula:  n_miss = n_target - n_hit
          n_correct_rejection = n_nontarget - n_false_alarm
source:   The 2004 TDT evaluation plan, section 5
inputs:   registry.run, registry.condition, registry.condition_profile, base.block, base.subset_cell, base.trial_count__v1, metric.detection_yes_count__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no               key    run
    profile_no           key    scoring profile
    subset_no            key    subset; 0 is all
    block_no             key    block (topic)
    n_target             count  scored target trials
    n_nontarget          count  scored non-target trials
    n_hit                count  targets the system said yes to
    n_false_alarm        count  non-targets the system said yes to
    n_miss               count  targets the system said no to, or nothing of
    n_correct_rejection  count  non-targets the system said no to, or nothing of
    n_trial              count  scored trials
metrics:
    n_target             n=n_trial  best=none     Target trials
    n_nontarget          n=n_trial  best=none     Non-target trials
    n_hit                n=n_trial  best=highest  Targets accepted
    n_false_alarm        n=n_trial  best=lowest   Non-targets accepted
    n_miss               n=n_trial  best=lowest   Targets rejected
    n_correct_rejection  n=n_trial  best=highest  Non-targets rejected
edges:    Every block of the condition has a row in subset 0, also without trials.
          In another subset a block has a row when its test set touches it.
class:    exact
see also: rate__v1, pooled__v1, topic_weighted__v1
*/
with

cell as (

    select
        run.run_no as run_no,
        trial.condition_no as condition_no,
        trial.profile_no as profile_no,
        trial.block_no as block_no,
        trial.segment_no as segment_no,
        trial.n_target as n_target,
        trial.n_nontarget as n_nontarget,
        coalesce(yes.n_hit, 0) as n_hit,
        coalesce(yes.n_false_alarm, 0) as n_false_alarm
    from registry.run as run
    inner join base.trial_count__v1 as trial
        on trial.condition_no = run.condition_no
    left join metric.detection_yes_count__v1 as yes
        on yes.run_no = run.run_no
        and yes.profile_no = trial.profile_no
        and yes.block_no = trial.block_no
        and yes.segment_no = trial.segment_no

),

-- every block once with nothing, so that a block without trials is a row too
part as (

    select
        run.run_no as run_no,
        chosen.profile_no as profile_no,
        0 as subset_no,
        block.block_no as block_no,
        cast(0 as bigint) as n_target,
        cast(0 as bigint) as n_nontarget,
        cast(0 as bigint) as n_hit,
        cast(0 as bigint) as n_false_alarm
    from registry.run as run
    inner join registry.condition as condition
        on condition.condition_no = run.condition_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = run.condition_no
    inner join base.block as block
        on block.condition_no = run.condition_no
    where condition.task in ('tracking', 'new_event', 'link', 'filtering')
        and block.is_scored = 1
    union all
    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        0 as subset_no,
        cell.block_no as block_no,
        cell.n_target as n_target,
        cell.n_nontarget as n_nontarget,
        cell.n_hit as n_hit,
        cell.n_false_alarm as n_false_alarm
    from cell as cell
    union all
    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        member.subset_no as subset_no,
        cell.block_no as block_no,
        cell.n_target as n_target,
        cell.n_nontarget as n_nontarget,
        cell.n_hit as n_hit,
        cell.n_false_alarm as n_false_alarm
    from cell as cell
    inner join base.subset_cell as member
        on member.condition_no = cell.condition_no
        and member.block_no = cell.block_no
        and member.segment_no = cell.segment_no

),

total as (

    select
        part.run_no as run_no,
        part.profile_no as profile_no,
        part.subset_no as subset_no,
        part.block_no as block_no,
        cast(sum(part.n_target) as bigint) as n_target,
        cast(sum(part.n_nontarget) as bigint) as n_nontarget,
        cast(sum(part.n_hit) as bigint) as n_hit,
        cast(sum(part.n_false_alarm) as bigint) as n_false_alarm
    from part as part
    group by part.run_no, part.profile_no, part.subset_no, part.block_no

)

select
    total.run_no as run_no,
    total.profile_no as profile_no,
    total.subset_no as subset_no,
    total.block_no as block_no,
    total.n_target as n_target,
    total.n_nontarget as n_nontarget,
    total.n_hit as n_hit,
    total.n_false_alarm as n_false_alarm,
    total.n_target - total.n_hit as n_miss,
    total.n_nontarget - total.n_false_alarm as n_correct_rejection,
    total.n_target + total.n_nontarget as n_trial
from total as total
