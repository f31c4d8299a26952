/*
title:    Thresholds of runs of scores alone that are fitted on another condition
formula:  the threshold of the least cost over topics on all trials there, under the profile that decides; of points of
          the same cost the lowest
source:   The 2004 TDT evaluation plan, section 5.1 (minimum cost); TDT3eval v2.6 (lowest threshold wins)
inputs:   ledger.carried_source, metric.detection_det_minimum__v1
fills:    base.carried_threshold
owner:    run_no
after:    before the run is scored, where inputs of the threshold changed
edges:    The minimum is that of the conditions there under the profile here: they need not be scored under it, so the
          step that fills the table computes it for them.
class:    exact
see also: ledger.carried_source, report.threshold
*/
with

minimum as (
    select run_no as from_run_no, profile_no, min_threshold, 1 as is_fitted
    from metric.detection_det_minimum__v1
    where subset_no = 0 and weighting = 'topic' and min_c_det is not null
)

select
    run_no, profile_no, from_condition_id,
    coalesce(is_fitted, 0) as is_fitted,
    min_threshold as threshold,
    case
        when from_condition_no is null then 'no_condition'
        when from_run_no is null then 'no_run'
        when is_fitted is null then 'no_minimum'
        when min_threshold is null then 'reject_all'
    end as reason,
    made_from
from ledger.carried_source
left join minimum using (from_run_no, profile_no)
