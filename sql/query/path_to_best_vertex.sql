/*
title:       The cheapest path to a best vertex
question:    Which vertices does the cheapest path from the root to the best vertex of a topic pass, at what cost?
about:       clusters
inputs:      base.vertex, base.vertex_travel, base.block, metric.hierarchy_vertex_cost__v1, metric.hierarchy_best__v1,
             registry.run, registry.condition, registry.profile
parameters:
    run        run        needed   the run
    topic      topic      needed   the topic
    condition  condition  none     one condition; none: all that the run answers
    profile    profile    tdt2004  scoring profile
grain:       condition_id, step
columns:
    condition_id  key    evaluation condition
    step          key    0: the root
    vertex_id     text   name of the vertex
    n_child       count  children that are looked over there
    travel        cost   travel cost so far
    n_parent      count  vertices above it; the path comes through the cheapest
    n_story       count  stories in it and below
    n_hit         count  of these, on the topic
    cost          cost   what reading it costs for the topic; NULL where it was not computed
order:       Conditions by name, from the root down.
see also:    best_vertices, best_vertex_tree
*/
with recursive

best as (
    select condition_id, run_no, profile_no, block_no, best_vertex_no
    from metric.hierarchy_best__v1
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    join base.block using (condition_no, block_no)
    where best_vertex_no is not null
        and run_id = $run
        and block_id = $topic
        and profile_id = $profile
        and condition_id = coalesce($condition, condition_id)
),

walk as (
    select condition_id, run_no, profile_no, block_no, best_vertex_no as vertex_no, 0 as place from best
    union all
    select condition_id, walk.run_no, walk.profile_no, block_no, parent_no, place + 1
    from walk
    join base.vertex_travel using (run_no, profile_no, vertex_no)
    where parent_no is not null
)

select
    condition_id, cast(row_number() over (partition by condition_id order by place desc) - 1 as bigint) as step,
    vertex_id, n_child, travel, n_parent, n_story, coalesce(n_hit, 0) as n_hit, cost
from walk
join base.vertex using (run_no, vertex_no)
join base.vertex_travel using (run_no, profile_no, vertex_no)
left join metric.hierarchy_vertex_cost__v1 using (run_no, profile_no, block_no, vertex_no)
order by condition_id, step
