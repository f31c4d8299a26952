/*
title:    Ideal expected gain of the first k updates
formula:  Z(k) = mean of the k highest R(n) of the event: one nugget an update, the best first, no excess words
source:   the track's programs of 2014 and 2015 (the normaliser of nE[Gain])
inputs:   base.summarization_nugget__v1
grain:    condition_no, profile_no, block_no, n_update
columns:
    condition_no  key           condition
    profile_no    key           scoring profile
    block_no      key           event
    n_update      key           k, from 1 to the number of nuggets
    ideal_gain    ratio         Z(k)
class:    libm
see also: event__v1
*/
with

ranked as (

    select
        nugget.condition_no as condition_no,
        nugget.profile_no as profile_no,
        nugget.block_no as block_no,
        row_number() over (
            partition by nugget.condition_no, nugget.profile_no, nugget.block_no
            order by nugget.importance desc, nugget.nugget_no
        ) as place,
        sum(cast(floor(nugget.relevance * 1e18 + 5e-1) as decimal(38, 0))) over (
            partition by nugget.condition_no, nugget.profile_no, nugget.block_no
            order by nugget.importance desc, nugget.nugget_no
            rows between unbounded preceding and current row
        ) as sum_relevance
    from base.summarization_nugget__v1 as nugget
    where nugget.is_scored = 1

)

select
    ranked.condition_no as condition_no,
    ranked.profile_no as profile_no,
    ranked.block_no as block_no,
    ranked.place as n_update,
    cast(ranked.sum_relevance as double) / 1e18 / nullif(ranked.place, 0) as ideal_gain
from ranked as ranked
