/*
title:    Actual cost at the Bayes threshold, and cost of log likelihood ratios before and after calibration
formula:  act_c_det from act_p_miss and act_p_fa as any detection cost; act_c_det_norm over that of deciding blindly
          cllr = (mean over targets of log2(1 + e^-score) + mean over non-targets of log2(1 + e^score)) / 2
          calibration_loss = cllr - min_cllr
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), sections 3 to 5;
          ASVspoof 5 evaluation package (actual cost); min_cllr = laplace: FoCal and BOSARIS toolkits
inputs:   metric.verification_llr_rate__v1, metric.verification_min_cllr__v1, metric.detection_det_population__v1,
          base.detection_subset__v1, base.detection_price__v1, base.curve_request, registry.condition, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    weighting         key           story or topic
    act_threshold     score         threshold of least expected cost, whatever the run
    act_p_miss        ratio [0, 1]  NULL without targets
    act_p_fa          ratio [0, 1]  NULL without non-targets
    act_c_det         cost          NULL where a rate it needs is
    act_c_det_norm    cost          1 is a system that decides without reading; more is worse than that
    cllr              cost          bits; 1 is a system that says nothing; infinite where a certain score is wrong
    min_cllr          cost          bits, after the best calibration
    calibration_loss  score         bits that calibration would save; min_cllr = laplace may leave less than 0
    n_miss_behind     count         targets, or, for topic, topics; 0 where act_p_miss is NULL
    n_fa_behind       count         non-targets, or topics; 0 where act_p_fa is NULL
    n_actual          count         trials, or topics with targets; 0 where act_c_det is NULL
    n_cllr            count         the same; 0 where cllr is NULL
    n_pooled          count         the same; 0 where min_cllr is NULL
    n_loss            count         the same; 0 where calibration_loss is NULL
    n_trial           count         trials, or topics with non-targets; 0 where act_threshold is NULL
    null_reason       text          of act_* and cllr: no targets, no non-targets, scores are not log likelihood ratios,
                                    trials without a score
metrics:
    act_threshold     n=n_trial        best=none    Threshold of least expected cost
    act_p_miss        n=n_miss_behind  best=lowest  Miss probability at that threshold
    act_p_fa          n=n_fa_behind    best=lowest  False-alarm probability at that threshold
    act_c_det         n=n_actual       best=lowest  Detection cost at that threshold
    act_c_det_norm    n=n_actual       best=lowest  Normalised detection cost at that threshold
    cllr              n=n_cllr         best=lowest  Cost of log likelihood ratios
    min_cllr          n=n_pooled       best=lowest  Cost of log likelihood ratios after the best calibration
    calibration_loss  n=n_loss         best=lowest  Cost that calibration would save
edges:    Scores that are no log likelihood ratios (score_kind = score) have no actual cost and no cllr: NULL.
          A trial without a score is rejected; with such trials cllr is NULL.
          min_cllr = laplace is of story alone, and of topic where one topic has all trials.
class:    libm
see also: error_rate__v1, llr_rate__v1, min_cllr__v1
*/
-- bits: infinite where one cost is
with counted as (
    select
        run_no, profile_no, subset_no, weighting, act_threshold, act_p_miss, act_p_fa, min_cllr.min_cllr as least,
        case
            when coalesce(n_silent_trial, 1) > 0 then null
            when mean_target >= 0 and mean_nontarget >= 0
                then coalesce(worst_cost, (mean_target / 2 + mean_nontarget / 2) / ln(2))
        end as bits,
        case when act_p_miss >= 0 then coalesce(n_miss_behind, 0) else 0 end as n_miss_there,
        case when act_p_fa >= 0 then coalesce(n_fa_behind, 0) else 0 end as n_fa_there,
        coalesce(case when weighting = 'story' then n_target + n_nontarget else n_block_nontarget end, 0) as n_all,
        case when weighting = 'story' then n_target + n_nontarget else n_block_miss end as n_behind,
        case
            when coalesce(n_target, 0) = 0 then 'no targets'
            when n_nontarget = 0 then 'no non-targets'
            when score_kind = 'score' then 'scores are not log likelihood ratios'
            when n_silent_trial > 0 then 'trials without a score'
            when act_threshold is null then 'no costs'
        end as reason
    from base.detection_subset__v1 as subset join registry.condition using (condition_no)
    join base.curve_request using (condition_no, subset_no)
    join registry.profile using (profile_no)
    cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
    left join metric.detection_det_population__v1 using (run_no, profile_no, subset_no)
    left join metric.verification_llr_rate__v1 using (run_no, profile_no, subset_no, weighting)
    left join metric.verification_min_cllr__v1 as min_cllr
        on min_cllr.run_no = subset.run_no and min_cllr.profile_no = subset.profile_no
        and min_cllr.subset_no = subset.subset_no and min_cllr.addition = profile.min_cllr
        and min_cllr.weighting
            = case when weighting.weighting = 'story' or is_one_topic = 1 then 'story' else 'topic' end
)

select
    run_no, profile_no, subset_no, weighting, act_threshold, act_p_miss, act_p_fa,
    detection_cost(act_p_miss, act_p_fa, weight_miss, weight_fa) as act_c_det,
    normalised_cost(act_c_det, c_default) as act_c_det_norm, bits as cllr, least as min_cllr,
    bits - least as calibration_loss, n_miss_there as n_miss_behind, n_fa_there as n_fa_behind,
    case when act_p_miss >= 0 and act_p_fa >= 0 then n_behind else 0 end as n_actual,
    case when bits >= 0 then n_behind else 0 end as n_cllr, case when least >= 0 then n_behind else 0 end as n_pooled,
    case when bits >= 0 and least >= 0 then n_behind else 0 end as n_loss,
    case when act_threshold is not null then n_all else 0 end as n_trial, reason as null_reason
from counted join base.detection_price__v1 using (profile_no)
