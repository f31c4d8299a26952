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

highest as (
    select condition_no, profile_no, max(p_rel) as max_p_rel
    from metric.cost_topic_ratio__v1 where n_target > 0 group by all
),

counted as (
    select
        condition_no, profile_no, count(*) as topics,
        case
            when p_rel >= max_p_rel then 19
            when max_p_rel > 0 then cast(floor(20 * p_rel / max_p_rel) as bigint)
        end as counted_no
    from metric.cost_topic_ratio__v1 join highest using (condition_no, profile_no)
    where n_target + n_nontarget > 0
    group by all
),

bin as (
    select condition_no, profile_no, four + one as bin_no, four + one as counted_no, max_p_rel
    from highest
    cross join four
    cross join one
)

select
    condition_no, profile_no, bin_no, max_p_rel * bin_no / 20 as lower, max_p_rel * (bin_no + 1) / 20 as upper,
    coalesce(topics, 0) as n_topic
from bin
left join counted using (condition_no, profile_no, counted_no)
