/*
what:   heading is already on {earlier_line}, expected every set to have its own
advice: Rename one of the two sets.
field:  heading
*/
select file, line, at_column, heading as value, earlier_line
from (
    select *, first_value(line) over listed as earlier_line, first_value(place) over listed as earlier
    from read_source_set
    window listed as (partition by file, heading order by place)
)
where place > earlier and heading <> ''
