/*
what:   The subsets of `subset_row` (kind, subset, block_no, segment_no; without cells where block_no is NULL). Subset 0
        is all.
*/
insert into base.subset (condition_no, subset_no, subset, kind)
select $condition, 0, 'all', 'all'
union all
select $condition, row_number() over (order by kind, subset), subset, kind
from (select distinct kind, subset from subset_row) order by 2;

insert into base.subset_cell (condition_no, subset_no, block_no, segment_no)
select $condition, subset_no, block_no, segment_no
from subset_row
join (select * from base.subset where condition_no = $condition) using (kind, subset)
where block_no is not null order by subset_no, segment_no, block_no;

insert into base.curve_request (condition_no, subset_no, all_points) values ($condition, 0, 0)
