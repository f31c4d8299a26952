/*
title:    Every scored target trial with its score, in the order the program's sweep passes them
formula:  Order: score, block, trial. A target without a decision has the score -9e99.
source:   The 2004 TDT evaluation plan, section 5.1 and appendix B.3, last note
inputs:   base.listed_trial__v1, base.keyed_decision__v1, base.curve_cell__v1, base.decision, registry.run,
          registry.profile, metric.detection_trial_total__v1
grain:    run_no, profile_no, subset_no, block_no, trial_no
columns:
    run_no            key    run
    profile_no        key    scoring profile
    subset_no         key    subset; 0 is all
    block_no          key    block (topic)
    trial_no          key    story, or number of the pair
    score             score  the system's confidence
    rank_in_run       count  1 is the lowest target of the run
    rank_in_block     count  1 is the lowest target of the block
    n_target          count  targets of the block
    n_nontarget       count  non-targets of the block
edges:    Equal scores are ordered by block and trial, so that the order is total.
          Of profiles with det_rule = program alone: no other profile needs it.
class:    exact
see also: det_program__v1
*/
-- looked up among all decisions, of which none is read where no profile asks for the sweep
with answer as (select run_no, block_no as decision_block_no, trial_no, score from base.decision),

scored as (
    select run_no, profile_no, subset_no, block_no, trial_no, coalesce(answer.score, -9e99) as score
    from registry.run join base.listed_trial__v1 using (condition_no)
    join registry.profile using (profile_no)
    join base.curve_cell__v1 using (condition_no, profile_no, block_no, segment_no)
    left join answer using (run_no, decision_block_no, trial_no)
    where is_target = 1 and is_scored = 1 and det_rule = 'program'
    union all
    select run_no, profile_no, subset_no, block_no, trial_no, score
    from base.keyed_decision__v1 join registry.run using (run_no) join registry.profile using (profile_no)
    join base.curve_cell__v1 using (condition_no, profile_no, block_no, segment_no)
    where is_target = 1 and det_rule = 'program'
)

select
    run_no, profile_no, subset_no, block_no, trial_no, score,
    row_number() over (
        partition by run_no, profile_no, subset_no order by score asc, block_no asc, trial_no asc
    ) as rank_in_run,
    row_number() over (
        partition by run_no, profile_no, subset_no, block_no order by score asc, trial_no asc
    ) as rank_in_block,
    n_target, n_nontarget
from scored join metric.detection_trial_total__v1 using (run_no, profile_no, subset_no, block_no)
