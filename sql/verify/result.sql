/*
title:  Computations whose stored numbers are others than were computed; present: computation, numbers, hash
*/
with

present as (
    select cast(said[1] as bigint) as computation_no, cast(said[2] as bigint) as n_value, said[3] as sha256
    from (select unnest(from_json($present, '[["varchar"]]')) as said)
)

select
    format(
        'computation {} ({}): its stored scores are not those of ledger.entry {} ({} numbers, {}; now {}, {}; '
        || 'ledger.result_score, ledger.result_block, ledger.result_label, ledger.result_det_point, '
        || 'ledger.result_pairing).',
        computation_no, owner, entry_no, made.n_value, left(result_sha256, 8), now.n_value, left(sha256, 8)
    ) as message
from ledger.computation_made as made
join present as now using (computation_no)
where made.n_value is distinct from now.n_value or result_sha256 is distinct from sha256
order by computation_no
