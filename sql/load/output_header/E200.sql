/*
what:   {said}, expected '{expected}'
advice: Begin the file with the header line.
*/
select file, coalesce(line, 1) as line, coalesce(starts[-1], 1) as at_column, whole as value, expected,
    'E' || first_code as code,
    case when line is null then 'no header'
        when is_record then 'no header, the file begins with a record'
        else format('header has {}', if(len(f) = 1, '1 field', format('{:,} fields', len(f)))) end as said
from header
where not is_header or line is null and list_contains($readable, file)
