/*
title:    The threshold of least expected cost, for scores that are log likelihood ratios
formula:  act_threshold = 0 - ln(c_miss p_target / (c_fa (1 - p_target)))
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), section 3;
          ASVspoof 5 evaluation package (yes if score >= threshold)
inputs:   registry.profile
grain:    profile_no
columns:
    profile_no     key    scoring profile
    act_threshold  score  in natural logarithms; NULL where the profile has no costs, or one of them is 0
edges:    The quotient is that of the decimals that the profile writes, not of rounded products: 0.95 and 10 give 19/10.
          Decimals of more than 12 places (prior) or 6 (costs) are taken as the doubles that they are.
class:    libm
see also: accepted__v1, base.detection_price__v1
*/
with

decimals as (
    select
        profile_no, p_target, c_miss, c_fa,
        cast(floor(p_target * 1e12 + 5e-1) as double) as prior_units,
        cast(floor(c_miss * 1e6 + 5e-1) as double) as miss_units,
        cast(floor(c_fa * 1e6 + 5e-1) as double) as fa_units
    from registry.profile
    where p_target > 0 and p_target < 1 and c_miss > 0 and c_fa > 0
),

-- whole numbers where the profile's are short decimals: their products are exact
odds as (
    select
        profile_no,
        case
            when prior_units / 1e12 = p_target and miss_units / 1e6 = c_miss and fa_units / 1e6 = c_fa
                then ratio(miss_units * prior_units, fa_units * (1e12 - prior_units))
            else ratio(c_miss * p_target, c_fa * (1 - p_target))
        end as prior_odds
    from decimals
)

select profile_no, 0 - ln(prior_odds) as act_threshold
from odds
