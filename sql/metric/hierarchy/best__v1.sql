/*
title:    Minimal cost of a hierarchy for each topic, and the vertex that has it
formula:  min_cost(topic) = min over all vertices of cost(topic, vertex)
          best_c_det_norm(topic) = min over all vertices of c_det_norm(topic, vertex)
          expected_travel_norm(topic) = mean walk between two stories of the topic / the normaliser of c_travel_norm
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (MinimumCost; contrast: Expected Travel Cost, formula ours)
inputs:   registry.run, registry.condition_profile, registry.profile, base.hierarchy_topic__v1, base.vertex, base.vertex_travel, base.expected_travel, metric.hierarchy_vertex_cost__v1
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
    n_vertex_pruned       n=n_target  best=none    Vertices that were not looked at, because they cannot win
edges:    Costs that agree to 1e-12 are a tie: lower detection cost, then lower
          travel cost, then vertex name in order of characters. Of equally cheap
          walks the one through the first parent by name.
class:    libm
see also: topic_mean__v1
*/
with

placed as (

    select
        cost.run_no as run_no,
        cost.profile_no as profile_no,
        cost.block_no as block_no,
        cost.vertex_no as vertex_no,
        cost.n_hit as n_hit,
        cost.n_false_alarm as n_false_alarm,
        cost.cost as cost,
        cost.c_det_norm as c_det_norm,
        cost.c_travel_norm as c_travel_norm,
        row_number() over (
            partition by cost.run_no, cost.profile_no, cost.block_no
            order by
                floor(cost.cost * 1e12 + 5e-1),
                floor(cost.c_det_norm * 1e12 + 5e-1),
                floor(cost.c_travel_norm * 1e12 + 5e-1),
                cost.vertex_no
        ) as place,
        min(cost.c_det_norm) over (partition by cost.run_no, cost.profile_no, cost.block_no) as best_c_det_norm,
        count(*) over (partition by cost.run_no, cost.profile_no, cost.block_no) as n_vertex_compared
    from metric.hierarchy_vertex_cost__v1 as cost
    where cost.cost is not null

),

best as (

    select
        placed.run_no as run_no,
        placed.profile_no as profile_no,
        placed.block_no as block_no,
        placed.vertex_no as vertex_no,
        vertex.vertex_id as vertex_id,
        placed.n_hit as n_hit,
        placed.n_false_alarm as n_false_alarm,
        placed.cost as cost,
        placed.c_det_norm as c_det_norm,
        placed.c_travel_norm as c_travel_norm,
        placed.best_c_det_norm as best_c_det_norm,
        placed.n_vertex_compared as n_vertex_compared,
        vertex.n_parent as n_best_parent,
        travel.n_step as n_step,
        parent.vertex_id as best_parent
    from placed as placed
    inner join base.vertex as vertex
        on vertex.run_no = placed.run_no
        and vertex.vertex_no = placed.vertex_no
    inner join base.vertex_travel as travel
        on travel.run_no = placed.run_no
        and travel.profile_no = placed.profile_no
        and travel.vertex_no = placed.vertex_no
    left join base.vertex as parent
        on parent.run_no = travel.run_no
        and parent.vertex_no = travel.parent_no
    where placed.place = 1

),

size as (

    select
        vertex.run_no as run_no,
        count(*) as n_vertex
    from base.vertex as vertex
    group by vertex.run_no

)

select
    run.run_no as run_no,
    chosen.profile_no as profile_no,
    0 as subset_no,
    topic.block_no as block_no,
    best.cost as min_cost,
    best.c_det_norm as c_det_norm,
    best.c_travel_norm as c_travel_norm,
    best.best_c_det_norm as best_c_det_norm,
    case
        when topic.n_story > 1
            then expected.expected_travel
                / ((profile.c_branch * profile.optbr + profile.c_title) * (ln(topic.n_story) / ln(profile.optbr)))
    end as expected_travel_norm,
    best.vertex_id as best_vertex,
    best.vertex_no as best_vertex_no,
    best.n_hit as n_hit,
    best.n_false_alarm as n_false_alarm,
    topic.n_target as n_target,
    best.best_parent as best_parent,
    best.n_best_parent as n_best_parent,
    best.n_step as n_step,
    best.n_vertex_compared as n_vertex_compared,
    size.n_vertex - best.n_vertex_compared as n_vertex_pruned
from registry.run as run
inner join registry.condition_profile as chosen
    on chosen.condition_no = run.condition_no
inner join registry.profile as profile
    on profile.profile_no = chosen.profile_no
inner join base.hierarchy_topic__v1 as topic
    on topic.condition_no = run.condition_no
left join best as best
    on best.run_no = run.run_no
    and best.profile_no = chosen.profile_no
    and best.block_no = topic.block_no
left join size as size
    on size.run_no = run.run_no
left join base.expected_travel as expected
    on expected.run_no = run.run_no
    and expected.profile_no = chosen.profile_no
    and expected.block_no = topic.block_no
