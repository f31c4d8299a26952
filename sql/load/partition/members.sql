/*
what:   Which item is in which cluster, each cluster of an item with its rank among them in the order of the files
*/
create or replace temp view partition_member as
with

member as (
    select run_no, file, line, place, item_no, cluster_no from partition_numbered where cluster_no is not null
),

-- few items have several rows
repeated as (
    select run_no, item_no from member group by run_no, item_no having count(*) > 1
)

select run_no, item_no, cluster_no, 1 as nth
from member
anti join repeated using (run_no, item_no)
union all
select run_no, item_no, cluster_no, row_number() over (partition by run_no, item_no order by first_row, cluster_no)
from (
    select run_no, item_no, cluster_no, min((file, line, place)) as first_row
    from member
    semi join repeated using (run_no, item_no)
    group by run_no, item_no, cluster_no
)
order by run_no, item_no, nth
