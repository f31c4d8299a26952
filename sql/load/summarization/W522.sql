/*
what:   the span ends after the end of the text; it is shortened{many}
advice: Do offsets count bytes of the same text?
*/
select arg_min(file, row_no) as file, arg_min(line, row_no) as line,
    arg_min(span_start || '-' || span_end, row_no) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from ts_match
where span_end > n_byte
having count(*) > 0
