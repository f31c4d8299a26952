/*
title:    Computed rows of comparisons and intervals as they are stored, with simulation error, smallest p and hash
*/
with

typed as (
    select
        * replace (
            nullif(value, undefined) as value, nullif(baseline_value, undefined) as baseline_value,
            nullif(difference, undefined) as difference, nullif(low, undefined) as low, nullif(high, undefined) as high,
            nullif(value_low, undefined) as value_low, nullif(value_high, undefined) as value_high,
            nullif(baseline_low, undefined) as baseline_low, nullif(baseline_high, undefined) as baseline_high,
            nullif(se, undefined) as se, nullif(statistic, undefined) as statistic, nullif(p, undefined) as p,
            nullif(effect_size, undefined) as effect_size, nullif(deviation, undefined) as deviation,
            case when n_target is null then is_exact when test = 'bootstrap' then 0 else 1 end as is_exact
        ),
        -- all differences on one side
        case when n_differing > 1 then pow(2.0, 1 - n_differing) else 1.0 end as of_signs
    from compared_pair cross join (select cast('nan' as double) as undefined) as nan
),

made as (
    select
        * exclude (row_no, condition_id, profile_id, run_id, baseline_id, undefined, of_signs) replace (
            case
                when is_exact = 1 then 0.0
                when p is not null then sqrt(greatest(0.0, p * (1 - p)) / case test
                    when 'randomisation' then n_permutation
                    else n_draw - coalesce(n_undefined_draw, 0)
                end)
            end as mc_error,
            case
                when n_target is not null and test = 'bootstrap' then 2.0 / (n_draw + 1)
                when n_target is not null then 0.0
                when p is null then null
                when test = 'randomisation' and n_differing > 20 then greatest(of_signs, 1.0 / (n_permutation + 1))
                when test = 'bootstrap' and n_differing > 0 then least(1.0, 2.0 / (n_draw + 1))
                when test = 't' and n_differing > 0 then 0.0
                when test = 'bootstrap' then 1.0
                else of_signs
            end as smallest_p,
            '' as sha256
        )
    from typed
)

select made.* replace (left(sha256(left(cast(to_json(made) as varchar), -2)), 16) as sha256)
from made
