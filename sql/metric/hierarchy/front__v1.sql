/*
title:    Vertices that can be best for a topic none of whose stories they hold
formula:  No other vertex of the run is at least as small (stories) and at least as near (travel), and better in one.
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (bestVtx, pruning)
inputs:   base.vertex, base.hierarchy_walk__v1
grain:    run_no, profile_no, vertex_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    vertex_no   key    vertex
edges:    Why the others cannot win: let z hold no story of the topic, and let y be as
          small and as near or nearer. Without a story of the topic y costs no more
          than z; with one it misses less and has fewer false alarms. So y is at
          least as good as z, for every topic, and z can be skipped.
          Of vertices equal in both, the first by name stays; it wins their tie.
class:    exact
see also: vertex_cost__v1
*/
with least as (
    select
        walk.*, n_story,
        min(n_story) over (
            partition by run_no, profile_no order by travel, n_story, vertex_no
            rows between unbounded preceding and current row
        ) as least_story
    from base.hierarchy_walk__v1 as walk
    join base.vertex using (run_no, vertex_no)
    where travel is not null
)

select run_no, profile_no, vertex_no
from least
qualify row_number() over (partition by run_no, profile_no, least_story order by travel, n_story, vertex_no) = 1
