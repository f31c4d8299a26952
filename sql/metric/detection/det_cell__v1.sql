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
          Trials without a decision count at -9e99, below every score (det_omitted = lowest),
          or nowhere (never).
source:   The 2004 TDT evaluation plan, section 5.1; omitted trials: appendix B.3, last note
inputs:   base.scored_decision__v1, base.curve_cell__v1, base.curve_request, registry.run, registry.condition_profile, registry.profile, metric.detection_count__v1
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
see also: det_block__v1
*/
with

-- one small number for a curve: a short sort key is several times as fast as three
curve as (

    select
        cast(row_number() over (order by run.run_no asc, chosen.profile_no asc, request.subset_no asc) as integer) as curve_no,
        run.run_no as run_no,
        run.condition_no as condition_no,
        chosen.profile_no as profile_no,
        request.subset_no as subset_no,
        request.all_points as all_points
    from registry.run as run
    inner join registry.condition_profile as chosen
        on chosen.condition_no = run.condition_no
    inner join base.curve_request as request
        on request.condition_no = run.condition_no

),

curve_member as (

    select
        curve.curve_no as curve_no,
        curve.run_no as run_no,
        curve.profile_no as profile_no,
        curve.all_points as all_points,
        cell.block_no as block_no,
        cell.segment_no as segment_no,
        case
            when counts.n_target > 0 or profile.det_rule = 'program' then 0
            when profile.fa_topics = 'with_target' or profile.topic_cost_minimum = 'mean_of_costs' then 1
            else 0
        end as is_free
    from curve as curve
    inner join base.curve_cell__v1 as cell
        on cell.condition_no = curve.condition_no
        and cell.profile_no = curve.profile_no
        and cell.subset_no = curve.subset_no
    inner join metric.detection_count__v1 as counts
        on counts.run_no = curve.run_no
        and counts.profile_no = curve.profile_no
        and counts.subset_no = curve.subset_no
        and counts.block_no = cell.block_no
    inner join registry.profile as profile
        on profile.profile_no = curve.profile_no

),

scored as (

    select
        member.curve_no as curve_no,
        decision.block_no as block_no,
        member.all_points as all_points,
        member.is_free as is_free,
        decision.is_target as is_target,
        decision.score as score
    from base.scored_decision__v1 as decision
    inner join curve_member as member
        on member.run_no = decision.run_no
        and member.profile_no = decision.profile_no
        and member.block_no = decision.block_no
        and member.segment_no = decision.segment_no

),

-- the highest target score that is not above the trial's own; targets first among equals
leveled as (

    select
        scored.curve_no as curve_no,
        scored.block_no as block_no,
        scored.is_free as is_free,
        scored.is_target as is_target,
        scored.score as score,
        case
            when scored.all_points = 1 then scored.score
            else coalesce(
                max(case when scored.is_target = 1 then scored.score end) over (
                    partition by scored.curve_no
                    order by scored.score asc, scored.is_target desc
                    rows between unbounded preceding and current row
                ),
                -9e99
            )
        end as level
    from scored as scored

),

-- a block whose non-targets cost nothing keeps every score, until it is known which lie above those that cost
decided as (

    select
        leveled.curve_no as curve_no,
        leveled.block_no as block_no,
        leveled.level as level,
        case when leveled.score > leveled.level then 1 else 0 end as is_above,
        case when leveled.is_free = 1 and leveled.score > leveled.level then leveled.score end as free_score,
        min(leveled.score) as low_score,
        max(leveled.score) as high_score,
        cast(sum(leveled.is_target) as bigint) as n_target,
        cast(sum(1 - leveled.is_target) as bigint) as n_nontarget
    from leveled as leveled
    group by
        leveled.curve_no,
        leveled.block_no,
        leveled.level,
        case when leveled.score > leveled.level then 1 else 0 end,
        case when leveled.is_free = 1 and leveled.score > leveled.level then leveled.score end

),

