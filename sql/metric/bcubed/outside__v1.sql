/*
title:    Stories on one side only, and what the policies make of them
formula:  precision looks at the stories of the system: its other-only stories are the unassigned ones;
          recall looks at those of the reference: its other-only stories are the unjudged ones.
          policy zero:      n_zero = n_other_only, each with value 0
          policy singleton: n_one = n_other_only, each a topic of its own with value 1
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
with

total as (

    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        cast(sum(case when cell.is_overlapping = 1 then cell.n_story else 0 end) as bigint) as n_overlapping,
        cast(sum(case when cell.has_response = 0 then cell.n_story else 0 end) as bigint) as n_unassigned,
        cast(sum(case when cell.has_reference = 0 then cell.n_story else 0 end) as bigint) as n_unjudged
    from metric.bcubed_cell__v1 as cell
    group by cell.run_no, cell.profile_no

),

chosen as (

    select
        run.run_no as run_no,
        profile.profile_no as profile_no,
        profile.b3_unassigned as b3_unassigned,
        profile.b3_unjudged as b3_unjudged,
        coalesce(total.n_overlapping, 0) as n_overlapping,
        coalesce(total.n_unassigned, 0) as n_unassigned,
        coalesce(total.n_unjudged, 0) as n_unjudged
    from metric.bcubed_run__v1 as run
    inner join registry.condition_profile as wanted
        on wanted.condition_no = run.condition_no
    inner join registry.profile as profile
        on profile.profile_no = wanted.profile_no
    left join total as total
        on total.run_no = run.run_no
        and total.profile_no = profile.profile_no

)

select
    chosen.run_no as run_no,
    chosen.profile_no as profile_no,
    1 as is_response,
    chosen.n_overlapping as n_overlapping,
    case when chosen.b3_unassigned = 'zero' then chosen.n_unassigned else 0 end as n_zero,
    case when chosen.b3_unassigned = 'singleton' then chosen.n_unassigned else 0 end as n_one,
    case when chosen.b3_unjudged = 'singleton' then 1 else 0 end as own_singleton
from chosen as chosen
union all
select
    chosen.run_no as run_no,
    chosen.profile_no as profile_no,
    0 as is_response,
    chosen.n_overlapping as n_overlapping,
    case when chosen.b3_unjudged = 'zero' then chosen.n_unjudged else 0 end as n_zero,
    case when chosen.b3_unjudged = 'singleton' then chosen.n_unjudged else 0 end as n_one,
    case when chosen.b3_unassigned = 'singleton' then 1 else 0 end as own_singleton
from chosen as chosen
