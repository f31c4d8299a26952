/*
what:   the story's span of {unit} is overlong, it ends at {ends} and the story on {next_line} begins at {begins}
advice: Text in both belongs to both.
*/
with span as (
    select file, line, place, at_column, docno, 'seconds' as unit, begin_sec as first, end_sec as last, 0 as one
    from read_boundary
    union all
    select file, line, place, at_column, docno, 'recids', begin_recid, end_recid, 1
    from read_boundary
)

select file, story_line as line, 1 as at_column, story as value, unit, format('{:.15g}', story_end) as ends,
    line as next_line, format('{:.15g}', first) as begins
from (
    select *, lag(line) over listed as story_line, lag(docno) over listed as story, lag(last) over listed as story_end
    from span
    where last > first - one
    window listed as (partition by file, unit order by place)
)
where first - one < story_end
order by place, unit desc
