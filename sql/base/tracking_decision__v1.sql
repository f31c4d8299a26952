/*
title:    Decisions of tracking and filtering on scored trials, without a look at the truth
source:   The 2004 TDT evaluation plan, section 5.2
inputs:   base.decision, registry.run, registry.condition_profile, base.test_segment, base.listed_pair, base.unscored_trial__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no        key     run
    profile_no    key     scoring profile
    block_no      key     block (topic)
    trial_no      key     story
    condition_no  count   condition of the run
    segment_no    count   segment the story counts in
    is_yes        flag    1: the system said yes
    score         score   the system's confidence
edges:    Who needs no more than what the system put where (B-CUBED) is spared the
          search for each decision among the targets. Only the trials that are not
          scored are looked up; they are few.
class:    exact
volume:   decisions
see also: scored_decision__v1, listed_decision__v1
*/
with

-- a condition has test segments, or a file lists its trials
tested as (

    select
        decision.run_no as run_no,
        run.condition_no as condition_no,
        chosen.profile_no as profile_no,
        decision.block_no as block_no,
        decision.trial_no as trial_no,
        decision.segment_no as segment_no,
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
    union all
    select
        decision.run_no as run_no,
        run.condition_no as condition_no,
        chosen.profile_no as profile_no,
        decision.block_no as block_no,
        decision.trial_no as trial_no,
        listed.segment_no as segment_no,
        decision.is_yes as is_yes,
        decision.score as score
    from base.decision as decision
    inner join registry.run as run
        on run.run_no = decision.run_no
    inner join base.listed_pair as listed
        on listed.condition_no = run.condition_no
        and listed.block_no = decision.block_no
        and listed.trial_no = decision.trial_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = run.condition_no

)

select
    tested.run_no as run_no,
    tested.profile_no as profile_no,
    tested.block_no as block_no,
    tested.trial_no as trial_no,
    tested.condition_no as condition_no,
    tested.segment_no as segment_no,
    case when tested.is_yes then 1 else 0 end as is_yes,
    tested.score as score
from tested as tested
where not exists (
    select 1 as hit
    from base.unscored_trial__v1 as unscored
    where unscored.condition_no = tested.condition_no
        and unscored.profile_no = tested.profile_no
        and unscored.block_no = tested.block_no
        and unscored.trial_no = tested.trial_no
)
