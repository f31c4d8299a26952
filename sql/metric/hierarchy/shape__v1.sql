/*
title:    The shape of a hierarchy
formula:  mean_branching = edges / vertices that have children
source:   The 2004 TDT evaluation plan, appendix A, section 9.3 (topology)
inputs:   registry.run, registry.condition, registry.condition_profile, base.vertex, base.vertex_list
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
with

graph as (

    select
        vertex.run_no as run_no,
        count(*) as n_vertex,
        max(vertex.depth) as depth,
        cast(sum(vertex.n_child) as bigint) as n_edge,
        cast(sum(case when vertex.n_child > 0 then 1 else 0 end) as bigint) as n_inner,
        cast(sum(case when vertex.n_parent > 1 then 1 else 0 end) as bigint) as n_multi_parent
    from base.vertex as vertex
    group by vertex.run_no

),

listing as (

    select
        listed.run_no as run_no,
        listed.story_no as story_no,
        count(*) as n_list
    from base.vertex_list as listed
    group by listed.run_no, listed.story_no

),

spread as (

    select
        listing.run_no as run_no,
        count(*) as n_story,
        cast(sum(case when listing.n_list > 1 then 1 else 0 end) as bigint) as n_multi_listed
    from listing as listing
    group by listing.run_no

)

select
    run.run_no as run_no,
    chosen.profile_no as profile_no,
    0 as subset_no,
    'none' as weighting,
    graph.n_vertex as n_vertex,
    graph.depth as depth,
    case when graph.n_inner > 0 then cast(graph.n_edge as double) / graph.n_inner end as mean_branching,
    graph.n_multi_parent as n_multi_parent,
    coalesce(spread.n_multi_listed, 0) as n_multi_listed,
    graph.n_inner as n_inner,
    coalesce(spread.n_story, 0) as n_story
from registry.run as run
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join registry.condition_profile as chosen
    on chosen.condition_no = run.condition_no
inner join graph as graph
    on graph.run_no = run.run_no
left join spread as spread
    on spread.run_no = run.run_no
where condition.task = 'hierarchy'
