/*
title:  Hash of the numbers of subset all of each computation, stored now or in the past
*/
with

number as (
    select computation_no, metric, weighting, value, n, version, null_reason
    from ledger.result_score
    where subset_no = 0
    union all
    select computation_no, metric, weighting, value, n, version, null_reason
    from ledger.past_score
),

line as (
    select
        computation_no,
        concat_ws('|', metric, weighting, coalesce(cast(value as varchar), 'null'), n, version, null_reason) as line
    from number
    where computation_no in (select unnest($computations))
)

select computation_no, sha256(string_agg(line, chr(10) order by line)) as sha256
from line
group by computation_no
