/*
title:    The cells whose decisions enter a DET curve
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   base.curve_request, base.trial_count__v1, base.subset_cell, base.block, registry.condition_profile
grain:    condition_no, profile_no, subset_no, block_no, segment_no
columns:
    condition_no  key   condition
    profile_no    key   scoring profile
    subset_no     key   subset; 0 is all
    block_no      key   block (topic)
    segment_no    key   segment; 0: documents that the corpus does not have
    all_points    flag  1: every distinct score is a threshold; 0: corner and end points
edges:    Segment 0 belongs to subset 0 alone.
          Subset 0 is always requested; others on request.
class:    exact
see also: metric.detection_det_cell__v1
*/
select condition_no, profile_no, subset_no, block_no, segment_no, all_points
from base.trial_count__v1 join base.curve_request using (condition_no)
where subset_no = 0
union all
select condition_no, profile_no, subset_no, block_no, segment_no, all_points
from base.trial_count__v1 join base.curve_request using (condition_no)
join base.subset_cell using (condition_no, subset_no, block_no, segment_no)
union all
select condition_no, profile_no, subset_no, block_no, 0 as segment_no, all_points
from base.block join registry.condition_profile using (condition_no)
join base.curve_request using (condition_no)
where subset_no = 0 and is_scored = 1
