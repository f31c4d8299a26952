/*
title:    Detection and travel cost of each vertex for each topic
formula:  p_miss = (n_target - n_hit) / n_target,  p_fa = n_false_alarm / n_nontarget
          c_det_norm = (c_miss p_miss p_target + c_fa p_fa (1 - p_target)) / min(c_miss p_target, c_fa (1 - p_target))
          c_travel_norm = travel / ((c_branch optbr + c_title) log_optbr(n_story))
          cost = w_det c_det_norm + (1 - w_det) c_travel_norm
source:   The 2004 TDT evaluation plan, appendix A, section 10.1, and section 5 (C_Det)
inputs:   registry.run, registry.condition_profile, registry.profile, base.detection_price__v1, base.vertex,
          base.hierarchy_walk__v1, base.vertex_hit__v1, base.hierarchy_topic__v1, metric.hierarchy_front__v1
grain:    run_no, profile_no, block_no, vertex_no
columns:
    run_no         key    run
    profile_no     key    scoring profile
    block_no       key    topic
    vertex_no      key    vertex
    n_hit          count  stories on the topic in the vertex or below
    n_false_alarm  count  other scored stories there
    c_det_norm     cost   normalised detection cost of the vertex for the topic
    c_travel_norm  cost   normalised travel cost from the root
    cost           cost   the weighted sum of both
    looked_at_for  text   story: it holds a story of the topic; front: it can win without one; both
edges:    Evaluated vertices: those that hold a story of the topic, and the
          few that can win without one (metric.hierarchy_front__v1 has the proof). The
          others cost at least as much as one of these.
          A topic without a story in the collection has no row.
          NULL where every story of the collection is on the topic (no false-alarm
          rate) or the collection has one story (no travel to normalise).
class:    libm
see also: best__v1
*/
-- a vertex of the front that holds a story of the topic comes twice: the counts add up
with candidate as (
    select run_no, profile_no, block_no, vertex_no, n_hit, n_brief, 1 as holds, 0 as can_win
    from base.vertex_hit__v1 join registry.run using (run_no) join registry.condition_profile using (condition_no)
    union all
    select run_no, profile_no, block_no, vertex_no, 0 as n_hit, 0 as n_brief, 0 as holds, 1 as can_win
    from metric.hierarchy_front__v1 join registry.run using (run_no)
    join base.hierarchy_topic__v1 using (condition_no)
    where n_target > 0
),

held as (
    select
        run_no, profile_no, block_no, vertex_no, whole_sum(n_hit) as n_hit, whole_sum(n_brief) as n_brief,
        max(holds) as has_story, max(can_win) as is_front
    from candidate group by all
),

cost as (
    select
        held.*, vertex.n_story - n_hit - n_brief as n_false_alarm, w_det,
        normalised_cost(
            detection_cost(
                ratio(n_target - n_hit, n_target), ratio(n_false_alarm, n_nontarget), weight_miss, weight_fa
            ),
            c_default
        ) as c_det_norm,
        normalised_travel(travel, topic.n_story, c_branch, c_title, optbr) as c_travel_norm
    from held join registry.run using (run_no) join registry.profile using (profile_no)
    join base.detection_price__v1 using (profile_no)
    join base.hierarchy_topic__v1 as topic using (condition_no, block_no)
    join base.vertex using (run_no, vertex_no)
    join base.hierarchy_walk__v1 using (run_no, profile_no, vertex_no)
    where n_target > 0 and travel is not null
)

select
    run_no, profile_no, block_no, vertex_no, n_hit, n_false_alarm, c_det_norm, c_travel_norm,
    w_det * c_det_norm + (1 - w_det) * c_travel_norm as cost,
    case when has_story = 1 and is_front = 1 then 'both' when is_front = 1 then 'front' else 'story' end
        as looked_at_for
from cost
