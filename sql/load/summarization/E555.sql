/*
what:   {n} columns, expected 7: event team run document sentence time confidence, and the length at most{read}
advice: {advised}
*/
-- W555, once for a file and each number of columns, where the program reads the first seven
select file, line, line_text as value, n,
    if($program is null, '',
        '; the first 7 are read, as the ' || $program || ' program does'
        || if(n_row = 1, '', '; ' || n_row || ' such rows')) as read,
    if($program is null, 'Fix or drop the row.', 'Is each of them what it should be?') as advised,
    if($program is null, 'E555', 'W555') as code
from (
    select file, line, line_text, len(cells) as n, count(*) over (partition by file, len(cells)) as n_row,
        row_number() over (partition by file, len(cells) order by line) as nth
    from read_summarization
    where invalid // $bit_length % 2 = 1 and len(cells) >= 8)
where $program is null or nth = 1
