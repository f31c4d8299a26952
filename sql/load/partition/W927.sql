/*
what:   the id only looks like {known_id!r} of the gold, in capitals, blanks, composed letters or an ending .0
advice: Ids are compared as they are written.
*/
select file, line, item_id as value, known_id
from partition_twin
anti join (from partition_tally where is_disjoint) using (run_no)
