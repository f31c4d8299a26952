/*
title:    Every published number of a scored run has a row for subset all
severity: error
inputs:   ledger.computation, ledger.current_computation, ledger.result_score, registry.published,
          registry.run, registry.task
edges:    Curves and first detections of hard decisions are computed on request: they may be absent.
*/
with

-- what a run of the condition has under the profile
wanted as (
    select distinct condition_no, profile_no, metric
    from ledger.result_score
    join ledger.computation using (computation_no)
    join registry.run using (run_no)
    where subset_no = 0
)

select distinct run_no, profile_no, metric
from ledger.current_computation
join wanted using (condition_no, profile_no)
join registry.published using (metric)
join registry.task using (task)
anti join (select computation_no, metric from ledger.result_score where subset_no = 0) as kept
    using (computation_no, metric)
where grain = 'score'
    and not starts_with(metric, 'own:')
    and (decides_on = 'trial' or not (
        starts_with(relation, 'metric.verification_') or starts_with(relation, 'metric.first_detection_')
    ))
