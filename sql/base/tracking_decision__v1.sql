/*
title:    Decisions of tracking and filtering on scored trials, without labels
source:   The 2004 TDT evaluation plan, section 5.2
inputs:   base.decision, base.decision_rule__v1, base.test_segment, base.listed_pair, base.block,
          base.unscored_trial__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no        key     run
    profile_no    key     scoring profile
    block_no      key     block (topic)
    trial_no      key     story; below 0 a document that the corpus does not have
    condition_no  count   condition of the run
    segment_no    count   segment the story counts in; 0: the corpus does not have it
    is_yes        flag    1: accepted by the system, or by the profile from its score
    score         score   the system's confidence
edges:    Who needs no more than what the system put where (B-CUBED) is spared the
          search for each decision among the targets. Only the trials that are not
          scored are looked up; they are few.
class:    exact
volume:   decisions
see also: scored_decision__v1, listed_decision__v1
*/
-- a condition has test segments, or a file lists its trials
with tested as (
    select run_no, profile_no, block_no, trial_no, condition_no, segment_no, is_yes as said_yes, score, yes_from
    from base.decision join base.decision_rule__v1 using (run_no)
    join base.test_segment using (condition_no, block_no, segment_no)
    union all
    select run_no, profile_no, block_no, trial_no, condition_no, listed.segment_no, is_yes as said_yes, score, yes_from
    from base.decision join base.decision_rule__v1 using (run_no)
    join base.listed_pair as listed using (condition_no, block_no, trial_no)
    union all
    select run_no, profile_no, block_no, trial_no, condition_no, segment_no, is_yes as said_yes, score, yes_from
    from base.decision join base.decision_rule__v1 using (run_no)
    join base.block using (condition_no, block_no)
    where trial_no < 0 and is_scored = 1
)

select
    run_no, profile_no, block_no, trial_no, condition_no, segment_no,
    case when said_yes or score >= yes_from then 1 else 0 end as is_yes, score
from tested
where not exists (
    select 1
    from base.unscored_trial__v1 as unscored
    where unscored.condition_no = tested.condition_no and unscored.profile_no = tested.profile_no
        and unscored.block_no = tested.block_no and unscored.trial_no = tested.trial_no
)
