/*
what:   {other} has a different item with this id (the hash of the item differs)
advice: Compare runs of one version of the benchmark.
most:   20
*/
-- what a replaced run had does not count
with

known as (
    select distinct block_id as item_id, item.content
    from base.item_score
    join known_run as run using (run_no)
    join base.run_attribute using (run_no)
    join base.item on item.condition_no = run.condition_no and item.block_no = item_score.block_no
    join base.block on block.condition_no = item.condition_no and block.block_no = item.block_no
    where
        run.condition_no = $condition
        and not list_contains($runs, run_id)
        and attribute = ''
        and run_attribute.block_no in (0, item.block_no)
)

select file, line, item_id as value, if(is_own, 'another row of the run', 'another run') as other
from (
    select
        items_row.*,
        coalesce(
            known.content,
            first_value(items_row.content) over (partition by item_id order by file, line)
        ) as expected,
        known.content is null
        and first_value(run_id) over (partition by item_id order by file, line) is not distinct from run_id as is_own
    from items_row
    left join known using (item_id)
    where items_row.content is not null
)
where content <> expected
