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
-- a corner: the group does not repeat the step of the one below, or is the lowest or the highest
with point as (
    select
        point.*, p_fa_stop,
        case
            when n_miss + n_target_here = n_target and n_false_alarm = n_nontarget_here then 1
            when n_target_here = lag(cast(n_target_here as bigint)) over below
                and n_nontarget_here = lag(cast(n_nontarget_here as bigint)) over below then 0
            else 1
        end as is_corner,
        difference <= 0 and difference_above > 0 as is_crossing,
        cast(n_nontarget_here as decimal(38, 0)) * (2 * (n_target - n_miss) - n_target_here) as n_pair
    from metric.verification_point__v1 as point join registry.profile using (profile_no)
    window below as (partition by run_no, profile_no, subset_no order by score asc)
),

near as (
    select
        run_no, profile_no, subset_no, n_target as n_all_target, n_nontarget as n_all_nontarget, p_fa_stop as stop,
        sum(n_pair) as n_pair_of_all,
        max(difference) filter (where is_corner = 1 and difference <= 0) as difference_corner,
        min(difference) filter (where is_corner = 1 and difference > 0) as difference_corner_above,
        max(
            case when is_corner = 1 and ratio(n_false_alarm, n_nontarget) <= p_fa_stop then n_false_alarm else 0 end
        ) as n_stop
    from point group by all
)

-- of the points next to the crossing, and of those where the area ends, the integers
select
    run_no, profile_no, subset_no, n_all_target as n_target, n_all_nontarget as n_nontarget,
    max(score) filter (where is_crossing) as score, max(n_target_here) filter (where is_crossing) as n_target_here,
    max(n_nontarget_here) filter (where is_crossing) as n_nontarget_here,
    max(n_miss) filter (where is_crossing) as n_miss, max(n_false_alarm) filter (where is_crossing) as n_false_alarm,
    max(n_miss) filter (where difference = difference_corner) as corner_miss,
    max(n_false_alarm) filter (where difference = difference_corner) as corner_false_alarm,
    coalesce(max(n_miss) filter (where difference = difference_corner_above), n_all_target) as corner_miss_above,
    coalesce(max(n_false_alarm) filter (where difference = difference_corner_above), 0) as corner_false_alarm_above,
    n_pair_of_all as n_ordered, sum(case when n_false_alarm <= n_stop then n_pair else 0 end) as n_ordered_stop,
    case
        when stop > 0
            then max(
                case
                    -- rates are compared, rounded once: 7 of 25 is 0.28, while 0.28 * 25 is more than 7 in doubles
                    when n_nontarget_here = 0 or ratio(n_false_alarm, n_nontarget) < p_fa_stop
                        or ratio(n_false_alarm - n_nontarget_here, n_nontarget) >= p_fa_stop then null
                    when ratio(n_false_alarm, n_nontarget) = p_fa_stop then n_target - n_miss
                    else n_target - n_miss - n_target_here + n_target_here
                        * ((p_fa_stop * n_nontarget - (n_false_alarm - n_nontarget_here)) / n_nontarget_here)
                end
            )
        when stop = 0 then 0
    end as hit_at_stop
from point join near using (run_no, profile_no, subset_no)
group by run_no, profile_no, subset_no, n_all_target, n_all_nontarget, n_pair_of_all, stop
