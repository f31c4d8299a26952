/*
what:   {said}
advice: {advised}
*/
select file, line, if(type_no is null, 1, starts[type_no]) as at_column,
    if(type_no is null, whole, f[type_no]) as value,
    if(type_no is null, format('header has no pointer type, expected ''{}''', expected),
        'pointer type is not known, expected recid, time or docno') as said,
    if(type_no is null, 'Complete the header.', 'Correct the header.') as advised
from header
where is_own and not $of_pairs and pointer_type is null
