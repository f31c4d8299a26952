/*
title:    DET curves of every run, as far as they are up to date
source:   The 2004 TDT evaluation plan, section 5.1
inputs:   ledger.result_det_point, ledger.computation, ledger.current_computation, registry.run, registry.condition, registry.profile, base.subset, base.block
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
with

block_name as (

    select
        block.condition_no as condition_no,
        block.block_no as block_no,
        block.block_id as block_id
    from base.block as block

)

select
    run.run_id as run_id,
    condition.task as task,
    condition.condition_id as condition_id,
    profile.profile_id as profile_id,
    subset.subset as subset,
    result.weighting as weighting,
    block_name.block_id as block_id,
    result.threshold as threshold,
    result.p_miss as p_miss,
    result.p_fa as p_fa,
    result.p_miss_se as p_miss_se,
    result.p_fa_se as p_fa_se,
    result.c_det_norm as c_det_norm,
    result.n_block as n_block,
    result.point_no as point_no
from ledger.result_det_point as result
inner join ledger.current_computation as newest
    on newest.computation_no = result.computation_no
inner join ledger.computation as computation
    on computation.computation_no = result.computation_no
inner join registry.run as run
    on run.run_no = computation.run_no
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join registry.profile as profile
    on profile.profile_no = computation.profile_no
inner join base.subset as subset
    on subset.condition_no = run.condition_no
    and subset.subset_no = result.subset_no
left join block_name as block_name
    on block_name.condition_no = run.condition_no
    and block_name.block_no = result.block_no
