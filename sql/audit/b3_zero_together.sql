/*
title:    B-CUBED precision is 0 only where recall is, under policy exclude: no story has a topic on both
          sides
severity: error
inputs:   registry.profile, report.score
*/
select run_id, condition_id, profile_id, subset, weighting, a.value as b3_precision, b.value as b3_recall
from report.score as a
join report.score as b using (run_id, condition_id, profile_id, subset, weighting)
where a.metric = 'b3_precision' and b.metric = 'b3_recall'
    and (a.value = 0) <> (b.value = 0)
    and profile_id in (
        select profile_id
        from registry.profile
        where b3_unassigned = 'exclude' and b3_unjudged = 'exclude'
    )
