/*
what:   {n:,} {stories} an unknown kind, expected one of AUTOMATIC, MISCELLANEOUS, NEWS, UNTRANSCRIBED; only NEWS counts
advice: Write NEWS, or leave the column out.
*/
select file, null as line, kind as value, count(*) as n, if(count(*) = 1, 'story has', 'stories have') as stories
from story_row
where kind not in ('AUTOMATIC', 'MISCELLANEOUS', 'NEWS', 'UNTRANSCRIBED')
group by file, kind
order by file, min(line)