costly as (

    select
        decided.curve_no as curve_no,
        decided.level as level,
        max(decided.high_score) as high_score
    from decided as decided
    where decided.is_above = 1
        and decided.free_score is null
    group by decided.curve_no, decided.level

),

-- 0: at the target score; 1: above it; 2: above it and above every non-target that costs
placed as (

    select
        decided.curve_no as curve_no,
        decided.block_no as block_no,
        decided.level as level,
        case when decided.free_score > costly.high_score then 2 else decided.is_above end as place,
        decided.low_score as low_score,
        decided.high_score as high_score,
        decided.n_target as n_target,
        decided.n_nontarget as n_nontarget
    from decided as decided
    left join costly as costly
        on costly.curve_no = decided.curve_no
        and costly.level = decided.level

),

threshold as (

    select
        placed.curve_no as curve_no,
        placed.level as level,
        placed.place as place,
        min(placed.low_score) as threshold,
        max(placed.high_score) as last_score
    from placed as placed
    group by placed.curve_no, placed.level, placed.place

),

decided_total as (

    select
        curve.run_no as run_no,
        curve.profile_no as profile_no,
        curve.subset_no as subset_no,
        decided.block_no as block_no,
        cast(sum(decided.n_target) as bigint) as n_target,
        cast(sum(decided.n_nontarget) as bigint) as n_nontarget
    from decided as decided
    inner join curve as curve
        on curve.curve_no = decided.curve_no
    group by curve.run_no, curve.profile_no, curve.subset_no, decided.block_no

),

omitted as (

    select
        counts.run_no as run_no,
        counts.profile_no as profile_no,
        counts.subset_no as subset_no,
        counts.block_no as block_no,
        counts.n_target - coalesce(decided_total.n_target, 0) as n_target,
        counts.n_nontarget - coalesce(decided_total.n_nontarget, 0) as n_nontarget
    from metric.detection_count__v1 as counts
    inner join registry.profile as profile
        on profile.profile_no = counts.profile_no
    inner join registry.run as run
        on run.run_no = counts.run_no
    inner join base.curve_request as request
        on request.condition_no = run.condition_no
        and request.subset_no = counts.subset_no
    left join decided_total as decided_total
        on decided_total.run_no = counts.run_no
        and decided_total.profile_no = counts.profile_no
        and decided_total.subset_no = counts.subset_no
        and decided_total.block_no = counts.block_no
    where profile.det_omitted = 'lowest'

),

part as (

    select
        curve.run_no as run_no,
        curve.profile_no as profile_no,
        curve.subset_no as subset_no,
        placed.block_no as block_no,
        threshold.threshold as threshold,
        threshold.last_score as last_score,
        placed.low_score as low_score,
        placed.n_target as n_target,
        placed.n_nontarget as n_nontarget
    from placed as placed
    inner join threshold as threshold
        on threshold.curve_no = placed.curve_no
        and threshold.level = placed.level
        and threshold.place = placed.place
    inner join curve as curve
        on curve.curve_no = placed.curve_no
    union all
    select
        omitted.run_no as run_no,
        omitted.profile_no as profile_no,
        omitted.subset_no as subset_no,
        omitted.block_no as block_no,
        -9e99 as threshold,
        -9e99 as last_score,
        -9e99 as low_score,
        omitted.n_target as n_target,
        omitted.n_nontarget as n_nontarget
    from omitted as omitted
    where omitted.n_target + omitted.n_nontarget > 0

)

select
    part.run_no as run_no,
    part.profile_no as profile_no,
    part.subset_no as subset_no,
    part.block_no as block_no,
    part.threshold as threshold,
    max(part.last_score) as last_score,
    min(part.low_score) as low_score,
    cast(sum(part.n_target) as bigint) as n_target,
    cast(sum(part.n_nontarget) as bigint) as n_nontarget
from part as part
group by part.run_no, part.profile_no, part.subset_no, part.block_no, part.threshold
