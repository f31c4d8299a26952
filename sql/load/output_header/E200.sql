/*
what:   {said}, expected '{expected}'
advice: Begin the file with the header line.
*/
select file, line, starts[-1] as at_column, whole as value, $header as expected, 'E' || $first as code,
    if(is_record, 'no header, the file begins with a record',
        format('header has {}', if(len(f) = 1, '1 field', format('{:,} fields', len(f))))) as said
from header
where not is_header
union all
select file, 1, 1, null, $header, 'E' || $first, 'no header'
from (select unnest($readable) as file)
where file not in (select file from header)
