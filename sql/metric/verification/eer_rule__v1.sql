/*
title:    Equal error rate of single trials under six rules
formula:  With T targets and N non-targets, and the group of equal scores where p_miss = p_fa is crossed:
              nearest_point   (p_miss + p_fa) / 2 at the point with the smallest |p_miss - p_fa|
              nearest_corner  the same over corner points
              nearest_max     the larger of the two rates there
              nearest_trial   as nearest_point with a point after every trial; of equal scores the targets come first
              target_step     i / T of the first target i, from 0 upwards, with at least N - floor(N i / T) non-targets
                              below it; (T - 1) / T if none
              interpolated    where the line between two points meets p_miss = p_fa
source:   NIST MediScore (nearest_corner); ASVspoof 2019, 2021 and 5, compute_eer (nearest_trial); voxceleb_trainer,
          tuneThreshold (nearest_max); Kaldi, compute-eer (target_step); VoxSRC, compute_EER (interpolated)
inputs:   metric.verification_crossing__v1
grain:    run_no, profile_no, subset_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    score             score         of the group where the curve crosses p_miss = p_fa
    n_target_here     count         targets of that score
    n_nontarget_here  count         non-targets of that score
    nearest_point     ratio [0, 1]  textbooks
    nearest_corner    ratio [0, 1]  NIST MediScore
    nearest_max       ratio [0, 1]  voxceleb_trainer
    nearest_trial     ratio [0, 1]  ASVspoof
    target_step       ratio [0, 1]  Kaldi
    interpolated      ratio [0, 1]  VoxSRC
edges:    Equal distance to p_miss = p_fa: the higher threshold; nearest_trial takes the lower.
          Whole numbers throughout, and one division at the end, while T N is below 2^52.
class:    exact
see also: crossing__v1, eer__v1
*/
-- n_below = T N (p_fa - p_miss) at the lower point; n_step = how many whole targets that is; first: the last point
-- after a single trial where p_miss <= p_fa: so many targets of the group, then so many non-targets; the rest: errors,
-- times 2 T N, at the two points that each rule chooses from, and how far they are from p_miss = p_fa
with side as (
    select
        *, n_false_alarm * n_target - n_miss * n_nontarget as n_below,
        n_target_here * n_nontarget + n_nontarget_here * n_target as n_across,
        cast(floor(ratio(n_below, n_nontarget)) as bigint) as n_step, n_step < n_target_here as is_target_next,
        case when is_target_next then n_step else n_target_here end as n_target_first,
        case
            when is_target_next then 0
            else cast(floor(ratio(n_below - n_target_here * n_nontarget, n_target)) as bigint)
        end as n_nontarget_first,
        n_miss * n_nontarget + n_false_alarm * n_target as point_sum, corner_miss * n_nontarget as corner_miss_part,
        corner_false_alarm * n_target as corner_fa_part, corner_miss_above * n_nontarget as above_miss_part,
        corner_false_alarm_above * n_target as above_fa_part,
        above_miss_part - above_fa_part <= corner_fa_part - corner_miss_part as is_above,
        (n_miss + n_target_first) * n_nontarget + (n_false_alarm - n_nontarget_first) * n_target as trial_sum,
        n_below - n_target_first * n_nontarget - n_nontarget_first * n_target as trial_below,
        case when is_target_next then n_nontarget else n_target end as trial_step,
        case when is_target_next then n_nontarget else -n_target end as trial_change
    from metric.verification_crossing__v1
)

select
    run_no, profile_no, subset_no, score, n_target_here, n_nontarget_here,
    ratio(
        point_sum
        + case
            when n_across - n_below <= n_below then n_target_here * n_nontarget - n_nontarget_here * n_target else 0
        end,
        2 * n_target * n_nontarget
    ) as nearest_point,
    ratio(
        case when is_above then above_miss_part + above_fa_part else corner_miss_part + corner_fa_part end,
        2 * n_target * n_nontarget
    ) as nearest_corner,
    ratio(case when is_above then above_miss_part else corner_fa_part end, n_target * n_nontarget) as nearest_max,
    ratio(
        trial_sum + case when trial_step - trial_below < trial_below then trial_change else 0 end,
        2 * n_target * n_nontarget
    ) as nearest_trial,
    ratio(
        case
            when n_target_here > 0 and (n_target_here - 1) * n_nontarget >= n_below
                then n_miss + n_step + case when n_step * n_nontarget < n_below then 1 else 0 end
            when n_miss + n_target_here < n_target then n_miss + n_target_here
            else n_target - 1
        end,
        n_target
    ) as target_step,
    ratio(
        cast(n_miss as decimal(38, 0)) * n_across + cast(n_below as decimal(38, 0)) * n_target_here,
        cast(n_target as decimal(38, 0)) * n_across
    ) as interpolated
from side
