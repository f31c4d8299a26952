/*
what:   {n:,} {pairs} with a story of an excluded source file
advice: Not scored.
*/
select file, line, id_1 || ' ' || id_2 as value, count(*) over () as n, if(n = 1, 'pair', 'pairs') as pairs
from link_pair
where is_excluded
qualify row_number() over (order by trial_no) = 1
