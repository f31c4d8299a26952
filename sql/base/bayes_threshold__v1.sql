/*
title:    The threshold of least expected cost, for scores that are log likelihood ratios
formula:  act_threshold = 0 - ln(c_miss p_target / (c_fa (1 - p_target)))
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), section 3;
          ASVspoof 5 evaluation package (yes if score >= threshold)
inputs:   registry.profile, registry.condition, registry.condition_profile
grain:    condition_no, profile_no
columns:
    condition_no   key    condition, whose files hold llr, probability or log10lr (scores)
    profile_no     key    scoring profile
    act_threshold  score  in natural logarithms; NULL where the profile has no costs, or one of them is 0
edges:    Of probabilities it is ln(t / (1 - t)), t = c_fa (1 - p_target) / (c_fa (1 - p_target) + c_miss p_target); of
          log10lr ln(10) times the decadic logarithm of c_fa (1 - p_target) / (c_miss p_target), which is whole for a
          power of ten.
          The quotient is that of the decimals that the profile writes, not of rounded products: 0.95 and 10 give 19/10.
          Decimals of more than 12 places (prior) or 6 (costs) are used as doubles.
          The threshold is converted like the scores of a file, so that a probability equal to t is accepted.
class:    libm
see also: decision_rule__v1, detection_price__v1, metric.verification_accepted__v1
*/
with

unit as (
    select
        profile_no, p_target, c_miss, c_fa, cast(floor(p_target * 1e12 + 5e-1) as double) as prior_units,
        cast(floor(c_miss * 1e6 + 5e-1) as double) as miss_units, cast(floor(c_fa * 1e6 + 5e-1) as double) as fa_units
    from registry.profile where p_target > 0 and p_target < 1 and c_miss > 0 and c_fa > 0
),

-- whole numbers where the profile's are short decimals: their products are exact
weight as (
    select
        profile_no, prior_units / 1e12 = p_target and miss_units / 1e6 = c_miss and fa_units / 1e6 = c_fa as is_short,
        case when is_short then cast(miss_units as double) * prior_units else c_miss * p_target end as miss,
        case when is_short then cast(fa_units as double) * (1e12 - prior_units) else c_fa * (1 - p_target) end as fa
    from unit
),

decadic as (
    select profile_no, miss, fa, ratio(ln(ratio(fa, miss)), ln(1e1)) as decade from weight
)

select
    condition_no, profile_no,
    case scores
        when 'probability' then ln(ratio(ratio(fa, fa + miss), 1 - ratio(fa, fa + miss)))
        when 'log10lr' then
            ln(1e1) * case when abs(decade - floor(decade + 5e-1)) < 1e-14 then floor(decade + 5e-1) else decade end
        else 0 - ln(ratio(miss, fa))
    end as act_threshold
from registry.condition join registry.condition_profile using (condition_no)
join decadic using (profile_no)
