/*
title:  Comparisons and intervals with another hash than they were stored with
*/
select
    format(
        'computation {}: its comparison or interval of {} ({}) is not as it was stored (ledger.result_comparison).',
        computation_no, metric, subset
    ) as message
from ledger.result_comparison as kept
where draws_version = 7
    and sha256 <> left(sha256(left(cast(to_json(kept) as varchar), -2 - length(sha256))), 16)
order by all
