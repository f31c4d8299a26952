/*
title:  The rows of metric.detection_det_cell__v1, of scores that were sorted
*/
select
    run_no, profile_no, subset_no, block_no, threshold, last_score, threshold as low_score,
    cast(n_target_here as bigint) as n_target, cast(n_nontarget_here as bigint) as n_nontarget
from scope.sorted_cell
