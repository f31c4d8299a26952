/*
what:   the length (column 5) is {how}
advice: Write the length in words or characters, 0 or more.
*/
select file, line, cells[5] as value, if(cast(cells[5] as bigint) < 0, 'negative', 'longer than any text') as how
from query_table($form)
where invalid // $bit_length % 2 = 1 and len(cells) >= 5
    and coalesce(invalid // $bit_importance % 2, 0) = 0 and coalesce(invalid // $bit_time % 2, 0) = 0
    and regexp_full_match(cells[5], '[ \t\n\r\x0b\f]*[+-]?[0-9]{1,18}[ \t\n\r\x0b\f]*')
