/*
what:   labels of two pairs of words, '{first}' in line {line_of_first} and '{shown}' in line {line_of_label},
        expected those of one pair
advice: Write all labels as {expected}.
field:  label
*/
with pair as (
    select file, usual_no, min(line) as line, arg_min(label, line) as label, arg_min(stripped(label), line) as shown
    from key_label
    where mistake is null
    group by file, usual_no
    having usual_no > 0
),

ordered as (
    select *, row_number() over nth as number, lag(shown) over nth as first, lag(line) over nth as first_line
    from pair
    window nth as (partition by file order by line)
)

select file, line, label as value, first, first_line as line_of_first, shown,
    line as line_of_label, $expected as expected
from ordered
where number = 2
