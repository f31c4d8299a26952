/*
title:    The rows of a comparison as they are printed: p values corrected for the family of the call
source:   S. Holm (1979); Y. Benjamini, Y. Hochberg (1995)
*/
with

printed as (
    select name, number.value as score, n
    from (
        select unnest(cast($printed as struct(name varchar, value double, n bigint)[]), recursive := true)
    ) as number
),

tested as (
    select run_id, baseline_id, q as heterogeneity, test.p as heterogeneity_p
    from (
        select
            unnest(cast($tests as struct(run_id varchar, baseline_id varchar, q double, p double)[]), recursive := true)
    ) as test
),

ranked as (
    select
        compared_pair.*, count(p) over () as family_size,
        min(case when p is not null then smallest_p end) over () as least_p,
        row_number() over (order by p nulls last, row_no) as family_rank
    from compared_pair
)

select
    ranked.* exclude (smallest_p, n_cluster, seed, least_p, family_rank), value as mean,
    baseline_value as baseline_mean, own.score, theirs.score as baseline_score, own.n as n_score,
    n_target + n_nontarget as n_trial, nullif(n_draw, 0) as n_resample,
    case when n_draw > 0 then seed end as seed, $correction as correction,
    case
        when family_size > 0 then least(1, least_p * case $correction when 'holm' then family_size else 1 end)
    end as smallest_p,
    case
        when n_target is null then cast(n_cluster as varchar)
        when unit <> 'trial' then n_unit
    end as n_cluster,
    case
        when p is null then null
        when $correction = 'holm' then max(least(1, p * (family_size + 1 - family_rank))) over (
            order by family_rank rows between unbounded preceding and current row
        )
        when $correction = 'bh' then min(least(1, p * family_size / family_rank)) over (
            order by family_rank rows between current row and unbounded following
        )
        else p
    end as p_adjusted,
    heterogeneity, heterogeneity_p
from ranked
left join printed as own on own.name = run_id
left join printed as theirs on theirs.name = baseline_id
left join tested using (run_id, baseline_id)
order by row_no
