/*
what:   one id, expected two{skipped}{many}
advice: {advised}
*/
select file, min(line) as line, arg_min(line_text, line) as value,
    if($skipped = '', '', '; line skipped') as skipped, if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many,
    if($skipped = '', 'Write two update ids, or drop the line.', '') as advised,
    if($skipped = '', 'E511', 'W500') as code
from read_duplicates
where invalid > 0
group by file
