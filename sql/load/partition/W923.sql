/*
what:   {n:,} of {n_gold:,} {items} of the gold {are} in no cluster of the run{refused}
advice: {advice}
*/
-- that a run has no cluster at all is another problem, and that its files have no rows follows from one
select
    0 as file, null as line, shown as run, n_gold - n_both as n, n_gold, value,
    'item' || if(n_gold = 1, '', 's') as items,
    if(n = 1, 'is', 'are') as are,
    if(contains($policies, 'missing_item=error'), 'E923', 'W923') as code,
    if(contains($policies, 'missing_item=error'), ', which a profile refuses (missing_item = error)', '') as refused,
    if(
        contains($policies, 'missing_item=error'),
        'Add them, or choose a profile that says how they count.',
        'The profile says how they count (missing_item).'
    ) as advice
from (
    from partition_tally
    where n_gold > n_both and not is_disjoint
        and (n_answer > 0 or contains($policies, 'missing_item=error') and exists (from partition_row))
) as tally
join (
    select run_no, min(item_id) as value
    from (select run_no from partition_tally where n_gold > n_both)
    cross join (from base.partition_item where condition_no = $condition)
    semi join (from base.partition_gold where condition_no = $condition) as gold using (item_no)
    anti join (from partition_numbered where cluster_no is not null) as answer using (run_no, item_no)
    group by run_no
) using (run_no)
order by run_no
