/*
what:   {n} columns, expected 7: event team run document sentence time confidence{missing}{skipped}
advice: Fix or drop the row.
*/
select file, line, line_text as value, len(cells) as n, $skipped as skipped,
    if(n = 6 and not regexp_full_match(cells[6], '[+-]?[0-9]{1,18}'), ' (the decision time is missing)', '') as missing,
    if($skipped = '', 'E551', 'W500') as code
from read_summarization
where invalid > 0 and n < 7 and (n > 1 or $skipped = '')
