/*
what:   {none} among those of the file of items, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- where another run has some, the items of this one are reported one by one, unless these are left out
with

known as (select block_id as item_id from base.block where condition_no = $condition),

lost as (
    select
        run_id, min({'file': file, 'line': line, 'item_id': item_id}) as first_row,
        count(distinct item_id) as n_item
    from items_row
    where exists (select 1 from base.item where condition_no = $condition and is_listed = 1)
    group by run_id
    having count(*) filter (item_id in (from known)) = 0
)

select
    first_row.file, first_row.line, first_row.item_id as value,
    if(
        n_item = 1,
        'the only one of the items of the run is not',
        format('none of the {:,} items of the run is', n_item)
    ) as none,
    (select min(item_id) from known) as example
from lost
where
    $unknown_item = 'ignore'
    or (select count(*) from lost) = (select count(*) from (select distinct run_id from items_row))
