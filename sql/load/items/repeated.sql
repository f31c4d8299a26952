/*
what: A sample that occurs twice, if there is one: rows are in the order of their numbers.
*/
select 1
from (
    select
        *, lag(run_place) over () as run_before, lag(measure_no) over () as measure_before,
        lag(block_no) over () as block_before, lag(epoch) over () as epoch_before
    from items_numbered
)
where
    run_place = run_before and measure_no = measure_before and block_no = block_before and epoch = epoch_before
limit 1
