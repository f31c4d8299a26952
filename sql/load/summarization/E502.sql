/*
what:   the importance (column 4) is not {wanted}{skipped}
advice: {advised}
*/
-- no program reads an importance that is not finite
select file, line, cells[4] as value, if(is_number, 'finite', 'a number') as wanted,
    if(is_number, '', $skipped) as skipped,
    if(is_number, 'Write a finite number.', 'Fix or drop the row.') as advised,
    if(is_number or $skipped = '', 'E502', 'W500') as code
from (
    select *, coalesce(
        regexp_full_match(lower(cells[4]),
            '[ \t\n\r\x0b\f]*[+-]?([0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?'
            || '|\.[0-9]+(e[+-]?[0-9]+)?|inf(inity)?|nan)[ \t\n\r\x0b\f]*')
        and try_cast(cells[4] as double) is not null, false) as is_number
    from query_table($form)
    where invalid // $bit_importance % 2 = 1 and len(cells) >= 5)
