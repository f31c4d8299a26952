/*
title:  several runs in files that are given one id
what:   the files hold {n} runs ({listed}), and one id is given
advice: Leave the id out, or give all rows one {named_by}.
*/
with run as (
    select unnest(cast($runs as struct(run_id varchar, files varchar[])[])) as run, unnest(range(len($runs))) as place
)

select 0 as file, null as line, $name as value, len($runs) as n, split_part($named_by, ',', 1) as named_by,
    string_agg('''' || run.run_id || '''', ', ' order by place) || if(n > 10, ', ...', '') as listed
from run
where $name is not null and place < 10
having n > 1 and count(*) > 0
