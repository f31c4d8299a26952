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

    select five.five + digit.digit as bin_no
    from five as five
    cross join digit as digit

),

highest as (

    select
        topic.condition_no as condition_no,
        topic.profile_no as profile_no,
        max(topic.p_rel) as p_rel
    from metric.cost_topic_ratio__v1 as topic
    where topic.n_target > 0
    group by topic.condition_no, topic.profile_no

),

placed as (

    select
        topic.condition_no as condition_no,
        topic.profile_no as profile_no,
        case
            when topic.p_rel >= highest.p_rel then 19
            when highest.p_rel > 0 then cast(floor(20 * topic.p_rel / highest.p_rel) as bigint)
        end as bin_no
    from metric.cost_topic_ratio__v1 as topic
    inner join highest as highest
        on highest.condition_no = topic.condition_no
        and highest.profile_no = topic.profile_no
    where topic.n_target + topic.n_nontarget > 0

),

counted as (

    select
        placed.condition_no as condition_no,
        placed.profile_no as profile_no,
        placed.bin_no as bin_no,
        cast(count(*) as bigint) as n_topic
    from placed as placed
    group by placed.condition_no, placed.profile_no, placed.bin_no

)

select
    highest.condition_no as condition_no,
    highest.profile_no as profile_no,
    bin.bin_no as bin_no,
    highest.p_rel * bin.bin_no / 20 as lower,
    highest.p_rel * (bin.bin_no + 1) / 20 as upper,
    coalesce(counted.n_topic, 0) as n_topic
from highest as highest
cross join bin as bin
left join counted as counted
    on counted.condition_no = highest.condition_no
    and counted.profile_no = highest.profile_no
    and counted.bin_no = bin.bin_no
