/*
what:   {name} is not a valid position, expected {expected} of 0 or more
advice: Correct the number, or remove it and its pair.
field:  {name}
*/
select file, line, at_column, said as value, name, expected
from (
    select *, unnest(['Bsec', 'Esec', 'Brecid', 'Erecid']) as name, unnest([bsec, esec, brecid, erecid]) as said,
        unnest(['seconds', 'seconds', 'a whole number', 'a whole number']) as expected
    from (
        select file, line, at_column, f[3] as bsec, f[4] as esec, f[5] as brecid, f[6] as erecid,
            begin_sec, end_sec, begin_recid, end_recid
        from tag
        left join (select file, place, begin_sec, end_sec, begin_recid, end_recid from read_boundary) as own
            using (file, place)
        where element = 'boundary' and not is_closing and f[1] <> '' and f[2] <> ''
    )
    -- what was converted is left out before values are rows
    where bsec <> '' and begin_sec is null or esec <> '' and end_sec is null
        or brecid <> '' and begin_recid is null or erecid <> '' and end_recid is null
)
where said <> '' and (ends_with(name, 'sec') and as_time_pointer(said) is null
    or ends_with(name, 'recid') and as_recid(said) is null)
order by line, at_column, name in ('Brecid', 'Erecid'), name
