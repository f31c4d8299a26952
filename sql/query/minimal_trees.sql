/*
title:       Travel cost in minimal n-ary trees
question:    What is the mean cost of the path to a leaf in the minimal n-ary tree with a given number of leaves?
about:       topics
inputs:      registry.profile
parameters:
    n_leaf    number   40000    leaves of the tree
    c_branch  number   none     cost of looking over one child; none: that of the profile
    c_title   number   none     cost of opening one title; none: that of the profile
    profile   profile  tdt2004  scoring profile with the costs
grain:       branching
columns:
    branching    key    children of each vertex
    depth        ratio  steps from the root to a leaf, log_n(n_leaf)
    step_cost    cost   of one step, c_branch n + c_title
    travel_cost  cost   of the walk to a leaf, on average
order:       Branching factors in order. The cheapest is the optimal branching factor of the evaluation plan.
see also:    best_vertices
*/
select
    branching,
    ln($n_leaf) / ln(branching) as depth,
    coalesce($c_branch, c_branch) * branching + coalesce($c_title, c_title) as step_cost,
    (coalesce($c_branch, c_branch) * branching + coalesce($c_title, c_title)) * (ln($n_leaf) / ln(branching))
        as travel_cost
from registry.profile
cross join (values (2), (3), (4), (5), (6), (8), (10)) as tree(branching)
where profile_id = $profile
order by branching
