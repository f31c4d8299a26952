/*
what:   {n:,} of {n_answer:,} {items} of the run {have} no gold cluster{refused}
advice: {advice}
*/
select
    first_row.file, first_row.line, first_row.item_id as value,
    n_answer - n_both as n, n_answer,
    'item' || if(n_answer = 1, '', 's') as items,
    if(n = 1, 'has', 'have') as have,
    if(contains($policies, 'spurious_item=error'), 'E924', 'W924') as code,
    if(contains($policies, 'spurious_item=error'), ', which a profile refuses (spurious_item = error)', '') as refused,
    if(
        contains($policies, 'spurious_item=error'),
        'Remove them, or choose a profile that says how they count.',
        'The profile says how they count (spurious_item).'
    ) as advice
from partition_tally
join (
    select run_no, min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) as first_row
    from partition_spurious
    group by run_no
) using (run_no)
where not is_disjoint
