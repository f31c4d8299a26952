/*
title:    Scores of verification on the trials of the key, with their labels
source:   NIST speaker recognition evaluation plans (trials, key); our own for segments of one label
inputs:   base.decision, base.verification_segment, base.decision_rule__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no      key     run
    profile_no  key     scoring profile
    block_no    key     block
    trial_no    key     trial
    segment_no  count   segment the trial counts in
    is_target   flag    1: target trial
    is_yes      flag    1: accepted by the system, or by the profile from its score
    score       score   as given: infinities too
edges:    The trials of a segment have one label: a few segments are looked up, and no trial.
class:    exact
volume:   decisions
see also: scored_decision__v1
*/
select
    run_no, profile_no, block_no, trial_no, segment_no, is_target,
    case when decision.is_yes or score >= yes_from then 1 else 0 end as is_yes, score
from base.decision join base.decision_rule__v1 using (run_no)
join base.verification_segment using (condition_no, block_no, segment_no)
