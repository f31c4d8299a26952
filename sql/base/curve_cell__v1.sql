/*
title:    The cells whose decisions enter a DET curve
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   base.curve_request, base.trial_count__v1, base.subset_cell
grain:    condition_no, profile_no, subset_no, block_no, segment_no
columns:
    condition_no  key   condition
    profile_no    key   scoring profile
    subset_no     key   subset; 0 is all
    block_no      key   block (topic)
    segment_no    key   segment
    all_points    flag  1: every distinct score is a threshold; 0: corner and end points
edges:    Subset 0 is always requested; others on request.
class:    exact
see also: metric.detection_det_cell__v1
*/
select
    trial.condition_no as condition_no,
    trial.profile_no as profile_no,
    request.subset_no as subset_no,
    trial.block_no as block_no,
    trial.segment_no as segment_no,
    request.all_points as all_points
from base.trial_count__v1 as trial
inner join base.curve_request as request
    on request.condition_no = trial.condition_no
where request.subset_no = 0
union all
select
    trial.condition_no as condition_no,
    trial.profile_no as profile_no,
    request.subset_no as subset_no,
    trial.block_no as block_no,
    trial.segment_no as segment_no,
    request.all_points as all_points
from base.trial_count__v1 as trial
inner join base.curve_request as request
    on request.condition_no = trial.condition_no
inner join base.subset_cell as member
    on member.condition_no = trial.condition_no
    and member.subset_no = request.subset_no
    and member.block_no = trial.block_no
    and member.segment_no = trial.segment_no
