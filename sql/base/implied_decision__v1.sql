/*
title:    Decisions on the stories of a topic's test segments, as far as they are scored
source:   The 2004 TDT evaluation plan, section 5.2
inputs:   base.decision, registry.run, registry.condition_profile, base.test_segment, base.listed_trial__v1
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
edges:    What the system put where, without a look at the truth: who needs no more
          (B-CUBED) is spared the search for it in all judgments. Only the trials that
          are not scored are looked up; they are few.
class:    exact
volume:   decisions
see also: scored_decision__v1, listed_decision__v1
*/
select
    decision.run_no as run_no,
    chosen.profile_no as profile_no,
    decision.block_no as block_no,
    decision.trial_no as trial_no,
    run.condition_no as condition_no,
    decision.segment_no as segment_no,
    case when decision.is_yes then 1 else 0 end as is_yes,
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
where not exists (
    select 1 as hit
    from base.listed_trial__v1 as listed
    where listed.is_implied = 1
        and listed.is_scored = 0
        and listed.condition_no = run.condition_no
        and listed.profile_no = chosen.profile_no
        and listed.block_no = decision.block_no
        and listed.trial_no = decision.trial_no
)
