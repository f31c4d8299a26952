/*
what: The groups of a key (`key_group`) with their blocks and segments: trials with the same block, label and
      attributes, numbered in this order.
*/
-- an attribute without a value is - in the name of a block
create or replace temp table key_segment as
select *, cast(dense_rank() over (order by block_id, is_target desc, attributes) as integer) as segment_no
from (
    select label, attribute_values, is_target, n_trial,
        list_transform($attributes, lambda name: attributes[list_position($names, name)]) as attributes,
        if(len($blocks) = 0, 'all', array_to_string(list_transform($blocks, lambda name: name || '='
            || coalesce(nullif(attributes[list_position($names, name)], ''), '-')), ',')) as block_id
    from key_group)
