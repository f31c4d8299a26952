/*
title:    A mean over topics counts no more topics than its condition has
severity: error
inputs:   base.block, registry.condition, report.score
*/
with

block as (
    select condition_no, count(*) as n_condition_block
    from base.block
    group by condition_no
)

select score.*
from report.score
join registry.condition using (condition_id)
left join block using (condition_no)
where score.weighting in ('topic', 'topic_all') and score.n > coalesce(n_condition_block, 0)
