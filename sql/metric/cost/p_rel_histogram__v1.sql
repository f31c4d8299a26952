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
with

digit as (
    select 0 as digit
    union all
    select 1 as digit
    union all
    select 2 as digit
    union all
    select 3 as digit
),

five as (
    select 0 as five
    union all
    select 4 as five
    union all
    select 8 as five
    union all
    select 12 as five
    union all
    select 16 as five
),

bin as (
    select five + digit as bin_no
    from five
    cross join digit
),

highest as (
    select
        condition_no, profile_no,
        max(p_rel) as p_rel
    from metric.cost_topic_ratio__v1
    where n_target > 0
    group by condition_no, profile_no
),

placed as (
    select
        condition_no, profile_no,
        case
            when topic.p_rel >= highest.p_rel then 19
            when highest.p_rel > 0 then cast(floor(20 * topic.p_rel / highest.p_rel) as bigint)
        end as bin_no
    from metric.cost_topic_ratio__v1 as topic
    join highest using (condition_no, profile_no)
    where n_target + n_nontarget > 0
),

counted as (
    select
        condition_no, profile_no, bin_no,
        cast(count(*) as bigint) as n_topic
    from placed
    group by condition_no, profile_no, bin_no
)

select
    condition_no, profile_no, bin_no,
    p_rel * bin_no / 20 as lower,
    p_rel * (bin_no + 1) / 20 as upper,
    coalesce(n_topic, 0) as n_topic
from highest
cross join bin
left join counted using (condition_no, profile_no, bin_no)
