/*
title:    Every decision of every curve, with the highest target score that is not above its own
formula:  level = max of the target scores t <= score, targets first among equals; none below all of them
          (all_points = 1: the score itself)
source:   our own: between two neighbouring target scores only p_fa changes, so thresholds are looked for there
          (det_cell__v1)
inputs:   base.scored_decision__v1, base.curve_cell__v1, metric.detection_curve_block__v1
grain:    curve_no, block_no, trial_no
columns:
    curve_no   key    curve (run, profile, subset)
    block_no   key    block (topic)
    trial_no   key    story, or number of the pair
    is_free    flag   1: the block's non-targets cost nothing
    is_target  flag   1: on topic
    score      score  the system's confidence
    level      score  the highest target score that is not above it; 0 where is_below = 1
    is_below   flag   1: it is below all target scores
edges:    Sorting all scores would be most of the work. Slices of equal width between the lowest and the highest
          target score are in the order of the scores whatever the arithmetic rounds, so only the slices that
          hold a target are sorted; all others lie above the same target.
class:    exact
volume:   decisions
see also: det_cell__v1, curve_block__v1
*/
-- read twice, so made once: trials are counted for it
with block as (
    select curve_no, run_no, condition_no, profile_no, subset_no, block_no, is_free, all_points
    from metric.detection_curve_block__v1
),

member as (
    select curve_no, run_no, profile_no, block_no, segment_no, is_free
    from block join base.curve_cell__v1 using (condition_no, profile_no, subset_no, block_no)
),

tried as (
    select curve_no, block_no, trial_no, is_free, is_target, score
    from base.scored_decision__v1 join member using (run_no, profile_no, block_no, segment_no)
),

-- 65,536 slices between the lowest and the highest target score: only those that hold a target need be sorted
target_span as (
    select curve_no, min(score) as lowest, max(score) as highest
    from tried where is_target = 1 and score > -9e99 and score < 9e99 group by all
),

sliced as (
    select
        tried.*,
        case
            when score <= -9e99 then -2 when score < lowest then -1 when score >= highest then 65536
            else coalesce(cast(floor(ratio(score - lowest, highest - lowest) * 65536) as integer), 0)
        end as slice_no
    from tried
    left join target_span using (curve_no)
),

slice as (
    select curve_no, slice_no, max(case when is_target = 1 then score end) as top_target from sliced group by all
),

curve as (select distinct curve_no, all_points from block),

slice_level as (
    select
        *,
        max(top_target) over (
            partition by curve_no order by slice_no asc rows between unbounded preceding and 1 preceding
        ) as level_below
    from slice join curve using (curve_no)
),

levelled as (
    select
        curve_no, block_no, trial_no, is_free, is_target, score,
        case when all_points = 1 then score else level_below end as own_level
    from sliced join slice_level using (curve_no, slice_no)
    where top_target is null
    union all
    select
        curve_no, block_no, trial_no, is_free, is_target, score,
        case
            when all_points = 1 then score
            else coalesce(
                max(case when is_target = 1 then score end) over (
                    partition by curve_no, slice_no order by score asc, is_target desc
                    rows between unbounded preceding and current row
                ),
                level_below
            )
        end as own_level
    from sliced join slice_level using (curve_no, slice_no)
    where top_target is not null
)

select
    curve_no, block_no, trial_no, is_free, is_target, score, coalesce(own_level, 0e0) as level,
    case when own_level is null then 1 else 0 end as is_below
from levelled
