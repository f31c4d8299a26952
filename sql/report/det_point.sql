/*
title:    DET curves of every run, as far as they are up to date
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   ledger.result_det_point, ledger.current_computation, base.subset, base.block
grain:    run_id, condition_id, profile_id, subset, weighting, block_id, point_no
columns:
    run_id        key           run
    task          text          task of its condition
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    subset        key           all, or what the curve is conditioned on
    weighting     key           topic, story, or none for the curve of one block
    block_id      key           the block of a single curve; NULL for the run
    threshold     score         lowest accepted score; NULL for reject-all
    p_miss        ratio [0, 1]  miss probability
    p_fa          ratio [0, 1]  false-alarm probability
    p_miss_se     ratio         standard error over topics
    p_fa_se       ratio         standard error over topics
    c_det_norm    cost          normalised cost
    n_block       count         topics in the mean
    point_no      key           order along the curve
edges:    Corner and end points; all points come on request.
class:    exact
see also: score
*/
select
    run_id, task, condition_id, profile_id, subset, weighting, block_id, threshold, p_miss, p_fa, p_miss_se, p_fa_se,
    c_det_norm, n_block, point_no
from ledger.result_det_point join ledger.current_computation using (computation_no)
join base.subset using (condition_no, subset_no)
left join base.block using (condition_no, block_no)
