/*
what:   {n:,} {items} in several clusters{refused}
advice: {advice}
*/
select
    first_row.file, first_row.line, first_row.item_id as value, n,
    if(n = 1, 'item is', 'items are') as items,
    if(contains($policies, 'overlap=error'), 'E922', 'W922') as code,
    if(contains($policies, 'overlap=error'), ', which a profile refuses (overlap = error)', '') as refused,
    if(
        contains($policies, 'overlap=error'),
        'Keep one cluster an item, or choose a profile with overlap = "membership".',
        'Metrics of partitions are NULL then, unless a policy of the profile leaves one cluster an item.'
    ) as advice
from (
    select min(first_row) as first_row, count(distinct item_id) as n
    from (
        select
            run_id, item_id, first_row,
            row_number() over (partition by run_id, block_id, item_id order by first_row, cluster_id) as nth
        from (
            select
                run_id, block_id, item_id, cluster_id,
                min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) as first_row
            from partition_row
            where cluster_id is not null and hash(block_id, item_id) in (select item_hash from partition_repeated)
            group by run_id, block_id, item_id, cluster_id
        )
    )
    where nth > 1
    group by run_id
)
