/*
what: The runs of copies of conditions that have none of their name and rows yet.
*/
delete from second_run where run_no is null or second_no is not null;

update second_run set second_no = made.number
from (
    select
        run_no,
        (select max(run_no) from registry.run) + row_number() over (order by place, run_no) as number
    from second_run
) as made
where made.run_no = second_run.run_no;

insert into registry.run by name
select first.* replace (second_no as run_no, place as condition_no)
from registry.run as first
join second_run as second using (run_no)
order by second_no
