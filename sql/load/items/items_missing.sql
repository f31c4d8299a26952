/*
what: The first items that a run has no score for: of the file of items, else of those that runs have, but for earlier
      ones that these replace. There a sample without a score counts where missing items are errors; elsewhere W961
      tells of it.
*/
with

listed as (
    select block_no from base.item where condition_no = $condition and is_listed = 1
),

had as (
    select * from items_numbered where is_scored or $missing_item <> 'error' and not exists (from listed)
),

earlier as (
    select distinct measure_no, block_no
    from base.item_score
    join known_run using (run_no)
    where condition_no = $condition and not list_contains($runs, run_id)
),

known as (
    from earlier
    union
    select measure_no, block_no from items_numbered
),

shared as (
    from earlier
    union all
    select measure_no, block_no
    from items_numbered
    group by measure_no, block_no
    having min(run_place) < max(run_place)
),

-- most runs have all items in one epoch
short as (
    select run_place
    from (
        select run_place, epoch, count(*) filter (is_scored or $missing_item <> 'error') as n
        from items_numbered
        group by run_place, epoch
    )
    group by run_place
    having max(n) < (select count(*) from known)
),

asked as (
    select run_place, measure_no, block_no
    from (select distinct run_place, measure_no from items_numbered)
    cross join (select block_no from base.item where condition_no = $condition and exists (from listed))
    union all
    select run_place, measure_no, block_no
    from short cross join known
    where not exists (from listed)
        -- a run need not have every measure; W975 and W717 tell of one that has no item of the others
        and (
            $missing_item = 'error'
            or (run_place, measure_no) in (select (run_place, measure_no) from items_numbered)
            and run_place in (select run_place from items_numbered semi join shared using (measure_no, block_no))
        )
)

select
    run_place, item_id, count(*) over (partition by run_place) as n_item,
    row_number() over (partition by run_place order by item_id) as number
from (
    select distinct run_place, block_id as item_id
    from asked
    anti join had using (run_place, measure_no, block_no)
    join (select block_no, block_id from base.block where condition_no = $condition) using (block_no)
)
qualify number <= 5
