/*
title:    Topics in the order of their names, with what an item has: its cluster, its weight and its group
edges:    A cluster has the number of its first item; an item without one is its own. cluster is NULL where no item has
          a value of the unit.
*/
with

item as (
    select
        condition_no, block_no, block_id, nullif(weight, 0) as weight, group_no,
        case when $unit = 'cluster' then cast(cluster_no as varchar) else value end as cluster,
        row_number() over (order by condition_no, block_no) as place
    from base.block
    join registry.condition using (condition_no)
    join base.item using (condition_no, block_no)
    left join (
        select condition_no, block_no, value
        from base.item_attribute
        where attribute = $unit
    ) as attribute using (condition_no, block_no)
    where list_contains($conditions, condition_id)
),

numbered as (
    select
        block_id, weight, group_no,
        case
            when count(cluster) over () > 0
                then case when cluster is null then place else min(place) over (partition by cluster) end
        end as cluster
    from item
    qualify row_number() over (partition by block_id order by condition_no desc) = 1
)

select block_id, weight, group_no, cluster
from (select distinct block_id from topic_value) as topic
left join numbered using (block_id)
order by block_id
