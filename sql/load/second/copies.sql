/*
what: The rows of copies of conditions that are new or changed.
*/
update second_condition set second_no = made.number
from (
    select
        condition_no,
        (select max(condition_no) from registry.condition) + row_number() over (order by condition_no) as number
    from second_condition
    where second_no is null
) as made
where made.condition_no = second_condition.condition_no;

insert into registry.condition by name
select first.* replace (
    second_no as condition_no, second_id as condition_id, 2 as judgment_set, source as source_sha256
)
from registry.condition as first
join second_condition as second using (condition_no)
where is_changed
order by condition_no
