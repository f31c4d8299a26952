/*
title:  Computations whose score distributions are not those that were fitted; present: each as its entry would be now.
        Those of a computation that a later one replaced were deleted with its numbers
*/
with

present as (
    select
        cast(said[1] as bigint) as computation_no, said[2] as owner, cast(said[3] as bigint) as n_row, said[4] as sha256
    from (select unnest(from_json($present, '[["varchar"]]')) as said)
),

fitted as (
    select
        cast(json_extract_string(detail, '$.computation_no') as bigint) as computation_no,
        max(entry_no) as entry_no, max_by(subject, entry_no) as subject, max_by(detail, entry_no) as detail
    from ledger.entry
    where kind = 'distribute'
    group by 1
)

select
    case
        when entry_no is null
            then format(
                'score distributions of computation {} are in the store, and no entry of the ledger says that they '
                || 'were fitted.', computation_no
            )
        else format(
            'score distributions of computation {} ({}) are not what ledger.entry {} says '
            || '(ledger.result_distribution, ledger.result_common_threshold, ledger.result_histogram).',
            computation_no, subject, entry_no
        )
    end as message
from present
left join fitted using (computation_no)
where if(
    entry_no is null, n_row > 0,
    [owner, cast(n_row as varchar), sha256]
        is distinct from [
            subject, json_extract_string(detail, '$.n_row'), json_extract_string(detail, '$.result_sha256')
        ]
)
order by computation_no
