/*
title:    Every point of the curve of a run: what each distinct score adds
formula:  Trials of one score are accepted together: yes if score >= threshold. Groups of equal scores are processed
          upwards; rejecting one more group leads from one point to the next.
              n_miss = targets below the score            n_false_alarm = non-targets at or above it
              difference = n_miss * n_nontarget - n_false_alarm * n_target
              difference_above = the same after this group is rejected too
          p_miss < p_fa where the difference is below 0. It rises to n_target * n_nontarget.
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), section 2;
          the 2004 TDT evaluation plan, section 5.1 (yes if score >= threshold)
inputs:   base.scored_decision__v1, base.curve_cell__v1, registry.run, metric.detection_det_population__v1
grain:    run_no, profile_no, subset_no, score
columns:
    run_no            key    run
    profile_no        key    scoring profile
    subset_no         key    subset; 0 is all
    score             key    threshold of the point: the lowest score that is accepted
    n_target          count  targets of the subset
    n_nontarget       count  non-targets of the subset
    n_target_here     count  targets of this score
    n_nontarget_here  count  non-targets of this score
    n_miss            count  targets below
    n_false_alarm     count  non-targets here and above
    difference        count  p_miss - p_fa in units of 1 / (n_target * n_nontarget)
    difference_above  count  the same at the next higher threshold; at the highest score: where nothing is accepted
edges:    Trials without a decision have the score -9e99 under every profile, the lowest that a task with such trials
          has.
          0.0 and -0.0 are one score; infinities are scores like others.
          A subset without targets or without non-targets has no curve.
class:    exact
volume:   distinct scores
see also: crossing__v1, metric.detection_det_state__v1 (corner points, in both weightings)
*/
with counted as (
    select
        run_no, profile_no, subset_no, score, whole_sum(is_target) as n_target_here,
        whole_sum(1 - is_target) as n_nontarget_here
    from base.scored_decision__v1 join registry.run using (run_no)
    join base.curve_cell__v1 using (condition_no, profile_no, block_no, segment_no)
    group by all
),

total as (
    select
        run_no, profile_no, subset_no, whole_sum(n_target_here) as n_decided_target,
        whole_sum(n_nontarget_here) as n_decided_nontarget
    from counted group by all
),

population as (select run_no, profile_no, subset_no, n_target, n_nontarget from metric.detection_det_population__v1),

-- what the system said nothing of comes last, with the same score as one that the system gave it; all others have a
-- row for each score already
lowest as (
    select
        run_no, profile_no, subset_no, n_target - coalesce(n_decided_target, 0) as n_target_here,
        n_nontarget - coalesce(n_decided_nontarget, 0) as n_nontarget_here
    from population
    left join total using (run_no, profile_no, subset_no)
    where n_target_here + n_nontarget_here > 0
    union all
    select run_no, profile_no, subset_no, n_target_here, n_nontarget_here from counted where score = -9e99
),

groups as (
    select run_no, profile_no, subset_no, score, n_target_here, n_nontarget_here from counted where score <> -9e99
    union all
    select
        run_no, profile_no, subset_no, -9e99 as score, whole_sum(n_target_here) as n_target_here,
        whole_sum(n_nontarget_here) as n_nontarget_here
    from lowest group by all
),

passed as (
    select
        *,
        cast(running_sum(n_target_here, run_no, profile_no, subset_no, score) as bigint) - n_target_here as n_miss,
        cast(running_sum(n_nontarget_here, run_no, profile_no, subset_no, score) as bigint)
            - n_nontarget_here as n_rejected
    from groups
)

select
    run_no, profile_no, subset_no, score, n_target, n_nontarget, n_target_here, n_nontarget_here, n_miss,
    n_nontarget - n_rejected as n_false_alarm, n_miss * n_nontarget - n_false_alarm * n_target as difference,
    (n_miss + n_target_here) * n_nontarget - (n_false_alarm - n_nontarget_here) * n_target as difference_above
from passed join population using (run_no, profile_no, subset_no)
where n_target > 0 and n_nontarget > 0
