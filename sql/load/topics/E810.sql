/*
what:   a second index of topic {block_id}, the first is {first}
advice: Keep one of the two.
*/
select file, 1 as line, null as value, block_id, list_extract($paths, first_file + 1) as first
from (select *, min(file) over (partition by block_id) as first_file from index_topic)
where file > first_file
