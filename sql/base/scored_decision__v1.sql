/*
title:    Decisions on scored trials, with the truth beside them
source:   The 2004 TDT evaluation plan, section 5 (every task is a detection task)
inputs:   base.decision, registry.run, registry.condition_profile, base.test_segment, base.listed_trial__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no      key     run
    profile_no  key     scoring profile
    block_no    key     block (topic)
    trial_no    key     story, or number of the pair
    segment_no  count   segment the trial counts in
    is_target   flag    1: target trial
    is_yes      flag    1: the system said yes
    score       score   the system's confidence
edges:    Decisions on stories outside the test set of the topic are no trials and
          not here. Trials without a decision are not here either: they are
          counted by subtraction from base.trial_count__v1.
class:    exact
volume:   decisions
see also: detection_trial__v1 (the definition; this is the part of it with a decision and is_scored = 1)
*/
with

-- few rows: a hash table of what is known of single trials
known as (

    select
        listed.condition_no as condition_no,
        listed.profile_no as profile_no,
        listed.block_no as block_no,
        listed.trial_no as trial_no,
        listed.is_target as is_target,
        listed.is_scored as is_scored
    from base.listed_trial__v1 as listed
    where listed.is_implied = 1

),

implied as (

    select
        decision.run_no as run_no,
        chosen.profile_no as profile_no,
        decision.block_no as block_no,
        decision.trial_no as trial_no,
        decision.segment_no as segment_no,
        coalesce(known.is_target, 0) as is_target,
        decision.is_yes as is_yes,
        decision.score as score
    from base.decision as decision
    inner join registry.run as run
        on run.run_no = decision.run_no
    inner join base.test_segment as test
        on test.condition_no = run.condition_no
        and test.block_no = decision.block_no
        and test.segment_no = decision.segment_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = run.condition_no
    left join known as known
        on known.condition_no = run.condition_no
        and known.profile_no = chosen.profile_no
        and known.block_no = decision.block_no
        and known.trial_no = decision.trial_no
    where coalesce(known.is_scored, 1) = 1

)

select
    implied.run_no as run_no,
    implied.profile_no as profile_no,
    implied.block_no as block_no,
    implied.trial_no as trial_no,
    implied.segment_no as segment_no,
    implied.is_target as is_target,
    case when implied.is_yes then 1 else 0 end as is_yes,
    implied.score as score
from implied as implied
union all
select
    decision.run_no as run_no,
    listed.profile_no as profile_no,
    listed.block_no as block_no,
    listed.trial_no as trial_no,
    listed.segment_no as segment_no,
    listed.is_target as is_target,
    case when decision.is_yes then 1 else 0 end as is_yes,
    decision.score as score
from base.listed_trial__v1 as listed
inner join registry.run as run
    on run.condition_no = listed.condition_no
inner join base.decision as decision
    on decision.run_no = run.run_no
    and decision.block_no = listed.decision_block_no
    and decision.trial_no = listed.trial_no
where listed.is_implied = 0
    and listed.is_scored = 1
