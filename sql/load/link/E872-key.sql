/*
what:   {none} among the pairs to decide on, of which one is '{example}'
advice: Write the ids in the same way in both.
*/
select file, line, unknown_id as value, (select arg_min(id_1 || ' ' || id_2, trial_no) from link_pair) as example,
    if(n > 1, format('none of the {:,} pairs of the key is', n), 'the only one of the pairs of the key is not') as none
from (select *, count(*) over () as n, count(unknown) over () as n_unknown from decided)
where n_unknown = n and example is not null
qualify row_number() over (order by file, line) = 1
