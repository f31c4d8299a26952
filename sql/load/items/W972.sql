/*
what:   run '{other}' was asked this item with another prompt{more}
advice: Compare runs with one prompt: number of shots, template and settings are part of it.
*/
with

asked as (
    select
        coalesce(run_id, $runs[1]) as run_id, item_id, min(prompt) as prompt,
        min(file) as file, arg_min(line, (file, line)) as line
    from items_row
    where prompt is not null
    group by run_id, item_id
),

known as (
    select run_id, block_id as item_id, prompt
    from base.item_prompt
    join known_run as run using (run_no)
    join base.block on block.condition_no = run.condition_no and block.block_no = item_prompt.block_no
    where run.condition_no = $condition and not list_contains($runs, run_id)
    union all
    select run_id, item_id, prompt from asked
),

different as (
    select
        file, line, asked.item_id, known.run_id as other,
        count(*) over (partition by asked.run_id, known.run_id) as n_item,
        row_number() over (partition by asked.run_id, known.run_id order by file, line, asked.item_id) as place
    from asked
    join known using (item_id)
    where known.prompt <> asked.prompt and (known.run_id <> asked.run_id)
)

select
    file, line, item_id as value, other, if(n_item > 1, printf(' (%d such items)', n_item), '') as more
from different
where place = 1
order by file, line, other
