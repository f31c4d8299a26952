/*
what: Blocks, segments, their attributes and the trials of a condition, from the rows of its key (`trial_row`) and their
      groups (`key_segment`).
*/
insert into base.block (condition_no, block_no, block_id, is_scored)
select $condition, row_number() over (order by block_id), block_id, 1
from (select distinct block_id from key_segment);

insert into base.verification_segment
select $condition, segment_no, block_no, cast(is_target as integer), cast(n_trial as bigint),
    nullif(array_to_string(list_filter(list_transform(list_sort($attributes),
        lambda name: name || '=' || nullif(attributes[list_position($attributes, name)], '')),
        lambda said: said is not null), ','), '')
from (
    select segment_no, block_id, is_target, attributes, sum(n_trial) as n_trial
    from key_segment group by segment_no, block_id, is_target, attributes)
join (select block_no, block_id from base.block where condition_no = $condition) using (block_id)
order by segment_no;

insert into base.verification_attribute
select $condition, segment_no, attribute, nullif(value, '')
from (
    select segment_no, unnest($attributes) as attribute, unnest(attributes) as value
    from (select distinct segment_no, attributes from key_segment))
order by attribute, segment_no;

insert into base.verification_trial
select $condition, cast(number as integer), segment_no, trial_id, test_id, side
from (select *, row_number() over () as number from trial_row) as said
join key_segment as own
    on own.label = said.label and own.attribute_values = said.attribute_values
