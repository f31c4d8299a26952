/*
what:   a second file of topic {topic}, the first is {first}
advice: Give each topic one file.
*/
select file, line, null as value, block_id as topic, first_path as first
from answer
where not is_first and block_id is not null
