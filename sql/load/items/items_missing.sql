/*
what: The first items that a run has no score for, where the condition asks for them: it has a file of items, or
      missing items are errors.
*/
with

listed as (
    select block_no from base.item where condition_no = $condition and is_listed = 1
),

asked as (
    select run_place, measure_no, block_no
    from (select distinct run_place, measure_no from items_numbered)
    cross join (select block_no from base.item where condition_no = $condition and exists (from listed))
    union all
    select run_place, measure_no, block_no
    from (select distinct run_place from items_numbered)
    cross join (
        select measure_no, block_no from base.item_of_measure where condition_no = $condition
        union
        select measure_no, block_no from items_numbered
    )
    where $missing_item = 'error' and not exists (from listed)
)

select
    run_place, block_id as item_id, count(*) over (partition by run_place) as n_item,
    row_number() over (partition by run_place order by measure, block_id) as number
from asked
anti join (select run_place, measure_no, block_no from items_numbered where is_scored) as had
    using (run_place, measure_no, block_no)
join (select block_no, block_id from base.block where condition_no = $condition) using (block_no)
join (select measure_no, measure from base.item_measure where condition_no = $condition) using (measure_no)
qualify number <= 5
