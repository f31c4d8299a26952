/*
what:   the span is reversed or empty; it may mark no word{many}
advice: Is the end the character after the last one?
*/
select file, min(line) as line, arg_min(start || '-' || "end", line) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from read_matches
where start >= 0 and "end" >= 0 and "end" <= start
group by file
