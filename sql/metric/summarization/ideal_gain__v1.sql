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
select
    condition_no, profile_no, block_no,
    row_number() over (partition by condition_no, profile_no, block_no order by importance desc, nugget_no) as n_update,
    ratio(
        cast(
            sum(whole_units(relevance, 1e18)) over (
                partition by condition_no, profile_no, block_no order by importance desc, nugget_no
                rows between unbounded preceding and current row
            ) as double
        ) / 1e18,
        n_update
    ) as ideal_gain
from base.summarization_nugget__v1 where is_scored = 1
