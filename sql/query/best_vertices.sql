/*
title:       The vertex that fits each topic best
question:    Which vertex is best for each topic, what does reading it cost, and what does the path to it cost?
about:       clusters
inputs:      report.block_label, report.block_score
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, block_id
columns:
    condition_id     key     evaluation condition
    profile_id       key     scoring profile
    run_id           key     run
    block_id         key     topic
    best_vertex      text    name of the vertex
    min_cost         cost    what it costs, both parts weighted
    c_det_norm       cost    detection part
    c_travel_norm    cost    travel part
    n_step           count   steps of the cheapest walk to it
    best_c_det_norm  cost    least detection part of any vertex: what a free walk would reach
order:       Conditions, profiles and runs by name, the dearest topic first.
see also:    split_clusters, report.block_label
*/
with

part as (
    select
        condition_id, profile_id, run_id, block_id,
        max(case when metric = 'min_cost' then value end) as min_cost,
        max(case when metric = 'c_det_norm' then value end) as c_det_norm,
        max(case when metric = 'c_travel_norm' then value end) as c_travel_norm,
        max(case when metric = 'n_step' then cast(value as bigint) end) as n_step,
        max(case when metric = 'best_c_det_norm' then value end) as best_c_det_norm
    from report.block_score
    where subset = 'all'
        and metric in ('min_cost', 'c_det_norm', 'c_travel_norm', 'n_step', 'best_c_det_norm')
    group by condition_id, profile_id, run_id, block_id
)

select
    condition_id, profile_id, run_id, block_id,
    value as best_vertex,
    min_cost, c_det_norm, c_travel_norm, n_step, best_c_det_norm
from report.block_label
join part using (condition_id, profile_id, run_id, block_id)
where metric = 'best_vertex'
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, min_cost desc nulls last, block_id
