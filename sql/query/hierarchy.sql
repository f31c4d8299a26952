/*
title:       Hierarchies from the top
question:    Which are the topmost vertices of each hierarchy, and for which topics are they best?
about:       clusters
inputs:      base.vertex, base.vertex_edge, report.block_label, registry.run, registry.condition,
             registry.condition_profile, registry.profile
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    limit      count      150   vertices at most, the topmost first
grain:       condition_id, profile_id, run_id, vertex_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    run_id        key    run
    vertex_id     key    name of the vertex
    parent_id     text   the vertex above it, of several the first by name; NULL for the root
    n_story       count  stories in it and below
    n_vertex      count  vertices of the hierarchy
    label         text   the stories in words
    best_for      text   topics it is best for
order:       Conditions, profiles and runs by name; the topmost vertices first, of one depth the largest first.
show:        tree row=vertex_id parent=parent_id label=label note=best_for by=run_id
pages:       report 120 run 80
see also:    best_vertex_tree, best_vertices
*/
with

above as (
    select edge.run_no, child_no as vertex_no, min(vertex_id) as parent_id
    from base.vertex_edge as edge
    join base.vertex on vertex.run_no = edge.run_no and vertex.vertex_no = parent_no
    group by edge.run_no, child_no
),

best as (
    select
        condition_id, profile_id, run_id, value as vertex_id,
        'best for ' || string_agg(block_id, ', ' order by block_id) as best_for
    from report.block_label
    where metric = 'best_vertex'
    group by all
)

select
    condition_id, profile_id, run_id, vertex_id, parent_id, n_story,
    count(*) over (partition by condition_id, profile_id, run_id) as n_vertex,
    n_story || case when n_story = 1 then ' story' else ' stories' end as label, best_for
from base.vertex
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
left join above using (run_no, vertex_no)
left join best using (condition_id, profile_id, run_id, vertex_id)
where run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
qualify
    row_number() over (
        partition by condition_id, profile_id, run_id order by depth, n_story desc, vertex_id
    ) <= $limit
order by condition_id, profile_id, run_id, depth, n_story desc, vertex_id
