/*
title:    Cost of the cheapest path from the root to each vertex, with the costs of a profile
formula:  the least sum over the steps from p to a child of c_branch n_child(p) + c_title
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (Ctravel)
inputs:   base.vertex, base.vertex_travel, registry.run, registry.condition_profile
grain:    run_no, profile_no, vertex_no
columns:
    run_no       key     run
    profile_no   key     scoring profile
    vertex_no    key     vertex
    travel       cost    the root has 0; NULL: see null_reason
    parent_no    number  vertex before it on that walk; of several equally cheap the first by name; NULL for the root
    n_step       count   steps of that walk
    null_reason  text    external: no result is stored
edges:    Computed at load, and again if the costs of a profile change.
class:    external: a shortest path in a directed acyclic graph of any depth
module:   tdtsql.hierarchy.travel
see also: hierarchy_expected_walk__v1, metric.hierarchy_vertex_cost__v1
*/
select
    run_no, profile_no, vertex_no, travel, parent_no, n_step,
    case when coalesce(travel, -1e0) < 0 then 'external' end as null_reason
from base.vertex join registry.run using (run_no) join registry.condition_profile using (condition_no)
left join base.vertex_travel using (run_no, profile_no, vertex_no)
