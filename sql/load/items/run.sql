/*
what: The samples of runs, numbered in their order; of which items they give attributes and the hash of the text
      (`item_said_by_run`; 0 is all), and their prompts.
*/
insert into base.item_score (run_no, measure_no, block_no, epoch, given_score, is_error)
select run_no, measure_no, block_no, epoch, score, is_error
from items_numbered
join items_run using (run_place)
join new_run on new_run.run_id is not distinct from items_run.run_id
order by run_no, measure_no, block_no, epoch;

insert into base.run_attribute (run_no, attribute, block_no)
select
    run_no, attribute, unnest(if(
        count(*) = count(value), [0], list_sort(list_distinct(list(block_no) filter (value is not null)))))
from item_said_by_run as said
join new_run on new_run.run_id is not distinct from said.run_id
join (select block_no, block_id as item_id from base.block where condition_no = $condition) using (item_id)
group by run_no, attribute
having count(value) > 0
order by run_no, attribute;

insert into base.item_prompt (run_no, block_no, prompt)
select run_no, block_no, min(prompt)
from items_row as said
join new_run on new_run.run_id is not distinct from said.run_id
join (select block_no, block_id as item_id from base.block where condition_no = $condition) using (item_id)
where prompt is not null
group by run_no, block_no
order by run_no, block_no
