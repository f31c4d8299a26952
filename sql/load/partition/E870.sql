/*
what:   {none} among those of the gold, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- the code of a condition whose profiles say how such items count is W870
select
    coalesce(twin.file, first_row.file) as file,
    coalesce(twin.line, first_row.line) as line,
    coalesce(twin.item_id, first_row.item_id) as value,
    if(twin.file is null, $disjoint, 'E870') as code,
    if(
        n_answer = 1,
        'the only one of the items of the run is not',
        format('none of the {:,} items of the run is', n_answer)
    ) as none,
    coalesce(
        twin.known_id,
        (
            select min(item_id)
            from base.partition_item
            semi join base.partition_gold using (condition_no, item_no)
            where condition_no = $condition
        )
    ) as example
from partition_tally
join (
    select run_no, min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) as first_row
    from partition_spurious
    group by run_no
) using (run_no)
left join partition_twin as twin using (run_no)
where is_disjoint and not has_other_blocks
