/*
what:   a row of one token; skipped, as the program does{many}
advice: Is it part of the line before?
*/
select file, min(line) as line, arg_min(line_text, line) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from read_summarization
where invalid > 0 and len(cells) = 1 and $skipped <> ''
group by file
