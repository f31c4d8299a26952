/*
title:       The hierarchy around a best vertex
question:    Which vertices are around the one that fits a topic best, and which others have its stories?
about:       clusters
inputs:      base.vertex, base.vertex_edge, base.vertex_travel, base.vertex_hit__v1, base.block,
             metric.hierarchy_vertex_cost__v1, metric.hierarchy_best__v1, registry.run, registry.condition,
             registry.profile
parameters:
    run        run        none  one run; none: all
    topic      topic      none  one topic; none: the three costliest of each run
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    limit      count      30    vertices of a topic at most, those nearest to the best one first
grain:       condition_id, profile_id, run_id, block_id, vertex_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    run_id        key    run
    block_id      key    topic
    vertex_id     key    name of the vertex
    parent_id     text   the vertex above it on the cheapest path, else the first by name; NULL for the root
    n_story       count  stories in it and below
    n_hit         count  of these, on the topic
    cost          cost   what reading it costs; NULL where it was not computed
    shade         text   best, path, hit or none
    label         text   stories and cost in words
    note          text   children that are not here, and other vertices above it
order:       Conditions, profiles, runs and topics by name, from the top.
show:        tree row=vertex_id parent=parent_id label=label note=note shade=shade by=run_id,block_id
pages:       report 130 topic 60
edges:       Around the best vertex: its ancestors, children and siblings, and vertices that hold stories of the topic.
             Of each vertex all ancestors are included. Orange: the best vertex and the cheapest path to it; blue:
             vertices with stories of the topic.
see also:    best_vertices, hierarchy
*/
with recursive

best as (
    select
        condition_id, profile_id, run_id, block_id, run_no, profile_no, block_no, best_vertex_no,
        row_number() over (
            partition by condition_id, profile_id, run_id order by min_cost desc nulls last, block_id
        ) as place
    from metric.hierarchy_best__v1
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    join base.block using (condition_no, block_no)
    where best_vertex_no is not null
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and block_id = coalesce($topic, block_id)
    qualify $topic is not null or place <= 3
),

walk as (
    select run_no, profile_no, block_no, best_vertex_no as vertex_no from best
    union
    select walk.run_no, walk.profile_no, walk.block_no, parent_no
    from walk
    join base.vertex_travel using (run_no, profile_no, vertex_no)
    where parent_no is not null
),

cost as (
    select run_no, profile_no, block_no, vertex_no, cost
    from metric.hierarchy_vertex_cost__v1
    join best using (run_no, profile_no, block_no)
),

hit as (
    select run_no, profile_no, block_no, vertex_no, n_hit
    from base.vertex_hit__v1
    join best using (run_no, block_no)
),

-- from 0, the path to the best one, to 4, other vertices with stories of the topic
wanted as (
    select run_no, profile_no, block_no, vertex_no, 0 as nearness, 0 as place from walk
    union all
    select run_no, profile_no, block_no, best_vertex_no, 1, 0 from best
    union all
    select best.run_no, profile_no, block_no, child_no, 2, 0
    from best
    join base.vertex_edge on vertex_edge.run_no = best.run_no and parent_no = best_vertex_no
    union all
    select best.run_no, profile_no, block_no, beside.child_no, 3, 0
    from best
    join base.vertex_edge as above on above.run_no = best.run_no and above.child_no = best_vertex_no
    join base.vertex_edge as beside on beside.run_no = best.run_no and beside.parent_no = above.parent_no
    union all
    select
        run_no, profile_no, block_no, vertex_no, 4,
        row_number() over (partition by run_no, profile_no, block_no order by cost nulls last, vertex_no)
    from hit
    left join cost using (run_no, profile_no, block_no, vertex_no)
    where n_hit > 0
    qualify
        row_number() over (partition by run_no, profile_no, block_no order by cost nulls last, vertex_no) <= $limit
),

-- a vertex comes with all above it
needed as (
    select run_no, profile_no, block_no, vertex_no, nearness, place from wanted
    union
    select needed.run_no, profile_no, block_no, parent_no, nearness, place
    from needed
    join base.vertex_edge on vertex_edge.run_no = needed.run_no and child_no = vertex_no
),

kept as (
    select run_no, profile_no, block_no, vertex_no, min((nearness, place)) as nearest
    from needed
    join base.vertex using (run_no, vertex_no)
    group by run_no, profile_no, block_no, vertex_no, depth
    qualify
        row_number() over (
            partition by run_no, profile_no, block_no order by min((nearness, place)), depth, vertex_no
        ) <= $limit
),

edge as (
    select
        child.run_no, child.profile_no, child.block_no, child.vertex_no, parent.vertex_no as parent_no, vertex_id,
        row_number() over (
            partition by child.run_no, child.profile_no, child.block_no, child.vertex_no
            order by travel.parent_no is null, vertex_id
        ) as place
    from kept as child
    join base.vertex_edge as edge on edge.run_no = child.run_no and edge.child_no = child.vertex_no
    join kept as parent
        on parent.run_no = child.run_no
            and parent.profile_no = child.profile_no
            and parent.block_no = child.block_no
            and parent.vertex_no = edge.parent_no
    join base.vertex as named on named.run_no = child.run_no and named.vertex_no = parent.vertex_no
    left join base.vertex_travel as travel
        on travel.run_no = child.run_no
            and travel.profile_no = child.profile_no
            and travel.vertex_no = child.vertex_no
            and travel.parent_no = edge.parent_no
),

above as (
    select
        run_no, profile_no, block_no, vertex_no, max(case when place = 1 then vertex_id end) as parent_id,
        string_agg(case when place > 1 then vertex_id end, ', ' order by vertex_id) as others
    from edge
    group by all
),

below as (
    select run_no, profile_no, block_no, parent_no as vertex_no, count(*) as n_drawn
    from edge
    group by all
)

select
    condition_id, profile_id, run_id, block_id, vertex_id, parent_id, n_story, coalesce(n_hit, 0) as n_hit, cost,
    case
        when vertex_no = best_vertex_no then 'best' when walk.vertex_no is not null then 'path'
        when n_hit > 0 then 'hit' else 'none'
    end as shade,
    coalesce(n_hit, 0) || ' of ' || n_story || coalesce(printf(', cost %.4f', cost), '') as label,
    nullif(concat_ws(
        '  ', case when n_child > coalesce(n_drawn, 0) then '+' || (n_child - coalesce(n_drawn, 0)) || ' more' end,
        'also below ' || others
    ), '') as note
from kept
join best using (run_no, profile_no, block_no)
join base.vertex using (run_no, vertex_no)
left join walk using (run_no, profile_no, block_no, vertex_no)
left join above using (run_no, profile_no, block_no, vertex_no)
left join below using (run_no, profile_no, block_no, vertex_no)
left join hit using (run_no, profile_no, block_no, vertex_no)
left join cost using (run_no, profile_no, block_no, vertex_no)
order by condition_id, profile_id, run_id, block_id, depth, vertex_id
