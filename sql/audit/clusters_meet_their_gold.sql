/*
title:    A clustering has an item in common with its gold
severity: warning
inputs:   base.partition_answer, base.partition_gold, registry.condition, registry.run
*/
with

gold as (
    select distinct condition_no, item_no, 1 as is_gold
    from base.partition_gold
)

select condition_id, run_id, count(*) as n_member
from base.partition_answer
join registry.run using (run_no)
join registry.condition using (condition_no)
left join gold using (condition_no, item_no)
group by condition_id, run_id
having count(is_gold) = 0
order by all
