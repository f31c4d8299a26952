/*
what:   {none} among those of the other runs, of which one is {example!r}
advice: Check the ids: runs are compared on the items that they have in common.
*/
with

known as (
    select block_id as item_id
    from (
        select distinct condition_no, block_no
        from base.item_score
        join known_run using (run_no)
        where condition_no = $condition and not list_contains($runs, run_id)
    )
    join base.block using (condition_no, block_no)
)

select
    min(file) as file, arg_min(line, (file, line)) as line, arg_min(item_id, (file, line)) as value, run_id as run,
    if(
        count(distinct item_id) = 1,
        'the only one of the items of the run is not',
        format('none of the {:,} items of the run is', count(distinct item_id))
    ) as none,
    (select min(item_id) from known) as example
from items_row
where exists (from known) and not exists (select 1 from base.item where condition_no = $condition and is_listed = 1)
group by run_id
having count(*) filter (item_id in (from known)) = 0
order by run_id
