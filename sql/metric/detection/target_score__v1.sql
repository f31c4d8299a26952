/*
title:    Every scored target trial with its score, in the order a sweep passes them
formula:  Order: score, block, trial. A target without a decision has the score -9e99.
source:   The 2004 TDT evaluation plan, section 5.1 and appendix B.3, last note
inputs:   base.listed_trial__v1, base.curve_cell__v1, base.scored_decision__v1, registry.run, metric.detection_count__v1
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
class:    exact
see also: det_program__v1
*/
with

decided as (

    select
        decision.run_no as run_no,
        decision.profile_no as profile_no,
        decision.block_no as block_no,
        decision.trial_no as trial_no,
        decision.score as score,
        1 as hit
    from base.scored_decision__v1 as decision
    where decision.is_target = 1

),

target as (

    select
        run.run_no as run_no,
        listed.profile_no as profile_no,
        cell.subset_no as subset_no,
        listed.block_no as block_no,
        listed.trial_no as trial_no,
        case when coalesce(decided.hit, 0) = 1 then decided.score else -9e99 end as score
    from registry.run as run
    inner join base.listed_trial__v1 as listed
        on listed.condition_no = run.condition_no
    inner join base.curve_cell__v1 as cell
        on cell.condition_no = listed.condition_no
        and cell.profile_no = listed.profile_no
        and cell.block_no = listed.block_no
        and cell.segment_no = listed.segment_no
    left join decided as decided
        on decided.run_no = run.run_no
        and decided.profile_no = listed.profile_no
        and decided.block_no = listed.block_no
        and decided.trial_no = listed.trial_no
    where listed.is_target = 1
        and listed.is_scored = 1

)

select
    target.run_no as run_no,
    target.profile_no as profile_no,
    target.subset_no as subset_no,
    target.block_no as block_no,
    target.trial_no as trial_no,
    target.score as score,
    row_number() over (
        partition by target.run_no, target.profile_no, target.subset_no
        order by target.score asc, target.block_no asc, target.trial_no asc
    ) as rank_in_run,
    row_number() over (
        partition by target.run_no, target.profile_no, target.subset_no, target.block_no
        order by target.score asc, target.trial_no asc
    ) as rank_in_block,
    counts.n_target as n_target,
    counts.n_nontarget as n_nontarget
from target as target
inner join metric.detection_count__v1 as counts
    on counts.run_no = target.run_no
    and counts.profile_no = target.profile_no
    and counts.subset_no = target.subset_no
    and counts.block_no = target.block_no
