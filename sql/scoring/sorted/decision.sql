/*
title:  The scores of a run under a profile
*/
select segment_no, is_target, score
from base.scored_decision__v1
where run_no = $run_no and profile_no = $profile_no
