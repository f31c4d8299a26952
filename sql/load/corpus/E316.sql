/*
what:   {field} without {other}, expected both or neither
advice: Fill in both, or leave both empty.
field:  {field}
*/
-- an end that is not valid, or whose column has a wrong name, was reported
select file, line, coalesce(begin_text, end_text) as value,
    if(end_text is null, begin_name, end_name) as field, if(end_text is null, end_name, begin_name) as other
from (
    select file, line, 'begin_recid' as begin_name, 'end_recid' as end_name, cast(begin_recid as varchar) as begin_text,
        cast(end_recid as varchar) as end_text,
        invalid // $bit_begin_recid % 2 + invalid // $bit_end_recid % 2 as n_invalid
    from read_stories
    union all
    select file, line, 'begin_sec', 'end_sec', cast(begin_sec as varchar), cast(end_sec as varchar),
        invalid // $bit_begin_sec % 2 + invalid // $bit_end_sec % 2
    from read_stories)
where (begin_text is null) <> (end_text is null) and n_invalid = 0
