/*
what: The samples of runs, numbered in their order; of which items they give attributes and the hash of the text (0 is
      all), and their prompts.
*/
insert into base.item_score (run_no, measure_no, block_no, epoch, given_score, is_error)
select run_no, measure_no, block_no, epoch, score, is_error
from items_numbered
join items_run using (run_place)
join new_run on new_run.run_id is not distinct from items_run.run_id
order by run_no, measure_no, block_no, epoch;

insert into base.run_attribute (run_no, attribute, block_no)
with given as (
    select run_id, field, attribute, n.n_row = n.n_value as is_whole
    from (
        unpivot (
            select run_id, {'n_row': count(*), 'n_value': count(columns('^(a[0-9]+|content)$'))}
            from items_row
            group by run_id
        ) on columns('^(a[0-9]+|content)$') into name field value n
    )
    join items_field using (field)
    where n.n_value > 0
),

made as (
    select run_id, attribute, 0 as block_no from given where is_whole
    union all
    select distinct given.run_id, attribute, block_no
    from given
    join (unpivot items_row on columns('^(a[0-9]+|content)$') into name field value said) as said using (field)
    join base.block on block_id = item_id and condition_no = $condition
    where said.run_id is not distinct from given.run_id and not is_whole
)

select run_no, attribute, block_no
from made
join new_run on new_run.run_id is not distinct from made.run_id
order by run_no, attribute, block_no;

insert into base.item_prompt (run_no, block_no, prompt)
select run_no, block_no, min(prompt)
from items_row as said
join new_run on new_run.run_id is not distinct from said.run_id
join (select block_no, block_id as item_id from base.block where condition_no = $condition) using (item_id)
where prompt is not null
group by run_no, block_no
order by run_no, block_no
