/*
what:   Which item is in which cluster, each cluster of an item with its rank among them in the order of the files
*/
create or replace temp view partition_member as
with

member as (
    select file, line, place, item_no, cluster_no from partition_numbered where cluster_no is not null
),

-- few items have several rows
repeated as (
    select item_no from member group by item_no having count(*) > 1
)

select item_no, cluster_no, 1 as nth
from member
anti join repeated using (item_no)
union all
select item_no, cluster_no, row_number() over (partition by item_no order by first_row, cluster_no)
from (
    select item_no, cluster_no, min((file, line, place)) as first_row
    from member
    semi join repeated using (item_no)
    group by item_no, cluster_no
)
order by item_no, nth
