/*
what: The samples of runs, numbered in their order; of which items they give attributes and the hash of the text
      (`item_said_by_run`; 0 is all), and their prompts.
*/
insert into base.item_score (run_no, measure_no, block_no, epoch, given_score, is_error)
select $first_no + run_place - 1, measure_no, block_no, epoch, score, is_error
from items_numbered;

insert into base.run_attribute (run_no, attribute, block_no)
select
    $first_no + run_place - 1, attribute, unnest(if(
        count(*) = count(value), [0], list_sort(list_distinct(list(block_no) filter (value is not null)))))
from item_said_by_run as said
join items_run on items_run.run_id is not distinct from said.run_id
join (select block_no, block_id as item_id from base.block where condition_no = $condition) using (item_id)
group by run_place, attribute
having count(value) > 0
order by run_place, attribute;

insert into base.item_prompt (run_no, block_no, prompt)
select $first_no + run_place - 1, block_no, min(prompt)
from items_row as said
join items_run on items_run.run_id is not distinct from said.run_id
join (select block_no, block_id as item_id from base.block where condition_no = $condition) using (item_id)
where prompt is not null
group by run_place, block_no
order by run_place, block_no
