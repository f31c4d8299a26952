/*
title:  a blank line, skipped
what:   blank line, skipped{many}
*/
select file, min(line) as line, null as value, if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from query_table($form)
where invalid > 0 and not regexp_matches(line_text, '[^ \t\n\r\x0b\f]')
group by file
