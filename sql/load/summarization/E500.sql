/*
what:   {n} columns, expected at least {expected}{skipped}
advice: {advised}
*/
-- of judgments; W500 where the program skips the row
select file, line, line_text as value, len(cells) as n, if(n < $need, $need, 5) as expected, $skipped as skipped,
    case when $skipped <> '' then '' when $program = 'ts2013' then 'Fix or drop the row.'
        else 'Set the columns apart by tabs.' end as advised,
    if($skipped = '', 'E500', 'W500') as code
from query_table($form)
where invalid > 0 and n < 5 and trim(line_text, ' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)) <> ''
