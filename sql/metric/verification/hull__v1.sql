/*
title:    Convex hull of the curve of a run (ROCCH)
formula:  The vertices of the lower convex hull of the points (p_fa, p_miss): what thresholds, and mixtures of two
          thresholds, can reach. Between two vertices is a pool of the best calibration (pool adjacent violators).
          laplace: the same after a target and a non-target below all scores and two above are added.
source:   N. Bruemmer, The BOSARIS Toolkit User Guide (2011), ROCCH and PAV;
          F. Provost, T. Fawcett, Robust classification for imprecise environments (2001), section 3
inputs:   metric.verification_weighted_point__v1, registry.profile
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
edges:    Collinear points are not vertices.
          Slopes are fractions of whole numbers, compared exactly: four digits of the quotient to the base 10^15, which
          order all fractions of numbers up to 10^22. Work: points times vertices (about 200 for 10^6 trials); the
          kernel `tdtsql.scoring.curve.hull` gives the same rows by one pass with a stack.
class:    exact
portable: no, recursion with an aggregate
see also: pool__v1, weighted_point__v1
*/
with recursive

-- read once
point as materialized (
    select
        run_no, profile_no, subset_no, weighting, point_no, threshold, total_target, total_nontarget, min_cllr,
        cast(miss as hugeint) as miss, cast(false_alarm as hugeint) as false_alarm
    from metric.verification_weighted_point__v1 join registry.profile using (profile_no)
),

-- laplace: a target and a non-target more above all scores, and below all
curve as materialized (
    select
        run_no, profile_no, subset_no, weighting, 'none' as addition, point_no, threshold, miss, false_alarm,
        total_target, total_nontarget
    from point
    union all
    select
        run_no, profile_no, subset_no, weighting, 'laplace' as addition, point_no + 2 as point_no, threshold,
        miss + 1 as miss, false_alarm + 1 as false_alarm, total_target, total_nontarget
    from point where weighting = 'story' and min_cllr = 'laplace'
    union all
    select
        run_no, profile_no, subset_no, weighting, 'laplace' as addition, added_no + after_all * last_no as point_no,
        null as threshold, cast(n_miss + per_target * total_target as hugeint) as miss,
        cast(n_false_alarm + per_nontarget * total_nontarget as hugeint) as false_alarm, total_target, total_nontarget
    from (
        select run_no, profile_no, subset_no, weighting, total_target, total_nontarget, max(point_no) as last_no
        from point where weighting = 'story' and min_cllr = 'laplace' group by all
    ) as ends
    cross join (values (0, 0, 2, 1, 0, 0), (1, 0, 2, 1, 1, 0), (3, 1, 1, 0, 2, 1), (4, 1, 0, 0, 2, 1)
    ) as added(added_no, after_all, n_miss, per_target, n_false_alarm, per_nontarget)
),

-- from a vertex to the point in whose direction a false alarm saves most misses; of points on one line the farthest
hull as (
    select run_no, profile_no, subset_no, weighting, addition, 0 as vertex_no, point_no, miss, false_alarm
    from curve where point_no = 0
    union all
    select run_no, profile_no, subset_no, weighting, addition, vertex_no + 1 as vertex_no,
        best.to_no as point_no, best.to_miss as miss, best.to_fa as false_alarm
    from (
        select
            run_no, profile_no, subset_no, weighting, addition, vertex_no,
            arg_max(
                struct_pack(to_no := point_no, to_miss := miss, to_fa := false_alarm),
                struct_pack(
                    d0 := coalesce(saved // nullif(added, 0), 1000000000000000000000000000000),
                    d1 := coalesce(rest // nullif(added, 0), 0),
                    d2 := coalesce((rest % nullif(added, 0) * 1000000000000000) // nullif(added, 0), 0),
                    d3 := coalesce(
                        ((rest % nullif(added, 0) * 1000000000000000) % nullif(added, 0) * 1000000000000000)
                            // nullif(added, 0),
                        0
                    ),
                    far := point_no
                )
            ) as best
        from (
            select
                run_no, profile_no, subset_no, weighting, addition, hull.vertex_no, curve.point_no, curve.miss,
                curve.false_alarm, hull.miss - curve.miss as saved, curve.false_alarm - hull.false_alarm as added,
                (hull.miss - curve.miss) % nullif(curve.false_alarm - hull.false_alarm, 0) * 1000000000000000 as rest
            from hull join curve using (run_no, profile_no, subset_no, weighting, addition)
            where curve.point_no > hull.point_no
        ) as step
        group by all
    ) as chosen
)

select
    run_no, profile_no, subset_no, weighting, addition, cast(vertex_no as bigint) as vertex_no, threshold,
    cast(curve.miss as decimal(38, 0)) as miss, cast(curve.false_alarm as decimal(38, 0)) as false_alarm,
    cast(total_target as decimal(38, 0)) as total_target, cast(total_nontarget as decimal(38, 0)) as total_nontarget
from hull join curve using (run_no, profile_no, subset_no, weighting, addition, point_no)
