/*
what:   the key answers a pair that the index does not have
advice: Add the pair to the index, or drop it from the key.
*/
select file, line, unknown_id as value
from decided
where unknown is not null
    and (exists (select 1 from decided where unknown is null) or not exists (select 1 from link_pair))
