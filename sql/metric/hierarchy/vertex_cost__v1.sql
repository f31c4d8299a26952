/*
title:    Detection and travel cost of each vertex for each topic
formula:  p_miss = (n_target - n_hit) / n_target,  p_fa = n_false_alarm / n_nontarget
          c_det_norm = (c_miss p_miss p_target + c_fa p_fa (1 - p_target)) / min(c_miss p_target, c_fa (1 - p_target))
          c_travel_norm = travel / ((c_branch optbr + c_title) log_optbr(n_story))
          cost = w_det c_det_norm + (1 - w_det) c_travel_norm
source:   The 2004 TDT evaluation plan, appendix A, section 10.1, and section 5 (C_Det)
inputs:   registry.run, registry.condition_profile, registry.profile, base.vertex, base.vertex_travel, base.vertex_hit__v1, base.hierarchy_topic__v1, metric.hierarchy_front__v1
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
edges:    Looked at, of all vertices: those that hold a story of the topic, and the
          few that can win without one (metric.hierarchy_front__v1 has the proof). The
          others cost at least as much as one of these.
          A topic without a story in the collection has no row.
          NULL where every story of the collection is on the topic (no false-alarm
          rate) or the collection has one story (no travel to normalise).
class:    libm
see also: best__v1
*/
with

-- a vertex of the front that holds a story of the topic comes twice: the counts add up
candidate as (

    select
        hit.run_no as run_no,
        chosen.profile_no as profile_no,
        hit.block_no as block_no,
        hit.vertex_no as vertex_no,
        hit.n_hit as n_hit,
        hit.n_brief as n_brief,
        1 as is_story,
        0 as is_front
    from base.vertex_hit__v1 as hit
    inner join registry.run as run
        on run.run_no = hit.run_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = run.condition_no
    union all
    select
        front.run_no as run_no,
        front.profile_no as profile_no,
        topic.block_no as block_no,
        front.vertex_no as vertex_no,
        cast(0 as bigint) as n_hit,
        cast(0 as bigint) as n_brief,
        0 as is_story,
        1 as is_front
    from metric.hierarchy_front__v1 as front
    inner join registry.run as run
        on run.run_no = front.run_no
    inner join base.hierarchy_topic__v1 as topic
        on topic.condition_no = run.condition_no
    where topic.n_target > 0

),

held as (

    select
        candidate.run_no as run_no,
        candidate.profile_no as profile_no,
        candidate.block_no as block_no,
        candidate.vertex_no as vertex_no,
        cast(sum(candidate.n_hit) as bigint) as n_hit,
        cast(sum(candidate.n_brief) as bigint) as n_brief,
        max(candidate.is_story) as is_story,
        max(candidate.is_front) as is_front
    from candidate as candidate
    group by candidate.run_no, candidate.profile_no, candidate.block_no, candidate.vertex_no

),

counted as (

    select
        held.run_no as run_no,
        held.profile_no as profile_no,
        held.block_no as block_no,
        held.vertex_no as vertex_no,
        held.n_hit as n_hit,
        case
            when held.is_story = 1 and held.is_front = 1 then 'both'
            when held.is_front = 1 then 'front'
            else 'story'
        end as looked_at_for,
        vertex.n_story - held.n_hit - held.n_brief as n_false_alarm,
        travel.travel as travel,
        topic.n_story as n_story,
        topic.n_target as n_target,
        topic.n_nontarget as n_nontarget,
        profile.p_target as p_target,
        profile.c_miss as c_miss,
        profile.c_fa as c_fa,
        profile.w_det as w_det,
        profile.optbr as optbr,
        profile.c_branch as c_branch,
        profile.c_title as c_title
    from held as held
    inner join registry.run as run
        on run.run_no = held.run_no
    inner join base.hierarchy_topic__v1 as topic
        on topic.condition_no = run.condition_no
        and topic.block_no = held.block_no
    inner join base.vertex as vertex
        on vertex.run_no = held.run_no
        and vertex.vertex_no = held.vertex_no
    inner join base.vertex_travel as travel
        on travel.run_no = held.run_no
        and travel.profile_no = held.profile_no
        and travel.vertex_no = held.vertex_no
    inner join registry.profile as profile
        on profile.profile_no = held.profile_no
    where topic.n_target > 0

),

rate as (

    select
        counted.run_no as run_no,
        counted.profile_no as profile_no,
        counted.block_no as block_no,
        counted.vertex_no as vertex_no,
        counted.n_hit as n_hit,
        counted.looked_at_for as looked_at_for,
        counted.n_false_alarm as n_false_alarm,
        counted.w_det as w_det,
        counted.c_miss * counted.p_target as c_all_missed,
        counted.c_fa * (1 - counted.p_target) as c_all_accepted,
        case when counted.n_target > 0 then cast(counted.n_target - counted.n_hit as double) / counted.n_target end as p_miss,
        case when counted.n_nontarget > 0 then cast(counted.n_false_alarm as double) / counted.n_nontarget end as p_fa,
        case
            when counted.n_story > 1
                then counted.travel / ((counted.c_branch * counted.optbr + counted.c_title) * (ln(counted.n_story) / ln(counted.optbr)))
        end as c_travel_norm
    from counted as counted

),

priced as (

    select
        rate.run_no as run_no,
        rate.profile_no as profile_no,
        rate.block_no as block_no,
        rate.vertex_no as vertex_no,
        rate.n_hit as n_hit,
        rate.looked_at_for as looked_at_for,
        rate.n_false_alarm as n_false_alarm,
        rate.w_det as w_det,
        rate.c_travel_norm as c_travel_norm,
        rate.c_all_missed * rate.p_miss + rate.c_all_accepted * rate.p_fa as c_det,
        case when rate.c_all_missed <= rate.c_all_accepted then rate.c_all_missed else rate.c_all_accepted end as c_default
    from rate as rate

),

cost as (

    select
        priced.run_no as run_no,
        priced.profile_no as profile_no,
        priced.block_no as block_no,
        priced.vertex_no as vertex_no,
        priced.n_hit as n_hit,
        priced.looked_at_for as looked_at_for,
        priced.n_false_alarm as n_false_alarm,
        priced.w_det as w_det,
        case when priced.c_default > 0 then priced.c_det / priced.c_default end as c_det_norm,
        priced.c_travel_norm as c_travel_norm
    from priced as priced

)

select
    cost.run_no as run_no,
    cost.profile_no as profile_no,
    cost.block_no as block_no,
    cost.vertex_no as vertex_no,
    cost.n_hit as n_hit,
    cost.n_false_alarm as n_false_alarm,
    cost.c_det_norm as c_det_norm,
    cost.c_travel_norm as c_travel_norm,
    cost.w_det * cost.c_det_norm + (1 - cost.w_det) * cost.c_travel_norm as cost,
    cost.looked_at_for as looked_at_for
from cost as cost
