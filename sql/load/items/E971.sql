/*
what:   repeated_item = "epoch" numbers the rows of an item, and the file has epochs
advice: Leave repeated_item out.
*/
select 0 as file, min(line) as line, null as value
from read_samples
where $repeated_item = 'epoch' and epoch is not null
having count(*) > 0
