/*
title:    Numbers of runs by topic, as places in an array
*/
select cast(metric_place as bigint) as metric_place, topic_place, cast(run_place as bigint) as run_place, value
from topic_value
join (
    select block_id, row_number() over (order by block_id) - 1 as topic_place
    from (select distinct block_id from topic_value) as topic
) as place using (block_id)
where value is not null
