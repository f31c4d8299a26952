/*
title:    Minimal cost of a hierarchy for each topic, and the vertex that has it
formula:  min_cost(topic) = min over all vertices of cost(topic, vertex)
          best_c_det_norm(topic) = min over all vertices of c_det_norm(topic, vertex)
          expected_travel_norm(topic) = mean walk between two stories of the topic / the normaliser of c_travel_norm
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (MinimumCost; contrast: Expected Travel Cost, formula
          ours)
inputs:   registry.run, registry.condition_profile, registry.profile, base.hierarchy_topic__v1, base.vertex,
          base.hierarchy_walk__v1, base.hierarchy_expected_walk__v1, metric.hierarchy_vertex_cost__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                key    run
    profile_no            key    scoring profile
    subset_no             key    0: all
    block_no              key    topic
    min_cost              cost   NULL for a topic without a story in the collection
    c_det_norm            cost   detection part at the best vertex
    c_travel_norm         cost   travel part at the best vertex
    best_c_det_norm       cost   least detection cost of any vertex, travel apart
    expected_travel_norm  cost   NULL for a topic with fewer than two stories
    best_vertex           text   name of the best vertex
    best_vertex_no        count  its number in the run
    n_hit                 count  stories on the topic in the best vertex
    n_false_alarm         count  other scored stories in the best vertex
    n_target              count  stories on the topic in the collection
    best_parent           text   vertex from which the cheapest walk enters the best vertex; NULL where that is the root
    n_best_parent         count  parents of the best vertex; the walk is the cheapest of those through any of them
    n_step                count  steps of the cheapest walk from the root to the best vertex
    n_vertex_compared     count  vertices whose cost was computed for the topic
    n_vertex_pruned       count  the others, which cannot cost less (metric.hierarchy_front__v1 has the proof)
metrics:
    min_cost              n=n_target  best=lowest  Minimal cost
    c_det_norm            n=n_target  best=lowest  Normalised detection cost at the best vertex
    c_travel_norm         n=n_target  best=lowest  Normalised travel cost to the best vertex
    best_c_det_norm       n=n_target  best=lowest  Least normalised detection cost of any vertex
    expected_travel_norm  n=n_target  best=lowest  Normalised expected travel cost between stories of the topic
    best_vertex           n=n_target  best=none    Best vertex
    best_parent           n=n_target  best=none    Vertex before the best one on the cheapest walk
    n_best_parent         n=n_target  best=none    Parents of the best vertex
    n_step                n=n_target  best=none    Steps of the cheapest walk to the best vertex
    n_vertex_compared     n=n_target  best=none    Vertices whose cost was computed
    n_vertex_pruned       n=n_target  best=none    Vertices excluded because they cannot have the least cost
edges:    Costs that agree to 1e-12 are a tie: lower detection cost, then lower
          travel cost, then vertex name in order of characters. Of equally cheap
          walks the one through the first parent by name.
class:    libm
see also: topic_mean__v1
*/
with best as (
    select *, min(c_det_norm) over topic as best_c_det_norm, count(*) over topic as n_vertex_compared
    from metric.hierarchy_vertex_cost__v1 where cost is not null
    window topic as (partition by run_no, profile_no, block_no)
    qualify
        row_number() over (
            partition by run_no, profile_no, block_no
            order by floor(cost * 1e12 + 5e-1), floor(c_det_norm * 1e12 + 5e-1),
                floor(c_travel_norm * 1e12 + 5e-1), vertex_no
        ) = 1
),

size as (select run_no, count(*) as n_vertex from base.vertex group by all)

select
    run_no, profile_no, 0 as subset_no, block_no, cost as min_cost, c_det_norm, c_travel_norm, best_c_det_norm,
    normalised_travel(expected_travel, topic.n_story, c_branch, c_title, optbr) as expected_travel_norm,
    vertex.vertex_id as best_vertex, vertex_no as best_vertex_no, n_hit, n_false_alarm, n_target,
    parent.vertex_id as best_parent, vertex.n_parent as n_best_parent, n_step, n_vertex_compared,
    n_vertex - n_vertex_compared as n_vertex_pruned
from registry.run join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
join base.hierarchy_topic__v1 as topic using (condition_no)
left join best using (run_no, profile_no, block_no)
left join size using (run_no)
left join base.hierarchy_expected_walk__v1 using (run_no, profile_no, block_no)
left join base.vertex using (run_no, vertex_no)
left join base.hierarchy_walk__v1 as walk using (run_no, profile_no, vertex_no)
left join base.vertex as parent on parent.run_no = run.run_no and parent.vertex_no = walk.parent_no
