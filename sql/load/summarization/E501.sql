/*
what:   the {name} (column {number}) is not an integer{skipped}
advice: Fix or drop the row.
*/
-- an importance is checked before, a length that is an integer after
select file, line, cells[number] as value, number,
    ['', '', 'timestamp', 'match start', if($bit_start is null, 'length', 'match end')][number] as name,
    $skipped as skipped, if($skipped = '', 'E501', 'W500') as code
from (
    select *,
        case when len(cells) < 5 or invalid // $bit_importance % 2 = 1 then null
            when invalid // $bit_time % 2 = 1 then 3
            when invalid // $bit_start % 2 = 1 then 4
            when invalid // $bit_end % 2 = 1 then 5
            when invalid // $bit_length % 2 = 1
                and not regexp_full_match(cells[5], '[ \t\n\r\x0b\f]*[+-]?[0-9]{1,18}[ \t\n\r\x0b\f]*') then 5
        end as number
    from query_table($form)
    where invalid > 0)
where number is not null
