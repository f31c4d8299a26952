/*
title:  Error rates down to each cell of sorted scores, and of those above it: as doubles, and in whole units as the
        macros ratio and whole_units have them, of 1e-15 (unit) and of 1e-12 (coarse)
*/
with rate as (
    select
        *, cast(n_target - n_hit as double) / n_target as p_miss,
        cast(n_false_alarm as double) / n_nontarget as p_fa,
        cast(n_target - n_hit + n_target_here as double) / n_target as p_miss_above,
        cast(n_false_alarm - n_nontarget_here as double) / n_nontarget as p_fa_above
    from scope.sorted_cell
)

select
    *,
    cast(floor(p_miss * 1e15 + 5e-1) as bigint) as unit_miss,
    cast(floor(p_fa * 1e15 + 5e-1) as bigint) as unit_fa,
    cast(floor(p_miss_above * 1e15 + 5e-1) as bigint) as unit_miss_above,
    cast(floor(p_fa_above * 1e15 + 5e-1) as bigint) as unit_fa_above,
    cast(cast(floor(p_miss * 1e12 + 5e-1) as bigint) as decimal(38, 0)) as coarse_miss,
    cast(cast(floor(p_fa * 1e12 + 5e-1) as bigint) as decimal(38, 0)) as coarse_fa,
    cast(cast(floor(p_miss_above * 1e12 + 5e-1) as bigint) as decimal(38, 0)) as coarse_miss_above,
    cast(cast(floor(p_fa_above * 1e12 + 5e-1) as bigint) as decimal(38, 0)) as coarse_fa_above
from rate
