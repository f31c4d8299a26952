/*
title:  The memberships of a run under a profile, with numbers of units and topics from 0
*/
select
    is_response, unit_no, n_story, is_asked, dense_rank() over (order by unit_no) - 1 as place,
    dense_rank() over (partition by is_response order by block_no) - 1 as topic
from metric.bcubed_overlap_unit__v1
where run_no = $run_no and profile_no = $profile_no
order by is_response, place, topic
