/*
title:    The runs of a comparison: their current computations, and their numbers as they are printed
*/
select
    name, condition_no, run_no, computation_no, value, n, score.run_id is not null as is_scored, eer,
    definition_sha256, condition_sha256, run_sha256
from (
    select
        unnest($names) as name, unnest($conditions) as condition_id, unnest($runs) as run_id,
        unnest(range(len($names))) as place
)
left join (select * from ledger.current_computation where profile_id = $profile) as computed
    using (condition_id, run_id)
left join registry.profile on profile.profile_no = computed.profile_no
left join (
    select condition_id, run_id, value, n
    from report.score
    where profile_id = $profile
        and subset = $subset
        and metric = $metric
        and weighting = $weighting
) as score using (condition_id, run_id)
order by place
