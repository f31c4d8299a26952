/*
title:    Histogram of P(rel) over the topics
formula:  Twenty bins of equal width from 0 to the largest P(rel):
              bin_no = min(floor(20 p_rel / max p_rel), 19)
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, figure 1
inputs:   metric.cost_topic_ratio__v1
grain:    condition_no, profile_no, bin_no
columns:
    condition_no  key           condition
    profile_no    key           scoring profile
    bin_no        key           bin, from 0
    lower         ratio [0, 1]  lower end of the bin
    upper         ratio [0, 1]  upper end of the bin
    n_topic       count         topics in it
edges:    Bins without topics are here with 0. Topics without targets are in bin 0.
          A condition of which no topic has targets has no histogram.
class:    exact
see also: topic_ratio__v1
*/
with one as (select 0 as one union all select 1 as one union all select 2 as one union all select 3 as one),

four as (
    select 0 as four union all select 4 as four union all select 8 as four union all select 12 as four
    union all select 16 as four
),

topic as (
    select
        condition_no, profile_no, p_rel, cast(n_target as decimal(38, 0)) as targets,
        cast(n_target + n_nontarget as decimal(38, 0)) as trials
    from metric.cost_topic_ratio__v1 where n_target + n_nontarget > 0
),

highest_p_rel as (
    select condition_no, profile_no, max(p_rel) as max_p_rel from topic group by all
),

-- its counts, of one topic where several have this share
highest as (
    select condition_no, profile_no, max_p_rel, max(targets) as max_targets, max(trials) as max_trials
    from topic join highest_p_rel using (condition_no, profile_no)
    where p_rel = max_p_rel and max_p_rel > 0
    group by all
),

bin as (
    select condition_no, profile_no, four + one as bin_no, max_p_rel, max_targets, max_trials
    from highest
    cross join four
    cross join one
),

-- bin_no <= 20 p_rel / max p_rel < bin_no + 1 in whole numbers
counted as (
    select condition_no, profile_no, bin_no, count(*) as topics
    from bin join topic using (condition_no, profile_no)
    where bin_no * trials * max_targets <= 20 * targets * max_trials
        and (bin_no = 19 or 20 * targets * max_trials < (bin_no + 1) * trials * max_targets)
    group by all
)

select
    condition_no, profile_no, bin_no, max_p_rel * bin_no / 20 as lower, max_p_rel * (bin_no + 1) / 20 as upper,
    coalesce(topics, 0) as n_topic
from bin
left join counted using (condition_no, profile_no, bin_no)
