/*
title:    Convex hull of the curve of a run (ROCCH)
formula:  The vertices of the lower convex hull of the points (p_fa, p_miss): what thresholds, and mixtures of two
          thresholds, can reach. Between two vertices lies a pool of the best calibration (pool adjacent violators).
          laplace: the same after a target and a non-target below all scores and two above are added.
source:   N. Bruemmer, The BOSARIS Toolkit User Guide (2011), ROCCH and PAV;
          F. Provost, T. Fawcett, Robust classification for imprecise environments (2001), section 3
inputs:   metric.verification_weighted_point__v1
grain:    run_no, profile_no, subset_no, weighting, addition, vertex_no
columns:
    run_no           key          run
    profile_no       key          scoring profile
    subset_no        key          subset; 0 is all
    weighting        key          story or topic
    addition         key          none, or laplace (story alone)
    vertex_no        key          0 is reject-all, then down the thresholds
    threshold        score        lowest accepted score; NULL for reject-all, and for accept-all with additional trials
    miss             fixed count  missed targets
    false_alarm      fixed count  accepted non-targets
    total_target     fixed count  what miss is of; without additional trials
    total_nontarget  fixed count  what false_alarm is of; without additional trials
    is_made          flag         1: a vertex; 0: not looked for
edges:    SQL cannot say it without recursion: this SELECT has the two ends of every curve, and 0. When numbers are
          scored, the rows are those of the scorer, which goes once along the points with a stack, in whole numbers.
          Points on a line between two vertices are none.
class:    exact
see also: pool__v1, weighted_point__v1
*/
with

-- read once
point as (
    select
        run_no, profile_no, subset_no, weighting, point_no, threshold, miss, false_alarm, total_target, total_nontarget
    from metric.verification_weighted_point__v1
),

ends as (
    select run_no, profile_no, subset_no, weighting, 'none' as addition, max(point_no) as last_no
    from point
    group by run_no, profile_no, subset_no, weighting
)

select
    run_no, profile_no, subset_no, weighting, addition,
    case when point_no = 0 then 0 else 1 end as vertex_no,
    threshold, miss, false_alarm, total_target, total_nontarget,
    0 as is_made
from point
join ends using (run_no, profile_no, subset_no, weighting)
where point_no = 0 or point_no = last_no
