/*
what:   the line has no {lacking}
advice: {advised}
*/
select 0 as file, line, lacking as value, lacking, advised,
    1 as at_column
from item_log
where lacking is not null
order by place
