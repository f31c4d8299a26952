/*
title:    Points of the curve of a run in whole numbers, in both weightings
formula:  story:  missed targets and accepted non-targets, each trial 1
          topic:  sums over topics of p_miss and p_fa, in units of 1e-15
          From reject-all (point 0) down the thresholds to accept-all.
source:   The 2004 TDT evaluation plan, sections 5 (weighting) and 5.1 (curve);
          NIST speaker recognition evaluation 2016, scorer (means of rates over partitions)
inputs:   metric.detection_det_state__v1, metric.detection_det_population__v1
grain:    run_no, profile_no, subset_no, weighting, point_no
columns:
    run_no           key          run
    profile_no       key          scoring profile
    subset_no        key          subset; 0 is all
    weighting        key          story or topic
    point_no         key          0 is reject-all, then down the thresholds
    threshold        score        lowest accepted score; NULL for reject-all
    miss             fixed count  missed targets
    false_alarm      fixed count  accepted non-targets
    total_target     fixed count  what miss is of, > 0
    total_nontarget  fixed count  what false_alarm is of, > 0
edges:    Points on a straight line between others may be left out: those between two targets' scores are.
          Trials without a decision are accepted last, under every profile.
          No row for topic where one topic has all trials: its curve is that of story.
          A subset without targets or without non-targets has no curve; for topic, without topics that have them.
class:    exact
see also: hull__v1, topic_crossing__v1
*/
with population as (select * from metric.detection_det_population__v1 where n_target > 0 and n_nontarget > 0),

-- once for all that follows: a view that reads another twice is planned twice
reached as (
    select run_no, profile_no, subset_no, state_no, threshold, n_hit, n_false_alarm, sum_miss, sum_fa
    from metric.detection_det_state__v1
),

-- what the system said nothing of and the profile never accepts
unreached as (
    select run_no, profile_no, subset_no, max(state_no) + 1 as last_no, max(n_hit + n_false_alarm) as n_reached
    from reached group by all
),

state as (
    select
        run_no, profile_no, subset_no, state_no, threshold, n_target - n_hit as n_miss, n_false_alarm, sum_miss, sum_fa
    from reached join population using (run_no, profile_no, subset_no)
    union all
    select
        run_no, profile_no, subset_no, last_no as state_no, -9e99 as threshold, cast(0 as bigint) as n_miss,
        n_nontarget as n_false_alarm, cast(0 as decimal(38, 0)) as sum_miss, count_units(n_block_fa) as sum_fa
    from unreached join population using (run_no, profile_no, subset_no)
    where n_reached < n_target + n_nontarget
)

select
    run_no, profile_no, subset_no, weighting, state_no as point_no, threshold,
    case when weighting = 'story' then cast(n_miss as decimal(38, 0)) else sum_miss end as miss,
    case when weighting = 'story' then cast(n_false_alarm as decimal(38, 0)) else sum_fa end as false_alarm,
    case when weighting = 'story' then cast(n_target as decimal(38, 0)) else count_units(n_block_miss) end
        as total_target,
    case when weighting = 'story' then cast(n_nontarget as decimal(38, 0)) else count_units(n_block_fa) end
        as total_nontarget
from state join population using (run_no, profile_no, subset_no)
cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
where weighting = 'story' or (is_one_topic = 0 and n_block_miss > 0 and n_block_fa > 0)
