/*
title:    Bayes error of log likelihood ratios over priors
formula:  At log odds x of a target before hearing, x = -10 to 10 in steps of 1/4, P = 1 / (1 + e^-x), unit costs:
              actual   = P p_miss + (1 - P) p_fa at the threshold -x
              minimum  = the least of that over all thresholds
              default_error = min(P, 1 - P): deciding without listening
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), section 6 (APE);
          N. Bruemmer, The BOSARIS Toolkit User Guide (2011), Bayes error-rate plot
inputs:   base.scored_decision__v1, base.curve_cell__v1, registry.run, registry.condition,
          metric.detection_det_population__v1, metric.verification_hull__v1
grain:    run_no, profile_no, subset_no, prior_no
columns:
    run_no         key           run
    profile_no     key           scoring profile
    subset_no      key           subset; 0 is all
    prior_no       key           from 0, the lowest prior first
    log_odds       score         natural logarithm of the prior odds of a target
    p_target       ratio [0, 1]  prior
    act_miss       ratio [0, 1]  p_miss at the threshold -log_odds; NULL where scores are no log likelihood ratios
    act_fa         ratio [0, 1]  p_fa there
    actual         ratio [0, 1]  error rate of the decisions that these scores make
    minimum        ratio [0, 1]  of the best threshold
    default_error  ratio [0, 1]  of deciding by the prior alone
edges:    Trials without a score are rejected. No row without targets or non-targets.
          minimum is over the convex hull (hull__v1).
class:    libm
see also: hull__v1, calibration__v1
*/
with digit as (
    select 0 as n union all select 1 as n union all select 2 as n union all select 3 as n union all select 4 as n
    union all select 5 as n union all select 6 as n union all select 7 as n union all select 8 as n
),

grid as (
    select
        9 * high.n + low.n as prior_no, prior_no * 25e-2 - 10 as log_odds, ratio(1, 1 + exp(-log_odds)) as p_target,
        ratio(1, 1 + exp(log_odds)) as p_other
    from digit as high
    cross join digit as low
),

-- at how many of the thresholds a score is accepted, and whether the quotient was rounded up
placed as (
    select
        run_no, profile_no, subset_no, is_target,
        case
            when score >= 10 then 81 when score < -10 then 0 else cast(floor((score + 10) * 4) as bigint) + 1
        end as n_near,
        case when n_near > 0 and score < (n_near - 1) * 25e-2 - 10 then n_near - 1 else n_near end as n_accepted
    from base.scored_decision__v1 join registry.run using (run_no)
    join base.curve_cell__v1 using (condition_no, profile_no, block_no, segment_no)
),

counted as (
    select
        run_no, profile_no, subset_no, n_accepted, whole_sum(is_target) as n_hit,
        whole_sum(1 - is_target) as n_false_alarm
    from placed group by all
),

-- threshold -log_odds is the one of rank 80 - prior_no from below
rate as (
    select
        run_no, profile_no, subset_no, prior_no, log_odds, p_target, p_other,
        ratio(n_target - whole_sum(case when n_accepted > 80 - prior_no then n_hit else 0 end), n_target) as p_miss,
        ratio(whole_sum(case when n_accepted > 80 - prior_no then n_false_alarm else 0 end), n_nontarget) as p_fa
    from metric.detection_det_population__v1 join counted using (run_no, profile_no, subset_no)
    cross join grid
    where n_target > 0 and n_nontarget > 0
    group by run_no, profile_no, subset_no, prior_no, log_odds, p_target, p_other, n_target, n_nontarget
),

least as (
    select
        run_no, profile_no, subset_no, prior_no,
        min(p_target * ratio(miss, total_target) + p_other * ratio(false_alarm, total_nontarget)) as least_error
    from metric.verification_hull__v1
    cross join grid
    where weighting = 'story' and addition = 'none'
    group by all
)

select
    run_no, profile_no, subset_no, prior_no, log_odds, p_target,
    case when score_kind = 'llr' then p_miss end as act_miss, case when score_kind = 'llr' then p_fa end as act_fa,
    case when score_kind = 'llr' then p_target * p_miss + p_other * p_fa end as actual, least_error as minimum,
    case when p_target <= p_other then p_target else p_other end as default_error
from rate join registry.run using (run_no) join registry.condition using (condition_no)
left join least using (run_no, profile_no, subset_no, prior_no)
