/*
title:  a run without an id: neither the bundle nor its file names it
what:   the run has no id: neither the bundle nor the file names it
advice: Give the run an id, or the file a column run_id.
*/
select 0 as file, null as line, null as value
from (select unnest(cast($runs as struct(run_id varchar, files varchar[])[])) as run)
where $name is null and $called is null and run.run_id is null
