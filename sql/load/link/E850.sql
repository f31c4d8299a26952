/*
what:   the key has no answer for this pair
advice: Add the pair to the key (OTHER if it is not to be scored).
*/
select file, line, id_1 || ' ' || id_2 as value
from link_pair
where $has_index and $has_key and trial_no not in (select trial_no from decided where trial_no is not null)
    and not exists (select 1 from decided where unknown is not null)
