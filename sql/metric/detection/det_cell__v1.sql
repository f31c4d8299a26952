/*
title:    Trials per block and threshold, thresholds thinned to the corners of the curve
formula:  Between two neighbouring target scores only p_fa changes, on a straight
          line. Thresholds that matter are therefore the distinct target scores t
          and, above each t, the lowest score of any trial. Every non-target counts
          at the highest of these that is not above its score.
          Where non-targets of some blocks cost nothing (blocks without targets, under
          fa_topics = with_target or topic_cost_minimum = mean_of_costs), one more threshold:
          the lowest score above t and above every non-target that costs. Accepting down to
          it costs what the next higher target score costs.
          Trials without a decision have the score -9e99, the lowest that a task with such trials has (det_omitted =
          lowest), or count nowhere (never).
source:   The 2004 TDT evaluation plan, section 5.1; omitted trials: appendix B.3, last note
inputs:   metric.detection_curve_block__v1, metric.detection_det_level__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no, threshold
columns:
    run_no       key    run
    profile_no   key    scoring profile
    subset_no    key    subset; 0 is all
    block_no     key    block (topic)
    threshold    key    lowest score that counts here (the same over all blocks)
    last_score   score  highest score that counts here, over all blocks
    low_score    score  lowest score of the block's own trials that count here
    n_target     count  target trials that count here
    n_nontarget  count  non-target trials that count here
edges:    With all_points = 1 every distinct score is a threshold.
          Blocks without targets are here under every profile: their scores are
          thresholds, and their trials count in the story-weighted curve.
class:    exact
see also: det_level__v1, det_block__v1
*/
-- below all targets the score of trials without a decision stays apart; a block whose non-targets cost nothing keeps
-- every score, until it is known which lie above those that cost
with decided as (
    select
        curve_no, block_no, level, is_below,
        case when is_below = 1 and score > -9e99 or is_below = 0 and score > level then 1 else 0 end as is_above,
        case when is_free = 1 and is_above = 1 then score end as free_score, min(score) as low_score,
        max(score) as high_score, whole_sum(is_target) as n_target, whole_sum(1 - is_target) as n_nontarget
    from metric.detection_det_level__v1 group by all
),

costly as (
    select curve_no, level, is_below, max(high_score) as costly_score
    from decided where is_above = 1 and free_score is null group by all
),

-- 0: at the target score; 1: above it; 2: above it and above every non-target that costs
placed as (
    select decided.*, case when free_score > costly_score then 2 else is_above end as place
    from decided
    left join costly using (curve_no, level, is_below)
),

threshold as (
    select curve_no, level, is_below, place, min(low_score) as threshold, max(high_score) as last_score
    from placed group by all
),

decided_total as (
    select curve_no, block_no, whole_sum(n_target) as n_decided_target, whole_sum(n_nontarget) as n_decided_nontarget
    from decided group by all
),

-- read twice, so made once: trials are counted for it
block as (
    select curve_no, run_no, profile_no, subset_no, block_no, n_target, n_nontarget
    from metric.detection_curve_block__v1
),

part as (
    select curve_no, block_no, threshold, last_score, low_score, n_target, n_nontarget
    from placed join threshold using (curve_no, level, is_below, place)
    union all
    select
        curve_no, block_no, -9e99 as threshold, -9e99 as last_score, -9e99 as low_score,
        n_target - coalesce(n_decided_target, 0) as n_target,
        n_nontarget - coalesce(n_decided_nontarget, 0) as n_nontarget
    from block join registry.profile using (profile_no)
    left join decided_total using (curve_no, block_no)
    where det_omitted = 'lowest'
        and n_target + n_nontarget > coalesce(n_decided_target, 0) + coalesce(n_decided_nontarget, 0)
),

total as (
    select
        curve_no, block_no, threshold, max(last_score) as last_score, min(low_score) as low_score,
        whole_sum(n_target) as n_target, whole_sum(n_nontarget) as n_nontarget
    from part group by all
),

curve as (select distinct curve_no, run_no, profile_no, subset_no from block)

select run_no, profile_no, subset_no, block_no, threshold, last_score, low_score, n_target, n_nontarget
from total join curve using (curve_no)
