/*
title:    The shape of a hierarchy
formula:  mean_branching = edges / vertices that have children
source:   The 2004 TDT evaluation plan, appendix A, section 9.3 (topology)
inputs:   registry.run, registry.condition, registry.condition_profile, registry.task, base.vertex, base.vertex_list
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no          key     run
    profile_no      key     scoring profile
    subset_no       key     0: all
    weighting       key     none
    n_vertex        count   vertices, the root included
    depth           count   steps of the longest walk from the root
    mean_branching  double  children per vertex that has any; NULL for a root alone
    n_multi_parent  count   vertices with several parents
    n_multi_listed  count   stories in the lists of several vertices
    n_inner         count   vertices that have children
    n_story         count   stories in any list
metrics:
    n_vertex        n=n_vertex  best=none  Vertices
    depth           n=n_vertex  best=none  Depth
    mean_branching  n=n_inner   best=none  Mean branching factor
    n_multi_parent  n=n_vertex  best=none  Vertices with several parents
    n_multi_listed  n=n_story   best=none  Stories in several vertices
class:    exact
see also: topic_mean__v1
*/
with graph as (
    select
        run_no, count(*) as n_vertex, max(depth) as depth, count(*) filter (where n_child > 0) as n_inner,
        ratio(whole_sum(n_child), n_inner) as mean_branching, count(*) filter (where n_parent > 1) as n_multi_parent
    from base.vertex group by all
),

listing as (select run_no, story_no, count(*) as n_list from base.vertex_list group by all),

spread as (
    select run_no, count(*) as listed, count(*) filter (where n_list > 1) as listed_again from listing group by all
)

select
    run_no, profile_no, 0 as subset_no, 'none' as weighting, n_vertex, depth, mean_branching, n_multi_parent,
    coalesce(listed_again, 0) as n_multi_listed, n_inner, coalesce(listed, 0) as n_story
from registry.run join registry.condition using (condition_no) join registry.condition_profile using (condition_no)
join registry.task using (task)
join graph using (run_no)
left join spread using (run_no)
where run_table = 'base.vertex'
