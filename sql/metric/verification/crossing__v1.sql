/*
title:    Where the curve of a run has equal error rates, and the area under it
formula:  The curve crosses p_miss = p_fa within one group of equal scores: difference <= 0 < difference_above.
          Of it the integers that every rule needs; of the area twice the number of pairs (target, non-target) in the
          right order, ties one half.
          Corner points, as scikit-learn's roc_curve leaves them: all but those where as many targets and as many
          non-targets follow as went before; the highest score, the lowest, and reject-all stay.
source:   NIST MediScore (corner points, area up to a false-alarm probability);
          J. Hanley, B. McNeil, The meaning and use of the area under a ROC curve (1982)
inputs:   metric.verification_point__v1, registry.profile
grain:    run_no, profile_no, subset_no
columns:
    run_no                    key          run
    profile_no                key          scoring profile
    subset_no                 key          subset; 0 is all
    n_target                  count        targets
    n_nontarget               count        non-targets
    score                     score        of the group where the curve crosses
    n_target_here             count        targets of the group
    n_nontarget_here          count        non-targets of the group
    n_miss                    count        targets below the group
    n_false_alarm             count        non-targets of the group and above
    corner_miss               count        missed targets at the last corner with p_miss <= p_fa
    corner_false_alarm        count        false alarms there
    corner_miss_above         count        missed targets at the first corner with p_miss > p_fa
    corner_false_alarm_above  count        false alarms there
    n_ordered                 fixed count  pairs in the right order, times 2; ties count 1
    n_ordered_stop            fixed count  the same up to the last corner with p_fa <= p_fa_stop
    hit_at_stop               count        accepted targets where p_fa = p_fa_stop, on the line between the points
edges:    A subset without targets or without non-targets has no row.
          Of several points with p_fa = p_fa_stop the one with the fewest accepted targets.
class:    exact
see also: eer__v1, score__v1
*/
with

-- a corner: the group does not repeat the step of the one below, or is the lowest or the highest
point as (
    select
        run_no, profile_no, subset_no, score, n_target, n_nontarget, n_target_here, n_nontarget_here, n_miss,
        n_false_alarm, difference, difference_above, p_fa_stop,
        case
            when n_miss + n_target_here = n_target and n_false_alarm = n_nontarget_here then 1
            when n_target_here = lag(cast(n_target_here as bigint)) over (
                partition by run_no, profile_no, subset_no order by score asc
            ) and n_nontarget_here = lag(cast(n_nontarget_here as bigint)) over (
                partition by run_no, profile_no, subset_no order by score asc
            ) then 0
            else 1
        end as is_corner
    from metric.verification_point__v1
    join registry.profile using (profile_no)
),

near as (
    select
        run_no, profile_no, subset_no, n_target as n_all_target, n_nontarget as n_all_nontarget,
        max(case when is_corner = 1 and difference <= 0 then difference end) as difference_corner,
        min(case when is_corner = 1 and difference > 0 then difference end) as difference_corner_above,
        max(
            case when is_corner = 1 and ratio(n_false_alarm, n_nontarget) <= p_fa_stop then n_false_alarm else 0 end
        ) as n_stop,
        sum(cast(n_nontarget_here as decimal(38, 0)) * (2 * (n_target - n_miss) - n_target_here)) as n_pair
    from point
    group by run_no, profile_no, subset_no, n_target, n_nontarget
),

-- of the points next to the crossing, and of those where the area ends, the integers
chosen as (
    select
        run_no, profile_no, subset_no,
        max(case when difference <= 0 and difference_above > 0 then score end) as crossing_score,
        max(case when difference <= 0 and difference_above > 0 then n_target_here end) as crossing_target,
        max(case when difference <= 0 and difference_above > 0 then n_nontarget_here end) as crossing_nontarget,
        max(case when difference <= 0 and difference_above > 0 then n_miss end) as crossing_miss,
        max(case when difference <= 0 and difference_above > 0 then n_false_alarm end) as crossing_false_alarm,
        max(case when difference = difference_corner then n_miss end) as corner_miss,
        max(case when difference = difference_corner then n_false_alarm end) as corner_false_alarm,
        max(case when difference = difference_corner_above then n_miss end) as miss_above,
        max(case when difference = difference_corner_above then n_false_alarm end) as false_alarm_above,
        sum(
            case
                when n_false_alarm <= n_stop
                    then cast(n_nontarget_here as decimal(38, 0)) * (2 * (n_target - n_miss) - n_target_here)
                else 0
            end
        ) as n_pair_stop,
        max(
            case
                when n_nontarget_here > 0 and n_false_alarm - n_nontarget_here < p_fa_stop * n_nontarget
                    and p_fa_stop * n_nontarget <= n_false_alarm
                    then n_target - n_miss - n_target_here + n_target_here
                    * ((p_fa_stop * n_nontarget - (n_false_alarm - n_nontarget_here)) / n_nontarget_here)
            end
        ) as hit_between
    from point
    join near using (run_no, profile_no, subset_no)
    group by run_no, profile_no, subset_no
)

select
    run_no, profile_no, subset_no, n_all_target as n_target, n_all_nontarget as n_nontarget, crossing_score as score,
    crossing_target as n_target_here, crossing_nontarget as n_nontarget_here, crossing_miss as n_miss,
    crossing_false_alarm as n_false_alarm, corner_miss, corner_false_alarm,
    coalesce(miss_above, n_all_target) as corner_miss_above, coalesce(false_alarm_above, 0) as corner_false_alarm_above,
    n_pair as n_ordered, n_pair_stop as n_ordered_stop,
    case when p_fa_stop > 0 then hit_between when p_fa_stop = 0 then 0 end as hit_at_stop
from chosen
join near using (run_no, profile_no, subset_no)
join registry.profile using (profile_no)
