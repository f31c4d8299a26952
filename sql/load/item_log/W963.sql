/*
what:   metric {metric} has no score for an item, but {left_out}: left out
*/
select 0 as file, min(line) as line, metric as value, metric, arg_min(left_out, line) as left_out
from (select line, metric, left_out from item_log where lacking is null and left_out is not null)
group by metric
