/*
title:    Mean cost of the cheapest path between two stories of a topic, with the costs of a profile
formula:  mean over the ordered pairs of different stories of the topic
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (contrast: Expected Travel Cost, formula ours)
inputs:   base.hierarchy_topic__v1, base.expected_travel, registry.run, registry.condition_profile
grain:    run_no, profile_no, block_no
columns:
    run_no           key    run
    profile_no       key    scoring profile
    block_no         key    topic
    expected_travel  cost   NULL: see null_reason
    null_reason      text   external: no result is stored; few stories: fewer than two
edges:    Computed with base.hierarchy_walk__v1, and again when the judgments change.
class:    external: shortest paths between all pairs of stories in a directed acyclic graph
module:   tdtsql.hierarchy.travel
see also: hierarchy_walk__v1, metric.hierarchy_best__v1
*/
select
    run_no, profile_no, block_no, expected_travel,
    case
        when n_target < 2 then 'few stories' when expected_travel is null or expected_travel < 0 then 'external'
    end as null_reason
from base.hierarchy_topic__v1
join registry.run using (condition_no) join registry.condition_profile using (condition_no)
left join base.expected_travel using (run_no, profile_no, block_no)
