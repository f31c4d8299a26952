/*
what:   {name} is not a valid position, expected {expected} of 0 or more
advice: Correct the number, or remove it and its pair.
field:  {name}
*/
select file, line, at_column, said as value, name, expected
from (
    select *, unnest(['Bsec', 'Esec', 'Brecid', 'Erecid']) as name, unnest(f[3:]) as said,
        unnest(['seconds', 'seconds', 'a whole number', 'a whole number']) as expected
    from tag
    where element = 'boundary' and not is_closing and f[1] <> '' and f[2] <> ''
)
where said <> '' and (ends_with(name, 'sec') and as_time_pointer(said) is null
    or ends_with(name, 'recid') and as_recid(said) is null)
order by line, at_column, name in ('Brecid', 'Erecid'), name
