/*
title:  time pointers, and a source file whose boundary table has no seconds
what:   time pointers, but the boundary table of a source file has no seconds
advice: Give recid or docno pointers.
*/
select file, if($is_by_topic, null, own.line) as line, source as value, if($is_by_topic, 'E828', 'E844') as code
from output_source as own
join answer using (file)
join tested_source using (block_no, source)
where pointer_type = 'time' and is_timeless and source <> ''
order by file, first_story_no
