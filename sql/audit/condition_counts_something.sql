/*
title:    A condition has stories, pairs, trials, items, events or attributes that count
severity: error
inputs:   base.attribute, base.block, base.event, base.item, base.listed_pair, base.partition_item, base.segment,
          base.verification_trial, registry.condition, registry.package, registry.run
edges:    Without a list of items, those of the runs count: no finding before the first run.
*/
with

counted as (
    select condition_no from base.segment where n_trial > 0
    union select condition_no from base.listed_pair
    union select condition_no from base.verification_trial
    union select condition_no from base.partition_item
    union select condition_no from base.item
    union select condition_no from base.event
    union select condition_no from base.attribute
    union
    select condition_no
    from base.block
    join registry.condition using (condition_no)
    join registry.package using (task)
    union
    select condition_no from registry.condition anti join registry.run using (condition_no)
    where missing_item is not null
)

select condition_id, task
from registry.condition
anti join counted on counted.condition_no = condition.base_condition_no
order by all
