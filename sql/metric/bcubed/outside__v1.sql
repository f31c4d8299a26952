/*
title:    Stories on one side only, and what the policies make of them
formula:  precision covers the stories of the system: its other-only stories are the unassigned ones;
          recall covers those of the reference: its other-only stories are the unjudged ones.
          policy zero:      n_zero = n_other_only, each with value 0
          policy singleton: n_one = n_other_only, each a separate topic with value 1
          policy exclude and drop: neither
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 3 (ST, the stories averaged over, is left open there)
inputs:   metric.bcubed_cell__v1, metric.bcubed_run__v1, registry.condition_profile, registry.profile
grain:    run_no, profile_no, is_response
columns:
    run_no         key    run
    profile_no     key    scoring profile
    is_response    key    1: precision, over the response; 0: recall, over the reference
    n_overlapping  count  stories with several topics on a side
    n_zero         count  stories of the other side that enter the pooled mean with 0
    n_one          count  stories of the other side that enter as topics of one story, with 1
    own_singleton  flag   1: an own-only story counts as a topic of one story on the other side
edges:    Every tracking run has both rows.
class:    exact
see also: score__v1, extended_score__v1
*/
with total as (
    select
        run_no, profile_no, whole_sum(case when is_overlapping = 1 then n_story end) as n_several,
        whole_sum(case when has_response = 0 then n_story end) as n_unassigned,
        whole_sum(case when has_reference = 0 then n_story end) as n_unjudged
    from metric.bcubed_cell__v1 group by all
),

side as (
    select
        run_no, profile.profile_no, is_response, coalesce(n_several, 0) as n_overlapping,
        coalesce(case when is_response = 1 then n_unassigned else n_unjudged end, 0) as n_outside,
        case when is_response = 1 then b3_unassigned else b3_unjudged end as outside_policy,
        case when is_response = 1 then b3_unjudged else b3_unassigned end as own_policy
    from metric.bcubed_run__v1
    join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
    left join total using (run_no, profile_no)
    cross join (select 0 as is_response union all select 1 as is_response) as reach
)

select
    run_no, profile_no, is_response, n_overlapping,
    case when outside_policy = 'zero' then n_outside else 0 end as n_zero,
    case when outside_policy = 'singleton' then n_outside else 0 end as n_one,
    case when own_policy = 'singleton' then 1 else 0 end as own_singleton
from side
