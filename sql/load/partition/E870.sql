/*
what:   {none} among those of the gold{of_block}, of which one is {example!r}
advice: {advised}
*/
-- the code of a condition whose profiles say how such items count is W870
with

known as (
    select item_id, block_id
    from base.partition_item
    semi join base.partition_gold using (condition_no, item_no)
    join base.block using (condition_no, block_no)
    where condition_no = $condition
),

first_row as (
    select run_no, min({'file': file, 'line': line, 'place': place, 'item_id': item_id, 'block_no': block_no}) as own
    from partition_spurious
    semi join (from partition_tally where is_disjoint) using (run_no)
    group by run_no
),

-- the same item in another block
moved as (
    select run_no, own.item_id, coalesce(extra.block_id, block.block_id) as block_id, min(known.block_id) as known_block
    from first_row
    join known on known.item_id = own.item_id
    left join base.partition_extra_block as extra using (run_no)
    left join base.block on block.condition_no = $condition and block.block_no = own.block_no
    where extra.block_no is null or extra.block_no = own.block_no
    group by all
)

select
    coalesce(twin.file, own.file) as file, coalesce(twin.line, own.line) as line,
    coalesce(twin.item_id, own.item_id) || coalesce(' in block ' || moved.block_id, '') as value,
    if(twin.file is null, $disjoint, 'E870') as code,
    if(
        n_answer = 1,
        'the only one of the items of the run is not',
        format('none of the {:,} items of the run is', n_answer)
    ) as none,
    if(moved.run_no is null, '', ' in the same block') as of_block,
    coalesce(
        twin.known_id, moved.item_id || ' in block ' || known_block, (select min(item_id) from known)
    ) as example,
    case
        when moved.run_no is not null then 'Write the blocks as the gold does.'
        when twin.file is not null and lower(twin.item_id) <> lower(twin.known_id)
            then 'The ids differ in blanks, composed letters or an ending .0: write them as the gold does.'
        else 'Write the ids as the condition does, or name the condition of this run.'
    end as advised
from partition_tally
join first_row using (run_no)
left join partition_twin as twin using (run_no)
left join moved using (run_no)
where is_disjoint and not has_other_blocks
