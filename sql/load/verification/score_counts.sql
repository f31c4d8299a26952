/*
title:    How many targets and non-targets have each score of a run
*/
select score, cast(sum(is_target) as bigint) as n_target, cast(count(*) - sum(is_target) as bigint) as n_nontarget
from base.decision
join base.verification_segment using (segment_no)
where run_no = $run_no
    and condition_no = $condition_no
group by score
order by score
